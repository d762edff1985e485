"""Paper: how large a page and its staves are."""

from __future__ import annotations

from dataclasses import dataclass

from libretto.errors import ScoreError

__all__ = ["A4", "LETTER", "Paper"]

_LARGEST_STAFF, _SMALLEST_STAFF = 6.6, 2.4  # millimetres from the bottom line to the top line
_ROOM = 2.6  # staff heights that a staff takes with the space around it
_SMALLEST, _LARGEST = 60.0, 2000.0


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
        if self.staff is not None and not 1 <= self.staff <= 20:
            raise ScoreError("a staff is from 1 to 20 mm high")

    @property
    def landscape(self) -> Paper:
        """The same page on its side."""
        return Paper(max(self.width, self.height), min(self.width, self.height), self.margin, self.staff)

    def staff_for(self, staves: int) -> float:
        """The height of a staff: as asked, else as large as lets a system of so many stand on the page."""
        if self.staff is not None:
            return self.staff
        room = (self.height - 2 * self.margin - 18) / (_ROOM * max(staves, 1))
        comfortable = _LARGEST_STAFF - 0.16 * max(0, staves - 2)
        return max(_SMALLEST_STAFF, min(comfortable, room))


A4 = Paper()
LETTER = Paper(215.9, 279.4)
