"""Studies on scales: up and down, from the top, in thirds, in groups of four, with broken chords before the close.

Conventions: a rung is a place on the scale counted from the lowest tonic; a scale may have other steps on its way down
than on its way up. Runs are even notes; a first, a highest and a last note may be held so that the last falls on a
beat. The close runs through the notes that mark the scale to the tonic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from libretto.house.drill.sheet import DrillSheet
from libretto.house.drill.studies.runs import WAYS, Rungs, laid_out, up_and_down
from libretto.house.drill.studies.study import (
    Played,
    StudyAsk,
    agreeing,
    bar_of,
    names_of,
    own_chords,
    slot_of,
    studies,
)
from libretto.score import parse_chord
from libretto.score.chords import NO_CHORD

__all__ = ["run_study", "scale_bars", "scale_study"]

_OCTAVES = {1: (1,), 2: (1, 2), 3: (2,)}  # that a scale goes through, by level
_CLOSING = 2  # bars
_BROKEN = (0, 1, 2)  # bars that are kept for broken chords
_MOST_IN_CLOSE = 6  # notes of the bar before the last
_LEADING = 11  # semitones above the tonic
_SUBDOMINANT, _DOMINANT = 5, 7
_HEARD = 0.34  # of a bar in which the tonic is heard, where no chord is heard in more


@studies.register("scale")
def scale_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """A study on the steps of a scale."""
    steps = tuple(condition["steps"])
    return scale_bars(ask, steps, steps, tuple(condition.get("marks", ())))


@studies.register("run")
def run_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """A study on the chromatic scale, where a run of half steps is asked, up or down alike."""
    if condition.get("largest") != 1 or condition.get("direction", "any") != "any":
        return None
    steps = tuple(range(12))
    return scale_bars(ask._replace(level=min(ask.level, 2)), steps, steps, ())


def scale_bars(ask: StudyAsk, up: tuple[int, ...], down: tuple[int, ...], marks: Sequence[int]) -> DrillSheet | None:
    """Bars over a scale: runs as many as there is room for, broken chords, and a close."""
    most = ask.rng.choice(_OCTAVES[ask.level])
    low = next((octaves for octaves in range(most, 0, -1) if _base(ask, octaves) is not None), 0)
    base = _base(ask, low) if low else None
    if base is None:
        return None
    rungs = Rungs(base, up, down)
    names = _names(ask, up, down)
    chords = _Chords(ask, up, down, names)
    slot = slot_of(ask.meter, ask.level)
    closing, bars = 0, None
    for closing, kept in ((_CLOSING, ask.rng.choice(_BROKEN)), (_CLOSING, 0), (1, 0)):
        bars = _runs(ask, rungs, low, slot, ask.bars - closing - kept)
        if bars is not None:
            break
    if bars is None:
        return None
    rest = ask.bars - closing - len(bars)
    bars += [_broken(ask, rungs, slot, step) for step in _roots(up, rest)]
    tail, last = _close(ask, rungs, marks, slot)
    measures = [bar_of(line, chords.over(line), ask, names) for line in bars]
    if closing == _CLOSING:
        measures.append(bar_of(tail, chords.over(tail, leading=True), ask, names))
    ending = [Played(0, ask.meter.ticks, last)]
    measures.append(bar_of(ending, chords.over(ending, last=True), ask, names))
    return ask.model._replace(bars=tuple(measures), first_bar=1)


def _names(ask: StudyAsk, up: Sequence[int], down: Sequence[int]) -> dict[int, int]:
    return names_of(down, ask.key, ask.model) | names_of(up, ask.key, ask.model)


class _Chords:
    """The chords that a scale has of its own, on its way up, down and both."""

    def __init__(self, ask: StudyAsk, up: Sequence[int], down: Sequence[int], names: Mapping[int, int]) -> None:
        self.ask = ask
        both = [step for step in up if step in down]
        self.ways = [
            ({(ask.home + step) % 12 for step in steps}, own_chords(steps, ask.key, names))
            for steps in (up, down, both)
        ]

    def over(self, line: Sequence[Played], leading: bool = False, last: bool = False) -> str:
        """The chord over a bar, out of the scale whose notes it has; before the close one that leads home, at the end
        the one of home."""
        classes = {note.pitch % 12 for note in line}
        chords = next((own for tones, own in self.ways if classes <= tones), self.ways[-1][1])
        if last:
            chords = {name: tones for name, tones in chords.items() if _root_of(name) == self.ask.home}
        if leading:
            away = {name: tones for name, tones in chords.items() if self.ask.home not in tones}
            label = agreeing(line, self.ask.meter, away, self.ask.home)
            if label != NO_CHORD:
                return label
        label = agreeing(line, self.ask.meter, chords, self.ask.home)
        home = {name: tones for name, tones in self.ways[-1][1].items() if _root_of(name) == self.ask.home}
        for begins in (True, False):  # a run that goes on from the bar before begins on any tone
            label = label if label != NO_CHORD else agreeing(line, self.ask.meter, home, self.ask.home, _HEARD, begins)
        return label


def _root_of(label: str) -> int:
    chord = parse_chord(label)
    return chord.root_class if chord is not None else -1


def _base(ask: StudyAsk, octaves: int) -> int | None:
    """The lowest tonic of a scale of so many octaves: in the middle of the staff; None where there is no room."""
    tonics = [pitch for pitch in range(ask.low, ask.high - 12 * octaves + 1) if pitch % 12 == ask.home]
    middle = ask.middle - 6 * octaves
    return min(tonics, key=lambda pitch: (abs(pitch - middle), pitch), default=None)


def _runs(ask: StudyAsk, rungs: Rungs, octaves: int, slot: int, room: int) -> list[list[Played]] | None:
    """Runs that fill at most so many bars: the scale up and down first, then others in turn; None where not even that
    has room, in as many octaves and in notes as short as the level allows."""
    first = None
    for size, long in ((octaves, slot), (1, slot), (1, slot // 2)):
        first = laid_out(up_and_down(rungs, size), ask, long)
        if len(first) <= room:
            octaves, slot = size, long
            break
    if first is None or len(first) > room:
        return None
    ways = list(WAYS[ask.level])
    bars, turn, misses = list(first), ask.rng.randrange(len(ways)), 0
    while misses < len(ways):
        row = laid_out(ways[turn % len(ways)](rungs, octaves), ask, slot)
        turn += 1
        if len(bars) + len(row) > room:
            misses += 1
            continue
        misses = 0
        bars += row
    return bars


def _roots(steps: Sequence[int], count: int) -> list[int]:
    """On which rungs the broken chords of so many bars stand: home, then the fifth where a leading note makes it a
    dominant, else the fourth."""
    wanted = _DOMINANT if _LEADING in steps and _DOMINANT in steps else _SUBDOMINANT
    other = steps.index(wanted) if wanted in steps else 0
    return [(0, other)[index % 2] for index in range(count)]


def _broken(ask: StudyAsk, rungs: Rungs, slot: int, root: int) -> list[Played]:
    """A bar of a broken chord of every second rung, up and back, in notes of a beat or so."""
    slot = slot if ask.meter.unit >= 8 else max(slot, min(ask.meter.beat, ask.meter.ticks))
    ups = [rungs.pitch(root + 2 * place) for place in range(3)]
    ups = [pitch if pitch <= ask.high else pitch - 12 for pitch in ups]
    row = ask.rng.sample(ups, len(ups))
    row = [*row, row[1]]
    return [Played(at * slot, slot, row[at % len(row)]) for at in range(ask.meter.ticks // slot)]


def _close(ask: StudyAsk, rungs: Rungs, marks: Sequence[int], slot: int) -> tuple[list[Played], int]:
    """The bar before the last, and the last note: up or down to the tonic, whichever way the scale's marks lie."""
    while ask.meter.ticks // slot > _MOST_IN_CLOSE and ask.meter.ticks % (2 * slot) == 0:
        slot *= 2
    count, size = ask.meter.ticks // slot, len(rungs.up)
    count_run = min(count, size)
    rising, falling = range(size - count_run, size), range(count_run, 0, -1)
    approach = ask.concept.challenge.approach
    up_marks = sum(rungs.up[rung] in marks for rung in rising)
    down_marks = sum(rungs.down[rung % size] in marks for rung in falling)
    leads = rungs.up[-1] == _LEADING
    goes_up = rungs.up[-1] in approach if approach else up_marks > down_marks or (up_marks == down_marks and leads)
    line = [rungs.pitch(rung) for rung in rising] if goes_up else [rungs.pitch(r, rising=False) for r in falling]
    lead = [line[0]] * (count - count_run)
    row = [Played(at * slot, slot, pitch) for at, pitch in enumerate([*lead, *line])]
    return row, rungs.pitch(size if goes_up else 0)
