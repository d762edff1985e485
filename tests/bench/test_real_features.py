"""Features counted by hand on small sheets, and a classifier on populations that are alike and that are not."""

from __future__ import annotations

from math import isfinite
from pathlib import Path

import numpy as np
import pytest

from libretto import parse
from libretto.bench.real.bench import bench_real, compare, real_lines
from libretto.bench.real.forms import form_features
from libretto.bench.real.pieces import Excerpt, features_of, real_songs
from libretto.bench.real.pitches import pitch_features
from libretto.bench.real.sheet import disorder, sheet_of
from libretto.bench.real.telling import area, areas_by_feature, folds_of, held_out_scores, spread_ratios
from libretto.bench.real.times import time_features
from libretto.bench.real.together import together_features
from libretto.errors import LibrettoError
from libretto.score import Score

HEAD = "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 8th | BARS: {bars}\nVOICES: {voices}\n"


def piece(bars: list[dict[str, str]], voices: str) -> Score:
    text = HEAD.format(bars=len(bars), voices=voices)
    for number, bar in enumerate(bars, start=1):
        text += f"@{number} [C]\n" + "".join(f"  {voice}: {notes}\n" for voice, notes in bar.items())
    return parse(text)


A = {"Top": "C5@1>2 D5@3>2 F5@5>2 C6@7>2", "Low": "C3@1>8"}
B = {"Top": "C5@1>4 C5@6>4", "Low": "G2@1>4 G2@5>4", "Kit": "C2@1>1 D2@5>1"}


def test_moves_and_registers() -> None:
    told = pitch_features(sheet_of(piece([A, A], "Top, Low")))
    # the top moves 2 3 7 -12 2 3 7, the bass 0
    assert told["voices: moves of 0"] == 1 / 8
    assert told["voices: moves of 2"] == 2 / 8
    assert told["voices: moves of 3-4"] == 2 / 8
    assert told["voices: moves of 5-7"] == 2 / 8
    assert told["voices: moves of 8-127"] == 1 / 8
    assert told["voices: moves that rise"] == 6 / 7
    assert told["range of a voice"] == (12 + 0) / 2
    assert told["notes below C3"] == 0
    assert told["notes of one scale"] == 1
    assert told["pitch class 1 by frequency"] == 6 / 10


def test_places_and_lengths() -> None:
    told = time_features(sheet_of(piece([A, B], "Top, Low, Kit[drums]")))
    # starts: 5 in the first bar (2 on the line), 4 in the second (2 on the line); one is off the beat and pushed over
    assert told["notes: starts on the bar line"] == 4 / 9
    assert told["notes: starts on a beat"] == 8 / 9
    assert told["notes: starts half way"] == 1 / 9
    assert told["voices: notes pushed over a beat"] == 1 / 9
    assert told["notes held over a bar line"] == 1 / 9
    assert told["drums: starts on a beat"] == 1
    assert told["lengths: 0.5 to 1 quarters"] == 4 / 9
    assert told["lengths: longer"] == 1 / 9


def test_what_returns() -> None:
    told = form_features(sheet_of(piece([A, B, A, B], "Top, Low, Kit[drums]")))
    assert told["bars that return"] == 0.5
    assert told["whole bars that return"] == 0.5
    assert told["bars as 1 before"] == 0
    assert told["bars as 2 before"] == 1
    assert told["bar rhythms in 16 bars"] == 2
    assert told["drums: bars that return"] == 0.5
    assert told["drums: strokes in a bar"] == 1
    moved = [{"Top": "C5@1>4 E5@5>4"}, {"Top": "D5@1>4 F#5@5>4"}]
    assert form_features(sheet_of(piece(moved, "Top")))["bars that return elsewhere in pitch"] == 0.5


def test_who_plays_and_what_clashes() -> None:
    bars = [{"Top": "C5@1>8", "Low": "B4@1>8"}, {"Top": "C5@1>8"}]
    told = together_features(sheet_of(piece(bars, "Top, Low")))
    assert told["voices"] == 2
    assert told["bars in which a voice plays"] == 0.75
    assert told["entries and exits"] == 0.5
    assert told["beats with a clash of a semitone"] == 1
    assert told["notes on a beat"] == 1.5
    assert told["starts that voices share"] == 0.5
    assert told["notes doubled at the unison"] == 0
    twice = [{"Top": "C5@1>8", "Low": "C5@1>8"}]
    assert together_features(sheet_of(piece(twice, "Top, Low")))["notes doubled at the unison"] == 1


def test_tempo_velocity_and_names_do_not_matter() -> None:
    one, other = piece([A, B], "Top, Low, Kit[drums]"), HEAD.format(bars=2, voices="X[prog=40], Y, Z[drums]")
    other = other.replace("TEMPO: 100", "TEMPO: 170")
    for number, bar in enumerate((A, B), start=1):
        other += f"@{number} [G7]\n"
        for name, notes in zip("XYZ", bar.values(), strict=False):
            other += f"  {name}: " + " ".join(f"{note}^{40 + number}" for note in notes.split()) + "\n"
    first, second = features_of(sheet_of(one)), features_of(sheet_of(parse(other)))
    np.testing.assert_array_equal(list(first.values()), list(second.values()))


