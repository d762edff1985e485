"""Register and voicing: octaves up and down, chords spread out and drawn together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from libretto.contract.instruments import instrument_of_program
from libretto.edits.spans import Notes, Spans, changed
from libretto.score import Score, Voice
from libretto.score.pitch import HIGHEST
from libretto.score.table import Ints

__all__ = ["closed", "octaved", "opened"]

_OCTAVE = 12


def octaved(
    score: Score,
    octaves: int,
    names: Sequence[str] = (),
    spans: Spans = None,
    *,
    playable: bool = True,
    comfortable: bool = False,
) -> Score:
    """Those notes so many octaves higher; percussion stays.

    Each goes as far as its instrument does, or as it is ``comfortable``, or, where it need not be ``playable``, as far
    as there are pitches.
    """

    def shifted(voice: Voice, notes: Notes) -> Notes:
        player = instrument_of_program(voice.program or 0)
        pitch = notes["pitch"].astype(np.int64)
        bottom, top = player.comfortable if comfortable else (player.low, player.high)
        low, high = min(bottom, int(pitch.min())), max(top, int(pitch.max()))
        if not playable:
            low, high = 0, HIGHEST
        for far in range(abs(octaves), 0, -1):
            there = pitch + _OCTAVE * far * (1 if octaves > 0 else -1)
            fits = (there >= low) & (there <= high) & (there >= 0) & (there <= HIGHEST)
            if comfortable:
                wide = (there >= player.low) & (there <= player.high)
                whole = _by_phrases(notes, fits)
                fits = whole if whole.any() else _by_phrases(notes, wide)
            notes["pitch"] = np.where(fits & (notes["pitch"] == pitch), there, notes["pitch"])
        return notes

    return changed(score, names, spans, shifted)


def _by_phrases(notes: Notes, fits: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which notes may be moved where a phrase moves as a whole or, where it cannot, not at all."""
    order = np.argsort(notes["onset"], kind="stable")
    ends = np.maximum.accumulate((notes["onset"] + notes["duration"])[order])
    starts = notes["onset"][order]
    fresh = np.concatenate(([True], starts[1:] > ends[:-1])) if len(order) else np.zeros(0, dtype=np.bool_)
    phrase = np.cumsum(fresh)
    whole = np.ones(len(notes) + 1, dtype=np.bool_)
    np.logical_and.at(whole, phrase, fits[order])
    made = np.zeros(len(notes), dtype=np.bool_)
    made[order] = whole[phrase]
    return made


def opened(score: Score, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """Chords in close position spread out: every second tone from the top goes down an octave, where there is room."""

    def wider(voice: Voice, notes: Notes) -> Notes:
        player = instrument_of_program(voice.program or 0)
        for rows in _chords(notes):
            order = rows[np.argsort(notes["pitch"][rows], kind="stable")]
            for row in order[-2:0:-2] if len(order) > 2 else ():
                there = int(notes["pitch"][row]) - _OCTAVE
                if there >= max(0, player.low) and there not in notes["pitch"][rows]:
                    notes["pitch"][row] = there
        return notes

    return changed(score, names, spans, wider)


def closed(score: Score, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """Chords drawn together under their highest tone, each tone in the octave below it."""

    def nearer(voice: Voice, notes: Notes) -> Notes:
        for rows in _chords(notes):
            top = int(notes["pitch"][rows].max())
            taken: set[int] = set()
            for row in rows[np.argsort(-notes["pitch"][rows].astype(np.int64), kind="stable")]:
                pitch = int(notes["pitch"][row])
                there = top - (top - pitch) % _OCTAVE
                if there not in taken:
                    notes["pitch"][row] = there
                taken.add(int(notes["pitch"][row]))
        return notes

    return changed(score, names, spans, nearer)


def _chords(notes: Notes) -> list[Ints]:
    """The rows of notes that start together, where there are at least two."""
    _, which, counts = np.unique(notes["onset"], return_inverse=True, return_counts=True)
    return [np.flatnonzero(which == group) for group in np.flatnonzero(counts > 1)]
