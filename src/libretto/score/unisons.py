"""Notes of one voice and pitch that rounding brings together stay different notes."""

from __future__ import annotations

import numpy as np

from libretto.score.table import Ints, distinct

__all__ = ["kept_apart"]

_SMALL = 1 << 16  # numbers below are ordered quickly


def kept_apart(part: Ints, onset: Ints, duration: Ints, old_onset: Ints, old_duration: Ints, slots: Ints) -> Ints:
    """Lengthen by slots whatever would become equal to, or stop before, an earlier note of its voice and pitch."""
    rows = _in_order(part, onset, duration, old_onset, old_duration)
    first, second = rows[:-1], rows[1:]
    same_part = part[first] == part[second]
    twin = same_part & (old_onset[first] == old_onset[second]) & (old_duration[first] == old_duration[second])
    stop = onset + duration
    late = same_part & (stop[first] >= stop[second]) & ~twin
    late &= (stop[first] > stop[second]) | (onset[first] == onset[second])
    if not late.any():
        return duration
    wrong = np.isin(part[rows], distinct(part[first[late]]))
    twins = np.append(False, twin)[wrong].tolist()
    rows = rows[wrong]
    lengths = _swept(part[rows].tolist(), onset[rows].tolist(), duration[rows].tolist(), slots[rows].tolist(), twins)
    kept = duration.copy()
    kept[rows] = lengths
    return kept


def _in_order(part: Ints, onset: Ints, duration: Ints, old_onset: Ints, old_duration: Ints) -> Ints:
    """Notes by voice and pitch, by start, by length, and where these are equal by what they were before."""
    by_time = np.argsort(onset, kind="stable")
    whose = part[by_time]
    by_part = np.argsort(whose.astype(np.uint16) if _are_small(whose) else whose, kind="stable")
    rows, whose = by_time[by_part], whose[by_part]
    if not ((whose[1:] == whose[:-1]) & (onset[rows[1:]] == onset[rows[:-1]])).any():
        return rows
    return np.lexsort((old_duration, old_onset, duration, onset, part))


def _are_small(numbers: Ints) -> bool:
    """Whether numbers can be ordered as short ones, which is quick."""
    return bool(len(numbers)) and int(numbers.min()) >= 0 and int(numbers.max()) < _SMALL


def _swept(parts: list[int], starts: list[int], lengths: list[int], slots: list[int], twins: list[bool]) -> list[int]:
    """One sweep in order of time; each note stops no earlier than the one before it, later if they start together."""
    now, before, latest = -1, -1, 0
    for index, (part, start, slot) in enumerate(zip(parts, starts, slots, strict=True)):
        if part != now:
            now, before, latest = part, -1, 0
        least = latest + (slot if start == before and not twins[index] else 0)
        if start + lengths[index] < least:
            lengths[index] = -((start - least) // slot) * slot
        before, latest = start, max(latest, start + lengths[index])
    return lengths
