"""Judge a piece by every gate: one verdict, with the findings that matter most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from libretto.contract import Contract
from libretto.corpus import Cloud, Index, cloud_names, load_cloud, load_index, overlap
from libretto.gates.case import case_of, gates
from libretto.gates.finding import Finding, Verdict
from libretto.gates.originality import most_cited
from libretto.gates.wording import keep_in_words
from libretto.score import Score

__all__ = ["MOST_FINDINGS", "judge"]

MOST_FINDINGS = 8  #: more at once is more than a composer can keep in mind


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
    home = load_cloud(cloud) if isinstance(cloud, str) else cloud
    songs = index if index is not None else _index_of(cloud) if original else None
    copy = overlap(score, songs) if songs is not None and original else None
    case = case_of(
        score,
        home,
        genre or "",
        region=region,
        copy=copy,
        length=length,
        cited=most_cited(score, cited),
        contract=contract,
    )
    outcomes = {name: outcome for name in gates if (outcome := gates[name](case)) is not None}
    findings = _worst(finding for outcome in outcomes.values() for finding in outcome.findings)
    kind = f"region of {case.region.bars} bars" if case.region else "piece"
    return Verdict(home.full_name, genre or "", kind, outcomes, findings, case.genres, keep_in_words(case, findings))


def _worst(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that matter most, one for each axis, clause or gate that they speak of."""
    ranked: dict[tuple[str, str], Finding] = {}
    for finding in sorted(findings, key=lambda finding: (-finding.weight, finding.gate, finding.axis)):
        subject = ("axis", finding.axis) if finding.axis else (finding.gate, finding.clause)
        ranked.setdefault(subject, finding)
    return tuple(ranked.values())[:MOST_FINDINGS]


def _index_of(cloud: Cloud | str) -> Index | None:
    """The index that is kept beside a cloud; None where there is none."""
    if isinstance(cloud, str):
        return load_index(cloud)
    return load_index(cloud.name) if cloud.name in cloud_names() else None
