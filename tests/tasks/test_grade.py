"""Grades: no false accusation, every planted mistake found where it is, a score by the stated rule."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from libretto.agents import composer, run_task
from libretto.bench.learners import KINDS, fair_answers, located, plant, played
from libretto.grammar import parse
from libretto.knowledge import find_concept
from libretto.score import QUARTER, Note, Score, Voice, transpose
from libretto.tasks.drill.grading import grade
from libretto.tasks.drill.task import DrillTask, drill_task

TUNE = parse(
    """KEY: G major | METER: 4/4 | TEMPO: 96 | GRID: 8th | BARS: 4
VOICES: PIANO[prog=0]
@1 [G]
  PIANO: G4@1>2 A4@3>2 B4@5>3 C5@8>1
@2 [D]
  PIANO: A4@1>2 F#4@3>2 D4@5>4
@3 [C]
  PIANO: C3+E4+G4@1>4 E4@5>2 G4@7>2
@4 [G]
  PIANO: G3+B3+D4@1>8
"""
)
NAMES = ("theory/alberti-bass", "theory/harmonic-minor-scale", "theory/rubato", "theory/tresillo")


@pytest.mark.parametrize("name", NAMES)
def test_fair_answers_are_not_accused(name: str) -> None:
    concept = find_concept(name)
    drill = parse(concept.example)
    for how, answer in fair_answers(drill, Random(3)):
        found = grade(answer, drill, concept)
        assert not found.mistakes, (how, found.lines)
        assert found.score == 100


@pytest.mark.parametrize("kind", KINDS)
def test_planted_mistakes_are_located(kind: str) -> None:
    for seed in range(4):
        made = plant(TUNE, kind, Random(seed))
        assert made is not None
        found = grade(made.answer, TUNE)
        assert located(made, TUNE, found), found.lines
        assert found.score < 100


def test_a_wrong_note_is_named_with_bar_and_beat() -> None:
    notes = [note._replace(pitch=77, spelling=-1) if note.pitch == 72 else note for note in TUNE.voices[0].notes]
    found = grade(played(TUNE, notes, Random(0), rate=1.3, wait=1.0), TUNE)
    assert [mistake.text for mistake in found.mistakes] == ["bar 1, beat 4.5: F5 instead of C5"]
    assert abs(found.tempo - 1 / 1.3) < 0.01


def test_a_transposed_answer_is_known_as_such() -> None:
    found = grade(transpose(TUNE, -3), TUNE)
    assert found.transposition == -3
    assert found.score == 100
    assert "lower" in " ".join(found.lines)


def test_parallel_fifths_that_the_drill_does_not_have_are_heard() -> None:
    def of(pairs: list[tuple[int, int]]) -> Score:
        notes = [
            Note(40320 * place, 40320, pitch, 80, (pitch * 7 + 5) % 12 - 5)
            for place, pair in enumerate(pairs)
            for pitch in pair
        ]
        return Score.build([Voice.of("PIANO", notes)])

    drill, answer = of([(60, 67), (59, 67), (60, 64), (62, 65)]), of([(60, 67), (62, 69), (60, 64), (62, 65)])
    assert "parallel fifths" in " ".join(grade(answer, drill).lines)
    assert not grade(drill, drill).mistakes


def test_the_score_follows_its_rule() -> None:
    notes = list(TUNE.voices[0].notes)
    count = len(notes)
    one_less = played(TUNE, notes[:3] + notes[4:], Random(0))
    assert grade(one_less, TUNE).score == round(100 * (1 - 1 / count))
    assert grade(Score.build([Voice.of("PIANO", [])], bars=1), TUNE).score == 0


def test_a_missed_concept_is_said_and_takes_nothing_more() -> None:
    concept = find_concept("theory/harmonic-minor-scale")
    drill = parse(concept.example)
    written = drill.voices[0].notes
    notes = [n._replace(pitch=n.pitch - 1, spelling=n.spelling - 7) if n.pitch % 12 == 6 else n for n in written]
    wrong = sum(note.pitch % 12 == 6 for note in written)
    found = grade(played(drill, notes, Random(0)), drill, concept)
    assert found.concept_heard is False
    assert found.score == round(100 * (1 - wrong / len(written)))
    assert found.practise[0] == concept.title
    assert found.to_dict()["mistakes"][0]["kind"] == "wrong note"


def drilled(task: DrillTask, seed: int) -> Score:
    score = run_task(task, composer("house", seed), seed=seed).score
    assert score is not None
    return score


SCALES = ("major-scale", "harmonic-minor-scale", "dorian-mode", "major-pentatonic", "tresillo", "dotted-quarter-eighth")


@pytest.mark.parametrize("name", SCALES)
def test_one_slip_in_a_drill_costs_one_note_and_the_concept_is_still_heard(name: str) -> None:
    task = drill_task(name, bars=8)
    drill = drilled(task, 1)
    notes = list(drill.voices[0].notes)
    for place in (1, len(notes) // 2, len(notes) - 2):
        slip = notes[place]
        others = [note.pitch for note in notes if note.pitch % 12 == slip.pitch % 12]
        if len(others) < 3:
            continue
        wrong = [*notes[:place], slip._replace(pitch=slip.pitch + 1, spelling=slip.spelling - 5), *notes[place + 1 :]]
        found = grade(played(drill, wrong, Random(0)), drill, task.concept)
        assert found.score == min(99, round(100 * (1 - 1 / len(notes)))), found.lines
        assert found.concept_heard is True, found.lines


def test_a_note_that_a_short_scale_has_twice_may_slip_once() -> None:
    concept = find_concept("theory/major-scale")
    names = ("C4", "D4", "E4", "F4", "G4", "A4", "B4", "C5")
    line = [*names, *names[-2::-1], "C4"]
    bars = [
        " ".join(f"{name}@{at + 1}>1" for at, name in enumerate(line[first : first + 4])) for first in range(0, 16, 4)
    ]
    head = "KEY: C major | METER: 4/4 | TEMPO: 84 | GRID: 4th | BARS: 4\nVOICES: PIANO[prog=0]\n"
    drill = parse(head + "".join(f"@{place} [-]\n  PIANO: {bar}\n" for place, bar in enumerate(bars, 1)))
    notes = list(drill.voices[0].notes)
    places = [place for place, note in enumerate(notes) if note.pitch == 65]
    assert len(places) == 2
    for many, heard in ((1, True), (2, False)):
        wrong = [
            note._replace(pitch=66, spelling=6) if place in places[:many] else note for place, note in enumerate(notes)
        ]
        graded = grade(played(drill, wrong, Random(0)), drill, concept)
        assert graded.score == round(100 * (1 - many / len(notes)))
        assert graded.concept_heard is heard, graded.lines


def test_the_score_falls_with_every_wrong_note() -> None:
    task = drill_task("harmonic minor", key="E", bars=8)
    drill = drilled(task, 0)
    notes = list(drill.voices[0].notes)
    scores = []
    for many in (0, 1, 2, 5, 10, 20):
        places = set(Random(1).sample(range(len(notes)), many))
        wrong = [
            note._replace(pitch=note.pitch + 1, spelling=note.spelling - 5) if place in places else note
            for place, note in enumerate(notes)
        ]
        scores.append(grade(played(drill, wrong, Random(0)), drill, task.concept).score)
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


def test_who_stops_early_is_missed_at_the_end_alone() -> None:
    twice = parse(
        """KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 4 | BARS: 4
