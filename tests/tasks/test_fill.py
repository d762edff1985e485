"""Filling: the context hides what was there, the gates tell real from wrong, the house leaves the rest alone."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from libretto.agents import composer, run_task
from libretto.bench.rivals import pasted, random_fill
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.grammar import notate, parse
from libretto.house import compose_score, fill_gap
from libretto.score import Score, Voice, outside_digest
from libretto.tasks import fill_task
from libretto.tasks.fill.grade import grade_fill
from libretto.tasks.fill.likeness import KINDS, LENGTHS, Yardstick, load_yardstick
from libretto.tasks.fill.ties import reprise


@pytest.fixture(scope="module")
def song() -> Score:
    return compose_score(Contract.from_brief("A pop rock song in G major over 32 bars"), 1)


def test_the_context_shows_nothing_of_the_gap(song: Score) -> None:
    task = fill_task(song, 9, 12)
    rows = task.context.table
    assert not ((rows["bar"] >= 8) & (rows["bar"] <= 11)).any()
    assert task.context.chords[8:12] == (("-",),) * 4
    assert task.context.chords[:8] == song.chords[:8]
    other = fill_task(random_fill(song, task.voices, (8, 11), 1), 9, 12)
    assert other.context == task.context  # whatever was there leaves no trace
    assert other.asked() == task.asked()


def test_chords_of_a_gap_of_some_voices_are_heard_from_the_rest(song: Score) -> None:
    names = [voice.name for voice in song.voices if not voice.drums]
    task = fill_task(song, 9, 12, [names[0].lower()])
    assert task.voices == (names[0],)
    other = random_fill(song, task.voices, (8, 11), 1)
    assert fill_task(other, 9, 12, [names[0]]).context.chords == task.context.chords


@pytest.mark.parametrize("bars", [(1, 6), (13, 18), (25, 32)])
def test_the_house_fills_and_leaves_the_rest_alone(song: Score, bars: tuple[int, int]) -> None:
    task = fill_task(song, *bars, original=False)
    run = run_task(task, composer("house", 1), rounds=3)
    assert run.score is not None
    assert task.same_outside(run.score)
    assert outside_digest(song, task.voices, *bars, chords=True) == task.digest
    rows = run.score.table
    assert all((rows["bar"] == bar - 1).any() for bar in range(bars[0], bars[1]))
    assert run.best.verdict is not None
    assert {"length", "outside", "sounding", "fit", "context", "seams"} <= set(run.best.verdict.outcomes)
    assert run.best.receipt is not None
    assert run.best.receipt.passed


def test_the_same_seed_gives_the_same_fill_and_another_seed_another() -> None:
    song = compose_score(Contract.from_brief("A pop rock song in G major over 96 bars"), 5)
    task = fill_task(song, 9, 16, original=False)
    voices = list(range(len(song.voices)))
    made = [fill_gap(task.context, voices, task.span, seed) for seed in (1, 1, 2)]
    assert made[0] == made[1]
    assert made[0] != made[2]
    assert parse(notate(made[0])) == made[0]


def test_random_notes_do_not_fit_and_real_ones_do(song: Score) -> None:
    task = fill_task(song, 13, 20, original=False)
    real, chance = task.judge(song), task.judge(random_fill(song, task.voices, task.span, 2))
    assert real.outcomes["fit"].margin > chance.outcomes["fit"].margin
    assert not chance.outcomes["fit"].passed
    for finding in chance.findings:
        assert finding.heard
        assert finding.advice
        assert finding.wanted in (-1, 0, 1)
        assert all(task.first - 1 <= a <= b <= task.last + 1 for a, b in finding.bars)


def test_a_changed_song_is_refused(song: Score) -> None:
    task = fill_task(song, 9, 12, original=False)
    array = song.voices[0].array.copy()
    array["velocity"][-1] = 1 + array["velocity"][-1] % 100
    changed = replace(song, voices=(song.voices[0].with_notes(array), *song.voices[1:]))
    verdict = task.judge(changed)
    assert not verdict.passed
    assert list(verdict.outcomes) == ["length", "outside"]
    assert task.judge(Score.build(song.voices[:1], bars=64)).outcomes["length"].margin < 0


def test_an_empty_gap_does_not_sound(song: Score) -> None:
    task = fill_task(song, 9, 12, original=False)
    verdict = task.judge(task.context)
    assert not verdict.outcomes["sounding"].passed
    assert not verdict.outcomes["fit"].passed


def test_the_grade_stands_beside_references(song: Score) -> None:
    task = fill_task(song, 13, 20, original=False)
    assert grade_fill(task, song, song).distance == 0
    assert grade_fill(task, song, song).same == 1
    made = fill_gap(task.context, list(range(len(song.voices))), task.span, 0)
    grade = grade_fill(task, made, song)
    assert 0 < grade.distance < 4
    assert grade.pasted > 0
    assert grade.same < 1
    with pytest.raises(LibrettoError, match="not the song"):
        grade_fill(task, task.context, made if made.bars != song.bars else Score.build(song.voices, bars=40))


def test_reprise_hears_what_comes_again() -> None:
    text = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: 4\nVOICES: A\n"
    piece = parse(text + "@1 [C]\nA: C4@1>2 E4@4>1\n@2 [C]\nA: D4@1>2\n@3 [C]\nA: C4@1>2 E4@4>1\n@4 [C]\nA: G4@1>2")
    assert reprise(piece, 0, 0)[:2] == (1.0, 2)
    assert reprise(piece, 0, 0, hidden=[2])[0] == 0.0
    assert reprise(piece, 1, 1)[0] == 0.0
    assert reprise(piece, 1, 1)[2:] == (1.0, -1, -2)  # as the bar before, a step higher
    other = piece.voice("A").array.copy()
    later = other["onset"] >= piece.bar_lines[2]
    other["pitch"][later] += 3
    other["spelling"][later] -= 3
    moved = replace(piece, voices=(piece.voice("A").with_notes(other),))
    assert reprise(moved, 0, 0)[0] == 0.0
    assert reprise(moved, 0, 0)[2:] == (1.0, 2, 3)


def test_a_paste_is_noticed_however_it_is_transposed() -> None:
    song = compose_score(Contract.from_brief("A jazz ballad in F major over 48 bars"), 2)
    task = fill_task(song, 17, 24, original=False)
    names = [voice.name for voice in song.voices]
    for up in (2, -5):
        filled = pasted(song, names, task.span, Random(1), (up,))
        assert not task.judge(filled).outcomes["context"].passed
    assert task.judge(song).outcomes["context"].passed


@pytest.mark.parametrize(
    ("bars", "voices", "words"),
    [
        ((40, 44), None, "not all there"),
        ((12, 9), None, "backwards"),
        ((1, 30), None, "must stay"),
        ((9, 12), ["Kazoo"], "no voice 'Kazoo'"),
    ],
)
def test_what_cannot_be_filled(song: Score, bars: tuple[int, int], voices: list[str] | None, words: str) -> None:
    with pytest.raises(LibrettoError, match=words) as error:
        fill_task(song, *bars, voices)
    assert "\n" not in str(error.value)


def test_short_silent_and_percussive_songs(song: Score) -> None:
    with pytest.raises(LibrettoError, match="must stay"):
        fill_task(Score.build(song.voices[:0], bars=3), 2, 2)
    with pytest.raises(LibrettoError, match="no notes"):
        fill_task(Score.build([Voice("A")], bars=12), 2, 3)
    drums = [voice for voice in song.voices if voice.drums]
    if drums:
        beat = replace(song, voices=tuple(drums))
        task = fill_task(beat, 9, 12, original=False)
        run = run_task(task, composer("house"), rounds=1)
        assert run.score is not None
        assert task.same_outside(run.score)


def test_the_yardstick_loads_and_holds() -> None:
    yard = load_yardstick()
    columns = yard.spread.shape[1]
    assert yard.weights.shape == (len(KINDS), columns) == yard.middle.shape
    assert yard.floors.shape == (len(KINDS), len(LENGTHS)) == yard.jolts.shape
    assert (yard.spread > 0).all()
    assert np.isfinite(yard.weights).all()
    assert Yardstick.from_dict(json.loads(json.dumps(yard.to_dict()))).to_dict() == yard.to_dict()
    for kind in KINDS:
        held = yard.rates["held out"][kind]
        assert held["regions"] >= 100
        assert held["real"]["fit"] >= 0.75
        assert held["random"]["fit"] <= 0.055
        assert held["foreign"]["fit"] <= 0.20


def test_pasting_is_measured_against_the_songs_own_habits(song: Score) -> None:
    task = fill_task(song, 13, 16, original=False)
    again = task.judge(pasted(song, task.voices, task.span, Random(1))).outcomes["context"]
    assert not again.passed
    assert again.margin < 0 <= task.judge(song).outcomes["context"].margin
    assert "1.00 of it is heard elsewhere" in again.note
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 8th | BARS: 16\nVOICES: A\n"
    cycle = ("C4@1>2 E4@4>1", "D4@1>2 F4@3>2", "E4@1>2 G4@4>1", "G4@1>2 D4@3>2")
    loop = parse(head + "\n".join(f"@{bar} [C]\nA: {cycle[bar % 4]}" for bar in range(1, 17)))
    same = fill_task(loop, 9, 12, original=False).judge(loop).outcomes["context"]
    assert same.passed  # all of it is heard elsewhere, as all of this song is
    assert "1.00 of it is heard elsewhere" in same.note
