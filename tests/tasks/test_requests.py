"""Requests: every kind of change is read, done and heard; every bar and voice nobody speaks of is as it was."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lab.wishes import band_song
from libretto.agents import compose, composer, run_task
from libretto.edits import sections
from libretto.errors import LibrettoError
from libretto.score import Score
from libretto.tasks.revise import RevisionTask, read_request, revise_task
from libretto.tasks.revise.outside import strayed_from
from libretto.tasks.revise.task import strayed

SAID = (
    ("transpose to Eb", "key"),
    ("up a whole step after the bridge", "key"),
    ("make the bridge minor", "mode"),
    ("the bass an octave higher", "octave"),
    ("swap the flute for a violin", "instrument"),
    ("remove the strings", "remove"),
    ("no drums in the verse", "mute"),
    ("drums only in the chorus", "mute"),
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
