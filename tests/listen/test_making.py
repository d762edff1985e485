"""Suites made here: balanced, opaque, reproducible, and true to their answers."""

from __future__ import annotations

import csv
import hashlib
import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

from libretto.errors import LibrettoError
from libretto.listen.chords import CHORD_TONES, make_hard_chord
from libretto.listen.making import COLUMNS, make_suite, makers, trials_in
from libretto.listen.solvers import interval_distance
from libretto.listen.stimuli import make_loop, same_contour, tune_pitches

pytest.importorskip("midirenderer", reason="needs the extra audio")
pytest.importorskip("soundfile", reason="needs the extra listen")


def rows_of(manifest: Path) -> list[dict[str, str]]:
    with open(manifest, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_suite(tmp_path_factory.mktemp("made") / "suite", trials=2, seed=3)


def test_the_manifest_has_the_published_columns(suite: Path) -> None:
    rows = rows_of(suite)
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == trials_in(2)
    assert {row["task"] for row in rows} == set(makers)
    for row in rows:
        for audio, digest in ((row["audio_1"], row["sha256_1"]), (row["audio_2"], row["sha256_2"])):
            if audio:
                data = (suite.parent / "audio" / audio).read_bytes()
                assert hashlib.sha256(data).hexdigest()[:16] == digest
        assert row["answer"] in row["choices"].split("|")


def test_no_clip_is_used_twice_and_names_say_nothing(suite: Path) -> None:
    rows = rows_of(suite)
    names = [row[column] for row in rows for column in ("audio_1", "audio_2") if row[column]]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[0-9a-f]{12}\.flac", name) for name in names)


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    again = make_suite(tmp_path / "again", trials=2, seed=3, tasks=["contour"])
    twice = make_suite(tmp_path / "twice", trials=2, seed=3, tasks=["contour"])
    assert again.read_bytes() == twice.read_bytes()


@pytest.mark.parametrize("offbeats", [0, 2, 4, 6, 8])
def test_loops_have_the_off_beats_they_claim(offbeats: int) -> None:
    for seed in range(20):
        heard = make_loop(Random(seed), offbeats).heard
        assert len(heard) == 16
        assert sum(slot % 2 == 0 for slot in heard) == offbeats


def test_answers_follow_from_what_is_played() -> None:
    for number in range(24):
        trial = makers["transposition"](Random(number), number)
        apart = interval_distance(trial.clips[0].heard, trial.clips[1].heard)
        assert (apart == 0) if trial.answer == "yes" else (apart >= 0.6)
        chord = makers["chord_quality_4"](Random(number), number)
        root = min(chord.clips[0].heard)
        tones = tuple(sorted({(pitch - root) % 12 for pitch in chord.clips[0].heard}))
        assert tones == CHORD_TONES[{"A": "major", "B": "minor", "C": "dominant", "D": "diminished"}[chord.answer]]


@pytest.mark.parametrize("quality", CHORD_TONES)
@pytest.mark.parametrize("instrument", ["piano", "guitar"])
def test_hard_chords_stand_on_their_root_and_hold_their_quality(quality: str, instrument: str) -> None:
    for seed in range(20):
        heard = make_hard_chord(Random(seed), quality, instrument).heard
        assert {(pitch - heard[0]) % 12 for pitch in heard} == set(CHORD_TONES[quality])


def test_a_tune_of_the_same_contour_is_another_tune() -> None:
    found = 0
    for seed in range(12):
        pitches, _ = tune_pitches(Random(seed))
        other = same_contour(Random(seed), pitches)
        if other is not None:
            found += 1
            assert np.sign(np.diff(other)).tolist() == np.sign(np.diff(pitches)).tolist()
            assert interval_distance(pitches, other) >= 0.6
    assert found >= 6


def test_bad_wishes_are_refused(tmp_path: Path) -> None:
    for wish in ({"trials": 0}, {"tasks": ["smell"]}, {"noise": 500.0}):
        with pytest.raises(LibrettoError):
            make_suite(tmp_path / "new", **wish)  # type: ignore[arg-type]
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("a", encoding="utf-8")
    with pytest.raises(LibrettoError, match="not an empty folder"):
        make_suite(tmp_path / "full", trials=1)
