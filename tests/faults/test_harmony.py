"""Four-part writing checked: every kind of fault is found with its voices and bar, and none where there is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lab.chorales import chorales
from libretto import LibrettoError, parse
from libretto.bench.part_writing import alarms_below, alarms_in, alarms_lines
from libretto.faults.harmony.checking import check_harmony
from libretto.faults.harmony.styles import RULES
from libretto.formats import write
from libretto.score import Score
from libretto.score.edit import transpose

PARTS = ("Soprano", "Alto", "Tenor", "Bass")
#: Chords of our own in C major: I ii6 V7 I, I vi IV V, I6 IV V vi, ii6 V I I. By theory nothing is wrong in them.
GOOD = (
    ("E5 D5 D5 C5", "C5 A4 B4 C5", "G4 F4 F4 E4", "C4 F3 G3 C3"),
    ("C5 C5 C5 B4", "G4 A4 A4 G4", "E4 E4 F4 D4", "C3 A3 F3 G3"),
    ("C5 C5 B4 C5", "G4 A4 G4 E4", "C4 F4 D4 C4", "E3 F3 G3 A3"),
    ("D5 B4 C5 C5", "F4 D4 E4 E4", "A3 G3 G3 G3", "F3 G3 C3 C3"),
)


def choir(bars: tuple[tuple[str, ...], ...] = GOOD, key: str = "C major", beats: int = 4) -> Score:
    """A piece in four parts: for every bar a row of quarter notes for each part."""
    text = [f"KEY: {key} | METER: {beats}/4 | TEMPO: 80 | GRID: 4 | BARS: {len(bars)}"]
    text.append("VOICES: " + ", ".join(f"{name}[prog=52]" for name in PARTS))
    for number, rows in enumerate(bars, start=1):
        text.append(f"@{number} [-]")
        for name, row in zip(PARTS, rows, strict=True):
            text.append(f"  {name}: " + " ".join(f"{note}@{at}>1" for at, note in enumerate(row.split(), start=1)))
    return parse("\n".join(text) + "\n")


def told(score: Score, style: str = "strict") -> list[tuple[str, int, float, tuple[str, ...]]]:
    return [(fault.rule, fault.bar, fault.beat, fault.voices) for fault in check_harmony(score, style)]


@pytest.mark.parametrize("style", ["strict", "free"])
def test_nothing_is_said_where_nothing_is_wrong(style: str) -> None:
    assert told(choir(), style) == []


S, A, T, B = PARTS
#: Bars with one fault each: rule, beat, voices, the bar, its key; the strict style finds this and nothing else.
PLANTED = [
    ("parallel fifths", 2, (T, B), ("C5 A4", "E4 F4", "G3 A3", "C3 D3"), "C major"),
    ("parallel octaves", 2, (S, B), ("C5 D5", "G4 F4", "E4 A3", "C3 D3"), "C major"),
    ("parallel unisons", 2, (A, T), ("C5 C5", "E4 F4", "E4 F4", "C3 A2"), "C major"),
    ("contrary fifths", 2, (A, B), ("G4 E5", "D4 G4", "B3 C4", "G3 C3"), "C major"),
    ("contrary octaves", 2, (S, B), ("G4 C5", "D4 E4", "B3 C4", "G3 C3"), "C major"),
    ("hidden fifth", 2, (S, B), ("G4 C5", "G4 F4", "C4 A3", "E3 F3"), "C major"),
    ("hidden octave", 2, (S, B), ("D4 G4", "D4 D4", "A3 B3", "F3 G3"), "C major"),
    ("spacing", 1, (S, A), ("G5 G5", "B3 C4", "G3 E3", "G2 C3"), "C major"),
    ("crossing", 1, (A, T), ("C5 D5", "E4 D4", "G4 G4", "C3 B2"), "C major"),
    ("overlap", 2, (S, A), ("G4 C5", "E4 A4", "C4 E4", "C3 A2"), "C major"),
    ("range", 2, (B,), ("C5 B4", "G4 G4", "C4 D4", "E2 D2"), "C major"),
    ("doubled leading note", 2, (S, B), ("C5 B4", "A4 G4", "E4 D4", "A2 B2"), "C major"),
    ("doubled seventh", 2, (S, T), ("E5 F5", "C5 B4", "G4 F4", "C3 G2"), "C major"),
    ("seventh not resolved", 1, (S,), ("F5 C5", "B4 C5", "D4 E4", "G2 C3"), "C major"),
    ("leading note not resolved", 1, (A,), ("D5 C5", "B4 G4", "F4 E4", "G3 C3"), "C major"),
    ("augmented leap", 2, (S,), ("F4 G#4", "D4 B3", "A3 E3", "D3 E3"), "A minor"),
    ("diminished leap", 2, (B,), ("A4 G4 G4", "F4 D4 D4", "C4 G3 G3", "F3 B2 G2"), "C major"),
    ("wide leap", 2, (B,), ("C5 B4", "E4 G4", "C4 D4", "A3 G2"), "C major"),
]
#: And what the free style minds, too.
PLANTED_FREE = [
    *(
        row
        for row in PLANTED
        if row[0] in ("parallel fifths", "parallel octaves", "parallel unisons", "augmented leap")
    ),
    *(row for row in PLANTED if row[0] in ("spacing", "seventh not resolved", "wide leap")),
    ("hidden octave", 2, (S, B), ("E4 A4", "C4 C4", "G3 E3", "C3 A3"), "C major"),
    ("hidden fifth", 2, (S, B), ("E4 C5", "E4 F4", "G3 A3", "C3 F3"), "C major"),
    ("crossing", 1, (S, A), ("C4 C4 C4", "E4 F4 E4", "G3 A3 G3", "C3 F3 C3"), "C major"),
    ("range", 2, (B,), ("C5 D5", "G4 G4", "E4 D4", "C2 B1"), "C major"),
    ("doubled leading note", 1, (S, T), ("B4 C5", "F4 E4", "B3 G3", "D3 C3"), "C major"),
    ("doubled seventh", 1, (S, T), ("F5 E5", "B4 C5", "F4 G4", "G2 C3"), "C major"),
    ("leading note not resolved", 1, (S,), ("B4 E5", "F4 E4", "D4 C4", "G3 C3"), "C major"),
]


def ids(row: object) -> str:
    return row if isinstance(row, str) and row in RULES else ""


def test_every_rule_is_planted() -> None:
    assert {row[0] for row in PLANTED} == set(RULES)


@pytest.mark.parametrize(("rule", "beat", "voices", "bar", "key"), PLANTED, ids=ids)
def test_a_planted_fault_is_found_and_nothing_else(rule, beat, voices, bar, key) -> None:  # type: ignore[no-untyped-def]
    assert told(choir((bar,), key, len(bar[0].split()))) == [(rule, 1, beat, voices)]


@pytest.mark.parametrize(("rule", "beat", "voices", "bar", "key"), PLANTED_FREE, ids=ids)
def test_the_free_style_finds_what_it_minds(rule, beat, voices, bar, key) -> None:  # type: ignore[no-untyped-def]
    assert told(choir((bar,), key, len(bar[0].split())), "free") == [(rule, 1, beat, voices)]


@pytest.mark.parametrize(
    "rule", ["contrary fifths", "contrary octaves", "hidden fifth", "crossing", "overlap", "diminished leap"]
)
def test_the_free_style_lets_pass_what_chorales_do(rule: str) -> None:
    (bar,) = [row[3] for row in PLANTED if row[0] == rule]
    assert told(choir((bar,), "C major", len(bar[0].split())), "free") == []
    assert told(choir((("D5 C5", "B4 G4", "F4 E4", "G3 C3"),), beats=2), "free") == []  # an inner leading note falls


@pytest.mark.parametrize("semitones", [-2, -1, 1, 2])
def test_the_key_makes_no_difference(semitones: int) -> None:
    for rule, beat, voices, bar, key in PLANTED:
        if rule != "range":
            moved = transpose(choir((bar,), key, len(bar[0].split())), semitones)
            assert (rule, 1, beat, voices) in told(moved)


def test_the_bar_is_the_one_where_it_happens() -> None:
    """A fault put into every bar of a clean piece in turn is found there; the other bars are not blamed for it."""
    for number in range(len(GOOD)):
        bars = list(GOOD)
        rows = [row.split() for row in bars[number]]
        rows[3][1] = "D2"  # a bass below any choir's, leapt to
        bars[number] = tuple(" ".join(row) for row in rows)
        found_in = {fault.bar for fault in check_harmony(choir(tuple(bars))) if fault.rule == "range"}
        assert found_in == {number + 1}


def test_a_phrase_begins_anew_after_a_rest() -> None:
    with_rest = choir((("C5 A4", "E4 F4", "G3 A3", "C3 D3"),), beats=4)
    assert told(with_rest)
    moved = parse(
        "KEY: C major | METER: 4/4 | TEMPO: 80 | GRID: 4 | BARS: 1\n"
        "VOICES: Soprano[prog=52], Alto[prog=52], Tenor[prog=52], Bass[prog=52]\n@1 [-]\n"
        "  Soprano: C5@1>1 A4@3>1\n  Alto: E4@1>1 F4@3>1\n  Tenor: G3@1>1 A3@3>1\n  Bass: C3@1>1 D3@3>1\n"
    )
    assert told(moved) == []


def test_two_staves_hold_four_lines() -> None:
    score = parse(
        "KEY: C major | METER: 2/4 | TEMPO: 80 | GRID: 4 | BARS: 1\n"
        "VOICES: Right[prog=0], Left[prog=0]\n@1 [-]\n"
        "  Right: C5@1>1 E4@1>1 A4@2>1 F4@2>1\n  Left: G3@1>1 C3@1>1 A3@2>1 D3@2>1\n"
    )
    assert told(score) == [("parallel fifths", 1, 2, ("Tenor", "Bass"))]


@pytest.mark.parametrize(
    "names",
    [
        ("Soprano", "Alto Voice", "Tenor Voice", "Bass Voice"),
        ("Sopranos", "Altos", "Tenors", "Basses"),
        ("Treble", "Contralto", "Tenor", "Bass"),
        ("Soprano", "Second", "Third", "Fourth"),
    ],
)
def test_the_parts_of_a_choir_may_be_called_otherwise(names: tuple[str, ...]) -> None:
    piece = choir()
    called = replace(piece, voices=tuple(replace(v, name=n) for v, n in zip(piece.voices, names, strict=True)))
    assert told(called) == []


def test_a_choir_is_found_among_players_whatever_its_parts_are_called() -> None:
    piece = choir()
    names = ("Soprano", "Alto Voice", "Tenor Voice", "Bass Voice")
    sung = tuple(replace(v, name=n) for v, n in zip(piece.voices, names, strict=True))
    organ = replace(piece.voices[3], name="Organ")
    assert told(replace(piece, voices=(organ, *reversed(sung)))) == []


def test_what_is_not_in_four_parts_is_refused() -> None:
    score = parse("KEY: C major | METER: 4/4 | TEMPO: 80 | GRID: 4 | BARS: 1\nVOICES: P[prog=0]\n@1 [-]\n  P: C4@1>4\n")
    with pytest.raises(LibrettoError, match="four parts"):
        check_harmony(score)
    with pytest.raises(LibrettoError, match="no style"):
        check_harmony(choir(), "baroque")


def test_alarms_are_counted_below_a_folder(tmp_path: Path) -> None:
    write(choir(), tmp_path / "good.musicxml")
    write(choir((PLANTED[0][3],), beats=2), tmp_path / "bad.libretto")
    write(parse("KEY: C major | METER: 4/4 | TEMPO: 80 | GRID: 4 | BARS: 1\nVOICES: P[prog=0]\n@1 [-]\n  P: C4@1>4\n"),
          tmp_path / "one.mid")  # fmt: skip
    alarms = alarms_below(tmp_path, "free")
    assert (alarms.pieces, alarms.bars, alarms.left_out, alarms.rules) == (2, 5, 1, {"parallel fifths": 1})
    assert not alarms.passed
    assert "20.00 in 100 bars" in "\n".join(alarms_lines(alarms))


def test_chorales_are_seldom_blamed(shared: Path) -> None:
    folder = shared / "tunes"
    if not (folder / "chorales.jsonl.gz").is_file():
        pytest.skip("needs the chorales beside the checkout")
    alarms = alarms_in((score for number, score in enumerate(chorales(folder)) if number % 8 == 0), "free")
    assert alarms.pieces > 40
    assert alarms.left_out == 0
    assert alarms.passed, alarms_lines(alarms)
