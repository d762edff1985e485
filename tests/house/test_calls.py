"""Call and response between one who leads and the only one who accompanies."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import receipt
from libretto.contract.contract import Contract
from libretto.house.compose.composer import compose_score
from libretto.score import Score, Voice


def _bars_of(score: Score, voice: Voice) -> set[int]:
    return set(np.searchsorted(score.bar_lines, voice.array["onset"], side="right").tolist())


@pytest.mark.parametrize("seed", [0, 1])
def test_the_only_one_who_accompanies_goes_on_and_both_play_the_last_bar(seed: int) -> None:
    brief = (
        "A blues shuffle in A, structured as a 12-bar blues, for electric guitar, piano and drums. "
        "The electric guitar should lead with call-and-response licks."
    )
    score = compose_score(Contract.from_brief(brief), seed=seed)
    parts = {voice.name: voice for voice in score.voices}
    assert len(_bars_of(score, parts["Piano"])) >= score.bars - 1
    assert {name for name in ("Piano", "Electric Guitar") if score.bars in _bars_of(score, parts[name])} == {
        "Piano",
        "Electric Guitar",
    }


_SHANTY = (
    "A sea shanty in G minor for accordion, fiddle and a low male choir, Gm-F-Gm-D, in 6/8 at a moderate tempo. "
    "Let the fiddle state the tune and the choir answer it."
)


@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("Let the fiddle state the tune and the choir answer it.", ["Fiddle + Choir"]),
        ("The fiddle plays the main theme, then the choir answers.", ["Fiddle + Choir"]),
        ("The fiddle states the theme and the choir answers at the fifth.", []),
        ("The fiddle states the theme and the choir holds chords.", []),
    ],
)
def test_who_states_a_tune_that_another_answers_calls(words: str, who: list[str]) -> None:
    asks = Contract.from_brief(f"A piece for accordion, fiddle and choir. {words}").asks
    assert [ask.who for ask in asks if ask.what == "call and response"] == who


def test_a_choir_answers_alone_in_all_its_parts_and_the_fiddle_is_not_shrill() -> None:
    contract = Contract.from_brief(_SHANTY)
    score = compose_score(contract, 0)
    fiddle, choir = (next(one.array for one in score.voices if one.name == name) for name in ("Fiddle", "Male Choir"))
    bars = [
        {score.bar_at(int(tick)) for tick in notes["onset"] if tick < score.bar_lines[-2]} for notes in (fiddle, choir)
    ]
    assert not bars[0] & bars[1]
    assert min(map(len, bars)) >= score.bars // 3
    assert len(choir) >= 2.5 * len(set(choir["onset"].tolist()))
    assert fiddle["pitch"].mean() < 76
    assert [check.clause for check in receipt(contract, score).checks if check.passed is False] == []
