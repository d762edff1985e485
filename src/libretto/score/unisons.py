"""Notes of one voice and pitch that rounding brings together stay different notes."""

from __future__ import annotations

import numpy as np

from libretto.score.table import Ints, distinct

__all__ = ["kept_apart", "rows_by_part"]

_SMALL = 1 << 16  # numbers below are ordered quickly


def kept_apart(
    part: Ints,
    onset: Ints,
    duration: Ints,
    old_onset: Ints,
    old_duration: Ints,
    slots: Ints,
    by_part: Ints | None = None,
) -> Ints:
    """Lengthen by slots whatever would become equal to, or stop before, an earlier note of its voice and pitch.

    ``by_part`` is what ``rows_by_part`` says of notes that come in order of time, where that is known.
    """
    if by_part is None:
        by_time = np.argsort(onset, kind="stable")
        by_part = by_time[rows_by_part(part[by_time])]
    rows = _in_order(by_part, part, onset, duration, old_onset, old_duration)
    whose, stop = part[rows], (onset + duration)[rows]
    before = np.flatnonzero((whose[1:] == whose[:-1]) & (stop[:-1] >= stop[1:]))
    first, second = rows[before], rows[before + 1]
    twin = (old_onset[first] == old_onset[second]) & (old_duration[first] == old_duration[second])
    late = ~twin & ((stop[before] > stop[before + 1]) | (onset[first] == onset[second]))
    if not late.any():
        return duration
    wrong = np.isin(whose, distinct(part[first[late]]))
    was, long = old_onset[rows], old_duration[rows]
    is_twin = (whose[1:] == whose[:-1]) & (was[1:] == was[:-1]) & (long[1:] == long[:-1])
    twins = np.append(False, is_twin)[wrong].tolist()
    rows = rows[wrong]
    lengths = _swept(part[rows].tolist(), onset[rows].tolist(), duration[rows].tolist(), slots[rows].tolist(), twins)
    kept = duration.copy()
    kept[rows] = lengths
    return kept


def rows_by_part(part: Ints) -> Ints:
    """Notes by voice and pitch (one number for each pair), else in the order given."""
    is_small = bool(len(part)) and int(part.min()) >= 0 and int(part.max()) < _SMALL
    return np.argsort(part.astype(np.uint16) if is_small else part, kind="stable")


def _in_order(rows: Ints, part: Ints, onset: Ints, duration: Ints, old_onset: Ints, old_duration: Ints) -> Ints:
    """Notes by voice and pitch and by start, as given, and by length, and where these are equal by what they were."""
    whose, start = part[rows], onset[rows]
    again = np.flatnonzero((whose[1:] == whose[:-1]) & (start[1:] == start[:-1]))
    if len(again):  # only these need more than part and start to be told apart
        tied = distinct(np.concatenate((again, again + 1)))
        some = rows[tied]
        keys = (old_duration, old_onset, duration, onset, part)
        rows = rows.copy()
        rows[tied] = some[np.lexsort(tuple(key[some] for key in keys))]
    return rows


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
