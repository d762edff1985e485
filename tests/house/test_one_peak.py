"""A line that comes near its highest note, turns away from it, and reaches it once."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house.compose.composer import compose_score

PEAK = "register: one peak, "


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Compose an intimate nocturne for cello and piano in E flat minor, slow. The melody should "
         "keep approaching its highest note and turning away from it, reaching it only once.", "melody"),
        ("A slow jazz ballad in F for tenor sax, piano, bass and drums over 32 bars. The sax reaches its top note only "
         "once.", "Tenor Sax"),
        ("An Irish air for flute and harp in G major: the flute climbs towards its highest note, falls back, climbs "
         "again, and touches it just once.", "Flute"),
        ("A rock ballad in A minor for electric guitar, bass and drums. The lead guitar saves its highest note for the "
         "last chorus.", "Electric Guitar"),
        ("Waltz in 3/4 for violin and accordion in D minor, with a single climax near the end.", "melody"),
        ("A string quartet movement in C major, 6/8; the first violin circles its highest note but shies away, and "
         "its highest note is heard only once.", "Violin"),
        ("A solo piano prelude in B minor: the tune almost reaches its highest note several times before it finally "
         "does.", "melody"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seed", [0, 2])
def test_it_is_heard_and_done(text: str, who: str, seed: int) -> None:
    contract = Contract.from_brief(text)
    told = [ask for ask in contract.asks if ask.what == "one peak"]
    assert len(told) == 1
    assert told[0].who in (who, "melody")
    checks = {check.clause: check for check in receipt(contract, compose_score(contract, seed)).checks}
    assert checks[told[0].text].passed is True, checks[told[0].text].evidence


@pytest.mark.parametrize(
    "text",
    [
        "An air for flute that stays away from its highest notes.",
        "A march for brass with trumpets playing high notes only once in a while.",
        "A pop song in C that builds to a climax in the last chorus.",
        "A tune for fiddle that turns away from the tonic and reaches the dominant once.",
        "A hymn for choir with a high soprano part.",
    ],
)
def test_other_heights_are_not(text: str) -> None:
    assert not [ask for ask in Contract.from_brief(text).asks if ask.what == "one peak"]
