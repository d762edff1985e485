"""A grammar of briefs: one seed, one prompt with the attributes that composers are asked for, or with a few of them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from libretto.contract.degrees import read_degree
from libretto.score.keys import Key

__all__ = ["MadeBrief", "brief_by_grammar"]

_OFTEN = 0.6  # of the prompts say this or that
_VOWELS = "aeiou"


@dataclass(frozen=True)
class MadeBrief:
    """A prompt, and what it asks for by name of attribute."""

    text: str
    attributes: Mapping[str, str] = field(default_factory=dict)


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads(files("libretto.agents.briefing").joinpath("grammar.toml").read_text(encoding="utf-8"))


def brief_by_grammar(seed: str, *, abridged: bool = False) -> MadeBrief:
    """The prompt that a seed gives; ``abridged`` leaves key, chords, length and band to whoever composes."""
    tables, dice = _tables(), Random(f"brief {seed}")
    kind = dice.choice(tables["kind"])
    feeling = dice.choice(tables["feelings"])
    title = f"{dice.choice(tables['first_words'])} {dice.choice(tables['last_words'])}"
    tempo = dice.choice(tables["tempos"])
    scene = dice.choice(tables["images"]).format(scene=dice.choice(tables["scenes"]))
    said = {"name": title, "genre": str(kind["name"]), "feeling": feeling}
    words = {"feeling": feeling, "kind": kind["name"], "a": "an" if feeling[0] in _VOWELS else "a"}
    words["A"] = words["a"].capitalize()
    if abridged:
        opening = dice.choice(tables["bare_openings"]).format(**words)
        pace = [] if dice.random() < _OFTEN else [tempo[2]]
        said |= {"tempo": tempo[0]} if pace else {}
        return MadeBrief(_told(title, [opening, *pace, scene]), said)
    key = dice.choice(kind["keys"])
    chords = _chords(Key.parse(key), dice.choice(kind["minor" if "minor" in key else "chords"]))
    bars, cast = dice.choice(kind["bars"]), _players(kind["cast"], dice)
    opening = dice.choice(tables["openings"]).format(key=key, **words)
    course = dice.choice(tables["progressions"]).format(chords=dice.choice((", ", "-", " ")).join(chords), bars=bars)
    players = dice.choice(tables["casts"]).format(cast=_listed(cast)) + _who(cast, tables, dice)
    pace = [f"{opening} {tempo[1]}, {course}"] if dice.random() < _OFTEN else [f"{opening}, {course}", tempo[2]]
    more = [dice.choice(tables["motifs"])] if dice.random() < _OFTEN else []
    ending = [scene] if not more or dice.random() < _OFTEN else []
    said |= {
        "key": key, "tempo": tempo[0], "chord progression": ", ".join(chords), "bars": str(bars),
        "instruments": ", ".join(cast), "voices": str(len(cast)),
    }  # fmt: skip
    return MadeBrief(_told(title, [*pace, players, *more, *ending]), said)


def _told(title: str, sentences: Sequence[str]) -> str:
    return f"{title}: {' '.join(f'{sentence}.' for sentence in sentences)}"


def _chords(key: Key, numerals: str) -> list[str]:
    degrees = (read_degree(numeral) for numeral in numerals.split())
    return [degree.label(key) for degree in degrees if degree is not None]


def _players(cast: Sequence[str], dice: Random) -> list[str]:
    """All players, or all but one of those in the middle."""
    if len(cast) > 3 and dice.random() > _OFTEN:
        left_out = dice.randrange(1, len(cast) - 1)
        return [name for place, name in enumerate(cast) if place != left_out]
    return list(cast)


def _who(cast: Sequence[str], tables: Mapping[str, Any], dice: Random) -> str:
    """Who leads and who carries, at times."""
    if len(cast) < 2:
        return ""
    lead = dice.choice(tables["leads"]).format(lead=cast[0])
    low = [name for name in cast[1:] if "bass" in name or name == "cello"]
    below = f" {dice.choice(tables['basses']).format(bass=low[0])}" if low and dice.random() < _OFTEN else ""
    return f"; {lead}{below}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
