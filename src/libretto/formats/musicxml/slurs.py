"""Slurs of one part: which beginning belongs to which end, and numbers for those that are open at once."""

from __future__ import annotations

from libretto.formats.musicxml.written import Sign, Time

__all__ = ["SlurReader"]

_MOST_EARLY = 16  # ends of one number that may wait for their beginnings
_TICK, _PITCH = 2, 3  # of a sign, once its note has its place


class SlurReader:
    """Pairs the ends of slurs in the order in which a file writes them: notes of a bar come layer by layer."""

    def __init__(self) -> None:
        self._open: dict[str, Sign] = {}
        self._early: dict[str, list[tuple[Time, Sign]]] = {}  # ends in this bar whose beginnings are yet to come
        self.pairs: list[tuple[Sign, Sign]] = []

    def read(self, sign: Sign, at: Time) -> None:
        """Take one end of a slur, which stands at that time of its bar."""
        kind, number = sign
        if kind == "slur-stop":
            start = self._open.pop(number, None)
            if start is not None:
                self.pairs.append((start, sign))
            else:
                waiting = self._early.setdefault(number, [])
                waiting.append((at, sign))
                del waiting[:-_MOST_EARLY]
            return
        waiting = self._early.get(number, [])
        stop = next((entry for entry in waiting if entry[0] > at), None)
        if stop is None:
            self._open[number] = sign
        else:
            waiting.remove(stop)
            self.pairs.append((sign, stop[1]))

    def end_bar(self) -> None:
        """Forget ends that never began."""
        if self._early:
            self._early = {}

    def number(self) -> None:
        """Give slurs that are open at once different numbers, the first none."""
        busy: list[tuple[int, int]] = []  # until when, and up to which note, each number is taken
        placed = [pair for pair in self.pairs if len(pair[0]) > _PITCH and len(pair[1]) > _PITCH]
        for start, stop in sorted(placed, key=lambda pair: (pair[0][_TICK:], pair[1][_TICK:])):
            begins = (start[_TICK], start[_PITCH])
            free = (index for index, until in enumerate(busy) if until[0] < begins[0] or (until == begins))
            which = next(free, len(busy))
            until = (max(stop[_TICK], start[_TICK]), stop[_PITCH])
            if which == len(busy):
                busy.append(until)
            else:
                busy[which] = until
            start[1] = stop[1] = str(which + 1) if which else ""
