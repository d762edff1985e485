"""Echoes: who is told to echo repeats the ends of its phrases, softer, in the gaps behind them."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.house.compose.composer import compose_score

FLUTE = "A folk piece, Am, G, F, E over 24 bars, for pan flute, charango and cajon. The pan flute plays {} melodies."


@pytest.mark.parametrize(
    ("brief", "who"),
    [
        ("A dub track with echoing guitar, bass and drums", "Guitar"),
        ("An ambient piece; the piano plays echoing fragments over pads", "Piano"),
        ("The flute and strings play; the flute leaves echoes of its melody behind", "Flute"),
        ("Techno with an echo-drenched lead, bass and drums", ""),
    ],
)
def test_who_echoes_is_asked_for_echoes(brief: str, who: str) -> None:
    assert ("density", "echoes", who) in [(ask.kind, ask.what, ask.who) for ask in read_brief(brief).asks]


def test_who_echoes_another_answers() -> None:
    contract = read_brief("The oboe echoes the phrases of the flute over strings")
    assert not any(ask.what == "echoes" for ask in contract.asks)
    assert next(part.role for part in contract.parts if part.name == "Oboe") == "counter"


def test_ends_of_phrases_come_back_softer() -> None:
    contract = read_brief(FLUTE.format("haunting, echoing"))
    plain = compose_score(read_brief(FLUTE.format("haunting")), 0)
    score = compose_score(contract, 0)
    check = next(one for one in receipt(contract, score).checks if "echoes" in one.clause)
    assert check.passed
    assert not next(one for one in receipt(contract, plain).checks if "echoes" in one.clause).passed
    before = {(int(n["onset"]), int(n["pitch"])) for n in plain.voice("Pan Flute").array}
    notes = score.voice("Pan Flute").array
    soft = notes["velocity"].mean() * 0.8
    added = [n for n in notes if n["velocity"] < soft and (int(n["onset"]), int(n["pitch"])) not in before]
    assert len(added) >= 12, "two notes and more in every other bar or so"
