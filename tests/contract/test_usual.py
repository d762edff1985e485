"""What a style's players do anyway, what percussion consists of, and how often a short form goes round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libretto.contract.brief import understand
from libretto.contract.checks import receipt
from libretto.contract.contract import Contract
from libretto.house.compose.composer import compose_score

FORM = "in C major, structured as a 12-bar blues, for piano."


@pytest.mark.parametrize("style", ["bossa nova", "samba"])
def test_fingers_that_pick_chords_are_those_of_the_styles_own_rhythm(style: str) -> None:
    brief = understand(f"A {style} in F major. A nylon guitar should provide fingerpicked chords; the flute leads.")
    assert [part.role for part in brief.cast.parts] == ["comping", "lead"]
    assert not [ask for ask in brief.asks if ask.what in ("rolls", "arpeggio")]
    assert any("own rhythm" in line for line in brief.assumed)


def test_elsewhere_fingers_roll_the_chords() -> None:
    brief = understand("A folk song in F major. A nylon guitar should provide fingerpicked chords; the flute leads.")
    assert ("manner", "rolls") in {(ask.kind, ask.what) for ask in brief.asks}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("guitar, flute, and soft percussion. The soft percussion, including shaker and rim clicks, keeps time.",
         {"Shaker", "Rim Clicks"}),
        ("guitar and percussion such as bongos, guiro and claves", {"Bongos", "Guiro", "Claves"}),
        ("percussion including timpani and gong, horn and strings", {"Timpani", "Gong"}),
    ],
)  # fmt: skip
def test_percussion_is_those_whom_it_is_said_to_include(text: str, names: set[str]) -> None:
    parts = understand(f"A piece for {text}").cast.parts
    assert {part.name for part in parts if part.role == "percussion"} == names


def test_percussion_that_is_only_described_stays_one_player() -> None:
    parts = understand("A song with light percussion and a guitar, like a lullaby on a drum.").cast.parts
    assert sum(part.role == "percussion" for part in parts) == 1


@pytest.mark.parametrize(("pace", "bars"), [("slow", 12), ("moderate", 12), ("fast", 36)])
def test_a_form_that_is_soon_over_goes_round(pace: str, bars: int) -> None:
    assert Contract.from_brief(f"A {pace} boogie {FORM}").bars == bars


def test_a_pulse_is_of_whom_its_sentence_tells() -> None:
    told = understand(
        "A ballad for guitar, flute and shaker. The shaker, dry and soft, should keep a subtle and steady pulse."
    )
    assert not [ask for ask in told.asks if ask.what == "pulse" and ask.who in ("bass", "chords")]
    alone = understand("A ballad for guitar and flute. It should keep a steady pulse.")
    assert [ask for ask in alone.asks if ask.what == "pulse"]


def test_a_piano_that_rolls_in_a_blues_plays_the_blues() -> None:
    contract = Contract.from_brief("A blues shuffle in A for guitar, piano and drums; the piano adds rolling figures.")
    assert not [ask for ask in contract.asks if ask.what == "rolls"]


def test_who_alternates_between_chords_and_solos_plays_no_two_beat() -> None:
    contract = Contract.from_brief(
        "A rock piece in D with electric guitar, bass, drums and organ. The electric guitar should be the leading "
        "voice, alternating between ringing, open chords and soaring melodic solos."
    )
    assert [(ask.kind, ask.who) for ask in contract.asks] == [("solo", "Electric Guitar")]


def test_occasional_swells_are_no_growing_piece() -> None:
    contract = Contract.from_brief(
        "A rock piece for guitar, organ, bass and drums. The organ plays warm chords and occasional swells."
    )
    assert ("dynamics", "growing", "") not in [(ask.kind, ask.what, ask.where) for ask in contract.asks]


def test_a_simile_is_no_unison() -> None:
    contract = Contract.from_brief(
        "An industrial piece for modular synthesizers and metallic percussion. The rhythm should be robotic, like "
        "pistons and gears working in perfect unison."
    )
    assert "unison" not in [ask.what for ask in contract.asks]
    told = Contract.from_brief("A folk dance for fiddle and flute, who play in unison.")
    assert "unison" in [ask.what for ask in told.asks]


def test_a_tempo_that_rises_and_falls_does_so_in_waves() -> None:
    contract = Contract.from_brief(
        "A piece for piano and cello in B minor, 32 bars, with a tempo that rises and falls like the beam sweeping "
        "across the dark water."
    )
    assert [(ask.kind, ask.what) for ask in contract.asks] == [("tempo_change", "in waves")]
    score = compose_score(contract, seed=0)
    checks = [check for check in receipt(contract, score).checks if check.clause.startswith("tempo change")]
    assert [check.passed for check in checks] == [True]
    flat = receipt(contract, replace(score, tempos=score.tempos[:1]))
    assert [check.passed for check in flat.checks if check.clause.startswith("tempo change")] == [False]
