"""Roads between genres read windows of real songs as they should, and say where they cannot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lab.gauges.genre_roads import Windows, held_out_shares, points_of
from libretto.corpus import load_cloud
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.tasks import morph_task
from libretto.tasks.morph.genre_roads import FAR, NEAR, TRUSTED, genre_road, load_genres, trust_in_words
from libretto.tasks.morph.road import rows_of_windows

TABLE = load_genres()


def made(apart: float, seed: int = 0) -> Windows:
    """Windows of sixty songs of two genres that lie so far apart on the first of five axes."""
    rng = np.random.default_rng(seed)
    rows, genres, songs = [], [], []
    for song in range(60):
        middle = rng.normal(size=5) * 0.5 + (song % 2) * np.array([apart, 0, 0, 0, 0])
        rows.append(middle + rng.normal(size=(6, 5)) * 0.5)
        genres += ["ab"[song % 2]] * 6
        songs += [song] * 6
    fold = np.array(songs) // 2 % 5
    return Windows(np.vstack(rows), np.array(genres), fold, np.ones(360) / 6, np.ones(360, dtype=np.bool_))


def test_genres_that_differ_are_told_apart_by_artists_unseen() -> None:
    assert min(held_out_shares(made(3.0), [("a", "b")])["a", "b"]) >= TRUSTED
    assert min(held_out_shares(made(0.0), [("a", "b")])["a", "b"]) < TRUSTED


def test_a_ruler_is_set_where_most_windows_lie_beyond_its_points() -> None:
    source, target = np.linspace(-0.5, 0.5, 101), np.linspace(0.5, 1.5, 101)
    points = points_of(source, target)
    assert points is not None
    zero, near, far, one = points
    assert (zero, one) == (0.0, 1.0)
    assert (source <= near).mean() == pytest.approx(0.8, abs=0.02)
    assert (target >= far).mean() == pytest.approx(0.8, abs=0.02)
    assert points_of(target, source) is None


def test_every_road_of_the_table_can_be_laid_both_ways() -> None:
    rows = np.random.default_rng(0).normal(size=(20, len(TABLE.axes)))
    assert (TABLE.cloud, TABLE.axes) == (load_cloud().full_name, load_cloud().axes)
    assert TABLE.pairs
    for source, target in TABLE.pairs:
        there, back = genre_road(source, target, ("a", "b")), genre_road(target, source, ("b", "a"))
        assert np.allclose(there.progress(rows), 1 - back.progress(rows))
        scored = [point for point, _ in there.ruler]
        assert scored == sorted(scored)
        assert there.start <= 0.5 <= there.end


def test_a_task_between_genres_takes_that_road_and_says_how_far_it_can_be_trusted() -> None:
    task = morph_task("classical", "jazz")
    assert task.road.ruler
    pair = TABLE.pair("classical", "jazz")
    assert pair is not None
    assert pair.reliable
    assert f"{pair.read[0]} of 100 windows of classical" in task.trust
    assert not morph_task("classical", "jazz", component="harmony").road.ruler


def test_genres_that_windows_do_not_tell_apart_have_the_road_of_songs() -> None:
    untold = next(
        (one, two)
        for one in load_cloud().labels
        for two in load_cloud().labels
        if one < two and TABLE.pair(one, two) is None
    )
    task = morph_task(*untold)
    assert not task.road.ruler
    assert "do not tell" in task.trust
    with pytest.raises(LibrettoError, match="no road"):
        genre_road(*untold, untold)
    assert "do not tell" in trust_in_words("classical", "jazz", load_cloud("paper314"))  # measured in another cloud


@pytest.mark.parametrize(("source", "target"), [("classical", "reggae_ska"), ("jazz", "metal")])
def test_windows_of_real_songs_read_near_their_end(source: str, target: str, shared: Path) -> None:
    """Some songs of the corpus again; how well it does on artists unseen is what the table itself says."""
    road, cloud = genre_road(source, target, (source, target)), load_cloud()
    read_as = []
    for genre in (source, target):
        rows = []
        for path in sorted((shared / "corpus" / "midi" / genre).glob("*.mid"))[::4]:
            score = read(path)
            spans = [(at, at + 7) for at in range(0, score.bars - 7, 24)]
            rows.append(road.progress(rows_of_windows(score, spans, cloud)))
        read_as.append(np.concatenate(rows))
    assert (read_as[0] < NEAR).mean() >= TRUSTED / 100
    assert (read_as[1] > FAR).mean() >= TRUSTED / 100
