"""What a voice has besides its notes is in the MIDI file, as another reader has it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from midi_reader import heard

from libretto.formats.midi.read import decode
from libretto.formats.midi.signs import syllable
from libretto.formats.midi.sung import lyric_values, sung_marks
from libretto.formats.midi.write import encode
from libretto.formats.syllables import read_syllable, syllable_value
from libretto.score import QUARTER, Note, Score, Voice
from libretto.score.marks import BEND, PRESSURE, SUSTAIN, Mark, control_rows

NOTES = tuple(Note(beat * QUARTER, QUARTER, 60, 80) for beat in range(4))


def _sung(*marks: Mark, controls: tuple[tuple[int, int, int], ...] = ()) -> Score:
    voice = replace(Voice.of("Voice", NOTES, 52).with_marks(marks), controls=control_rows(controls))
    return Score.build([voice])


def _written(score: Score, *kinds: str) -> list[tuple[int, bytes]]:
    quarter = int.from_bytes(encode(score)[12:14], "big")
    return [(4 * event.tick // quarter, event.data) for event in heard(encode(score)) if event.kind in kinds]


def test_controls_are_written_with_their_ticks() -> None:
    rows = ((0, 7, 100), (QUARTER, BEND, -8192), (2 * QUARTER, BEND, 0), (3 * QUARTER, PRESSURE, 64))
    events = _written(_sung(controls=rows), "control_change", "pitchwheel", "aftertouch")
    assert events == [(0, b"\xb0\x07\x64"), (4, b"\xe0\x00\x00"), (8, b"\xe0\x00\x40"), (12, b"\xd0\x40")]


def test_a_pedal_mark_is_the_sustain_pedal_unless_controls_have_it() -> None:
    pedal = Mark(QUARTER, "pedal", "", 2 * QUARTER)
    assert _written(_sung(pedal), "control_change") == [(4, b"\xb0\x40\x7f"), (12, b"\xb0\x40\x00")]
    both = _sung(pedal, controls=((QUARTER, SUSTAIN, 90),))
    assert _written(both, "control_change") == [(4, b"\xb0\x40\x5a")]


def test_syllables_and_words_are_written() -> None:
    said = ("Hal-", "-lo", "2:moon", "sky_")
    marks = [Mark(note.onset, "lyric", text, note.duration, 60) for note, text in zip(NOTES, said, strict=True)]
    score = _sung(*marks, Mark(0, "words", "softly"))
    assert _written(score, "lyrics") == [(0, b"\xff\x05\x03Hal"), (4, b"\xff\x05\x03lo "), (12, b"\xff\x05\x04sky ")]
    assert _written(score, "text") == [(0, b"\xff\x01\x06softly")]
    assert [note[:4] for note in decode(encode(score)).voices[0].notes] == [note[:4] for note in NOTES]


@pytest.mark.parametrize(("mark", "text"), [("la", "la "), ("1:la", "la "), ("-", ""), ("_", ""), ("a-b", "a-b ")])
def test_what_is_sung(mark: str, text: str) -> None:
    assert syllable(mark) == text


@pytest.mark.parametrize(
    ("mark", "text"), [("se‿à", "se‿à "), ("-\\- eux_", "eux "), ("\\2:30", "2:30 "), ("se\\‿à-", "se‿à")]
)
def test_signs_of_a_mark_are_not_sung(mark: str, text: str) -> None:
    assert syllable(mark) == text


@pytest.mark.parametrize(
    "texts",
    [
        ("Ma- ", "- ry ", "la "),
        (" -", "--", "- - "),
        ("-\u00a0x ", "\ud800", " y" * 99),
        ("2:", "‿", "a‿b"),
    ],
)
def test_no_syllable_of_a_file_keeps_its_notes_from_being_read(texts: tuple[str, ...]) -> None:
    values = [value for value in lyric_values(texts) if value]
    score = _sung(*(Mark(note.onset, "lyric", text, QUARTER, 60) for note, text in zip(NOTES, values, strict=False)))
    again = decode(encode(score))
    assert [note[:4] for note in again.voices[0].notes] == [note[:4] for note in NOTES]
    assert lyric_values([syllable(value) for value in values]) == values


def test_hyphens_join_syllables_across_blanks() -> None:
    assert lyric_values(["Ma- ", "- ry ", "la "]) == ["Ma-", "-ry", "la"]


@given(st.lists(st.text("ab1-_:2@\\\u203f '\n/", max_size=9) | st.text(max_size=120), max_size=6))
def test_what_a_file_says_of_syllables_is_said_once_and_for_all(texts: list[str]) -> None:
    for value in filter(None, lyric_values(texts)):
        assert syllable_value(read_syllable(value)) == value


def _sung_to(lyrics: list[tuple[int, str]], notes: list[tuple[int, int, int]]) -> list[tuple[int, int, str]]:
    """Where syllables stand on notes of one part: start, pitch and value; notes as played, on the page, and pitch."""
    played, onset, pitch = np.array(notes).T
    marks = sung_marks(lyrics, np.zeros(len(notes), np.int64), played, onset, np.full(len(notes), QUARTER), pitch)
    return [(mark.tick, mark.pitch or 0, mark.value) for mark in marks[0]]


def test_a_word_goes_on_where_what_stood_between_is_sung_by_no_note() -> None:
    notes = [(0, 0, 60), (2 * QUARTER, 2 * QUARTER, 62), (3 * QUARTER, 3 * QUARTER, 64)]
    lyrics = [(0, "peop-"), (QUARTER, "\r"), (2 * QUARTER, "le"), (3 * QUARTER, " sing")]
    assert _sung_to(lyrics, notes) == [(0, 60, "peop-"), (2 * QUARTER, 62, "-le"), (3 * QUARTER, 64, "sing")]


@pytest.mark.parametrize("lyrics", [[(8 * QUARTER, "late")], [(0, "\r")], [(QUARTER, "off"), (2 * QUARTER, "")]])
def test_words_that_no_note_starts_with_are_left_out(lyrics: list[tuple[int, str]]) -> None:
    columns = (np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64), np.full(1, QUARTER), np.full(1, 60))
    assert sung_marks(lyrics, *columns) == {}


def test_of_a_chord_that_was_played_unevenly_the_highest_note_is_sung() -> None:
    notes = [(0, 0, 67), (QUARTER // 16, 0, 64), (QUARTER, QUARTER, 65)]
    assert _sung_to([(QUARTER // 16, "yes")], notes) == [(0, 67, "yes")]


def test_who_has_a_note_for_every_syllable_sings_and_not_who_plays_all_the_time() -> None:
    ticks = [beat * 2 * QUARTER for beat in range(8)]
    busy, tune = np.arange(64) * (QUARTER // 2), np.array(ticks[1:])
    onset, voice = np.concatenate((busy, tune)), np.repeat([0, 1], [len(busy), len(tune)])
    lyrics = [(tick, f" la{number}") for number, tick in enumerate(ticks)]
    columns = (voice, onset, onset, np.full(len(onset), QUARTER), np.full(len(onset), 60))
    assert list(sung_marks(lyrics, *columns)) == [1]
    assert list(sung_marks(lyrics, *columns, told=0)) == [0]


def test_a_part_that_sings_beside_one_with_the_same_rhythm_still_sings_when_it_is_read_again() -> None:
    same = replace(Voice.of("Flute", NOTES, 73))
    voice = Voice.of("Voice", NOTES, 52).with_marks([Mark(0, "lyric", "Sing", QUARTER, 60)])
    again = decode(encode(Score.build([same, voice])))
    assert [bool(part.marks) for part in again.voices] == [False, True]
