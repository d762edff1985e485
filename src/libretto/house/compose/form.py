"""Form: sections in order, each with its material and its energy, and those that a brief names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Section", "read_form"]

_UNKNOWN = 0.55  # the energy of sections that are not in the table
_LETTERS_IN_ORDER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ENERGY = {
    "intro": 0.3, "verse": 0.5, "pre": 0.62, "chorus": 0.8, "bridge": 0.6, "solo": 0.7, "break": 0.35, "build": 0.6,
    "drop": 0.9, "head": 0.55, "theme": 0.6, "outro": 0.45, "tag": 0.6, "vamp": 0.5, "interlude": 0.45,
}  # fmt: skip
_KINDS = {"hook": "chorus", "refrain": "chorus", "coda": "outro", "ending": "outro", "development": "bridge"}


@dataclass(frozen=True)
class Section:
    """A stretch of the piece: its first bar from 0, its material (a letter), and how often that was heard before."""

    name: str
    kind: str
    letter: str
    bars: int
    energy: float
    first: int = 0
    before: int = 0
    last: bool = False
    pace: tuple[float, float] = (1.0, 1.0)  # of the tempo, where it begins and where it ends

    @property
    def end(self) -> int:
        """The bar after it."""
        return self.first + self.bars


def read_form(names: Sequence[str], bars: int, asked: Mapping[int, int] | None = None) -> list[Section]:
    """The sections that a brief names over so many bars: as long as ``asked`` by place, the others of equal length as
    nearly as phrases of four allow."""
    names = names[:bars]  # a section has a bar at least
    fixed = {place: size for place, size in (asked or {}).items() if place < len(names)}
    free = [place for place in range(len(names)) if place not in fixed]
    if sum(fixed.values()) + len(free) > bars or (not free and sum(fixed.values()) != bars):
        fixed, free = {}, list(range(len(names)))
    even = _even([names[place] for place in free], bars - sum(fixed.values())) if free else []
    sizes = {**fixed, **dict(zip(free, even, strict=True))}
    return _sections(names, [sizes[place] for place in range(len(names))])


def _even(names: Sequence[str], bars: int) -> list[int]:
    """The lengths of sections over so many bars."""
    shares = [0.5 if _kind(name) in ("intro", "outro", "tag", "pre") else 1.0 for name in names]
    unit = bars / sum(shares)
    sizes = [
        max(1, int(unit * share / 4 + 0.5) * 4) if unit * share >= 4 else max(1, int(unit * share)) for share in shares
    ]
    while sum(sizes) > bars:
        most = max(range(len(sizes)), key=lambda index: (sizes[index], index))
        if sizes[most] == 1:
            break
        sizes[most] -= min(4, sizes[most] - 1, sum(sizes) - bars)
    sizes[-1] += max(0, bars - sum(sizes))
    return sizes


def _sections(names: Sequence[str], sizes: Sequence[int]) -> list[Section]:
    made = []
    letters: dict[str, str] = {}
    for name, size in zip(names, sizes, strict=True):
        kind = _kind(name)
        key = "verse" if kind in ("intro", "outro", "tag") and name.lower() not in letters else name.lower()
        letter = letters.setdefault(key, _LETTERS_IN_ORDER[min(len(_LETTERS_IN_ORDER) - 1, len(letters))])
        made.append(Section(name, kind, letter, size, _ENERGY.get(kind, _UNKNOWN)))
    return made


def _kind(name: str) -> str:
    """What a section is, by its name."""
    low = name.lower()
    if len(name) <= 2:
        return "verse" if low.startswith("a") else "chorus" if low.startswith("b") else "bridge"
    for word in (*_ENERGY, *_KINDS):
        if word in low:
            return _KINDS.get(word, word)
    return "verse"
