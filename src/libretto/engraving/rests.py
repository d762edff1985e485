"""Long rests: in a part for one player, bars of silence in a row become one rest with their number over it."""

from __future__ import annotations

import re

__all__ = ["with_long_rests"]

_MEASURE = re.compile(r"(<measure [^>]*>\n)(.*?)(</measure>\n)", re.DOTALL)
_BAR_OF_REST = re.compile(r'<note><rest measure="yes"/>.*?</note>\n|<backup>.*?</backup>\n')
_UNSEEN = re.compile(r"<sound [^>]*>.*?</sound>\n|<barline .*?</barline>\n", re.DOTALL)
_NOTES = "<note"


def with_long_rests(document: str) -> str:
    """A document of one part with its silent bars gathered: up to the next bar over which something is printed.

    A tempo that is heard but not printed interrupts nothing.
    """
    measures = _MEASURE.findall(document)
    silent = [_NOTES not in _BAR_OF_REST.sub("", body) for _, body, _ in measures]
    bare = [not _UNSEEN.sub("", _BAR_OF_REST.sub("", body)) for _, body, _ in measures]
    runs: dict[int, int] = {}
    at = 0
    while at < len(measures):
        stop = at + 1
        while silent[at] and stop < len(measures) and bare[stop]:
            stop += 1
        runs[at] = stop - at
        at = stop
    which = iter(range(len(measures)))

    def gathered(measure: re.Match[str]) -> str:
        length = runs.get(next(which), 1)
        if length == 1:
            return measure[0]
        style = f"<measure-style><multiple-rest>{length}</multiple-rest></measure-style>"
        before, first, after = measure[2].partition(_NOTES)  # behind what the bar itself begins with
        return f"{measure[1]}{before}<attributes>{style}</attributes>\n{first}{after}{measure[3]}"

    return _MEASURE.sub(gathered, document)
