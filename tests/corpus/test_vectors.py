"""Marks, their index and the search: the same in every key, found when changed, read where they lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lab.scale.making import midi_bytes
from lab.scale.searching import changed
from libretto.corpus.overlap import Starts, starts_of
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.corpus.vectors.codes import nearest_codes, same_music
from libretto.corpus.vectors.marks import code_of, kept_marks, marks_of
from libretto.corpus.vectors.postings import Postings, open_postings, write_postings
from libretto.corpus.vectors.voting import votes
from libretto.errors import FormatError
from libretto.formats import formats
from libretto.score import QUARTER
from tests.corpus.tunes_made import tune

SONGS, BARS = 60, 48


def line_of(seed: int) -> Starts:
    rows = tune(seed, BARS)
    return Starts(rows[:, 0] * (QUARTER // 48), rows[:, 2], rows[:, 0] // 192)


@pytest.fixture(scope="module")
def lines() -> list[Starts]:
    return [line_of(seed) for seed in range(SONGS)]


@pytest.fixture(scope="module")
def index(lines: list[Starts], tmp_path_factory: pytest.TempPathFactory) -> Postings:
    kept = [kept_marks(marks_of(line)) for line in lines]
    path = tmp_path_factory.mktemp("index") / "marks.idx"
    write_postings(lambda: iter([(np.concatenate(kept), np.array([len(k) for k in kept]))]), len(kept), path)
    return open_postings(path)


def test_marks_are_the_same_in_every_key_and_at_every_time(lines: list[Starts]) -> None:
    for steps, later in ((5, 0), (-7, 3 * QUARTER), (12, QUARTER // 3)):
        moved = Starts(lines[0].onset + later, lines[0].pitch + steps, lines[0].bar)
        ours, theirs = kept_marks(marks_of(lines[0])), kept_marks(marks_of(moved))
        assert np.array_equal(ours["figure"], theirs["figure"])
        assert np.array_equal(ours["pitch"].astype(int) + steps, theirs["pitch"].astype(int))


def test_a_piece_of_three_places_has_no_marks() -> None:
    few = Starts(np.arange(3) * QUARTER, np.array([60, 62, 64]), np.zeros(3, dtype=np.int64))
    assert not len(marks_of(few).number)
    assert not any(code_of(kept_marks(marks_of(few))))


def test_copies_in_any_key_and_changed_are_found(lines: list[Starts], index: Postings) -> None:
    dice = np.random.default_rng(0)
    for way, least in (("as it is", 0.98), ("pitch", 0.9), ("step", 0.9), ("left out", 0.9)):
        hits = 0
        for number, line in enumerate(lines):
            piece = Starts(line.onset + 2 * QUARTER, line.pitch + int(dice.integers(-6, 7)), line.bar)
            piece = piece if way == "as it is" else changed(piece, way, dice)
            hits += number in [vote.song for vote in votes(index, marks_of(piece), 8)]
        assert hits >= least * len(lines), (way, hits)


def test_candidates_hold_what_all_notes_put_first(lines: list[Starts], index: Postings) -> None:
    scores = [formats["midi"].decode(midi_bytes(tune(seed, BARS), "")) for seed in range(12)]
    exact = join_tracks([track_piece(score) for score in scores])
    for number in (0, 5, 11):
        best = exact.nearest(scores[number], 1)[0].song
        assert best in [vote.song for vote in votes(index, marks_of(starts_of(scores[number])), 8)]


def test_songs_that_are_left_out_are_not_found(lines: list[Starts], index: Postings) -> None:
    first = votes(index, marks_of(lines[3]), 8)
    assert first[0].song == 3
    assert 3 not in [vote.song for vote in votes(index, marks_of(lines[3]), 8, frozenset({3}))]


def test_the_index_is_mapped_and_small(index: Postings) -> None:
    assert isinstance(index.table, np.memmap)
    assert index.table.nbytes <= 2_000 * SONGS


def test_shelves_do_not_show(lines: list[Starts], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from libretto.corpus.vectors import postings

    kept = [kept_marks(marks_of(line)) for line in lines]
    whole = (np.concatenate(kept), np.array([len(k) for k in kept]))
    single = [(k, np.array([len(k)])) for k in kept]
    write_postings(lambda: iter([whole]), len(kept), tmp_path / "a.idx")
    monkeypatch.setattr(postings, "_SHELF", 500)
    write_postings(lambda: iter(single), len(kept), tmp_path / "b.idx")
    assert (tmp_path / "a.idx").read_bytes() == (tmp_path / "b.idx").read_bytes()


def test_a_damaged_index_is_one_line(index: Postings, tmp_path: Path) -> None:
    for data in (b"", b"LBRTMARKS\0", b"x" * 100):
        (tmp_path / "marks.idx").write_bytes(data)
        with pytest.raises(FormatError):
            open_postings(tmp_path / "marks.idx")


def test_codes_tell_copies(lines: list[Starts]) -> None:
    codes = np.array([np.frombuffer(code_of(kept_marks(marks_of(line))), dtype=np.uint8) for line in lines])
    assert nearest_codes(codes, codes[7].tobytes(), 3)[0] == 7
    assert same_music(codes, codes).all()
    assert not same_music(codes[:-1], codes[1:]).any()
