"""Brushes in the hands of who has a snare drum: a way to play it, and nobody else."""

from __future__ import annotations

import re

__all__ = ["in_hand"]

_SNARE = re.compile(r"\bsnare(?: drum)?s?\b", re.I)
_KIT = re.compile(r"(?<!snare )\bdrums?\b|\b(?:drum|jazz )?kit\b|\bdrummer\b|\bpercussion\b", re.I)


def in_hand(text: str, words: str) -> bool:
    """Whether words name brushes, and their text a snare drum and no kit.

    >>> in_hand("a snare drum played with brushes", "brushes"), in_hand("drums with brushes", "brushes")
    (True, False)
    """
    return words.lower() == "brushes" and bool(_SNARE.search(text)) and not _KIT.search(text)
