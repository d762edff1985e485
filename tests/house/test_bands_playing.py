"""Bands as they play what they were told: drones under chords, chords above a thumb, dances in nine and eleven."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.contract.checks.manners import Played, above_thumb
from libretto.house import compose_score
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER


@pytest.mark.parametrize(
    ("brief", "chart"),
    [
        ("A Bulgarian kopanitsa in 11/8 in D minor, 24 bars, for violin, accordion and tapan.", "balkan-kopan-eleven"),
        ("A Macedonian dance in 9/8 in A minor, 24 bars, for clarinet and accordion.", "balkan-karshi-nine"),
        ("A milonga in A minor, 2/4, 32 bars, for flute and nylon guitar.", "tango-milonga-parral"),
        ("A Hawaiian hula in F major, 16 bars, for lap steel guitar, ukulele and bass.", "hawaiian-trade-wind"),
        ("A Portuguese fado in D minor, 16 bars, for voice and classical guitar.", "latin-fado-cais"),
        ("A Finnish folk song in A minor in 5/4, slow, 20 bars, for kantele and jouhikko.", "nordic-runo-five"),
        ("A sea shanty in A minor, 6/8, 16 bars, for voice, choir and concertina.", "folk-halyard-six"),
    ],
)
def test_a_dance_has_its_chart(brief: str, chart: str) -> None:
    plan = make_plan(Contract.from_brief(brief), 0)
    assert plan.chart is not None
    assert plan.chart.name == chart


def test_a_drone_lies_under_what_is_struck() -> None:
    brief = (
        "A Balkan dance in 7/8 in D minor, 16 bars, for clarinet and accordion. The clarinet leads, the accordion "
        "should hold drones and jab at the offbeats."
    )
    contract = Contract.from_brief(brief)
    score = compose_score(contract, 0)
    accordion = next(voice for voice in score.voices if voice.name == "Accordion")
    assert len(set(accordion.array["pitch"].tolist())) > 3
    assert not [kept.clause for kept in receipt(contract, score).failed if "Accordion" in kept.clause]


def test_a_thumb_is_not_heard_as_chords() -> None:
    bass = [Played(0, QUARTER, 40), Played(2 * QUARTER, QUARTER, 45)]
    chords = [Played(place, QUARTER, pitch) for place in (QUARTER // 2, 3 * QUARTER // 2) for pitch in (60, 64, 67)]
    assert {note.place for note in above_thumb([*bass, *chords])} == {QUARTER // 2, 3 * QUARTER // 2}


def _starts(brief: str, name: str) -> float:
    """How often somebody begins something in a bar."""
    score = compose_score(Contract.from_brief(brief), 0)
    voice = next(voice for voice in score.voices if voice.name == name)
    return len(set(voice.array["onset"].tolist())) / score.bars


@pytest.mark.parametrize(
    "brief",
    [
        "A folk ballad in E major, 16 bars. The guitar fingerpicks while the piano plays block chords; a violin leads.",
        "A slow folk song in C major, 16 bars, for violin, fingerstyle guitar and piano. The violin has the melody.",
    ],
)
def test_a_piano_holds_chords_under_a_guitar_that_picks(brief: str) -> None:
    guitar = next(part.name for part in Contract.from_brief(brief).parts if "Guitar" in part.name)
    assert _starts(brief, guitar) > 5
    assert _starts(brief, "Piano") < 3


def test_words_before_a_name_speak_of_nobody_before_it() -> None:
    parts = Contract.from_brief("A song for lap steel and fingerpicked acoustic guitar with piano chords.").parts
    assert [part.role for part in parts] == ["lead", "arpeggio", "comping"]


def test_a_piano_that_comps_does_not_hold() -> None:
    brief = "Jazz in F major, 16 bars: the guitar picks arpeggios, the piano comps, and a saxophone leads."
    assert "Piano" not in make_plan(Contract.from_brief(brief), 0).manners


def test_a_piano_that_breaks_chords_beside_a_strummed_guitar_does_so_all_through() -> None:
    brief = (
        "A pop song in G major, 16 bars, for voice, acoustic guitar and piano. The guitar is strummed gently, "
        "the piano plays arpeggios, the voice sings a simple melody."
    )
    assert _starts(brief, "Piano") > 6
