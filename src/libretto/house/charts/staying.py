"""Staying: who has played does not fall silent for good because a chart has nothing more for its part.

A part may be written in some sections only: an answer in the verse, a pad in the bridge. Who would be silent for more
than a quarter of the piece once it has come in, though no brief told it to, takes another line that is written there,
or holds the chords or a tone of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from libretto.house.charts.chart import Scene
from libretto.house.charts.form import Passage
from libretto.house.charts.signs import sounds
from libretto.house.charts.skills import BASSES, BEATEN, CHORDS
from libretto.house.compose.band import DOUBLES, EFFECT, Player
from libretto.house.compose.plan import Plan

__all__ = ["staying"]

_LONGEST = 4  # one part of so many of a piece: for longer nobody is silent who has come in
_HEARD = 0.5  # of the bars of a section: a part that sounds in fewer is no line there
_ORDER = ("third", "second", "pad", "chords")
_LINES = ("third", "second")
_HELD = {True: ("pad", "C"), False: ("third", "~3")}  # what is written for chords, and for one note at a time

Bars = Mapping[str, Mapping[str, frozenset[int]]]


def staying(
    plan: Plan, units: Fraction, passages: Sequence[Passage], bars: Bars
) -> tuple[tuple[Passage, ...], dict[str, dict[str, frozenset[int]]]]:
    """The sections of a piece and the bars of everybody's parts, where nobody falls silent unasked."""
    laid = list(passages)
    made = {name: dict(mine) for name, mine in bars.items()}
    written: dict[tuple[Scene, str], Scene] = {}
    for player in plan.players:
        if not _may_stay(plan, player):
            continue
        for place in _gaps(laid, made.get(player.name, {}), plan.bars):
            part = _line(laid[place], player, made)
            if not part:
                part, sign = _HELD[player.polyphony >= CHORDS]
                laid[place] = _with_row(laid[place], part, f"{sign}:{units}", written)
            mine = made[player.name]
            mine[part] = mine.get(part, frozenset()) | _sounding(laid[place], part)
    return tuple(laid), made


def _may_stay(plan: Plan, player: Player) -> bool:
    """Whether somebody plays pitches and was not told where to be silent."""
    told = player.name in plan.resting or bool(plan.absent.get(player.name))
    apart = player.drums or player.program in BEATEN | BASSES or player.role in (EFFECT, DOUBLES)
    return not told and not apart


def _gaps(passages: Sequence[Passage], mine: Mapping[str, frozenset[int]], of: int) -> list[int]:
    """The places of sections in which somebody is silent for too long, once it has come in."""
    busy = set().union(*mine.values()) if mine else set()
    there = [bool(busy & set(range(one.first, one.first + one.bars))) for one in passages]
    places: list[int] = []
    for silent, group in groupby(range(len(passages)), key=lambda place: not there[place]):
        run = list(group)
        if silent and any(there[: run[0]]) and sum(passages[place].bars for place in run) * _LONGEST > of:
            places += run
    return places


def _line(passage: Passage, player: Player, made: Bars) -> str:
    """What somebody could play of what is written in a section: what nobody has there, else what suits its hands;
    nothing where there is none."""
    able = _ORDER if player.polyphony >= CHORDS else _LINES
    there = [part for part in able if len(_sounding(passage, part)) > _HEARD * passage.bars]
    there = [part for part in there if part != passage.scene.tune]
    start = passage.first
    taken = {part for mine in made.values() for part, bars in mine.items() if start in bars}
    return next((part for part in there if part not in taken), next((part for part in there if part == "pad"), ""))


def _sounding(passage: Passage, part: str) -> frozenset[int]:
    """The bars of a section in which a part sounds."""
    return frozenset(passage.first + bar for bar in range(passage.bars) if sounds(passage.bar(part, bar)))


def _with_row(passage: Passage, part: str, row: str, written: dict[tuple[Scene, str], Scene]) -> Passage:
    """A section with a part that is the same in every bar; what comes again stays one section."""

    def with_it(scene: Scene) -> Scene:
        if (scene, part) not in written:
            written[scene, part] = replace(scene, parts={**scene.parts, part: (row,)})
        return written[scene, part]

    backing = with_it(passage.backing) if passage.backing is not None else None
    return replace(passage, scene=with_it(passage.scene), backing=backing)
