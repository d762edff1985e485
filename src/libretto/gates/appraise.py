"""Appraise files: where each stands among real music, and what the gates say; one by one or on all cores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import cpu_count
from typing import Any

from libretto.axes import measure
from libretto.corpus import Cloud, Fingerprint, load_cloud
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates.finding import Verdict
from libretto.gates.judge import judge
from libretto.score import Score

__all__ = ["Appraisal", "appraise", "appraise_many"]

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
    score: Score, genre: str | None = None, *, cloud: Cloud | str = "default", original: bool = True
) -> Appraisal:
    """Place a piece among real music and judge it."""
    home = load_cloud(cloud) if isinstance(cloud, str) else cloud
    verdict = judge(score, genre, cloud=cloud, original=original) if home.gauges else None
    return Appraisal(home.place(measure(score)), verdict)


def appraise_many(
    paths: Sequence[str], genre: str | None = None, *, cloud: str = "default", original: bool = True, jobs: int = 0
) -> Iterator[tuple[str, Appraisal | LibrettoError]]:
    """Each path with its appraisal, in order; a file that cannot be read comes with the error that says why."""
    work = partial(_appraised, genre=genre, cloud=cloud, original=original)
    workers = min(jobs or cpu_count(), max(1, len(paths) // _FILES_A_PROCESS))
    if workers == 1:
        yield from map(work, paths)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, paths, chunksize=_FILES_AT_ONCE)


def _appraised(path: str, genre: str | None, cloud: str, original: bool) -> tuple[str, Appraisal | LibrettoError]:
    try:
        score = read(path)
    except LibrettoError as error:
        return path, LibrettoError(" ".join(str(error).split()))
    return path, appraise(score, genre, cloud=cloud, original=original)
