"""What one does with a piece, in one call each: the plain names that ``libretto`` exports.

Everything that composes returns a ``Run``: ``run.score`` is the best piece, ``run.passed`` says whether it passed every
gate, ``run.rounds`` holds each draft with its verdict. All of them take what ``How`` lists as keywords: ``composer``
names who writes (``house``, ``openai:...``, ``scripted``), ``seed`` makes the house's chance, ``rounds`` is the most
drafts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict, Unpack

from libretto.agents.composer import Setup
from libretto.agents.composer import composer as find_composer
from libretto.agents.loop import run_task
from libretto.corpus import index_folder, load_cloud, load_index
from libretto.errors import LibrettoError
from libretto.gates import Comparison, compare
from libretto.knowledge import Concept, Sighting, all_concepts, find_concept, find_in
from libretto.score import Score
from libretto.tasks import (
    Run,
    Task,
    accompany_task,
    drill_task,
    extend_task,
    fill_task,
    morph_task,
    read_wishes,
    revise_task,
)

__all__ = ["How", "accompany", "detect", "drill", "extend", "fill", "morph", "original", "revise"]


class How(TypedDict, total=False):
    """How a piece is composed: who writes (``house``), the most drafts (3), the seed (0), and what a model needs."""

    composer: str
    rounds: int
    seed: int
    setup: Setup


def _play(task: Task, how: How) -> Run:
    if unknown := sorted(set(how) - set(How.__annotations__)):
        known = ", ".join(How.__annotations__)
        raise TypeError(f"{task.kind} takes no keyword {', '.join(unknown)}; beside its own there are {known}")
    seed = how.get("seed", 0)
    composer = find_composer(how.get("composer", "house"), seed, how.get("setup"))
    return run_task(task, composer, rounds=how.get("rounds", 3), seed=seed)


def fill(
    song: Score,
    first: int,
    last: int,
    voices: Sequence[str] | str | None = None,
    *,
    genre: str | None = None,
    other: int = 0,
    **how: Unpack[How],
) -> Run:
    """Bars of a song (by number, both ends included) written anew, in all voices or those named; the rest stays.

    ``voices`` is a list of names, or a text with commas between them. ``other`` is how many takes there are already:
    the house passes over the ways that they went.
    """
    return _play(replace(fill_task(song, first, last, voices, genre), other=other), how)


def accompany(
    song: Score,
    voice: str,
    role: str | None = None,
    *,
    program: int | None = None,
    genre: str | None = None,
    **how: Unpack[How],
) -> Run:
    """One part written from the others: the voice of that name anew, or a new one where there is none."""
    return _play(accompany_task(song, voice, role, program, genre), how)


def extend(
    song: Score,
    bars: int = 8,
    at: str | int = "end",
    *,
    genre: str | None = None,
    other: int = 0,
    **how: Unpack[How],
) -> Run:
    """A song that goes on for so many bars (``end``), begins earlier (``start``), or opens before a bar."""
    return _play(replace(extend_task(song, bars, at, genre), other=other), how)


def morph(
    source: Score | str,
    target: Score | str,
    bars: int = 54,
    **how: Unpack[How],
) -> Run:
    """A piece that goes from one song or genre to another."""
    return _play(morph_task(source, target, bars), how)


def revise(
    score: Score,
    words: str,
    *,
    genre: str | None = None,
    **how: Unpack[How],
) -> Run:
    """A piece changed as told in words; ``run.task.unread`` holds what of them was not understood, and where that is
    all of them it is an error."""
    wishes, unread = read_wishes(words, score)
    if not wishes:
        raise LibrettoError(f"not understood: {'; '.join(unread) or words!r}; say for example 'a darker bridge'")
    return _play(replace(revise_task(score, wishes, words=words, genre=genre), unread=tuple(unread)), how)


def drill(
    concept: str,
    key: str = "",
    meter: str = "",
    bars: int | None = None,
    level: int | None = None,
    *,
    clef: str = "",
    tempo: float | None = None,
    instrument: str = "",
    **how: Unpack[How],
) -> Run:
    """One voice that practises one concept of theory; what is left out is as the concept's example has it."""
    task = drill_task(concept, key, meter, bars, level, clef, tempo=tempo, instrument=instrument)
    return _play(task, how)


def detect(score: Score, concept: str | None = None) -> list[tuple[Concept, list[Sighting]]]:
    """The concepts that a piece shows, each with the bars; of all that are known, or of the one that is named."""
    return find_in(score, all_concepts().values() if concept is None else [find_concept(concept)])


def original(
    score: Score, against: str | None = None, *, cloud: str = "default", genre: str | None = None, songs: int = 5
) -> Comparison:
    """What a piece shares with the songs most like it, and whether it is too much; ``against`` is a folder of music."""
    index = index_folder(against) if against is not None else load_index(cloud)
    if index is None:
        raise LibrettoError(f"the cloud {cloud} has no index to compare with; name a folder of music instead")
    return compare(score, index, load_cloud(cloud), genre=genre, songs=songs, source=against or "")
