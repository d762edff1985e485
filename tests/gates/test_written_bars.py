"""Findings name bars as the page numbers them, also where repeats make the music longer."""

from __future__ import annotations

from libretto.gates.judge import judge
from libretto.grammar import parse
from libretto.score import played

_BARS = "\n".join(f"@{n} [C]{' (|:)' if n == 1 else ' (:|3)' if n == 8 else ''}\n  LEAD: C4@1>16" for n in range(1, 9))
_SONG = f"KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 8\nVOICES: LEAD[prog=0]\n{_BARS}\n"


def test_bars_of_findings_are_on_the_page() -> None:
    score = parse(_SONG)
    assert played(score).bars == 24
    findings = judge(score, "pop_rock", original=False).findings
    assert findings
    named = [number for finding in findings for span in finding.bars for number in span]
    assert named
    assert set(named) <= set(score.numbers)
