"""What the name of a drill promises, beyond being shown: in at least half of its bars, at the close, with chords that
agree.

A scale is run up and down through a whole octave, keeps to its notes and has one of its marks before the end. Chords,
intervals, rhythms and exercises stand in at least half of the bars, or in as many as the concept's own example has
them where that is less; what is an ending by its definition (a Picardy third) stands at the end. A chord that is
printed is one the notes sing: something sounds there, its tones are written as the notes are, not less than a third of
what sounds belongs to it, and where chords are struck its root or its third is among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.checks.check import Check
from libretto.grammar import parse
from libretto.knowledge import Concept, all_concepts, detect
from libretto.knowledge.sight import Sighting
from libretto.score import Chord, Score, parse_chord
from libretto.score.pitch import pitch_class_of
from libretto.score.table import Ints
from libretto.tasks.drill.request import DrillRequest

__all__ = ["AT_LEAST", "contradicted", "is_promised", "promise_checks", "shown_share"]

AT_LEAST = 0.5  #: of the bars of a drill that have what it promises
_SUNG = 1 / 3  # of what sounds under a chord that belongs to it at least
_MOSTLY = 0.5  # of what sounds belongs to a chord whose root and third are left out
_STRUCK = 3  # notes struck together that are a chord
_RUN = 4  # notes in one direction along a scale that count as a run
_LAST_BARS = 2  # in which a scale's mark is heard: the last, and the one before it
_OCTAVE = 12
_HIGHEST = 127
_LOWER = (0, 2, 3, 5, 7)  # the steps that minor has either way
#: How far the tones of a plain chord lie from its root on the line of fifths: thirds, fifth and sevenths.
_FIFTHS = {3: -3, 4: 4, 7: 1, 10: -2, 11: 5}

_RUN_KINDS = ("scale", "degrees")  # whose promise is counted here and not by the detector

Promise = Callable[[Mapping[str, Any], DrillRequest, Score], tuple[set[int], str]]


def promise_checks(drill: DrillRequest, score: Score) -> Iterator[tuple[Check, str]]:
    """Whether a drill has what its name promises in enough of its bars, and prints no chord that its notes deny."""
    wrong = tuple(number for number, _ in contradicted(score))
    evidence = "the chords agree with the notes" if not wrong else "a chord is printed that the notes deny"
    yield Check("chords", not wrong, evidence, wrong), "write the chord that sounds, or none"
    condition = _condition(drill.concept)
    if condition is None or not len(score.table):
        return
    bars, fault = _PROMISES[condition["kind"]](condition, drill, score)
    share = len(bars) / max(1, score.bars)
    least = AT_LEAST if condition["kind"] in _RUN_KINDS else min(AT_LEAST, shown_share(drill.concept))
    if condition.get("place") == "final":  # an ending is promised at the end, however long the drill is
        fault = fault or ("" if score.numbers[-1] in bars else "the last bar does not have it")
    elif not fault and share < least:
        fault = f"only {len(bars)} of {score.bars} bars have it"
    evidence = fault or f"{len(bars)} of {score.bars} bars have it"
    advice = f"let at least half of the bars show {drill.concept.title.lower()} plainly"
    yield Check("promise", not fault, evidence, tuple(sorted(bars))), advice


def is_promised(concept: Concept) -> bool:
    """Whether the bars of a drill on a concept are counted by what its name promises."""
    return _condition(concept) is not None


def _condition(concept: Concept) -> Mapping[str, Any] | None:
    for item in concept.detector:
        if item["kind"] in _PROMISES and not item.get("absent") and (item["kind"] != "degrees" or _paths(concept)):
            return item
    return None


@lru_cache(maxsize=1024)
def _share(key: str) -> float:
    concept = all_concepts()[key]
    example = parse(concept.example)
    bars = {bar for place in detect(example, concept) for bar in range(place.first, place.last + 1)}
    return len(bars) / example.bars


def shown_share(concept: Concept) -> float:
    """In which part of its bars a concept's example shows it."""
    return _share(concept.key) if concept.key in all_concepts() else 0.0


def contradicted(score: Score) -> list[tuple[int, int]]:
    """The labels that the notes deny: bar number and place in the bar, each counted as people do and from 0."""
    table = score.table
    onset = np.asarray(table["onset"], dtype=np.int64)
    end = onset + np.asarray(table["duration"], dtype=np.int64)
    denied = []
    for bar, number in enumerate(score.numbers):
        for start, stop, label, places in _spans(score, bar):
            chord = parse_chord(label)
            if chord is None:
                continue
            sounding = np.minimum(end, stop) - np.maximum(onset, start)
            inside = sounding > 0
            if not inside.any() or _denies(chord, table[inside], sounding[inside]):
                denied += [(number, place) for place in places]
    return denied


def _spans(score: Score, bar: int) -> list[tuple[int, int, str, list[int]]]:
    """The labels of a bar with their first and last ticks and their places; a label that is said again goes on."""
    spans: list[tuple[int, int, str, list[int]]] = []
    for place, (start, stop, label) in enumerate(score.chord_spans(bar)):
        if spans and spans[-1][2] == label:
            first, _, _, places = spans[-1]
            spans[-1] = (first, stop, label, [*places, place])
        else:
            spans.append((start, stop, label, [place]))
    return spans


