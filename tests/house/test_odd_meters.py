"""Odd meters for music that has charts in four alone: the band stays its own, and so does a kick on every beat."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief, receipt
from libretto.house import compose_score
from libretto.score import QUARTER, Meter


@pytest.mark.parametrize(
    ("text", "player"),
    [("House in 5/4, 16 bars", "Synth Bass"), ("Country in 5/4, 16 bars", "Acoustic Guitar")],
)
def test_a_band_of_the_music_that_is_asked_for_plays_a_chart_of_another(text: str, player: str) -> None:
    contract = read_brief(text)
    score = compose_score(contract)
    assert score.meter == Meter(5, 4)
    assert player in {voice.name for voice in score.voices if len(voice.array)}
    assert "Contrabass" not in {voice.name for voice in score.voices}
    assert receipt(contract, score).passed


def test_a_house_track_has_a_kick_on_every_beat_of_five() -> None:
    score = compose_score(read_brief("House in 5/4, 16 bars"))
    kit = next(voice.array for voice in score.voices if voice.drums)
    kicks = {int(onset) for onset in kit["onset"][kit["pitch"] == 36]}
    for bar in (4, 9):
        start = score.bar_lines[bar]
        assert {start + beat * QUARTER for beat in range(5)} <= kicks


def test_jazz_in_seven_walks_and_swings_in_four_and_three() -> None:
    contract = read_brief("Jazz in 7/4 for piano trio, 32 bars")
    score = compose_score(contract)
    kit = next(voice.array for voice in score.voices if voice.drums)
    bass = next(voice.array for voice in score.voices if "Bass" in voice.name)
    start = score.bar_lines[4]
    places = {(int(onset) - start, int(pitch)) for onset, pitch in zip(kit["onset"], kit["pitch"], strict=True)}
    assert {(0, 36), (4 * QUARTER, 36)} <= places
    off = [onset % QUARTER for onset, _ in places if 0 <= onset < 7 * QUARTER and onset % QUARTER]
    assert off
    assert min(off) > QUARTER // 2  # swung
    walked = {int(onset) - start for onset in bass["onset"] if 0 <= int(onset) - start < 7 * QUARTER}
    assert walked == {beat * QUARTER for beat in range(7)}
