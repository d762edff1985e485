"""Chords that would need double accidentals are written plainly, and closes that come late keep their promise."""

from __future__ import annotations

import pytest

from lab.drills import doubt_of, faults_of
from libretto.house.drill.drilling import broken_clauses
from libretto.house.drill.keys import moved_example
from libretto.house.drill.sheet import score_of
from libretto.house.drill.studying import studied
from libretto.score import parse_chord
from libretto.tasks.drill.promises import contradicted
from libretto.tasks.drill.task import drill_task

HARD = (("tritone-substitution", "Bb", "B7"), ("tritone-cadence", "Bb", "B7"), ("major-thirds-cycle", "D", "F7"))


@pytest.mark.parametrize(("name", "key", "label"), HARD)
def test_a_chord_of_double_accidentals_is_written_by_its_other_name(name: str, key: str, label: str) -> None:
    task = drill_task(f"theory/{name}", key=key)
    score = score_of(moved_example(task))
    labels = [chord for bar in score.chords for chord in bar]
    assert label in labels
    assert not contradicted(score)
    assert all(-8 <= spelling <= 12 for spelling in score.table["spelling"].tolist())
    assert broken_clauses(task) == []
    assert doubt_of(f"theory/{name}", key, 3)["way"] == "kept"


@pytest.mark.parametrize("key", ["G", "A"])
def test_chords_that_can_be_written_stay_as_they_are(key: str) -> None:
    score = score_of(moved_example(drill_task("theory/tritone-substitution", key=key)))
    wanted = {"G": -4, "A": -2}[key]  # A flat 7 and B flat 7
    roots = [chord.root for bar in score.chords for label in bar if (chord := parse_chord(label)) is not None]
    assert wanted in roots


@pytest.mark.parametrize("meter", ["3/4", "4/4"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_late_close_comes_every_two_bars_softer_than_its_downbeat(meter: str, level: int) -> None:
    task = drill_task("theory/feminine-ending", key="D", meter=meter, level=level)
    sheet = studied(task, 0)
    assert sheet is not None
    score = score_of(sheet)
    assert not faults_of(score)
    for bar in sheet.bars[1::2]:
        strikes = sorted({note.onset for note in bar.notes})
        assert len(strikes) == 2
        first, last = ({note.velocity for note in bar.notes if note.onset == at} for at in strikes)
        assert max(last) < min(first)
