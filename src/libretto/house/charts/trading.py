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


def _first_heard(texts: Sequence[str], rest: str) -> str:
    """The first of some bars that is not silent."""
    return next((text for text in texts if sounds(text)), rest)


def _traded(passage: Passage, bars: Collection[int], donor: Passage | None, rest: str) -> Passage:
    """A section of which some bars are traded."""
    scene = passage.scene
    mine = [number for number in range(passage.bars) if passage.first + number in bars]
    if not mine:
        return passage
    rows = {part: [scene.bar(part, at) for at in range(passage.skipped + passage.bars)] for part in _TUNES}
    for number in mine:
        at = passage.skipped + number
        lent = donor.scene.bar("lead", number) if donor is not None else rest
        said = [rows[part][at] for part in dict.fromkeys((scene.tune, *_TUNES)) if part in _TUNES]
        rows["lead"][at] = _first_heard([*said, lent], rest)
        for part in _LINES:
            rows[part][at] = rest
    whole = len(mine) == passage.bars or scene.tune == "lead"
    made = {part: tuple(row) for part, row in rows.items()}
    return replace(passage, scene=replace(scene, tune="lead" if whole else scene.tune, parts={**scene.parts, **made}))