def test_disorder_is_entropy() -> None:
    assert disorder([1, 1, 1]) == 0
    assert disorder([0, 1, 2, 3]) == 2


def made(count: int, shift: float, width: float, seed: int, name: str) -> list[Excerpt]:
    """Excerpts with thirty features of chance; three of them moved."""
    dice = np.random.default_rng(seed)
    rows = dice.normal(0, width, (count, 30))
    rows[:, :3] += shift
    genres = ("jazz", "latin")
    return [
        Excerpt(f"{name} {row}", genres[row % 2], f"{name} {row}", {f"f{k}": float(v) for k, v in enumerate(values)})
        for row, values in enumerate(rows)
    ]


def test_two_halves_of_one_population_cannot_be_told_apart() -> None:
    result = compare(made(120, 0, 1, 1, "ours"), made(120, 0, 1, 2, "real"), 60)
    whole = result.rows[-1]
    assert whole.genre == "all"
    assert whole.ours == whole.real == 120
    assert 0.38 < whole.area < 0.62
    assert 0.38 < whole.control < 0.62
    assert 0.8 < whole.spread < 1.25
    assert result.passed


def test_a_planted_difference_is_told_and_named() -> None:
    result = compare(made(120, 2.0, 1, 1, "ours"), made(120, 0, 1, 2, "real"), 60)
    assert result.rows[-1].area > 0.95
    assert 0.38 < result.rows[-1].control < 0.62
    assert result.strong == (3, 0)
    assert {sign.feature for sign in result.signs[:3]} == {"f0", "f1", "f2"}
    assert result.signs[0].area < 0.3
    assert result.signs[0].ours == pytest.approx(2.0, abs=0.4)
    assert not result.passed
    assert "marks MISSED" in real_lines(result)


def test_a_narrow_population_is_told_by_its_spread() -> None:
    result = compare(made(120, 0, 0.25, 1, "ours"), made(120, 0, 1, 2, "real"), 60)
    assert result.rows[-1].spread == pytest.approx(0.25, abs=0.05)
    assert result.rows[-1].area > 0.9  # though the means are the same
    assert not result.passed


def test_areas() -> None:
    second = np.array([False, False, True, True])
    assert area(np.array([1.0, 2.0, 3.0, 4.0]), second) == 1
    assert area(np.array([1.0, 1.0, 1.0, 1.0]), second) == 0.5
    assert np.isnan(area(np.array([1.0]), np.array([True])))
    table = np.array([[1.0, np.nan], [2.0, 1.0], [3.0, 1.0], [4.0, 0.0]])
    assert areas_by_feature(table, second, ["jazz"] * 4).tolist() == [1.0, 0.25]
    assert spread_ratios(np.array([[0.0], [1.0]]), np.array([[0.0], [4.0]])).tolist() == [0.25]


def test_groups_stay_together() -> None:
    groups = [f"g{number // 3}" for number in range(60)]
    second = np.arange(60) >= 30
    fold = folds_of(groups, second)
    for group in set(groups):
        assert len({int(fold[row]) for row, name in enumerate(groups) if name == group}) == 1
    assert np.bincount(fold[second]).tolist() == np.bincount(fold[~second]).tolist() == [6] * 5


def test_a_piece_is_never_scored_by_what_knows_its_group() -> None:
    """A feature that is the group itself tells nothing of groups that were not met."""
    dice = np.random.default_rng(0)
    marks = {f"g{number}": dice.normal(0, 1, 40) for number in range(20)}
    groups = [f"g{number % 20}" for number in range(100)]
    second = np.asarray([int(group[1:]) % 2 == 0 for group in groups])
    table = np.stack([marks[group] for group in groups])
    scores = held_out_scores(table, second, groups, ["jazz"] * 100)
    assert area(scores, second) < 0.85


@pytest.mark.shared
def test_ours_beside_songs(shared: Path) -> None:
    music = shared / "corpus" / "midi"
    if not music.is_dir():
        pytest.skip("needs labelled songs")
    result = bench_real(str(music), seeds=6, genres=["latin", "jazz"], bars=16, length=16, jobs=1)
    assert [row.genre for row in result.rows] == ["jazz", "latin", "all"]
    assert all(isfinite(value) for value in result.rows[-1][1:])
    _, songs = real_songs(str(music), ["jazz"], 6)
    assert len({song.artist or song.path for song in songs}) == 6
    with pytest.raises(LibrettoError, match="longer"):
        bench_real(str(music), bars=32, length=16)


def test_a_folder_without_songs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="no genre"):
        bench_real(str(tmp_path), jobs=1)
