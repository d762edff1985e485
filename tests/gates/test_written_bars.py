"""Findings name bars as the page numbers them, also where repeats make the music longer."""

from __future__ import annotations

from libretto.gates.judge import judge
from libretto.grammar import parse
from libretto.score import played

_CALM = "C4@1>16"
_WILD = " ".join(f"{name}@{slot}>1^{20 + 7 * slot}" for slot, name in enumerate(["C4", "F#6", "B2", "D#5"] * 4, 1))


def _song() -> str:
    signs = {1: " (|:)", 12: " (:|)"}
    bars = (f"@{n} [C]{signs.get(n, '')}\n  LEAD: {_WILD if n > 9 else _CALM}\n" for n in range(1, 13))
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 12\nVOICES: LEAD[prog=0]\n"
    return head + "".join(bars)


def test_bars_of_findings_are_on_the_page() -> None:
    score = parse(_song())
    assert played(score).bars == 24
    findings = judge(score, "pop_rock", original=False).findings
    named = [number for finding in findings for span in finding.bars for number in span]
    assert named
    assert set(named) <= set(score.numbers)
