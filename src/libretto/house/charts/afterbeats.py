"""Afterbeats: what an inner voice plays in a dance in three, where a chart leaves them to chords that nobody has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from libretto.house.charts.chart import Chart, Scene
from libretto.house.charts.form import Passage
from libretto.house.charts.signs import read_bar

__all__ = ["with_afterbeats"]

_BEATS = 3
_INNER = ("third", "second")  # who has them: the lower line, where there are two


def with_afterbeats(
    parts: Mapping[str, tuple[str, ...]], chart: Chart, passages: Sequence[Passage]
) -> Sequence[Passage]:
    """The sections of a piece; in three, where nobody strikes the chords, with the second and the third beat struck by
    an inner voice that would hold a note through a bar of afterbeats."""
    cast = {part for mine in parts.values() for part in mine}
    inner = next((part for part in _INNER if part in cast), None)
    if chart.meter.beats != _BEATS or "chords" in cast or "bass" not in cast or inner is None:
        return passages
    there = [scene for passage in passages for scene in (passage.scene, passage.backing) if scene is not None]
    made = {scene: _struck(scene, chart, inner) for scene in there}
    return [
        replace(passage, scene=made[passage.scene], backing=made[passage.backing] if passage.backing else None)
        for passage in passages
    ]


def _struck(scene: Scene, chart: Chart, inner: str) -> Scene:
    """A section in which an inner voice strikes what it would hold, where the chords have afterbeats."""
    if scene.tune == inner or inner not in scene.parts:
        return scene
    rows = [_bar(scene.bar(inner, bar), scene.bar("chords", bar), chart) for bar in range(scene.bars)]
    return replace(scene, parts={**scene.parts, inner: tuple(rows)})


def _bar(held: str, chords: str, chart: Chart) -> str:
    """A bar of a line, struck twice where it is one long note over afterbeats."""
    beat = chart.units / _BEATS
    signs = read_bar(chords, chart.units) if chords else ()
    after = [sign.start for sign in signs if sign.head != "z" and sign.start] == [beat, 2 * beat]
    own = read_bar(held, chart.units) if held else ()
    if not after or len(own) != 1 or own[0].head in ("z", "_"):
        return held
    head = held.strip().rpartition(":")[0].rstrip("!?.")
    return f"z:{beat} {head}.:{beat} {head}?.:{beat}"
