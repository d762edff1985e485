"""Usual fingerings: as teachers teach them, no thumb on a black key, printed where runs are, read by others."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

from libretto.agents import composer, run_task
from libretto.formats import formats
from libretto.score import Score
from libretto.tasks import drill_task
from libretto.tasks.drill.fingering import HANDS, SCALE_STEPS, arpeggio_fingers, fingering_line, scale_fingers

BLACK = {1, 3, 6, 8, 10}
KNOWN = [
    ("C", 0, "major", "right", "12312345"), ("C", 0, "major", "left", "54321321"),
    ("F", 5, "major", "right", "12341234"), ("B", 11, "major", "left", "43214321"),
    ("Bb", 10, "major", "left", "32143213"), ("Db", 1, "major", "right", "23123412"),
    ("Gb", 6, "major", "left", "43213214"), ("A", 9, "harmonic minor", "right", "12312345"),
    ("F#", 6, "harmonic minor", "right", "34123123"), ("Eb", 3, "harmonic minor", "left", "21432132"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "tonic", "form", "hand", "row"), KNOWN)
def test_fingerings_are_those_that_are_taught(name: str, tonic: int, form: str, hand: str, row: str) -> None:
    assert "".join(map(str, scale_fingers(tonic, form, hand))) == row, name


@pytest.mark.parametrize("form", SCALE_STEPS)
@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("octaves", [1, 2])
def test_every_scale_can_be_played_so(form: str, hand: str, octaves: int) -> None:
    for tonic in range(12):
        fingers = scale_fingers(tonic, form, hand, octaves)
        steps = [*SCALE_STEPS[form] * octaves, 0]
        assert len(fingers) == len(steps)
        assert not [
            step for step, finger in zip(steps, fingers, strict=True) if finger == 1 and (tonic + step) % 12 in BLACK
        ]
        for one, two in pairwise(fingers):
            onward = two - one if hand == "right" else one - two
            crossing = two == 1 if hand == "right" else one == 1
            assert onward == 1 or crossing, (tonic, form, hand, fingers)
        if octaves == 2:
            inner = fingers[1:-1]
            assert inner[:6] == inner[7:]
            assert inner[6] in (fingers[0], fingers[-1], 1)
            assert sorted(inner[:7]).count(1) == 2
            assert sorted(inner[:7]).count(4) == 1


def test_every_triad_can_be_broken_so() -> None:
    for tonic in range(12):
        for mode, third in (("major", 4), ("minor", 3)):
            blacks = [(tonic + step) % 12 in BLACK for step in (0, third, 7)]
            for hand in HANDS:
                fingers = arpeggio_fingers(tonic, mode, hand, 2)
                assert len(fingers) == 7
                assert len(set(fingers[3:6])) == 3
                if not all(blacks):
                    thumbs = [
                        black for black, finger in zip([*blacks * 2, blacks[0]], fingers, strict=True) if finger == 1
                    ]
                    assert not any(thumbs), (tonic, mode, hand)


def drilled(name: str, **asked: object) -> Score:
    score = run_task(drill_task(name, **asked), composer("house", 0), seed=0).score  # type: ignore[arg-type]
    assert score is not None
    return score


def test_a_piano_drill_prints_them_and_other_readers_read_them() -> None:
    score = drilled("harmonic minor", key="E", level=2, instrument="piano")
    marks = [mark for mark in score.voices[0].marks if mark.kind == "fingering"]
    assert [mark.value for mark in marks][:8] == list("12312345")
    tree = ElementTree.fromstring(formats["musicxml"].encode(score))
    assert [one.text for one in tree.iter("fingering")] == [mark.value for mark in marks]
    assert "!1!E" in formats["abc"].encode(score).decode()
    assert "right hand 1 2 3 1 2 3 4 1 2 3 1 2 3 4 5;" in fingering_line(4, "harmonic minor")


def test_a_violin_has_no_fingers_of_a_piano() -> None:
    assert not [
        mark
        for mark in drilled("major scale", key="G", instrument="violin").voices[0].marks
        if mark.kind == "fingering"
    ]


def test_intervals_are_named_where_the_drill_is_about_them() -> None:
    score = drilled("melodic intervals", key="C", level=1)
    names = {mark.tick: mark.value for mark in score.voices[0].marks if mark.kind == "words"}
    sizes = {
        "m2": 1,
        "M2": 2,
        "m3": 3,
        "M3": 4,
        "P4": 5,
        "TT": 6,
        "P5": 7,
        "m6": 8,
        "M6": 9,
        "m7": 10,
        "M7": 11,
        "P8": 12,
    }
    assert len(names) == score.bars - 1
    for start, name in names.items():
        pair = [note.pitch for note in score.voices[0].notes if start <= note.onset < start + score.meter.ticks]
        assert abs(pair[1] - pair[0]) == sizes[name]
