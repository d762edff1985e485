"""Exemplars: short excerpts of typical songs, chosen to fit what is asked; and the record of what was shown.

They come from a cloud that the user has built and whose files are still there: the songs nearest the middle of a
genre, filtered by meter, tempo and size, each with the stretch that is most like the rest of it (never simply its
first bars). Where there is no such corpus, our own examples of the genre's idioms stand in. Everything that is shown
is kept in a ``Shown``, so that originality looks for it afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from libretto.corpus import Cloud, load_cloud, normal_scores
from libretto.corpus.store import cloud_names, load_songs, load_source
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.grammar import notate, parse
from libretto.knowledge.concept import Concept
from libretto.knowledge.retrieve import retrieve
from libretto.score import Meter, Score, take_bars

__all__ = ["Exemplar", "Shown", "exemplars", "fitting", "nearest_centre", "typical_stretch"]

_LOOKED_AT = 40  # songs nearest the centre that are read at most
_TEMPO = 1.25
_MOST_VOICES = 2.0


@dataclass(frozen=True)
class Exemplar:
    """An excerpt to learn from: what it is called, where it comes from, its bars there, and the music."""

    name: str
    source: str
    bars: tuple[int, int]
    score: Score = field(repr=False)


@dataclass
class Shown:
    """What a composer was shown: concepts in words, and music, in order, each once.

    A concept is told in words; its example counts as shown only where it was (``example``). An excerpt is the music
    that was really on the page: whoever cuts it keeps what is left.
    """

    concepts: list[Concept] = field(default_factory=list)
    excerpts: list[Exemplar] = field(default_factory=list)

    @property
    def keys(self) -> set[str]:
        """The names of what was shown, to be skipped from now on."""
        return {concept.key for concept in self.concepts} | {excerpt.name for excerpt in self.excerpts}

    def add(self, *shown: Concept | Exemplar) -> None:
        """Remember that something was shown: a concept in words, an excerpt with its music."""
        for item in shown:
            if isinstance(item, Concept):
                if item.key not in self.keys:
                    self.concepts.append(item)
            elif (item.name, item.bars) not in {(excerpt.name, excerpt.bars) for excerpt in self.excerpts}:
                self.excerpts.append(item)

    def example(self, concept: Concept) -> None:
        """Remember that a concept was shown with its example."""
        score = parse(concept.example)
        self.add(concept, Exemplar(concept.title, "libretto", (score.numbers[0], score.numbers[-1]), score))

    @property
    def cited(self) -> list[tuple[str, Score]]:
        """All music that was shown, by name: what ``judge`` takes as ``cited``."""
        return [(excerpt.name, excerpt.score) for excerpt in self.excerpts]


def exemplars(
    genre: str,
    *,
    cloud: str | None = None,
    meter: Meter | None = None,
    tempo: float | None = None,
    voices: int | None = None,
    bars: int = 8,
    limit: int = 2,
    skip: Sequence[str] = (),
) -> list[Exemplar]:
    """Excerpts typical of a genre that fit a meter, a tempo and a size; our own examples where there is no corpus."""
    excerpts: list[Exemplar] = []
    for name in [cloud] if cloud else cloud_names():
        folder = load_source(name)
        if folder is not None and genre in load_cloud(name).labels:
            excerpts += list(_of_corpus(name, folder, genre, meter, tempo, voices, bars, limit - len(excerpts), skip))
        if len(excerpts) >= limit:
            return excerpts
    return excerpts + list(_ours(genre, meter, limit - len(excerpts), skip))


def fitting(excerpt: Exemplar, longest: int) -> Exemplar:
    """As many bars of an excerpt, from its first, as its text has room for in so many characters; one at least."""
    score = excerpt.score
    bars = score.bars
    while bars > 1 and len(notate(score, compact=True)) > longest:
        bars = max(1, min(bars - 1, bars * longest // len(notate(score, compact=True))))
        score = take_bars(excerpt.score, excerpt.score.numbers[0], excerpt.score.numbers[bars - 1])
    return replace(excerpt, bars=(excerpt.bars[0], excerpt.bars[0] + bars - 1), score=score)


def _of_corpus(
    name: str,
    folder: Path,
    genre: str,
    meter: Meter | None,
    tempo: float | None,
    voices: int | None,
    bars: int,
    limit: int,
    skip: Sequence[str],
) -> Iterator[Exemplar]:
    """Excerpts of a user's songs, the most typical song first."""
    cloud, songs, given = load_cloud(name), load_songs(name), 0
    for row in nearest_centre(cloud, genre)[:_LOOKED_AT]:
        if given >= limit:
            return
        song = songs[row]
        path = (folder / song.path).resolve()
        if song.name in skip or not path.is_relative_to(folder.resolve()):
            continue
        try:
            score = read(path)
        except (LibrettoError, OSError):
            continue
        if _fits(score, meter, tempo, voices):
            first = typical_stretch(score, bars)
            last = min(first + bars, score.bars) - 1
            numbers = score.numbers[first], score.numbers[last]
            yield Exemplar(song.name, name, numbers, take_bars(score, *numbers))
            given += 1


def _fits(score: Score, meter: Meter | None, tempo: float | None, voices: int | None) -> bool:
    """Whether a song is like what is asked for, in meter, speed and size."""
    playing = sum(1 for voice in score.voices if len(voice.array))
    return (
        (meter is None or score.meter == meter)
        and (tempo is None or 1 / _TEMPO <= score.bpm / tempo <= _TEMPO)
        and (voices is None or 1 / _MOST_VOICES <= playing / voices <= _MOST_VOICES)
    )


def nearest_centre(cloud: Cloud, genre: str) -> list[int]:
    """The songs of a genre by their distance from its middle, the most typical first."""
    rows = np.flatnonzero(np.array([name == genre for name in cloud.genres]))
    places = np.nan_to_num(normal_scores(cloud.shares(cloud.values[rows])))
    away = np.linalg.norm(places - np.median(places, axis=0), axis=1)
    return [int(row) for row in rows[np.argsort(away, kind="stable")]]


def typical_stretch(score: Score, bars: int) -> int:
    """Where the stretch of so many bars begins whose notes are most like those of the whole piece."""
    table = score.table
    counts: NDArray[np.float64] = np.zeros((score.bars, 12 + len(score.voices)))
    np.add.at(counts, (table["bar"], table["pitch"] % 12), 1)
    np.add.at(counts, (table["bar"], 12 + table["voice"]), 1)
    if score.bars <= bars:
        return 0
    sums = np.concatenate((np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0)))
    windows = sums[bars:] - sums[:-bars]
    whole = counts.sum(axis=0)
    likeness = windows @ whole / np.maximum(np.linalg.norm(windows, axis=1) * np.linalg.norm(whole), 1e-9)
    on_phrase = np.arange(len(windows)) % 4 == 0
    return int(np.argmax(np.where(on_phrase, likeness, likeness - 1)))


def _ours(genre: str, meter: Meter | None, limit: int, skip: Sequence[str]) -> Iterator[Exemplar]:
    """Our own examples of a genre's idioms."""
    given = 0
    for concept in retrieve(genre=genre, base="composing", limit=50):
        if given >= limit:
            return
        score = parse(concept.example)
        if concept.title not in skip and (meter is None or score.meter == meter):
            given += 1
            yield Exemplar(concept.title, "libretto", (score.numbers[0], score.numbers[-1]), score)
