"""Morphs: what must pass passes, what is no morph does not, and both are told so in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from libretto.agents import composer, run_task
from libretto.axes import axes
from libretto.bench.application.cases import cut_together
from libretto.corpus import load_cloud
from libretto.errors import LibrettoError
from libretto.grammar import parse
from libretto.house import compose_score
from libretto.score import Score, take_bars
from libretto.tasks import MorphTask, Run, compose_task, morph_task
from libretto.tasks.morph.road import lay_road, song_end, windows_of


def song(genre: str, seed: int = 3, bars: int = 64) -> Score:
    contract = compose_task(genre=genre, bars=bars).contract
    return compose_score(replace(contract, style=genre), seed)


@pytest.fixture(scope="module")
def task() -> MorphTask:
    return morph_task(song("electronic_dance"), song("jazz", 0), 54, names=("the club", "the cellar"))


@pytest.fixture(scope="module")
def run(task: MorphTask) -> Run:
    return run_task(task, composer("house", 0), rounds=4)


def failed(task: MorphTask, score: Score) -> set[str]:
    return {name for name, outcome in replace(task, original=False).judge(score).outcomes.items() if not outcome.passed}


def test_the_house_morphs_one_song_into_another(run: Run, task: MorphTask) -> None:
    assert run.score is not None
    assert run.score.bars == 54
    assert run.passed, run.best.feedback
    curve = task.curve(run.score)
    assert curve.progress[0] <= task.road.start
    assert curve.progress[-1] >= task.road.end
    assert max(curve.steps) <= 0.40
    assert curve.like_source[0] > curve.like_source[-1]
    assert curve.like_target[0] < curve.like_target[-1]
    assert len(curve.lines) == 7


def test_speed_key_and_parts_travel(run: Run, task: MorphTask) -> None:
    piece = run.score
    assert piece is not None
    speeds = [micros for _, micros in piece.tempos[:-2]]
    assert speeds in (sorted(speeds), sorted(speeds, reverse=True))
    entries = sorted({int(voice.array["onset"][0]) for voice in piece.voices})
    assert len(entries) > 2  # one by one, not all at once
    last = take_bars(piece, 54, 54)
    assert all(len(voice.array) <= 12 for voice in last.voices)


def test_what_is_no_morph_does_not_pass(task: MorphTask) -> None:
    source, target = task.source, task.target
    assert isinstance(source, Score)
    assert isinstance(target, Score)
    assert "steps" in failed(task, cut_together(source, target, 54))
    assert {"end", "crossfade"} <= failed(task, take_bars(source, 1, 54))
    assert {"start", "crossfade"} <= failed(task, take_bars(target, 1, 54))
    assert "length" in failed(task, take_bars(source, 1, 40))


def test_the_way_back_is_another_way(run: Run, task: MorphTask) -> None:
    assert run.score is not None
    back = morph_task(task.target, task.source, 54)
    assert {"start", "end"} <= failed(back, run.score)


def test_a_copy_in_the_middle_is_found(task: MorphTask) -> None:
    assert isinstance(task.source, Score)
    verdict = replace(task, original=False).judge(take_bars(task.source, 1, 54))
    assert not verdict.outcomes["middle"].passed
    assert any("note by note" in finding.text for finding in verdict.findings)


def test_findings_are_located_and_speak_of_music(task: MorphTask) -> None:
    assert isinstance(task.source, Score)
    verdict = replace(task, original=False).judge(take_bars(task.source, 1, 54))
    mine = [finding for finding in verdict.findings if finding.gate == "end"]
    assert mine
    assert all(finding.bars == ((47, 54),) and finding.axis and finding.wanted for finding in mine)
    assert not any(axis in finding.text for finding in mine for axis in load_cloud().axes if "_" in axis)


def test_held_out_windows_read_near_both_ends() -> None:
    cloud = load_cloud()
    first, second = song("latin"), song("blues_gospel")
    halves = [(take_bars(each, 1, 32), take_bars(each, 33, 64)) for each in (first, second)]
    road = lay_road(song_end(halves[0][0], "a", 8, cloud), song_end(halves[1][0], "b", 8, cloud))
    near = road.progress(song_end(halves[0][1], "a", 8, cloud).rows)
    far = road.progress(song_end(halves[1][1], "b", 8, cloud).rows)
    assert np.median(near) < 0.3
    assert np.median(far) > 0.7


def test_genres_are_ends_too() -> None:
    task = morph_task("electronic_dance", "jazz", 40, original=False)
    run = run_task(task, composer("house", 2), rounds=2)
    assert run.score is not None
    assert run.score.bars == 40
    progress = task.curve(run.score).progress
    assert progress[-1] > progress[0] + 0.3


def test_meters_change_on_a_phrase_line() -> None:
    waltz = compose_score(compose_task("A waltz in D minor for piano and violin over 48 bars.").contract, 1)
    task = morph_task(song("pop_rock"), waltz, 48, original=False)
    run = run_task(task, composer("house", 0), rounds=1)
    assert run.score is not None
    assert [str(meter) for _, meter in run.score.meters] == ["4/4", "3/4"]
    assert run.score.bars == 48
    assert run.score.bar_lines.index(run.score.meters[1][0]) % 4 == 0


def test_the_same_seed_gives_the_same_bytes(task: MorphTask) -> None:
    house = composer("house", 5)
    assert house.draft(task).text == composer("house", 5).draft(task).text
    assert house.draft(task).text != composer("house", 6).draft(task).text
    assert parse(house.draft(task).text).bars == 54


@pytest.mark.parametrize("bars", [24, 31, 54, 100, 400])
def test_windows_fill_the_piece(bars: int) -> None:
    spans = windows_of(bars)
    assert 3 <= len(spans) <= 9
    assert [bar for first, last in spans for bar in range(first, last + 1)] == list(range(bars))


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(LibrettoError, match="24 to 400"):
        morph_task("jazz", "metal", 8)
    with pytest.raises(LibrettoError, match="no genre"):
        morph_task("jazz", "polka")
    with pytest.raises(LibrettoError, match="same genre"):
        morph_task("jazz", "jazz")
    with pytest.raises(LibrettoError, match="no notes"):
        morph_task(Score.build([], bars=32), "jazz")
    with pytest.raises(LibrettoError, match="needs 8"):
        morph_task("jazz", take_bars(song("latin"), 1, 3))


def test_a_song_is_no_way_to_itself() -> None:
    piece = song("latin")
    with pytest.raises(LibrettoError, match="measure alike"):
        _ = morph_task(piece, piece).road


def test_one_component_travels_alone() -> None:
    task = morph_task("jazz", "metal", component="harmony")
    cloud = load_cloud()
    families = np.array([axes[name].family for name in cloud.axes])
    assert np.all(task.road.weights[families != "harmony"] == 0)
    assert np.any(task.road.weights[families == "harmony"] != 0)
    assert task.asked()["component"] == "harmony"
    assert "What travels is the harmony" in task.context_text()
    with pytest.raises(LibrettoError, match="no component"):
        morph_task("jazz", "metal", component="colour")
