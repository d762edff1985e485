"""What can be said against a tune by counting: moves, range, wobble, roots on downbeats, and what it recites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from libretto.house.tune.room import Room
from libretto.house.tune.themes import Theme, TuneNote

__all__ = ["Figures", "faults_of", "figures_of", "matches_of", "shared_with"]

_STEP, _THIRD = 2, 4  # semitones
#: What real tunes do: shares of all moves, and semitones.
_USUAL = {"repeats": (0.05, 0.25), "steps": (0.42, 0.68), "thirds": (0.12, 0.32), "leaps": (0.07, 0.2)}
_RANGE, _ROOTS = 12, 0.4
_HARD = {"wobbles": 3.0, "range": 0.3, "roots": 4.0, "moves": 10.0}  # what each costs


@dataclass(frozen=True)
class Figures:
    """What a tune does, in numbers: shares of its moves, semitones of its range, downbeats on the chord's root."""

    repeats: float
    steps: float
    thirds: float
    leaps: float
    range: int
    roots: float
    wobbles: int
    peak: float


def figures_of(notes: Sequence[TuneNote], room: Room) -> Figures:
    """The figures of a tune in its room."""
    pitches = [note.pitch for note in notes]
    moves = [abs(b - a) for a, b in pairwise(pitches)] or [0]
    count = len(moves)
    wobbles = sum(
        1 for a, b, c, d in zip(pitches, pitches[1:], pitches[2:], pitches[3:], strict=False) if a == c != b == d
    )
    top = max(pitches, default=0)
    peak = next((note.start / room.ticks for note in notes if note.pitch == top), 0.0)
    return Figures(
        sum(move == 0 for move in moves) / count,
        sum(0 < move <= _STEP for move in moves) / count,
        sum(_STEP < move <= _THIRD for move in moves) / count,
        sum(move > _THIRD for move in moves) / count,
        top - min(pitches, default=0),
        _on_roots(notes, room),
        wobbles,
        peak,
    )


def _on_roots(notes: Sequence[TuneNote], room: Room) -> float:
    """Which share of the notes on downbeats is the root of its chord."""
    down = [note for note in notes if note.start % room.meter.ticks == 0 and room.chord(note.start)]
    roots = sum(1 for note in down if (chord := room.chord(note.start)) and note.pitch % 12 == chord.root_class)
    return roots / max(1, len(down))


def faults_of(notes: Sequence[TuneNote], room: Room) -> float:
    """How much can be said against a tune: 0 where every figure is as real tunes have it."""
    figures = figures_of(notes, room)
    price = _HARD["wobbles"] * figures.wobbles + _HARD["roots"] * max(0.0, figures.roots - _ROOTS)
    price += _HARD["range"] * max(0, min(_RANGE, 2 * room.bars) - figures.range)
    for name, (least, most) in _USUAL.items():
        share = getattr(figures, name)
        price += _HARD["moves"] * max(0.0, least - share, share - most)
    return price


def shared_with(notes: Sequence[TuneNote], theme: Theme) -> float:
    """Which share of the notes stands on a note of the theme, moved as a whole in pitch and by whole bars."""
    return len(matches_of(notes, theme)) / len(notes) if notes else 0.0


def matches_of(notes: Sequence[TuneNote], theme: Theme) -> list[int]:
    """Which notes (by index) stand on a note of the theme, moved as a whole so that the most do."""
    if not notes:
        return []
    ticks = theme.meter.ticks
    by_place: dict[int, list[int]] = {}
    for note in theme.notes:
        by_place.setdefault(note.start, []).append(note.pitch)
    furthest = max(max(note.start for note in notes) // ticks + 1, theme.bars)
    most: list[int] = []
    for shift in range(1 - furthest, furthest):
        matched: dict[int, list[int]] = {}
        for index, note in enumerate(notes):
            for pitch in by_place.get(note.start - shift * ticks, ()):
                matched.setdefault(note.pitch - pitch, []).append(index)
        most = max([most, *matched.values()], key=len)
    return most
