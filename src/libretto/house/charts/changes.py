"""The chords of a chart where a brief has none: those written for its sections, else the style's progressions."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.charts.chart import Scene
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
    """The chords of every bar. When a chart comes again sections of its middle have each other's."""
    mode = "minor" if key.is_minor else "major"
    lent = _lent(passages, mode, turn)
    written: list[str] = []
    for passage in passages:
        scene = lent.get(passage.scene, passage.scene) if passage is not passages[-1] else passage.scene
        written += [scene.change(mode, passage.skipped + bar) for bar in range(passage.bars)]
    bars = [tuple(numeral_label(numeral, key) for numeral in bar.split("+")) if bar else () for bar in written]
    if not all(bars):
        bars = [
            own or usual for own, usual in zip(bars, plan_chords(style, key, sections, seed, Controls()), strict=True)
        ]
    return closed_chords(steered_chords(bars, seed, controls), key, style)


def _lent(passages: Sequence[Passage], mode: str, turn: int) -> dict[Scene, Scene]:
    """Whose chords the sections of the middle have: those of the one so many places further that is as long."""
    middle = list(dict.fromkeys(passage.scene for passage in passages[1:-1] if passage.scene.changes.get(mode)))
    alike = {scene: [other for other in middle if other.bars == scene.bars] for scene in middle}
    return {scene: others[(others.index(scene) + turn) % len(others)] for scene, others in alike.items()}
