"""Patches as a model writes them: ``PATCH bars 9-12 voices LEAD, BASS``, then those bars in the grammar.

A patch replaces what the voices it names play in the bars it names; a named voice without a line in a bar is silent
there. Without names it is about the voices that have lines. Bars without a line ``@number`` stay as they are. An
answer without ``PATCH`` is a whole piece where it has a header, and one patch where it has only bars.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from libretto.agents.model.reading import bounded
from libretto.grammar.mend_lines import fold

__all__ = ["PatchText", "split_patches", "voices_meant"]

_PATCH = re.compile(
    r"[*_#>`\s-]*+PATCH\b[\s:]*+(?:bars?\b)?[\s:]*+(\d{1,6})(?:\s*+(?:-|–|—|to)\s*+(\d{1,6}))?(.*)\Z", re.I | re.ASCII
)
_VOICES = re.compile(r"[\s,;:]*+(?:(?:of|for|voices?|parts?|in)\b[\s:]*+)*+(.*)\Z", re.I)
_MOST_PATCHES = 40


@dataclass(frozen=True)
class PatchText:
    """One patch as it was answered: its bars, what it says of its voices, and its lines."""

    first: int
    last: int
    names: str
    text: str


def split_patches(text: str) -> tuple[list[PatchText], list[str]]:
    """The patches of an answer in order, and what was left out; none where it names none."""
    lines, repairs = bounded(text)
    heads = [(index, found) for index, line in enumerate(lines) if (found := _PATCH.match(line))]
    if len(heads) > _MOST_PATCHES:
        repairs.append(f"only the first {_MOST_PATCHES} patches are read")
    if not heads:
        return [], repairs
    made = []
    ends = [index for index, _ in heads[1:]] + [len(lines)]
    for (index, found), end in list(zip(heads, ends, strict=True))[:_MOST_PATCHES]:
        first, last = int(found[1]), int(found[2] or found[1])
        said = _VOICES.match(found[3].strip(" *_`:"))
        body = [line for line in lines[index + 1 : end] if not line.lstrip().startswith(("```", "~~~"))]
        made.append(PatchText(first, last, said[1].strip() if said else "", "\n".join(body)))
    return made, repairs


def voices_meant(names: str, known: Sequence[str]) -> tuple[list[str], list[str]]:
    """The voices that a patch names, in the piece's order, and the names that nobody has."""
    if not names or fold(names) in ("all", "allvoices", "every", "everyvoice"):
        return [], []
    folded = {fold(name): name for name in known}
    meant, unknown = set(), []
    rest = names
    for name in sorted(known, key=len, reverse=True):  # names may hold commas and "and"
        if "," in name and name in rest:
            meant.add(name)
            rest = rest.replace(name, "")
    for word in re.split(r",|;|&|\band\b", rest):
        plain = fold(word)
        if plain in folded:
            meant.add(folded[plain])
        elif plain:
            unknown.append(word.strip()[:40])
    return [name for name in known if name in meant], unknown
