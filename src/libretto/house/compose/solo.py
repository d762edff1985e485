"""One player alone: the tune on top and, where the instrument can, its own accompaniment below; and accompanists
who have no bass player beside them, and play the bass themselves."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

from libretto.house.compose.band import Player
from libretto.house.compose.comping import write_chords
from libretto.house.compose.form import Section
from libretto.house.compose.melody import write_tune
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch
from libretto.house.core.style import Seat
from libretto.score import QUARTER

__all__ = ["must_ground", "write_alone", "write_grounded"]

_FLOOR, _CLEAR = 40, 3


def write_alone(plan: Plan, player: Player, sections: list[Section]) -> list[Sketch]:
    """Everything a piece has, in one part."""
    if player.polyphony < 3:
        return write_tune(plan, player, sections)
    keys = player.high - player.low >= 48
    split = 60 if keys else max(player.low + 12, 55)
    top = replace(player, low=max(player.low, split + 3 if keys else split - 2))
    tune = write_tune(plan, top, sections)
    thick = float(plan.style.setting("melody", "thick", 0.0))
    full = _thick(plan, tune, top, thick) if thick and player.polyphony >= 8 else _thickened(plan, tune, keys)
    hand = _beside_bass(plan, player, split, keys) or _left_hand(plan, player, split + (2 if keys else -1))
    under = write_chords(plan, hand, sections)
    if plan.has_bass and not keys:  # a guitar answers itself: chords where the tune rests
        under = [note for note in under if not _sounding(tune, note)]
    return sorted(full + _below(tune, under, player))


def _beside_bass(plan: Plan, player: Player, split: int, keys: bool) -> Player | None:
    """The hand below the tune where somebody else has the bass: the style's chords."""
    chairs = [seat for seat in plan.style.seats if seat.role in ("comping", "arpeggio") and seat.figures]
    if not plan.has_bass or not chairs:
        return None
    low = max(player.low, 48 if keys else 40)
    kind = chairs[0].voicing if chairs[0].voicing in ("power", "guitar") and not keys else "close"
    high = max(split + 2, low + (24 if kind == "guitar" else 14))
    seat = replace(chairs[0], size=min(3, chairs[0].size or 3), voicing=kind, register=(low, high))
    return replace(player, role=seat.role, seat=seat, polyphony=4)


def _sounding(tune: list[Sketch], note: Sketch) -> list[Sketch]:
    """The notes of the tune that sound while a note does."""
    end = note.onset + note.duration
    return [each for each in tune if each.onset < end and each.onset + each.duration > note.onset]


def _thick(plan: Plan, tune: list[Sketch], player: Player, share: float) -> list[Sketch]:
    """The tune with chord tones and octaves below its longer and stronger notes, as far as the style likes that."""
    made = list(tune)
    for note in tune:
        strong = note.duration >= QUARTER // 2 or note.onset % QUARTER == 0
        if not strong or dice(plan.seed, "thick", note.onset).random() > share:
            continue
        classes = plan.chord_at(note.onset).chord.classes
        inner = [note.pitch - step for step in range(3, 10) if (note.pitch - step) % 12 in classes]
        octave = note.pitch - 12
        for pitch in [*inner[:1], octave] if octave >= player.low - 5 else inner[:1]:
            if pitch >= player.low - 5:
                made.append(note._replace(pitch=pitch, accent=note.accent - 6))
    return made


def write_grounded(plan: Plan, player: Player, sections: list[Section], ceiling: int | None) -> list[Sketch]:
    """The chords of an accompanist who has no bass beside him: the figure of a player alone, and where that leaves the
    right hand free, held notes of the chord in fuller sections."""
    hand = _left_hand(plan, player, 62)
    if player.high - player.low < 48 and player.polyphony >= 6 and player.bottom < 45:  # strings under six fingers
        hand = replace(hand, seat=replace(hand.seat, voicing="guitar", size=4, register=(player.bottom, 70)))
    under = write_chords(plan, hand, sections)
    figures = [each for name in ("alone", "alone_full") for each in plan.style.data["figures"].get(name, ())]
    if player.high - player.low < 48 or any(set(each) & set("CcuX") for each in figures):
        return under
    seat = Seat("pad", player.name, (), voicing="close", size=2, register=(62, 77), louder=player.seat.louder - 4)
    full = [section for section in sections if section.energy >= 0.5]
    over = write_chords(plan, replace(player, role="pad", seat=seat), full, ceiling)
    return sorted(under + over)


def must_ground(plan: Plan, player: Player) -> bool:
    """Whether a chord player has to play the bass too: nobody else does, and this one can."""
    deep = max(player.bottom, _FLOOR) <= 48 and player.polyphony >= 4
    return not plan.has_bass and deep and "alone" in plan.style.data.get("figures", {})


def _left_hand(plan: Plan, player: Player, high: int) -> Player:
    """The hand below the tune: the style's figure for it, on chords with their bass at the bottom."""
    figures = tuple(name for name in ("alone", "alone_full") if name in plan.style.data.get("figures", {}))
    setting = plan.style.setting
    low = max(player.bottom, int(setting("alone", "low", _FLOOR)))
    seat = Seat(
        "arpeggio",
        player.name,
        (),
        figures=figures,
        voicing=str(setting("alone", "voicing", "rooted")),
        size=int(setting("alone", "size", 3)),
        register=(low, max(high, low + 12)),
        louder=player.seat.louder,
    )
    return replace(player, role="arpeggio", seat=seat, polyphony=4, low=min(player.low, max(player.bottom, 36)))


def _thickened(plan: Plan, tune: list[Sketch], keys: bool) -> list[Sketch]:
    """The tune with a chord tone under its longer notes on the beat: more of them, and octaves, in full sections."""
    firsts = [section.first * plan.meter.ticks for section in plan.sections]
    made: list[Sketch] = []
    full = float(plan.style.setting("alone", "full", 0.55 if keys else 0.7))
    for note in tune:
        energy = plan.sections[max(0, bisect_right(firsts, note.onset) - 1)].energy
        least = QUARTER if energy >= full + 0.15 else QUARTER * 3 // 2
        if energy < full or note.duration < least or note.onset % QUARTER:
            continue
        classes = plan.chord_at(note.onset).chord.classes
        reach = range(3, 10) if energy < full + 0.25 or not keys else (12,)
        found = [note.pitch - step for step in reach if (note.pitch - step) % 12 in classes or step == 12]
        made += [Sketch(note.onset, note.duration, pitch, note.accent - 14) for pitch in found[:1]]
    return tune + [note for note in made if note.pitch >= 55]


def _below(tune: list[Sketch], under: list[Sketch], player: Player) -> list[Sketch]:
    """The accompaniment without what collides with the tune or goes beyond what the instrument can hold at once."""
    kept = []
    for note in under:
        if any(each.pitch - note.pitch < _CLEAR for each in _sounding(tune, note)):
            continue
        kept.append(note._replace(accent=note.accent - 10))
    if player.polyphony >= 8:
        return kept
    room = max(1, player.polyphony - 1)
    limited: list[Sketch] = []
    for note in sorted(kept):
        at_once = [each for each in limited if each.onset <= note.onset < each.onset + each.duration]
        if len(at_once) < room:
            limited.append(note)
    return limited
