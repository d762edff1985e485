"""Names of notes and keys that nobody wrote are worked out when they are asked for."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from libretto.axes import measure
from libretto.corpus.forces import forces_of
from libretto.formats import formats
from libretto.grammar import notate, parse
from libretto.score import QUARTER, Key, Mark, Note, Score, Voice
from libretto.score.facts import Facts
from libretto.score.key_choice import readable_keys
from libretto.score.late import Unnamed
from libretto.score.spelling import spell_notes
from libretto.score.table import NOTE, SOUND, TABLE

_SCALE = ("D4", "E4", "F#4", "G4", "A4", "B4", "C#5", "D5")


def _song() -> bytes:
    """A scale of D major with words, a bass and a kit, as MIDI."""
    tune = [Note.named(name, at * QUARTER, QUARTER) for at, name in enumerate(_SCALE * 4)]
    words = tuple(Mark(note.onset, "lyric", "la", note.duration, note.pitch) for note in tune[:8])
    bass = [Note.named("F#2" if bar % 2 else "D2", bar * 4 * QUARTER, 4 * QUARTER) for bar in range(8)]
    kit = [Note.named("F#2", at * QUARTER // 2, QUARTER // 2) for at in range(64)]
    voices = [
        Voice.of("Tune", tune, 73).with_marks(words),
        Voice.of("Bass", bass, 33),
        Voice.of("Kit", kit, None, True),
    ]
    return formats["midi"].encode(Score.build(voices, keys=((0, Key.parse("D major")),)))


def _read() -> Score:
    return formats["midi"].decode(_song())


def _is_unnamed(score: Score) -> bool:
    held = {"keys", "table", "chords"} & set(vars(score))
    return not held and not any("array" in vars(voice) for voice in score.voices)


def test_names_and_keys_come_at_the_first_question_and_are_known_from_then_on() -> None:
    score = _read()
    assert _is_unnamed(score)
    assert score.key == Key.parse("D major")
    assert score.keys is vars(score)["keys"]
    assert [note.name for note in score.voices[0].notes] == list(_SCALE * 4)
    assert score.voices[0].array is vars(score.voices[0])["array"]
    assert not score.voices[0].array.flags.writeable
    assert score.table.dtype == TABLE
    assert score.voices[2].notes[0].name == "F#2"


def test_a_piece_shows_its_sounds_without_names() -> None:
    score, written = _read(), parse(notate(_read()))
    for piece in (score, written):
        assert piece.sounds.dtype.names == SOUND.names
        assert not piece.sounds.flags.writeable
    assert _is_unnamed(score)
    for name in SOUND.names or ():
        assert np.array_equal(score.sounds[name], score.table[name])
        assert np.array_equal(score.sounds[name], written.sounds[name])
    for voice in _read().voices:
        assert np.array_equal(voice.sounds["pitch"], voice.array["pitch"])
    assert written.voices[0].sounds is written.voices[0].array


def test_names_are_what_the_spelling_of_all_pitched_notes_says() -> None:
    score = _read()
    rows = score.sounds[score.sounds["voice"] < 2]
    onset, duration, pitch, voice = (rows[name].astype(np.int64) for name in ("onset", "duration", "pitch", "voice"))
    keys = readable_keys(score.keys, onset, duration, pitch, voice)
    names = spell_notes(onset, pitch, voice, keys)
    assert score.table["spelling"][: len(rows)].tolist() == names.tolist()


@pytest.mark.parametrize("ask", [measure, forces_of, Facts, formats["midi"].encode])
def test_whoever_measures_asks_for_no_names(ask: Callable[[Score], object]) -> None:
    score = _read()
    ask(score)
    assert not {"table", "chords"} & set(vars(score))
    assert not any("array" in vars(voice) for voice in score.voices)


def test_a_piece_whose_names_were_not_asked_for_is_equal_to_one_whose_were() -> None:
    asked = _read()
    assert len(asked.table)
    assert asked.chords
    copies = [_read(), pickle.loads(pickle.dumps(_read())), copy.deepcopy(_read()), copy.copy(_read())]
    assert all(_is_unnamed(piece) for piece in copies)
    for piece in (*copies, pickle.loads(pickle.dumps(asked))):
        assert piece == asked
        assert hash(piece) == hash(asked)
        assert piece.voices == asked.voices
    assert replace(_read(), title="Other").keys == asked.keys
    assert replace(_read().voices[0], name="Other").array.tobytes() == asked.voices[0].array.tobytes()


def test_words_are_kept_on_notes_without_names() -> None:
    score = _read()
    assert [mark.value for mark in score.voices[0].marks] == ["la"] * 8
    assert _is_unnamed(score)


def test_other_labels_leave_names_to_be_asked_for() -> None:
    score = _read()
    other = score.with_chords([("D",)] * score.bars)
    assert other.sounds is score.sounds
    assert not any("array" in vars(voice) for voice in other.voices)
    assert other.keys == score.keys


def test_notes_without_a_voice_have_no_names() -> None:
    none = Unnamed(np.empty(0, SOUND), (), ((0, Key(2)),))
    assert none.keys == ((0, Key(2)),)
    assert none.notes.dtype == NOTE
    assert not len(none.notes)
