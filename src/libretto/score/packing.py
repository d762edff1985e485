"""Tables of decimal numbers as plain data that is read back quickly, to the last bit: whole numbers and their places.

A number of a few digits is a whole number, divided by a power of ten; both fit into a few bytes, which stand in the
data as base64. A table of numbers with more digits is a list of rows, and so it is read, too; None stands for NaN.
"""

from __future__ import annotations

import binascii
from typing import Any

import numpy as np

from libretto.score.table import Floats

__all__ = ["packed", "unpacked"]

_NOTHING = 127  # places of what is no number
_MOST_PLACES = 22  # powers of ten up to here are exact, so that a division by them gives the nearest number
_WHOLE = {"<i2": 2**15, "<i4": 2**31, "<i8": 2**53}  # kinds of whole numbers, and what is too much for each
_POWERS = np.full(_NOTHING + 1, np.nan)
_POWERS[: _MOST_PLACES + 1] = [float(10**places) for places in range(_MOST_PLACES + 1)]


def packed(table: Floats) -> dict[str, Any] | list[Any]:
    """A table as plain data.

    >>> unpacked(packed(np.array([[0.25, -1.5], [3e-7, np.nan]]))).tolist()
    [[0.25, -1.5], [3e-07, nan]]
    """
    pairs = [_whole_and_places(value) for value in table.ravel().tolist()]
    most = max((abs(whole) for whole, _ in pairs), default=0)
    kind = next((kind for kind, limit in _WHOLE.items() if most < limit), "")
    if not kind or any(_MOST_PLACES < places != _NOTHING for _, places in pairs):
        return _listed(table)
    whole, places = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    same = len(places) > 0 and bool((places == places[0]).all())
    return {
        "shape": list(table.shape),
        "kind": kind,
        "whole": _text(whole.astype(kind)),
        "places": int(places[0]) if same else _text(places.astype("u1")),
    }


def unpacked(data: Any) -> Floats:
    """A table from plain data; a ValueError or TypeError where it is none."""
    if isinstance(data, list):
        rows = [[np.nan if v is None else v for v in row] if isinstance(row, list) else row for row in data]
        return np.array(rows, dtype=np.float64)
    if data["kind"] not in _WHOLE:
        raise ValueError("its numbers are of no kind that is known")
    values = np.frombuffer(binascii.a2b_base64(data["whole"]), data["kind"]).astype(np.float64)
    places = data["places"]
    if isinstance(places, str):
        places = np.frombuffer(binascii.a2b_base64(places), "u1")
        if len(places) != len(values) or ((places > _MOST_PLACES) & (places != _NOTHING)).any():
            raise ValueError("its numbers and their places do not fit together")
    values /= _POWERS[places]
    return values.reshape([int(size) for size in data["shape"]])


def _whole_and_places(value: float) -> tuple[int, int]:
    if value != value:
        return 0, _NOTHING
    if value in (np.inf, -np.inf):
        return max(_WHOLE.values()), 0
    from decimal import Decimal  # who only reads does without

    number = Decimal(repr(value)).normalize()
    places = max(0, -int(number.as_tuple().exponent))
    return int(number.scaleb(places)), places


def _listed(table: Floats) -> list[Any]:
    if table.ndim > 1:
        return [_listed(row) for row in table]
    return [None if value != value else value for value in table.tolist()]


def _text(numbers: Any) -> str:
    return binascii.b2a_base64(numbers.tobytes(), newline=False).decode()
