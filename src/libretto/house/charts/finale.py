"""Finale: the last chord of a piece has its third, and everybody is there for it who was not told to leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from libretto.house.charts.chart import DRIVEN
from libretto.house.charts.habits import habits_of
from libretto.house.charts.skills import BASSES, BEATEN, CHORDS, HANDS
from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.patterns import Sketch
from libretto.house.core.tones import ChordSpan
from libretto.score import QUARTER

__all__ = ["all_home"]

_GO_ON = ("fade", "open")  # endings without a last chord
_CUT_OFF, _RESTS = "button", ("hold", "ritard", "easing")  # an ending that is cut off, and those that come to rest
_BAND, _MOST = 3, 0.5  # players of a band, and the share of them that makes a last chord a common one
_THIRDS = (3, 4)  # semitones above a root
_CHORD, _REACH = 3, 9  # notes at once that are a chord, and semitones to the nearest tone of one at most
_HOLLOW = 0.5  # of the bars: where fewer have their third, open fifths are how the piece speaks
_HABIT = "open_fifths"  # of styles whose last chord may be without a third
_LOWEST = 52  # the lowest third of a chord, E3
_BELOW = 12  # semitones below its highest note within which a chord is struck
_PLAIN = ("lead", "bass")  # roles whose last note stays

_Parts = Mapping[str, Sequence[Sketch]]


def all_home(plan: Plan, made: _Parts) -> dict[str, list[Sketch]]:
    """What everybody plays; in the last bar who was not told to be silent strikes with the others, where most of a
    band is there, and the chord has its third, where chords or three lines play it and it is no power chord."""
    parts = {name: list(notes) for name, notes in made.items()}
    start = (plan.bars - 1) * plan.meter.ticks
    band = _band(plan, parts)
    last = [note for one in band for note in _after(parts[one.name], start)]
    if plan.ending in _GO_ON or plan.goes_round or not last:
        return parts
    for player in _missing(plan, band, parts, start):
        parts[player.name] += _joining(plan, player, parts[player.name], last)
    if _HABIT not in habits_of(plan) and not DRIVEN & {player.program for player in band}:
        _completed(plan, band, parts, start)
    return _ringing(plan, band, parts) if _rings(plan) else parts


def _rings(plan: Plan) -> bool:
    """Whether a piece comes to rest whose chart is cut off: its last chord rings."""
    return plan.chart is not None and plan.chart.ending == _CUT_OFF and plan.ending in _RESTS


def _ringing(plan: Plan, band: Sequence[Player], parts: dict[str, list[Sketch]]) -> dict[str, list[Sketch]]:
    """The parts with what everybody strikes last held to the end."""
    end = plan.bars * plan.meter.ticks
    for player in band:
        last = max(note.onset for note in parts[player.name])
        if last >= end - plan.meter.ticks:
            parts[player.name] = [
                note._replace(duration=max(note.duration, end - last)) if note.onset == last else note
                for note in parts[player.name]
            ]
    return parts


def _band(plan: Plan, parts: _Parts) -> list[Player]:
    """Who plays anything with pitches."""
    return [one for one in plan.players if not one.drums and one.program not in BEATEN and parts[one.name]]


def _missing(plan: Plan, band: Sequence[Player], parts: _Parts, start: int) -> list[Player]:
    """Who is silent in the last bar and was not told to be, where most of a band is there; who leads by turns rests
    while the other does."""
    last = plan.bars - 1
    away = {name for told in (plan.absent, plan.resting) for name, bars in told.items() if last in bars}
    away |= set(plan.leads.values()) if last in plan.leads else set()
    ends = {player.name: max(note.onset + note.duration for note in parts[player.name]) for player in band}
    silent = [player for player in band if ends[player.name] <= start]
    common = len(band) >= _BAND and len(silent) <= _MOST * len(band)
    return [player for player in silent if player.name not in away] if common else []


def _joining(plan: Plan, player: Player, own: Sequence[Sketch], others: Sequence[Sketch]) -> list[Sketch]:
    """What somebody plays in the last bar who would be silent: a tone of the chord, or three, wherever most of the
    others strike."""
    often = Counter(note.onset for note in others)
    middle = sum(note.pitch for note in own) // len(own)
    high = min(player.top, max(note.pitch for note in own))
    made: list[Sketch] = []
    for onset in sorted(onset for onset, times in often.items() if times == max(often.values())):
        with_it = [note for note in others if note.onset == onset]
        length, accent = max(note.duration for note in with_it), min(note.accent for note in with_it)
        pitch = _nearest(_lacking(plan, player, with_it), middle, player.bottom, high)
        made += [Sketch(onset, length, tone, accent) for tone in _voiced(plan, player, onset, pitch)]
    return made


def _voiced(plan: Plan, player: Player, onset: int, pitch: int) -> list[int]:
    """A tone of a chord, with two below it on keys that accompany."""
    keys = player.polyphony >= CHORDS and player.role not in _PLAIN and player.program in HANDS
    below = ladder(plan.chord_at(onset).chord.classes, max(player.bottom, pitch - _BELOW + 1), pitch)
    return list(below[-_CHORD:]) if keys else [pitch]


def _lacking(plan: Plan, player: Player, with_it: Sequence[Sketch]) -> frozenset[int]:
    """The tones of a chord from which somebody takes one who joins in it: the bass its root, others the third or
    another that nobody has."""
    chord = plan.chord_at(with_it[0].onset)
    if player.role == "bass" or player.program in BASSES:
        return frozenset((chord.bass,))
    lacking = chord.chord.classes - {note.pitch % 12 for note in with_it}
    return _thirds(chord) & lacking or lacking or chord.chord.classes


def _thirds(chord: ChordSpan) -> frozenset[int]:
    """The third of a chord, as a pitch class; nothing where it has none."""
    return frozenset((chord.root + tone) % 12 for tone in _THIRDS) & chord.chord.classes


def _nearest(classes: frozenset[int], pitch: int, low: int, high: int) -> int:
    """The tone of some classes that is nearest a pitch, within reach."""
    tones = [tone for tone in ladder(classes, pitch - 12, pitch + 12) if low <= tone <= high]
    return min(tones or ladder(classes, pitch - 12, pitch + 12), key=lambda tone: (abs(tone - pitch), tone))


def _completed(plan: Plan, band: Sequence[Player], parts: dict[str, list[Sketch]], start: int) -> None:
    """Puts the third into a last chord that lacks it: in place of what a line doubles, besides in a chord that somebody
    strikes; inner lines first."""
    last = {one.name: _after(parts[one.name], start) for one in band}
    stroke = _common_stroke(list(last.values()))
    thirds = _thirds(plan.chord_at(stroke))
    sounding = {one.name: _sounding(parts[one.name], stroke) for one in band}
    lacks = thirds and not any(_is_heard(one, last[one.name], sounding[one.name], thirds) for one in band)
    if not lacks or not _is_full(list(sounding.values())) or _is_hollow(plan, parts):
        return
    pitches = [note.pitch for notes in sounding.values() for note in notes]
    top = {note.pitch: name for name, notes in sounding.items() for note in notes}[max(pitches)]
    for player in sorted(band, key=lambda one: (one.role in _PLAIN, one.name == top)):
        changed = _with_third(plan, player, parts[player.name], stroke, pitches)
        if changed:
            parts[player.name] = changed
            return


def _after(notes: Sequence[Sketch], start: int) -> list[Sketch]:
    """The notes that begin at a time or later."""
    return [note for note in notes if note.onset >= start]


def _common_stroke(last: Sequence[Sequence[Sketch]]) -> int:
    """Where most players strike in the last bar, the last such place."""
    often = Counter(onset for notes in last for onset in {note.onset for note in notes})
    return max(often, key=lambda onset: (often[onset], onset))


def _sounding(notes: Sequence[Sketch], at: int) -> list[Sketch]:
    """The notes that sound at a time."""
    return [note for note in notes if note.onset <= at < note.onset + note.duration]


def _is_full(sounding: Sequence[Sequence[Sketch]]) -> bool:
    """Whether somebody plays a chord, or three lines sound."""
    return max(sum(bool(notes) for notes in sounding), *(len(notes) for notes in sounding)) >= _CHORD


def _is_heard(player: Player, last: Sequence[Sketch], sounding: Sequence[Sketch], thirds: frozenset[int]) -> bool:
    """Whether somebody has the third in the last bar: in the chord, for a beat before it, or where it is broken."""
    broken = min(len({note.onset for note in last}), len({note.pitch % 12 for note in last})) >= _CHORD
    lasting = [note for note in last if note.duration >= QUARTER or (broken and player.polyphony >= CHORDS)]
    return any(note.pitch % 12 in thirds for note in (*lasting, *last[-1:], *sounding))


def _is_hollow(plan: Plan, parts: _Parts) -> bool:
    """Whether most bars in which somebody plays have no third of their chord."""
    having, played = set(), set()
    for note in (note for notes in parts.values() for note in notes):
        span = plan.chord_at(note.onset)
        played.add(span.bar)
        if (note.pitch - span.root) % 12 in _THIRDS:
            having.add(span.bar)
    return len(having) < _HOLLOW * len(played)


def _with_third(
    plan: Plan, player: Player, own: Sequence[Sketch], stroke: int, sounding: Sequence[int]
) -> list[Sketch]:
    """The notes of somebody with the third of the last chord; nothing where there is no place for it, its chords have
    none, or the note is that of the bass or the tune."""
    mine = [note for note in own if note.onset == stroke]
    thirds, lowest = _thirds(plan.chord_at(stroke)), max(player.bottom, min(sounding) + 1)
    if not mine or player.role == "bass":
        return []
    top = mine[-1]
    if len(mine) == 1:
        pitch = _beside(top.pitch, thirds, lowest, (min(player.top, max(sounding)), player.top))
        free = _is_doubled(top.pitch, sounding) and player.role != "lead"
        return [note._replace(pitch=pitch) if note == top else note for note in own] if free and pitch else []
    pitch = _nearest(thirds, top.pitch - _THIRDS[0], lowest, top.pitch)
    free = not player.strings and len(mine) < player.polyphony and _LOWEST <= pitch < top.pitch
    return sorted([*own, top._replace(pitch=pitch)]) if free and not _is_hollow(plan, {player.name: own}) else []


def _is_doubled(pitch: int, sounding: Sequence[int]) -> bool:
    """Whether a note above the lowest is somebody else's as well, in some octave."""
    return pitch > min(sounding) and sum((other - pitch) % 12 == 0 for other in sounding) > 1


def _beside(pitch: int, classes: frozenset[int], low: int, highs: Sequence[int]) -> int:
    """The nearest tone of some classes, below the first of some heights if it is near; 0 where none is."""
    tones = [_nearest(classes, pitch, low, high) for high in highs]
    return next((tone for tone in tones if abs(tone - pitch) <= _REACH), 0)
