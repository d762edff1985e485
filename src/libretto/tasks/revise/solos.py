"""Solos that somebody is given or takes: the tune over those who accompany, and no playing alone."""

from __future__ import annotations

import re

__all__ = ["as_tune", "hands_a_solo"]

_HANDED = re.compile(
    r"\b(?:give|hand|pass|let|have)\b[^.;]{0,40}\b(?:a|the) solo\b|\b(?:takes?|plays?) (?:a|the) solo\b", re.I
)


def hands_a_solo(text: str) -> bool:
    """Whether somebody is given a solo or takes one: the tune over those who accompany, and no playing alone."""
    return _HANDED.search(text) is not None


def as_tune(phrase: str, text: str) -> str:
    """The melody for a solo that a text hands over; any other phrase as it is."""
    return "melody" if phrase in ("a solo", "the solo") and hands_a_solo(text) else phrase
