"""Chord labels that nobody wrote are heard when they are asked for."""

import pickle
from dataclasses import replace

import numpy as np

from libretto.formats import formats
from libretto.score import QUARTER, Key, Note, Score, Voice, spell
from libretto.score.harmony import hear_chords


def _read() -> Score:
    """Four bars of triads, written as MIDI and read back."""
    notes = [
        Note(bar * 4 * QUARTER, 4 * QUARTER, pitch, 80, int(spell(np.array([pitch]), Key(0))[0]))
        for bar, root in enumerate((48, 53, 55, 48))
        for pitch in (root, root + 4, root + 7)
    ]
    return formats["midi"].decode(formats["midi"].encode(Score.build([Voice.of("Piano", notes)])))


def test_labels_are_heard_at_the_first_question_and_known_from_then_on() -> None:
    score = _read()
    assert "chords" not in vars(score)
    assert score.chords == (("C",), ("F",), ("G",), ("C",)) == hear_chords(score)
    assert score.chords is vars(score)["chords"]


def test_a_piece_whose_labels_were_not_asked_for_is_equal_to_one_whose_were() -> None:
    asked, quiet = _read(), _read()
    assert asked.chords
    sent = pickle.loads(pickle.dumps(quiet))
    assert "chords" not in vars(sent)
    assert quiet == asked == sent
    assert replace(_read(), title="Other").chords == asked.chords


def test_written_labels_come_before_what_is_heard() -> None:
    score = _read()
    other = score.with_chords([("Am",)] * score.bars)
    assert other.chords == (("Am",),) * 4
    assert "chords" not in vars(score)
