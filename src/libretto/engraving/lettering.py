"""Lettering: names and sections that leave room for the music, whatever a file calls them."""

from __future__ import annotations

import re

__all__ = ["with_fitting_names"]

_SECTION = re.compile(r"<rehearsal([^>]*)>([^<]*)</rehearsal>")
_ENTITY = re.compile(r"&\w+;|.", re.DOTALL)
_BOXED = 20  # letters of a section that stand in a box over their bar line, half of them to its left
_LONG = 60  # letters of a section that fit on a line
_NAMED = re.compile(r"<part-abbreviation>[^<]*</part-abbreviation>\n?")
_NAMELESS = re.compile(r"<part-name>(?:Part|Voice 1|Track 1|)</part-name>")


def with_fitting_names(document: str) -> str:
    """A document whose long section names begin at their bar line, and whose only part is named once at most."""
    document = _SECTION.sub(_fitting, document)
    if document.count("<score-part ") == 1:
        document = _NAMED.sub("", document, count=1)
        document = _NAMELESS.sub("<part-name></part-name>", document, count=1)
    return document


def _fitting(section: re.Match[str]) -> str:
    letters = _ENTITY.findall(section[2])
    if len(letters) <= _BOXED:
        return section[0]
    text = "".join(letters) if len(letters) <= _LONG else f"{''.join(letters[: _LONG - 1]).rstrip()}…"
    return f'<words font-weight="bold">{text}</words>'
