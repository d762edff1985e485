"""Judge a piece by every gate: one verdict, with the findings that matter most; and appraise whole files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import cpu_count
from typing import Any

from libretto.axes import measure
from libretto.contract import Contract
from libretto.corpus import Cloud, Fingerprint, Index, cloud_names, load_cloud, load_index, overlap
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates.case import case_of, gates
from libretto.gates.contract import keep_in_words
from libretto.gates.finding import Finding, Verdict
from libretto.gates.originality import most_cited
from libretto.score import Score, played
from libretto.score.played import order_of

__all__ = ["MOST_FINDINGS", "Appraisal", "appraise", "appraise_many", "judge"]

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
    written, score = score, played(score)
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
    if score.bars != written.bars:
        findings = tuple(replace(finding, bars=_as_written(written, finding.bars)) for finding in findings)
    kind = f"region of {case.region.bars} bars" if case.region else "piece"
    return Verdict(home.full_name, genre or "", kind, outcomes, findings, case.genres, keep_in_words(case, findings))


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


_FILES_A_PROCESS = 8  # fewer are not worth starting one for
_FILES_AT_ONCE = 4


@dataclass(frozen=True)
class Appraisal:
    """A piece placed in a cloud and judged; the verdict is None where the cloud was not calibrated."""

    fingerprint: Fingerprint
    verdict: Verdict | None

    def to_dict(self) -> dict[str, Any]:
        """The appraisal as plain data."""
        return {**self.fingerprint.to_dict(), "verdict": self.verdict.to_dict() if self.verdict else None}


def appraise(
    score: Score,
    genre: str | None = None,
    *,
    cloud: Cloud | str = "default",
    original: bool = True,
    grid: str | None = None,
) -> Appraisal:
    """Place a piece among real music and judge it.

    It is measured on the cloud's grid. With another ``grid`` its values are given on that and have no percentiles; the
    gates go by the cloud's all the same.
    """
    home = load_cloud(cloud) if isinstance(cloud, str) else cloud
    verdict = judge(score, genre, cloud=cloud, original=original) if home.gauges else None
    return Appraisal(home.place(measure(score, grid=grid or home.grid)), verdict)


def appraise_many(
    paths: Sequence[str],
    genre: str | None = None,
    *,
    cloud: str = "default",
    original: bool = True,
    jobs: int = 0,
    grid: str | None = None,
    beats: bool = False,
) -> Iterator[tuple[str, Appraisal | LibrettoError]]:
    """Each path with its appraisal, in order; a file that cannot be read comes with the error that says why."""
    work = partial(_appraised, genre=genre, cloud=cloud, original=original, grid=grid, beats=beats)
    workers = min(jobs or cpu_count(), max(1, len(paths) // _FILES_A_PROCESS))
    if workers == 1:
        yield from map(work, paths)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, paths, chunksize=_FILES_AT_ONCE)


def _appraised(
    path: str, genre: str | None, cloud: str, original: bool, grid: str | None, beats: bool
) -> tuple[str, Appraisal | LibrettoError]:
    try:
        score = read(path, beats=beats)
    except LibrettoError as error:
        return path, LibrettoError(" ".join(str(error).split()))
    return path, appraise(score, genre, cloud=cloud, original=original, grid=grid)
