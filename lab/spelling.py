"""How well pieces are spelled: known names taken away and made again, and keys heard without the signature.

``python -m lab.spelling FOLDER`` reads every score of a folder that says how its notes are written (MusicXML, ABC, our
own text), in the folders below it, too. It throws away names and keys and prints, by subfolder and in all: notes named
as written when the key is heard as well, the same when a whole piece may be renamed by twelve fifths, notes named as
written when the keys are given, and pieces whose signature (the one that holds for most notes) is heard. ``--half 1``
takes every other piece by a digest of its path in the folder: what is shipped was learned from half 0 of others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lab.checkout import run
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import Score
from libretto.score.key_choice import readable_keys
from libretto.score.spelling import spell_notes

__all__ = ["Outcome", "main", "measured", "outcome_of"]

_SUFFIXES = (".mxl", ".musicxml", ".xml", ".abc", ".txt")
_FEWEST = 16  # notes: less is no piece
_TURNS = (-12, 0, 12)  # fifths: a whole piece under its other names


class Outcome(NamedTuple):
    """Counts of one or more pieces; they add up by ``plus``."""

    pieces: int = 0
    notes: int = 0
    heard: int = 0
    renamed: int = 0
    given: int = 0
    signatures: int = 0

    def plus(self, other: Outcome) -> Outcome:
        """Both together."""
        return Outcome(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def row(self, name: str) -> str:
        """One line of the table."""
        shares = [100 * count / max(self.notes, 1) for count in (self.heard, self.renamed, self.given)]
        heard, renamed, given = (f"{share:9.2f}" for share in shares)
        keys = f"{100 * self.signatures / max(self.pieces, 1):10.1f}"
        return f"{name:24}{self.pieces:7}{self.notes:9}{heard}{renamed}{given}{keys}"


def outcome_of(score: Score) -> Outcome:
    """What comes of one piece when its names and keys are made again."""
    pitched = np.array([not voice.drums for voice in score.voices], dtype=np.bool_)
    notes = score.table[pitched[score.table["voice"]]] if len(pitched) else score.table
    if len(notes) < _FEWEST:
        return Outcome()
    onset, duration, pitch, voice, written = (
        notes[column].astype(np.int64) for column in ("onset", "duration", "pitch", "voice", "spelling")
    )
    keys = readable_keys((), onset, duration, pitch, voice)
    names = spell_notes(onset, pitch, voice, keys).astype(np.int64)
    right = [int((names + turn == written).sum()) for turn in _TURNS]
    given = int((spell_notes(onset, pitch, voice, score.keys) == written).sum())
    starts = [tick for tick, _ in score.keys]
    signatures = np.array([key.signature for _, key in score.keys])
    here = signatures[np.searchsorted(starts, onset, side="right") - 1]
    values, counts = np.unique(here, return_counts=True)
    is_right = int(values[np.argmax(counts)]) == keys[0][1].signature
    return Outcome(1, len(notes), right[1], max(right), given, int(is_right))


def measured(folder: Path, half: int | None = None) -> Iterator[tuple[str, Outcome]]:
    """The group (the first folder below) and the outcome of every score that can be read."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.suffix.lower() not in _SUFFIXES or (half is not None and _half(name) != half):
            continue
        try:
            outcome = outcome_of(read(path))
        except LibrettoError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        yield (name.split("/")[0] if "/" in name else name.split("_")[0]), outcome


def _half(name: str) -> int:
    return int(sha256(name.encode()).hexdigest(), 16) % 2


def main(arguments: Sequence[str]) -> None:
    """Print the table for a folder of scores."""
    parser = argparse.ArgumentParser(description="Measure spelling and keys on scores whose spelling is known.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1))
    options = parser.parse_args(arguments)
    groups: dict[str, Outcome] = {}
    for group, outcome in measured(options.folder, options.half):
        groups[group] = groups.get(group, Outcome()).plus(outcome)
    print(f"{'':24}{'pieces':>7}{'notes':>9}{'heard':>9}{'renamed':>9}{'given':>9}{'signature':>10}")
    total = Outcome()
    for group, outcome in sorted(groups.items()):
        print(outcome.row(group))
        total = total.plus(outcome)
    print(total.row("all"))


if __name__ == "__main__":
    run(main, sys.argv[1:])
