"""Where the voices lie: range, spacing, crossing and overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from libretto.faults.harmony.reading import ALTO, BASS, SOPRANO, TENOR, Lines, Moment
from libretto.faults.harmony.styles import PartFault
from libretto.score.pitch import parse_pitch

__all__ = ["placing_faults"]

_OCTAVE = 12
_TWELFTH = 19
_SHORTLY = 2  # beats that voices may be crossed for, in passing
#: From where to where each voice is written for: by school, and as far as choirs are led.
_STRICT_RANGES = (("C4", "G5"), ("G3", "D5"), ("C3", "G4"), ("E2", "C4"))
_FREE_RANGES = (("C4", "A5"), ("F3", "E5"), ("B2", "A4"), ("C2", "E4"))


def _numbers(names: tuple[str, str]) -> tuple[int, int]:
    low, high = (parse_pitch(name) or (0, 0) for name in names)
    return low[0], high[0]


def placing_faults(lines: Lines, strict: bool) -> Iterator[PartFault]:
    """Every note out of range, and where neighbours begin to be too far apart, crossed or overlapping."""
    yield from _ranges(lines, _STRICT_RANGES if strict else _FREE_RANGES)
    for upper, lower in ((SOPRANO, ALTO), (ALTO, TENOR), (TENOR, BASS)):
        yield from _crossings(lines, upper, lower, strict)
        if lower != BASS:
            yield from _gaps(lines, upper, lower, strict)
        if strict:
            yield from _overlaps(lines, upper, lower)


def _runs(lines: Lines, upper: int, lower: int, wrong: Callable[[int], bool]) -> Iterator[list[Moment]]:
    """Moments in a row at which what lies between two voices, in semitones, is wrong."""
    run: list[Moment] = []
    for moment in lines.moments:
        high, low = moment.sounds[upper], moment.sounds[lower]
        if high is not None and low is not None and wrong(high.pitch - low.pitch):
            run.append(moment)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _first(lines: Lines, run: list[Moment], upper: int, lower: int) -> tuple[int, float, tuple[str, str], str, str]:
    """Where a run begins, whose it is, and the two notes there."""
    bar, beat = lines.place(run[0].tick)
    high, low = run[0].sounds[upper], run[0].sounds[lower]
    notes = (high.name if high else "", low.name if low else "")
    return bar, beat, (lines.names[upper], lines.names[lower]), *notes


def _crossings(lines: Lines, upper: int, lower: int, strict: bool) -> Iterator[PartFault]:
    """Where two neighbours cross; in the free style alto and tenor may, and others for two beats at most."""
    if not strict and (upper, lower) == (ALTO, TENOR):
        return
    for run in _runs(lines, upper, lower, lambda apart: apart < 0):
        if strict or run[-1].end - run[0].tick > _SHORTLY * lines.pulse_at(run[0].tick):
            bar, beat, who, high, low = _first(lines, run, upper, lower)
            heard = f"{high} lies below {low}"
            yield PartFault("crossing", bar, beat, who, heard, "exchange the two notes, or lead one back")


def _gaps(lines: Lines, upper: int, lower: int, strict: bool) -> Iterator[PartFault]:
    most, words = (_OCTAVE, "an octave") if strict else (_TWELFTH, "a twelfth")
    for run in _runs(lines, upper, lower, lambda apart: apart > most):
        bar, beat, who, high, low = _first(lines, run, upper, lower)
        heard = f"{high} and {low} are more than {words} apart"
        yield PartFault("spacing", bar, beat, who, heard, "bring the lower one up, or the upper one down")


def _overlaps(lines: Lines, upper: int, lower: int) -> Iterator[PartFault]:
    for before, moment in pairwise(lines.moments):
        fault = _overlap(lines, before, moment, upper, lower)
        if fault is not None and before.end == moment.tick and not before.closes:
            yield fault


def _ranges(lines: Lines, ranges: tuple[tuple[str, str], ...]) -> Iterator[PartFault]:
    for number, (name, limits) in enumerate(zip(lines.names, ranges, strict=True)):
        low, high = _numbers(limits)
        for sound in lines.sounds[number]:
            if not low <= sound.pitch <= high:
                bar, beat = lines.place(sound.onset)
                side = "above" if sound.pitch > high else "below"
                heard = f"{sound.name} is {side} {limits[1] if sound.pitch > high else limits[0]}"
                yield PartFault("range", bar, beat, (name,), heard, f"keep within {limits[0]} and {limits[1]}")


def _overlap(lines: Lines, before: Moment, moment: Moment, upper: int, lower: int) -> PartFault | None:
    high, low, was_high, was_low = (
        moment.sounds[upper], moment.sounds[lower], before.sounds[upper], before.sounds[lower]
    )  # fmt: skip
    if high is None or low is None or was_high is None or was_low is None:
        return None
    if high.pitch < low.pitch or was_high.pitch == was_low.pitch:  # a crossing; and who leaves a unison overlaps nobody
        return None
    bar, beat = lines.place(moment.tick)
    who = (lines.names[upper], lines.names[lower])
    if low.pitch > was_high.pitch and low.onset == moment.tick:
        heard = f"{low.name} goes above {was_high.name}, where {who[0]} just was"
        return PartFault("overlap", bar, beat, who, heard, "keep the lower voice under it")
    if high.pitch < was_low.pitch and high.onset == moment.tick:
        heard = f"{high.name} goes below {was_low.name}, where {who[1]} just was"
        return PartFault("overlap", bar, beat, who, heard, "keep the upper voice over it")
    return None
