"""One player alone: the tune on top and, where the instrument can, its own accompaniment below."""

from __future__ import annotations

from dataclasses import replace

from libretto.house.band import Player
from libretto.house.comping import write_chords
from libretto.house.dice import dice
from libretto.house.form import Section
from libretto.house.melody import write_tune
from libretto.house.plan import Plan
from libretto.house.sketch import Sketch
from libretto.house.style import Seat
from libretto.score import QUARTER

__all__ = ["write_alone"]


def write_alone(plan: Plan, player: Player, sections: list[Section]) -> list[Sketch]:
    """Everything a piece has, in one part."""
    if player.polyphony < 3:
        return write_tune(plan, player, sections)
    keys = player.high - player.low >= 48
    split = 60 if keys else max(player.low + 12, 55)
    top = replace(player, low=max(player.low, split if keys else split - 2))
    tune = write_tune(plan, top, sections)
    bass = any(each.role == "bass" for each in plan.players)
    seat = _left_hand(plan, player, split, keys, bass)
    under = write_chords(plan, replace(player, role=seat.role, seat=seat, polyphony=4), sections)
    if bass and not keys:  # a guitar answers itself: chords where the tune rests
        under = [note for note in under if not _sounding(tune, note)]
    return sorted(_thick(plan, tune, top) + _below(tune, under, player))


def _left_hand(plan: Plan, player: Player, split: int, keys: bool, bass: bool) -> Seat:
    """The chair of the accompaniment: all of it, or the style's chords under the tune where somebody has the bass."""
    chairs = [seat for seat in plan.style.seats if seat.role in ("comping", "arpeggio") and seat.figures]
    if bass and chairs:
        low = max(player.low, 48 if keys else 40)
        kind = chairs[0].voicing if chairs[0].voicing in ("power", "guitar") and not keys else "close"
        high = max(split + 2, low + (24 if kind == "guitar" else 14))
        return replace(chairs[0], size=min(3, chairs[0].size or 3), voicing=kind, register=(low, high))
    figures = ("alone",) if "alone" in plan.style.data.get("figures", {}) else ()
    low = max(player.low, int(plan.style.setting("alone", "low", 40)))
    if not keys:  # low strings first, then chord tones as far as the tune leaves room
        return Seat(
            "arpeggio", player.name, (), figures=figures, voicing="guitar", size=4, register=(player.low, split + 7)
        )
    register = (low, max(split - 1, low + 16))
    kind = str(plan.style.setting("alone", "voicing", "open"))
    return Seat("arpeggio", player.name, (), figures=figures, voicing=kind, size=3, register=register)


def _sounding(tune: list[Sketch], note: Sketch) -> list[Sketch]:
    """The notes of the tune that sound while a note does."""
    end = note.onset + note.duration
    return [each for each in tune if each.onset < end and each.onset + each.duration > note.onset]


def _thick(plan: Plan, tune: list[Sketch], player: Player) -> list[Sketch]:
    """The tune with chord tones and octaves below its longer and stronger notes, as far as the style likes that."""
    share = float(plan.style.setting("melody", "thick", 0.0))
    if not share or player.polyphony < 8:
        return tune
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


def _below(tune: list[Sketch], under: list[Sketch], player: Player) -> list[Sketch]:
    """The accompaniment without what collides with the tune or goes beyond what the instrument can hold at once."""
    kept = []
    for note in under:
        if any(each.pitch - note.pitch < 3 for each in _sounding(tune, note)):
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
