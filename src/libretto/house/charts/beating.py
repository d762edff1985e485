"""Drums of a chart: the groove of every bar, and the rolls of drums that have pitches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from libretto.house.charts.by_hand import Hand, kind_of, struck_by_hand
from libretto.house.charts.chart import Chart
from libretto.house.charts.chopping import chopped
from libretto.house.charts.clashing import clashed, has_only_cymbals
from libretto.house.charts.fills import saved_up
from libretto.house.charts.form import Passage
from libretto.house.charts.hats import on_hats
from libretto.house.charts.levels import level_at
from libretto.house.charts.reprise import on_the_ride
from libretto.house.charts.scratching import NEEDLE, has_turntables, scratched
from libretto.house.charts.stand import USUAL
from libretto.house.charts.varying import turned
from libretto.house.compose.band import EFFECT, Player
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import ACCENTS, Sketch, four_limbs, hits, on_own_drums
from libretto.score import QUARTER

__all__ = ["drumming", "on_skins", "with_rolls"]

_KICK, _SNARE, _LIGHTER = 36, 38, 6  # keys of a kit, and how much softer the second kick of a bar is
_AT_KIT = {39: 38, 54: 42, 69: 42, 70: 42, 73: 42, 74: 46, 75: 37, 80: 42, 81: 46, 82: 42}  # what a kit has for hands
_HANDS = 2  # of one drummer
_FOR_HANDS = frozenset((54, *range(60, 83)))  # a tambourine, drums for hands, shakers and sticks
_CLAP, _CLAPPED = 39, frozenset((37, 39))  # the key of claps, and those of who has nothing else
_FOOT, _LIVELY, _FIRM = (
    (_KICK,),
    0.45,
    14,
)  # the one drum of a foot; the energy of bars that it beats through; its accent
_SELDOM = frozenset(("downbeats", "tolls"))  # manners of a stroke a bar, or fewer
_STEADY = _SELDOM | {"beats", "pulse"}  # and of one drum that keeps time
# Semitones above the deepest of some big drums on which strokes of toms are played, and how many sizes they need.
_SKINS = {36: 0, 41: 0, 43: 0, 45: 5, 47: 5, 48: 12, 50: 12}
_SIZES = 2
_QUIET, _WAITS = -12, 2  # the accent of who only beats time, and the bars before it
_STROKE, _GROWS = QUARTER // 8, 24  # ticks of a stroke of a roll, and how much softer it begins than it ends


def drumming(
    plan: Plan,
    chart: Chart,
    passages: Sequence[Passage],
    player: Player,
    mine: Sequence[str],
    sung: frozenset[int] = frozenset(),
) -> list[Sketch]:
    """What a drummer plays of some parts, on the drums that it has; fills are small in bars that are ``sung``."""
    told = _told(plan, player)
    if told == {"pulse"} and _pulses(plan, chart, passages, player, mine):
        told = frozenset()
    if player.keys == _FOOT or told:
        return _stomped(plan, passages, _key_of(player), next(iter(sorted(told)), ""))
    if _key_of(player) == _CLAP and not _by_hand(plan, chart, passages, mine):
        return _clapped(plan, chart, passages, mine)
    if has_only_cymbals(player):
        return clashed(plan, passages, player, _of_all(plan, chart, passages))
    kind = kind_of(player.keys) if player.role != "drums" and chart.hands <= _HANDS else None
    if kind is not None:
        notes = _in_hands(plan, chart, passages, player, mine, kind)
        return turned(plan, four_limbs(saved_up(plan, passages, notes, sung)))
    return _as_written(plan, chart, passages, player, mine, sung)


def _told(plan: Plan, player: Player) -> frozenset[str]:
    """The manners of one drum that keeps time which somebody is told, who has no kit; the pulse of a shaker is its hand
    that goes to and fro."""
    kind = kind_of(player.keys)
    told = _STEADY & set(plan.manners.get(player.name, ())) if player.role != "drums" else frozenset()
    return told - {"pulse"} if kind is not None and kind.steady else told


def _pulses(plan: Plan, chart: Chart, passages: Sequence[Passage], player: Player, mine: Sequence[str]) -> bool:
    """Whether a chart has a pulse on somebody's own drums already: a stroke on every beat of most bars, and not of the
    others."""
    kind = kind_of(player.keys)
    own = {note.onset for part in mine for note in _drummed(plan, chart, passages, part) if note.pitch in player.keys}
    beats = range(0, plan.meter.ticks, plan.meter.beat)
    kept = [all(bar * plan.meter.ticks + beat in own for beat in beats) for bar in range(plan.bars)]
    return kind is not None and plan.bars / 2 < sum(kept) < plan.bars


def _as_written(
    plan: Plan,
    chart: Chart,
    passages: Sequence[Passage],
    player: Player,
    mine: Sequence[str],
    sung: frozenset[int],
) -> list[Sketch]:
    """What a chart has for a drummer, on the drums that it has."""
    apart = player.role != "drums" and chart.hands > _HANDS
    if has_turntables(player.keys):
        return scratched(plan, passages, _drummed(plan, chart, passages, "percussion") if NEEDLE in chart.words else [])
    notes = _written(plan, chart, passages, ["percussion"] if apart and mine else mine, player.keys)
    kit = player.role == "drums"
    notes = on_the_ride(plan, passages, _at_kit(plan, notes, player.keys)) if kit else notes
    notes = saved_up(plan, passages, notes, sung)
    if not apart:
        notes = chopped(plan, notes) if kit else notes
        return turned(plan, four_limbs(on_own_drums(notes, player.keys) if player.keys else notes))
    own_keys = on_own_drums(notes, _keys_of(plan, player), apart=True) if player.keys else notes
    return turned(plan, four_limbs(own_keys, chart.hands))


def _in_hands(
    plan: Plan, chart: Chart, passages: Sequence[Passage], player: Player, mine: Sequence[str], kind: Hand
) -> list[Sketch]:
    """What somebody plays who has one kind of small drums: what any part of a chart has for them, and figures of its
    own in the other bars of its part; where nobody drums two bars are left to the others."""
    written = _of_all(plan, chart, passages)
    own = [note for part in mine for note in _drummed(plan, chart, passages, part)]
    bars = {note.onset // plan.meter.ticks for note in own}
    keys = _keys_of(plan, player)
    return struck_by_hand(plan, passages, kind, keys, written, frozenset(bars or range(_WAITS, plan.bars)))


def _of_all(plan: Plan, chart: Chart, passages: Sequence[Passage]) -> list[Sketch]:
    """What a chart has for any drums."""
    return [note for part in ("drums", "percussion") for note in _drummed(plan, chart, passages, part)]


def _written(
    plan: Plan, chart: Chart, passages: Sequence[Passage], parts: Sequence[str], keys: Sequence[int]
) -> list[Sketch]:
    """What a chart has in some parts for who drums, or time that is beaten where it has nothing."""
    notes = [note for part in parts for note in _drummed(plan, chart, passages, part)]
    return notes or _beaten_time(plan, keys)


def _key_of(player: Player) -> int:
    """The one key of who keeps time on one: that of claps where somebody has nothing but hands, else the lowest."""
    hands = _CLAP in player.keys and set(player.keys) <= _CLAPPED
    return _CLAP if hands else min(player.keys, default=_KICK)


def _by_hand(plan: Plan, chart: Chart, passages: Sequence[Passage], mine: Sequence[str]) -> bool:
    """Whether somebody beside a kit has a part with claps of its own."""
    return list(mine) == ["percussion"] and _CLAP in {
        note.pitch for note in _drummed(plan, chart, passages, "percussion")
    }


def _clapped(plan: Plan, chart: Chart, passages: Sequence[Passage], mine: Sequence[str]) -> list[Sketch]:
    """What who has nothing but hands claps: the weak beats of bars that are drummed in, in two and in four; in other
    meters first of all what a chart has for hands. Once where the piece ends."""
    ticks, beat = plan.meter.ticks, plan.meter.beat
    notes = _written(plan, chart, passages, mine, (_CLAP,))
    plain = ticks in (2 * QUARTER, 4 * QUARTER) and beat == QUARTER
    beside = [] if plain else _drummed(plan, chart, passages, "percussion")
    own = sorted({note.onset: note for note in beside if note.pitch == _CLAP}.values())
    there = {note.onset // ticks for note in own}
    loud = {note.onset // ticks: note.accent for note in sorted(notes, key=lambda note: note.accent)}
    weak = [
        Sketch(bar * ticks + place, beat // 2, _CLAP, accent)
        for bar, accent in loud.items()
        if bar not in there
        for place in ([0] if bar == plan.bars - 1 else range(beat, ticks, 2 * beat))
    ]
    return sorted([*own, *weak])


def _stomped(plan: Plan, passages: Sequence[Passage], key: int, manner: str) -> list[Sketch]:
    """What a foot stomps, or a drum beats that is to keep a pulse: the first and the middle beat of quiet bars, every
    beat of others, and in the last bar one stroke; the first beat of bars, or of every other one where it tolls."""
    ticks, beat = plan.meter.ticks, plan.meter.beat
    beats = max(1, ticks // beat)
    made = []
    for passage in passages:
        full = passage.scene.energy >= _LIVELY or manner in ("beats", "pulse")
        for bar in range(passage.first, passage.first + passage.bars):
            step = 1 if full or beats % 2 else max(1, beats // 2)
            last = bar == plan.bars - 1 or manner in _SELDOM
            for turn in range(0, 1 if last else beats, step):
                loud = (0 if manner else _FIRM) - _LIGHTER * 2 * (turn * 2 % beats != 0)
                if bar % 2 == 0 or manner != "tolls":
                    made.append(Sketch(bar * ticks + turn * beat, beat // 2, key, loud))
    return made


def _beaten_time(plan: Plan, keys: Sequence[int]) -> list[Sketch]:
    """What somebody beats for whom a chart has nothing: the first beat of a bar, all beats of every other one, softly;
    two bars are left to the others at the start."""
    key = keys[0] if keys else _KICK
    ticks, beat = plan.meter.ticks, plan.meter.beat
    last = plan.bars - 1
    return [
        Sketch(bar * ticks + place, beat // 2, key, _QUIET - _LIGHTER * (place > 0))
        for bar in range(min(_WAITS, last), plan.bars)
        for place in range(0, ticks if bar % 2 and bar < last else beat, beat)
    ]


def _drummed(plan: Plan, chart: Chart, passages: Sequence[Passage], part: str) -> list[Sketch]:
    """What a drummer plays: the groove of every bar."""
    made: list[Sketch] = []
    ticks = plan.meter.ticks
    written = {part for passage in passages for part in passage.scene.parts}
    for place, passage in enumerate(passages):
        for number in range(passage.bars):
            groove = passage.bar(part, number)
            if part not in written:  # who beats anything else does it as the others do
                groove = passage.bar("percussion" if part == "drums" else "drums", number)
            if not groove:
                continue
            level = round(level_at(passages, place, number)) - USUAL
            start = (passage.first + number) * ticks
            for drum, pattern in chart.grooves[groove].items():
                signs = pattern.replace(" ", "")
                strokes = [(start + ticks * slot // len(signs), sign) for slot, sign in enumerate(signs) if sign != "."]
                made += hits(drum, strokes, ACCENTS, louder=level)
    return made


def _at_kit(plan: Plan, notes: list[Sketch], keys: Sequence[int]) -> list[Sketch]:
    """What somebody plays at a kit, of what hands would shake and beat."""
    return on_hats(plan, _kitted(plan, _left_to_hands(plan, notes), keys))


def _kitted(plan: Plan, notes: list[Sketch], keys: Sequence[int]) -> list[Sketch]:
    """A beat that was written for hands, as somebody plays it who sits at a kit: claps on the snare, shakers and
    scrapers on the hats, and a kick where every bar and its half begin. What has a kick stays as it is."""
    if not notes or not {_KICK, _SNARE} <= set(keys) or any(note.pitch in (_KICK - 1, _KICK) for note in notes):
        return notes
    ticks = plan.meter.ticks
    half = ticks // 2 if ticks // 2 % plan.meter.beat == 0 else ticks
    bars = {note.onset // ticks for note in notes}
    loud = max(note.accent for note in notes)
    kicks = [
        Sketch(bar * ticks + place, notes[0].duration, _KICK, loud - place % ticks // half * _LIGHTER)
        for bar in bars
        for place in range(0, ticks, half)
    ]
    struck = {
        (note.onset, pitch): note._replace(pitch=pitch)
        for note in notes
        for pitch in (_AT_KIT.get(note.pitch, note.pitch),)
    }
    return sorted([*struck.values(), *kicks])


def _left_to_hands(plan: Plan, notes: list[Sketch]) -> list[Sketch]:
    """What a kit has, without the drums for hands that somebody else has, or the claps: one tambourine is enough."""
    hands = [player.keys for player in plan.players if player.drums and player.role not in ("drums", EFFECT)]
    kinds = [kind.keys for keys in hands if (kind := kind_of(keys)) is not None]
    theirs = {key for keys in (*hands, *kinds) for key in keys}
    return [note for note in notes if note.pitch not in theirs & (_FOR_HANDS | {_CLAP})]


def _keys_of(plan: Plan, player: Player) -> tuple[int, ...]:
    """The drums of a player; those who have the same ones share them, where there are enough."""
    alike = [other for other in plan.players if other.drums and set(other.keys) == set(player.keys)]
    shared = tuple(sorted(player.keys)[alike.index(player) :: len(alike)])
    return shared if 1 < len(alike) < len(player.keys) else player.keys


def on_skins(plan: Plan, chart: Chart, passages: Sequence[Passage], tone: int) -> list[Sketch]:
    """What is written for toms of several sizes, on big drums of which the deepest sounds as a tone; nothing where the
    chart has no such beat, or a kit plays it."""
    if any(player.role == "drums" for player in plan.players):
        return []
    strokes = [note for note in _drummed(plan, chart, passages, "drums") if note.pitch in _SKINS]
    best: dict[tuple[int, int], Sketch] = {}
    for note in sorted(strokes):
        pitch = tone + _SKINS[note.pitch]
        if (note.onset, pitch) not in best or best[note.onset, pitch].accent < note.accent:
            best[note.onset, pitch] = note._replace(pitch=pitch)
    sizes = {pitch for _, pitch in best}
    return sorted(best.values()) if len(sizes) >= _SIZES else []


def with_rolls(plan: Plan, passages: Sequence[Passage], beats: list[Sketch]) -> list[Sketch]:
    """Strokes with a roll that grows in the second half of the bar before a section that is full and no quieter, on the
    note that follows; on the root of the chord where that has no such note."""
    ticks = plan.meter.ticks
    made = list(beats)
    for before, after in pairwise(passages):
        goal = after.first * ticks
        first = next((note for note in beats if note.onset == goal), None)
        if first is None or after.scene.energy < before.scene.energy:
            continue
        start = goal - ticks // 2
        made = [note for note in made if not start <= note.onset < goal]
        strokes = (goal - start) // _STROKE
        chord = plan.chord_at(start)
        up = (chord.root - first.pitch) % 12
        pitch = first.pitch if first.pitch % 12 in chord.chord.classes else first.pitch + (up if up <= 6 else up - 12)
        made += [
            Sketch(start + turn * _STROKE, _STROKE, pitch, first.accent - _GROWS * (strokes - turn) // strokes)
            for turn in range(strokes)
        ]
    return sorted(made)
