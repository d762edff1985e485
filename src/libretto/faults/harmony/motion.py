"""Two voices moving: fifths, octaves and unisons in a row, and those that are leapt into.

Conventions: only notes that follow one another directly are compared, and not over the end of a phrase, where both
voices begin anew. In the strict style what stands on successive beats is compared, too: ornaments between do not hide
a parallel. In the free style fifths that arrive off the beat are let pass: there they are made by a passing note or an
anticipation. Octaves never are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from libretto.faults.harmony.reading import BASS, SOPRANO, Lines, Moment, Sound
from libretto.faults.harmony.styles import PartFault

__all__ = ["motion_faults"]

_OCTAVE, _FIFTH, _STEP = 12, 7, 2  # semitones
_NAMES = {0: "octaves", _FIFTH: "fifths"}
Pair = tuple[Sound, Sound]


def motion_faults(lines: Lines, strict: bool) -> Iterator[PartFault]:
    """Parallels between any two voices, and hidden ones between the outer voices."""
    moments, seen = lines.moments, set()
    for before, after in pairwise(moments):
        for upper, lower in combinations(range(len(lines.names)), 2):
            fault = _between(lines, before, after, upper, lower, strict)
            if fault is not None:
                seen.add((after.tick, upper, lower))
                yield fault
    if not strict:
        return
    for before, after in _beats(moments):
        for upper, lower in combinations(range(len(lines.names)), 2):
            if (after.tick, upper, lower) not in seen:
                fault = _ornamented(lines, before, after, upper, lower)
                if fault is not None:
                    yield fault


def _beats(moments: Sequence[Moment]) -> Iterator[tuple[Moment, Moment]]:
    """Successive beats with ornaments between, inside one phrase."""
    first: Moment | None = None
    last: Moment | None = None
    for moment in moments:
        if last is not None and (last.closes or last.end != moment.tick):
            first = None
        if moment.on_pulse:
            if first is not None and first is not last:
                yield first, moment
            first = moment
        last = moment


def _moving(before: Moment, after: Moment, upper: int, lower: int) -> tuple[Pair, Pair] | None:
    """The notes of two voices that both go on to another pitch at once, or None."""
    a, b, c, d = before.sounds[upper], before.sounds[lower], after.sounds[upper], after.sounds[lower]
    if a is None or b is None or c is None or d is None or before.closes:
        return None
    if c.onset != after.tick or d.onset != after.tick or _same(a, c) or _same(b, d):
        return None
    return (a, b), (c, d)


def _same(before: Sound, after: Sound) -> bool:
    """Whether a voice says the same tone again, in whatever octave: that is no motion from one interval to another."""
    return (after.pitch - before.pitch) % _OCTAVE == 0


def _between(lines: Lines, before: Moment, after: Moment, upper: int, lower: int, strict: bool) -> PartFault | None:
    pairs = _moving(before, after, upper, lower)
    if pairs is None or before.end != after.tick:
        return None
    (a, b), (c, d) = pairs
    first, second = _perfect(a, b), _perfect(c, d)
    together = (c.pitch > a.pitch) == (d.pitch > b.pitch)
    if second is None:
        return None
    if first == second:
        if together and (strict or second != _FIFTH or after.on_pulse):
            return _fault(lines, after, upper, lower, _kind("parallel", a, b, c, d), pairs)
        if not together and strict:
            return _fault(lines, after, upper, lower, f"contrary {_NAMES[second]}", pairs)
        return None
    if together and (upper, lower) == (SOPRANO, BASS) and _leapt_into(before, after, pairs, strict):
        return _fault(lines, after, upper, lower, f"hidden {_NAMES[second][:-1]}", pairs)
    return None


def _perfect(upper: Sound, lower: Sound) -> int | None:
    """7 for a perfect fifth and 0 for an octave or a unison, whatever octaves lie between; else None."""
    size = (upper.pitch - lower.pitch) % _OCTAVE
    return size if size in _NAMES else None


def _kind(how: str, a: Sound, b: Sound, c: Sound, d: Sound) -> str:
    size = _perfect(c, d)
    if size == 0 and a.pitch == b.pitch and c.pitch == d.pitch:
        return f"{how} unisons"
    return f"{how} {_NAMES[size or 0]}"


def _leapt_into(before: Moment, after: Moment, pairs: tuple[Pair, Pair], strict: bool) -> bool:
    """Whether the soprano leaps into a perfect interval with the bass, and the chord is another.

    In the free style both voices have to leap.
    """
    (a, b), (c, d) = pairs
    if before.chord is not None and after.chord is not None and before.chord.root == after.chord.root:
        return False
    return abs(c.pitch - a.pitch) > _STEP and (strict or abs(d.pitch - b.pitch) > _STEP)


def _ornamented(lines: Lines, before: Moment, after: Moment, upper: int, lower: int) -> PartFault | None:
    """Parallels from beat to beat with ornaments between."""
    pairs = _moving(before, after, upper, lower)
    if pairs is None:
        return None
    (a, b), (c, d) = pairs
    together = (c.pitch > a.pitch) == (d.pitch > b.pitch)
    if not together or _perfect(a, b) is None or _perfect(a, b) != _perfect(c, d):
        return None
    return _fault(lines, after, upper, lower, _kind("parallel", a, b, c, d), pairs, " from beat to beat")


def _fault(
    lines: Lines, after: Moment, upper: int, lower: int, rule: str, pairs: tuple[Pair, Pair], how: str = ""
) -> PartFault:
    (a, b), (c, d) = pairs
    bar, beat = lines.place(after.tick)
    heard = f"{a.name} over {b.name} goes to {c.name} over {d.name}{how}"
    if rule.startswith("hidden"):
        advice = "let the soprano move by step, or the bass the other way"
    else:
        advice = "let one of them move the other way, or stay"
    return PartFault(rule, bar, beat, (lines.names[upper], lines.names[lower]), heard, advice)
