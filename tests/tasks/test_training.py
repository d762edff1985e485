"""Ear training: every question can be answered as it says, is what its name says, and comes back by the stated rule."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from libretto.errors import LibrettoError
from libretto.grammar import notate, parse
from libretto.knowledge import find_concept
from libretto.score import QUARTER
from libretto.tasks.drill.progress import next_steps
from libretto.tasks.drill.request import LEVELS, demands_of
from libretto.tasks.training import Course, Item, item_of, kinds, make_item, reply_to
from libretto.tasks.training.course import weaknesses
from libretto.tasks.training.intervals import interval_named
from libretto.tasks.training.strength import level_of, next_skill, strengths
from libretto.workspace import Workspace
from libretto.workspace.learners import Answer, add_answer, answers_of, learner_file

SKILLS = [(kind, skill.name) for kind, about in kinds.items() for skill in about.skills]
#: Semitones of chords and intervals, written down here anew.
SIZES = {
    "m2": 1, "M2": 2, "m3": 3, "M3": 4, "P4": 5, "TT": 6, "P5": 7, "m6": 8, "M6": 9, "m7": 10, "M7": 11, "P8": 12,
    "m9": 13, "M9": 14, "m10": 15, "M10": 16,
}  # fmt: skip
CHORDS = {
    "major": {0, 4, 7}, "minor": {0, 3, 7}, "diminished": {0, 3, 6}, "augmented": {0, 4, 8},
    "suspended fourth": {0, 5, 7}, "dominant seventh": {0, 4, 7, 10}, "major seventh": {0, 4, 7, 11},
    "minor seventh": {0, 3, 7, 10}, "half-diminished seventh": {0, 3, 6, 10}, "diminished seventh": {0, 3, 6, 9},
}  # fmt: skip


def some(kind: str, count: int = 4) -> list[Item]:
    return [make_item(kind, skill.name, number, 7) for skill in kinds[kind].skills for number in range(count)]


@pytest.mark.parametrize(("kind", "skill"), SKILLS)
def test_a_question_accepts_what_it_says_and_is_the_same_again(kind: str, skill: str) -> None:
    for number in range(5):
        item = make_item(kind, skill, number, 3)
        assert item_of(item.name).to_dict(solved=True) == item.to_dict(solved=True)
        assert item_of(item.name).played == item.played
        for answer in (item.answer, *item.accepted):
            reply = reply_to(item, answer)
            assert reply.right, (item.name, answer, reply.lines)
            assert reply.score == 100
            assert not reply.mistakes
        for choice in item.choices:
            reply = reply_to(item, choice)
            assert reply.right == (choice == item.answer), (item.name, choice, reply.lines)
            assert len(reply.lines) > 1 or reply.right
        for score in (item.played, item.written):
            assert parse(notate(score)) == score
        assert item.notation()


def test_questions_differ_by_number_and_by_seed() -> None:
    names = {
        (number, seed): make_item("melodies", "thirds", number, seed).answer for number in range(9) for seed in (0, 1)
    }
    assert len(set(names.values())) > 6


def test_intervals_sound_as_they_are_named() -> None:
    for item in some("intervals"):
        notes = item.written.voices[0].notes
        name, way = item.skill.name.split()
        apart = notes[1].pitch - notes[0].pitch
        assert abs(apart) == SIZES[name]
        assert (apart < 0) == (way == "down")
        assert (notes[0].onset == notes[1].onset) == (way == "together")
        assert abs(apart) <= max(LEVELS[item.skill.level].leap, 12)


def test_chords_sound_as_they_are_named() -> None:
    for item in some("chords"):
        notes = item.written.voices[0].notes
        quality, _, position = item.answer.partition(", ")
        place = ["", "first inversion", "second inversion", "third inversion"].index(position)
        root = notes[0].pitch - sorted(CHORDS[quality])[place]
        assert {(note.pitch - root) % 12 for note in notes} == CHORDS[quality]
        pitches = Counter(note.pitch for note in item.played.voices[0].notes)
        assert set(pitches.values()) == {2}, "each tone alone, then all together"


def test_progressions_are_chords_of_their_key_and_end_at_home() -> None:
    steps = {"i": 0, "ii": 2, "iii": 4, "iv": 5, "v": 7, "vi": 9, "vii": 11}
    minor = steps | {"iii": 3, "vi": 8, "vii": 10}
    for item in some("progressions"):
        key = item.written.key
        words = item.answer.split()
        assert words[0].lower() == words[-1].lower() == "i"
        assert item.skill.name.split(" in ")[0] in words
        for place, word in enumerate(words):
            numeral = re.match("[ivIV]+", word)
            assert numeral is not None
            step = (minor if key.is_minor else steps)[numeral[0].lower()] + (7 if "/" in word else 0)
            notes = [note for note in item.written.voices[0].notes if note.onset == place * 2 * QUARTER]
            bass = min(note.pitch for note in notes)
            assert (bass - key.tonic_class - step) % 12 == 0, (item.name, item.answer)
            third = 4 if numeral[0].isupper() else 3
            assert {(note.pitch - bass) % 12 for note in notes} >= {0, third}


def test_rhythms_fill_their_bars_and_keep_to_the_level() -> None:
    for item in some("rhythms"):
        values = {"w": 4, "h": 2, "q": 1, "e": Fraction(1, 2), "s": Fraction(1, 4)}
        for bar in item.answer.split("|"):
            total = Fraction(0)
            for token in bar.split():
                length = Fraction(values[token.strip("r.3")])
                total += length * (Fraction(3, 2) if "." in token else 1) * (Fraction(2, 3) if "3" in token else 1)
            assert total == Fraction(item.written.meter.ticks, QUARTER), item.answer
        assert demands_of(item.written).shortest >= LEVELS[item.skill.level].shortest
        assert any(voice.drums for voice in item.played.voices)


def test_melodies_keep_to_the_ladder() -> None:
    for item in some("melodies", 8):
        demands = demands_of(item.written)
        limit = LEVELS[item.skill.level]
        assert demands.leap <= limit.leap
        assert demands.range <= limit.range
        assert demands.shortest >= limit.shortest
        if item.skill.level == 1:
            assert demands.range <= 7, "five notes under a hand"
        assert item.written.voices[0].notes[-1].pitch % 12 in {
            item.written.key.tonic_class, item.written.key.classes[2],
        }  # fmt: skip


SAID = [("minor third", "m3"), ("M3", "M3"), ("m3", "m3"), ("a perfect 5th", "P5"), ("octave", "P8"), ("tritone", "TT"),
        ("diminished fifth", "TT"), ("11 semitones", "M7"), ("half step", "m2"), ("Major Sixth", "M6"),
        ("p4", "P4")]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), SAID)
def test_intervals_are_read_as_people_say_them(text: str, name: str) -> None:
    said = interval_named(text)
    assert said is not None
    assert said.name == name


def test_a_wrong_interval_says_what_it_would_have_been_and_how_far_off() -> None:
    item = make_item("intervals", "P5 up", 1, 0)
    reply = reply_to(item, "P4")
    first = item.written.voices[0].notes[0]
    assert reply.answered is not None
    assert [note.pitch for note in reply.answered.voices[0].notes] == [first.pitch, first.pitch + 5]
    assert "2 semitones too narrow" in " ".join(reply.lines)
    assert reply.heard == "P4 up"


def test_dictation_is_compared_note_by_note() -> None:
    item = make_item("melodies", "thirds", 2, 0)
    letters = item.answer.split()
    wrong = ["C#" if letter != "C#" else "D" for letter in letters[:1]] + letters[1:]
    reply = reply_to(item, " ".join(wrong))
    assert reply.mistakes == {"wrong note": 1}
    assert reply.score == round(100 * (len(letters) - 1) / len(letters))
    assert reply_to(item, " ".join(letters[1:])).mistakes == {"missing": 1}
    assert reply_to(item, " ".join([*letters, "Db"])).mistakes == {"too many": 1}
    shifted = item.accepted[2].replace("@1>1", "@1>2", 1)
    assert "rhythm" in reply_to(item, shifted).mistakes


BAD = [("intervals", "P5 up", "x" * 2000), ("intervals", "P5 up", "  "), ("chords", "major", "@@"),
       ("progressions", "V in major", "I X I"), ("rhythms", "eighths", "q q"), ("rhythms", "eighths", "1/0 1"),
       ("rhythms", "eighths", "9" * 900), ("melodies", "steps", "H I J"), ("melodies", "steps", "C4@99>1"),
       ("melodies", "steps", "C4@1>1 | C4@1>1 | C4@1>1 | C4@1>1"), ("melodies", "steps", "C " * 300)]  # fmt: skip


@pytest.mark.parametrize(("kind", "skill", "answer"), BAD)
def test_what_cannot_be_read_is_refused_in_a_line(kind: str, skill: str, answer: str) -> None:
    with pytest.raises(LibrettoError) as refused:
        reply_to(make_item(kind, skill), answer)
    assert "\n" not in str(refused.value).strip()


@pytest.mark.parametrize(
    "name", ["", "x", "intervals/P5 up", "intervals/P5 up/-1/0", "none/P5 up/0/0", "intervals/Q9/0/0"]
)
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(LibrettoError):
        item_of(name)


def test_every_drill_that_helps_is_there() -> None:
    for kind, skill in SKILLS:
        find_concept(f"theory/{kinds[kind].skill(skill).drill}")


def answered(course: Course, knows: set[str], count: int, rng: Random) -> list[str]:
    """What is asked of a learner who knows some skills and guesses at the rest."""
    asked = []
    for _ in range(count):
        item = course.next_item()
        asked.append(item.skill.name)
        others = [choice for choice in item.choices if choice != item.answer]
        course.take(item, item.answer if item.skill.name in knows else rng.choice(others))
    return asked


def test_what_goes_wrong_is_asked_more_often_and_comes_back_soon() -> None:
    knows = {skill.name for skill in kinds["intervals"].skills} - {"M3 up"}
    asked = answered(Course(["intervals"]), knows, 60, Random(1))
    often = Counter(asked)
    assert often["M3 up"] > 2 * often["P5 up"]
    places = [place for place, name in enumerate(asked) if name == "M3 up"]
    assert all(after - before <= 3 for before, after in pairwise(places))


def test_who_knows_everything_climbs_the_ladder_and_who_knows_nothing_stays() -> None:
    every = {skill.name for skill in kinds["intervals"].skills}
    course = Course(["intervals"])
    answered(course, every, 150, Random(1))
    assert level_of(kinds["intervals"], course.answers) > 1
    assert len(strengths(course.answers, "intervals")) > 12
    lost = Course(["intervals"])
    assert set(answered(lost, set(), 40, Random(1))) == {"P5 up", "M3 up"}
    assert level_of(kinds["intervals"], lost.answers) == 1


def test_a_mixed_up_skill_comes_back_too() -> None:
    kind = kinds["intervals"]
    good = [
        Answer("", "training", "", "", 100, skill=f"intervals/{name}") for name in ("P5 up", "M3 up") for _ in range(3)
    ]
    mixed = Answer("", "training", "", "", 0, {"P5 for M3": 1}, skill="intervals/M3 up", instead="intervals/P5 up")
    before, after = strengths(good, kind.name), strengths([*good, mixed], kind.name)
    assert before["P5 up"].due > len(good)
    assert after["P5 up"].due <= len(good) + 1
    assert next_skill(kind, [*good, mixed]).name == "P5 up"


def test_the_same_record_and_seed_ask_the_same() -> None:
    knows = {"P5 up", "P8 up"}
    one, two = (answered(Course(["intervals"], seed=4), knows, 25, Random(2)) for _ in range(2))
    assert one == two
    assert Course(["melodies"], seed=1).next_item() != Course(["melodies"], seed=2).next_item()


def test_kinds_take_turns_and_levels_can_be_asked() -> None:
    course = Course(level=2)
    asked = [course.next_item()]
    for _ in range(4):
        course.give_up(asked[-1])
        asked.append(course.next_item())
    assert {item.kind for item in asked} == set(kinds)
    assert {item.skill.level for item in asked} == {2}
    with pytest.raises(LibrettoError):
        Course(["none"])
    with pytest.raises(LibrettoError):
        Course(level=4)


def test_training_and_drills_are_one_record(tmp_path: Path) -> None:
    place = Workspace(tmp_path)
    course = Course(["intervals"])
    for _ in range(6):
        _, kept = course.take(course.next_item(), "m2", "2026-01-01")
        add_answer(place, "ada", kept)
    drill = Answer("2026-01-02", "d.libretto", "Dorian mode", "D dorian", 60, {"wrong note": 4}, True)
    add_answer(place, "ada", drill)
    with learner_file(place, "ada").open("a") as record:
        record.write('{"time": "t", "drill": "d", "concept": "", "key": "", "score": 1, "mistakes": {}, "heard": null, '
                     '"practise": []}\nnot a line\n')  # fmt: skip
    answers = answers_of(place, "ada")
    assert list(answers[:6]) == course.answers
    assert answers[6] == drill
    assert answers[7].skill == ""
    steps = next_steps(answers, 5, weaknesses(answers))
    assert steps[0].concept == "Dorian mode"
    assert any("heard 0 of" in step.why for step in steps)
