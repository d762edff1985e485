"""A shaker that keeps a pulse goes to and fro; a drum that does so strikes the beats."""

from __future__ import annotations

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.score import QUARTER

_BRIEF = (
    "A breezy bossa nova in D major, medium tempo, Dmaj7, B7, Em7, A7 over 16 bars, for nylon-string guitar, flute and "
    "shaker. The shaker should keep a light, constant pulse."
)


def test_a_shaker_goes_to_and_fro_in_eighths_or_quicker_with_accents() -> None:
    contract = Contract.from_brief(_BRIEF)
    score = compose_score(contract, 0)
    shaker = next(voice.array for voice in score.voices if voice.drums)
    assert len(shaker) >= 8 * (score.bars - 1)
    between = shaker["onset"] % QUARTER != 0
    assert float(shaker["velocity"][~between].mean()) >= float(shaker["velocity"][between].mean()) + 8
    checks = [check for check in receipt(contract, score).checks if "pulse" in check.clause]
    assert [check.clause for check in checks if not check.passed] == []