VOICES: PIANO[prog=0]
@1 [C]
  PIANO: C4@1>1 D4@2>1 E4@3>1 G4@4>1
@2 [C]
  PIANO: E4@1>2 C4@3>2
@3 [C]
  PIANO: =1
@4 [C]
  PIANO: =2
"""
    )
    half = [note for note in twice.voices[0].notes if note.onset < twice.bar_lines[2]]
    found = grade(played(twice, half, Random(0), rate=1.15, shake=0.02), twice)
    assert {(each.kind, each.bar) for each in found.mistakes} == {("missing note", 3), ("missing note", 4)}
    assert len(found.mistakes) == 6


def test_uneven_playing_is_told_once_and_not_note_by_note() -> None:
    drill = parse(find_concept("theory/harmonic-minor-scale").example)
    notes = list(drill.voices[0].notes)
    told = [grade(played(drill, notes, Random(seed), rate=0.87, shake=0.06), drill) for seed in range(5)]
    assert not any(found.mistakes for found in told)
    assert any("uneven" in line for found in told for line in found.lines)
    steady = grade(played(drill, notes, Random(0), shake=0.01), drill)
    assert not any("uneven" in line for line in steady.lines)


def test_a_pitch_that_is_written_twice_at_once_is_not_held_against_anyone() -> None:
    notes = [Note(0, 40320, 60, 80, 0), Note(0, 161280, 60, 80, 0), Note(161280, 80640, 62, 80, 2)]
    drill = Score.build([Voice.of("ONE", notes[:1]), Voice.of("TWO", notes[1:])])
    assert not grade(drill, drill).mistakes


def test_a_recording_is_not_blamed_for_what_it_does_not_tell() -> None:
    drill = parse(
        """KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 4th | BARS: 3
VOICES: FLUTE[prog=73]
@1 [-]
  FLUTE: C5@1>1 E5@3>1 D5@4>1
@2 [-]
  FLUTE: D5@1>1 F5@2>1 E5@3>1 G5@4>1
@3 [-]
  FLUTE: C5@1>4
"""
    )
    first, third, *_ = drill.voices[0].notes
    notes = [first._replace(duration=2 * first.duration), third]  # a tail into the silence, and one D for two
    notes += [drill.voices[0].notes[2]._replace(duration=2 * first.duration), *drill.voices[0].notes[4:]]
    heard = replace(drill, voices=(drill.voices[0].with_notes(notes),))
    assert {wrong.kind for wrong in grade(heard, drill).mistakes} == {"missing note", "length"}
    assert not grade(heard, drill, recorded=True).mistakes
    silent = replace(drill, voices=(drill.voices[0].with_notes([*drill.voices[0].notes[:3], *notes[3:]]),))
    assert [wrong.kind for wrong in grade(silent, drill, recorded=True).mistakes] == ["missing note"]


def test_what_to_practise_is_what_the_wrong_notes_are() -> None:
    drill = parse(find_concept("theory/harmonic-minor-scale").example)
    notes = list(drill.voices[0].notes)
    lost = grade(replace(drill, voices=(drill.voices[0].with_notes(notes[:4] + notes[5:]),)), drill)
    assert lost.lines[0].endswith(f"1 mistake in {len(notes)} notes")
    assert notes[4].duration == 1.5 * QUARTER
    assert lost.practise == ("Dotted Quarter and Eighth",)
