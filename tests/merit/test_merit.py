"""Better and worse: laws of the number, and that its points are there, located and free of jargon."""

from __future__ import annotations

import re
from dataclasses import replace
from math import isfinite
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import scores

from libretto.axes.axis import axes
from libretto.grammar import notate, parse
from libretto.merit import Merit, Point, merit_of
from libretto.merit.curves import the_curves
from libretto.merit.features import SUBJECTS, numbers_of
from libretto.merit.heard import Heard
from libretto.merit.weigh import TOPICS, standing, topic_of
from libretto.score import Mark, Score, Voice
from libretto.score.edit import transpose
from libretto.score.time import QUARTER
from libretto.score.voice import Note


def tune(bars: int = 16) -> Score:
    """A tune of ours over I-vi-IV-V: an idea of two bars, its answer, both again, and a held ending."""
    idea = [(0.0, 64, 1.0), (1, 67, 0.5), (1.5, 65, 0.5), (2, 64, 1.0), (3, 62, 1.0)]
    answer = [(0.0, 60, 1.5), (1.5, 62, 0.5), (2, 64, 1.0)]
    rise = [(0.0, 65, 1.0), (1, 69, 1.0), (2, 67, 0.5), (2.5, 65, 0.5), (3, 64, 1.0)]
    close = [(0.0, 62, 2.0), (2, 67, 1.0)]
    last = [(0.0, 60, 4.0)]
    lead, bass, pad = [], [], []
    roots = [36, 45, 41, 43]
    for bar in range(bars):
        figure = last if bar == bars - 1 else (idea, answer, rise, close)[bar % 4]
        root = 36 if bar == bars - 1 else roots[bar % 4]
        for place, pitch, length in figure:
            loud = 70 + 4 * (bar % 4) + (6 if place == 0 else 0)
            lead.append(Note(int((4 * bar + place) * QUARTER), int(length * QUARTER * 0.95), pitch + 12, loud, 0))
        for place, length in ((0, 2.0), (2, 2.0)) if bar < bars - 1 else ((0, 4.0),):
            bass.append(Note(int((4 * bar + place) * QUARTER), int(length * QUARTER), root, 76, 0))
        thirds = (0, 3, 7) if root == 45 else (0, 4, 7)
        for tone in thirds:
            pad.append(Note(4 * bar * QUARTER, 4 * QUARTER, 48 + (root + tone) % 12, 60, 0))

    def spelled(notes: list[Note]) -> list[Note]:
        names = {0: 0, 2: 2, 4: 4, 5: -1, 7: 1, 9: 3, 11: 5}
        return [note._replace(spelling=names[note.pitch % 12]) for note in notes]

    voices = [
        Voice.of("Flute", spelled(lead), 73),
        Voice.of("Piano", spelled(pad), 0),
        Voice.of("Bass", spelled(bass), 33),
    ]
    return Score.build(voices, bars=bars)


def jittered(score: Score, seed: int) -> Score:
    chance = np.random.default_rng(seed)
    voices = []
    for voice in score.voices:
        rows = voice.array.copy()
        rows["velocity"] = np.clip(rows["velocity"] + chance.normal(0, 20, len(rows)), 1, 127).astype(np.int16)
        voices.append(voice.with_notes(rows))
    return replace(score, voices=tuple(voices))


def shuffled(score: Score, seed: int) -> Score:
    order = np.random.default_rng(seed).permutation(score.bars)
    voices = []
    for voice in score.voices:
        rows = voice.array.copy()
        bar = rows["onset"] // (4 * QUARTER)
        rows["onset"] += (order[bar] - bar) * 4 * QUARTER
        voices.append(voice.with_notes(rows))
    return Score.build(voices, bars=score.bars)


def swapped(score: Score) -> Score:
    flute, piano, bass = score.voices
    return replace(score, voices=(flute.with_notes(bass.array), piano, bass.with_notes(flute.array)))


def all_points(merit: Merit) -> tuple[Point, ...]:
    return merit.weakest + merit.strongest


def test_the_same_piece_has_the_same_merit() -> None:
    assert merit_of(tune()) == merit_of(parse(notate(tune())))


def test_names_and_labels_are_no_merit() -> None:
    piece = tune()
    labelled = replace(
        piece, title="Masterpiece", sections=((0, "Verse"),), chords=tuple(("C",) for _ in range(piece.bars))
    )
    assert merit_of(labelled).value == merit_of(piece).value


@pytest.mark.parametrize("seed", range(3))
def test_what_is_thrown_about_is_worse(seed: int) -> None:
    assert merit_of(jittered(tune(), seed)).value < merit_of(tune()).value
    assert merit_of(shuffled(tune(), seed)).value < merit_of(tune()).value


def test_a_bass_that_plays_the_tune_is_worse() -> None:
    assert merit_of(swapped(tune())).value < merit_of(tune()).value


