"""How drums are to be touched: said in passing, done to what they play, and not heard in pictures."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house.compose.composer import compose_score

TRIO = "A jazz tune in F major, F, Dm, Gm, C7 over 16 bars, for saxophone, piano, double bass and drums. "


def _asks(text: str) -> set[tuple[str, str]]:
    return {(ask.what, ask.who) for ask in read_brief(text).asks if ask.kind in ("drums", "manner")}


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("Soul for piano, tambourine and horns. The tambourine should land squarely on beats two and four.",
         ("two and four", "Tambourine")),
        ("Dub for bass, drums and melodica. The drums should drop their weight on the third beat.",
         ("one drop", "drums")),
        ("Ska for guitar, bass, trombone and drums. The drums should snap a rimshot against the skank.",
         ("rim", "drums")),
        ("For trumpet, tuba and snare drum. The snare drum should roll into every turnaround.", ("roll", "Snare Drum")),
        ("A dance for hurdy-gurdy and tabor. The tabor thumps at the start of each bar.", ("downbeats", "Tabor")),
        ("A dance for hurdy-gurdy and tabor. The tabor doubles its pace for the last refrain.", ("twice", "Tabor")),
        ("For flute and frame drum. The frame drum should beat like hooves on open ground.", ("gallop", "Frame Drum")),
        (TRIO + "The drums add soft cymbal work.", ("light cymbals", "drums")),
        (TRIO + "The drums keep a steady ride pattern.", ("ride", "drums")),
        ("Rock for guitar and drums. The drums should underline every change with crisp accents.", ("fill", "drums")),
        ("Tribal music for flute and drums, with rolling toms.", ("toms", "drums")),
        ("Trap for synth, bass and drums. The hi-hats should skitter.", ("quick hats", "drums")),
        ("House for piano and drums with open hi-hats.", ("open hats", "drums")),
        ("A storm for low strings, rolling timpani and brass.", ("roll", "Timpani")),
    ],
)  # fmt: skip
def test_how_drums_are_touched(text: str, ask: tuple[str, str]) -> None:
    assert (ask[0], ask[1].lower()) in {(what, who.lower()) for what, who in _asks(text)}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("A western for banjo and drums about a ride home where riders ride.", "ride"),
        ("For guitar and banjo. The banjo recalls the sound of hoofbeats.", "gallop"),
        ("For piano and drums. Snow falls on the third day.", "one drop"),
        ("For flute and drums, light and soft as open sky.", "light cymbals"),
        ("For piano and drums. The piano marks every change of harmony.", "fill"),
        ("For guitar and drums. The sun lands on the rim of the canyon.", "two and four"),
    ],
)
def test_what_only_sounds_like_it(text: str, what: str) -> None:
    assert what not in {one for one, _ in _asks(text)}


def test_no_drum_comes_in_at_the_start_of_each_bar() -> None:
    text = "A dance for hurdy-gurdy and tabor. The tabor thumps at the start of each bar, also in the last refrain."
    assert "enter" not in {ask.kind for ask in read_brief(text).asks}


@pytest.mark.parametrize(
    "said",
    ["The drums keep a steady ride pattern.", "The drums add soft cymbal work.", "The drums snap rimshots.",
     "The drums play rolling toms.", "The hi-hats should skitter.", "The drums should accent the third beat, one drop.",
     "The drums have open hi-hats."],
)  # fmt: skip
def test_it_is_done(said: str) -> None:
    contract = Contract.from_brief(TRIO + said)
    checks = [one for one in receipt(contract, compose_score(contract, 0)).checks if one.clause.startswith("drums: ")]
    assert checks
    assert [one.evidence for one in checks if one.passed is not True] == []
