"""Drums that whisper, and fast pieces that are fast whatever chart they are played from."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house.charts.catalogue import charts
from libretto.house.compose.composer import compose_score
from libretto.house.compose.speed import chart_tempo
from libretto.house.core.controls import Controls


@pytest.mark.parametrize(
    "text",
    [
        "A gentle bossa nova in F major for nylon guitar, flute, double bass and brushed drums; the brushed drums "
        "should whisper in the background.",
        "A late night jazz ballad in E flat for piano, bass and drums, with whispering brushes.",
        "A slow pop song in C for voice, guitar, bass and drums. Keep the drums at a whisper.",
        "A samba in D minor, 2/4, for flute, guitar, bass and percussion: the percussion is barely audible.",
        "Folk waltz in 3/4, G major, for accordion, bass and drums with just a whisper of cymbals.",
        "A soul ballad in A flat for organ, bass and drums in 6/8. The drums only whisper.",
    ],
)
def test_drums_whisper(text: str) -> None:
    contract = Contract.from_brief(text)
    told = [ask for ask in contract.asks if ask.what == "whisper"]
    assert len(told) == 1
    score = compose_score(contract, 0)
    checks = {check.clause: check for check in receipt(contract, score).checks}
    assert checks[told[0].text].passed is True, checks[told[0].text].evidence
    assert any(voice.drums and len(voice.array) >= score.bars for voice in score.voices)


@pytest.mark.parametrize(
    "text",
    [
        "A ballad in C for voice, piano and drums: the singer whispers in the verse.",
        "A rock song in E minor for guitar, bass and drums; the guitar whispers, then screams.",
        "A piece for flute and drums like a whisper in the trees.",
        "A quiet song with soft drums in G.",
    ],
)
def test_other_whispers_are_no_drums(text: str) -> None:
    assert not [ask for ask in Contract.from_brief(text).asks if ask.what == "whisper"]


def test_a_chart_that_is_never_so_fast_is_not_played_at_the_slowest_that_is_fast() -> None:
    slow = next(chart for chart in charts() if chart.name == "reggae-bluebeat")
    asked = (132.0, 216.0)
    assert slow.tempo[1] < asked[0]
    assert chart_tempo(slow, asked, 0, Controls()) >= 145
