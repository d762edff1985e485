"""Contract: a piece keeps every clause, and has no silence that nobody planned; and how findings are put in words."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from libretto.axes import FAMILIES, axes
from libretto.corpus import Cloud
from libretto.gates.case import Case, gates
from libretto.gates.finding import Finding, Outcome, Weight, bars_in_words
from libretto.gates.within import goes_against
from libretto.score import Score

if TYPE_CHECKING:
    from libretto.contract import Check, Contract

__all__ = ["about_axis", "contract", "keep_in_words", "monotony", "moved_along", "silence"]

# What to do where a clause is not kept; what depends on what was asked is said by ``_move``.
_MOVES = {
    "meter": "write every bar in the meter that was asked for",
    "timing": "give every bar as many beats as the meter has: lengthen, shorten, split or join notes, or add rests",
    "tempo": "set the tempo that was asked for",
    "bars": "write exactly as many bars as were asked for",
    "form": "mark and write the sections in the order that was asked for",
    "chords": "follow the progression that was asked for, with the notes of its chords",
    "parts": "give every instrument that was asked for something to play, and no other program",
    "ranges": "keep every part within what its instrument can play",
    "polyphony": "let no part play more notes at once than its instrument can",
}
_ENDINGS = {
    "fade": "let the last bars grow softer to the end",
    "ritard": "slow down over the last bars",
    "open": "stop on another harmony than the tonic's",
    "deceptive": "stop on another harmony than the tonic's",
    "abrupt": "stop suddenly",
}
_ASIDE = ("fade", "open", "deceptive", "abrupt")  # endings that need not come home
_MOST_ALIKE = 8  # times in a row that a bar may be played unchanged: two phrases; a convention, no quantile
_LONG = 2 * _MOST_ALIKE  # bars of a piece in which that can be told
_MOST_NAMED = 8  # bars that a finding names


@gates.register("contract")
def contract(case: Case) -> Outcome | None:
    """Every clause of the contract that applies is kept."""
    if case.contract is None:
        return None
    from libretto.contract import receipt  # slow to import, and needed only where something was asked for

    checked = receipt(case.contract, case.score)
    asked = [check for check in checked.checks if check.passed is not None]
    failed = checked.failed
    note = f"{len(asked) - len(failed)} of {len(asked)} clauses kept"
    if not failed:
        return Outcome(0.0 if not asked else 1.0, note)
    return Outcome(-len(failed) / len(asked), note, tuple(_finding(case.contract, check) for check in failed))


def _finding(asked: Contract, check: Check) -> Finding:
    bars = tuple((bar, bar) for bar in check.bars[:_MOST_NAMED])
    evidence = check.evidence.rstrip(".")
    heard = f"Not as asked ({check.clause}): {evidence}"
    return Finding("contract", heard, _move(asked, check.clause), Weight.CONTRACT, clause=check.clause, bars=bars)


def _move(asked: Contract, clause: str) -> str:
    """What to do where a clause is not kept."""
    home = "" if asked.ending in _ASIDE else ", and come home to its tonic"
    depending = {
        "key": f"write in the key that was asked for{home}",
        "drums": "leave percussion out" if asked.drums is False else "put percussion on a drum voice",
        "dynamics": f"play more {'softly' if asked.dynamics < 0 else 'strongly'}",
        "ending": _ENDINGS.get(asked.ending, "close on the tonic with a last long note or chord"),
    }
    return depending.get(clause) or _MOVES.get(clause, f"keep the clause on {clause}")


@gates.register("silence")
def silence(case: Case) -> Outcome | None:
    """No bar within a composed piece is empty, but for those in which a brief has everybody silent."""
    if case.contract is None:
        return None
    from libretto.contract.checks.where import spans_of_ask  # as above

    score = case.score
    sounding = np.zeros(score.bars, dtype=np.bool_)
    table, lines = score.sounds, np.asarray(score.bar_lines)
    last = np.searchsorted(lines, table["onset"] + table["duration"], side="left") - 1
    for first, end in zip(table["bar"].tolist(), np.minimum(last, score.bars - 1).tolist(), strict=True):
        sounding[first : end + 1] = True
    for ask in (one for one in case.contract.asks if one.kind == "silent" and not one.who and one.where):
        for low, high in spans_of_ask(ask, score):
            sounding[low - score.first_bar : high - score.first_bar + 1] = True
    empty = tuple(int(bar) + score.first_bar for bar in np.flatnonzero(~sounding))
    if not empty:
        return Outcome(1.0, "something sounds in every bar")
    spans = tuple((bar, bar) for bar in empty[:_MOST_NAMED])
    advice = "write something here, or let notes ring into it"
    finding = Finding("silence", "Nothing sounds", advice, Weight.SILENCE, bars=spans)
    return Outcome(-len(empty) / score.bars, f"silent: {bars_in_words(spans)}", (finding,))


@gates.register("monotony")
def monotony(case: Case) -> Outcome | None:
    """No bar is played unchanged more than eight times in a row."""
    if case.contract is None or case.score.bars < _LONG:
        return None
    start, longest = _longest_run(_contents(case.score))
    margin = (_MOST_ALIKE - longest) / _MOST_ALIKE
    note = f"the same bar at most {longest} times in a row"
    if margin >= 0:
        return Outcome(margin, note)
    first = start + case.score.first_bar
    advice = "change something every four bars: another turn of a line, another rhythm, a note more or less"
    span = ((first, first + longest - 1),)
    return Outcome(
        margin, note, (Finding("monotony", "The same bar again and again", advice, Weight.MONOTONY, bars=span),)
    )


def _contents(score: Score) -> list[bytes]:
    """What every bar holds, in a form that can be compared: places, pitches and voices of its notes."""
    rows = score.sounds[np.argsort(score.sounds["bar"], kind="stable")]
    edges = np.searchsorted(rows["bar"], np.arange(score.bars + 1))
    bars = (rows[first:last] for first, last in pairwise(edges))
    return [b"".join(bar[name].tobytes() for name in ("position", "pitch", "voice")) for bar in bars]


def _longest_run(contents: list[bytes]) -> tuple[int, int]:
    """Where the longest run of equal bars begins that hold something, and how long it is."""
    start, longest, run = 0, 1, 1
    for bar, (before, now) in enumerate(pairwise(contents), start=1):
        run = run + 1 if now and now == before else 1
        if run > longest:
            start, longest = bar - run + 1, run
    return start, longest


_BOUND = 0.5  # rankings that agree more than this move together
_FEWEST = 3  # songs that two rankings must share to be compared
_LOW, _HIGH = 5, 95  # percentiles beyond which an axis is too unusual to be praised
_OF_NOTES = ("harmony", "melody", "tonality", "lines")  # families that wrong notes spoil
_KEPT = {
    "rhythm": "rhythm",
    "harmony": "harmony",
    "melody": "melody",
    "texture": "texture",
    "form": "form",
    "groove": "groove",
    "lines": "bass and melody lines",
    "tonality": "tonality",
    "arranging": "arrangement",
    "dynamics": "dynamics",
    "timbre": "choice of instruments",
}


def about_axis(case: Case, gate: str, name: str, wanted: int, weight: float, among: str) -> Finding:
    """A finding about one axis: there should be more of it (``wanted`` 1) or less (-1) than now."""
    axis = axes[name]
    heard = f"{axis.meaning.rstrip('.')}: {'less' if wanted > 0 else 'more'} than in {among}"
    bars, voice = case.locator.find(name, wanted)
    return Finding(
        gate,
        heard,
        axis.more if wanted > 0 else axis.less,
        weight,
        name,
        bars,
        voice,
        moved_along(case.cloud, name, wanted, case.limits),
        wanted,
    )


def moved_along(cloud: Cloud, name: str, wanted: int, limits: frozenset[str] = frozenset()) -> str:
    """What else tends to move with an axis in real music, as a warning; nothing where it stands alone or is fixed."""
    other, agreement = _companion(cloud, name)
    way = 1 if wanted * agreement > 0 else -1
    if abs(agreement) < _BOUND or goes_against(limits, other, way):
        return ""
    amount = "more" if way > 0 else "less"
    subject = axes[other].meaning.rstrip(".")
    return f"Mind: in real music that goes with {amount} of this: {subject[:1].lower()}{subject[1:]}."


@lru_cache(maxsize=512)
def _companion(cloud: Cloud, name: str) -> tuple[str, float]:
    """The axis whose ranking of the cloud's songs agrees most with that of another, and how much."""
    shares = cloud.shares(cloud.values)
    mine = shares[:, cloud.axes.index(name)]
    best, most = name, 0.0
    for index, other in enumerate(cloud.axes):
        both = ~np.isnan(mine) & ~np.isnan(shares[:, index])
        if other == name or both.sum() < _FEWEST or shares[both, index].std() == 0 or mine[both].std() == 0:
            continue
        agreement = float(np.corrcoef(mine[both], shares[both, index])[0, 1])
        if abs(agreement) > abs(most):
            best, most = other, agreement
    return best, most


def keep_in_words(case: Case, findings: tuple[Finding, ...]) -> str:
    """What must not change: the families of axes about which nothing was found and nothing is extreme.

    What a finding without an axis speaks of is not known, so that its bars and voices are not praised for their notes.
    """
    touched = {axes[finding.axis].family for finding in findings if finding.axis in axes}
    touched |= {axes[name].family for name, percent in case.percentiles.items() if not _LOW < percent < _HIGH}
    touched |= set(_OF_NOTES) if any(not finding.axis and finding.bars for finding in findings) else set()
    shown = {axes[name].family for name in case.cloud.axes}
    kept = [_KEPT[family] for family in FAMILIES if family in _KEPT and family in shown - touched]
    return f"Keep as it is: the {', the '.join(kept)}." if kept else ""
