"""Ukuleles that come down below a tune stay on their strings, and strum chords there."""

from __future__ import annotations

from collections import Counter

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score

_LOWEST = 60  # the lowest string of a ukulele, C4
_BRIEF = (
    "A mellow Hawaiian folk song in G major with a slow tempo, G, C, D7, G over 16 bars. "
    "The slack-key guitar plays gentle melodies and the ukulele adds a soft strum."
)


def test_a_ukulele_stays_on_its_strings() -> None:
    score = compose_score(read_brief(_BRIEF), 0)
    notes = next(voice.notes for voice in score.voices if voice.name == "Ukulele")
    strokes = Counter(note.onset for note in notes)
    assert min(note.pitch for note in notes) >= _LOWEST
    assert min(strokes.values()) > 1
