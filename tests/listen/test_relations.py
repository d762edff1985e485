"""The solvers of relations, and the trials made for them: every answer follows from what is played."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libretto.listen import relations
from libretto.listen.kinds import kinds
from libretto.listen.makers import makers
from libretto.listen.patterns import (
    changed_pattern,
    changed_row,
    chord_row,
    make_meter,
    make_progression,
    make_row,
    other_pitches,
    pattern_strokes,
)
from libretto.listen.stimuli import MODES, tune_pitches

NEW = (
    "instrument",
    "key_modulation",
    "meter",
    "oddball",
    "pitch_shift",
    "progression_match",
    "rhythm_match",
    "tempo_pair",
)
TUNE = [60, 62, 64, 65, 67, 65, 64, 62]


@pytest.mark.parametrize("task", NEW)
def test_made_trials_are_balanced_and_solved_by_what_they_say(task: str) -> None:
    kind = kinds[task]
    answers = []
    for number in range(12):
        trial = makers[task](Random(number), number)
        assert trial.schema == kind.functor
        assert trial.choices == kind.choices
        assert len(trial.clips) == kind.clips
        assert kind.solve(*(clip.heard for clip in trial.clips)).answer == trial.answer
        answers.append(trial.answer)
    assert {answers.count(choice) for choice in kind.choices} == {12 // len(kind.choices)}


def test_an_odd_note_is_out_of_key_and_changes_wherever_it_comes() -> None:
    for seed in range(40):
        tune, _ = tune_pitches(Random(seed))
        odd = other_pitches(Random(seed), tune, tuple(MODES.values()))
        changed = {(one, two) for one, two in zip(tune, odd, strict=True) if one != two}
        assert len(changed) == 1
        ((old, new),) = changed
        assert abs(old - new) == 1
        assert old not in odd
        keys = [scale for scale in MODES.values() if {pitch % 12 for pitch in tune} <= set(scale)]
        assert keys
        assert all(new % 12 not in scale for scale in keys)


def test_a_changed_pattern_differs_in_one_stroke() -> None:
    for seed in range(40):
        rng = Random(seed)
        beats = rng.choice((3, 4))
        strokes = pattern_strokes(rng, beats)
        apart = strokes ^ changed_pattern(rng, strokes, beats)
        assert 1 <= len(apart) <= 2
        assert all(1 <= stroke % 100 <= 4 * beats for stroke in apart)


def test_bars_are_as_long_as_they_are_counted() -> None:
    for beats in (3, 4, 5):
        clip = make_meter(Random(beats), beats)
        assert clip.heard[: beats + 1] == (*range(1, beats + 1), 1)
        assert clip.score.meter.beats == beats


def test_progressions_that_stay_have_one_foreign_chord_at_most() -> None:
    for seed in range(40):
        clip = make_progression(Random(seed), "piano", modulates=False)
        least = min(
            sum(chord not in own for chord in clip.heard)
            for tonic in range(12)
            for own in [{tonic, (tonic + 5) % 12, (tonic + 7) % 12} | {12 + (tonic + by) % 12 for by in (2, 4, 9)}]
        )
        assert least <= 1


def test_one_foreign_chord_is_no_modulation_and_a_new_home_is() -> None:
    stays = [0, 5, 2, 7, 0, 21, 5, 7, 0]
    assert relations.key_modulation(stays).answer == "no"
    for move in (1, 2, 3, 5, 7):
        moved = [0, 21, 5, 7, 0, 21, 5, 7] + [(c + move) % 12 + c // 12 * 12 for c in (0, 21, 5, 7, 0, 21, 5, 7)]
        assert relations.key_modulation(moved).answer == "yes", move
    assert relations.key_modulation([0, 7]).answer is None


@given(st.lists(st.integers(0, 23), min_size=4, max_size=20), st.integers(0, 11))
def test_modulation_does_not_depend_on_the_key_it_begins_in(chords: list[int], by: int) -> None:
    moved = [chord // 12 * 12 + (chord + by) % 12 for chord in chords]
    assert relations.key_modulation(moved).answer == relations.key_modulation(chords).answer


def test_tolerant_solvers_forgive_what_is_misheard() -> None:
    assert relations.oddball(TUNE, TUNE[:-1]).answer == "no"
    assert relations.tolerant_oddball(TUNE, TUNE[:-1]).answer == "yes"
    assert relations.tolerant_oddball(TUNE, [60, 62, 64, 66, 67, 66, 64, 62]).answer == "no"
    up = [pitch + 3 for pitch in TUNE]
    assert relations.pitch_shift(TUNE, up[:-1]).answer == "no"
    assert relations.tolerant_pitch_shift(TUNE, up[:-1]).answer == "yes"
    strokes = [101, 203, 105, 207, *range(301, 333)]
    assert relations.rhythm_match(strokes, strokes[:-1]).answer == "no"
    assert relations.tolerant_rhythm_match(strokes, strokes[:-1]).answer == "yes"
    assert relations.tolerant_rhythm_match(strokes, [102, 204, 106, 208]).answer == "no"
    assert relations.meter([1, 2, 3, 1, 2, 3, 1, 2, 1, 2, 3, 1]).answer is None
    assert relations.tolerant_meter([1, 2, 3, 1, 2, 3, 1, 2, 1, 2, 3, 1]).answer == "A"


def test_nothing_follows_from_nothing() -> None:
    assert relations.oddball([60], [60]).answer is None
    assert relations.pitch_shift([], [60, 61]).answer is None
    assert relations.tempo_pair([120], [120]).answer is None
    assert relations.rhythm_match([], [101]).answer is None
    assert relations.meter([1, 2, 3]).answer is None
    assert relations.meter([2, 3]).answer is None


def test_rows_of_chords_change_at_every_chord_and_a_changed_one_differs_in_one() -> None:
    for seed in range(60):
        rng = Random(seed)
        row = chord_row(rng)
        other = changed_row(rng, row)
        for chords in (row, other):
            assert len(chords) == 8
            assert all(one != two for one, two in pairwise(chords))
        assert sum(one != two for one, two in zip(row, other, strict=True)) == 1
        assert relations.progression_match(row, other).answer == "no"
        assert relations.tolerant_progression_match(row, other).answer == "yes"
        assert make_row(rng, row, "guitar").heard == tuple(row)


def test_progressions_are_matched_chord_by_chord() -> None:
    assert relations.progression_match([0, 21, 5, 7], [0, 21, 5, 7]).answer == "yes"
    assert relations.progression_match([0, 21, 5, 7], [0, 21, 5]).answer is None
    assert relations.tolerant_progression_match([0, 21, 5, 7], [2, 23, 7, 9]).answer == "no"