def _denies(chord: Chord, rows: NDArray[Any], length: Ints) -> bool:
    """Whether notes deny a chord: they write one of its tones otherwise, hardly any of them belong to it, or neither
    its root nor its third is among them though a chord is struck, or though half of them do not belong to it."""
    classes, names = rows["pitch"] % _OCTAVE, rows["spelling"]
    own = np.isin(classes, sorted(chord.classes))
    share = length[own].sum() / length.sum()
    named = chord.classes & {(chord.root_class + tone) % _OCTAVE for tone in (0, 3, 4)}
    struck = int(np.unique(rows["onset"], return_counts=True)[1].max()) >= _STRUCK
    if share < _SUNG or ((struck or share < _MOSTLY) and not np.isin(classes, sorted(named)).any()):
        return True
    for tone in chord.intervals & _FIFTHS.keys():
        name = chord.root + _FIFTHS[tone]
        same = classes == pitch_class_of(name)
        if same.any() and not (names[same] == name).any():
            return True
    return False


def _seen(condition: Mapping[str, Any], drill: DrillRequest, score: Score) -> tuple[set[int], str]:
    """The bars in which the concept's own detector sees it."""
    return _bars(detect(score, drill.concept)), ""


def _bars(places: Sequence[Sighting]) -> set[int]:
    return {bar for place in places for bar in range(place.first, place.last + 1)}


def _scale(condition: Mapping[str, Any], drill: DrillRequest, score: Score) -> tuple[set[int], str]:
    """Runs along the steps of a scale; both ways through an octave, a mark of the scale before the end."""
    steps = tuple(condition["steps"])
    return _scale_runs(score, steps, steps, condition.get("marks", ()))


def _two_ways(condition: Mapping[str, Any], drill: DrillRequest, score: Score) -> tuple[set[int], str]:
    """A scale that rises by one path and falls by another."""
    up, down = sorted(_paths(drill.concept), key=lambda path: path[0] > path[-1])
    ways = [(*_LOWER, *sorted(step for step in path if _LOWER[-1] < step < _OCTAVE)) for path in (up, down)]
    return _scale_runs(score, ways[0], ways[1], ())


def _paths(concept: Concept) -> list[list[int]]:
    """The two paths of a scale that rises and falls by other notes, both to or from its upper tonic; else none."""
    paths = [item["path"] for item in concept.detector if item["kind"] == "degrees"]
    both = len(paths) == 2 and {paths[0][-1], paths[1][0]} == {_OCTAVE}
    return paths if both or (len(paths) == 2 and {paths[1][-1], paths[0][0]} == {_OCTAVE}) else []


def _scale_runs(score: Score, up: Sequence[int], down: Sequence[int], marks: Sequence[int]) -> tuple[set[int], str]:
    """The bars with runs along a scale, and what it lacks."""
    line, bar = _line(score)
    home = score.key.tonic_class
    degrees = (line - home) % _OCTAVE
    foreign = ~np.isin(degrees, sorted({*up, *down}))
    if foreign.any():
        numbers = sorted({int(number) for number in bar[foreign]})
        return set(), f"notes outside the scale in bar {numbers[0]}"
    bars: set[int] = set()
    whole = {1: False, -1: False}
    for way, steps in ((1, up), (-1, down)):
        for first, last in _runs(line, home, steps, way):
            if last - first + 1 >= min(_RUN, len(steps)):
                bars |= {int(number) for number in bar[first : last + 1]}
            covered = abs(int(line[last]) - int(line[first]))
            whole[way] = whole[way] or (covered >= _OCTAVE and _passes_home(degrees[first : last + 1]))
    if not whole[1] or not whole[-1]:
        return bars, f"the scale is not run {'up' if not whole[1] else 'down'} through an octave"
    final = bar > score.numbers[-1] - _LAST_BARS
    if len(marks) and not np.isin(degrees[final], list(marks)).any():
        return bars, "none of the notes that mark the scale is heard at the close"
    return bars, ""


def _passes_home(degrees: Ints) -> bool:
    """Whether a run goes from tonic to tonic."""
    return int((degrees == 0).sum()) > 1


def _runs(line: Ints, home: int, steps: Sequence[int], way: int) -> Iterator[tuple[int, int]]:
    """First and last place of every stretch that goes along a scale in one direction, one step at a time."""
    order = sorted(steps)
    rungs = {
        pitch: octave * len(order) + place
        for octave in range(-1, 12)
        for place, step in enumerate(order)
        if 0 <= (pitch := home + _OCTAVE * octave + step) <= _HIGHEST
    }
    first = 0
    for place in range(1, len(line) + 1):
        ends = place == len(line)
        if not ends:
            one, two = rungs.get(int(line[place - 1])), rungs.get(int(line[place]))
            ends = one is None or two is None or two - one != way
        if ends:
            if place - first > 1:
                yield first, place - 1
            first = place


def _line(score: Score) -> tuple[Ints, Ints]:
    """The highest pitch of every onset, notes struck again left out, and the bars in which they stand."""
    table = score.table
    onset = np.asarray(table["onset"], dtype=np.int64)
    starts, place = np.unique(onset, return_inverse=True)
    top = np.zeros(len(starts), dtype=np.int64)
    np.maximum.at(top, place, table["pitch"])
    bars = np.zeros(len(starts), dtype=np.int64)
    bars[place] = np.asarray(table["bar"], dtype=np.int64) + score.first_bar
    new = np.concatenate(([True], np.diff(top) != 0))
    return top[new], bars[new]


_PROMISES: dict[str, Promise] = {
    "scale": _scale,
    "degrees": _two_ways,
    **dict.fromkeys(
        (
            "arpeggio", "cadence", "chord", "chord_moves", "even_bars", "feature_interval", "four_parts",
            "grouped_bars", "interval_row", "moved_phrase", "open_loop", "readable", "rhythm_cell",
            "said_twice", "suspensions",
        ),
        _seen,
    ),
}  # fmt: skip
