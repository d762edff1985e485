"""Slides that are bent, and those that are not."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.house.compose.bending import bent
from libretto.score import QUARTER, Key, Note, Score, Voice, spell
from libretto.score.marks import BEND

GUITAR, PIANO = 27, 0


def note(onset: int, duration: int, pitch: int) -> Note:
    return Note(onset, duration, pitch, 80, spell(pitch, Key.parse("C major")))


SLIDE = [note(0, QUARTER // 8, 70), note(QUARTER // 8, 2 * QUARTER, 71)]


def played(notes: list[Note], program: int) -> Voice:
    return bent(Score.build([Voice.of("Guitar", notes, program)], bars=1)).voices[0]


def test_a_guitar_bends_into_a_note_and_shakes_it_when_it_is_long() -> None:
    voice = played(SLIDE, GUITAR)
    assert [(one.onset, one.duration, one.pitch) for one in voice.notes] == [(0, 2 * QUARTER + QUARTER // 8, 71)]
    bends = voice.controls[voice.controls["kind"] == BEND]
    assert bends["value"].tolist()[0] == -4096
    assert bends["value"].tolist()[-1] == 0
    assert set(voice.controls["kind"].tolist()) == {1, BEND}


def test_a_piano_plays_both_notes() -> None:
    assert played(SLIDE, PIANO).notes == tuple(SLIDE)


def test_nothing_is_bent_while_another_string_sounds() -> None:
    notes = [*SLIDE, note(0, 4 * QUARTER, 52)]
    assert len(played(notes, GUITAR).notes) == len(notes)


LONG = [note(0, 2 * QUARTER, 71), note(2 * QUARTER, QUARTER, 69)]


def slid(name: str, asks: tuple[Ask, ...] = ()) -> list[int]:
    voice = bent(Score.build([Voice.of(name, LONG, GUITAR)], bars=1), asks).voices[0]
    assert voice.notes == tuple(LONG)
    return voice.controls["value"][voice.controls["kind"] == BEND].tolist()


def test_a_steel_guitar_glides_into_its_long_notes_and_so_does_who_is_asked() -> None:
    bends = slid("Pedal Steel")
    assert bends[0] == -8192, "from a tone below where nothing came before"
    assert max(bends) == 8191, "from above where the line falls by a tone"
    assert slid("Electric Guitar", (Ask("articulation", "slides", "Electric Guitar"),)) == bends
    assert slid("Electric Guitar") == []
