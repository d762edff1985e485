"""Syllables of a MIDI file, put onto the notes that are sung: the part whose notes start where syllables stand.

Words are told apart as karaoke files do it: a blank, a slash or a backslash before a syllable, or a blank behind the
one before it, begins another word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from libretto.formats.syllables import BOW, Syllable, read_syllable, syllable_value
from libretto.score.marks import Mark
from libretto.score.table import Ints, distinct
from libretto.score.time import QUARTER

__all__ = ["lyric_values", "sung_marks"]

_NEAR = QUARTER // 8  # how far a syllable may stand from the note that it is sung to
_NEARLY = 0.9  # of as many syllables as any part has notes for
_LONGEST = 80  # letters of a syllable
_BEGINS = re.compile(r"\A[\s/\\]")
_CLEAN = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff/\\]+")
_EDGES = re.compile(r"\A[\s-]+|[\s-]+\Z")


def sung_marks(
    lyrics: Sequence[tuple[int, str]],
    voice: Ints,
    played: Ints,
    onset: Ints,
    duration: Ints,
    pitch: Ints,
    *,
    told: int | None = None,
) -> dict[int, list[Mark]]:
    """The marks of each part that sings, by its index.

    ``played`` is where each note starts in the file, ``onset`` and ``duration`` what became of it; syllables that no
    note of the part that sings starts with are left out. ``told`` is the part in whose track they stand: it sings if it
    has notes for nearly as many of them as any other part.
    """
    if not lyrics or not len(played):
        return {}
    ticks = np.array([tick for tick, _ in lyrics], dtype=np.int64)
    singer = _singer(ticks, voice, played, told)
    rows = np.flatnonzero(voice == singer)
    rows = rows[np.lexsort((-pitch[rows], played[rows]))]  # of a chord the highest note is sung
    starts, first = np.unique(played[rows], return_index=True)
    after = np.clip(np.searchsorted(starts, ticks), 1, max(len(starts) - 1, 1))
    before, after = after - 1, np.minimum(after, len(starts) - 1)
    near = np.where(np.abs(starts[before] - ticks) <= np.abs(starts[after] - ticks), before, after)
    away, near_rows = np.abs(starts[near] - ticks).tolist(), _highest(rows, onset, pitch)[first[near]].tolist()
    marks, taken = [], set[int]()
    for value, row, distance in zip(lyric_values([text for _, text in lyrics]), near_rows, away, strict=True):
        if value and distance <= _NEAR and row not in taken:
            taken.add(row)
            marks.append(Mark(int(onset[row]), "lyric", value, int(duration[row]), int(pitch[row])))
    return {singer: _agreeing(sorted(marks, key=lambda mark: mark.tick))} if marks else {}


def _singer(ticks: Ints, voice: Ints, played: Ints, told: int | None) -> int:
    """The part that sings: that of whose starts and the syllables most are together, or the one that is told."""
    starts: dict[int, Ints] = {part: distinct(played[voice == part]) for part in distinct(voice).tolist()}
    sung = {part: _together(ticks, there) for part, there in starts.items()}
    if told is not None and sung.get(told, 0) >= _NEARLY * max(sung.values()):
        return told
    return max(starts, key=lambda part: sung[part] / (len(ticks) + len(starts[part])))


def _together(ticks: Ints, there: Ints) -> int:
    """How many syllables stand at a start of a part."""
    place = np.clip(np.searchsorted(there, ticks), 1, max(len(there) - 1, 1))
    nearest = np.minimum(np.abs(ticks - there[place - 1]), np.abs(ticks - there[np.minimum(place, len(there) - 1)]))
    return int(np.count_nonzero(nearest <= _NEAR))


def _highest(rows: Ints, onset: Ints, pitch: Ints) -> Ints:
    """For each of some notes the highest that starts with it on the page, however they were played."""
    order = np.lexsort((-pitch[rows], onset[rows]))
    starts, first = np.unique(onset[rows][order], return_index=True)
    return np.asarray(rows[order][first[np.searchsorted(starts, onset[rows])]])


def _agreeing(marks: Sequence[Mark]) -> list[Mark]:
    """Marks, at least one; a word that goes on is gone on with, also where what stood between is sung by no note."""
    said = [read_syllable(mark.value) for mark in marks]
    on = [False, *(one.after or other.before for one, other in pairwise(said))]
    ends = [*on[1:], said[-1].after]
    return [
        mark
        if (one.before, one.after) == (before, after)
        else mark._replace(value=syllable_value(one._replace(before=before, after=after)))
        for mark, one, before, after in zip(marks, said, on, ends, strict=True)
    ]


def lyric_values(texts: Sequence[str]) -> list[str]:
    """Syllables as a lyric mark says them: a hyphen where the word goes on; empty for what is no syllable.

    >>> lyric_values(["A", "ve", " Ma", "ri", "a "])
    ['A-', '-ve', 'Ma-', '-ri-', '-a']
    >>> lyric_values(["Ma- ", "- ry ", "2:30"])
    ['Ma-', '-ry', '\\\\2:30']
    """
    plain = [_CLEAN.sub(" ", text).strip()[:_LONGEST].strip() for text in texts]
    said = [_EDGES.sub("", text) for text in plain]
    begins = [_begins(texts, plain, index) for index in range(len(texts))]
    values = []
    for index, text in enumerate(said):
        on = index + 1 < len(plain) and not begins[index + 1] and bool(plain[index + 1])
        sung = Syllable(1, text.split(BOW), not begins[index], on or plain[index].endswith("-"), held=False)
        values.append(syllable_value(sung) if text else "")
    return values


def _begins(texts: Sequence[str], plain: Sequence[str], index: int) -> bool:
    """Whether a word begins with a syllable: blanks say so, but hyphens between two syllables say more."""
    if not index:
        return True
    before, here = plain[index - 1], plain[index]
    if before.strip("-") and here.strip("-") and (before.endswith("-") or here.startswith("-")):
        return False
    return bool(_BEGINS.match(texts[index])) or texts[index - 1][-1:].isspace()
