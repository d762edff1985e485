"""Requests: every kind of change is read, done and heard; every bar and voice nobody speaks of is as it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lab.wishes import band_song
from libretto.agents import compose, composer, run_task
from libretto.edits import sections
from libretto.errors import LibrettoError
from libretto.score import QUARTER, Note, Score, Voice
from libretto.score.marks import Mark, control_rows
from libretto.tasks.revise import RevisionTask, read_request, revise_task
from libretto.tasks.revise.outside import strayed_from
from libretto.tasks.revise.task import strayed
from libretto.tasks.revise.wish import Wish

SAID = (
    ("transpose to Eb", "key"),
    ("up a whole step after the bridge", "key"),
    ("make the bridge minor", "mode"),
    ("the bass an octave higher", "octave"),
    ("swap the flute for a violin", "instrument"),
    ("remove the strings", "remove"),
    ("no drums in the verse", "mute"),
    ("drums only in the chorus", "mute"),
    ("drop the drums in the verse", "mute"),
    ("drop a trumpet in", "add"),
    ("add a harmony voice above the melody", "harmony"),
    ("add a trumpet in the last chorus", "add"),
    ("double the melody with an oboe in the choruses", "double"),
    ("repeat the chorus", "repeat"),
    ("cut the intro", "cut"),
    ("move the bridge before verse 2", "move"),
    ("start with the chorus", "start"),
    ("make the outro four bars longer", "lengthen"),
    ("make it shorter", "shorten"),
    ("tempo 96", "tempo"),
    ("slower ending", "ritardando"),
    ("speed up gradually through the outro", "accelerando"),
    ("a crescendo in the bridge", "crescendo"),
    ("get quieter in the outro", "diminuendo"),
    ("swing it", "swing"),
    ("spread the chords out in the strings", "voicing"),
    ("put some sevenths in the piano chords", "sevenths"),
    ("reharmonise the bridge in a jazz style", "jazz"),
    ("hold the last chord", "ending"),
    ("end on a fade", "ending"),
    ("a sudden stop", "ending"),
    ('call it "Blue Door"', "title"),
    ("only in the second chorus, louder", "loudness"),
    ("louder, but not the drums", "loudness"),
)


def granted(words: str, piece: Score) -> tuple[RevisionTask, Score]:
    request = read_request(words, piece)
    assert request.unread == ()
    run = run_task(revise_task(piece, request.wishes), composer("house"), rounds=2)
    assert isinstance(run.task, RevisionTask)
    assert run.score is not None
    for wish in run.task.wishes:
        assert run.task.granted(run.score, wish)[0], run.task.granted(run.score, wish)
    assert strayed(run.task, run.score) == []
    return run.task, run.score


@pytest.mark.parametrize(("words", "kind"), SAID)
def test_a_change_is_read_done_and_nothing_else(words: str, kind: str) -> None:
    piece = band_song()
    assert kind in [wish.quality for wish in read_request(words, piece).wishes]
    _, made = granted(words, piece)
    assert made != piece


@pytest.mark.parametrize(
    "words", ["repeat the chorus", "add a cello", "no drums in the verse", "up a tone", "swing it"]
)
def test_a_piece_of_the_house_is_changed_alike(words: str) -> None:
    brief = "A cheerful pop song in C major over 32 bars for flute, piano, bass and drums, verse chorus verse chorus."
    piece = compose(brief, seed=2, rounds=1).score
    assert piece is not None
    granted(words, piece)


def test_bars_are_held_against_those_they_came_from() -> None:
    piece = band_song()
    task, made = granted("cut the intro and repeat the second chorus", piece)
    assert [label for _, label in made.sections][:1] == ["Verse 1"]
    notes = made.voices[0].array.copy()
    notes["velocity"][40] += 1
    damaged = replace(made, voices=(made.voices[0].with_notes(notes), *made.voices[1:]))
    assert strayed(task, damaged)
    other, origin = sections.moved(piece, [(21, 24)], 13)
    assert strayed_from(piece, other, origin, ()) == []
    assert strayed_from(piece, other, (*origin[1:], origin[0]), ())


def test_every_check_can_fail() -> None:
    piece = band_song()
    for words, kind in SAID:
        request = read_request(words, piece)
        task = revise_task(piece, request.wishes)
        if task.frame.score is piece:
            assert not all(task.granted(piece, wish)[0] for wish in task.wishes), kind


def test_what_stays_is_checked_and_left_out() -> None:
    piece = band_song()
    task, made = granted("make the last chorus louder and keep the melody as it is", piece)
    assert np.array_equal(made.voice("Melody").array, piece.voice("Melody").array)
    assert "melody" in [wish.target for wish in task.wishes]


def test_what_cannot_be_is_said_and_nothing_is_dropped() -> None:
    piece = band_song()
    request = read_request("remove the sax, and make it a vinyl record, and cut the prelude dance of verse 9", piece)
    given_back = " | ".join(request.unread)
    assert "there is no sax" in given_back
    assert "vinyl record" in given_back
    request = read_request("a louder verse 7", piece)
    assert not request.wishes
    assert "sections: Intro" in request.unread[0]
    assert read_request("", piece).wishes == ()


def test_words_are_found_where_they_stand() -> None:
    text = "Please turn the second chorus up a bit."
    for phrase in read_request(text, band_song()).heard:
        assert text[phrase.start : phrase.end] == phrase.words


def test_bad_wishes_are_refused_in_a_line() -> None:
    piece = band_song()
    with pytest.raises(LibrettoError):
        sections.cut(piece, [(1, 32)])
    with pytest.raises(LibrettoError):
        sections.repeated(piece, [(1, 4)], 99)
    with pytest.raises(LibrettoError):
        sections.reordered(piece, [])


def test_sections_change_places_and_everybody_else_goes() -> None:
    piece = band_song()
    _, made = granted("swap verse 2 and the bridge", piece)
    labels = [label for _, label in made.sections]
    assert labels == ["Intro", "Verse 1", "Chorus 1", "Bridge", "Chorus 2", "Verse 2", "Chorus 3", "Outro"]
    _, made = granted("remove everything but the piano", piece)
    assert [voice.name for voice in made.voices] == ["Piano"]


def test_choices_that_nobody_named_are_said() -> None:
    piece = band_song()
    assert "the last of 3" in read_request("repeat the chorus", piece).wishes[0].text
    assert "the last of" not in read_request("repeat the second chorus", piece).wishes[0].text
    assert "drums as a whole" in read_request("a louder snare", piece).wishes[0].text


def test_late_notes_are_measured() -> None:
    piece = band_song()
    task, made = granted("make the piano laid back", piece)
    wish = task.wishes[0]
    assert not task.granted(piece, wish)[0]
    notes = made.voice("Piano").array.copy()
    notes["onset"] = piece.voice("Piano").array["onset"]
    notes["velocity"] += 1
    other = replace(made, voices=tuple(v.with_notes(notes) if v.name == "Piano" else v for v in made.voices))
    assert not task.granted(other, wish)[0]


def test_chords_that_stay_are_heard() -> None:
    piece = band_song()
    task = revise_task(piece, read_request("make it busier and keep the chords", piece).wishes)
    wish = next(wish for wish in task.wishes if wish.quality == "keep")
    assert task.granted(piece, wish)[0]
    voices = []
    for voice in piece.voices:
        notes = voice.array.copy()
        notes["pitch"] += 0 if voice.drums else 5
        notes["spelling"] -= 0 if voice.drums else 1
        voices.append(voice.with_notes(notes))
    assert not task.granted(replace(piece, voices=tuple(voices)), wish)[0]


def test_a_note_that_rings_over_a_seam_has_strayed() -> None:
    piece = band_song()
    made, origin = sections.cut(piece, [(5, 8)])
    assert strayed_from(piece, made, origin, ()) == []
    notes = made.voice("Strings").array.copy()
    last = notes["onset"] == made.bar_lines[3]
    notes["duration"][last] *= 2
    ringing = replace(made, voices=tuple(v.with_notes(notes) if v.name == "Strings" else v for v in made.voices))
    assert strayed_from(piece, ringing, origin, ())


def test_signs_and_controls_that_change_have_strayed() -> None:
    piece = band_song()
    tune = piece.voices[0]
    first = tune.notes[0]
    signed = tune.with_marks([Mark(first.onset, "staccato", "", first.duration, first.pitch)])
    pedal = replace(signed, controls=control_rows([(0, 64, 100)]))
    base = replace(piece, voices=(pedal, *piece.voices[1:]))
    whole = tuple(range(base.bars))
    assert strayed_from(base, base, whole, ()) == []
    assert strayed_from(base, replace(piece, voices=(signed, *piece.voices[1:])), whole, ())
    bare = replace(tune, controls=control_rows([(0, 64, 100)]))
    assert strayed_from(base, replace(piece, voices=(bare, *piece.voices[1:])), whole, ())
    louder = revise_task(base, read_request("louder in the intro", base).wishes)
    assert strayed_from(base, replace(piece, voices=(bare, *piece.voices[1:])), whole, louder.steps) == []


def test_titles_and_places_by_their_neighbours_are_read() -> None:
    piece = band_song()
    request = read_request('call it "Low Tide, and Louder"', piece)
    assert [(wish.quality, wish.target) for wish in request.wishes] == [("title", "Low Tide, and Louder")]
    for words, spans in (
        ("softer in choruses two and three", ((17, 20), (25, 28))),
        ("softer in the two bars before the bridge", ((19, 20),)),
        ("softer in the last two bars of the bridge", ((23, 24),)),
        ("the second time the chorus comes round, softer", ((17, 20),)),
        ("verse 2 darker, softer in the chorus right after", ((17, 20),)),
    ):
        found = [wish for wish in read_request(words, piece).wishes if wish.quality == "loudness"]
        assert tuple(span for wish in found for span in wish.where) == spans, words


ALONE = (
    "add a harmony voice above the melody",
    "double the melody with an oboe",
    "swap the melody for a violin",
    "hold the last chord",
    "make it shorter",
)


@pytest.mark.parametrize("words", ALONE)
def test_a_song_of_one_voice_is_changed_alike(words: str) -> None:
    tune = [Note.named(name, QUARTER * at, QUARTER) for at, name in enumerate(("C5", "E5", "G5", "E5", "D5", "F5"))]
    last = Note.named("C5", 12 * QUARTER, 4 * QUARTER - QUARTER // 10)
    signs = (Mark(0, "repeat-start"), Mark(8 * QUARTER, "repeat-end"))
    piece = Score.build([Voice.of("Flute", [*tune, last], program=73)], bars=5, marks=signs)
    task, made = granted(words, piece)
    assert made != piece
    assert task.receipt(made).passed


def test_chords_over_a_tune_alone_are_their_labels() -> None:
    tune = [Note.named(name, 4 * QUARTER * at, 4 * QUARTER) for at, name in enumerate(("E5", "D5", "C5"))]
    piece = Score.build([Voice.of("Flute", tune, program=73)], chords=[("C",), ("G",), ("C",)])
    _, made = granted("reharmonise it in a jazz style", piece)
    assert made.voices == piece.voices
    assert made.chords != piece.chords


def test_a_chord_that_fills_its_bar_is_held_on() -> None:
    chord = [Note.named(name, 0, 4 * QUARTER - QUARTER // 10) for name in ("C4", "E4", "G4")]
    _, made = granted("hold the last chord", Score.build([Voice.of("Piano", chord, program=0)]))
    assert made.voices[0].notes[0].duration > 4 * QUARTER


def test_whose_part_is_meant_has_to_be_said() -> None:
    piece = Score.build([Voice.of("Flute", [Note.named("C5", 0, QUARTER)])])
    for kind in ("double", "harmony", "instrument", "remove"):
        with pytest.raises(LibrettoError, match="whose part"):
            revise_task(piece, [Wish(kind, target="third above")])
