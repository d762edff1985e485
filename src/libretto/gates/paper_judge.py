"""Judge by the published gates: a piece, or bars written into a gap; what they hold stands in ``gates.paper``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from libretto.corpus import LOW, load_cloud
from libretto.gates.case import Case, case_of
from libretto.gates.contract import about_axis
from libretto.gates.finding import Finding, Outcome, Verdict, Weight
from libretto.gates.paper import (
    CLOUD,
    GAP_BUDGET,
    GAP_CEILING,
    PaperGauge,
    copy_risk,
    paper_extremes,
    paper_gauge,
    paper_genre,
    paper_percents,
    paper_values,
)
from libretto.score import Score, played

if TYPE_CHECKING:
    from libretto.corpus.slide import Pairs

__all__ = ["copy_outcome", "judge_paper", "region_outcomes"]

_NAMED = 6  # findings that a gate names
_REFUSED = 1e-9  # the margin of what lies on the very ceiling: a share there is refused


def copy_outcome(piece: Pairs, cited: Sequence[Pairs], songs: Sequence[Pairs], ceiling: float) -> Outcome:
    """Less of a piece is found in one song, or in what was shown, than the printed ceiling."""
    worst = copy_risk(piece, cited, songs)
    beside = f"; {len(songs)} songs at hand" if songs else "; no corpus compared, name one with paper:FOLDER"
    note = f"copy risk {worst.share:.3f}, refused from {ceiling:.2f}{beside}"
    if worst.share < ceiling:
        return Outcome((ceiling - worst.share) / ceiling, note)
    heard = f"It has the notes of {worst.song or 'another piece'}, bar by bar"
    advice = "write these bars anew: other notes, another rhythm, another order of chords"
    return Outcome(
        (ceiling - worst.share) / ceiling - _REFUSED, note, (Finding("copy risk", heard, advice, Weight.COPIED),)
    )


def judge_paper(
    score: Score,
    genre: str | None = None,
    *,
    cited: Sequence[tuple[str, Score]] = (),
    songs: Sequence[Pairs] = (),
    length: tuple[int, int] | None = None,
    alone: bool = False,
) -> Verdict:
    """What the published gates say of a piece: degeneracy, genre fit where a genre is named, and copy risk.

    ``length`` is the least and most bars that were asked for; the paper has no other gate of length.
    """
    from libretto.corpus.slide import pairs_of  # here and below: our own gates do without

    piece, name = played(score), paper_genre(genre)
    cloud, gauge = load_cloud(CLOUD), paper_gauge(name)
    case = case_of(piece, cloud, name, region=False)
    outcomes = {"degeneracy": _degeneracy(case, gauge.budget)}
    if name:
        outcomes["genre fit"] = _fit(case, gauge)
    shown = [pairs_of(excerpt, title) for title, excerpt in cited]
    outcomes["copy risk"] = copy_outcome(pairs_of(piece), shown, songs, gauge.ceiling)
    if length is not None:
        outcomes["length"] = _length(piece.bars, length)
    findings = sorted(
        (finding for outcome in outcomes.values() for finding in outcome.findings),
        key=lambda finding: (-finding.weight, finding.gate, finding.axis),
    )
    kind = "piece by the published gates"
    return Verdict(cloud.full_name, genre or "", kind, outcomes, tuple(findings), case.genres, "", alone)


def region_outcomes(
    region: Score, cited: Sequence[Pairs] = (), songs: Sequence[Pairs] = (), later: int = 0
) -> dict[str, Outcome]:
    """What the published gates say of bars written into a gap; ``later`` is added to the bars of findings.

    ``cited`` is what may be seen: the song without the gap, and what the composer was shown.
    """
    from libretto.corpus.slide import pairs_of

    case = case_of(region, load_cloud(CLOUD), "", region=False)
    outcome = _degeneracy(case, GAP_BUDGET)
    moved = tuple(_later(finding, later) for finding in outcome.findings)
    return {
        "degeneracy": Outcome(outcome.margin, outcome.note, moved),
        "copy risk": copy_outcome(pairs_of(region), cited, songs, GAP_CEILING),
    }


def _later(finding: Finding, bars: int) -> Finding:
    spans = tuple((first + bars, last + bars) for first, last in finding.bars)
    return replace(finding, bars=spans)


def _degeneracy(case: Case, budget: int) -> Outcome:
    percents = dict(zip(case.cloud.axes, paper_percents(paper_values(case.profile))[0].tolist(), strict=True))
    extremes = paper_extremes({name: int(percent) for name, percent in percents.items()})
    note = f"{len(extremes)} of {len(percents)} axes are extreme; {budget} may be"
    margin = (budget - len(extremes)) / budget
    if margin >= 0:
        return Outcome(margin, note)
    worst = sorted(extremes, key=lambda name: (-case.distance(name), name))[:_NAMED]
    findings = [
        about_axis(
            case, "degeneracy", name, 1 if percents[name] <= LOW else -1, case.distance(name), "nearly all songs"
        )
        for name in worst
    ]
    return Outcome(margin, note, tuple(findings))


def _fit(case: Case, gauge: PaperGauge) -> Outcome:
    values = dict(zip(case.cloud.axes, paper_values(case.profile)[0].tolist(), strict=True))
    outside = [name for name, (low, high) in gauge.bands.items() if not low <= values[name] <= high]
    inside = len(gauge.bands) - len(outside)
    note = f"{inside} of {len(gauge.bands)} axes lie as in half of {gauge.genre.replace('_', ' ')}; {gauge.floor} must"
    margin = (inside - gauge.floor) / len(gauge.bands)
    if margin >= 0:
        return Outcome(margin, note)
    among = f"most {gauge.genre.replace('_', ' ')}"
    findings = []
    for name in outside[:_NAMED]:
        wanted = 1 if values[name] < gauge.bands[name][0] else -1
        findings.append(about_axis(case, "genre fit", name, wanted, Weight.TOWARDS_GENRE, among))
    return Outcome(margin, note, tuple(findings))


def _length(bars: int, asked: tuple[int, int]) -> Outcome:
    low, high = asked
    if low <= bars <= high:
        return Outcome(0.0, f"{bars} bars")
    heard, advice = ("It is too short", "add phrases") if bars < low else ("It is too long", "take phrases out")
    return Outcome(-abs(bars - (low if bars < low else high)) / high, f"{bars} bars", (
        Finding("length", heard, advice, Weight.WRONG_LENGTH),
    ))  # fmt: skip
