"""Staves: hands stay together, no staff is left empty, clefs are those a player reads, second lines wait visibly."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from libretto.formats.musicxml.write import encode
from libretto.notation.clefs import Clef
from libretto.notation.hands import right_hand
from libretto.notation.instruments import instrument
from libretto.notation.layers import upper_first
from libretto.notation.sheet import SheetStyle
from libretto.notation.staves import staves_of
from libretto.score import QUARTER, Note, Score, Voice

EIGHTH, BAR = QUARTER // 2, 4 * QUARTER
LINES = tuple(range(0, 9 * BAR, BAR))


def line(names: str, step: int = EIGHTH, start: int = 0) -> list[Note]:
    return [Note.named(name, start + index * step, step) for index, name in enumerate(names.split())]


def hands(notes: list[Note]) -> dict[tuple[int, str], bool]:
    voice = Voice.of("Piano", notes, program=0)
    return {
        (note.onset, note.name): bool(upper)
        for note, upper in zip(voice.notes, right_hand(voice.array).tolist(), strict=True)
    }


def test_a_line_that_crosses_middle_c_stays_in_its_hand() -> None:
    run = line("G3 A3 B3 C4 D4 E4 F4 G4 F4 E4 D4 C4 B3 A3 G3 C4")
    above = [
        Note.named(name, beat * QUARTER, QUARTER)
        for beat, name in enumerate(["E5", "G5", "C6", "G5", "F5", "A5", "C6", "G5"])
    ]
    taken = hands(run + above)
    assert not any(taken[note.onset, note.name] for note in run)
    assert all(taken[note.onset, note.name] for note in above)


def test_chords_of_a_hand_are_kept_together_and_within_its_reach() -> None:
    notes = []
    for beat in range(8):
        notes += [Note.named(name, beat * QUARTER, QUARTER) for name in ("C3", "G3", "E4", "C5", "G5")]
    taken = hands(notes)
    for beat in range(8):
        chord = sorted((note for note in notes if note.onset == beat * QUARTER), key=lambda note: note.pitch)
        uppers = [taken[note.onset, note.name] for note in chord]
        assert uppers == sorted(uppers), "the left hand has the lower notes"
        for side in (True, False):
            mine = [note.pitch for note, upper in zip(chord, uppers, strict=True) if upper == side]
            assert mine
            assert max(mine) - min(mine) <= 16, "a tenth"


def test_no_staff_is_empty_while_the_other_has_everything() -> None:
    high = Voice.of("Piano", line("C5 E5 G5 C6 " * 8), program=0)
    low = Voice.of("Piano", line("C2 E2 G2 C3 " * 8), program=0)
    climbing = line("C3 E3 G3 C4 " * 8) + line("E4 G4 C5 E5 " * 8, start=32 * EIGHTH)
    wandering = Voice.of("Piano", climbing, program=0)
    for voice in (high, low, wandering):
        assert len(staves_of(voice, LINES)) == 1
    both = Voice.of("Piano", line("C5 E5 G5 C6 " * 8) + line("C2 G2 E3 G2 " * 8), program=0)
    assert [len(staff.streams[0].array) for staff in staves_of(both, LINES)] == [32, 32]


def test_a_left_hand_that_lies_high_has_a_treble_clef() -> None:
    notes = line("C6 E6 G6 E6 " * 8) + line("G4 B4 D5 B4 " * 8) + [Note.named("C2", 0, EIGHTH)]
    staves = staves_of(Voice.of("Piano", notes, program=0), LINES)
    assert len(staves) == 2
    assert staves[1].clefs[2].sign == "G"


@pytest.mark.parametrize(
    ("name", "program", "notes", "clef"),
    [
        ("Guitar", 24, "E3 G3 B3 E4", Clef("G", 2, -1)),
        ("Banjo", 105, "G3 B3 D4 G4", Clef("G", 2, -1)),
        ("Tenor", None, "C3 E3 G3 C4", Clef("G", 2, -1)),
        ("Soprano", None, "C5 E5 G5 C5", Clef("G", 2)),
        ("Viola", 41, "C4 E4 G4 D4", Clef("C", 3)),
        ("Viola", 48, "C4 E4 G4 D4", Clef("C", 3)),
        ("Cello", 42, "C3 E3 G3 D3", Clef("F", 4)),
        ("Cello", 42, "C4 E4 A4 D4", Clef("C", 4)),
        ("Trombone", 57, "F4 A4 G4 E4", Clef("C", 4)),
        ("Bassoon", 70, "F4 A4 G4 E4", Clef("C", 4)),
        ("Bassoon", 70, "F2 A2 C3 F3", Clef("F", 4)),
        ("Flute", 73, "C5 E5 G5 C6", Clef("G", 2)),
    ],
)
def test_clefs_are_those_a_player_reads(name: str, program: int | None, notes: str, clef: Clef) -> None:
    voice = Voice.of(name, line(" ".join([notes] * 16)), program=program)
    assert set(staves_of(voice, LINES)[0].clefs) == {clef}


def test_an_instrument_is_what_its_name_says_where_its_sound_is_only_like_it() -> None:
    assert instrument(Voice("Viola", 48)) == 41
    assert instrument(Voice("Strings", 48)) == 48
    assert instrument(Voice("Viola", 0)) == 0
    assert instrument(Voice("Tenor")) == 52


def test_the_upper_line_is_the_first_layer_whoever_comes_first() -> None:
    held = (Note.named("C4", 0, BAR),)
    late = [(Note.named(name, QUARTER * (1 + at), QUARTER),) for at, name in enumerate(("E5", "G5", "E5"))]
    alone = (Note.named("C3", BAR, QUARTER),)
    layers = dict(upper_first([held, *late, alone]))
    assert layers == {held: 1, **dict.fromkeys(late, 0), alone: 0}


def test_a_second_line_that_enters_late_shows_its_rests_and_a_silent_bar_shows_none() -> None:
    upper = [Note.named("E5", bar * BAR, BAR) for bar in range(2)]
    lower = [Note.named("C4", 2 * QUARTER, QUARTER)]
    score = Score.build([Voice.of("Flute", upper + lower, program=73)], bars=2)
    root = ElementTree.fromstring(encode(score, SheetStyle(engraved=True)))
    first, second = root.iter("measure")
    rests = [note for note in first.iter("note") if note.find("rest") is not None]
    assert [note.findtext("type") for note in rests if note.get("print-object") != "no"] == ["half"]
    assert rests[0].findtext("voice") == "2"
    assert second.find("note/rest") is None
