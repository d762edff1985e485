"""Parts are found by their family: any sound of an instrument's kind counts, another instrument does not."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, frame, receipt
from libretto.contract.checks.kin import kin_of
from libretto.contract.instruments import instruments
from libretto.score import QUARTER, Note, Score, Voice


def piece(program: int, name: str = "Anything") -> Score:
    notes = [Note(bar * 4 * QUARTER, 4 * QUARTER, 72) for bar in range(16)]
    return Score.build([Voice.of(name, notes, program)], bars=16)


def parts(brief: str, score: Score) -> tuple[bool | None, str]:
    check = next(check for check in receipt(Contract.from_brief(brief), score).checks if check.clause == "parts")
    return check.passed, check.evidence


@pytest.mark.parametrize(
    ("asked", "program", "there"),
    [
        ("strings", 48, True),
        ("strings", 49, True),
        ("violin", 49, True),
        ("violin", 42, False),
        ("cello", 40, False),
        ("clarinet", 73, False),
        ("piano", 4, True),
        ("piano", 16, False),
        ("double bass", 33, True),
        ("tenor sax", 64, True),
        ("nylon guitar", 27, True),
        ("trumpet", 58, False),
    ],
)
def test_a_part_is_found_by_its_family(asked: str, program: int, there: bool) -> None:
    kept, evidence = parts(f"A piece for {asked} over 16 bars", piece(program))
    assert kept is there
    usual = instruments[asked].program
    if there and program != usual:
        assert f"(program {program}, " in evidence
    if not there:
        assert f"(program {usual}, " in evidence  # what was asked for is named by its program


def test_the_nearest_sound_is_the_part() -> None:
    """Where two voices could be a part, the one with its very sound is; the other is free for its kin."""
    notes = [Note(bar * 4 * QUARTER, 4 * QUARTER, 72) for bar in range(16)]
    two = Score.build([Voice.of("x", notes, 49), Voice.of("y", notes, 40)], bars=16)
    assert parts("A duo for viola and violin over 16 bars", two)[0] is True
    assert parts("A duo for viola and violin over 16 bars", piece(40))[0] is False


def test_every_instrument_is_among_its_kin() -> None:
    for instrument in instruments.values():
        assert set(instrument.programs) <= kin_of(instrument)


@pytest.mark.parametrize(
    ("brief", "sections"),
    [
        ("A 12-bar blues in E over 36 bars", {1: "chorus", 13: "chorus 2", 25: "chorus 3"}),
        (
            "A pop song with verse, chorus, bridge and outro, 40 bars",
            {1: "verse", 13: "chorus", 25: "bridge", 37: "outro"},
        ),
        ("A piece in ABA form, 24 bars", {1: "A", 9: "B", 17: "A 2"}),
        ("A song with an 8-bar intro, a verse and a chorus", {1: "intro", 9: "verse", 17: "chorus"}),
    ],
)
def test_the_frame_has_the_sections_of_its_contract(brief: str, sections: dict[int, str]) -> None:
    contract = Contract.from_brief(brief)
    made = frame(contract)
    assert {made.numbers[made.bar_at(tick)]: name for tick, name in made.sections} == sections
    form = next(check for check in receipt(contract, made).checks if check.clause == "form")
    assert form.passed is True


def test_romantic_before_a_dance_is_a_mood() -> None:
    assert Contract.from_brief("A romantic tango in D major for accordion and guitar").style == "tango"
    assert Contract.from_brief("A romantic nocturne for piano").style == "romantic"
