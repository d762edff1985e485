"""Words that mean something else in a club: minimal techno has few layers, whose strokes go on all the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.character import Leanings, Style
from libretto.contract.finders import Finding

__all__ = ["in_a_club"]

_CLUBS = frozenset(("techno", "house", "trance", "electronic_dance"))
_MINIMAL = "minimal"
_LITTLE = -0.15  # how far towards sparse music that is called minimal leans there


def in_a_club(style: Style | None, findings: Sequence[Finding], leanings: Leanings) -> tuple[list[Finding], Leanings]:
    """What was heard, without that music for a club is to be sparse where it is only called minimal, and how far it
    still leans that way."""
    kept = [one for one in findings if not _is_of_layers(one)] if style and style.name in _CLUBS else list(findings)
    if len(kept) == len(findings):
        return kept, leanings
    return kept, replace(leanings, density=max(_LITTLE, leanings.density))


def _is_of_layers(finding: Finding) -> bool:
    """Whether somebody heard no more than the word minimal of the whole piece, and took it for few notes."""
    ask = finding.ask
    told = ask is not None and (ask.kind, ask.what, ask.who, ask.where) == ("density", "sparse", "", "")
    return told and ask is not None and ask.words.strip().lower() == _MINIMAL
