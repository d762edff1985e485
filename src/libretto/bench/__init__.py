"""Benches: what the program does to music and with music, measured, the published figure beside ours."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Figure"]


class Figure(NamedTuple):
    """A row of a bench: what was measured, how it came out, and whether its mark is met; True where there is none."""

    what: str
    value: str
    met: bool = True
