"""What makes a line awkward: counted, so that no change for the sake of novelty makes a drill worse to play."""

from __future__ import annotations

import itertools

from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure, layers_of
from libretto.score import parse_chord

__all__ = ["awkwardness", "crossings"]

_HARD = (6, 10, 11)  # a tritone and sevenths
_LEAP, _WIDE, _OCTAVE = 4, 7, 12


def awkwardness(sheet: DrillSheet) -> int:
    """How many places of a sheet are awkward: hard, wide or unanswered leaps, a note said over and over, notes held
    over a beat from off the beat, a bass that is not of its chord, a texture that changes for one bar alone."""
    tune = [note.pitch for bar in sheet.bars for note in layers_of(bar).tune]
    held = sum(crossings([(note.onset, note.duration) for note in layers_of(bar).tune], bar) for bar in sheet.bars)
    strange = sum(_strange_bass(bar) for bar in sheet.bars)
    thick = [_thickness(bar) for bar in sheet.bars[:-1] if bar.notes]
    lonely = sum(thick[place] not in (thick[place - 1], thick[place + 1]) for place in range(1, len(thick) - 1))
    return _awkward_moves(tune) + held + 2 * strange + lonely


def _awkward_moves(tune: list[int]) -> int:
    """How many moves of a tune are hard, wide or unanswered, or say a note over and over."""
    moves = [two - one for one, two in itertools.pairwise(tune)]
    count = sum(abs(move) in _HARD for move in moves) + 2 * sum(abs(move) > _OCTAVE for move in moves)
    for one, two in itertools.pairwise(moves):
        onward = one * two > 0
        count += onward and abs(one) > _WIDE
        count += onward and min(abs(one), abs(two)) > _LEAP and abs(one + two) > _OCTAVE
        count += one == two == 0
    return count


def crossings(rhythm: list[tuple[int, int]], bar: Measure) -> int:
    """How many notes begin off a beat, or off its pulse, and are held over the next one: hard to read and to count."""
    beats = beats_of(bar.meter)
    edges = [0, *itertools.accumulate(beats)]
    pulse = bar.meter.pulse if bar.meter.unit >= 8 else beats[0] // 2
    count = 0
    for onset, length in rhythm:
        beat = onset not in edges and any(onset < edge < onset + length for edge in edges)
        count += beat or (onset % pulse != 0 and onset + length > (onset // pulse + 1) * pulse)
    return count


def _strange_bass(bar: Measure) -> bool:
    """Whether the lowest of what is struck first is no tone of the chord that is written there."""
    under, chord = layers_of(bar).under, parse_chord(bar.labels[0])
    first = [note for note in under if note.onset == under[0].onset]
    return chord is not None and bool(first) and min(note.pitch for note in first) % 12 not in chord.classes


def _thickness(bar: Measure) -> int:
    """Whether a bar is a line, two notes at once, or chords."""
    most = max(sum(other.onset == note.onset for other in bar.notes) for note in bar.notes)
    return min(3, most)
