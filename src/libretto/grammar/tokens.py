"""Note tokens: ``G1@1>2^96``, ``Bb3+D4+F4@3>1``.

Reading is a dictionary look-up: music repeats, so each distinct token is analysed once and kept as packed rows
(slot, slots long, pitch, spelling, velocity or 0), ready to be joined into an array. So are its halves, since a new
token is mostly a known chord at a known time.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from math import gcd
from typing import TypeVar

import numpy as np

from libretto.errors import ScoreError
from libretto.score.pitch import HIGHEST, parse_pitch
from libretto.score.time import WHOLE, Grid

__all__ = [
    "ROW",
    "ROW_BYTES",
    "explain_token",
    "length_text",
    "parse_length",
    "parse_place",
    "place_text",
    "rows_of",
    "token_rows",
]

ROW = np.dtype([("slot", "<i4"), ("slots", "<i4"), ("pitch", "<i4"), ("spelling", "<i4"), ("velocity", "<i4")])
ROW_BYTES = ROW.itemsize
_PACK_TWO, _PACK_ONE = struct.Struct("<2i").pack, struct.Struct("<i").pack
_TIME = re.compile(r"(\d{1,9})>(\d{1,9})(?:\^(\d{1,3}))?\Z", re.ASCII)
_TOKENS_KEPT, _HALVES_KEPT, _LONGEST_KEPT = 200_000, 20_000, 200

T = TypeVar("T")


class _Known(dict[str, T]):
    """What was read so far; something unknown is read on first sight, something wrong raises KeyError."""

    def __init__(self, read: Callable[[str], T | None], keep: int) -> None:
        super().__init__()
        self._read, self._keep = read, keep

    def __missing__(self, text: str) -> T:
        value = self._read(text)
        if value is None:
            raise KeyError(text)
        if len(self) >= self._keep:
            self.clear()
        if len(text) <= _LONGEST_KEPT:
            self[text] = value
        return value


def token_rows(token: str) -> bytes | None:
    """Read one token into packed rows, one for each pitch; None where it is not a legal token."""
    names, _, time = token.partition("@")
    try:
        before, after = _times[time]
        return b"".join([before + pitch + after for pitch in _chords[names]])
    except KeyError:
        return None


def _time(text: str) -> tuple[bytes, bytes] | None:
    """What stands behind the @ of a token: packed slot and slots, and packed velocity."""
    read = _TIME.match(text)
    if not read:
        return None
    slot, slots, velocity = int(read[1]), int(read[2]), int(read[3] or 0)
    if slot < 1 or slots < 1 or (read[3] is not None and not 1 <= velocity <= HIGHEST):
        return None
    return _PACK_TWO(slot, slots), _PACK_ONE(velocity)


def _pitches(text: str) -> tuple[bytes, ...] | None:
    """What stands before the @ of a token: each pitch packed with its spelling."""
    pitches = [parse_pitch(name) for name in text.split("+")]
    return None if None in pitches else tuple(_PACK_TWO(*pitch) for pitch in pitches if pitch)


_times, _chords = _Known(_time, _HALVES_KEPT), _Known(_pitches, _HALVES_KEPT)
rows_of = _Known(token_rows, _TOKENS_KEPT)


def explain_token(token: str) -> tuple[str, str]:
    """What belongs where a wrong token stands, and the nearest legal form."""
    expected = "a token such as C4@1>2 or C4+E4@5>2^96"
    if token.startswith(("=", "notes=", "controls=")):
        return expected, "a repeat comes first on the line: =9, =9+5 or =9-2d; or notes=9, controls=9, or both"
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


_PLACE = re.compile(r"(.*?)(?:@(\d{1,8})(?:\+(\d{1,8})/(\d{1,8}))?)?\Z", re.ASCII | re.DOTALL)
_LENGTH = re.compile(r"(\d{1,12})/(\d{1,6})\Z", re.ASCII)
_LONGEST = 2**38  # ticks; the longest piece of such bars still has a clock of 64 bits


def parse_place(text: str, grid: Grid) -> tuple[str, int]:
    """Split ``140@9`` into its value and the ticks from the bar's start."""
    read = _PLACE.match(text)
    if not read or read[2] is None:
        return text.strip(), 0
    slot = int(read[2])
    if slot < 1:
        raise ScoreError("slots count from 1")
    ticks = (slot - 1) * grid.slot
    if read[3]:
        part, of = int(read[3]), int(read[4])
        if not 0 < part < of or grid.slot * part % of:
            raise ScoreError(f"+{part}/{of} of a slot is not a whole number of ticks")
        ticks += grid.slot * part // of
    return read[1].strip(), ticks


def place_text(ticks: int, grid: Grid) -> str:
    """Write a place in a bar; nothing for its start."""
    if not ticks:
        return ""
    slot, rest = divmod(ticks, grid.slot)
    if not rest:
        return f"@{slot + 1}"
    common = gcd(rest, grid.slot)
    return f"@{slot + 1}+{rest // common}/{grid.slot // common}"


def parse_length(text: str) -> int:
    """Read a bar length such as ``3/8`` in ticks."""
    read = _LENGTH.match(text)
    part, of = (int(read[1]), int(read[2])) if read else (0, 0)
    if not part or not of or part * WHOLE % of or part * WHOLE // of > _LONGEST:
        raise ScoreError(f"{text!r} is not a length such as 3/8")
    return part * WHOLE // of


def length_text(ticks: int) -> str:
    """Write a bar length as a fraction of the whole note, in quarters at the coarsest."""
    common = gcd(ticks, WHOLE)
    part, of = ticks // common, WHOLE // common
    scale = 4 // of if of < 4 and 4 % of == 0 else 1
    return f"{part * scale}/{of * scale}"
