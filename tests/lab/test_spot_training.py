"""Trees learn, levels keep to their budget, artists kept for tests did not teach the ear."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from loop_song import song

from lab.spot.examples import lesson_of
from lab.spot.growing import Growing, grove_of, grow
from lab.spot.levels import levels_within
from lab.spot.training import is_for_tests, songs_of
from libretto.bench.spotting import group_mark
from libretto.faults.ear import taught_groups
from libretto.faults.trees import grove_from, grove_to_dict
from libretto.score import transpose


def test_trees_learn_what_no_single_question_tells() -> None:
    pytest.importorskip("sklearn")
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(3000, 5))
    truth = (rows[:, 0] > 0) != (rows[:, 3] > 0)
    grove = grow(rows[:2000], truth[:2000], np.ones(2000), Growing(trees=40, depth=3, columns=1.0))
    assert ((grove(rows[2000:]) > 0) == truth[2000:]).mean() > 0.95


def test_trees_say_the_same_after_a_trip_through_numbers() -> None:
    pytest.importorskip("sklearn")
    rows = np.random.default_rng(2).normal(size=(400, 4))
    grove = grow(rows, rows[:, 1] > 0.5, np.ones(400), Growing(trees=12, depth=3))
    again = grove_from(json.loads(json.dumps(grove_to_dict(grove))))
    assert np.array_equal(grove(rows), again(rows))


def test_levels_keep_to_their_budget_and_spend_it_where_it_finds_most() -> None:
    chance = np.random.default_rng(3)
    clean, faults = chance.normal(size=(500, 2)), chance.normal(size=(300, 2))
    faults[:150, 0] += 5
    faults[150:, 1] += 1
    level = levels_within(clean, faults, 0.04)
    assert (clean >= level).any(axis=1).mean() <= 0.04
    assert (faults[:150, 0] >= level[0]).mean() > 0.95
    assert (clean[:, 1] >= level[1]).sum() > 0


def test_levels_hold_for_songs_that_did_not_set_them() -> None:
    chance = np.random.default_rng(4)
    clean, faults = chance.exponential(size=(4000, 3)), chance.exponential(size=(300, 3)) + 5
    level = levels_within(clean[:400], faults, 0.04)
    assert 0.025 < (clean[400:] >= level).any(axis=1).mean() < 0.055
    assert (level < 1e6).all()


def test_a_lesson_marks_the_planted_places() -> None:
    lesson = lesson_of("loop", "us", song(), transpose(song(), 6), 1, ("plain",))
    assert not any(heard.fault.any() for heard in lesson.clean.values())
    for example in lesson.examples:
        ears = {ear for ear, heard in example.around.items() if heard.fault.any()}
        assert len(ears) <= 1
        assert ears or example.kind == "parallels"


def test_a_grove_says_what_the_model_says_that_it_was_taken_from() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    rows = np.random.default_rng(5).normal(size=(600, 4))
    truth = rows[:, 0] + rows[:, 1] ** 2 > 1
    model = ensemble.HistGradientBoostingClassifier(max_iter=15, max_depth=3, max_leaf_nodes=6, early_stopping=False)
    model.fit(rows, truth)
    assert np.allclose(grove_of(model, 3)(rows), model.decision_function(rows), atol=0.02)


def test_no_artist_kept_for_tests_taught_the_ear(shared: Path) -> None:
    groups = {source.group for sources in songs_of(shared) for source in sources}
    assert not any(map(is_for_tests, groups))
    assert taught_groups() <= set(map(group_mark, groups))
