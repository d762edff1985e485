"""What other charts of a style lend a long piece: solos over its own chords, and sections that its chart has not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from libretto.house.charts.catalogue import charts_of
from libretto.house.charts.chart import Chart, Scene
from libretto.house.charts.longer.materials import role_of
from libretto.house.charts.longer.wording import rescaled
from libretto.house.charts.signs import read_bar
from libretto.house.core.dice import dice

__all__ = ["Lender"]

_LINES = ("lead", "second", "third")
_DRUMMING = ("drums", "percussion")
_SOLO, _TUNEFUL = "solo", 3  # notes a bar that a solo has at least
_SWUNG = 0.05  # how far apart the swing of two charts is at most
_STYLES, _ENOUGH = 3, 3  # styles of a chart whose others are asked, until there are so many
_BUSIER = 1.25  # how much fuller than the fullest of our own a section is at most that another chart lends
_SEVERAL = 4  # bars that a lent tune has at least


class Lender:
    """The other charts of a style, in the order in which a seed asks them."""

    def __init__(self, chart: Chart, seed: int) -> None:
        chance = dice(seed, "lending", chart.name)
        kin: list[Chart] = []
        for style in chart.styles[:_STYLES]:
            kin += [other for other in charts_of(frozenset((style,))) if other not in kin and _is_kin(other, chart)]
            if len(kin) >= _ENOUGH:
                break
        moods = {other.name: len(set(other.mood) & set(chart.mood)) for other in kin}
        order = {other.name: chance.random() for other in kin}
        self._chart = chart
        self._busy = max(_strokes(scene, chart.units) / scene.bars for scene in chart.scenes.values())
        self._kin = sorted(kin, key=lambda other: (-min(2, moods[other.name]), order[other.name]))
        self.grooves: dict[str, Mapping[str, str]] = {}

    def sections(self, role: str) -> Iterator[Scene]:
        """Sections for a role, whole, with the beats that belong to them."""
        for other in self._kin:
            for scene in other.scenes.values():
                full = _strokes(scene, other.units) / scene.bars
                if role_of(scene) == role and scene.bars >= _SEVERAL and full <= _BUSIER * self._busy:
                    yield self._whole(other, scene)

    def tunes(self, kind: str = "") -> Iterator[Mapping[str, tuple[str, ...]]]:
        """The lines of solos, or of choruses and themes where the ``kind`` is another, bar by bar, the tune first."""
        for other in self._kin:
            for scene in other.scenes.values():
                if (scene.kind == _SOLO) == (kind == _SOLO) and role_of(scene) in "ABS" and scene.bars >= _SEVERAL:
                    lines = {part: [scene.bar(part, bar) for bar in range(scene.bars)] for part in _LINES}
                    if scene.tune == "lead" and _is_dense(lines["lead"], other.units):
                        by = Fraction(self._chart.unit, other.unit)
                        yield {
                            part: tuple(rescaled(row, other.units, by) for row in rows) for part, rows in lines.items()
                        }

    def _whole(self, other: Chart, scene: Scene) -> Scene:
        """A section of another chart, counted as ours is, its grooves known by names of their own."""
        by = Fraction(self._chart.unit, other.unit)
        parts: dict[str, Sequence[str]] = dict(scene.parts)
        for part, rows in scene.parts.items():
            if part in _DRUMMING:
                parts[part] = tuple(self._groove(other, row) if row else "" for row in rows)
            else:
                parts[part] = tuple(rescaled(row, other.units, by) for row in rows)
        return replace(
            scene, name=f"{other.name}/{scene.name}", parts={name: tuple(row) for name, row in parts.items()}
        )

    def _groove(self, other: Chart, name: str) -> str:
        own = f"{other.name}/{name}"
        self.grooves[own] = other.grooves[name]
        return own


def _is_kin(other: Chart, chart: Chart) -> bool:
    """Whether another chart may be played in the middle of one: in its meter, at its speed, with its swing."""
    return (
        other.name != chart.name
        and other.meter == chart.meter
        and other.lines == chart.lines
        and bool(other.forms)
        and abs(other.swing - chart.swing) <= _SWUNG
        and other.swung_sixteenths == chart.swung_sixteenths
        and other.tempo[0] <= chart.tempo[1]
        and chart.tempo[0] <= other.tempo[1]
        and set(chart.modes) <= set(other.modes)
    )


def _strokes(scene: Scene, units: Fraction) -> int:
    """How many notes the parts of a section begin that strike or hold its chords."""
    rows = [scene.bar(part, bar) for part in ("chords", "bass") for bar in range(scene.bars)]
    return sum(sign.head not in ("z", "_") for row in rows if row for sign in read_bar(row, units))


def _is_dense(rows: Sequence[str], units: Fraction) -> bool:
    """Whether a tune has notes enough."""
    strokes = sum(sign.head not in ("z", "_") for row in rows if row for sign in read_bar(row, units))
    return strokes >= _TUNEFUL * len(rows)
