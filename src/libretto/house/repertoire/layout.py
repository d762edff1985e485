"""Layout: which bars of which model pieces stand behind the bars of a new one, and what sections that makes.

A piece that is as long as its model keeps its plan; a shorter one leaves scenes out or halves them, and keeps the
peak and the ending; a longer one goes round again, with scenes of another piece between, before it ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from libretto.house.compose.form import Section, read_form
from libretto.house.repertoire.lengths import CUT, ON, PHRASE, Draft, lengthened, shortened
from libretto.house.repertoire.piece import Piece, Scene

__all__ = ["Stretch", "behind", "lay_out", "looped", "scene_like", "sections_of"]

_ENDS = ("outro", "tag")  # kinds of scenes of which the end is kept where they are cut
_MOST_OF = 1.7  # an ending that makes up so much of a section is all of it
_LIKE = {  # kinds that may stand for each other, nearest first
    "verse": ("head", "theme", "solo"), "chorus": ("drop", "theme", "head"), "bridge": ("interlude", "solo", "chorus"),
    "solo": ("bridge", "verse"), "intro": ("vamp", "break"), "outro": ("tag", "chorus"), "tag": ("outro",),
    "break": ("interlude", "intro"), "build": ("pre", "break"), "drop": ("chorus",), "pre": ("build", "verse"),
    "head": ("theme", "verse"), "theme": ("head", "verse"), "interlude": ("bridge", "break"), "vamp": ("intro",),
}  # fmt: skip
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
        drafts = shortened(main, bars, seed)
    else:
        drafts = lengthened(pieces, bars, seed)
    return _placed(drafts, bars)


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
            drafts.append((piece, ending, close, ON, section.letter))
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


def _placed(drafts: Sequence[Draft], bars: int) -> tuple[Stretch, ...]:
    """Stretches with their bars; a scene ends as it ends in its model, however much of it is left."""
    stretches: list[Stretch] = []
    first = 0
    heard: dict[str, int] = {}
    names: dict[str, int] = {}
    for index, (piece, scene, size, name, letter) in enumerate(drafts):
        before = heard.get(letter, 0)
        heard[letter] = before + (scene.kind != "intro")
        goes_on = name == ON
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
        if place % PHRASE != PHRASE - 1 and place // (2 * reach) == (place - reach) // (2 * reach):
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
        if stretch.section.kind not in CUT
        and _PEAK[0] * total <= (stretch.section.first + stretch.section.end) / 2 <= _PEAK[1] * total
    ] or [index for index, stretch in enumerate(stretches) if stretch.section.kind not in CUT]
    if not late:
        return stretches
    peak = max(late, key=lambda index: (stretches[index].section.energy, index))
    most = max(stretch.section.energy for stretch in stretches)
    made = list(stretches)
    for index, stretch in enumerate(made):
        energy = most if index == peak else min(stretch.section.energy, most - _RISE)
        made[index] = replace(stretch, section=replace(stretch.section, energy=energy))
    return made
