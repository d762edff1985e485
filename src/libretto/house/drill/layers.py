"""The two layers of a bar: the tune, and what is struck together or held under it."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from libretto.house.drill.sheet import Measure
from libretto.score import Note, parse_chord
from libretto.score.pitch import pitch_class_of

__all__ = ["Layers", "classes_of", "layers_of", "shape_of", "tones_at"]


_APART = 14  # a note this far above the only other one is a tune over a bass


class Layers(NamedTuple):
    """The notes of a bar: a tune of single notes, and chords (or held notes) under it."""

    tune: tuple[Note, ...]
    under: tuple[Note, ...]


@lru_cache(maxsize=8192)
def layers_of(bar: Measure) -> Layers:
    """Single notes that nothing else of the bar starts beneath are the tune; all others lie under it."""
    by_onset: dict[int, list[Note]] = defaultdict(list)
    for note in bar.notes:
        by_onset[note.onset].append(note)
    onsets = sorted(by_onset)
    tune: list[Note] = []
    under: list[Note] = []
    chords = [note.pitch for group in by_onset.values() if len(group) > 2 for note in group]
    floor = min(chords, default=0)
    for place, onset in enumerate(onsets):
        group = sorted(by_onset[onset], key=lambda note: note.pitch)
        after = onsets[place + 1] if place + 1 < len(onsets) else bar.length
        held = [note for note in group if note.onset + note.duration > after + bar.length // 64 and len(onsets) > 1]
        free = [note for note in group if note not in held]
        sounding = [note.pitch for note in under if note.onset + note.duration > onset] + [note.pitch for note in held]
        top = group[-1]
        alone = len(free) == 1 and free[0] is top
        apart = len(group) == 2 and top in free and top.pitch - group[0].pitch > _APART
        if (alone or apart) and top.pitch > max(sounding, default=0) and top.pitch >= floor:
            tune.append(top)
            under += [note for note in group if note is not top]
        else:
            under += group
    return Layers(tuple(tune), tuple(under))


def tones_at(bar: Measure, onset: int) -> frozenset[int]:
    """The pitch classes of the chord that is written at a place; none where there is none."""
    part = min(len(bar.labels) - 1, onset * len(bar.labels) // max(1, bar.length))
    chord = parse_chord(bar.labels[part])
    return chord.classes if chord else frozenset()


@lru_cache(maxsize=8192)
def classes_of(bar: Measure) -> frozenset[int]:
    """The pitch classes a line may use in a bar: the key's scale as the bar bends it, and what is there already."""
    scale = {pitch_class_of(each) for each in bar.key.scale}
    here = {note.pitch % 12 for note in bar.notes}
    for each in here - scale:
        scale -= {(each - 1) % 12, (each + 1) % 12} - here
        scale.add(each)
    return frozenset(scale | here)


def shape_of(bar: Measure, rungs: list[int]) -> tuple[tuple[int, int, int], ...]:
    """What makes two bars the same idea: places, lengths and moves along the scale."""
    place = {pitch: row for row, pitch in enumerate(rungs)}
    tune = layers_of(bar).tune
    rows = [place.get(note.pitch, 0) for note in tune]
    return tuple((note.onset, note.duration, row - rows[0]) for note, row in zip(tune, rows, strict=True))
