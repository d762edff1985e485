"""Which songs and tunes may be taught: none that is for choosing or held out, under whatever name it lies elsewhere.

A quarter of ``corpus/lakh`` are songs that ``corpus/midi`` has as well. Songs are one where their titles are, whoever
plays them and whichever number stands behind ("Crazy.2"): some that differ are left out so. Titles do not tell all
("Hazy Shade of Winter", "A Hazy Shade of Winter"), so that songs are also compared by their turns: runs of ten steps
of a voice. None is taught that shares a tenth of its turns, or of the other's, with a song that is measured.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.score import Score

__all__ = ["measured_songs", "plain_title", "taught_songs", "tune_titles", "turns_of", "without_copies"]

_BRACKETS, _OTHER = re.compile(r"\(.*?\)|\[.*?\]"), re.compile(r"[^a-z0-9]")
_NUMBERED = re.compile(r"\.\d+$")
_THIRDS = 3
_STEPS, _DIFFERENT = 10, 5  # of a turn, and how many of them must differ: scales and trills are everybody's
_SHARED, _FEWEST = 0.1, 20  # the part of turns that two songs share, and turns that a short song counts as


def plain_title(title: str) -> str:
    """A title without brackets, blanks, signs and the number of a copy.

    >>> plain_title("Don't Stop (Live)"), plain_title("Crazy.2")
    ('dontstop', 'crazy')
    """
    lower = _NUMBERED.sub("", title.lower())
    return _OTHER.sub("", _BRACKETS.sub("", lower)) or lower


def taught_songs(shared: Path) -> list[Path]:
    """The files of ``corpus`` that are for teaching: a third of ``midi``, and what else is none of the other two."""
    folder = shared / "corpus" / "midi"
    files = sorted(folder.rglob("*.mid"))
    titles = {row["file"]: plain_title(row["title"]) for row in _rows(folder)}
    names = {file: titles.get(file.relative_to(folder).as_posix(), file.stem) for file in files}
    apart = {names[file] for third in range(1, _THIRDS) for file in files[third::_THIRDS]}
    own = [file for file in files[::_THIRDS] if names[file] not in apart]
    for other in ("lakh", "paper314"):
        folder = shared / "corpus" / other
        free = {row["id"] for row in _rows(folder) if plain_title(row["title"]) not in apart}
        own += [file for file in sorted(folder.rglob("*.txt")) if file.stem in free]
    return own


def measured_songs(shared: Path) -> list[Path]:
    """The files that are for choosing or held out: two thirds of ``corpus/midi``, and all that clips are made of."""
    files = sorted((shared / "corpus" / "midi").rglob("*.mid"))
    clips = [*sorted((shared / "scores").glob("*.*")), *sorted((shared / "midi").glob("*.mid"))]
    return [file for place, file in enumerate(files) if place % _THIRDS] + clips


def without_copies(files: Sequence[Path], apart: Iterable[Path]) -> list[Path]:
    """The files whose songs are, by their turns, none of those to be kept apart."""
    others = [turns for file in apart if (turns := _turns_in(file))]
    where: dict[bytes, list[int]] = {}
    for number, turns in enumerate(others):
        for turn in turns:
            where.setdefault(turn, []).append(number)
    return [file for file in files if not _is_copy(_turns_in(file), others, where)]


def _is_copy(turns: set[bytes], others: Sequence[set[bytes]], where: dict[bytes, list[int]]) -> bool:
    shared = Counter(number for turn in turns for number in where.get(turn, ()))
    return any(
        count >= _SHARED * max(_FEWEST, min(len(turns), len(others[number]))) for number, count in shared.items()
    )


def _turns_in(file: Path) -> set[bytes]:
    try:
        return turns_of(read(file))
    except LibrettoError:
        return set()


def turns_of(score: Score) -> set[bytes]:
    """Every run of ten steps, from top note to top note of a voice, that is no scale and no trill."""
    turns: set[bytes] = set()
    for voice in score.voices:
        if voice.drums or not len(voice.notes):
            continue
        rows = voice.array[np.lexsort((-voice.array["pitch"].astype(np.int64), voice.array["onset"]))]
        _, tops = np.unique(rows["onset"], return_index=True)
        steps = np.diff(rows["pitch"][tops].astype(np.int64)).astype(np.int8)
        runs = (steps[place : place + _STEPS] for place in range(len(steps) - _STEPS + 1))
        turns |= {run.tobytes() for run in runs if len(set(run.tolist())) >= _DIFFERENT}
    return turns


def tune_titles(shared: Path) -> set[str]:
    """The titles of the tunes that clips are made of."""
    texts = [file.read_text(encoding="utf-8") for file in sorted((shared / "scores").glob("*.abc"))]
    return {plain_title(title) for text in texts for title in re.findall(r"^T:\s*(.*)$", text, re.MULTILINE)}


def _rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
