"""The chords of a chart where a brief has none: those written for its sections, else the style's progressions."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.charts.form import Passage
from libretto.house.compose.form import Section
from libretto.house.compose.harmony import closed_chords, numeral_label, plan_chords, steered_chords
from libretto.house.core.controls import Controls
from libretto.house.core.style import Style
from libretto.score import Key

__all__ = ["own_chords"]


def own_chords(
    passages: Sequence[Passage],
    sections: Sequence[Section],
    key: Key,
    style: Style,
    seed: int,
    controls: Controls,
    turn: int = 0,
) -> list[tuple[str, ...]]:
    """The chords of every bar. When a chart comes again, every other time it has the style's progressions."""
    bars = plan_chords(style, key, sections, seed, Controls())
    mode = "minor" if key.is_minor else "major"
    for passage in passages if turn % 2 == 0 else ():
        for bar in range(passage.bars):
            written = passage.scene.change(mode, passage.skipped + bar)
            if written:
                bars[passage.first + bar] = tuple(numeral_label(numeral, key) for numeral in written.split("+"))
    return closed_chords(steered_chords(bars, seed, controls), key, style)
