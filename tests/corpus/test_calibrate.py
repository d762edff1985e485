"""Clouds are calibrated on music they have not seen, and tell genres and chance apart."""

from __future__ import annotations

import random

import numpy as np
import pytest

from libretto.axes import measure, ordered_axes
from libretto.bench.representation.axes import fit_logistic
from libretto.corpus.calibrate import Copies, assemble, ceiling_of
from libretto.corpus.classifier import fit_discriminant, normal_scores
from libretto.corpus.cloud import Cloud, of_profiles
from libretto.corpus.rows import WAYS, WINDOW_BARS, SongRow, row_of, shaken, window_starts
from libretto.corpus.statistics import folds, hold_out, macro_f1
from libretto.score import QUARTER, Note, Score, Voice

SCALE = (0, 2, 4, 5, 7, 9, 11)


def song(genre: str, seed: int, bars: int = 40) -> Score:
    """A little piece: ``slow`` in long low notes, ``fast`` in short high ones, both in a scale and by step."""
    rng = random.Random(f"{genre} {seed}")
    step = QUARTER if genre == "fast" else 4 * QUARTER
    degree, notes = 7, []
    for index in range(bars * 4 * QUARTER // step):
        degree = max(0, min(20, degree + rng.choice((-1, 1, 1, -1, 2, -2))))
        pitch = (60 if genre == "fast" else 36) + 12 * (degree // 7) + SCALE[degree % 7]
        notes.append(
            Note(index * step, step // (1 + index % 2), pitch, 60 + rng.randrange(40), (pitch * 7 + 5) % 12 - 5)
        )
    return Score.build([Voice.of("A", notes, program=0 if genre == "fast" else 40)], bars=bars)


@pytest.fixture(scope="module")
def rows() -> list[SongRow]:
    return [row_of(song(genre, seed), genre, f"{genre} {seed % 6}") for genre in ("fast", "slow") for seed in range(18)]


def test_a_cloud_tells_its_genres_apart_on_artists_it_has_not_seen(rows: list[SongRow]) -> None:
    cloud = assemble("two", rows)
    held = hold_out(cloud)
    assert macro_f1(cloud.genres, held.guesses()) == 1.0
    assert cloud.gauges is not None
    assert cloud.gauges.songs["fast"].mistaken == 0.0
    assert cloud.gauges.songs["fast"].count == 18
    reading = cloud.resemblance(measure(song("fast", 99)))
    assert next(iter(reading)) == "fast"
    assert sum(reading.values()) == pytest.approx(1.0)


def test_songs_of_one_artist_share_a_fold_and_genres_are_spread() -> None:
    groups = [index // 3 for index in range(60)]
    genres = ["a" if index % 2 else "b" for index in range(60)]
    fold = folds(groups, genres)
    assert all(len({int(fold[i]) for i in range(60) if groups[i] == g}) == 1 for g in set(groups))
    counts = np.bincount(fold, minlength=5)
    assert counts.min() >= 9
    assert fold.tolist() == folds(groups, genres).tolist()


def test_order_tells_real_notes_from_random_ones(rows: list[SongRow]) -> None:
    cloud = assemble("two", rows)
    assert cloud.gauges is not None
    assert cloud.gauges.order.fooled <= 0.1
    fresh = song("fast", 77)
    for way in WAYS:
        real, noise = (normal_scores(cloud.shares(cloud.row(measure(s)))) for s in (fresh, shaken(fresh, way)))
        assert cloud.gauges.order.of(real)[0] > cloud.gauges.order.of(noise)[0]


def test_a_cloud_survives_its_text(rows: list[SongRow]) -> None:
    cloud = assemble("two", rows, copies=Copies([0.3] * len(rows), {8: [0.2, 0.4]}))
    again = Cloud.from_json(cloud.to_json())
    assert again.to_json() == cloud.to_json()
    assert again.gauges is not None
    assert again.gauges.songs["slow"].ceiling == pytest.approx(0.36)
    assert [region.bars for region in again.gauges.regions] == list(WINDOW_BARS)


def test_the_same_rows_give_the_same_bytes(rows: list[SongRow]) -> None:
    assert (
        assemble("two", rows).to_json() == assemble("two", [SongRow.from_dict(row.to_dict()) for row in rows]).to_json()
    )


def test_ceilings_keep_within_the_published_bounds() -> None:
    assert ceiling_of(np.array([0.0, 0.1])) == 0.30
    assert ceiling_of(np.array([0.9])) == 0.45
    assert ceiling_of(np.array([])) == 0.30


def test_shaking_keeps_what_it_says_and_is_repeatable() -> None:
    piece = song("fast", 1)
    assert shaken(piece, "places") == shaken(piece, "places")
    kept = shaken(piece, "pitches").voices[0].array
    assert set(kept["onset"].tolist()) <= set(piece.voices[0].array["onset"].tolist())
    assert kept["pitch"].min() >= piece.voices[0].array["pitch"].min()
    assert kept["pitch"].tolist() != piece.voices[0].array["pitch"].tolist()


def test_windows_lie_inside_and_sound() -> None:
    piece = song("slow", 1, bars=20)
    for bars in WINDOW_BARS:
        starts = window_starts(piece, bars)
        assert all(0 <= start <= piece.bars - bars for start in starts)
        assert bool(starts) == (piece.bars >= 2 * bars)


@pytest.mark.parametrize("fit", [fit_discriminant, fit_logistic])
def test_classifiers_learn_and_weigh_genres_equally(fit) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(1)
    scores = np.concatenate([rng.normal(-1, 1, (90, 3)), rng.normal(1, 1, (10, 3))])
    classifier = fit(scores, ["many"] * 90 + ["few"] * 10)
    logs = classifier.log_shares(np.zeros((1, 3)))[0]
    assert np.exp(logs).sum() == pytest.approx(1.0)
    assert abs(np.exp(logs)[0] - 0.5) < 0.25, "a point in the middle belongs to neither, however many songs each has"
    guesses = classifier.log_shares(scores).argmax(axis=1)
    truth = [classifier.genres.index(name) for name in ["many"] * 90 + ["few"] * 10]
    assert np.mean(guesses == truth) > 0.9


def test_genres_weigh_equally_in_percentiles() -> None:
    name = ordered_axes()[0].name
    profiles = [{name: float(value)} for value in [1] * 9 + [2]]
    cloud = of_profiles("c", profiles, ["a"] * 9 + ["b"])
    assert cloud.percentile(name, 1.5) == 50
    assert of_profiles("c", profiles, ["a"] * 9 + ["b"], rule="at or below").percentile(name, 1.5) == 90


def test_bands_are_a_genres_own() -> None:
    name = ordered_axes()[0].name
    cloud = of_profiles("c", [{name: float(v)} for v in range(21)], ["a"] * 11 + ["b"] * 10)
    assert cloud.bands("a")[name] == (0.5, 2.5, 5.0, 7.5, 9.5)
