"""How well beats agree: the F-measure with a tolerance of 70 ms, each beat matched at most once."""

from __future__ import annotations

from libretto.score.table import Floats

__all__ = ["TOLERANCE", "f_measure", "within"]

TOLERANCE = 0.07  #: seconds, as is usual


def f_measure(truth: Floats, heard: Floats, tolerance: float = TOLERANCE) -> float:
    """The harmonic mean of how many beats were met and how many that were said are there; 1 is perfect.

    In order of time the first that fits is matched, which is the best matching on a line with one tolerance.

    >>> import numpy as np
    >>> f_measure(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.05, 1.2, 2.0]))
    0.5714285714285714
    """
    if not len(truth) or not len(heard):
        return float(len(truth) == len(heard))
    first = second = met = 0
    while first < len(truth) and second < len(heard):
        apart = heard[second] - truth[first]
        if abs(apart) <= tolerance:
            met, first, second = met + 1, first + 1, second + 1
        elif apart < 0:
            second += 1
        else:
            first += 1
    return 2 * met / (len(truth) + len(heard))


def within(beats: Floats, first: float, last: float) -> Floats:
    """The beats from the first start to the last, give or take the tolerance."""
    return beats[(beats >= first - TOLERANCE) & (beats <= last + TOLERANCE)]
