"""Call and response between one who leads and the only one who accompanies."""

from __future__ import annotations

import numpy as np
import pytest

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
