"""Whether confidence is honest: of the answers that were given as so sure, how many were right.

Answers are sorted by how sure they were said to be; in each bin the mean of what was said stands beside the share of
right answers. The error of calibration is how far both are apart on average, each bin by its answers; Brier's score is
the mean square of what was said less what was right. Trials without an answer or without a confidence are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from libretto.listen.trial import Outcome

__all__ = ["BINS", "ConfidenceBin", "Reliability", "reliability", "reliability_cells", "reliability_line"]

#: The bins: from (inclusive), to (exclusive, the last one inclusive).
BINS = ((0.0, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.0))
_DIGITS = 4
_ALMOST = 0.9999  # as which certainty is sorted
_ABOUT_NINETY = 3  # which of the bins is asked about first


@dataclass(frozen=True)
class ConfidenceBin:
    """Answers that were given as about so sure: how many, what was said on average, how many were right."""

    low: float
    high: float
    answers: int
    stated: float
    right: int

    @property
    def name(self) -> str:
        """The bin in percent."""
        return f"{100 * self.low:.0f}-{100 * self.high:.0f}%"


@dataclass(frozen=True)
class Reliability:
    """The bins that have answers, the error of calibration, Brier's score, and the mean of what was said."""

    bins: tuple[ConfidenceBin, ...]
    answers: int
    stated: float
    right: int
    error: float
    brier: float

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "answers": self.answers,
            "stated": round(self.stated, _DIGITS),
            "right": self.right,
            "calibration_error": round(self.error, _DIGITS),
            "brier": round(self.brier, _DIGITS),
            "bins": [
                {
                    "from": b.low,
                    "to": b.high,
                    "answers": b.answers,
                    "stated": round(b.stated, _DIGITS),
                    "right": b.right,
                }
                for b in self.bins
            ],
        }


def reliability(outcomes: Sequence[Outcome]) -> Reliability | None:
    """How honest the confidence of these outcomes is; None where none of them has any.

    >>> right = Outcome("t1", "oddball", "t1", "yes", "answered", given="yes", confidence=0.9)
    >>> wrong = Outcome("t2", "oddball", "t2", "yes", "answered", given="no", confidence=0.9)
    >>> sure = reliability([right] * 9 + [wrong])
    >>> sure.bins[0].right, round(sure.error, 3)
    (9, 0.0)
    """
    said = [(o.confidence, o.right) for o in outcomes if o.confidence is not None and o.given is not None]
    if not said:
        return None
    bins = [_bin(low, high, said) for low, high in BINS]
    bins = [one for one in bins if one.answers]
    count = len(said)
    return Reliability(
        tuple(bins),
        count,
        sum(sure for sure, _ in said) / count,
        sum(right for _, right in said),
        sum(abs(b.stated * b.answers - b.right) for b in bins) / count,
        sum((sure - right) ** 2 for sure, right in said) / count,
    )


def _bin(low: float, high: float, said: Sequence[tuple[float, bool]]) -> ConfidenceBin:
    """The answers of one bin; what is certain belongs to the last one."""
    inside = [(sure, right) for sure, right in said if low <= min(sure, _ALMOST) < high]
    stated = sum(sure for sure, _ in inside) / max(1, len(inside))
    return ConfidenceBin(low, high, len(inside), stated, sum(right for _, right in inside))


def reliability_cells(sure: Reliability | None) -> list[str]:
    """One cell a bin: right of answers, and what was said on average."""
    known = {b.low: b for b in sure.bins} if sure else {}
    cells = []
    for low, _ in BINS:
        one = known.get(low)
        cells.append("-" if one is None else f"{one.right} of {one.answers} (said {one.stated:.0%})")
    return cells


def reliability_line(sure: Reliability) -> str:
    """Confidence in a line for a terminal."""
    low, high = BINS[_ABOUT_NINETY]
    about = next((b for b in sure.bins if b.low == low), None)
    ninety = "none" if about is None else f"{about.right} of {about.answers} right"
    return (
        f"sure of {sure.answers} answers by {sure.stated:.0%} on average, {sure.right} right; "
        f"given as {100 * low:.0f}-{100 * high:.0f}% sure: {ninety}"
    )
