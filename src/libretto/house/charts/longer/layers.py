"""Layers: which parts sound in a section of a long piece, all at once or one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.house.charts.signs import sounds

__all__ = ["layered"]

_ORDER = ("drums", "bass", "percussion", "pad", "chords", "third", "lead", "second", "beats")  # in which parts come in
_AFTER = 2  # bars between two that come in, at least
_KEPT = {  # what sounds where not everything does
    "bare": ("lead", "second", "chords", "pad"),
    "beat": ("drums", "percussion", "bass", "beats"),
    "held": ("lead", "second", "pad", "bass", "chords"),
}
_FEWEST = (1, 2)  # parts beside a tune that are left then, and of bass and drums
_DRUMMING = ("drums", "percussion")
_TUNES = ("lead", "second", "third")


def layered(
    rows: Mapping[str, Sequence[str]], how: frozenset[str], at: int, of: int, *, drummed: bool
) -> dict[str, list[str]]:
    """The parts of a stretch that begins ``at`` bars after the beginning of ``of`` bars played in some way: some are
    silent, or come in or go one after the other. Where nothing would be left all play; where nobody is there to beat a
    drum, no beat is either."""
    made = {part: list(row) for part, row in rows.items() if drummed or part not in _DRUMMING}
    kept = next((_KEPT[word] for word in _KEPT if word in how), ())
    if kept and sum(_plays(made, part) for part in kept if part not in _TUNES) >= _FEWEST[kept is _KEPT["beat"]]:
        made = {part: row for part, row in made.items() if part in kept}
    if how & {"enter", "leave"}:
        made = _staggered(made, at, of, backwards="leave" in how)
    return made


def _plays(rows: Mapping[str, Sequence[str]], part: str) -> bool:
    """Whether a part sounds in most bars."""
    row = rows.get(part, ())
    return sum(bool(text) and (part in _DRUMMING or sounds(text)) for text in row) * 2 > len(row)


def _staggered(rows: dict[str, list[str]], at: int, of: int, *, backwards: bool) -> dict[str, list[str]]:
    """Parts that come in one after the other, or go so; the first of them, or the last, is there all through."""
    there = [part for part in _ORDER if part in rows and any(rows[part])]
    first = next((part for part in there if _plays(rows, part)), "")
    there.sort(key=lambda part: part != first)
    steps = max(1, len(there))
    made = {part: list(row) for part, row in rows.items()}
    for place, part in enumerate(there):
        start = place * of // steps // _AFTER * _AFTER
        for bar in range(len(rows[part])):
            now = of - 1 - (at + bar) if backwards else at + bar
            if now < start:
                made[part][bar] = ""
    return _without_holes(made, rows)


def _without_holes(made: Mapping[str, list[str]], whole: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The parts with all of them in bars in which nothing would be left."""
    bars = range(max(map(len, made.values()), default=0))
    silent = {bar for bar in bars if not any(_sounds_in(made, part, bar) for part in made)}
    return {
        part: [whole[part][bar] if bar in silent else row[bar] for bar in range(len(row))] for part, row in made.items()
    }


def _sounds_in(rows: Mapping[str, Sequence[str]], part: str, bar: int) -> bool:
    """Whether a part sounds in a bar."""
    text = rows[part][bar]
    return bool(text) and (part in _DRUMMING or sounds(text))