def test_another_key_of_the_neighbourhood_hardly_matters() -> None:
    """Registers count, so an octave is another piece; a tone up is nearly the same one."""
    worse = merit_of(shuffled(tune(), 0)).value
    assert abs(merit_of(transpose(tune(), 2)).value - merit_of(tune()).value) < merit_of(tune()).value - worse


def test_two_weak_points_and_a_strong_one() -> None:
    merit = merit_of(tune())
    assert len(merit.weakest) == 2
    assert 1 <= len(merit.strongest) <= 2
    assert len({point.subject for point in all_points(merit)}) == len(all_points(merit))


@pytest.mark.parametrize("piece", [tune(), tune(8), shuffled(tune(), 1), jittered(tune(), 1), swapped(tune())])
def test_points_are_told_as_a_musician_would(piece: Score) -> None:
    for point in all_points(merit_of(piece)):
        assert point.text
        assert point.bars
        assert all(1 <= first <= last <= piece.bars for first, last in point.bars)
        assert point.voice in ("", *(voice.name for voice in piece.voices))
        assert "bar" in point.text.lower()
        assert "{" not in point.text
        assert "_" not in point.text
        assert not any(name in point.text for name in axes)
        without_bars = re.sub(r"bars? [\d\-, and]+", "", point.text, flags=re.IGNORECASE)
        assert not re.search(r"\d", without_bars), point.text
    for point in merit_of(piece).weakest:
        assert ";" in point.text  # what is heard; what to do


def test_jitter_is_told_as_loudness_and_located() -> None:
    weakest = merit_of(jittered(tune(), 0)).weakest
    assert "loudness" in {point.subject for point in weakest}
    assert next(point for point in weakest if point.subject == "loudness").voice


def test_exchanged_parts_are_told_as_instruments() -> None:
    weakest = merit_of(swapped(tune())).weakest
    assert "instruments" in {point.subject for point in weakest}


def test_bars_are_named_as_they_are_written() -> None:
    """A repeated passage is heard twice and named once."""
    piece = tune(8)
    repeated = replace(piece, marks=(Mark(0, "repeat-start"), Mark(piece.bar_lines[7], "repeat-end")))
    for point in all_points(merit_of(repeated)):
        assert all(1 <= first <= last <= 8 for first, last in point.bars)


@pytest.mark.parametrize("bars", [1, 3])
def test_silence_and_scraps_are_worth_least(bars: int) -> None:
    silence = merit_of(Score.build([], bars=bars))
    scrap = merit_of(Score.build([Voice.of("A", [Note(0, QUARTER, 60)])], bars=bars))
    assert silence.value <= scrap.value < merit_of(shuffled(tune(), 0)).value
    assert silence.weakest == silence.strongest == ()
    assert scrap.weakest


def test_drums_alone_can_be_weighed() -> None:
    strokes = [
        Note(place * QUARTER, QUARTER // 2, 36 if place % 2 == 0 else 38, 90, 6 if place % 2 == 0 else 2)
        for place in range(64)
    ]
    kit = Voice.of("Drums", [note._replace(spelling={36: 0, 38: 2}[note.pitch]) for note in strokes], drums=True)
    merit = merit_of(Score.build([kit]))
    assert all(point.text for point in all_points(merit))


def test_every_number_belongs_to_a_topic() -> None:
    numbers = numbers_of(Heard(tune()))
    assert {name.split(".")[0] for name in numbers} == set(SUBJECTS)
    assert all(topic_of(name) for name in the_curves().knots)
    worth = the_curves().worth(numbers)
    assert sum(standing(worth).values()) == pytest.approx(sum(worth.values()))
    assert set(the_curves().spread) == {topic.name for topic in TOPICS}


def test_a_hundred_bars_are_weighed_at_once() -> None:
    piece = tune(100)
    merit_of(piece)
    start = perf_counter()
    merit_of(piece)
    assert perf_counter() - start < 1.0  # about a tenth of that on a quiet machine


@settings(max_examples=60)
@given(scores(max_bars=12, irregular=True))
def test_anything_can_be_weighed(score: Score) -> None:
    merit = merit_of(score)
    assert isfinite(merit.value)
    assert len(merit.weakest) <= 2
    for point in all_points(merit):
        assert point.text
        assert all(first in score.numbers and last in score.numbers for first, last in point.bars)


def test_a_very_long_piece_takes_seconds_at_most() -> None:
    piece = tune(3000)
    start = perf_counter()
    merit_of(piece)
    assert perf_counter() - start < 20


def test_what_was_asked_for_is_not_called_weak() -> None:
    weak = merit_of(tune()).weakest[0].subject
    skipped = merit_of(tune(), skip=(weak,))
    assert weak not in {point.subject for point in skipped.weakest}
    assert len(skipped.weakest) == 2
    assert skipped.value == merit_of(tune()).value
