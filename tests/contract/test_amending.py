"""What was understood of a brief put right: in words, by fields, by taking something out."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.contract.amending import amended, corrected_by, fields_of
from libretto.errors import LibrettoError

BRIEF = "A slow waltz in D minor for flute and harp over 16 bars, louder in the second half"


def values(*corrections: object) -> dict[str, object]:
    return {row["key"]: row["value"] for row in fields_of(amended(BRIEF, list(corrections))[0])}


def test_nothing_corrected_is_the_brief() -> None:
    assert amended(BRIEF, [])[0] == Contract.from_brief(BRIEF)


def test_words_and_fields_replace_what_was_said() -> None:
    assert values("in 24 bars")["bars"] == 24
    assert values({"words": "in E major"})["key"] == "E major"
    assert values({"key": "tempo", "value": 132})["tempo"] == [132, 132]
    assert values({"key": "parts", "value": ["violin", "piano"]})["parts"] == ["Violin", "Piano"]
    assert values({"key": "bars", "value": 8}, "in 24 bars")["bars"] == 8  # a field stands over words
    assert "key" not in values({"key": "key", "value": None})


def test_what_is_dropped_was_never_said() -> None:
    contract, heard = amended(BRIEF, [])
    (loud,) = [one for one in heard if one.kind == "dynamics"]
    assert contract.asks
    for words in (loud.value, loud.words):
        assert not amended(BRIEF, [{"drop": words}])[0].asks
    assert "bars" not in values({"drop": "16"})
    assert "bars" not in values("in 24 bars", {"drop": "16"}, {"drop": "24"})
    with pytest.raises(LibrettoError, match="nothing that was asked"):
        amended(BRIEF, [{"drop": "a march"}])


def test_fields_say_whether_words_asked_for_them() -> None:
    asked = {row["key"]: row["asked"] for row in fields_of(amended(BRIEF, [])[0])}
    assert asked["key"]
    assert asked["bars"]
    assert asked["parts"]
    assert not asked["meter"]  # a waltz is in three: assumed
    assert {row["key"]: row["asked"] for row in fields_of(amended(BRIEF, [{"key": "meter", "value": "3/8"}])[0])}[
        "meter"
    ]


def test_a_contract_says_outright_what_replaces_another() -> None:
    contract = Contract.from_brief("A rock song with guitar, bass and drums")
    assert not any(part.drums for part in corrected_by(contract, Contract.from_brief("no drums please")).parts)
