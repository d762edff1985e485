"""Condensing: staves are left out of the systems in which they are silent, as in printed full scores."""

from __future__ import annotations

import re

import numpy as np

from libretto.score import Score

__all__ = ["GHOST", "ask_for_it", "worthwhile"]

GHOST = "ghost"  #: ids of what keeps the first staff begin so; they are no notes of the piece
_MANY, _LONG_REST = 5, 6  # voices, and bars of silence, from which on it pays
_FIRST_STAFF = re.compile(r'<staff [^>]*\bn="1"[^>]*>.*?</staff>', re.DOTALL)
_LAYER = re.compile(r"<layer [^>]*>")


def worthwhile(score: Score) -> bool:
    """Whether there are enough voices, and one below the first is silent for long enough."""
    if len(score.voices) < _MANY:
        return False
    lines = np.asarray(score.bar_lines)
    for voice in score.voices[1:]:
        first = np.searchsorted(lines, voice.array["onset"], side="right") - 1
        last = np.searchsorted(lines, voice.array["onset"] + voice.array["duration"] - 1, side="right") - 1
        sounding = np.concatenate(([-1], np.sort(np.concatenate((first, last))), [score.bars]))
        if int(np.diff(sounding).max()) > _LONG_REST:
            return True
    return False


def ask_for_it(mei: str) -> str:
    """The document with silent staves to be left out, all but the first: chord symbols and sections stand over it.

    The engraver knows no way to keep a staff but a note in it; so a silent bar of the first staff gets an unseen grace
    note, whose id begins with ``GHOST``.
    """
    count = 0

    def keep(found: re.Match[str]) -> str:
        nonlocal count
        if "<note " in found[0]:
            return found[0]
        count += 1
        unseen = 'grace="unacc" visible="false" stem.visible="false" dur="64" loc="4" vel="1"'
        return _LAYER.sub(lambda layer: f'{layer[0]}<note xml:id="{GHOST}{count}" {unseen}/>', found[0], count=1)

    return _FIRST_STAFF.sub(keep, mei).replace("<scoreDef ", '<scoreDef optimize="true" ', 1)
