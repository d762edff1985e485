"""Judge a piece by every gate: one verdict, with the findings that matter most; and place it among real music."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from libretto.axes import measure
from libretto.corpus import Cloud, Fingerprint, Index, Overlap, cloud_names, load_cloud, load_index, overlap
from libretto.corpus.hands import beside
from libretto.gates.among import percentiles_in_genre
from libretto.gates.case import case_of, gates
from libretto.gates.cited import most_cited
from libretto.gates.contract import keep_in_words
from libretto.gates.finding import Finding, Outcome, Verdict
from libretto.gates.within import within_brief
from libretto.score import Score, played
from libretto.score.played import order_of

if TYPE_CHECKING:
    from libretto.contract import Contract

__all__ = ["MOST_FINDINGS", "Appraisal", "appraise", "judge", "place", "placed"]

MOST_FINDINGS = 8  #: more at once is more than a composer can keep in mind
_LAST = "originality"  # the gate that is asked last, as it waits for the search for copies


def judge(
    score: Score,
    genre: str | None = None,
    *,
    cloud: Cloud | str = "default",
    index: Index | None = None,
    region: bool | None = None,
    length: tuple[int, int] | None = None,
    original: bool = True,
    cited: Sequence[tuple[str, Score]] = (),
    contract: Contract | None = None,
) -> Verdict:
    """What the gates say of a piece.

    ``genre`` is what it is meant to be; without one, genre fit does not apply. ``cloud`` and ``index`` are what it is
    held against: the default cloud and its index where they are left out. Pieces of fewer than 24 bars are judged as
    regions unless ``region`` says otherwise. ``length`` is the least and most bars asked for. ``original`` switches
    the search for copies off; ``cited`` is what the composer was shown, by name, and is always looked for.
    ``contract`` is what was asked for; with one, its clauses, silent bars and monotony are judged too.
    """
    written, score = score, played(score)
    home = load_cloud(cloud) if isinstance(cloud, str) else cloud
    songs = index if index is not None else _index_of(cloud) if original else None
    sought = _sought(score, songs) if songs is not None and original else None
    case = case_of(
        score,
        home,
        genre or "",
        region=region,
        sought=sought,
        length=length,
        cited=most_cited(score, cited),
        contract=contract,
    )
    told = {name: gates[name](case) for name in sorted(gates, key=lambda name: name == _LAST)}
    kept = {name: outcome for name in gates if (outcome := told[name]) is not None}
    outcomes = {name: _within(name, outcome, case.limits) for name, outcome in kept.items()}
    findings = _worst(finding for outcome in outcomes.values() for finding in outcome.findings)
    if score.bars != written.bars:
        findings = tuple(replace(finding, bars=_as_written(written, finding.bars)) for finding in findings)
    kind = f"region of {case.region.bars} bars" if case.region else "piece"
    keep = keep_in_words(case, findings)
    return Verdict(home.full_name, genre or "", kind, outcomes, findings, case.genres, keep, alone=contract is None)


def _sought(score: Score, songs: Index) -> Callable[[], Overlap | None]:
    """The search for copies, begun beside what else is asked of a piece."""
    _ = score.sounds  # both read them: they are made once
    return beside(lambda: overlap(score, songs))


def _within(gate: str, outcome: Outcome, limits: frozenset[str]) -> Outcome:
    """The outcome with findings that ask for nothing the brief excludes; a gate that fails always says something."""
    findings = tuple(told for finding in outcome.findings if (told := within_brief(finding, limits)) is not None)
    if not findings and not outcome.passed:
        heard = f"It does not pass for {gate} yet"
        advice = "write the bars anew that are least like the rest, keeping all that was asked for"
        findings = (Finding(gate, heard, advice, 0.0),)
    return replace(outcome, findings=findings)


def _worst(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that matter most, one for each axis, clause or gate that they speak of."""
    ranked: dict[tuple[str, str], Finding] = {}
    for finding in sorted(findings, key=lambda finding: (-finding.weight, finding.gate, finding.axis)):
        subject = ("axis", finding.axis) if finding.axis else (finding.gate, finding.clause or finding.voice)
        ranked.setdefault(subject, finding)
    return tuple(ranked.values())[:MOST_FINDINGS]


def _as_written(score: Score, bars: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Bars of the piece as it sounds, by the numbers that they have on its page."""
    order = order_of(score)
    indices = (number - score.first_bar for first, last in bars for number in range(first, last + 1))
    numbers = sorted({order[index] + score.first_bar for index in indices if 0 <= index < len(order)})
    spans: list[tuple[int, int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return tuple(spans)


def _index_of(cloud: Cloud | str) -> Index | None:
    """The index that is kept beside a cloud; None where there is none."""
    if isinstance(cloud, str):
        return load_index(cloud)
    return load_index(cloud.name) if cloud.name in cloud_names() else None


@dataclass(frozen=True)
class Appraisal:
    """A piece placed in a cloud and judged; the verdict is None where the cloud was not calibrated.

    Where a genre was named, ``in_genre`` holds the percentiles of the axes among its songs alone.
    """

    fingerprint: Fingerprint
    verdict: Verdict | None
    genre: str = ""
    in_genre: Mapping[str, int | None] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The appraisal as plain data."""
        data = self.fingerprint.to_dict()
        if self.genre:
            axes = {name: {**row, "percentile_in_genre": self.in_genre.get(name)} for name, row in data["axes"].items()}
            data |= {"genre": self.genre, "axes": axes}
        return {**data, "verdict": self.verdict.to_dict() if self.verdict else None}


def appraise(
    score: Score,
    genre: str | None = None,
    *,
    cloud: Cloud | str = "default",
    original: bool = True,
    grid: str | None = None,
) -> Appraisal:
    """Place a piece among real music, and among that of a genre where one is named, and judge it on its own.

    It is measured on the cloud's grid. With another ``grid`` its values are given on that and have no percentiles; the
    gates go by the cloud's all the same.
    """
    home = load_cloud(cloud) if isinstance(cloud, str) else cloud
    verdict = judge(score, genre, cloud=cloud, original=original) if home.gauges else None
    return placed(home, measure(score, grid=grid or home.grid), verdict, genre)


def place(score: Score, genre: str | None = None, *, cloud: str = "default") -> Appraisal:
    """Place a piece among real music, and among that of a genre where one is named; nothing is judged."""
    home = load_cloud(cloud)
    return placed(home, measure(score, grid=home.grid), None, genre)


def placed(
    cloud: Cloud, profile: Mapping[str, float | None], verdict: Verdict | None, genre: str | None = None
) -> Appraisal:
    """What was measured of a piece, placed in a cloud beside a verdict that was found already."""
    in_genre = percentiles_in_genre(cloud, genre, profile) if genre else {}
    return Appraisal(cloud.place(profile), verdict, genre or "", in_genre)
