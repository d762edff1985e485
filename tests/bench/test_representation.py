"""The tables say what the clouds and the music hold, and a mark that is missed is seen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_clouds import small_cloud
from tunes import tune

from libretto import write
from libretto.axes import published_axes
from libretto.bench import fidelity
from libretto.bench.readability import abc_edits, own_tunes, reading_cost, text_edits
from libretto.bench.representation import Representation, check_marks, represent, representation_lines
from libretto.bench.representation.axes import (
    accuracy,
    axis_entries,
    balanced_accuracy,
    confusions,
    f1,
    logistic_accuracy,
    most_shared,
)
from libretto.bench.representation.gates import fit_on_other_artists, gate_entries, genre_lines
from libretto.bench.representation.music import measure_music, music_entries, sample
from libretto.bench.representation.rows import Mark, of_axes
from libretto.corpus import Cloud, independence, load_cloud
from libretto.corpus.statistics import correlations, hold_out, macro_f1, resampled, wilson
from libretto.errors import FormatError
from libretto.formats import formats
from libretto.grammar import notate


@pytest.fixture(scope="module")
def small() -> Cloud:
    return small_cloud()


def missed(cloud: Cloud) -> set[str]:
    return {mark.name for mark in check_marks(cloud) if not mark.met}


def with_gauge(cloud: Cloud, genre: str, **figures: float) -> Cloud:
    """The cloud with other figures for a genre."""
    assert cloud.gauges is not None
    songs = {**cloud.gauges.songs, genre: replace(cloud.gauges.songs[genre], **figures)}  # type: ignore[arg-type]
    return replace(cloud, gauges=replace(cloud.gauges, songs=songs))


def with_column(cloud: Cloud, name: str, column: np.ndarray) -> Cloud:
    values = cloud.values.copy()
    values[:, cloud.axes.index(name)] = column
    return replace(cloud, values=values)


# intervals


def test_wilson_is_what_the_books_say() -> None:
    assert [round(x, 4) for x in wilson(0.8, 10)] == [0.8, 0.4902, 0.9433]
    assert wilson(0.0, 20).low == 0.0 < wilson(0.0, 20).high < 0.2
    assert wilson(1.0, 20).high == 1.0
    assert (wilson(0.3, 0).low, wilson(0.3, 0).high) == (0.0, 1.0)


def test_resampling_knows_that_songs_of_one_artist_are_one_draw() -> None:
    alone = np.array([np.diag([1.0, 0]) if i % 2 else np.array([[0, 1.0], [0, 0]]) for i in range(400)])
    together = alone.reshape(2, 200, 2, 2)[:, :20].sum(axis=0) * 20  # 20 artists with 40 songs each
    free, tied = resampled(alone, accuracy), resampled(together, accuracy)
    assert free.value == tied.value == 0.5
    assert 0.08 < free.high - free.low < 0.12  # 2 * 1.96 * sqrt(0.25 / 400) = 0.098
    assert tied.high - tied.low > 3 * (free.high - free.low)
    assert resampled(alone, accuracy) == free


# readability


def test_the_tunes_are_as_many_and_as_long_as_the_published() -> None:
    cost = reading_cost(own_tunes())
    assert (cost.tunes, cost.notes, cost.bars) == (5, 98, 28)
    assert cost.additions_running == cost.notes - cost.bars
    sizes = [len(score.table) for score in own_tunes()]
    assert cost.moved_abc == sum(size * (size - 1) // 2 for size in sizes)
    assert cost.moved_text == 0
    assert cost.characters_abc < cost.characters_compact < cost.characters_text


def test_an_edit_changes_one_length_and_in_abc_every_later_start() -> None:
    score = own_tunes()[1]
    before = score.table
    for edits, moved in (
        (list(text_edits(notate(score))), 0),
        (list(abc_edits(formats["abc"].encode(score).decode())), 1),
    ):
        assert len(edits) == len(before)
        for index, edit in enumerate(edits):
            lengths = (edit.table["duration"] != before["duration"]).tolist()
            assert lengths == [i == index for i in range(len(before))]
            assert edit.table["duration"][index] == 2 * before["duration"][index]
            starts = int((edit.table["onset"] != before["onset"]).sum())
            assert starts == moved * (len(before) - index - 1)


# table 1


def test_paper314_reproduces_the_published_figures() -> None:
    cloud = load_cloud("paper314")
    entries = [*axis_entries(cloud), *gate_entries(cloud)]
    said = {entry.what: entry.cell.text for entry in entries}
    assert said["axes"] == "29"
    assert said["mean |r|, published axes"] == "0.157"
    assert said["pairs above 0.5, published axes"] == "12 of 406"
    assert said["largest |r|, published axes"] == "0.77"
    assert said["extremes a song: mean, median, 90th"] == "3.4, 3, 7 of 29"
    common, _ = logistic_accuracy(of_axes(cloud, [axis.name for axis in published_axes()]), shuffles=1)
    assert abs(common[0] - 0.384) < 0.05
    assert not check_marks(cloud)  # a cloud that reproduces is held to none


def test_the_default_cloud_meets_every_mark() -> None:
    marks = check_marks(load_cloud("default"))
    assert not [mark.to_dict() for mark in marks if not mark.met]
    assert len(marks) >= 16


def test_confusions_count_every_song_once(small: Cloud) -> None:
    tables = confusions(small)
    assert len(tables) == len(set(small.groups))
    guesses = hold_out(small).guesses()
    whole = tables.sum(axis=0)
    assert whole.sum() == len(small.genres)
    assert f1(whole) == pytest.approx(macro_f1(small.genres, guesses))
    assert accuracy(whole) == pytest.approx(np.mean([a == b for a, b in zip(small.genres, guesses, strict=True)]))
    rates = [whole[i, i] / whole[i].sum() for i in range(3)]
    assert balanced_accuracy(whole) == pytest.approx(np.mean(rates))
    assert len(confusions(small, by_artist=False)) == len(small.genres)


def test_logistic_regression_tells_genres_from_chance(small: Cloud) -> None:
    told, _ = logistic_accuracy(small, shuffles=1)
    names = list(small.genres)
    np.random.default_rng(0).shuffle(names)
    guessed, _ = logistic_accuracy(replace(small, genres=tuple(names)), shuffles=1)
    assert told[0] > 0.8
    assert guessed[0] < 0.55


def test_correlations_agree_with_independence(small: Cloud) -> None:
    table = np.abs(correlations(small))[np.triu_indices(len(small.axes), 1)]
    found = independence(small)
    assert table.max() == pytest.approx(found["largest"])
    assert table.mean() == pytest.approx(found["mean"])


def test_an_axis_without_spread_is_seen(small: Cloud) -> None:
    assert not missed(small)
    flat = np.where(np.arange(len(small.genres)) % 5 < 3, 1.0, np.arange(len(small.genres)))
    cloud = with_column(small, "tempo", flat)
    assert most_shared(cloud)["tempo"] == pytest.approx(0.6, abs=0.02)
    assert missed(cloud) == {"spread of our axes"}
    assert most_shared(small)["backbeat"] == np.isnan(small.values[:, -1]).mean()


def test_an_axis_that_says_what_another_says_is_seen(small: Cloud) -> None:
    twin = small.values[:, small.axes.index("chromaticism")] ** 3
    assert "redundancy of our axes" in missed(with_column(small, "swing", twin))
    published = [axis for axis in small.axes if axis not in ("tempo", "swing", "backbeat")]
    assert not check_marks(of_axes(small, published))


def test_genres_that_mean_nothing_miss_the_mark(small: Cloud) -> None:
    names = list(small.genres)
    np.random.default_rng(3).shuffle(names)
    cloud = replace(small, genres=tuple(names), groups=tuple(n // 2 for n in range(len(names))))
    assert "macro-F1, artists held out" in missed(cloud)
    alone = replace(cloud, groups=tuple(range(len(names))))
    assert "macro-F1, artists held out" not in {mark.name for mark in check_marks(alone)}, "artists are unknown"


# table 2


@pytest.mark.parametrize(
    ("figures", "name"),
    [
        ({"accepted": 0.1}, "own label passes"),
        ({"mistaken": 1.0}, "wrong label passes"),
        ({"together": 0.0}, "real songs pass all gates"),
    ],
)
def test_a_gate_that_lets_the_wrong_music_through_is_seen(small: Cloud, figures: dict[str, float], name: str) -> None:
    cloud = with_gauge(small, "jazz", **figures)
    for genre in ("blues", "rock") if name == "wrong label passes" else ():
        cloud = with_gauge(cloud, genre, mistaken=0.1)
    assert missed(cloud) == {name}


def test_random_notes_that_pass_are_seen(small: Cloud) -> None:
    assert small.gauges is not None
    fooled = replace(small.gauges.order, fooled=0.2)
    assert missed(replace(small, gauges=replace(small.gauges, order=fooled))) == {"random notes pass as songs"}
    first, *rest = small.gauges.regions
    region = replace(first, order=replace(first.order, fooled=0.2))
    cloud = replace(small, gauges=replace(small.gauges, regions=(region, *rest)))
    assert missed(cloud) == {"Regions of 4 bars: random notes pass"}


def test_genre_lines_rest_on_the_gauges(small: Cloud) -> None:
    assert small.gauges is not None
    for line in genre_lines(small):
        gauge = small.gauges.songs[line.genre]
        assert line.songs == 24
        assert line.own is not None
        assert line.own.value == gauge.accepted
        assert line.own.low < line.own.value < line.own.high
        assert line.wrong is not None
        assert line.wrong == wilson(gauge.mistaken or 0.0, 48)
    bare = genre_lines(replace(small, gauges=None))
    assert [line.budget for line in bare] == [None] * 3


def test_floors_of_other_artists_tell_genres_apart_only_where_they_differ(small: Cloud) -> None:
    own, wrong = fit_on_other_artists(small)
    assert np.mean(list(own.values())) > 0.7
    assert np.mean(list(wrong.values())) < 0.2
    names = list(small.genres)
    np.random.default_rng(0).shuffle(names)
    own, wrong = fit_on_other_artists(replace(small, genres=tuple(names), groups=tuple(range(len(names)))))
    assert abs(np.mean(list(own.values())) - np.mean(list(wrong.values()))) < 0.15


def test_an_uncalibrated_cloud_has_every_row_and_claims_nothing(small: Cloud) -> None:
    rows = list(gate_entries(small))
    bare = list(gate_entries(replace(small, gauges=None)))
    assert [(row.check, row.what) for row in rows] == [(row.check, row.what) for row in bare]
    assert all("%" not in row.cell.text for row in bare)
    assert not any(row.cell.mark for row in bare)


# music


def test_without_music_nothing_is_claimed() -> None:
    assert {entry.cell.text for entry in music_entries([])} == {"--music FOLDER measures this"}


@pytest.fixture
def music(tmp_path: Path) -> Path:
    for number, suffix in enumerate((".mid", ".mid", ".abc", ".libretto")):
        write(tune(number), tmp_path / f"{number}{suffix}")
    (tmp_path / "broken.mid").write_bytes(b"MThd and no more")
    return tmp_path


def test_music_is_measured(music: Path, small: Cloud) -> None:
    told: list[tuple[int, int]] = []
    found = represent([small], sample([music]), lambda done, total: told.append((done, total)))
    assert told == [(i, 5) for i in range(1, 6)]
    said = {row.what: row.cells[""].text for row in found.first if "" in row.cells}
    assert said["non-drum notes lost"] == "0 (0.000%)"
    assert said["text reads back to the same Score"] == "4 of 4 files"
    assert said["start error, worst"] == "0.00 slots"
    assert said["drum notes"].startswith("0 of 64 lost")
    assert "in ABC" in said["  the music given, a start"]
    assert [Path(file).name for file, _ in found.refused] == ["broken.mid"]
    assert any("broken.mid" in line for line in representation_lines(found))
    assert found.passed


def test_notes_and_drums_that_go_missing_are_seen(music: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = fidelity.encode

    def lossy(score):  # type: ignore[no-untyped-def]
        thinner = [voice.with_notes(voice.array[1:].copy()) for voice in score.voices]
        return real(replace(score, voices=tuple(thinner)))

    monkeypatch.setattr(fidelity, "encode", lossy)
    marks = [entry.cell.mark for entry in music_entries(measure_music(sample([music]))) if entry.cell.mark]
    assert {mark.name for mark in marks if not mark.met} >= {"notes lost", "drum notes lost"}


def test_a_sample_is_spread_over_the_files(tmp_path: Path) -> None:
    for number in range(100):
        (tmp_path / f"{number:03}.mid").touch()
    names = [int(path.stem) for path in sample([tmp_path], most=10)]
    assert names == list(range(5, 100, 10))
    assert len(sample([tmp_path], most=200)) == 100
    with pytest.raises(FormatError, match="no music"):
        sample([])


# the whole


def test_the_tables_are_data_and_text(small: Cloud) -> None:
    other = small_cloud()
    found = represent([small, small, other])
    assert found.clouds == ("small-1", "small-1 (2)")
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert data["passed"] is True
    assert {row["check"] for row in data["table_1"]} >= {"Edit locality", "Genre signal"}
    assert len(data["genres"]["small-1"]) == 3
    text = "\n".join(representation_lines(found))
    assert ">= 0.42 met" in text
    assert "marks is met" in text


def test_a_missed_mark_ends_the_row_and_the_table() -> None:
    mark = Mark("x", "y", 0.4, 0.42)
    assert (mark.met, str(mark)) == (False, ">= 0.42 missed")
    assert str(Mark("x", "y", 0.0, 0, at_least=False)) == "met"
    cloud = with_gauge(small_cloud(), "jazz", accepted=0.1)
    found: Representation = represent([cloud])
    assert not found.passed
    lines = representation_lines(found)
    assert lines[-1] == "some marks are missed"
    assert any(line.endswith("missed") and "own label passes" in line for line in lines)
