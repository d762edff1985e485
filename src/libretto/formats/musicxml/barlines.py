"""Bar lines, as they are read: repeats, endings, signs, how they are drawn."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from libretto.formats.musicxml.notations import notation_signs
from libretto.formats.musicxml.written import Bar, Moment, Sign

__all__ = ["BARLINE", "BarlineReader"]

BARLINE = "barline"  #: in the value of a fermata that stands over a bar line
_MOST_ENDINGS = 64


class BarlineReader:
    """The running state of one part: which ending it is in."""

    def __init__(self, moments: list[Moment]) -> None:
        self.ending: frozenset[int] = frozenset()
        self.closing = False
        self.moments = moments

    def read(self, element: Element, bar: Bar) -> None:
        """Add repeats, endings and signs of a bar line to its bar."""
        left = element.get("location") == "left"
        for child in element:
            tag = child.tag
            if tag == "ending":
                self._ending(child)
            elif tag == "repeat":
                if child.get("direction") == "forward":
                    bar.signs.forward = True
                else:
                    times = child.get("times", "2").strip()
                    bar.signs.backward = int(times) if re.fullmatch(r"\d{1,3}", times) and int(times) else 2
            elif tag in ("segno", "coda"):
                setattr(bar.signs, tag, True)
            elif tag == "fermata" and not left:
                signs: list[Sign] = []
                notation_signs(child, signs)
                value = f"{BARLINE} {signs[0][1]}".strip()
                self.moments.append(Moment(bar.index, 0, "fermata", value))
            elif tag == "bar-style" and not left:
                bar.style = (child.text or "").strip()
        if bar.signs.backward and not left:
            bar.style = ""  # drawn with the repeat

    def _ending(self, ending: Element) -> None:
        if ending.get("type") == "start":
            numbers = re.findall(r"\d{1,2}", ending.get("number", ""))[:_MOST_ENDINGS]
            self.ending, self.closing = frozenset(map(int, numbers)), False
        else:
            self.closing = True

    def end_bar(self, bar: Bar) -> None:
        """Note the ending the bar stands under, and close it where its bracket closes."""
        bar.signs.ending |= self.ending
        if self.closing or bar.signs.backward:
            self.ending, self.closing = frozenset(), False
