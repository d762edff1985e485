"""Compose: a whole piece from a brief or a genre."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from libretto.contract import GENRES, Contract
from libretto.errors import LibrettoError, UnknownGenre
from libretto.tasks.kinds import task_kind, whole_number
from libretto.tasks.task import Task

__all__ = ["EXAMPLE", "compose_task"]

#: What to say where a brief says nothing.
EXAMPLE = "say for example 'a slow waltz in D minor for piano and violin, 32 bars'"
_SLOWEST, _FASTEST = 1, 1000  # quarters a minute
_SHOWN = 80  # characters of a brief that an error repeats


def compose_task(
    brief: str = "",
    *,
    contract: Contract | None = None,
    genre: str | None = None,
    bars: int | None = None,
    key: str | None = None,
    tempo: float | tuple[float, float] | None = None,
    meter: str | None = None,
    original: bool = True,
) -> Task:
    """The task of composing a brief, a contract or a genre; what is given beside them comes first.

    The piece is judged as the genre that is given, else as that of the style the brief names; music that belongs to
    none of the cloud's genres is judged as what it is.
    """
    if isinstance(tempo, int | float) and not _SLOWEST <= tempo <= _FASTEST:
        raise LibrettoError(f"tempo: {tempo:g} is not within {_SLOWEST} and {_FASTEST} quarters a minute")
    asked = contract or _read(brief.strip(), genre or "")
    if genre and genre != asked.genre:
        asked = replace(asked, style="")
    asked = asked.merge(genre=genre, bars=bars, key=key, tempo=tempo, meter=meter)
    length = (asked.bars, asked.bars) if asked.bars else None
    return Task("compose", brief.strip(), asked, genre or asked.judged_genre, length=length, original=original)


def _read(brief: str, genre: str) -> Contract:
    """The contract of a brief; where it says nothing a genre has to be given."""
    if not brief and not genre:
        raise LibrettoError("say what to compose: a brief, a contract or a genre")
    if genre and genre not in GENRES:
        raise UnknownGenre(genre, GENRES)
    asked = Contract.from_brief(brief) if brief else Contract()
    if brief and not genre and asked.understood_nothing:
        raise LibrettoError(f"nothing was understood in {brief[:_SHOWN]!r}; {EXAMPLE}")
    return asked


@task_kind("compose", "genre", "bars", "key", "tempo", "meter")
def _from_words(arguments: Sequence[str], options: Mapping[str, str]) -> Task:
    tempo = options.get("tempo")
    return compose_task(
        " ".join(arguments),
        genre=options.get("genre"),
        bars=whole_number(options, "bars", 0) or None,
        key=options.get("key"),
        tempo=float(whole_number(options, "tempo", 0)) if tempo else None,
        meter=options.get("meter"),
    )
