"""Paper: how large a page and its staves are, and whether silent staves are left out, as in printed full scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from libretto.errors import ScoreError
from libretto.score import Score

__all__ = ["A4", "LETTER", "Paper", "may_condense"]

_LARGEST_STAFF, _SMALLEST_STAFF = 6.6, 2.4  # millimetres from the bottom line to the top line
_ROOM = 2.6  # staff heights that a staff takes with the space around it
_SMALLEST, _LARGEST = 60.0, 2000.0  # millimetres of a page's sides
_LOWEST_STAFF, _HIGHEST_STAFF = 1, 20  # millimetres that may be asked for
_TITLE = 18.0  # millimetres above the first system
_LESS_FOR_EACH = 0.16  # millimetres that each staff after the second takes from the height of all
_MANY_VOICES, _LONG_REST = 5, 6  # voices, and bars of silence, from which on condensing pays


@dataclass(frozen=True)
class Paper:
    """A page in millimetres; ``staff`` is the height of a staff, chosen by how many there are where it is None."""

    width: float = 210.0
    height: float = 297.0
    margin: float = 13.0
    staff: float | None = None

    def __post_init__(self) -> None:
        if not (_SMALLEST <= self.width <= _LARGEST and _SMALLEST <= self.height <= _LARGEST):
            raise ScoreError(f"a page is from {_SMALLEST:g} to {_LARGEST:g} mm wide and high")
        if not 0 <= self.margin <= min(self.width, self.height) / 4:
            raise ScoreError("a margin is at most a quarter of the page")
        if self.staff is not None and not _LOWEST_STAFF <= self.staff <= _HIGHEST_STAFF:
            raise ScoreError(f"a staff is from {_LOWEST_STAFF} to {_HIGHEST_STAFF} mm high")

    @property
    def landscape(self) -> Paper:
        """The same page on its side."""
        return Paper(max(self.width, self.height), min(self.width, self.height), self.margin, self.staff)

    def staff_for(self, staves: int) -> float:
        """The height of a staff: as asked, else as large as lets a system of so many stand on the page."""
        if self.staff is not None:
            return self.staff
        room = (self.height - 2 * self.margin - _TITLE) / (_ROOM * max(staves, 1))
        comfortable = _LARGEST_STAFF - _LESS_FOR_EACH * max(0, staves - 2)
        return max(_SMALLEST_STAFF, min(comfortable, room))


A4 = Paper()
LETTER = Paper(215.9, 279.4)


def may_condense(score: Score) -> bool:
    """Whether staves are left out where they are silent: enough voices, and one below the first long silent."""
    if len(score.voices) < _MANY_VOICES:
        return False
    lines = np.asarray(score.bar_lines)
    for voice in score.voices[1:]:
        first = np.searchsorted(lines, voice.array["onset"], side="right") - 1
        last = np.searchsorted(lines, voice.array["onset"] + voice.array["duration"] - 1, side="right") - 1
        sounding = np.concatenate(([-1], np.sort(np.concatenate((first, last))), [score.bars]))
        if int(np.diff(sounding).max()) > _LONG_REST:
            return True
    return False
