"""Lengths: the scenes of a model piece for a new piece that is shorter or longer than it.

A shorter one leaves scenes out or cuts them, and keeps the peak and the ending; a longer one goes round again, with
scenes of other pieces between, before it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from libretto.house.core.dice import dice
from libretto.house.repertoire.piece import Piece, Scene

__all__ = ["CUT", "ON", "PHRASE", "Draft", "lengthened", "shortened"]

_WORTH = {
    "intro": 0.4, "verse": 1.15, "head": 1.15, "theme": 1.15, "chorus": 1.1, "drop": 1.1, "pre": 0.7, "bridge": 0.85,
    "solo": 0.85, "break": 0.5, "build": 0.5, "interlude": 0.6, "vamp": 0.5, "outro": 0.6, "tag": 0.6,
}  # fmt: skip
_EACH, _BROKEN = 0.25, 0.35  # what a scene costs, and what it costs to cut it
_ROOM = 24  # bars from which on a piece has an intro and an ending of their own
PHRASE, _PERIOD = 4, 8  # bars
_SMALLEST = 2  # bars that an intro, a break or an ending may be cut to
_LEADS = ("build", "pre")  # kinds of scenes that lead to the next
_CHANCE = 0.25  # how much the seed counts among layouts that are worth nearly the same
#: Kinds of scenes for which short pieces have no time, and that are never the fullest of a piece.
CUT = ("intro", "break", "outro", "tag", "build", "vamp")
ON = "+"  #: the name of what goes on with the section before

#: A piece, a scene of it, so many bars, the section's name (made from its kind where there is none) and its letter.
Draft = tuple[Piece, Scene, int, str, str]


def _sizes(scene: Scene) -> tuple[int, ...]:
    """How many bars may be left of a scene: all, or whole phrases."""
    return (0, *sorted({scene.bars, *range(PHRASE, scene.bars, PHRASE)}))


def _worth(scene: Scene, size: int, chance: float, bars: int) -> float:
    """What so many bars of a scene are worth to a piece of so many: every scene costs something, and more if it is
    cut; short pieces have no time for an intro."""
    if not size:
        return 0.0
    worth = _WORTH.get(scene.kind, 1.0) + chance
    if bars < _ROOM and scene.kind in CUT:
        worth -= 1.0
    return worth * size / _PERIOD - _EACH - (_BROKEN if size < scene.bars else 0.0)


def shortened(piece: Piece, bars: int, seed: int) -> list[Draft]:
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
    return [*drafts[:-1], (*last[:2], last[2] - close, *last[3:]), (piece, piece.scenes[-1], close, ON, last[4])]


def _closing(piece: Piece, bars: int) -> int:
    """How many bars of a piece are its ending."""
    ending = piece.scenes[-1].bars
    if bars < _ROOM:
        return min(_SMALLEST, ending)
    return PHRASE + (bars - PHRASE) % PHRASE if ending >= PHRASE else ending


def _forced(scenes: Sequence[Scene], bars: int) -> tuple[int, ...]:
    """Lengths that no phrases make: the best scenes take what there is, in their order."""
    sizes = [0] * len(scenes)
    left = bars
    for index in sorted(range(len(scenes)), key=lambda index: (-_WORTH.get(scenes[index].kind, 1.0), index)):
        sizes[index] = min(left, scenes[index].bars)
        left -= sizes[index]
    sizes[-1] += left
    return tuple(sizes)


def lengthened(pieces: Sequence[Piece], bars: int, seed: int) -> list[Draft]:
    """The first piece without its ending, scenes of others and its own again, and its ending at last."""
    main = pieces[0]
    ending = main.scenes[-1]
    body = [(main, scene, scene.bars, "", scene.letter) for scene in main.scenes[:-1]]
    left = bars - ending.bars - sum(draft[2] for draft in body)
    others = [piece for piece in pieces[1:] if piece.meter == main.meter] or [main]
    added = _round_again(main, others, left)
    whole = [*body, *added]
    if added:
        _join_stub(whole)
    if whole:
        _lead_on(whole)
    return [*whole, (main, ending, ending.bars, "", ending.letter)]


def _round_again(main: Piece, others: Sequence[Piece], left: int) -> list[Draft]:
    """Scenes for so many bars more: of other pieces and of the main one by turns."""
    added: list[Draft] = []
    turn = 0
    while left > 0:
        piece = main if turn % 2 else others[turn // 2 % len(others)]
        for scene in _core(piece) if piece is main else _best_of(_core(piece)):
            size = min(scene.bars, left)
            if size <= 0:
                break
            letter = scene.letter if piece is main else f"{scene.letter}{turn + 2}"
            added.append((piece, scene, size, "", letter))
            left -= size
        turn += 1
    return added


def _core(piece: Piece) -> list[Scene]:
    """The scenes of a piece without its intros and its ending; all where nothing else is left."""
    return [scene for scene in piece.scenes[:-1] if scene.kind != "intro"] or list(piece.scenes)


def _best_of(scenes: Sequence[Scene]) -> list[Scene]:
    """The three scenes that are worth most, in their order."""
    best = sorted(scenes, key=lambda scene: -_WORTH.get(scene.kind, 1.0))[:3]
    return sorted(best, key=lambda scene: scene.first)


def _join_stub(whole: list[Draft]) -> None:
    """Less than a phrase at the end belongs to the section before."""
    if whole[-1][2] < PHRASE and len(whole) > 1:
        stub = whole.pop()
        before = whole[-1]
        whole[-1] = (before[0], before[1], before[2] + stub[2], before[3], before[4])


def _lead_on(whole: list[Draft]) -> None:
    """What leads somewhere does not stand where nothing follows: the scene that it leads to stands there."""
    piece, scene, size, name, _ = whole[-1]
    if scene.kind in _LEADS:
        after = piece.scenes[piece.scenes.index(scene) + 1]
        whole[-1] = (piece, after, size, name, after.letter)
