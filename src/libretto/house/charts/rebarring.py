"""Charts in a meter that has the strokes of theirs by another name: a hora in 3/4 is one in 3/8 too, twice as fast on
paper, and a compás of 6/4 one of 12/8; two bars of a cradle in 6/8 are one in 12/8."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from libretto.house.charts.chart import Chart, Scene
from libretto.score import Meter

__all__ = ["paired", "rebarred"]

# By the meter that is asked for, the one in which charts are written, and how many times shorter their notes become.
_KIN = {Meter(3, 8): (Meter(3, 4), 2), Meter(12, 8): (Meter(6, 4), 1), Meter(9, 8): (Meter(9, 4), 2)}

_PAIRS = {Meter(12, 8): Meter(6, 8)}  # by the meter that is asked for, that of charts of which two bars make one
_DRUMMING = ("drums", "percussion")
_AND = " & "  # between the names of two grooves


@cache
def rebarred(chart: Chart, asked: Meter | None) -> Chart:
    """A chart in the meter that a brief asks for, where it is the chart's own by another name; else as it is."""
    own, shorter = _KIN.get(asked, (None, 1)) if asked is not None else (None, 1)
    if own != chart.meter or asked is None:
        return chart
    slow, fast = chart.tempo
    return replace(chart, meter=asked, unit=chart.unit * shorter, tempo=(slow / shorter, fast / shorter))


@cache
def paired(chart: Chart, asked: Meter | None) -> Chart:
    """A chart whose bars are joined two by two, where a brief asks for a meter twice as long: a lullaby in 6/8 is one
    in 12/8; else as it is, and so where a section of it has an odd number of bars."""
    odd = any(scene.bars % 2 for scene in chart.scenes.values())
    if asked is None or odd or _PAIRS.get(asked) != chart.meter:
        return chart
    return replace(
        chart,
        meter=asked,
        scenes={name: _joined_scene(chart, scene) for name, scene in chart.scenes.items()},
        grooves=dict(_joined_grooves(chart)),
        forms={bars // 2: row for bars, row in chart.forms.items()},
        named={_half_as_long(name): row for name, row in chart.named.items()},
    )


def _half_as_long(name: str) -> str:
    """The name of a form with half the length that stands in it: ``ABACA 32``."""
    form, _, bars = name.rpartition(" ")
    return f"{form} {int(bars) // 2}" if form and bars.isdigit() else name


def _joined_scene(chart: Chart, scene: Scene) -> Scene:
    """A section of half as many bars, each as long as two."""
    numbers = range(0, scene.bars, 2)
    parts = {
        part: tuple(
            _joined_bar(chart, part, scene.bar(part, number), scene.bar(part, number + 1)) for number in numbers
        )
        for part in scene.parts
    }
    changes = {
        mode: tuple("+".join(dict.fromkeys((scene.change(mode, number), scene.change(mode, number + 1))))
                    for number in numbers)
        for mode in scene.changes
    }  # fmt: skip
    return replace(scene, bars=scene.bars // 2, parts=parts, changes=changes)


def _joined_bar(chart: Chart, part: str, one: str, two: str) -> str:
    """Two bars of a part as one; two grooves by both their names."""
    if not one and not two:
        return ""
    if part in _DRUMMING:
        return f"{one}{_AND}{two}"
    rest = f"z:{chart.units}"
    return f"{one or rest} {two or rest}"


def _joined_grooves(chart: Chart) -> Mapping[str, Mapping[str, str]]:
    """Every two grooves that follow each other somewhere, or one and a bar of nothing, as one."""
    made = {}
    for scene in chart.scenes.values():
        for part in _DRUMMING:
            for number in range(0, scene.bars, 2) if part in scene.parts else ():
                one, two = (chart.grooves.get(scene.bar(part, bar), {}) for bar in (number, number + 1))
                length = max(map(len, (*one.values(), *two.values())), default=0)
                made[f"{scene.bar(part, number)}{_AND}{scene.bar(part, number + 1)}"] = {
                    drum: _spread(one.get(drum, ""), length) + _spread(two.get(drum, ""), length)
                    for drum in {**one, **two}
                }
    return made


def _spread(pattern: str, length: int) -> str:
    """A pattern of a drum in as many steps as the finest beside it has; nothing where it does not play."""
    wide = max(1, length // max(1, len(pattern)))
    return "".join(stroke + "." * (wide - 1) for stroke in pattern) or "." * length
