"""Where in a bar a change stands (``140@9``, ``140@9+1/3``), and odd bar lengths (``3/8``)."""

from __future__ import annotations

import re
from math import gcd

from libretto.errors import ScoreError
from libretto.score.time import WHOLE, Grid

__all__ = ["length_text", "parse_length", "parse_place", "place_text"]

_PLACE = re.compile(r"(.*?)(?:@(\d{1,8})(?:\+(\d{1,8})/(\d{1,8}))?)?\Z", re.ASCII | re.DOTALL)
_LENGTH = re.compile(r"(\d{1,12})/(\d{1,6})\Z", re.ASCII)
_LONGEST = 2**38  # ticks; the longest piece of such bars still has a clock of 64 bits


def parse_place(text: str, grid: Grid) -> tuple[str, int]:
    """Split ``140@9`` into its value and the ticks from the bar's start."""
    found = _PLACE.match(text)
    if not found or found[2] is None:
        return text.strip(), 0
    slot = int(found[2])
    if slot < 1:
        raise ScoreError("slots count from 1")
    ticks = (slot - 1) * grid.slot
    if found[3]:
        part, of = int(found[3]), int(found[4])
        if not 0 < part < of or grid.slot * part % of:
            raise ScoreError(f"+{part}/{of} of a slot is not a whole number of ticks")
        ticks += grid.slot * part // of
    return found[1].strip(), ticks


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
    found = _LENGTH.match(text)
    part, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not part or not of or part * WHOLE % of or part * WHOLE // of > _LONGEST:
        raise ScoreError(f"{text!r} is not a length such as 3/8")
    return part * WHOLE // of


def length_text(ticks: int) -> str:
    """Write a bar length as a fraction of the whole note, in quarters at the coarsest."""
    common = gcd(ticks, WHOLE)
    part, of = ticks // common, WHOLE // common
    scale = 4 // of if of < 4 and 4 % of == 0 else 1
    return f"{part * scale}/{of * scale}"
