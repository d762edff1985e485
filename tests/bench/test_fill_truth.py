"""How near fills come to what was there: laws of the measure, and fills beside copies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from libretto.bench.fill_truth import bench_truth, best_passage, songs_of, truth_lines
from libretto.bench.rivals import random_fill
from libretto.bench.truth import nearness
from libretto.errors import LibrettoError
from libretto.formats import write
from libretto.score import QUARTER, Note, Score, Voice
from libretto.tasks.fill.gap import emptied

BAR = 4 * QUARTER
A = ["C4 E4 G4 E4", "A3 C4 E4 C4", "F3 A3 C4 A3", "G3 B3 D4 B3"]
B = ["D4 F4 A4 F4", "E4 G4 B4 G4", "A3 C4 E4 C4", "D4 F#4 A4 D5"]


def form(letters: str) -> Score:
    """A song of four-bar phrases by letter, over a bass on the first note of each bar."""
    bars = [bar for letter in letters for bar in (A if letter == "A" else B)]
    tune = [
        Note.named(name, at * BAR + beat * QUARTER, QUARTER)
        for at, bar in enumerate(bars)
        for beat, name in enumerate(bar.split())
    ]
    bass = [Note.named(bar.split()[0][:-1] + "2", at * BAR, BAR) for at, bar in enumerate(bars)]
    return Score.build([Voice.of("Tune", tune, 73), Voice.of("Bass", bass, 33)])


def test_the_song_itself_is_as_near_as_can_be_and_noise_is_not() -> None:
    song = form("AABBAABBAABB")
    names = [voice.name for voice in song.voices]
    assert nearness(song, song, (8, 15)) == (1.0, 1.0, 1.0, 1.0, 1.0)
    silent = nearness(emptied(song, names, (8, 15)), song, (8, 15))
    assert silent == (0.0, 0.0, 0.0, 0.0, 0.0)
    noise = nearness(random_fill(song, names, (8, 15), 0), song, (8, 15))
    assert silent.mean < noise.mean < 0.8
    one, two = nearness(form("AAAAAAAAAAAA"), song, (8, 15)), nearness(song, form("AAAAAAAAAAAA"), (8, 15))
    assert one == pytest.approx(two)


def test_the_passage_that_fits_is_found_from_what_is_around() -> None:
    song = form("AABBAABBAABB")
    names = [voice.name for voice in song.voices]
    start = best_passage(emptied(song, names, (16, 23)), (16, 23))
    assert start in (0, 32)
    everything = emptied(song, names, (2, song.bars - 3))
    assert best_passage(everything, (2, song.bars - 3)) is None


def test_songs_teach_or_are_held_out(tmp_path: Path) -> None:
    for number in range(6):
        write(form("AABBAABBAABB"), tmp_path / f"song{number}.mid")
    taught = {name for name, _ in songs_of(tmp_path, 9, teaching=True)}
    held = {name for name, _ in songs_of(tmp_path, 9, teaching=False)}
    assert not taught & held
    assert len(taught | held) == 6


def test_a_list_of_songs_without_artists_takes_each_song_for_itself(tmp_path: Path) -> None:
    for number in range(6):
        write(form("AABBAABBAABB"), tmp_path / f"song{number}.mid")
    plain = {name for name, _ in songs_of(tmp_path, 9, teaching=True)}
    (tmp_path / "manifest.csv").write_text("file,meter\nsong0.mid,4/4\nsong1.mid,4/4\n")
    assert plain
    assert {name for name, _ in songs_of(tmp_path, 9, teaching=True)} == plain


def test_the_bench_prints_ours_beside_copies(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="no songs"):
        bench_truth(str(tmp_path))
    for number in range(4):
        write(form("AABBAABBAABB"), tmp_path / f"song{number}.mid")
    result = bench_truth(str(tmp_path), songs=2, teaching=not any(True for _ in songs_of(tmp_path, 1, teaching=False)))
    assert len(result.cases) in (1, 2)
    assert len(truth_lines(result)) == 4
    assert all(0 <= value <= 1 for case in result.cases for near in case.near.values() for value in near)


def test_fills_come_nearer_than_copies_of_songs_that_were_held_out(shared: Path) -> None:
    folder = shared / "corpus" / "midi"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there")
    result = bench_truth(str(folder), songs=14)
    ours, copied = ([case.near[way].mean for case in result.cases] for way in ("ours", "best passage"))
    assert np.mean(ours) > np.mean(copied)
