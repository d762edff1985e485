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
    if not brief.strip() and contract is None and not genre:
        raise LibrettoError("say what to compose: a brief, a contract or a genre")
    if genre and genre not in GENRES:
        raise UnknownGenre(genre, GENRES)
    asked = contract or (Contract.from_brief(brief) if brief.strip() else Contract())
    if brief.strip() and contract is None and not genre and asked.understood_nothing:
        raise LibrettoError(f"nothing was understood in {brief.strip()[:_SHOWN]!r}; {EXAMPLE}")
    if genre and genre != asked.genre:
        asked = replace(asked, style="")
    asked = asked.merge(genre=genre, bars=bars, key=key, tempo=tempo, meter=meter)
    length = (asked.bars, asked.bars) if asked.bars else None
    return Task("compose", brief.strip(), asked, genre or asked.judged_genre, length=length, original=original)


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
