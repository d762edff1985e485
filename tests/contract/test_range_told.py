"""What a receipt says of a range: what was looked at, and no more."""

from __future__ import annotations

from libretto import parse
from libretto.contract import Contract, receipt

PIECE = """KEY: C major | METER: 4/4 | TEMPO: 90 | GRID: 4 | BARS: 2
VOICES: Piano[prog=0]
@1 [C]
  Piano: C3+C4@1>2 E4@3>1 G4@4>1
@2 [C]
  Piano: C3+C4@1>4
"""


def test_a_hand_below_the_range_is_not_said_to_lie_in_it() -> None:
    contract = Contract.from_brief("A piano piece in C position, 2 bars")

    def told(text: str) -> tuple[bool | None, str]:
        check = next(c for c in receipt(contract, parse(text)).checks if c.clause.startswith("range: C4-G4"))
        return check.passed, check.evidence

    assert told(PIECE) == (True, "the upper line lies within C4-G4")
    assert told(PIECE.replace("G4@4", "C5@4"))[0] is False
