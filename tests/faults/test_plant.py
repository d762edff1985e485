"""Planted faults change what they say and nothing else."""

from __future__ import annotations

import pytest
from loop_song import song

from libretto.errors import LibrettoError
from libretto.faults.find import FAULT_KINDS
from libretto.faults.plant import plant
from libretto.faults.plant.fault import planters
from libretto.score import QUARTER, Score, Voice, diff, transpose

IN_ONE_NOTE = ("clash", "crossing", "out-of-key", "range", "wrong-bass")


@pytest.mark.parametrize("kind", IN_ONE_NOTE)
@pytest.mark.parametrize("seed", range(3))
def test_a_fault_in_a_note_changes_one_note(kind: str, seed: int) -> None:
    before = song()
    planted = plant(before, kind, seed)
    if planted is None:
        pytest.skip("the song has no place for it")
    found = diff(before, planted.score)
    assert len(found.notes) == 1
    assert not found.changes
    assert not found.voices
    assert (found.notes[0].voice, found.notes[0].bar) == (planted.voice, planted.bar)
    assert f"bar {planted.bar}" in planted.words


@pytest.mark.parametrize("seed", range(6))
def test_a_foreign_bar_changes_pitches_of_one_bar(seed: int) -> None:
    before = song()
    planted = plant(before, "foreign-bar", seed)
    assert planted is not None
    found = diff(before, planted.score)
    assert {change.bar for change in found.notes} == {planted.bar}
    assert not found.changes
    assert "DRUMS" not in {change.voice for change in found.notes}


@pytest.mark.parametrize("seed", range(6))
def test_a_glitch_changes_the_time_of_one_bar(seed: int) -> None:
    before = song()
    planted = plant(before, "meter", seed)
    assert planted is not None
    found = diff(before, planted.score)
    assert {change.bar for change in found.notes} <= {planted.bar - 1, planted.bar, planted.bar + 1}
    if "missing" in planted.words:
        assert planted.score.ticks < before.ticks
    else:
        assert planted.score.bar_lines == before.bar_lines
        assert sum(len(v.array) for v in planted.score.voices) == sum(len(v.array) for v in before.voices)


def test_parallels_change_one_line() -> None:
    planted = plant(song(), "parallels", 1)
    if planted is not None:
        assert {change.voice for change in diff(song(), planted.score).notes} == {planted.voice}


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_the_same_seed_plants_the_same(kind: str) -> None:
    one, two = plant(song(), kind, 5), plant(song(), kind, 5)
    assert (one is None) == (two is None)
    if one is not None and two is not None:
        assert one.score == two.score
        assert one.words == two.words


@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_nothing_grows_where_there_are_no_notes(kind: str) -> None:
    drums = song().voices[-1]
    assert plant(Score.build([], bars=4), kind) is None
    assert plant(Score.build([Voice("KIT", None, True, drums.array)]), kind) is None


def test_every_kind_has_a_planter_and_others_have_none() -> None:
    plant(song(), "clash")
    assert set(planters) == set(FAULT_KINDS)
    with pytest.raises(LibrettoError, match="no fault called"):
        plant(song(), "typo")


def test_a_plain_wrong_note_is_outside_what_its_passage_plays() -> None:
    for kind in ("out-of-key", "wrong-bass"):
        planted = plant(song(), kind, 2)
        assert planted is not None
        change = diff(song(), planted.score).notes[0]
        assert change.after is not None
        white = {0, 2, 4, 5, 7, 9, 11}
        assert change.after.note.pitch % 12 not in white
        assert change.after.note.duration >= QUARTER


def test_subtle_faults_are_faults_of_the_same_kind() -> None:
    subtle = plant(song(), "out-of-key", 2, degree="subtle")
    assert subtle is not None
    assert len(diff(song(), subtle.score).notes) == 1
    with pytest.raises(LibrettoError, match="plain or subtle"):
        plant(song(), "clash", degree="gross")


def test_a_foreign_bar_may_come_from_another_song() -> None:
    other = transpose(song(), 6)
    words = set()
    for seed in range(6):
        planted = plant(song(), "foreign-bar", seed, donor=other)
        assert planted is not None
        words.add("another song" in planted.words)
        bars = {change.bar for change in diff(song(), planted.score).notes}
        assert bars == {planted.bar}
    assert words == {True, False}
