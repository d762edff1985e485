"""Layout: which bars of which model pieces stand behind the bars of a new one, and what sections that makes.

A piece that is as long as its model keeps its plan; a shorter one leaves scenes out or halves them, and keeps the
peak and the ending; a longer one goes round again, with scenes of another piece between, before it ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from libretto.house.compose.form import Section, read_form
from libretto.house.core.dice import dice
from libretto.house.repertoire.piece import Piece, Scene

__all__ = ["Stretch", "behind", "lay_out", "looped", "scene_like", "sections_of"]

_WORTH = {
    "intro": 0.4, "verse": 1.15, "head": 1.15, "theme": 1.15, "chorus": 1.1, "drop": 1.1, "pre": 0.7, "bridge": 0.85,
    "solo": 0.85, "break": 0.5, "build": 0.5, "interlude": 0.6, "vamp": 0.5, "outro": 0.6, "tag": 0.6,
}  # fmt: skip
_EACH, _BROKEN = 0.25, 0.35  # what a scene costs, and what it costs to cut it
_ROOM = 24  # bars from which on a piece has an intro and an ending of their own
_ENDS = ("outro", "tag")  # kinds of scenes of which the end is kept where they are cut
_PHRASE, _PERIOD = 4, 8  # bars
_ON = "+"  # the name of what goes on with the section before
_MOST_OF = 1.7  # an ending that makes up so much of a section is all of it
_SMALLEST = 2  # bars that an intro, a break or an ending may be cut to
_LEADS = ("build", "pre")  # kinds of scenes that lead to the next
_CUT = ("intro", "break", "outro", "tag", "build", "vamp")
_LIKE = {  # kinds that may stand for each other, nearest first
    "verse": ("head", "theme", "solo"), "chorus": ("drop", "theme", "head"), "bridge": ("interlude", "solo", "chorus"),
    "solo": ("bridge", "verse"), "intro": ("vamp", "break"), "outro": ("tag", "chorus"), "tag": ("outro",),
    "break": ("interlude", "intro"), "build": ("pre", "break"), "drop": ("chorus",), "pre": ("build", "verse"),
    "head": ("theme", "verse"), "theme": ("head", "verse"), "interlude": ("bridge", "break"), "vamp": ("intro",),
}  # fmt: skip
_CHANCE = 0.25  # how much the seed counts among layouts that are worth nearly the same
_RISE = 0.06  # energy that a scene gains each time it comes round
_PEAK = (0.55, 0.85)  # where in a long piece its fullest section lies


@dataclass(frozen=True)
class Stretch:
    """One section of a new piece with what stands behind it: a scene of a model piece, bar for bar."""

    section: Section
    piece: Piece
    scene: Scene
    bars: tuple[int, ...]  # the bar of the model behind every bar
    goes_on: bool = False  # it belongs to the section before


def lay_out(
    pieces: Sequence[Piece], bars: int, asked: Sequence[str], seed: int, sizes: Mapping[int, int] | None = None
) -> tuple[Stretch, ...]:
    """The sections of a piece of so many bars after the first of those pieces, with others where it is long; the
    sections asked for have the ``sizes`` asked for by place."""
    main = pieces[0]
    if asked:
        drafts = _as_asked(main, bars, asked, sizes)
    elif bars == main.bars:
        drafts = [(main, scene, scene.bars, "", scene.letter) for scene in main.scenes]
    elif bars < main.bars:
        drafts = _shortened(main, bars, seed)
    else:
        drafts = _lengthened(pieces, bars, seed)
    return _placed(drafts, bars)


#: A piece, a scene of it, so many bars, the section's name (made from its kind where there is none) and its letter.
Draft = tuple[Piece, Scene, int, str, str]


def _as_asked(piece: Piece, bars: int, names: Sequence[str], sizes: Mapping[int, int] | None) -> list[Draft]:
    """The sections of a brief, each after the scene of its kind; the last one ends as the piece ends."""
    drafts: list[Draft] = []
    ending = piece.scenes[-1]
    sections = read_form(names, bars, sizes)
    for section in sections:
        scene = scene_like(piece, section.kind, section.energy)
        if section is not sections[-1]:
            drafts.append((piece, scene, section.bars, section.name, section.letter))
        elif ending.bars * _MOST_OF >= section.bars:
            drafts.append((piece, ending, section.bars, section.name, section.letter))
        else:
            close = min(ending.bars, max(1, section.bars // 3))
            drafts.append((piece, scene, section.bars - close, section.name, section.letter))
            drafts.append((piece, ending, close, _ON, section.letter))
    return drafts


def scene_like(piece: Piece, kind: str, energy: float) -> Scene:
    """The scene that is nearest a kind of section."""
    kinds = (kind, *_LIKE.get(kind, ()))
    fits = [scene for scene in piece.scenes[:-1] if scene.kind in kinds] or list(piece.scenes[:-1]) or [piece.scenes[0]]
    order = {name: place for place, name in enumerate(kinds)}
    return min(fits, key=lambda scene: (order.get(scene.kind, len(kinds)), abs(scene.energy - energy), scene.first))


def sections_of(stretches: Sequence[Stretch]) -> tuple[Section, ...]:
    """The sections of a piece, those that go on with the one before joined to it."""
    sections: list[Section] = []
    for stretch in stretches:
        if stretch.goes_on and sections:
            sections[-1] = replace(
                sections[-1], bars=sections[-1].bars + stretch.section.bars, last=stretch.section.last
            )
        else:
            sections.append(stretch.section)
    return tuple(sections)


def _sizes(scene: Scene) -> tuple[int, ...]:
    """How many bars may be left of a scene: all, or whole phrases."""
    return (0, *sorted({scene.bars, *range(_PHRASE, scene.bars, _PHRASE)}))


def _worth(scene: Scene, size: int, chance: float, bars: int) -> float:
    """What so many bars of a scene are worth to a piece of so many: every scene costs something, and more if it is
    cut; short pieces have no time for an intro."""
    if not size:
        return 0.0
    worth = _WORTH.get(scene.kind, 1.0) + chance
    if bars < _ROOM and scene.kind in _CUT:
        worth -= 1.0
    return worth * size / _PERIOD - _EACH - (_BROKEN if size < scene.bars else 0.0)


def _shortened(piece: Piece, bars: int, seed: int) -> list[Draft]:
    """Scenes of a piece, some left out or cut, that have exactly so many bars; it ends as the piece does."""
    close = _closing(piece, bars)
    scenes = piece.scenes[:-1] or piece.scenes
    peak = max(range(len(scenes)), key=lambda index: (scenes[index].energy, index))
    chances = [_CHANCE * dice(seed, "layout", index).random() for index in range(len(scenes))]
    chances[peak] += 2 * _CHANCE
    apart = bars >= _ROOM  # a long piece has its ending as a section of its own
    wanted = bars - close if apart else bars

    @cache
    def best(index: int, left: int) -> tuple[float, tuple[int, ...]]:
        if index == len(scenes):
            return (0.0, ()) if left == 0 else (float("-inf"), ())
        ways = []
        for size in _sizes(scenes[index]):
            if size <= left:
                worth, rest = best(index + 1, left - size)
                ways.append((worth + _worth(scenes[index], size, chances[index], bars), (size, *rest)))
        return max(ways, default=(float("-inf"), ()))

    worth, sizes = best(0, wanted)
    if worth == float("-inf"):
        sizes = _forced(scenes, wanted)
    drafts: list[Draft] = [
        (piece, scene, size, "", scene.letter) for scene, size in zip(scenes, sizes, strict=True) if size
    ]
    if apart:
        return [*drafts, (piece, piece.scenes[-1], close, "", piece.scenes[-1].letter)]
    last = drafts[-1]
    if last[2] <= close:
        return drafts
    return [*drafts[:-1], (*last[:2], last[2] - close, *last[3:]), (piece, piece.scenes[-1], close, _ON, last[4])]


def _closing(piece: Piece, bars: int) -> int:
    """How many bars of a piece are its ending."""
    ending = piece.scenes[-1].bars
    if bars < _ROOM:
        return min(_SMALLEST, ending)
    return _PHRASE + (bars - _PHRASE) % _PHRASE if ending >= _PHRASE else ending


def _forced(scenes: Sequence[Scene], bars: int) -> tuple[int, ...]:
    """Lengths that no phrases make: the best scenes take what there is, in their order."""
    sizes = [0] * len(scenes)
    left = bars
    for index in sorted(range(len(scenes)), key=lambda index: (-_WORTH.get(scenes[index].kind, 1.0), index)):
        sizes[index] = min(left, scenes[index].bars)
        left -= sizes[index]
    sizes[-1] += left
    return tuple(sizes)


def _lengthened(pieces: Sequence[Piece], bars: int, seed: int) -> list[Draft]:
    """The first piece without its ending, scenes of others and its own again, and its ending at last."""
    main = pieces[0]
    ending = main.scenes[-1]
    body = [(main, scene, scene.bars, "", scene.letter) for scene in main.scenes[:-1]]
    left = bars - ending.bars - sum(draft[2] for draft in body)
    others = [piece for piece in pieces[1:] if piece.meter == main.meter] or [main]
    turn = 0
    added: list[Draft] = []
    while left > 0:
        piece = main if turn % 2 else others[turn // 2 % len(others)]
        core = [scene for scene in piece.scenes[:-1] if scene.kind not in ("intro",)] or list(piece.scenes)
        if piece is not main:
            core = sorted(core, key=lambda scene: -_WORTH.get(scene.kind, 1.0))[:3]
            core.sort(key=lambda scene: scene.first)
        for scene in core:
            size = min(scene.bars, left)
            if size <= 0:
                break
            letter = scene.letter if piece is main else f"{scene.letter}{turn + 2}"
            added.append((piece, scene, size, "", letter))
            left -= size
        turn += 1
    whole = [*body, *added]
    if added and added[-1][2] < _PHRASE and len(whole) > 1:  # less than a phrase belongs to the section before
        stub = whole.pop()
        before = whole[-1]
        whole[-1] = (before[0], before[1], before[2] + stub[2], before[3], before[4])
    if whole and whole[-1][1].kind in _LEADS:  # what leads somewhere does not stand where nothing follows
        piece, scene, size, name, _ = whole[-1]
        after = piece.scenes[piece.scenes.index(scene) + 1]
        whole[-1] = (piece, after, size, name, after.letter)
    return [*whole, (main, ending, ending.bars, "", ending.letter)]


def _placed(drafts: Sequence[Draft], bars: int) -> tuple[Stretch, ...]:
    """Stretches with their bars; a scene ends as it ends in its model, however much of it is left."""
    stretches: list[Stretch] = []
    first = 0
    heard: dict[str, int] = {}
    names: dict[str, int] = {}
    for index, (piece, scene, size, name, letter) in enumerate(drafts):
        before = heard.get(letter, 0)
        heard[letter] = before + (scene.kind != "intro")
        goes_on = name == _ON
        name = name or scene.kind.title()
        names[name] = names.get(name, 0) + 1
        told = name if names[name] == 1 else f"{name} {names[name]}"
        energy = min(1.0, scene.energy + _RISE * before)
        section = Section(told, scene.kind, letter, size, energy, first, before, index == len(drafts) - 1)
        stretches.append(Stretch(section, piece, scene, behind(scene, size, section.last), goes_on))
        first += size
    return tuple(_with_peak(stretches))


def behind(scene: Scene, size: int, close: bool = False) -> tuple[int, ...]:
    """The bars of a scene behind so many bars: from its beginning, or to its end where it is to ``close``; round again
    where it is short, so that it ends as the scene ends."""
    if size <= scene.bars:
        first = scene.end - size if close or scene.kind in _ENDS else scene.first
        return tuple(range(first, first + size))
    return tuple(scene.first + (bar - size) % scene.bars for bar in range(size))


def looped(bars: Sequence[int], reach: int) -> tuple[int, ...]:
    """Bars that come round again after so many: the second phrase of a period begins as the first (four), the third bar
    of a phrase is its first (two); what closes a phrase stays.

    >>> looped((0, 1, 2, 3, 4, 5, 6, 7), 4), looped((0, 1, 2, 3), 2)
    ((0, 1, 2, 3, 0, 1, 2, 7), (0, 1, 0, 3))
    """
    made = list(bars)
    for place in range(reach, len(made)) if reach else ():
        if place % _PHRASE != _PHRASE - 1 and place // (2 * reach) == (place - reach) // (2 * reach):
            made[place] = made[place - reach]
    return tuple(made)


def _with_peak(stretches: list[Stretch]) -> list[Stretch]:
    """The same, with one section fuller than all others, late in the piece."""
    if len(stretches) < 3:
        return stretches
    total = stretches[-1].section.end
    late = [
        index
        for index, stretch in enumerate(stretches[:-1])
        if stretch.section.kind not in _CUT
        and _PEAK[0] * total <= (stretch.section.first + stretch.section.end) / 2 <= _PEAK[1] * total
    ] or [index for index, stretch in enumerate(stretches) if stretch.section.kind not in _CUT]
    if not late:
        return stretches
    peak = max(late, key=lambda index: (stretches[index].section.energy, index))
    most = max(stretch.section.energy for stretch in stretches)
    made = list(stretches)
    for index, stretch in enumerate(made):
        energy = most if index == peak else min(stretch.section.energy, most - _RISE)
        made[index] = replace(stretch, section=replace(stretch.section, energy=energy))
    return made
