"""A piece that goes back to its beginning has no end; scales with a harmony of their own hold everybody."""

from __future__ import annotations

import numpy as np

from libretto.contract import Contract, receipt
from libretto.contract.scales import scale_steps
from libretto.house import compose_score

LOOP = "A chiptune loop in F major, 150 BPM, 16 bars, joining seamlessly back to the start, over F, Dm, Bb, C, "
LOOP += "Bb, Am, Gm, C7. Square wave lead, a second square wave, triangle wave bass, noise drums."


def test_a_loop_keeps_its_chords_to_the_last_bar() -> None:
    contract = Contract.from_brief(LOOP)
    score = compose_score(contract, 0)
    assert contract.ending == "open"
    assert [bar[-1] for bar in score.chords[-4:]] == ["Bb", "Am", "Gm", "C7"]
    assert not receipt(contract, score).failed


def test_everybody_stays_in_a_scale_with_a_harmony_of_its_own() -> None:
    contract = Contract.from_brief("A quiet piece in the Japanese in scale on D, 58 BPM, for koto and shakuhachi.")
    score = compose_score(contract, 0)
    classes = {int(pitch - score.key.tonic_class) % 12 for pitch in np.unique(score.table["pitch"].astype(np.int64))}
    assert classes <= set(scale_steps(contract.scale))
