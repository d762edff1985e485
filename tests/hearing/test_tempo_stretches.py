"""Stretches for tempos are as long as is asked, and of a whole piece what is in one tempo and one meter."""

from __future__ import annotations

from math import inf
from pathlib import Path
from random import Random

import pytest

from lab.hearing.material import steady, stretches
from lab.hearing.tempos import begun, lasting, sources
from lab.hearing.written import Written, songs
from libretto.formats import write
from libretto.hearing.notes import HeardNote
from libretto.score import QUARTER, Note, Score, Voice
from libretto.score.time import Meter, micros_of_bpm

FAST, SLOW = 240.0, 60.0


def octaves(bars: int) -> Voice:
    return Voice.of("Piano", [Note(n * QUARTER, QUARTER, 60 + 12 * (n % 3), 80) for n in range(4 * bars)])


def song(bars: int = 64) -> Score:
    """Eight bars in a fast tempo, then slow ones, a second a quarter."""
    tempos = ((0, micros_of_bpm(FAST)), (32 * QUARTER, micros_of_bpm(SLOW)))
    return Score.build([octaves(bars)], meters=((0, Meter(4, 4)),), tempos=tempos)


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    for folder in ("scores", "midi", "corpus/midi"):
        (tmp_path / folder).mkdir(parents=True)
        for number in range(3):
            write(song(), tmp_path / folder / f"{number}.mid")
    return tmp_path


def test_the_steady_part_is_the_longest_in_one_tempo_and_meter() -> None:
    assert steady(song()) == (32 * QUARTER, 256 * QUARTER)
    assert steady(song(bars=12)) == (0, 32 * QUARTER)
    meters = ((0, Meter(4, 4)), (240 * QUARTER, Meter(3, 4)))
    assert steady(Score.build([octaves(100)], meters=meters)) == (0, 240 * QUARTER)


def test_whole_songs_are_heard_in_their_steady_part(shared: Path) -> None:
    files = sorted((shared / "corpus" / "midi").glob("*.mid"))
    whole = list(songs(files, Random(1), 1, (inf,)))
    assert whole
    assert {piece.bpm for piece in whole} == {SLOW}
    assert all(150 < lasting(piece) < 225 for piece in whole)


@pytest.mark.parametrize(("seconds", "least", "most"), [(None, 15, 20.1), (40.0, 35, 40.1), (inf, 150, 225)])
def test_stretches_are_as_long_as_is_asked(shared: Path, seconds: float | None, least: float, most: float) -> None:
    cut = list(stretches(shared, "tempo", "dev", 5, 1, seconds))
    assert len(cut) == 5
    assert all(least < max(note.start for note in stretch.notes) < most for stretch in cut)


def test_songs_that_end_early_are_not_measured(shared: Path) -> None:
    files = sorted((shared / "corpus" / "midi").glob("*.mid"))
    drawn = [lasting(piece) for piece in songs(files, Random(1), 20, (100.0,))]
    assert min(drawn) < 80 < max(drawn)
    kept = [lasting(piece) for seed in range(20) for piece in sources(shared, "dev", seed, 100.0)["songs"]]
    assert kept
    assert min(kept) >= 80


def test_a_stretch_is_heard_up_to_a_moment() -> None:
    notes = [HeardNote(float(n), n + 1.5, 60 + n, 1.0) for n in range(4)]
    short = begun(Written("a", 60.0, "4/4", notes), 2.0)
    assert [(note.start, note.stop) for note in short.notes] == [(0, 1.5), (1, 2)]
