"""Contract: a piece keeps every clause of what was asked for, and has no silence that nobody planned."""

from __future__ import annotations

import numpy as np

from libretto.contract import receipt
from libretto.contract.check import Check
from libretto.gates.case import Case
from libretto.gates.finding import Finding, Outcome, bars_in_words
from libretto.gates.gate import gates

__all__ = ["contract", "monotony", "silence"]

_MOVES = {
    "key": "write in the key that was asked for, and come home to its tonic",
    "meter": "write every bar in the meter that was asked for",
    "tempo": "set the tempo that was asked for",
    "bars": "write exactly as many bars as were asked for",
    "form": "mark and write the sections in the order that was asked for",
    "chords": "follow the progression that was asked for, with the notes of its chords",
    "parts": "give every instrument that was asked for something to play, and no other program",
    "drums": "put percussion on a drum voice, or leave it out, as was asked for",
    "ranges": "keep every part within what its instrument can play",
    "polyphony": "let no part play more notes at once than its instrument can",
    "dynamics": "play as softly or loudly as was asked for",
    "ending": "close on the tonic with a last long note or chord",
}
_MOST_ALIKE, _LONG = 8, 16


@gates.register("contract")
def contract(case: Case) -> Outcome | None:
    """Every clause of the contract that applies is kept."""
    if case.contract is None:
        return None
    found = receipt(case.contract, case.score)
    asked = [check for check in found.checks if check.passed is not None]
    kept = sum(1 for check in asked if check.passed)
    note = f"{kept} of {len(asked)} clauses kept"
    if not found.failed:
        return Outcome(0.0 if not asked else 1.0, note)
    return Outcome(-len(found.failed) / len(asked), note, tuple(_finding(check) for check in found.failed))


def _finding(check: Check) -> Finding:
    bars = tuple((bar, bar) for bar in check.bars[:_MOST_ALIKE])
    evidence = check.evidence.rstrip(".")
    advice = _MOVES.get(check.clause, f"keep the clause on {check.clause}")
    return Finding(
        "contract", f"Not as asked ({check.clause}): {evidence}", advice, 40.0, clause=check.clause, bars=bars
    )


@gates.register("silence")
def silence(case: Case) -> Outcome | None:
    """No bar within a composed piece is empty."""
    if case.contract is None:
        return None
    score = case.score
    sounding = np.zeros(score.bars, dtype=np.bool_)
    table, lines = score.table, np.asarray(score.bar_lines)
    last = np.searchsorted(lines, table["onset"] + table["duration"], side="left") - 1
    for first, end in zip(table["bar"].tolist(), np.minimum(last, score.bars - 1).tolist(), strict=True):
        sounding[first : end + 1] = True
    empty = tuple(int(bar) + score.first_bar for bar in np.flatnonzero(~sounding))
    if not empty:
        return Outcome(1.0, "something sounds in every bar")
    spans = tuple((bar, bar) for bar in empty[:_MOST_ALIKE])
    finding = Finding("silence", "Nothing sounds", "write something here, or let notes ring into it", 35.0, bars=spans)
    return Outcome(-len(empty) / score.bars, f"silent: {bars_in_words(spans)}", (finding,))


@gates.register("monotony")
def monotony(case: Case) -> Outcome | None:
    """No bar is played unchanged more than eight times in a row."""
    if case.contract is None or case.score.bars < _LONG:
        return None
    score = case.score
    prints = [b""] * score.bars
    order = np.argsort(score.table["bar"], kind="stable")
    rows = score.table[order]
    edges = np.searchsorted(rows["bar"], np.arange(score.bars + 1))
    for bar in range(score.bars):
        mine = rows[edges[bar] : edges[bar + 1]]
        prints[bar] = b"".join(mine[name].tobytes() for name in ("position", "pitch", "voice"))
    longest, start, run = 1, 0, 1
    for bar in range(1, score.bars):
        run = run + 1 if prints[bar] == prints[bar - 1] and prints[bar] else 1
        if run > longest:
            longest, start = run, bar - run + 1
    margin = (_MOST_ALIKE - longest) / _MOST_ALIKE
    note = f"the same bar at most {longest} times in a row"
    if margin >= 0:
        return Outcome(margin, note)
    span = ((start + score.first_bar, start + longest - 1 + score.first_bar),)
    advice = "change something every four bars: a fill, another voicing, a note more in the bass"
    return Outcome(margin, note, (Finding("monotony", "The same bar again and again", advice, 20.0, bars=span),))
