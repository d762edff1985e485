"""Lenient reading: each repair is made, is listed, and is the only one; what is ambiguous stays an error."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import scores

from libretto.errors import GrammarError
from libretto.grammar import check, notate, parse, parse_lenient
from libretto.score import Score

HEADER = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 1\nVOICES: Lead, BASS[prog=33]\n"
PLAIN = HEADER + "@1 [C]\n  Lead: C4@1>4 Eb4@5>4\n  BASS: C2@1>8\n"


@given(scores(irregular=True))
def test_a_valid_text_needs_no_repair(score: Score) -> None:
    for text in (notate(score), notate(score, compact=True)):
        reading = parse_lenient(text)
        assert reading.score == score
        assert (reading.repairs, reading.text) == ((), text)


REPAIRS = [
    ("```\n" + PLAIN + "```\n", 1, "'```' is not music"),
    ("```libretto\n" + PLAIN + "```", 6 + 1, "'```' is not music"),
    ("Here is a song in C.\n\n" + PLAIN, 1, "is not music and is left out"),
    (PLAIN + "\nI hope you like it! The bass stays low.\n", 7, "is not music and is left out"),
    (PLAIN + "\n**Bass**: stays low throughout\n", 7, "is not music and is left out"),
    ("# A piece\n---\n" + PLAIN, 2, "'---' is not music"),
    ("\ufeff" + PLAIN, 1, "control characters"),
    (PLAIN.replace("Lead: ", "Le\u200bad: "), 4, "control characters"),
    (PLAIN.replace("Lead", "Lead\x00"), 4, "control characters"),
    (PLAIN.replace(" | BARS: 1", ""), 1, "BARS is missing: 1 are written"),
    (PLAIN.replace("BARS: 1", "BARS: 12"), 1, "BARS is 12: 1 are written"),
    (PLAIN.replace("KEY: C major | ", ""), 1, "KEY is missing: C major"),
    (PLAIN.replace("METER: 4/4 | ", ""), 1, "METER is missing: 4/4"),
    (PLAIN.replace("TEMPO: 120 | ", ""), 1, "TEMPO is missing: 120"),
    (PLAIN.replace("GRID: 16th | ", ""), 1, "GRID is missing: 16th"),
    (PLAIN.replace("KEY:", "FEEL: easy | KEY:"), 1, "'FEEL: easy' is left out of the header"),
    (PLAIN.replace("BARS: 1", "BARS: 1 | KEY: D major"), 1, "'KEY: D major' is left out of the header"),
    (PLAIN.replace("Lead: C4", "LEAD: C4"), 4, "the voice LEAD is Lead"),
    (PLAIN.replace("  Lead: C4", "- **lead** : C4"), 4, "is Lead"),
    (PLAIN.replace("Lead, BASS[prog=33]", "BASS[prog=33]"), 4, "'Lead' was not declared and is added"),
    (PLAIN.replace("@1 [C]", "Bar 1: [C]"), 3, "'Bar 1: [C]' is read as '@1 [C]'"),
    (PLAIN.replace("@1 [C]", "**@1 [C]**"), 3, "is read as '@1 [C]'"),
    (PLAIN.replace("@1 [C]", "@1: C"), 3, "the chord of bar 1 is written [C]"),
    (PLAIN.replace("@1 [C]", "@1"), 3, "the chord of bar 1 is written [-]"),
    (PLAIN.replace("@1 [C]", "@1 [N.C.]"), 3, "the chord 'N.C.' is read as -"),
    (PLAIN.replace("@1 [C]", "@1 [B♭]"), 3, "the chord 'B♭' is read as Bb"),
    (PLAIN.replace("@1 [C]", "@1 [Cmaj7(weird)]"), 3, "is read as Cmaj7"),
    (PLAIN.replace("@1 [C]", "@1 [C] (the chorus)"), 3, "'(the chorus)' is not music"),
    (PLAIN.replace("@1 [C]\n  Lead:", "@1 [C] Lead:"), 3, "have a line of their own"),
    (PLAIN.replace("C4@1>4", "C4@1>4 r@9>4"), 4, "'r@9>4' is not a note"),
    (PLAIN.replace("C4@1>4", "C4@1>4 -"), 4, "'-' is not a note"),
    (PLAIN.replace("C4@1>4", "C4@1>4 rest"), 4, "'rest' is not a note"),
    (PLAIN.replace("C4@1>4", "c4@1>4"), 4, "'c4@1>4' is read as C4@1>4"),
    (PLAIN.replace("C4@1>4", "C4@1>4,"), 4, "'C4@1>4,' is read as C4@1>4"),
    (PLAIN.replace("Eb4", "E♭4"), 4, "'E♭4@5>4' is read as Eb4@5>4"),
    (PLAIN.replace("C4@1>4 Eb4@5>4", "C4@1>4 | Eb4@5>4"), 4, "is read as 'Lead: C4@1>4 Eb4@5>4'"),
    (PLAIN.replace(" Eb4@5>4", "\n  Lead: Eb4@5>4"), 5, "a second line of Lead is joined"),
    (PLAIN.replace("BASS: C2", "BASS C2"), 5, "is read as"),
    (PLAIN.replace("C4@1>4 Eb4@5>4", "C4@0>4 Eb4@4>4").replace("C2@1", "C2@0"), 1, "counted from 0"),
    (PLAIN + "  BASS:\n", 6, "the line of BASS is empty"),
]


@pytest.mark.parametrize(("text", "line", "words"), REPAIRS)
def test_a_repair_is_made_and_listed(text: str, line: int, words: str) -> None:
    assert check(text) != []
    reading = parse_lenient(text)
    assert any(repair.line == line and words in repair.what for repair in reading.repairs), reading.repairs
    assert [sorted(voice.notes) for voice in sorted(reading.score.voices, key=lambda v: v.name)] == [
        sorted(voice.notes) for voice in sorted(parse(PLAIN).voices, key=lambda v: v.name)
    ]
    assert parse(reading.text) == reading.score
    assert [repair.line for repair in reading.repairs] == sorted(repair.line for repair in reading.repairs)


def test_a_repair_can_be_read() -> None:
    assert str(parse_lenient(PLAIN.replace("Lead: C4", "LEAD: C4")).repairs[0]) == "line 4: the voice LEAD is Lead"


@pytest.mark.parametrize(
    ("voices", "lines", "names"),
    [
        ("Fire, Fire[prog=1], B[drums]", ("Fire, Fire: C4@1>1", "B: C2@1>1"), ["Fire Fire", "B"]),
        ("Synth [lead][prog=1], B[prog=2]", ("Synth [lead]: C4@1>1", "B: C2@1>1"), ["Synth lead", "B"]),
        ("A, A", ("A: C4@1>1",), ["A", "A #2"]),
        ("", ("A: C4@1>1", "My Drums: C2@1>1"), ["A", "My Drums"]),
    ],
)
def test_voice_names_are_made_legal(voices: str, lines: tuple[str, ...], names: list[str]) -> None:
    header = HEADER.replace("Lead, BASS[prog=33]", voices)
    reading = parse_lenient(header + "@1 [C]\n" + "\n".join(lines) + "\n")
    assert [voice.name for voice in reading.score.voices] == names
    assert [len(voice.notes) for voice in reading.score.voices][: len(lines)] == [1] * len(lines)
    assert reading.repairs
    assert ("My Drums" in names) == reading.score.voices[-1].drums or "[drums]" in voices


@pytest.mark.parametrize(
    ("tokens", "division", "strict"),
    [
        ("C4@1.5>0.5 D4@2>1", 32, "C4@2>1 D4@3>2"),
        ("C4@1>0.33 D4@1.33>0.33 E4@1.67>0.33", 48, "C4@1>1 D4@2>1 E4@3>1"),
        ("C4@1.25>2.75", 64, "C4@2>11"),
    ],
)
def test_slots_between_slots_refine_the_grid(tokens: str, division: int, strict: str) -> None:
    reading = parse_lenient(HEADER + f"@1 [C]\nLead: {tokens}\n")
    assert reading.score.grids[0].division == division
    assert f"Lead: {strict}" in reading.text
    assert any(f"its grid is {division}" in repair.what for repair in reading.repairs)


def test_slots_from_zero_are_proved_by_the_meter_in_force() -> None:
    body = "@1 [C]\nLead: C4@0>4 D4@15>1\n@2 [C] (meter:6/4)\nLead: E4@23>1\n"
    score = parse_lenient(HEADER + body).score
    slot = score.meter.ticks // 16
    assert [note.onset for note in score.voice("Lead").notes] == [0, 15 * slot, 39 * slot]


def test_silence_under_a_copy_is_kept() -> None:
    text = "Here:\n" + PLAIN.replace("BARS: 1", "BARS: 2") + "@2 = @1\nLead: -\n"
    assert len(parse_lenient(text).score.voice("Lead").notes) == 2


def test_shorthand_is_read_among_repairs() -> None:
    text = "Here:\n" + PLAIN + "@2 [F]\nlead: =1+5 C5@15>1\n@3-4 = @1-2\n"
    reading = parse_lenient(text)
    assert reading.score.bars == 4
    assert reading.score == parse(PLAIN.replace("BARS: 1", "BARS: 4") + "@2 [F]\nLead: =1+5 C5@15>1\n@3-4 = @1-2\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (PLAIN.replace("C4@1>4", "C4@0>4 C4@16>1"), 4),  # counted from 0 or from 1?
        (PLAIN.replace("C4@1>4", "C4@1"), 4),  # how long?
        (PLAIN.replace("C4@1>4 Eb4@5>4", "C4@1"), 4),
        (PLAIN.replace("C4@1>4 Eb4@5>4", "C4 Eb4 G4"), 4),  # when?
        (PLAIN.replace("C4@1>4", "H4@1>4"), 4),
        (PLAIN.replace("C4@1>4", "C4@1.37>4"), 4),
        (PLAIN.replace("C4@1>4", "C4@1.0909>4"), 4),  # elevenths divide no grid
        (PLAIN.replace("C4@1>4", "C4@1>4^200"), 4),
        (PLAIN.replace("C4@1>4", "C4@40>4"), 4),
        (PLAIN.replace("  Lead: C4", "  C4"), 4),  # whose?
        (PLAIN.replace("Lead: C4", "Lead: =7 C4"), 4),
        (PLAIN.replace("@1 [C]", "@1 [C] (feel:swing)"), 3),
        (PLAIN.replace("@1 [C]", "@1 [C] (tempo:fast)"), 3),
        (PLAIN + "@3 [C]\n", 6),
        (PLAIN.replace("C4@1>4", "C4@1.5>4").replace("16th", "odd"), 1),
        (PLAIN.replace("C4@1>4", "C4@" + "9" * 5000 + ">4"), 4),
        ("No music here at all.\n", 1),
        ("", 1),
    ],
)
def test_what_is_ambiguous_stays_an_error(text: str, line: int) -> None:
    with pytest.raises(GrammarError) as error:
        parse_lenient(text)
    assert line in [problem.line for problem in error.value.problems]


def test_notes_under_a_copy_are_not_refined() -> None:
    with pytest.raises(GrammarError):
        parse_lenient(PLAIN + "@2 = @1\nLead: C4@1.5>1\n")


@given(st.text())
def test_only_grammar_errors_escape(anything: str) -> None:
    try:
        parse_lenient(anything)
    except GrammarError as error:
        assert error.problems  # noqa: PT017


@settings(max_examples=300)
@given(scores(irregular=True, max_notes=4), st.booleans(), st.data())
def test_only_grammar_errors_escape_from_mutated_texts(score: Score, compact: bool, data: st.DataObject) -> None:
    text = notate(score, compact=compact)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 3)))
        text = text[:start] + data.draw(st.text("|[]()@>^+-=:.,%#b019ACGLx \n\t²♯*", max_size=4)) + text[end:]
    try:
        reading = parse_lenient(text)
    except GrammarError:
        return
    assert parse(reading.text) == reading.score
    assert bool(reading.repairs) == bool(check(text))


@pytest.mark.parametrize(
    "garbage",
    [
        "a" * 2_000_000,
        ": " * 1_000_000,
        HEADER + "@1 [C]\n" + "x:" * 1_000_000 + "@",
        HEADER + "@1 [C]\n" + "Lead: C4@1>1 q\n" * 20_000,
        "@1" + " " * 2_000_000 + "=",
        "VOICES: " + "[," * 1_000_000 + "\n@1 [C]\nA: C4@1>1\n",
        "VOICES: x" + " " * 2_000_000 + "[\n@1 [C]\nA: C4@1>1\n",
        "@1 [C]\n" + "".join(f"v{n}: C4@1>1\n" for n in range(20_000)),
        "@1 [" + "x" * 2_000_000 + "]",
        "@1 [C] " + "(" * 2_000_000,
    ],
    ids=range(10),
)
def test_much_garbage_is_refused_soon(garbage: str) -> None:
    with pytest.raises(GrammarError):
        parse_lenient(garbage + "\n?: =1 q")


def test_real_songs_are_read(shared: Path) -> None:
    """Songs with the names that people give their tracks: nearly all strictly, all leniently."""
    songs = sorted((shared / "corpus" / "lakh").glob("*/*.txt"))
    assert len(songs) > 1_000
    strict = 0
    for song in songs[::10]:
        text = song.read_text(encoding="utf-8")
        good = not check(text)
        strict += good
        if not good:
            assert parse_lenient(text).repairs
    assert strict >= 0.97 * len(songs[::10])


@pytest.mark.slow
def test_every_real_song_is_read(shared: Path) -> None:
    songs = sorted((shared / "corpus" / "lakh").glob("*/*.txt"))
    readings = [parse_lenient(song.read_text(encoding="utf-8")).repairs for song in songs]
    assert sum(not repairs for repairs in readings) >= 0.97 * len(songs)
