"""Notes held over bar lines: common tones of pads, and tunes that come before their time."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.house.charts.letting_go import let_go
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.house.core.patterns import Sketch
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


def test_what_accompanies_lets_go_of_what_rubs_with_the_next_chord() -> None:
    plan = make_plan(Contract.from_brief("A folk tune in C major, C, Em, F, G over 8 bars, for flute and piano."), 0)
    bar = plan.meter.ticks
    moving = [Sketch(2 * bar, bar // 2, 57), Sketch(5 * bar // 2, bar // 2, 60), Sketch(3 * bar, bar, 62)]
    assert [plan.chords[number][0] for number in range(2)] == ["C", "Em"]
    held = let_go(plan, [Sketch(0, 2 * bar, 60), Sketch(0, 2 * bar, 67), *moving])  # C lies above the B of E minor
    assert [note.duration for note in held[:2]] == [bar, 2 * bar]
    resolved = let_go(plan, [Sketch(0, 3 * bar // 2, 60), Sketch(3 * bar // 2, bar // 2, 59), *moving])
    assert resolved[0].duration == 3 * bar // 2, "as a step resolves it"
    drone = let_go(plan, [Sketch(0, 2 * bar, 48), Sketch(0, 2 * bar, 55)])
    assert [note.duration for note in drone] == [2 * bar, 2 * bar]
