"""A piece laid over songs by compiled code: the same places as by numpy, to the last bit."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from libretto.corpus.buckets import BUCKET, BUCKETS, PLACES, REMAINDERS
from libretto.corpus.choosing import Places
from libretto.corpus.searching import Search
from libretto.corpus.spectra import Spectra, best_once
from libretto.score.table import Bools, Ints

pytest.importorskip("llvmlite", reason="needs the extra fast")

from libretto.corpus.laying.compiled import Lay, compiled, made
from libretto.corpus.laying.counted import Counted, counted

Piece = tuple[Ints, Ints, Ints]


def songs_of(seed: int, many: int, longest: int = 300) -> list[Bools]:
    """Songs of all lengths from no beat on; every fifth has beats of which all buckets are filled, or none."""
    rng = np.random.default_rng(seed)
    songs = [rng.random((int(rng.integers(0, longest)), BUCKETS)) < rng.uniform(0.2, 0.8) for _ in range(many)]
    for song in songs[::5]:
        song[rng.random(len(song)) < 0.3] = True
        song[rng.random(len(song)) < 0.3] = False
    return songs


def piece_of(seed: int, notes: int, beats: int, *, struck: int = 1) -> Piece:
    """Notes within some beats; ``struck`` is how often some of them are struck at once."""
    rng = np.random.default_rng(seed + 1000)
    beat = rng.integers(0, beats, notes)
    place, rest = rng.integers(0, PLACES, notes), rng.integers(0, REMAINDERS, notes)
    times = rng.integers(1, struck + 1, notes)
    beat, place, rest = (np.repeat(column, times) for column in (beat, place, rest))
    order = np.argsort(beat, kind="stable")
    return beat[order] - beat.min(), place[order], rest[order]


def same(mine: Places, theirs: Places) -> bool:
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in zip(mine, theirs, strict=True))


@pytest.fixture(scope="module")
def lay() -> Lay:
    return made()


@pytest.mark.parametrize(
    ("seed", "many", "notes", "beats", "struck"),
    [
        (0, 23, 1, 1, 1),
        (1, 64, 40, 7, 1),
        (2, 65, 300, 90, 3),
        (3, 150, 900, 128, 2),
        (4, 5, 2500, 120, 9),
        (5, 1, 60, 64, 1),
        (6, 90, 20, 128, 40),
    ],
)
def test_compiled_code_gives_the_places_of_numpy(
    lay: Lay, seed: int, many: int, notes: int, beats: int, struck: int
) -> None:
    songs, piece = songs_of(seed, many), piece_of(seed, notes, beats, struck=struck)
    mine = Counted(songs, lay).best(*piece)
    assert same(mine, best_once(songs, BUCKET, 128, [piece])[0])
    assert same(mine, Spectra(songs, BUCKET, 128).best(*piece))


def test_long_songs_are_cut_into_blocks_and_a_piece_may_be_longer_than_all(lay: Lay) -> None:
    songs, piece = songs_of(7, 12, 2500), piece_of(7, 4000, 1000)
    assert same(Counted(songs, lay).best(*piece), Spectra(songs, BUCKET, 1024).best(*piece))
    short = songs_of(8, 30, 20)
    assert same(Counted(short, lay).best(*piece), Spectra(short, BUCKET, 1024).best(*piece))


def test_a_song_that_is_the_piece_is_laid_where_it_was_cut_out(lay: Lay) -> None:
    beat, place, rest = piece_of(9, 500, 100)
    songs = songs_of(9, 70)
    copy = np.zeros((140, BUCKETS), dtype=np.bool_)
    copy[beat + 31, BUCKET[place, (rest + 3) % REMAINDERS]] = True
    share, distance, turn = Counted([*songs, copy], lay).best(beat, place, rest)
    assert (share[-1], distance[-1], turn[-1]) == (1.0, 31, 3)


def test_code_for_any_processor_gives_the_same() -> None:
    songs, piece = songs_of(10, 80), piece_of(10, 700, 120, struck=3)
    assert same(Counted(songs, made(plain=True)).best(*piece), best_once(songs, BUCKET, 128, [piece])[0])


def test_several_hands_give_what_one_gives(lay: Lay, monkeypatch: pytest.MonkeyPatch) -> None:
    songs, piece = songs_of(11, 300), piece_of(11, 900, 200)
    ways = []
    for hands in (1, 3):
        monkeypatch.setattr("libretto.corpus.laying.counted.hands_here", lambda hands=hands: hands)
        ways.append(Counted(songs, lay).best(*piece))
    assert same(*ways)


def test_the_first_question_is_answered_without_and_later_ones_with_it(
    lay: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    plainly = Counted.best
    monkeypatch.setattr(Counted, "best", lambda self, *piece: asked.append(len(piece[0])) or plainly(self, *piece))
    monkeypatch.setattr("libretto.corpus.laying.counted.compiled", lambda: lay._replace(most_notes=500))
    songs, search = songs_of(12, 70), Search(songs_of(12, 70))
    answers = []
    for notes in (100, 95, 501):
        piece = piece_of(notes, notes, 120)
        answers.append((search.best(121, [piece])[0], best_once(songs, BUCKET, 128, [piece])[0]))
    assert all(same(mine, theirs) for mine, theirs in answers)
    assert [number for number in asked if number in (100, 95, 501)] == [95]


@pytest.mark.parametrize("trouble", ["absent", "another version", "short vectors"])
def test_where_there_is_no_code_for_a_machine_there_is_none(trouble: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled.cache_clear()
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_features", lambda: {"avx2": trouble != "short vectors"})
    if trouble == "absent":
        monkeypatch.setitem(sys.modules, "llvmlite", None)
    if trouble == "another version":
        monkeypatch.delattr("llvmlite.binding.create_mcjit_compiler")
    assert compiled() is None
    compiled.cache_clear()


@pytest.mark.parametrize("code", [None, Lay(lambda *_: None, 5000)])
def test_where_there_is_no_code_or_it_counts_wrong_numpy_answers(
    code: Lay | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("libretto.corpus.laying.counted.compiled", lambda: code)
    songs, piece = songs_of(13, 20), piece_of(13, 80, 60)
    assert counted(songs) is None
    search = Search(songs)
    search.best(61, [piece])
    assert same(search.best(61, [piece])[0], best_once(songs, BUCKET, 128, [piece])[0])
