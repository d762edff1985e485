"""Drums of one kit that come in by bars."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score


def _layers(contract: Contract) -> list[str]:
    return [ask.what.removeprefix("layers: ") for ask in contract.asks if ask.what.startswith("layers: ")]


@pytest.mark.parametrize(
    ("text", "layers"),
    [
        ("Techno beat: kick alone for four bars, then hi-hat, then snare, with synth bass", "kick 1, hats 5, snare 9"),
        (
            "Drum groove: four bars of kick, then add hats, then snare, then claps, for drum kit and bass, 32 bars",
            "kick 1, hats 5, snare 9, claps 13",
        ),
        (
            "House track, kick drum only for eight bars, hats join at bar 9, claps at bar 17, 32 bars",
            "kick 1, hats 9, claps 17",
        ),
        (
            "Rock groove for bass and drums: the drummer starts with the hi-hat, after four bars the kick comes in, "
            "after eight bars the snare",
            "hats 1, kick 5, snare 9",
        ),
        ("A funk tune; drums build up layer by layer: kick, hats, snare, 24 bars", "kick 1, hats 5, snare 9"),
        (
            "Techno, drum machine: kick from bar 1, closed hat from bar 5, open hat from bar 9, snare from bar 13",
            "kick 1, hats 5, open hat 9, snare 13",
        ),
    ],
)
def test_drums_of_a_kit_come_in_by_bars(text: str, layers: str) -> None:
    assert _layers(read_brief(text)) == [layers]


@pytest.mark.parametrize(
    "text",
    [
        "Disco: kick and snare on every beat, open hats off the beat, a tom fill in bar 8",
        "Pop: the kick drops out at bar 9 and the hats come back at bar 13. drums, piano, bass",
        "Rock song with kick, snare and hats from bar 9",
        "Waltz for piano, ride cymbal and snare with brushes",
    ],
)
def test_drums_that_are_named_otherwise_are_no_layers(text: str) -> None:
    assert _layers(read_brief(text)) == []


def test_a_drum_of_somebody_else_comes_in_as_that_player() -> None:
    contract = read_brief(
        "Afrobeat for shaker, cowbell, drums, guitar and bass: it starts with only the shaker, then after two bars the "
        "cowbell and then after two more bars kick and snare"
    )
    told = {(ask.kind, ask.who, ask.where) for ask in contract.asks}
    assert ("enter", "Cowbell", "bar 3") in told
    assert _layers(contract) == ["kick 5, snare 5"]


def test_a_kick_is_alone_until_the_hats_come() -> None:
    contract = read_brief("Techno: kick alone for four bars, then hi-hat, then snare, with synth bass, 32 bars")
    score = compose_score(contract)
    kit = next(voice.array for voice in score.voices if voice.drums)
    assert set(kit["pitch"][kit["onset"] < score.bar_lines[4]].tolist()) <= {35, 36}
    assert set(kit["pitch"][kit["onset"] < score.bar_lines[8]].tolist()) <= {35, 36, 42, 44, 46}
    assert 38 in kit["pitch"][kit["onset"] < score.bar_lines[12]]
    others = [voice for voice in score.voices if not voice.drums and len(voice.array)]
    assert all(voice.array["onset"].min() >= score.bar_lines[4] for voice in others)
    assert receipt(contract, score).passed


def test_what_grows_from_its_layers_keeps_them_from_the_first_bar() -> None:
    contract = read_brief(
        "A drum groove that builds: four bars of kick, then hats, then snare, drums and bass, 32 bars"
    )
    score = compose_score(contract)
    assert contract.bars == 32
    assert receipt(contract, score).passed
