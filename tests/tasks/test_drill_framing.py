"""A request for a drill says for whom, in which key and meter, how long and how hard, as a teacher says it."""

from __future__ import annotations

import pytest

from libretto import drill
from libretto.errors import LibrettoError
from libretto.score import Meter
from libretto.tasks import drill_task


@pytest.mark.parametrize(
    ("words", "concept", "instrument", "tonic", "level"),
    [
        ("arpeggios in C# major for trumpet beginner", "major-arpeggio", "trumpet", 7, 1),
        ("major scale in F for the double bass, level 1", "major-scale", "double bass", -1, 1),
        ("scales in thirds for flute, advanced, in A", "scale-in-thirds", "flute", 3, 3),
        ("major scale in the key of B flat for clarinet", "major-scale", "clarinet", -2, 1),
        ("harmonic minor in g sharp minor for violin, grade 6", "harmonic-minor-scale", "violin", 8, 3),
        ("pedal point on organ", "pedal-point-bass", "organ", None, 2),
        ("organ point", "pedal-point-bass", "", None, 2),
        ("12-bar blues in G for guitar", "twelve-bar-blues-changes", "guitar", 1, 1),
    ],
)  # fmt: skip
def test_a_request_says_for_whom(
    words: str, concept: str, instrument: str, tonic: int | None, level: int | None
) -> None:
    task = drill_task(words)
    assert (task.concept.name, task.instrument, task.tonic) == (concept, instrument, tonic)
    assert level is None or task.level == level


def test_a_request_says_meter_bars_and_tempo() -> None:
    task = drill_task("swing eighths for trombone in 5/4, 8 bars at 90 bpm")
    assert (task.concept.name, task.meter, task.bars, task.tempo) == ("swing-eighths", Meter.parse("5/4"), 8, 90)
    assert drill_task("rhythms in 6/8").concept.name == "six-eight-time"  # the meter is what is practised
    assert drill_task("twelve-bar blues").bars is None


def test_what_is_given_goes_before_what_is_said() -> None:
    task = drill_task("arpeggios in Eb for trumpet beginners", key="A", level=2, instrument="flute")
    assert (task.tonic, task.level, task.instrument) == (3, 2, "flute")


def test_a_level_that_there_is_not_is_refused() -> None:
    with pytest.raises(LibrettoError, match="level: 9 is not 1, 2 or 3"):
        drill_task("syncopation, level 9")


def test_a_drill_for_trumpet_beginners_can_be_played_by_them() -> None:
    run = drill("arpeggios in C# major for trumpet beginners")
    assert run.score is not None
    voice = run.score.voices[0]
    assert voice.program == 56
    assert voice.array["pitch"].max() <= 81  # A5, where a trumpet still sounds well
