"""Files appraised: placed among real music and judged, for the task that they answer where one is known.

A file in the folder of a run answers that run's task and is judged by it, as it was when it was handed in. Any other
is judged as a piece of its own, and its verdict says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from libretto.axes import measure
from libretto.corpus import load_cloud
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates import Appraisal, judge
from libretto.gates.judge import placed
from libretto.score import Score
from libretto.tasks.points import weigh, with_points

if TYPE_CHECKING:
    from libretto.knowledge import Shown
    from libretto.tasks import Round, Task

__all__ = ["How", "Standing", "appraise_files", "judge_alone", "standing_of", "standing_of_file", "task_beside"]

_FILES_A_PROCESS = 8  # fewer are not worth starting one for
_FILES_AT_ONCE = 4


@dataclass(frozen=True)
class How:
    """How files are appraised: the genre they are meant to be in, and what they are held against.

    ``run`` is the folder of a run whose task they answer; without one it is the folder they lie in, if that is one.
    ``alone`` leaves every task out, and so do a genre and gates that are named.
    """

    genre: str | None = None
    cloud: str = "default"
    original: bool = True
    grid: str | None = None
    beats: bool = False
    run: str | None = None
    alone: bool = False
    gates: str = "ours"


@dataclass(frozen=True)
class Standing:
    """A piece, how it was appraised, and the round it would be of its task; without one it was judged on its own."""

    score: Score
    appraisal: Appraisal
    round: Round | None = None
    task: Task | None = None


def task_beside(path: str | os.PathLike[str]) -> Task | None:
    """The task of the run in whose folder a file lies; None where that is no run, or one that cannot be made again."""
    folder = Path(path).resolve().parent
    if not (folder / "run.json").is_file():
        return None
    try:
        return _task_in(folder)
    except LibrettoError:
        return None


def _task_in(folder: Path) -> Task:
    """The task of a run with what its composer was shown."""
    from libretto.agents.folder import read_asked, recorded_run  # here and below: most files answer no task
    from libretto.agents.session import BY_HAND, task_of_run

    return task_of_run(folder) if read_asked(folder).get("composer") == BY_HAND else recorded_run(folder).task


def judge_alone(score: Score, how: How | None = None, shown: Shown | None = None) -> Appraisal:
    """A piece placed and judged as what it is, without anything that was asked; with its points where it passes."""
    how, home = how or How(), load_cloud((how or How()).cloud)
    cited = shown.cited if shown is not None else ()
    if how.gates != "ours":
        from libretto.gates.paper import CLOUD, paper_genre, songs_of  # most pieces are judged by our own gates
        from libretto.gates.paper_judge import judge_paper

        paper = load_cloud(CLOUD)
        songs = songs_of(how.gates) if how.original else ()
        said = judge_paper(score, how.genre, cited=cited, songs=songs, alone=True)
        return placed(paper, measure(score, grid=how.grid or paper.grid), said, paper_genre(how.genre))
    verdict = judge(score, how.genre, cloud=how.cloud, original=how.original, cited=cited) if home.gauges else None
    told = with_points(verdict, weigh(score)) if verdict is not None and len(score.table) else verdict
    return placed(home, measure(score, grid=how.grid or home.grid), told, how.genre)


def standing_of(score: Score, task: Task | None, how: How | None = None) -> Standing:
    """A piece appraised for a task, or on its own where there is none."""
    how = how or How()
    if task is None:
        return Standing(score, judge_alone(score, how))
    from libretto.tasks import judge_draft

    task = replace(task, original=task.original and how.original)
    piece, handed_in = task.completed(score)
    made = judge_draft(task, piece, handed_in=handed_in)
    home = load_cloud(task.cloud)
    profile = measure(piece, grid=how.grid or home.grid)
    return Standing(piece, placed(home, profile, made.verdict, task.genre), made, task)


def appraise_files(paths: Sequence[str], how: How, jobs: int = 0) -> Iterator[tuple[str, Standing | LibrettoError]]:
    """Each path with how its file stands, in order; one that cannot be read comes with the error that says why."""
    if how.run is not None:
        _task_in(Path(how.run))  # refused at once where it is no run
    work = partial(_standing, how=how)
    workers = min(jobs or os.cpu_count() or 1, max(1, len(paths) // _FILES_A_PROCESS))
    if workers == 1:
        yield from map(work, paths)
        return
    from concurrent.futures import ProcessPoolExecutor  # slow to import, and not needed for a few files

    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(work, paths, chunksize=_FILES_AT_ONCE)


def standing_of_file(path: str, how: How) -> Standing:
    """How the piece in a file stands."""
    return standing_of(read(path, beats=how.beats), _task_for(path, how), how)


def _standing(path: str, how: How) -> tuple[str, Standing | LibrettoError]:
    try:
        return path, standing_of_file(path, how)
    except LibrettoError as error:
        return path, LibrettoError(" ".join(str(error).split()))


def _task_for(path: str, how: How) -> Task | None:
    """The task that a file is judged by."""
    if how.run is not None:
        return _task_in(Path(how.run))
    named = how.genre is not None or how.cloud != "default" or how.gates != "ours"
    return None if how.alone or named else task_beside(path)
