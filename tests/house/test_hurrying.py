"""A tempo that goes up and comes down again, and what hurries up to its end and lands there."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score
from libretto.score import Score
from libretto.score.model import in_force
from libretto.score.time import bpm_of_micros

_CALMED = "slow to fast to calm"
_TRIO = "A piece in D minor for violin, cello and piano over 40 bars. "


def _bpm(score: Score, tick: int) -> float:
    return bpm_of_micros(in_force(score.tempos, tick))


@pytest.mark.parametrize(
    "words",
    [
        "The tempo goes from slow to fast before fading into calm.",
        "It begins slowly, builds to a wild dance and settles back into stillness.",
        "It should start slow, getting faster and faster, before calming down again at the end.",
        "The rhythm should rise in tempo, then slowly sink into a deep calm.",
        "It starts slowly and gathers speed. At the end everything comes to rest.",
    ],
)
def test_what_grows_fast_and_comes_to_rest_is_heard_as_one(words: str) -> None:
    contract = read_brief(_TRIO + words)
    assert [ask.what for ask in contract.asks if ask.kind == "tempo_change"] == [_CALMED]
    assert ("fading", "last quarter") in [(ask.what, ask.where) for ask in contract.asks if ask.kind == "dynamics"]
    assert not {"calm", "rest", "stillness"} & {*contract.mood}


@pytest.mark.parametrize(
    "words",
    [
        "It starts slowly and gets faster to the end.",
        "A calm piece that never gets fast.",
        "The middle is fast and the end calm.",
        "It goes from slow to fast and fades out.",
    ],
)
def test_what_stays_fast_or_never_is_does_not_calm_down(words: str) -> None:
    assert _CALMED not in [ask.what for ask in read_brief(_TRIO + words).asks]


@pytest.mark.parametrize("bars", [12, 40])
def test_a_tempo_rises_past_the_middle_and_comes_down(bars: int) -> None:
    contract = Contract.from_brief(
        f"Rain: a piece for flute, cello and piano over {bars} bars, from slow to fast before it settles into calm."
    )
    score = compose_score(contract, 0)
    told = receipt(contract, score)
    assert told.passed
    assert any(_CALMED in check.clause and check.passed for check in told.checks)
    speeds = [_bpm(score, line) for line in score.bar_lines[:-1]]
    top = speeds.index(max(speeds))
    assert 0.5 * bars <= top + 1 <= 0.75 * bars
    assert max(speeds) >= 1.4 * speeds[0] >= speeds[-1]


@pytest.mark.parametrize(
    "brief",
    [
        "A polka for accordion, fiddle and bass in G over 32 bars with an accelerando all through",
        "A dance for clarinet, violin and bass in D minor, from slow to fast, over 24 bars",
    ],
)
def test_what_hurries_to_its_end_lands_on_a_last_chord_that_rings(brief: str) -> None:
    contract = Contract.from_brief(brief)
    score = compose_score(contract, 0)
    assert all(check.passed is not False for check in receipt(contract, score).checks)
    assert _bpm(score, score.ticks - 1) <= 0.7 * _bpm(score, score.bar_lines[-2] - 1)
    for voice in score.voices:
        last = voice.array[voice.array["onset"] == voice.array["onset"].max()]
        assert voice.drums or int((last["onset"] + last["duration"]).max()) >= score.ticks


def test_what_begins_slow_is_slow_before_it_is_fast() -> None:
    score = compose_score(Contract.from_brief("A klezmer dance for clarinet and accordion, from slow to fast"), 0)
    assert _bpm(score, 0) <= 80
    assert _bpm(score, score.bar_lines[-2] - 1) >= 1.5 * _bpm(score, 0)


def test_what_is_to_be_cut_off_is() -> None:
    brief = "A dance for clarinet, violin and bass in D minor over 24 bars with an accelerando that stops dead"
    score = compose_score(Contract.from_brief(brief), 0)
    assert _bpm(score, score.ticks - 1) >= _bpm(score, score.bar_lines[-2] - 1)
