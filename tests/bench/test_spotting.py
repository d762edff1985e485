"""Trees learn, levels keep to their budget, songs that taught are not tested."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from loop_song import song
from typer.testing import CliRunner

from libretto import write
from libretto.bench.spot_examples import lesson_of
from libretto.bench.spot_growing import Growing, grow
from libretto.bench.spot_levels import levels_within
from libretto.bench.spot_training import group_mark, is_for_tests, songs_of
from libretto.bench.spotting import SpotRow, songs_to_test, spotting_lines, spotting_passed
from libretto.cli import app
from libretto.score import transpose
from libretto.tasks.spot.ear import grove_from, grove_to_dict, taught_groups


def test_trees_learn_what_no_single_question_tells() -> None:
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(3000, 5))
    truth = (rows[:, 0] > 0) != (rows[:, 3] > 0)
    grove = grow(rows[:2000], truth[:2000], np.ones(2000), Growing(trees=40, depth=3, columns=1.0))
    assert ((grove(rows[2000:]) > 0) == truth[2000:]).mean() > 0.95


def test_trees_say_the_same_after_a_trip_through_numbers() -> None:
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


def _songs(folder: Path) -> str:
    artists = [name for name in ("Ann", "Ben", "Cid", "Dot") if group_mark(name.lower()) not in taught_groups()]
    rows = ["file,genre,artist,title"]
    for number, artist in enumerate(artists[:2]):
        write(transpose(song(16), number), folder / f"{number}.mid")
        rows.append(f"{number}.mid,pop,{artist},Loop {number}")
    (folder / "manifest.csv").write_text("\n".join(rows) + "\n")
    return str(folder)


def test_songs_of_other_artists_are_tested_and_the_table_adds_up(tmp_path: Path) -> None:
    folder = _songs(tmp_path)
    assert len(songs_to_test(folder)[0]) == 2
    result = CliRunner().invoke(app, ["bench", "spot", folder, "--json", "--jobs", "1"])
    data = json.loads(result.stdout)
    kinds = dict(data["kinds"])
    total = kinds.pop("all")
    assert data["songs"] == 2
    assert total["planted"] == sum(one["planted"] for one in kinds.values()) > 0
    assert all(one["named"] <= one["found"] <= one["planted"] for one in kinds.values())
    assert result.exit_code == (0 if data["passed"] else 1)


def test_the_marks_are_of_all_faults_and_all_songs() -> None:
    good = [SpotRow("a", {"clash": True}, {"clash": False})] * 19
    assert spotting_passed([*good, SpotRow("b", {"clash": True}, {"clash": True}, ("range",))])
    assert not spotting_passed([*good[:18], SpotRow("b", {}, {}, ("range",))])
    assert not spotting_passed([*good, *[SpotRow("c", {"meter": False}, {"meter": False})] * 3])
    assert "met" in spotting_lines(good)[-1]


def test_a_folder_without_songs_is_an_error(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["bench", "spot", str(tmp_path)]).exit_code != 0


def test_no_artist_kept_for_tests_taught_the_ear(shared: Path) -> None:
    groups = {source.group for sources in songs_of(shared) for source in sources}
    assert not any(map(is_for_tests, groups))
    assert taught_groups() <= set(map(group_mark, groups))
