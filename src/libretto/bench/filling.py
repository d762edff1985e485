"""How well gaps in real songs are filled: openings, middles and endings; and parts written, and songs extended.

Published figures beside (table 3): 12% of fills pass at the first draft and 39% within three rounds. How few real
regions pass those gates was measured by us (``lab.gauges.fills``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from libretto.agents import composer as find_composer
from libretto.agents import run_task
from libretto.bench import Figure
from libretto.bench.application import failed_gates, margins_of
from libretto.bench.application.published import REFUSED, final_figures
from libretto.bench.rivals import foreign, published_gate
from libretto.corpus.statistics import wilson
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates.paper import check_gates
from libretto.score import Score
from libretto.tasks import AccompanyTask, FillTask, Run, accompany_task, extend_task, fill_task
from libretto.tasks.fill.blind import anonymous
from libretto.tasks.fill.grade import beaten, distance, grade_fill

__all__ = [
    "PARTS",
    "FilledCase",
    "Filling",
    "Job",
    "bench_filling",
    "fill_jobs",
    "filling_lines",
    "gap_of",
    "other_jobs",
    "play_case",
]

#: Where gaps are: which share of the song they begin at, and how much of it they take.
PARTS = {"opening": (0.0, 0.2), "middle": (0.4, 0.2), "ending": (0.75, 0.25)}
_SHORTEST, _LONGEST = 4, 16  # bars of a gap
_LEAST = 24  # bars of a song, and notes of a part, that are worth it
_MORE = 8  # bars that a song is extended by
_REASON = 80  # characters of why a case could not be played
_NEARLY, _DIGITS = 1e-9, 4  # a distance that is the same to this is no worse; digits of shares that are kept
_PLACES = ("after the end", "before the start", "in the middle")
#: What the real region's distance stands beside, in words.
_BESIDE = {"among": "song's windows among themselves", "pasted": "pasted", "random": "other song"}
_MARKS = {"fill": 0.60, "accompany": 0.80, "extend": 0.80}


@dataclass(frozen=True)
class FilledCase:
    """One task over a real song and what became of it; distances are to the real region, None where there is none."""

    task: str
    song: str
    genre: str
    where: str
    passed: bool
    single: bool
    rounds: int
    identical: bool
    failed: tuple[str, ...] = ()
    first: float | None = None
    best: float | None = None
    among: float | None = None
    pasted: float | None = None
    random: float | None = None
    same: float | None = None
    margins: tuple[float | None, ...] = ()
    beats: dict[str, float] = field(default_factory=dict)
    published: dict[str, float] = field(default_factory=dict)
    final: dict[str, float] = field(default_factory=dict)
    draft: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Filling:
    """All cases."""

    composer: str
    cases: tuple[FilledCase, ...] = field(repr=False)

    @property
    def passed(self) -> bool:
        """Whether every mark is met."""
        return all(figure.met for figure in _figures(self))

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        rows = [figure._asdict() for figure in _figures(self)]
        return {"composer": self.composer, "rows": rows, "cases": [vars(case) for case in self.cases]}


@dataclass(frozen=True)
class Job:
    """A task to be played over a song: its number among those of its kind, and where a gap lies."""

    number: int
    task: str
    part: str
    path: str
    gates: str = "ours"


def gap_of(song: Score, part: str) -> tuple[int, int]:
    """The first and last bar (by number) of an opening, middle or ending gap: of 4 to 16 bars."""
    start, share = PARTS[part]
    length = int(np.clip(round(share * song.bars), _SHORTEST, _LONGEST))
    first = song.bars - length if part == "ending" else int(start * song.bars)
    return first + song.first_bar, first + length - 1 + song.first_bar


def bench_filling(
    folder: str,
    composer: str = "house",
    *,
    songs: int = 17,
    others: int = 30,
    rounds: int = 3,
    jobs: int = 0,
    step: Callable[[int, int], None] = lambda done, total: None,
    gates: str = "ours",
) -> Filling:
    """Fill three gaps in each of some songs, and write a part for and extend each of some others, spread evenly.

    The songs are none of those that the gates of fills were measured on. The paper has ``gates`` for fills alone.
    """
    kinds = ("accompany", "extend") if check_gates(gates) == "ours" else ()
    work = [replace(job, gates=gates) for job in fill_jobs(folder, songs)]
    work += [job for kind in kinds for job in other_jobs(folder, others, kind)]
    cases = []
    with ProcessPoolExecutor(jobs or None) as pool:
        for done, case in enumerate(pool.map(partial(play_case, composer, rounds), work, chunksize=2), start=1):
            cases.append(case)
            step(done, len(work))
    return Filling(composer, tuple(cases))


def fill_jobs(folder: str, songs: int) -> list[Job]:
    """Three gaps in each of some songs."""
    numbered = enumerate(_chosen(folder, songs, 0.0))
    return [Job(number, "fill", part, path) for number, path in numbered for part in PARTS]


def other_jobs(folder: str, songs: int, task: str) -> list[Job]:
    """One part to write, or one song to extend, for each of some songs, none of those that are filled."""
    return [Job(number, task, "", path) for number, path in enumerate(_chosen(folder, songs, 0.5))]


def _paths(folder: str) -> list[Path]:
    """The songs on which no gate of fills was measured."""
    return sorted(Path(folder).glob("*/*.mid"))[1::3]


def _chosen(folder: str, count: int, offset: float) -> list[str]:
    """So many songs that are long enough, spread evenly."""
    paths = _paths(folder)
    chosen: list[str] = []
    for number in range(count if paths else 0):
        start = int((number + offset) * len(paths) / count) % len(paths)
        for path in paths[start:] + paths[:start]:
            if str(path) not in chosen and _long_enough(path):
                chosen.append(str(path))
                break
    if count and len(chosen) < min(count, 1):
        raise LibrettoError(f"there are not enough songs of {_LEAST} bars in sub-folders of {folder}")
    return chosen


def _long_enough(path: Path) -> bool:
    try:
        return read(path).bars >= _LEAST
    except LibrettoError:
        return False


def play_case(composer: str, rounds: int, job: Job) -> FilledCase:
    """One task over a real song."""
    song, genre = read(job.path), Path(job.path).parent.name
    try:
        song = anonymous(song, *gap_of(song, job.part)) if job.gates != "ours" and job.task == "fill" else song
        task = _task(job.task, job.part, job.number, song).switched(job.gates)
        run = run_task(task, find_composer(composer, 0), rounds=rounds)
    except LibrettoError as error:
        return FilledCase(job.task, job.path, genre, job.part, False, False, 0, True, (str(error)[:_REASON],))
    failed = tuple(failed_gates(run, unread="unreadable"))
    same = run.score is not None and task.same_outside(run.score)
    where = job.part or (task.role if isinstance(task, AccompanyTask) else _PLACES[job.number % len(_PLACES)])
    case = FilledCase(
        job.task, job.path, genre, where, run.passed, run.rounds[0].passed, len(run.rounds), same, failed,
        margins=tuple(margins_of(run)),
    )  # fmt: skip
    if job.task != "fill" or not isinstance(task, FillTask):
        return case
    return _graded(case, task, run, song, _rival(job.path))


def _rival(path: str) -> Score | None:
    """Another song of the same genre."""
    others = [other for other in _paths(str(Path(path).parents[1])) if other.parent == Path(path).parent]
    at = others.index(Path(path)) if Path(path) in others else 0
    for other in others[at + 1 :] + others[:at]:
        if str(other) != path and _long_enough(other):
            return read(other)
    return None


def _task(kind: str, part: str, number: int, song: Score) -> FillTask | AccompanyTask:
    if kind == "fill":
        return fill_task(song, *gap_of(song, part))
    if kind == "extend":
        return extend_task(song, _MORE, ("end", "start", song.numbers[song.bars // 2])[number % len(_PLACES)])
    playing = [voice.name for voice in song.voices if len(voice.array) >= _LEAST]
    if not playing:
        raise LibrettoError("no voice plays enough to be written anew")
    return accompany_task(song, playing[number % len(playing)])


def _graded(case: FilledCase, task: FillTask, run: Run, song: Score, rival: Score | None) -> FilledCase:
    """The case with its distances; only here is the real region looked at."""
    first, best = run.rounds[0].score, run.score
    if first is None or best is None or not task.same_outside(first):
        return case
    one, two = grade_fill(task, first, song), grade_fill(task, best, song)
    bars, real = task.last - task.first + 1, task.around.of(song)
    random = None
    if rival is not None:
        random = distance(task.around.of(foreign(song, task.voices, task.span, rival)), real, bars)
    case = replace(
        case, first=one.distance, best=two.distance, among=two.among, pasted=two.pasted, random=random, same=two.same
    )
    away = {name: getattr(case, name) for name in ("first", "best", "among", "pasted", "random")}
    songs = beaten(real, bars)
    beats = {name: round(float((songs > far).mean()), _DIGITS) for name, far in away.items() if far is not None}
    gates = {
        name: published_gate(answer, song, task.first, task.last, case.genre)
        for name, answer in (("first", first), ("best", best), ("real", song))
    }
    published: dict[str, float] = {}
    for name, gate in gates.items():
        published |= {f"{name} passes": float(gate.passed), f"{name} extremes": float(gate.extremes)}
        published |= {f"{name} copied": round(gate.copied, _DIGITS)} if name != "real" else {}
    final, draft = final_figures(task, best, song)
    passed = case.passed and not (draft and final.get(REFUSED))
    return replace(case, beats=beats, published=published, final=final, draft=draft, passed=passed)


def _mean(cases: Sequence[FilledCase], name: str) -> float | None:
    values = [value for case in cases if (value := getattr(case, name)) is not None]
    return float(np.mean(values)) if values else None


def _figures(result: Filling) -> list[Figure]:
    """Everything that was measured: what passes by task, how near fills come, and whether the rest is untouched."""
    figures = [figure for task in _MARKS if (figure := _passing(result.cases, task)) is not None]
    fills = [case for case in result.cases if case.task == "fill" and case.best is not None]
    figures += _nearness(fills) if fills else []
    same, every = sum(case.identical for case in result.cases), len(result.cases)
    return [*figures, Figure("everything else identical", f"{same} of {every}", same == every)]


def _passing(cases: Sequence[FilledCase], task: str) -> Figure | None:
    """How many cases of a task pass; None where there are none."""
    mine = [case for case in cases if case.task == task]
    if not mine:
        return None
    passed, single, total = sum(case.passed for case in mine), sum(case.single for case in mine), len(mine)
    beside = "; published 12% and 39%" if task == "fill" else ""
    told = f"{single} of {total} at once, {passed} within the rounds, {wilson(passed / total, total).percent}{beside}"
    return Figure(f"{task}: pass every gate", told, passed >= _MARKS[task] * total)


def _nearness(fills: Sequence[FilledCase]) -> list[Figure]:
    """How near fills come to the real region, and what stands beside."""
    first, best = _mean(fills, "first") or 0.0, _mean(fills, "best") or 0.0
    beside = ", ".join(
        f"{words} {value:.2f}" for name, words in _BESIDE.items() if (value := _mean(fills, name)) is not None
    )
    return [
        Figure("fill: distance to the real region", f"first {first:.2f}, best {best:.2f}", best <= first + _NEARLY),
        Figure("fill: the same for", beside),
        Figure("fill: notes that are the real ones", f"{_mean(fills, 'same') or 0.0:.0%}"),
    ]


def filling_lines(result: Filling) -> list[str]:
    """The bench for a terminal."""
    lines = [f"{what:<36} {value}{'' if met else '   MISSED'}" for what, value, met in _figures(result)]
    failed = Counter(f"{case.task} {name}" for case in result.cases for name in case.failed).most_common()
    return [*lines, f"what the best rounds fail: {', '.join(f'{name} {count}' for name, count in failed) or 'nothing'}"]
