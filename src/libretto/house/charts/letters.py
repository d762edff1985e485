"""Forms that a chart was not written in: letters, or kinds of sections, each played by sections of the chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple, Protocol

__all__ = ["ON", "ONCE", "Piece", "lettered", "of_kind", "pieced", "repeated"]

ONCE = ("intro", "outro", "tag", "break")  #: kinds of sections that do not come again
_NO_STRAIN = (*ONCE, "build")
_CONTRASTS = ("bridge", "chorus", "solo", "verse", "interlude")  # what a second strain is rather than a first one
_LIKE = {  # what stands in for a kind of section that a chart has not
    "verse": ("theme", "head"), "chorus": ("refrain", "theme", "drop"), "solo": ("bridge", "verse", "theme"),
    "bridge": ("solo", "break", "verse", "theme"), "break": ("interlude", "bridge", "intro"),
    "drop": ("chorus", "theme"), "build": ("bridge", "verse"), "pre-chorus": ("build", "bridge", "verse"),
    "intro": ("break", "verse", "theme"), "interlude": ("break", "bridge"), "theme": ("verse", "head"),
    "head": ("theme", "verse"), "outro": ("tag", "theme", "chorus"), "A": ("theme", "verse"),
    "B": ("bridge", "chorus", "verse"), "C": ("chorus", "solo", "bridge"),
}  # fmt: skip
_PHRASE = 4  # bars
_USUAL = 72  # bars beyond which sections are as long as a form wants them
_CLOSE = 2  # bars with which a repeat that ends a piece comes home
_ALIKE = 0.5  # of the signs that two tunes share of which one is the other again
ON = " continued"  #: the name of what goes on beyond a section of a chart


class _Scene(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def bars(self) -> int: ...
    @property
    def tune(self) -> str: ...
    def bar(self, part: str, number: int) -> str: ...


class Piece(NamedTuple):
    """A stretch of a section of a chart in a form: that section, from which bar on, how many, and what it is called."""

    name: str
    skipped: int
    bars: int
    label: str


def lettered(scenes: Mapping[str, _Scene], usual: Sequence[str], asked: Sequence[str], bars: int) -> tuple[str, ...]:
    """Sections for each letter of a form, all of one length, from the ``usual`` form of a chart; the last is its close
    where that is as long. Nothing where the chart has no sections for it, or begins with one of another length."""
    size = _even_size(asked, bars)
    if not size:
        return ()
    strains = _strains(scenes, usual)
    if strains and scenes[strains[0]].bars != size:
        return ()  # it would not begin as the chart does
    strains = [name for name in strains if scenes[name].bars == size]
    first = _first(scenes, strains, asked)
    order = [first[letter] for letter in asked]
    if not all(order):
        return ()
    close = usual[-1]
    if scenes[close].bars == size and order.count(order[-1]) > 1 and close not in order:
        order[-1] = close
    return tuple(_varied(scenes, order, place) for place in range(len(order)))


def repeated(scenes: Mapping[str, _Scene], order: Sequence[str], asked: Sequence[str]) -> tuple[Piece, ...]:
    """Sections of a form whose every letter stands twice running (AABB): the same both times where a chart has another
    tune there, the last with the chart's own close. Nothing where it is no such form."""
    pairs = list(zip(order[::2], order[1::2], strict=False))
    if list(asked[::2]) != list(asked[1::2]) or len(order) != len(asked) or len(set(asked)) != len(pairs):
        return ()
    made: list[Piece] = []
    for (first, again), letter in zip(pairs, asked[::2], strict=True):
        size, last = scenes[first].bars, letter == asked[-1]
        alike = first == again or _share(scenes[first], scenes[again]) >= _ALIKE
        made.append(Piece(first, 0, size, letter))
        if alike or scenes[again].bars != size or size <= _CLOSE:
            made.append(Piece(again, 0, scenes[again].bars, letter))
        elif last:
            made += [Piece(first, 0, size - _CLOSE, letter), Piece(again, size - _CLOSE, _CLOSE, letter + ON)]
        else:
            made.append(Piece(first, 0, size, letter))
    return tuple(made)


def _share(one: _Scene, two: _Scene) -> float:
    """How much of the tune of a section another has in the same bars."""
    bars = [(one.bar(one.tune, bar).split(), two.bar(two.tune, bar).split()) for bar in range(one.bars)]
    return sum(SequenceMatcher(None, first, second).ratio() for first, second in bars) / max(1, len(bars))


def _even_size(asked: Sequence[str], bars: int) -> int:
    """How many bars each letter of a form has, where all have as many; else, and where it has other names, 0."""
    size, rest = divmod(bars, len(asked)) if asked else (0, 1)
    return 0 if rest or any(len(letter) > 1 for letter in asked) else size


