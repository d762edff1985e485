"""Figures over other chords: the tones of a bar moved so that they say in the new harmony what they said in the old."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from libretto.house.morph.bank import Tone
from libretto.score import QUARTER, Chord
from libretto.score.pitch import pitch_class_of

__all__ = ["nearest_of", "over_chord", "sequenced"]


def nearest_of(pitch: int, classes: Iterable[int]) -> int:
    """The pitch of one of those classes nearest a pitch; of two equally near the lower."""
    wanted = set(classes)
    for away in range(7):
        for each in (pitch - away, pitch + away):
            if each % 12 in wanted:
                return each
    return pitch


def over_chord(pitch: int, old: Chord, new: Chord, home: frozenset[int], scale: frozenset[int]) -> int:
    """A tone of a bass or of chords over another chord: chord tones stay chord tones, others stay in the scale."""
    step = (pitch_class_of(new.root) - pitch_class_of(old.root) + 5) % 12 - 5
    moved = pitch + step
    if pitch % 12 in old.classes:
        return nearest_of(moved, new.classes)
    if pitch % 12 in home:
        return nearest_of(moved, scale | new.classes)
    return moved


def sequenced(
    tones: Sequence[tuple[int, Tone]],
    chords: Sequence[Chord],
    home: frozenset[int],
    scale: frozenset[int],
    transposition: int,
    before: int | None,
    centre: float,
) -> tuple[list[int], int]:
    """A unit of a tune as a sequence: the scale step that suits its new chords best, and the pitches it gives.

    ``tones`` come with their place in the unit in ticks, ``chords`` are the new ones under each of them. It is not left
    where it was if another step suits nearly as well.
    """
    ladder = [pitch for pitch in range(12, 116) if pitch % 12 in scale]
    best: tuple[float, int, list[int]] | None = None
    for step in range(-4, 5):
        made = [_stepped(tone.pitch, home, scale, ladder, transposition, step) for _, tone in tones]
        cost = 0.12 * abs(step) + (0.5 if step == 0 else 0.0)
        length = sum(tone.length for _, tone in tones) or 1
        cost += (
            2.0
            * sum(
                tone.length
                for (_, tone), pitch, chord in zip(tones, made, chords, strict=True)
                if pitch % 12 not in chord.classes
            )
            / length
        )
        if before is not None and made:
            cost += 0.1 * max(0, abs(made[0] - before) - 3)
        if made:
            cost += 0.05 * abs(sum(made) / len(made) - centre)
        if best is None or cost < best[0] - 1e-9:
            best = (cost, step, made)
    assert best is not None
    made = []
    for (place, tone), pitch, chord in zip(tones, best[2], chords, strict=True):
        strong = tone.length >= QUARTER or place % (2 * QUARTER) == 0
        made.append(nearest_of(pitch, chord.classes) if strong else pitch)
    return made, best[1]


def _stepped(
    pitch: int, home: frozenset[int], scale: frozenset[int], ladder: Sequence[int], transposition: int, step: int
) -> int:
    """A pitch so many steps of the new scale away; what was chromatic stays as far beside its scale tone."""
    inside = nearest_of(pitch, home)
    beside = pitch - inside
    start = nearest_of(inside + transposition, scale)
    place = min(range(len(ladder)), key=lambda each: abs(ladder[each] - start))
    return ladder[max(0, min(len(ladder) - 1, place + step))] + beside
