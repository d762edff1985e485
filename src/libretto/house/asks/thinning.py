"""Fewer notes: what is left out, and the lines that sing on without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.checks.hands import per_quarter
from libretto.contract.checks.where import Spans
from libretto.edits.density import thinned
from libretto.score import QUARTER, Score

__all__ = ["thinner"]

_TRIES = 6  # times that notes are left out until there are few enough
_SHARE = 0.3  # of the starts that are left out each time
_SIXTEENTH = QUARTER // 4


def thinner(score: Score, chosen: Sequence[int], spans: Spans, goal: float) -> Score:
    """The piece with starts of some voices left out until there are few enough."""
    names = [score.voices[index].name for index in chosen]
    made = score
    for _ in range(_TRIES):
        if per_quarter(made, chosen, spans) <= goal:
            break
        made = thinned(made, _SHARE, names, spans)
    return _sustained(score, made, names)


def _sustained(before: Score, score: Score, names: Sequence[str]) -> Score:
    """The piece after notes were left out, with those of single lines held over what came right after them: a line of
    few notes sings on, and is no row of stray short ones."""
    voices = tuple(
        voice.with_notes(_held_over(was.array, voice.array)) if voice.name in names and not voice.drums else voice
        for was, voice in zip(before.voices, score.voices, strict=True)
    )
    return replace(score, voices=voices)


def _held_over(was: NDArray[Any], left: NDArray[Any]) -> NDArray[Any]:
    """Notes of a line, each as long as the run of notes it began; other notes as they are."""
    onsets, ends = was["onset"].astype(np.int64), was["onset"].astype(np.int64) + was["duration"]
    if len(np.unique(onsets)) < len(onsets) or len(left) == len(was):
        return left
    notes = left.copy()
    for place, onset in enumerate(notes["onset"].tolist()):
        limit = int(notes["onset"][place + 1]) if place + 1 < len(notes) else int(ends[-1])
        end = onset + int(notes["duration"][place])
        for start, stop in zip(onsets.tolist(), ends.tolist(), strict=True):
            end = stop if onset < start < limit and start - end < _SIXTEENTH else end
        notes["duration"][place] = min(end, limit) - onset
    return notes
