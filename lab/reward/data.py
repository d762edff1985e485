"""What a small model is taught: tunes that may be used and pieces of our own, as tokens, in one file.

``python -m lab.reward.data MUSIC -o FILE`` writes it: real tunes of old books in several keys, and pieces of
the house. The file holds numbers of tokens, the tokens, which texts are kept
aside, and marks of the turns of all that is taught, so that reciting can be told. It stays out of the repository.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from lab.checkout import run
from lab.reward.tokens import Vocabulary, split
from libretto.agents import compose
from libretto.bench.spotting import number_of
from libretto.bench.tunes.scores import COLLECTIONS, tunes_of
from libretto.errors import LibrettoError
from libretto.grammar import notate
from libretto.reward.memory import Memory, turns_of
from libretto.score import Score, played, transpose

__all__ = ["LONGEST", "briefs", "main", "plain", "tunes_in"]

LONGEST = 900  #: tokens of a text
_KEYS = (0, -4, -2, 3, 5)  # semitones by which tunes are moved
_HELD = 20  # one group in so many is kept aside
_BARS = (8, 48)
_LEAST = 8  # times that a token must be met
_LOUD = 80
_SOLOS = ("violin", "flute", "clarinet", "oboe", "accordion", "piano", "guitar", "cello")
_KINDS = ("reel", "jig", "waltz", "march", "air", "lullaby", "minuet", "polka", "hymn", "folk song")
_TONICS = ("C major", "G major", "D major", "F major", "A minor", "D minor", "E minor", "B flat major")


def plain(score: Score) -> Score:
    """A piece as it is taught: notes alone, all equally loud, no marks, names or sections."""
    voices = []
    for voice in score.voices:
        rows = voice.array.copy()
        rows["velocity"] = _LOUD
        voices.append(replace(voice, marks=(), controls=voice.controls[:0]).with_notes(rows))
    return replace(score, voices=tuple(voices), marks=(), sections=(), title="")


def _tune_rows(tune: tuple[str, Score]) -> list[tuple[str, str, Score]]:
    """Group, text and piece of a tune in several keys."""
    group, score = tune
    rows = []
    for far in _KEYS:
        try:
            rows.append((group, notate(transpose(score, far) if far else score), score))
        except LibrettoError:
            continue
    return rows


def tunes_in(folder: Path, most: int | None) -> Iterator[tuple[str, Score]]:
    """The tunes that are neither too short nor too long, with their groups."""
    for collection in COLLECTIONS:
        for group, tune in list(tunes_of(folder, collection))[:most]:
            if _BARS[0] <= tune.bars <= _BARS[1]:
                yield group, tune


def briefs(count: int) -> list[str]:
    """Modest briefs for one or two players."""
    dice = Random(count)
    made = []
    for number in range(count):
        who = dice.choice(_SOLOS)
        pair = f"{who} and cello" if number % 2 and who != "cello" else f"solo {who}"
        made.append(f"A {dice.choice(_KINDS)} for {pair} in {dice.choice(_TONICS)}, 16 bars")
    return made


def _house_rows(asked: tuple[int, str]) -> list[tuple[str, str, Score]]:
    """The same of a piece that the house composes."""
    number, brief = asked
    try:
        made = compose(brief, rounds=1, seed=number).score
        score = plain(played(made)) if made is not None else None
        return [(f"house {number}", notate(score), score)] if score is not None else []
    except LibrettoError:
        return []


def _all_rows(folder: Path, house: int, tunes: int | None, jobs: int) -> list[tuple[str, str, Score]]:
    works = list(tunes_in(folder, tunes))
    asked = list(enumerate(briefs(house)))
    if jobs == 1:
        return [row for rows in (*map(_tune_rows, works), *map(_house_rows, asked)) for row in rows]
    with ProcessPoolExecutor(jobs or None) as pool:
        mine = pool.map(_house_rows, asked, chunksize=2)
        return [row for rows in (*pool.map(_tune_rows, works, chunksize=50), *mine) for row in rows]


def main(arguments: Sequence[str]) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description="Make what a small model is taught.")
    parser.add_argument("music", type=Path, help="the folder that holds tunes/")
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--house", type=int, default=150, help="pieces of our own")
    parser.add_argument("--tunes", type=int, default=None, help="so many tunes of each collection at most")
    parser.add_argument("--jobs", type=int, default=1, help="processes; 0 is one a core")
    asked = parser.parse_args(arguments)
    rows = _all_rows(asked.music / "tunes", asked.house, asked.tunes, asked.jobs)
    texts = [(group, split(text)) for group, text, _ in rows]
    words = Vocabulary.of((tokens for _, tokens in texts), _LEAST if asked.tunes is None else 1)
    kept = [(g, words.encode(t)) for g, t in texts if len(t) <= LONGEST and all(token in words.numbers for token in t)]
    held = [number_of(group) % _HELD == 0 for group, _ in kept]
    taught = {score.digest: score for group, _, score in rows if number_of(group) % _HELD}.values()
    memory = Memory.of_turns([turns_of(played(score)) for score in taught])
    ends = np.cumsum([len(numbers) for _, numbers in kept])
    np.savez_compressed(
        asked.out,
        tokens=np.concatenate([np.array(numbers, dtype=np.uint16) for _, numbers in kept]),
        ends=ends.astype(np.int64),
        held=np.array(held, dtype=np.bool_),
        words=np.frombuffer(json.dumps(words.words).encode(), dtype=np.uint8),
        memory=np.frombuffer(memory.to_bytes(), dtype=np.uint8),
    )
    size = asked.out.stat().st_size / 1e6
    print(f"{len(kept)} texts of {len(rows)}, {int(ends[-1]):,} tokens, {len(words.words)} kinds, {size:.1f} MB")


if __name__ == "__main__":
    run(main, sys.argv[1:])
