"""Findings name bars as the page numbers them, also where repeats make the music longer."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.gates.judge import judge
from libretto.grammar import parse
from libretto.score import Score, played


def _song() -> Score:
    """A tune of sixteen bars, all of it repeated, that is silent for four of them."""
    signs = {1: " (|:)", 16: " (:|)"}
    lines = [f"@{n} [{'C' if n % 2 else 'G7'}]{signs.get(n, '')}" for n in range(1, 17)]
    for n in (*range(8), *range(12, 16)):
        lines[n] += "\n  LEAD: C5@1>4 E5@5>4 G5@9>8"
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 16\nVOICES: LEAD[prog=73]\n"
    return parse(head + "\n".join(lines) + "\n")


def test_bars_of_findings_are_on_the_page() -> None:
    score, contract = _song(), Contract.from_brief("a tune for flute in C major")
    assert played(score).bars == 32
    named = {}
    for piece in (score, played(score)):
        findings = judge(piece, original=False, contract=contract).findings
        spans = [span for finding in findings if finding.gate == "silence" for span in finding.bars]
        named[piece.bars] = {bar for first, last in spans for bar in range(first, last + 1)}
    assert named == {32: {9, 10, 11, 12, 25, 26, 27, 28}, 16: {9, 10, 11, 12}}
