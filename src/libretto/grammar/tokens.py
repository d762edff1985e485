"""Note tokens: ``G1@1>2^96``, ``Bb3+D4+F4@3>1``.

Reading is a dictionary look-up: music repeats, so each distinct token is analysed once and kept as packed rows
(slot, slots long, pitch, spelling, velocity or 0), ready to be joined into an array.
"""

from __future__ import annotations

import re
import struct

import numpy as np

from libretto.score.pitch import parse_pitch

__all__ = ["MAX_SLOT", "ROW", "ROW_BYTES", "explain_token", "rows_of", "token_rows"]

ROW = np.dtype([("slot", "<i4"), ("slots", "<i4"), ("pitch", "<i4"), ("spelling", "<i4"), ("velocity", "<i4")])
ROW_BYTES = ROW.itemsize
MAX_SLOT = 999_999_999
_PACK = struct.Struct("<5i").pack
_TOKEN = re.compile(r"([^@>^]+)@(\d{1,9})>(\d{1,9})(?:\^(\d{1,3}))?\Z", re.ASCII)
_KEEP, _LONGEST_KEPT = 200_000, 200


class _Rows(dict[str, bytes]):
    """Tokens read so far; an unknown one is read on first sight, a wrong one raises KeyError."""

    def __missing__(self, token: str) -> bytes:
        rows = token_rows(token)
        if rows is None:
            raise KeyError(token)
        if len(self) >= _KEEP:
            self.clear()
        if len(token) <= _LONGEST_KEPT:
            self[token] = rows
        return rows


rows_of = _Rows()


def token_rows(token: str) -> bytes | None:
    """Read one token into packed rows, one for each pitch; None where it is not a legal token."""
    found = _TOKEN.match(token)
    if not found:
        return None
    slot, slots, velocity = int(found[2]), int(found[3]), int(found[4] or 0)
    if slot < 1 or slots < 1 or (found[4] is not None and not 1 <= velocity <= 127):
        return None
    packed = []
    for name in found[1].split("+"):
        pitch = parse_pitch(name)
        if pitch is None:
            return None
        packed.append(_PACK(slot, slots, *pitch, velocity))
    return b"".join(packed)


def explain_token(token: str) -> tuple[str, str]:
    """What belongs where a wrong token stands, and the nearest legal form."""
    expected = "a token such as C4@1>2 or C4+E4@5>2^96"
    if token[0] == "=":
        return expected, "a repeat comes first on the line: =9, =9+5 or =9-2d"
    head, at, tail = token.partition("@")
    if not at:
        hint = "a token needs @onset>duration"
        return expected, f"{hint}; write {token}@1>1?" if parse_pitch(token) else hint
    if ">" not in tail:
        return expected, f"the length is missing: {token}>1?"
    for name in head.split("+"):
        if parse_pitch(name) is None:
            better = name[:1].upper() + name[1:].replace("♯", "#").replace("♭", "b")
            if parse_pitch(better):
                return "a pitch such as F#4", f"write {better}"
            return "a pitch such as F#4 (C-1 to G9, C4 = middle C)", f"{name[:20]!r} is not one"
    onset, _, rest = tail.partition(">")
    length = rest.partition("^")[0]
    if onset == "0":
        return "an onset slot from 1", f"slots count from 1: write {head}@1>{rest}"
    if not _whole(onset):
        return "a whole onset slot", "use a finer (grid:N) for positions between slots"
    if not _whole(length):
        return "a whole number of slots, at least 1", "use a finer (grid:N) for shorter notes"
    return "a velocity from 1 to 127", f"write {head}@{onset}>{length}^80"


def _whole(digits: str) -> bool:
    """Whether a text is a whole number within what a slot may be."""
    return digits.isascii() and digits.isdigit() and len(digits) <= 9 and int(digits) > 0
