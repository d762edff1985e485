"""Little dramas: who argues, gossips and makes peace is heard as scenes, and who goes last has the last word."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score

_GEESE = (
    "A scherzo for wind quintet in B flat major, in a quick 3/8. The oboe and the bassoon should argue, the horn "
    "should try to make peace, and the flute and clarinet should gossip above them. End with everyone walking off in a "
    "huff, one after another, the bassoon having the last word."
)
_TENANTS = (
    "A comic piece in G major for violin, viola, cello and clarinet, 64 bars. The violin quarrels with the viola, the "
    "clarinet steps in and calms them down, and at the end they storm out one by one until only the cello is left."
)


def asked(text: str, kind: str) -> list[tuple[str, str, str]]:
    return [(ask.what, ask.who, ask.where) for ask in Contract.from_brief(text).asks if ask.kind == kind]


def test_two_who_argue_have_the_tune_by_turns_in_two_scenes() -> None:
    leads = asked(_GEESE, "lead")
    turns = [(who, where.split(" of from")[0]) for _, who, where in leads if where.startswith("turns")]
    assert turns.count(("Oboe", "turns 1 of 2 in 2")) == turns.count(("Bassoon", "turns 2 of 2 in 2")) == 2
    assert ("", "French Horn", "from part 4 of 9 until part 6 of 9") in leads
    assert ("Eb major", "", "from part 4 of 9 until part 6 of 9") in asked(_GEESE, "key_change")
    assert ("Flute in thirds", "Clarinet", "from part 3 of 9 until part 4 of 9") in asked(_GEESE, "doubling")


@pytest.mark.parametrize(("text", "last"), [(_GEESE, "Bassoon"), (_TENANTS, "Cello")])
def test_all_but_the_last_leave(text: str, last: str) -> None:
    contract = Contract.from_brief(text)
    leaving = {ask.who for ask in contract.asks if ask.kind == "leave"}
    assert leaving == {part.name for part in contract.parts} - {last}


@pytest.mark.parametrize("text", [_GEESE, _TENANTS])
def test_a_quarrel_is_played_as_it_is_told(text: str) -> None:
    contract = Contract.from_brief(text)
    piece = compose_score(contract, 0)
    assert not [check.clause for check in receipt(contract, piece).failed if ":" in check.clause]
    end = piece.table[piece.table["bar"] >= piece.bars - 2]
    assert len({int(voice) for voice in end["voice"]}) == 1


@pytest.mark.parametrize(
    "text",
    [
        "A march for brass band about a quarrel in a village, 32 bars.",
        "A tango for violin and bandoneon in D minor about an argument, 32 bars.",
    ],
)
def test_a_quarrel_of_nobody_is_no_scene(text: str) -> None:
    assert not [ask for ask in Contract.from_brief(text).asks if "part " in ask.where]
