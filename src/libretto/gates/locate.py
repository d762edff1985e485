"""Where an axis comes from: the bars and the voice without which it would be closer to what is wanted.

Bars are left out one block at a time (a bar, or a phrase in long pieces) and the axis is measured anew, all blocks in
one pass; then voices, one by one. What stands out is named; where nothing does, the whole piece is meant and no bars
are given.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from libretto.axes import View, axes, view_of_all, view_without
from libretto.notation.grids import on_grid
from libretto.score import Score, Voice
from libretto.score.table import distinct

__all__ = ["Locator", "Nowhere"]

_BLOCKS, _ROWS = 64, 1_000_000  # at most so many blocks, and so many notes over all of them
_SPANS = 3  # of bars that are named
_STANDS_OUT = 1.5  # spreads above the mean
_VOICES = 24  # in more, no voice is looked for
_VOICE_PART = 0.35  # of the value; a voice that changes it by less is not to blame
_BEYOND_OTHERS = 2  # times what all other voices change it together
_WHOLE_ONLY = ("form", "variation")

Spans = tuple[tuple[int, int], ...]


class Locator:
    """A piece without each of its parts in turn, measured as far as it is asked for."""

    def __init__(self, score: Score, grid: str = "paper") -> None:
        self._given, self._grid = score, grid

    @cached_property
    def score(self) -> Score:
        """The piece as it is measured."""
        return on_grid(self._given, self._grid)

    def find(self, name: str, wanted: int) -> tuple[Spans, str]:
        """Spans of bars (as they are numbered) and the voice that keep an axis from having more (1) or less (-1)."""
        axis = axes[name]
        if axis.family in _WHOLE_ONLY or self.score.bars < 2:
            return (), ""
        values = axis(self._without_bars)
        gain = np.nan_to_num((values[1:] - values[0]) * wanted)
        return self._spans(gain), self._voice(name, wanted, float(values[0]))

    @cached_property
    def _blocks(self) -> list[tuple[int, int]]:
        score = self.score
        count = max(2, min(_BLOCKS, score.bars, _ROWS // max(1, len(score.sounds))))
        edges = distinct(np.linspace(0, score.bars, count + 1).astype(np.int64)).tolist()
        return list(pairwise(edges))

    @cached_property
    def _without_bars(self) -> View:
        return view_without(self.score, self._blocks, grid=self._grid)

    @cached_property
    def _voices(self) -> list[Voice]:
        """The voices that sound, if there are several and not too many."""
        sounding = [voice for voice in self.score.voices if len(voice.sounds) and not voice.drums]
        return sounding if 2 <= len(sounding) <= _VOICES else []

    @cached_property
    def _without_voices(self) -> View:
        """The whole piece without each of these, side by side."""
        return view_of_all([self._without(voice) for voice in self._voices], grid=self._grid).whole

    def _without(self, voice: Voice) -> Score:
        return replace(self.score, voices=tuple(other for other in self.score.voices if other is not voice))

    def _spans(self, gain: NDArray[np.float64]) -> Spans:
        """The blocks whose absence helps clearly more than that of most, joined where they touch; the best few."""
        if not len(gain) or gain.max() <= 0:
            return ()
        out = np.flatnonzero((gain > gain.mean() + _STANDS_OUT * gain.std()) & (gain > 0))
        spans: list[tuple[int, int, float]] = []
        for index in out.tolist():
            first, last = self._blocks[index]
            if spans and spans[-1][1] == first:
                spans[-1] = (spans[-1][0], last, spans[-1][2] + float(gain[index]))
            else:
                spans.append((first, last, float(gain[index])))
        best = sorted(spans, key=lambda span: -span[2])[:_SPANS]
        offset = self.score.first_bar
        return tuple(sorted((first + offset, last - 1 + offset) for first, last, _ in best))

    def _voice(self, name: str, wanted: int, value: float) -> str:
        """The voice without which the axis changes most in the direction wanted, if it does so markedly."""
        if np.isnan(value) or not self._voices:
            return ""
        gains = np.nan_to_num((axes[name](self._without_voices) - value) * wanted).tolist()
        best = int(np.argmax(gains))
        others = sum(max(0.0, gain) for index, gain in enumerate(gains) if index != best)
        markedly = gains[best] > _VOICE_PART * abs(value) and gains[best] > _BEYOND_OTHERS * others
        return self._voices[best].name if markedly else ""


class Nowhere(Locator):
    """Finds nothing, at once: for whoever only asks what passes."""

    def find(self, name: str, wanted: int) -> tuple[Spans, str]:
        """No bars and no voice."""
        return (), ""
