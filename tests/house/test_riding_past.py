"""A drone that gives the key and is held, a gallop in the drum, and riders who come, pass and are gone."""

from __future__ import annotations

import numpy as np

from libretto.contract import Contract, receipt
from libretto.house.compose.composer import compose_score
from libretto.house.compose.planning import make_plan
from libretto.score import QUARTER, Score

RIDERS = (
    "A Mongolian piece of the grasslands. Include morin khuur, throat singing and frame drum. A pentatonic "
    "melody over a long drone on A, with a galloping rhythm that starts at a distance, passes close by and fades over "
    "the horizon."
)
CARAVAN = (
    "A desert piece for oud, ney and frame drum. A held drone on D lies under everything. The caravan approaches from "
    "far away, passes right in front of us and disappears into the distance."
)


def _kept(text: str) -> tuple[Contract, Score]:
    contract = Contract.from_brief(text)
    score = compose_score(contract, 0)
    assert [f"{check.clause}: {check.evidence}" for check in receipt(contract, score).failed] == []
    return contract, score


def test_the_tone_of_a_drone_is_the_key() -> None:
    """Minor, unless something bright is said; who has a drone by nature holds it, and nobody joins."""
    contract = Contract.from_brief(RIDERS)
    assert (str(contract.key), contract.scale) == ("A minor", "minor pentatonic")
    assert ("texture", "pedal", "Throat Singing") in {(ask.kind, ask.what, ask.who) for ask in contract.asks}
    assert str(Contract.from_brief("A joyful tune over a drone on G, fiddle and hurdy-gurdy.").key) == "G major"
    assert [player.name for player in make_plan(contract, 0).players][:3] == [part.name for part in contract.parts][:3]


def test_chords_do_not_wander_off_a_drone() -> None:
    for text in (RIDERS, CARAVAN):
        contract, score = _kept(text)
        assert contract.key is not None
        assert {label for bar in score.chords for label in bar} == {str(contract.key).replace(" minor", "m")}


def test_a_throat_sings_the_tone_and_its_overtones() -> None:
    score = _kept(RIDERS)[1]
    notes = score.voice("Throat Singing").array
    low = notes[notes["pitch"] < 60]
    assert set((low["pitch"] % 12).tolist()) == {9}
    assert int(notes["pitch"].max()) >= int(low["pitch"].min()) + 31


def test_who_passes_is_loudest_in_the_middle_and_gone_at_the_end() -> None:
    """From afar to here and away; the last bars are the drum's, and softer than all others."""
    for text in (RIDERS, CARAVAN):
        score = _kept(text)[1]
        table = score.table
        by_bar = [float(table["velocity"][table["bar"] == bar].mean()) for bar in range(score.bars)]
        third = score.bars // 3
        assert max(np.mean(by_bar[:third]), np.mean(by_bar[-third:])) < np.mean(by_bar[third:-third])
        last = {int(voice) for voice in table["voice"][table["onset"] >= score.bar_lines[-3]]}
        assert [score.voices[voice].drums for voice in last] == [True]


def test_a_gallop_is_long_and_two_short_at_its_speed() -> None:
    contract, score = _kept(RIDERS)
    assert contract.tempo_bpm is not None
    assert contract.tempo_bpm[0] >= 112
    middle = score.bar_lines[score.bars // 2]
    drum = score.voice("Frame Drum").array["onset"]
    places = {int(tick - middle) for tick in drum if middle <= tick < middle + QUARTER}
    assert {0, QUARTER // 2, QUARTER * 3 // 4} <= places
