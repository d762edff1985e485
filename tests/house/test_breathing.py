"""Who blows or sings breathes before a breath would have gone out; who bows does not."""

from __future__ import annotations

import pytest

from libretto import compose
from libretto.house.compose.breathing import breathed
from libretto.score import QUARTER, Note, Score, Voice

_BAR = 4 * QUARTER
_LASTS = 9.0  # seconds


def _note(onset: int, duration: int, pitch: int) -> Note:
    return Note(onset, duration, pitch, 70, (pitch * 7 + 5) % 12 - 5)


def _held(name: str, program: int, pitch: int = 67, bars: int = 8) -> Voice:
    return Voice.of(name, [_note(bar * _BAR, _BAR, pitch + bar % 2) for bar in range(bars)], program)


def _score(*voices: Voice, bars: int = 8) -> Score:
    return Score.build(list(voices), bars=bars, tempos=[(0, 1_000_000)])


def _stretches(voice: Voice) -> list[float]:
    """How many quarters, of a second each, every stretch without a rest lasts."""
    made, start, reached = [], 0, 0
    for note in voice.notes:
        if note.onset > reached:
            made.append((reached - start) / QUARTER)
            start = note.onset
        reached = max(reached, note.onset + note.duration)
    return [*made, (reached - start) / QUARTER]


@pytest.mark.parametrize(("name", "program"), [("Clarinet", 71), ("Trombone", 57), ("Soprano", 53), ("Shakuhachi", 77)])
def test_who_blows_or_sings_takes_a_breath_after_a_phrase(name: str, program: int) -> None:
    piece = breathed(_score(_held(name, program)))
    assert max(_stretches(piece.voices[0])) < _LASTS
    assert len(piece.voices[0].notes) == 8  # every note is still there, where it was
    assert [note.onset for note in piece.voices[0].notes] == [bar * _BAR for bar in range(8)]


@pytest.mark.parametrize(("name", "program"), [("Violin", 40), ("Organ", 19), ("Bagpipes", 109), ("Didgeridoo", 58)])
def test_bows_bellows_and_bags_go_on(name: str, program: int) -> None:
    score = _score(_held(name, program))
    assert breathed(score) == score


def test_a_choir_breathes_where_nobody_holds_a_note() -> None:
    low = _note(3 * _BAR, 2 * _BAR, 55)  # held over the bar line of the fifth bar
    high = _held("Choir", 52).notes
    piece = breathed(_score(Voice.of("Choir", [*high, low], 52)))
    held = next(note for note in piece.voices[0].notes if note.pitch == 55)
    before = next(note for note in piece.voices[0].notes if note.onset == 3 * _BAR and note.pitch != 55)
    assert held.duration > _BAR
    assert before.duration == _BAR
    assert any(note.duration < _BAR for note in piece.voices[0].notes)


def test_who_rests_often_enough_stays_as_written() -> None:
    notes = [_note(bar * _BAR, 3 * QUARTER, 67) for bar in range(8)]
    score = _score(Voice.of("Flute", notes, 73))
    assert breathed(score) == score


def test_winds_that_hold_chords_of_a_piece_breathe() -> None:
    run = compose("A slow nocturne for flute, oboe, clarinet, bassoon and strings in F major, 16 bars, 60 bpm")
    for voice in run.score.voices:
        if voice.name in ("Flute", "Oboe", "Clarinet", "Bassoon"):
            assert max(_stretches(voice)) <= 12, voice.name
