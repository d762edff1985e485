"""Two melodies heard in the light of each other.

A note that one ear hears and another misses is no evidence that two melodies differ. So where what was heard of them
differs, but some other ear's hearing of the first (a little stricter, or laxer) and some other ear's of the second say
the same melody, that is what was heard: two melodies that are not the same hardly ever come out the same, note for
note, by a threshold. Where no two hearings agree, what was heard stays as it is. Of those that agree, the pair that
most ears share is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from libretto.hearing.reading import Reading
from libretto.listen.kinds import Kind

__all__ = ["heard_together"]

_LINE, _CLIPS = "melody", 2
_OWN = 2  # how many other ears the usual one counts for


def heard_together(kind: Kind, readings: Sequence[Reading]) -> list[Reading]:
    """The readings of a trial, those of two melodies held against each other."""
    own = list(readings)
    if kind.functor != _LINE or len(own) != _CLIPS or _same(kind, own[0].values, own[1].values):
        return own
    first, second = (_hearings(reading) for reading in own)
    pairs = [
        (first[one] * second[two], one, two) for one in first for two in second if one and two and _same(kind, one, two)
    ]
    if not pairs:
        return own
    _, one, two = max(pairs)
    return [own[0]._replace(values=one), own[1]._replace(values=two)]


def _same(kind: Kind, one: Sequence[int], two: Sequence[int]) -> bool:
    """Whether two lines give the first choice: one melody, whatever the question calls that."""
    return kind.solve(one, two).answer == kind.choices[0]


def _hearings(reading: Reading) -> Counter[tuple[int, ...]]:
    """Every line that some ear heard, and how many did."""
    return Counter({reading.values: _OWN}) + Counter(reading.others)
