"""How often the check of four-part writing blames music that is beyond reproach.

Conventions: bars are counted as written; pieces that are not in four parts are left out and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from libretto.errors import LibrettoError
from libretto.faults.harmony.checking import check_harmony
from libretto.formats import formats, read
from libretto.score import Score

__all__ = ["Alarms", "alarms_below", "alarms_in", "alarms_lines"]

MOST = 2.0  # alarms in 100 bars: the mark
_HUNDRED = 100


@dataclass(frozen=True)
class Alarms:
    """Pieces and bars that were checked, pieces left out, and alarms by rule."""

    style: str
    pieces: int
    bars: int
    left_out: int
    rules: dict[str, int]

    @property
    def rate(self) -> float:
        """Alarms in 100 bars."""
        return _HUNDRED * sum(self.rules.values()) / self.bars if self.bars else 0.0

    @property
    def passed(self) -> bool:
        """Whether anything was checked, and blamed no more often than the mark allows."""
        return bool(self.bars) and self.rate <= MOST

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {**asdict(self), "rate": round(self.rate, 3), "passed": self.passed}


def alarms_in(scores: Iterable[Score | None], style: str) -> Alarms:
    """The alarms in some pieces; None stands for one that could not be read."""
    rules: Counter[str] = Counter()
    pieces = bars = left_out = 0
    for score in scores:
        try:
            faults = None if score is None else check_harmony(score, style)
        except LibrettoError:
            faults = None
        if score is None or faults is None:
            left_out += 1
            continue
        pieces, bars = pieces + 1, bars + score.bars
        rules.update(fault.rule for fault in faults)
    return Alarms(style, pieces, bars, left_out, dict(sorted(rules.items(), key=lambda item: (-item[1], item[0]))))


def alarms_below(folder: str | Path, style: str) -> Alarms:
    """The alarms in every score below a folder."""
    place = Path(folder)
    if not place.is_dir():
        raise LibrettoError(f"{folder} is no folder")
    suffixes = {suffix for format in formats.values() for suffix in format.suffixes}
    paths = [path for path in sorted(place.rglob("*")) if path.suffix.lower() in suffixes and path.is_file()]
    if not paths:
        raise LibrettoError(f"there is no music below {folder}")
    return alarms_in(map(_read, paths), style)


def _read(path: Path) -> Score | None:
    try:
        return read(path)
    except LibrettoError:
        return None


def alarms_lines(alarms: Alarms) -> list[str]:
    """The table: rule by rule, then all together beside the mark."""
    rows = [
        f"{count:6}  {_HUNDRED * count / max(alarms.bars, 1):5.2f} in 100 bars  {rule}"
        for rule, count in alarms.rules.items()
    ]
    total = sum(alarms.rules.values())
    verdict = "kept" if alarms.passed else "missed"
    return [
        f"{alarms.pieces} pieces in four parts, {alarms.bars} bars, {alarms.style} style; {alarms.left_out} left out",
        *rows,
        f"{total:6}  {alarms.rate:5.2f} in 100 bars altogether (mark: at most {MOST:.0f}, {verdict})",
    ]
