"""How drums are touched: on the ride, lightly, on the rim, on toms, one drop, hats quick or open, on two and four."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.checks.where import Spans, bar_mask
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["BUSIER", "KITWORK", "TWO_AND_FOUR", "grown_busier", "kit_touched"]

Notes = NDArray[Any]
#: What one drum, a tambourine or a clap, is asked to strike.
TWO_AND_FOUR = "two and four"
#: What a drummer is asked to grow.
BUSIER = "busier"
#: Ways to touch a kit.
KITWORK = ("ride", "light cymbals", "rim", "toms", "one drop", "quick hats", "open hats", "twice", BUSIER, TWO_AND_FOUR)
_HATS, _OPEN, _RIDES, _CRASHES = (42, 44, 46), 46, (51, 53, 59), (49, 52, 55, 57)
_SNARES, _STICK, _KICKS, _TOMS = (38, 40), 37, (35, 36), (41, 43, 45, 47, 48, 50)
_LIGHT = 66  # velocity of light cymbals at most
_MORE = 1.15  # strokes of drums that grew busier
_MOSTLY, _NEARLY = 0.6, 0.75  # of bars, of strokes
_FULL, _SOME = 3, 1  # strokes a quarter of quick hats; a bar of toms beside what it has


def kit_touched(what: str, score: Score, spans: Spans, notes: Notes) -> tuple[bool, str]:
    """Whether most bars in which drums play are played in one of these ways, and the evidence."""
    lines = score.bar_lines
    bars = [int(bar) for bar in np.flatnonzero(bar_mask(spans, score)) if bar < score.bars - 1]
    rows = [
        (notes[(notes["onset"] >= lines[bar]) & (notes["onset"] < lines[bar + 1])], lines[bar], lines[bar + 1])
        for bar in bars
    ]
    played = [row for row in rows if len(row[0])]
    good = sum(_so(what, score.meter_at(start).beat, inside, start, end) for inside, start, end in played)
    return good >= _MOSTLY * len(played), f"{what} in {good} of {len(played)} bars"


def grown_busier(score: Score, spans: Spans, notes: Notes) -> tuple[bool, str]:
    """Whether drums strike more often in some bars than in those before them in which they play, and the evidence."""
    bars = np.flatnonzero(bar_mask(spans, score)).tolist()
    at = np.searchsorted(score.bar_lines, np.unique(notes["onset"]), side="right") - 1
    counts = np.bincount(at, minlength=score.bars)
    here, before = counts[bars], counts[: min(bars, default=0)]
    here, before = here[here > 0], before[before > 0]
    if not len(here) or not len(before):
        return bool(len(here)), f"the drums play in {len(here)} bars"
    more, less = float(here.mean()), float(before.mean())
    return more >= _MORE * less, f"{more:.1f} strokes a bar, {less:.1f} before"


def _so(what: str, beat: int, notes: Notes, start: int, end: int) -> bool:
    """Whether a bar is played in one of these ways."""
    beats = list(range(start, end, beat))
    if what == "ride":
        return _share(notes, _RIDES, (*_HATS[::2], *_RIDES)) >= _NEARLY
    if what == "light cymbals":
        own = notes[np.isin(notes["pitch"], (*_HATS, *_RIDES, *_CRASHES))]
        return len(own) > 0 and float(own["velocity"].mean()) <= _LIGHT
    if what == "rim":
        return not np.isin(notes["pitch"], _SNARES).any() or _share(notes, (_STICK,), (_STICK, *_SNARES)) >= _NEARLY
    if what == "toms":
        return int(np.isin(notes["pitch"], _TOMS).sum()) > _SOME
    if what == "one drop":
        kicks = set(notes["onset"][np.isin(notes["pitch"], _KICKS)].tolist())
        return beats[len(beats) // 2] in kicks and start not in kicks
    if what == "quick hats":
        return int(np.isin(notes["pitch"], (*_HATS, *_RIDES)).sum()) * QUARTER >= _FULL * (end - start)
    if what == "open hats":
        return bool({beat_at + beat // 2 for beat_at in beats} & _onsets(notes, (_OPEN,)))
    struck = set(notes["onset"].tolist())
    if what == "twice":
        return len(struck) >= 2 * len(beats)
    return struck.issuperset(beats[1::2]) and not struck & set(beats[::2])


def _onsets(notes: Notes, keys: Sequence[int]) -> set[int]:
    return set(notes["onset"][np.isin(notes["pitch"], keys)].tolist())


def _share(notes: Notes, some: Sequence[int], of: Sequence[int]) -> float:
    """Which share of strokes on some keys is on others among them; 0 where there are none."""
    own = notes["pitch"][np.isin(notes["pitch"], of)]
    return float(np.isin(own, some).mean()) if len(own) else 0.0
