"""Who doubles another the second time is heard doing it, however the sentence goes on."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.contract.checks.where import within
from libretto.house import compose_score


@pytest.mark.parametrize(
    ("text", "who", "what"),
    [
        (
            "A reel for accordion and tin whistle: the whistle only plays the second time, doubling the accordion",
            "Tin Whistle",
            "Accordion",
        ),
        (
            "Polka for fiddle and guitar with piccolo, which doubles the fiddle an octave higher the second time",
            "Piccolo",
            "Fiddle above",
        ),
        (
            "A hornpipe for concertina and fiddle; the second time a tin whistle doubles the concertina",
            "Tin Whistle",
            "Concertina",
        ),
        ("A jig for fiddle and bouzouki; a tin whistle doubles the tune the second time", "Tin Whistle", "melody"),
    ],
)
def test_who_doubles_the_second_time_is_heard(text: str, who: str, what: str) -> None:
    contract = read_brief(text)
    told = [(ask.who, ask.what, ask.where) for ask in contract.asks if ask.kind == "doubling"]
    assert told == [(who, what, "second time")]
    score = compose_score(contract)
    kept = next(check for check in receipt(contract, score).checks if check.clause.startswith("doubling"))
    assert kept.passed
    voice = next(voice for voice in score.voices if voice.name == who)
    assert len(within(voice.array, ((9, 16),), score)) > 0
