"""What a receipt says of how a piece ends is what it does: at home, in another key, or on no tonic."""

from __future__ import annotations

from libretto.contract import read_brief, receipt
from libretto.grammar import parse

_HOME = """KEY: {key} | METER: 4/4 | TEMPO: 100 | GRID: 16th | BARS: 2
VOICES: Violin[prog=40]
@1 [{first}]
  Violin: {notes}
@2 [{last}]
  Violin: {final}@1>16
"""


def _said(key: str, first: str, notes: str, last: str, final: str) -> dict[str, tuple[bool | None, str]]:
    score = parse(_HOME.format(key=key, first=first, notes=notes, last=last, final=final))
    checks = receipt(read_brief("A piece for violin in D minor, 2 bars."), score).checks
    return {check.clause: (check.passed, check.evidence) for check in checks}


def test_a_piece_in_another_key_does_not_end_on_the_tonic_that_was_asked_for() -> None:
    kept, evidence = _said("F# major", "C#7", "C#5@1>8 E#5@9>8", "F#", "F#5")["ending"]
    assert kept is False
    assert "without the tonic of D minor" in evidence


def test_what_stops_open_does_not_come_home() -> None:
    said = _said("D minor", "Dm", "D5@1>4 F5@5>4 A5@9>4 F5@13>4", "A", "E5")
    assert said["ending"][0] is False
    assert "comes home" not in said["key"][1]
    assert "comes home" in _said("D minor", "A", "E5@1>8 C#5@9>8", "Dm", "D5")["key"][1]
