"""What is lost in a format is found by reading back, and counted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from strategies import marked_scores

from libretto.formats import formats, inventory, loss_line, lost_between, lost_in
from libretto.grammar import parse
from libretto.score import Note, Score

_SONG = """KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 2
VOICES: LEAD[prog=65]
@1 [C] (|:) (words:Allegro)
  LEAD: mf@1 cresc@1>8 C4@1>4'."A-" F#4@5>4'("-ma-" G4@9>8')'ferm"-zing" cc1@1=20,9=90 bend@3=50
@2 [Dm7 | G7] (:|)
  LEAD: D4@1>8^99 F4@9>8
"""


@given(marked_scores())
def test_the_text_loses_nothing(score: Score) -> None:
    assert lost_in(score, formats["text"]) == {}
    assert lost_in(score, formats["compact"]) == {}


def test_what_a_piece_holds_is_counted() -> None:
    held = inventory(parse(_SONG))
    assert held == {
        **{"articulations": 1, "controllers": 2, "dynamics": 1, "fermatas": 1, "hairpins": 1, "lyrics": 3},
        **{"pitch bends": 1, "repeat signs": 2, "slurs": 1, "words": 1},
    }


def test_every_kind_of_loss_is_seen() -> None:
    score = parse(_SONG)
    voice = score.voices[0]
    assert lost_between(score, score) == {}
    bare = replace(score, voices=(replace(voice, marks=(), controls=voice.controls[:0]),))
    assert lost_between(score, bare) == {
        **{"articulations": 1, "controllers": 2, "dynamics": 1, "fermatas": 1, "hairpins": 1, "lyrics": 3},
        **{"pitch bends": 1, "slurs": 1},
    }
    notes = [note._replace(velocity=1) for note in voice.notes]
    assert lost_between(score, replace(score, voices=(voice.with_notes(notes),))) == {"velocities": 5}
    fewer = lost_between(score, replace(score, voices=(voice.with_notes(voice.notes[1:]),)))
    assert fewer == {"notes": 1, "articulations": 1, "lyrics": 1}
    flat = [note._replace(spelling=note.spelling - 12) if note.name == "F#4" else note for note in voice.notes]
    assert lost_between(score, replace(score, voices=(voice.with_notes(flat),)))["spellings"] == 1
    assert lost_between(score, replace(score, chords=(("C",), ("-",)))) == {"chord labels": 2}


def test_what_one_voice_lost_is_not_taken_off_another() -> None:
    text = _SONG.replace("[prog=65]", "[prog=65], BASS").replace("  LEAD: D4@1", "  BASS: C2@1>8\n  LEAD: D4@1")
    score = parse(text)
    lead, bass = score.voices
    shorter = [note._replace(duration=note.duration // 2) for note in lead.notes]
    for others, notes in ((bass, 0), (bass.with_notes([]), len(bass.notes))):
        lost = lost_between(score, replace(score, voices=(lead.with_notes(shorter), others)))
        assert lost["lengths"] == len(lead.notes)
        assert lost.get("notes", 0) == notes


def test_repeats_that_are_written_out_lose_only_their_signs() -> None:
    score = parse(_SONG)
    midi = formats["midi"]
    lost = lost_between(score, midi.decode(midi.encode(score)))
    assert lost["repeat signs"] == 2
    assert "notes" not in lost
    assert "bar lines" not in lost


def test_the_line_says_it_in_words() -> None:
    assert loss_line({"lyrics": 85, "slurs": 1, "tempi": 1}, "midi") == "lost in midi: 85 lyrics, 1 slur, 1 tempo"
    assert loss_line({}, "text") == "nothing is lost"


@pytest.mark.parametrize("name", ["midi", "abc", "musicxml", "mxl"])
def test_plain_notes_are_lost_in_no_format(name: str) -> None:
    score = parse(_SONG)
    plain = replace(score, voices=tuple(v.with_marks(()) for v in score.voices), marks=())
    plain = replace(plain, voices=tuple(replace(v, controls=v.controls[:0]) for v in plain.voices))
    assert not {"notes", "lengths", "voices"} & lost_in(plain, formats[name]).keys()


def test_a_note_more_is_no_loss() -> None:
    score = parse(_SONG)
    voice = score.voices[0]
    more = voice.with_notes((*voice.notes, Note(0, 40320, 48)))
    assert lost_between(score, replace(score, voices=(more,))) == {}
