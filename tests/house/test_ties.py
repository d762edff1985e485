"""Notes held over bar lines: common tones of pads, and tunes that come before their time."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.house.compose.composer import compose_score
from libretto.score import QUARTER, Score, Voice

SONG = "A pop rock song in C major, C, Am, F, G over 24 bars, for piano, strings that hold chords, bass and drums."


def over_lines(score: Score, voice: Voice) -> list[tuple[int, int]]:
    """Starts and ends of notes that sound over a bar line."""
    ticks = score.meter.ticks
    spans = [(note.onset, note.onset + note.duration) for note in voice.notes]
    return [(start, end) for start, end in spans if end > (start // ticks + 1) * ticks]


def test_pads_hold_what_the_next_chord_has_too() -> None:
    score = compose_score(Contract.from_brief(SONG), 0)
    ticks = score.meter.ticks
    held = over_lines(score, score.voice("Strings"))
    assert held
    assert all(end - start <= 2 * ticks for start, end in held)


@pytest.mark.parametrize("seed", [0, 1])
def test_tunes_of_songs_are_pushed_and_those_of_hymns_are_not(seed: int) -> None:
    hymn = compose_score(Contract.from_brief("A hymn in D major, 16 bars, for organ."), seed)
    assert all(end - start >= hymn.meter.ticks // 2 for one in hymn.voices for start, end in over_lines(hymn, one))
    starts = set()
    for number in range(8):
        song = compose_score(Contract.from_brief(f"A pop rock song, {24 + 8 * (number % 2)} bars."), number + 8 * seed)
        ticks = song.meter.ticks
        starts |= {start % ticks for one in song.voices if not one.drums for start, _ in over_lines(song, one)}
    assert 4 * QUARTER - QUARTER // 2 in starts
