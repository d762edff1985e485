"""Two meters by turns, and who opens alone for counted bars."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("Rock that shifts between 7/8 and 4/4 time.", "meter change: 4/4, other sections"),
        ("Rock alternating between 4/4 and 7/8. It opens in 7/8.", "meter change: 7/8, opening sections"),
        ("A piano piece alternating bars of 5/8 and 3/4.", "meter change: 3/4, even bars"),
        ("Rock for organ, guitar and drums, beginning with an 8-bar organ ostinato in 7/8 before the full band enters.",
         "only: Organ, first 8 bars"),
        ("Rock for organ, guitar and drums, beginning with an 8-bar organ ostinato before the full band enters.",
         "role: ostinato, Organ, first 8 bars"),
        ("Rock at 130 bpm. The middle section should slow down to something spacious.", "tempo change: x0.51, middle"),
    ],
)  # fmt: skip
def test_what_is_told_by_turns_and_counts(text: str, ask: str) -> None:
    assert ask in {one.text for one in Contract.from_brief(text).asks}


def test_the_first_meter_stays_that_of_the_piece() -> None:
    assert str(Contract.from_brief("Rock that shifts between 7/8 and 4/4 time.").meter) == "7/8"


def test_the_sections_of_a_band_trade_and_a_drone_is_whose_it_is() -> None:
    band = Contract.from_brief("Swing for big band. The big band should trade shouting riffs between its sections.")
    turns = [(ask.who, ask.where) for ask in band.asks if ask.where.startswith("turns")]
    assert turns == [("Alto Sax", "turns 2 of 2 in 2"), ("Trumpet", "turns 1 of 2 in 2")]
    duduk = Contract.from_brief("Use duduk and kanun. Support them with a low drone on cello.")
    assert [(part.name, part.role) for part in duduk.parts][-1] == ("Cello", "pad")
    sitar = Contract.from_brief("A tanpura drone, sitar and tabla.")
    assert [part.name for part in sitar.parts] == ["Tanpura Drone", "Sitar", "Tabla"]
