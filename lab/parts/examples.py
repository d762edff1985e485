"""What the ear for parts is taught with: real songs and excerpts of them, as they are and with one part damaged.

Conventions: a *lesson* is a song with several pieces: the whole, and excerpts of other forces and lengths. A piece is
there as it is and with some kinds of damage. Beside the kinds of the bench a semitone down teaches, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np

from libretto.bench.damage import Damaged, damage, damages
from libretto.corpus.forces import SIZES, cell_of, excerpt
from libretto.corpus.rows import plain_spellings
from libretto.faults.evidence import Seen, places_of
from libretto.faults.parts.evidence import heard_of
from libretto.score import Score
from libretto.score.table import Floats, Ints

__all__ = ["DOWN", "KINDS", "Lesson", "Notes", "Piece", "Take", "lesson_of"]

#: The damage that teaches beside that of the bench: the same in the other direction.
DOWN = {"semitone": "semitone down", "semitone for 8 bars": "semitone down for 8 bars"}
#: Every kind of damage there is a take of.
KINDS = (*damages, *DOWN.values())
_EXCERPTS = 4  # of a song
_WITH_NOTES = 2  # excerpts whose single notes teach
_SOME = 3  # kinds of damage that are done to an excerpt


@dataclass(frozen=True, eq=False)
class Notes:
    """The single notes of a piece that could be wrong: evidence, voice and bar, and which of them are."""

    rows: Floats
    voice: Ints
    bar: Ints
    wrong: Ints


@dataclass(frozen=True, eq=False)
class Take:
    """A piece as it is (``kind`` empty) or damaged: the evidence of its voices, and the voice that was damaged."""

    kind: str
    voice: int
    bars: tuple[int, int]
    voices: Ints
    whole: Floats
    passage_voice: Ints
    passage_bars: Ints
    passages: Floats
    notes: Notes | None = None


@dataclass(frozen=True, eq=False)
class Piece:
    """A song or an excerpt: its cell, and its takes, the first as it is."""

    cell: str
    bars: int
    takes: tuple[Take, ...]


@dataclass(frozen=True, eq=False)
class Lesson:
    """A song and its artist."""

    name: str
    group: str
    genre: str
    pieces: tuple[Piece, ...]


def lesson_of(name: str, group: str, genre: str, song: Score, seed: int) -> Lesson:
    """A song, whole and in excerpts, as it is and damaged."""
    chance = Random(f"{name} {seed}")
    pieces = [_piece(song, KINDS, seed, notes=True)]
    cells = [(size, length) for size in SIZES[1:] for length in ("short", "short", "middle", "whole")]
    for number, (size, length) in enumerate(chance.sample(cells, _EXCERPTS)):
        part = excerpt(song, size, length, number)
        if part is not None:
            pieces.append(_piece(part, tuple(chance.sample(KINDS, _SOME)), seed, notes=number < _WITH_NOTES))
    return Lesson(name, group, genre, tuple(pieces))


def _piece(score: Score, kinds: tuple[str, ...], seed: int, *, notes: bool) -> Piece:
    takes = [_take(score, None, "", notes, None)]
    before = Seen(score) if notes else None
    for kind in (*kinds, *(("wrong notes",) if notes and "wrong notes" not in kinds else ())):
        done = _done(score, kind, seed)
        if done is not None:
            takes.append(_take(done.score, done, kind, notes and kind == "wrong notes", before))
    return Piece(cell_of(score).key, score.bars, tuple(takes))


def _done(score: Score, kind: str, seed: int) -> Damaged | None:
    """Damage of a kind; a semitone down is the same damage with its notes two semitones lower."""
    plain = next((up for up, down in DOWN.items() if down == kind), kind)
    done = damage(score, plain, seed)
    if done is None or plain == kind:
        return done
    voices = []
    for old, new in zip(score.voices, done.score.voices, strict=True):
        if new.name == done.voice:
            notes = new.array.copy()
            moved = ~np.isin(notes[["onset", "pitch"]], old.array[["onset", "pitch"]])
            notes["pitch"][moved] = np.maximum(notes["pitch"][moved].astype(np.int64) - 2, 0)
            notes["spelling"][moved] = plain_spellings(notes["pitch"][moved].astype(np.int64))
            kept = np.sort(np.unique(notes[["onset", "pitch"]], return_index=True)[1])
            notes = notes[kept]
            notes = notes[np.lexsort((notes["pitch"], notes["onset"]))]
            new = new.with_notes(notes)
        voices.append(new)
    return Damaged(replace(done.score, voices=tuple(voices)), kind, done.voice, done.bars)


def _take(score: Score, done: Damaged | None, kind: str, notes: bool, before: Seen | None) -> Take:
    seen = Seen(score)
    heard = heard_of(seen)
    names = [voice.name for voice in score.voices]
    voice = names.index(done.voice) if done else -1
    first, last = (done.bars[0] - score.first_bar, done.bars[1] - score.first_bar + 1) if done else (0, 0)
    return Take(
        kind,
        voice,
        (first, last),
        heard.voices,
        heard.whole.astype(np.float32),
        heard.passage_voice,
        heard.passage_bars,
        heard.passages.astype(np.float32),
        _notes(seen, before) if notes else None,
    )


def _notes(seen: Seen, before: Seen | None) -> Notes:
    places = places_of(seen, "wrong-note")
    wrong = np.zeros(len(places.note), dtype=np.int64)
    if before is not None:
        known = np.stack((before.voice, before.onset, before.pitch), axis=1)
        there = {tuple(row) for row in known.tolist()}
        mine = np.stack((seen.voice, seen.onset, seen.pitch), axis=1)[places.note]
        wrong = np.array([tuple(row) not in there for row in mine.tolist()], dtype=np.int64)
    return Notes(places.rows.astype(np.float32), seen.voice[places.note], places.bar, wrong)
