"""What teachers' words mean for a drill: quality, mode and key, and what is not taken up."""

from __future__ import annotations

import pytest

from libretto import parse
from libretto.errors import LibrettoError
from libretto.house.core.controls import Controls
from libretto.house.drill.drilling import write_drill
from libretto.score import Score
from libretto.tasks import drill_task
from libretto.tasks.drill.checks import notes_at_once
from libretto.tasks.drill.meaning import meant_by


def made(words: str, seed: int = 0, **asked: object) -> Score:
    score = write_drill(drill_task(words, **asked), seed, Controls())[0]  # type: ignore[arg-type]
    assert isinstance(score, Score)
    return score


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("minor triad arpeggios", "minor-arpeggio"),
        ("ii-V-I", "two-five-one-major"),
        ("ii-V-i", "two-five-one-minor"),
        ("tritone", "tritone-feature"),
        ("passing notes", "passing-tones"),
        ("sequence", "tonal-sequence-falling"),
    ],
)
def test_quality_and_numerals_choose_the_concept(words: str, name: str) -> None:
    assert meant_by(words).concept.name == name


def test_a_quality_that_is_in_no_name_chooses_the_chord_or_the_mode() -> None:
    arpeggios = made("dominant seventh arpeggio", key="Ab", level=3)
    assert {label for bar in arpeggios.chords for label in bar} == {"Eb7", "Ab"}
    firsts = [note.pitch for note in arpeggios.voices[0].notes if note.onset in arpeggios.bar_lines]
    assert all(len(set(firsts[at : at + 3])) > 1 for at in range(len(firsts) - 2))  # not one bar again and again
    broken = made("broken minor chords", key="D")
    assert str(broken.key) == "D minor"
    assert all(label.endswith("m") for bar in broken.chords for label in bar)
    assert drill_task("perfect cadence in a minor key", key="D").mode == "minor"
    assert drill_task("E flat major arpeggio").tonic == drill_task("arpeggio", key="Eb").tonic


def test_the_title_of_one_kind_means_the_same_again() -> None:
    concept = meant_by("dominant seventh arpeggio").concept
    again = meant_by(concept.title).concept
    assert (again.title, again.detector) == (concept.title, concept.detector)


def test_what_is_not_taken_up_is_said() -> None:
    assert drill_task("perfect fourths and fifths").contract.unread == (
        "fifths (perfect-fifth-feature is a drill of its own)",
    )
    assert "minor-sixth-feature" in drill_task("leaps of a sixth").contract.unread[0]
    for plain in ("harmonic minor", "perfect cadence", "6/8 time", "theory/major-scale"):
        assert drill_task(plain).contract.unread == ()


def test_no_instrument_has_more_notes_at_once_than_it_plays() -> None:
    assert drill_task("octaves", instrument="tuba").concept.name == "perfect-octave-feature"
    assert notes_at_once(made("appoggiatura", key="Bb", instrument="oboe")) == 1
    with pytest.raises(LibrettoError, match="2 notes at once, a flute plays 1"):
        made("harmonic intervals", instrument="flute")


def test_a_diminished_seventh_is_spelled_in_its_key() -> None:
    score = made("diminished seventh chord", key="G minor")
    assert score.chords[0] == ("F#dim7",)
    assert set(score.table["spelling"].tolist()) <= {*score.key.scale, score.key.tonic + 5}


@pytest.mark.parametrize(("key", "seed"), [("G", 0), ("C", 0), ("D", 2), ("E minor", 1)])
def test_suspensions_are_prepared_and_resolve_in_half_of_the_bars(key: str, seed: int) -> None:
    score = made("suspensions", seed, key=key, level=2)
    notes, good = score.voices[0].notes, 0
    for line in score.bar_lines[1:-1]:
        for held in notes:
            if held.onset < line < held.onset + held.duration:
                bass = min(note.pitch for note in notes if note.onset == line)
                after = [note.pitch for note in notes if note.onset == held.onset + held.duration]
                good += (held.pitch - bass) % 12 == 5 and any(held.pitch - pitch in (1, 2) for pitch in after)
    assert good * 2 >= score.bars


@pytest.mark.parametrize("words", ["cadences in F minor", "cadence in C minor", "perfect cadence in D minor"])
def test_a_key_that_is_named_whole_keeps_its_mode(words: str) -> None:
    task = drill_task(words)
    assert task.mode == "minor"
    assert parse(task.concept.example).key.is_minor or "minor" not in task.concept.name


def test_the_mode_of_a_key_chooses_among_kinds_and_a_kind_that_is_named_stays() -> None:
    assert drill_task("arpeggios", key="A minor").concept.name == "minor-arpeggio"
    assert drill_task("arpeggios in A minor").concept.name == "minor-arpeggio"
    assert drill_task("triads", key="E minor").concept.name == "minor-triad"
    plagal = drill_task("minor plagal cadence in F major")
    assert (plagal.concept.name, plagal.mode) == ("minor-plagal-cadence", "major")
    assert drill_task("major arpeggio", key="A").concept.name == "major-arpeggio"


def test_an_idea_of_composing_that_has_no_drill_is_said() -> None:
    unread = meant_by("walking bass").unread
    assert any(line.startswith("composing/walking-bass is about composing") for line in unread)
    assert not any("composing" in line for line in meant_by("stepwise bass descent").unread)
