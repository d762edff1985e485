"""Sections: a name that stands for many players is several chairs where nobody else has their parts.

Strings beside a piano are one part. Strings by themselves are violins, violas, cellos and basses, and a choir by itself
sings in four parts where these are written.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

from libretto.contract import Contract, Part
from libretto.contract.instruments import instruments
from libretto.house.charts.skills import SUNG
from libretto.house.compose.band import EFFECT, Player, choir_of, player_of_program
from libretto.score.pitch import parse_pitch

__all__ = ["in_chairs", "of_chairs"]

_CHORDS = 4  # notes at once of who could accompany
_MOST = 8  # players with pitches, beyond whom no chairs are added
_ASIDE = ("bells", "timpani", "percussion", "drums")  # families that take nothing from a section
_ONCE = {"bass", "pad"}  # roles that one player has
_Told = TypeVar("_Told")


class _Chair(NamedTuple):
    """One chair of a section: what it is called and does, its program, its range, and its notes at once."""

    name: str
    role: str
    program: int | None
    low: int
    high: int
    notes: int


@cache
def _chairs() -> Mapping[str, tuple[_Chair, ...]]:
    """The chairs of every section by its instrument."""
    said = tomllib.loads((files(__package__) / "sections.toml").read_text("utf-8"))
    return {name: tuple(map(_chair, rows)) for name, rows in said.items()}


def _chair(row: Mapping[str, Any]) -> _Chair:
    low, high = ((parse_pitch(name) or (0, 0))[0] for name in row["span"])
    return _Chair(row.get("name", ""), row["role"], row.get("program"), low, high, row["notes"])


def in_chairs(players: Sequence[Player], contract: Contract, sung: bool = False) -> list[Player]:
    """The players of a band in which every section that was asked for, and has nobody to accompany it, sits in its
    chairs, a choir where its lines are ``sung`` one by one; nobody is added where a brief says how many play."""
    if any(ask.kind == "voices" for ask in contract.asks):
        return list(players)
    stabbing = _stabbing(contract)
    parts = {part.name: part for part in contract.parts if part.instrument in instruments}
    made: list[Player] = []
    for at, player in enumerate(players):
        others = [one for one in (*made, *players[at + 1 :]) if not one.drums and one.role != EFFECT]
        chairs = _chairs_of(parts.get(player.name), [parts.get(one.name) for one in others], others)
        chairs = chairs if (sung or player.program not in SUNG) and player.name not in stabbing else ()
        made += _seated(player, chairs, others) if 0 < len(chairs) <= _MOST - len(others) else [player]
    return made


def _stabbing(contract: Contract) -> set[str]:
    """Who is told to stab and does not lead: a section that strikes as one."""
    told = {ask.who for ask in contract.asks if (ask.kind, ask.what) == ("manner", "stabs")}
    return told - {part.name for part in contract.parts if part.role == "lead"}


def of_chairs(told: Mapping[str, _Told], players: Sequence[Player]) -> dict[str, _Told]:
    """What is told of players by name, told of every chair of a section as well."""
    heads = {player.name: player.name.partition(" (")[0] for player in players}
    return {**told, **{name: told[head] for name, head in heads.items() if head != name and head in told}}


def _chairs_of(part: Part | None, others: Sequence[Part | None], players: Sequence[Player]) -> Sequence[_Chair]:
    """The chairs of somebody who is a section by itself; none of anybody else."""
    section = "" if part is None else choir_of(part) or part.instrument
    if part is None or section not in _chairs():
        return ()
    beside = any(_with_chords(player, other) for player, other in zip(players, others, strict=True))
    return () if beside else _chairs()[section]


def _with_chords(player: Player, part: Part | None) -> bool:
    """Whether somebody could accompany a section, and is neither bells or drums nor another section."""
    aside = part is not None and (instruments[part.instrument].family in _ASIDE or part.instrument in _chairs())
    return player.polyphony >= _CHORDS and not aside


def _seated(player: Player, chairs: Sequence[_Chair], others: Sequence[Player]) -> list[Player]:
    """A section in its chairs: the first is the player itself, the others do what nobody else was asked to do."""
    first, *rest = chairs
    taken = {one.role for one in others}
    leads = player.role == "lead" or "lead" not in taken
    role = first.role if leads else player.role
    made = [_in_chair(replace(player, role=role), first)]
    for chair in rest:
        if chair.role not in _ONCE & (taken | {role}):
            made.append(_in_chair(player_of_program(f"{player.name} ({chair.name})", chair.role, chair.program), chair))
    return made


def _in_chair(player: Player, chair: _Chair) -> Player:
    """Somebody with the compass of a chair: no violin goes below its lowest string."""
    bottom = max(player.bottom, chair.low)
    return replace(player, low=chair.low, high=chair.high, bottom=bottom, polyphony=chair.notes)
