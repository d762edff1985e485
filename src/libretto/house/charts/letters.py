"""Forms that a chart was not written in: letters, or kinds of sections, each played by a section of the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

__all__ = ["lettered"]

_ONCE = ("intro", "outro", "tag", "break", "build")  # kinds of sections that are no strain
_CONTRASTS = ("bridge", "chorus", "solo", "verse", "interlude")  # what a second strain is rather than a first one


class _Scene(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def bars(self) -> int: ...


def lettered(scenes: Mapping[str, _Scene], usual: Sequence[str], asked: Sequence[str], bars: int) -> tuple[str, ...]:
    """Sections for each letter of a form, all of one length, from the ``usual`` form of a chart; the last is its close
    where that is as long. Nothing where the chart has no sections for it."""
    size, rest = divmod(bars, len(asked)) if asked else (0, 1)
    if rest or not size:
        return ()
    strains = [name for name in dict.fromkeys((*usual, *scenes)) if _is_strain(scenes[name], size)]
    first = {letter: _strain(scenes, strains, letter) for letter in dict.fromkeys(asked) if letter in _kinds(scenes)}
    for letter in dict.fromkeys(asked):
        first.setdefault(letter, next(iter(_others(scenes, strains, tuple(first.values()))), ""))
    order = [first[letter] for letter in asked]
    if not all(order):
        return ()
    close = usual[-1]
    if scenes[close].bars == size and order.count(order[-1]) > 1 and close not in order:
        order[-1] = close
    return tuple(_varied(scenes, order, place) for place in range(len(order)))


def _is_strain(scene: _Scene, size: int) -> bool:
    return scene.bars == size and scene.kind not in _ONCE


def _kinds(scenes: Mapping[str, _Scene]) -> set[str]:
    return {scene.kind for scene in scenes.values()}


def _strain(scenes: Mapping[str, _Scene], strains: Sequence[str], kind: str) -> str:
    """The first strain of a kind; empty where there is none."""
    return next((name for name in strains if scenes[name].kind == kind), "")


def _others(scenes: Mapping[str, _Scene], strains: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Strains that are still free; after the first those of another kind before others."""
    free = [name for name in strains if name not in taken]
    kinds = {scenes[name].kind for name in taken if name}
    return sorted(
        free, key=lambda name: bool(kinds) and (scenes[name].kind in kinds or scenes[name].kind not in _CONTRASTS)
    )


def _varied(scenes: Mapping[str, _Scene], order: Sequence[str], place: int) -> str:
    """A section, or the variation of it that a chart has where it stood right before."""
    name = order[place]
    again = f"{name}2"
    return (
        again
        if place and order[place - 1] == name and again in scenes and scenes[again].bars == scenes[name].bars
        else name
    )
