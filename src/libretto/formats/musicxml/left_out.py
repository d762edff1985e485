"""What a MusicXML file holds and its Score does not: what only engraving needs, and what has no place in a Score."""

from __future__ import annotations

import re
from collections import Counter

from libretto.errors import FormatError
from libretto.formats.musicxml.safe import unpack
from libretto.formats.musicxml.written import SOFTWARE
from libretto.score.marks import credits_of
from libretto.score.model import Score

__all__ = ["left_out"]

_KINDS = {
    b"stem": "engraving marks",
    b"beam": "engraving marks",
    b"print": "engraving marks",
    b"credit": "engraving marks",
    b"staff-details": "engraving marks",
    b"measure-style": "engraving marks",
    b"figured-bass": "figured basses",
    b"frame": "chord diagrams",
}
_TAG = re.compile(rb"<(" + b"|".join(_KINDS) + rb")[\s/>]")
_CREDIT = re.compile(rb"<(?:creator|rights|source|relation)(?:\s[^<>]*)?>\s*[^<\s]")
_OURS = re.compile(rb"<software>\s*" + SOFTWARE.encode())


def left_out(data: bytes, score: Score) -> dict[str, int]:
    """What is not in the Score, each kind with its number; nothing of what our own writer would choose again."""
    try:
        plain = unpack(data) if data[:2] == b"PK" else data
    except FormatError:
        return {}
    if _OURS.search(plain):
        return {}
    counts: Counter[str] = Counter(_KINDS[tag] for tag in _TAG.findall(plain))
    counts["other credits"] = len(_CREDIT.findall(plain)) - len(credits_of(score.marks))
    return {name: count for name, count in sorted(counts.items()) if count > 0}