def pieced(
    scenes: Mapping[str, _Scene], usual: Sequence[str], asked: Sequence[str], bars: int, told: Mapping[int, int]
) -> tuple[Piece, ...]:
    """A form whose sections are not all of one length: each is as long as its share of the bars, in whole phrases, from
    a section of its kind; longer than that it goes on with the same again or with its last phrase. Lengths that were
    ``told`` of some by their places are kept. Nothing where there is no room for it, or too much."""
    sizes = _sizes(asked, bars, told)
    first = _first(scenes, _strains(scenes, usual), asked)
    if not sizes or not all(first.values()):
        return ()
    order, heard = [first[section] for section in asked], Counter[str]()
    close, last = usual[-1], sizes[-1]
    closed = scenes[close].kind in ONCE or order.count(order[-1]) > 1
    if closed and scenes[close].bars >= last:
        order[-1], closed = close, False
    elif closed:
        sizes[-1] -= scenes[close].bars
    made: list[Piece] = []
    for place, (name, size) in enumerate(zip(order, sizes, strict=True)):
        late = place == len(order) - 1 or heard[name] % 2 == 1
        others = [other for other in _alike(scenes, name) if other not in order]
        made += _filled([name, *others], scenes[name].bars, size, asked[place], late=late)
        heard[name] += 1
    end = [Piece(close, 0, scenes[close].bars, f"{made[-1].label.removesuffix(ON)}{ON}")] if closed else []
    return (*made, *end)


def _filled(names: Sequence[str], own: int, size: int, label: str, *, late: bool) -> list[Piece]:
    """A section in so many bars: a part of it, its end where it is ``late``; or all of it and others like it, or some
    of it again."""
    if size <= own:
        return [Piece(names[0], own - size if late else 0, size, label)]
    times, rest = divmod(size, own)
    more = label + ON
    made = [Piece(names[turn % len(names)], 0, own, more if turn else label) for turn in range(times)]
    return made + ([Piece(names[0], own - rest, rest, more)] if rest else [])


def _alike(scenes: Mapping[str, _Scene], name: str) -> list[str]:
    """Other sections of the same kind and length."""
    own = scenes[name]
    return [other for other in scenes if other != name and _same(scenes[other], own)]


def _same(one: _Scene, two: _Scene) -> bool:
    return (one.kind, one.bars) == (two.kind, two.bars)


def _sizes(asked: Sequence[str], bars: int, told: Mapping[int, int]) -> list[int]:
    """How many bars each section of a form has: as told, else a phrase, and what is left in phrases for those that have
    most need, sections of one name together; nothing where the bars do not suffice."""
    sizes = [told.get(place, _PHRASE) for place in range(len(asked))]
    left = bars - sum(sizes)
    free = [place for place in range(len(asked)) if place not in told]
    names = Counter(asked[place] for place in free if asked[place] not in ONCE) or Counter(asked[at] for at in free)
    most = bars if bars > _USUAL else 2 * bars // 3 + _PHRASE * len(asked)
    if not names or not 0 <= left <= most:
        return sizes if left == 0 else []
    while left >= _PHRASE and (chosen := _neediest(asked, sizes, names, left)):
        for place in free:
            sizes[place] += _PHRASE * (asked[place] == chosen)
        left -= names[chosen] * _PHRASE
    sizes[free[-1]] += left
    return sizes


def _neediest(asked: Sequence[str], sizes: Sequence[int], names: Counter[str], left: int) -> str:
    """Of the shortest sections those that come most often, where there are bars left for all of them; else nothing."""
    own = {name: min(size for size, section in zip(sizes, asked, strict=True) if section == name) for name in names}
    small = [name for name in names if own[name] == min(own.values()) and names[name] * _PHRASE <= left]
    return max(small, key=lambda name: names[name], default="")


def _strains(scenes: Mapping[str, _Scene], usual: Sequence[str]) -> list[str]:
    return [name for name in dict.fromkeys((*usual, *scenes)) if scenes[name].kind not in _NO_STRAIN]


def _first(scenes: Mapping[str, _Scene], strains: Sequence[str], asked: Sequence[str]) -> dict[str, str]:
    """The section that plays each section of a form: of its kind, or like it; letters take strains in turn. Empty where
    there is none."""
    kinds = {section: of_kind(scenes, section, strains) for section in asked if len(section) > 1}
    first = {section: name for section, name in kinds.items() if name}
    for section in dict.fromkeys(asked):
        first.setdefault(section, next(iter(_others(scenes, strains, tuple(first.values()))), ""))
    return first


def of_kind(scenes: Mapping[str, _Scene], kind: str, before: Sequence[str] = ()) -> str:
    """The first section of a kind, else of one that is like it, those named ``before`` first; empty where there is
    none."""
    for like in (kind, *_LIKE.get(kind, ())):
        for name in (*before, *scenes):
            if scenes[name].kind == like:
                return name
    return ""


def _others(scenes: Mapping[str, _Scene], strains: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Strains that are still free; after the first those of another kind before others."""
    free = [name for name in strains if name not in taken]
    kinds = {scenes[name].kind for name in taken if name}
    new = {name for name in free if not kinds or scenes[name].kind in set(_CONTRASTS) - kinds}
    return sorted(free, key=lambda name: name not in new)


def _varied(scenes: Mapping[str, _Scene], order: Sequence[str], place: int) -> str:
    """A section, or the variation of it that a chart has where it stood right before."""
    name = order[place]
    again = f"{name}2"
    alike = again in scenes and scenes[again].bars == scenes[name].bars
    return again if place and order[place - 1] == name and alike else name
