"""Trading: where two take turns with the tune, each turn is full of notes and whoever has none rests."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from libretto.house.charts.form import ONCE, Passage
from libretto.house.charts.signs import sounds

__all__ = ["with_trades"]

_LINES = ("second", "third")
_TUNES = ("lead", *_LINES)


def with_trades(passages: Sequence[Passage], bars: Collection[int], units: Fraction) -> tuple[Passage, ...]:
    """The sections of a chart with one line only in ``bars`` that are traded: its tune, what answers it where that
    rests, else a tune of another section."""
    donor = next((one for one in passages if one.scene.kind not in ONCE and one.scene.tune == "lead"), None)
    return tuple(_traded(passage, bars, donor, f"z:{units}") for passage in passages)


def _traded(passage: Passage, bars: Collection[int], donor: Passage | None, rest: str) -> Passage:
    """A section of which some bars are traded."""
    scene = passage.scene
    mine = [number for number in range(passage.bars) if passage.first + number in bars]
    if not mine:
        return passage
    rows = {part: [scene.bar(part, at) for at in range(passage.skipped + passage.bars)] for part in _TUNES}
    for number in mine:
        lent = donor.scene.bar("lead", number) if donor is not None else rest
        _take_turn(rows, passage.skipped + number, scene.tune, lent, rest)
    tune = "lead" if len(mine) == passage.bars else scene.tune
    made = {part: tuple(row) for part, row in rows.items()}
    return replace(passage, scene=replace(scene, tune=tune, parts={**scene.parts, **made}))


def _take_turn(rows: dict[str, list[str]], at: int, tune: str, lent: str, rest: str) -> None:
    """One bar in which one line sounds: its tune, else another that does, else one that is ``lent``."""
    own = [rows[part][at] for part in dict.fromkeys((tune, *_TUNES)) if part in rows]
    line = next((text for text in (*own, lent) if sounds(text)), rest)
    for part in _TUNES:
        rows[part][at] = line if part == "lead" else rest
