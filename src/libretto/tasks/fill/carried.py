"""What a gap has from the song as a riff has it: the same figure on another chord, where others play that chord."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from libretto.corpus.slide import Pairs, pairs_of
from libretto.score import QUARTER, Score, hear_chords, parse_chord
from libretto.score.table import Ints
from libretto.tasks.fill.material import only

__all__ = ["carried_over"]

_PITCHES, _HUNDREDTHS = 128, 100  # as in ``pairs_of``
_OCTAVES = (-24, -12, 0, 12, 24)
_Bar = list[set[tuple[int, int]]]


def carried_over(context: Score, voices: Sequence[str], span: tuple[int, int], notes: Pairs) -> float:
    """The share of some notes of a gap (bar indices) that its voices play in one visible bar on the chord heard there.

    Every bar of the gap has a bar of its own to come from; each half is moved from the chord that the other voices have
    there to the one that they have in the gap, in any octave. Where nobody else plays there is nothing to move to.
    """
    others = [voice.name for voice in context.voices if voice.name not in voices]
    labels = hear_chords(only(context, others)) if others else ()
    chords = [(parse_chord(bar[0]), parse_chord(bar[-1])) for bar in labels]
    roots = [tuple(None if chord is None else chord.root_class for chord in pair) for pair in chords]
    lengths = [(end - start) // 2 for start, end in zip(context.bar_lines, context.bar_lines[1:], strict=False)]
    halves = [half * _HUNDREDTHS // QUARTER for half in lengths]
    visible = _by_bar(pairs_of(only(context, voices), without=span).bars, 0, halves)
    gap = _by_bar(notes.bars, span[0], halves)
    if not roots or not notes.notes:
        return 0.0
    explained = 0
    for here, mine in gap.items():
        explained += max(
            (_moved(mine, theirs, roots[here], roots[there]) for there, theirs in visible.items()), default=0
        )
    return explained / notes.notes


def _by_bar(bars: Mapping[int, Ints], first: int, halves: Sequence[int]) -> dict[int, _Bar]:
    """Starts and pitches by bar and half of it; bars are counted from ``first`` on."""
    made: dict[int, _Bar] = defaultdict(lambda: [set(), set()])
    for code, places in bars.items():
        start, pitch = divmod(code, _PITCHES)
        for bar in places.tolist():
            if first + bar < len(halves):
                made[first + bar][int(start >= halves[first + bar])].add((start, pitch))
    return dict(made)


def _moved(mine: _Bar, theirs: _Bar, here: Sequence[int | None], there: Sequence[int | None]) -> int:
    """How many notes of a bar another one has, each half moved from chord to chord."""
    count = 0
    for half in (0, 1):
        to, source = here[half], there[half]
        if to is not None and source is not None:
            away = (to - source) % 12
            count += max(
                len(mine[half] & {(start, pitch + away + octave) for start, pitch in theirs[half]})
                for octave in _OCTAVES
            )
    return count
