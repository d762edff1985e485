"""How well a composer composes: genres by seeds through the gates, briefs through their contracts, seeds apart.

Published figures beside: full pieces pass 62% of the time in a single shot, 94% with the loop and 25% without
retrieval; systems that compose from briefs hit the key 14 to 34% of the time, and nobody checks the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from libretto.agents import composer as find_composer
from libretto.agents import run_task
from libretto.axes import measure
from libretto.bench.application import Case, Outcome, Row, margins_of, rows
from libretto.contract import GENRES
from libretto.corpus import load_cloud, overlap
from libretto.corpus.intervals import wilson
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.tasks import compose_task

__all__ = [
    "Composing",
    "Piece",
    "bench_briefs",
    "bench_genres",
    "bench_seeds",
    "composing_lines",
    "genre_cases",
    "play_genre",
]

_MARKS = {"pass": 0.95, "first": 0.75, "form": 0.80, "clauses": 0.99, "apart": 0.30}


@dataclass(frozen=True)
class Piece:
    """One composed piece: what it was for, what became of it, and what its gates said."""

    name: str
    genre: str
    seed: int
    bars: int
    voices: int
    passed: bool
    single: bool
    rounds: int
    reads: str
    self_similarity: float | None
    seconds: float
    clauses: dict[str, bool] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    margins: tuple[float | None, ...] = ()


@dataclass(frozen=True)
class Composing:
    """Everything the bench measured; what was not asked for is empty."""

    composer: str
    genres: tuple[Piece, ...] = ()
    briefs: tuple[Piece, ...] = ()
    apart: tuple[str, int, float] | None = None

    @property
    def passed(self) -> bool:
        """Whether every mark is met that applies."""
        return all(met for _, _, met in _rows(self))

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "composer": self.composer,
            "rows": [{"what": what, "value": value, "met": met} for what, value, met in _rows(self)],
            "pieces": [vars(each) for each in (*self.genres, *self.briefs)],
        }


def _made(composer: str, rounds: int, original: bool, job: tuple[str, str, str, int, int | None]) -> Piece:
    name, brief, genre, seed, bars = job
    task = compose_task(brief, genre=genre or None, bars=bars, original=original)
    run = run_task(task, find_composer(composer, seed), rounds=rounds, seed=seed)
    best = run.best
    checks = best.receipt.checks if best.receipt else ()
    verdict = best.verdict
    return Piece(
        name=name,
        genre=task.genre,
        seed=seed,
        bars=best.score.bars if best.score else 0,
        voices=len(best.score.voices) if best.score else 0,
        passed=run.passed,
        single=run.rounds[0].passed,
        rounds=len(run.rounds),
        reads=next(iter(verdict.genres), "") if verdict else "",
        self_similarity=measure(best.score)["self_similarity"] if best.score else None,
        seconds=run.rounds[0].draft.cost.seconds,
        clauses={check.clause: bool(check.passed) for check in checks if check.passed is not None},
        failed=tuple(name for name, outcome in verdict.outcomes.items() if not outcome.passed)
        if verdict
        else ("text",),
        margins=tuple(margins_of(run)),
    )


def _all(
    jobs: Sequence[tuple[str, str, str, int, int | None]],
    composer: str,
    rounds: int,
    original: bool,
    processes: int,
    step: Callable[[int, int], None],
) -> tuple[Piece, ...]:
    found = []
    with ProcessPoolExecutor(processes or None) as pool:
        for done, piece in enumerate(pool.map(partial(_made, composer, rounds, original), jobs), start=1):
            found.append(piece)
            step(done, len(jobs))
    return tuple(found)


def bench_genres(
    composer: str = "house",
    *,
    seeds: int = 10,
    rounds: int = 3,
    genres: Sequence[str] = GENRES,
    jobs: int = 0,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[Piece, ...]:
    """About a hundred bars in every genre, once for every seed."""
    asked = [(f"{genre} {seed}", "", genre, seed, None) for genre in genres for seed in range(seeds)]
    return _all(asked, composer, rounds, True, jobs, step)


def bench_briefs(
    briefs: Sequence[tuple[str, str]],
    composer: str = "house",
    *,
    rounds: int = 3,
    jobs: int = 0,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[Piece, ...]:
    """Every brief (name and text) composed once."""
    asked = [(name, text, "", 0, None) for name, text in briefs]
    return _all(asked, composer, rounds, False, jobs, step)


def bench_seeds(genre: str = "pop_rock", seeds: int = 50) -> tuple[str, int, float]:
    """The most that any two pieces of one genre share, from so many seeds, single shot."""
    from libretto.house import compose_score

    contract = compose_task(genre=genre, bars=64).contract
    pieces = [compose_score(contract, seed) for seed in range(seeds)]
    index = join_tracks([track_piece(piece) for piece in pieces], [str(seed) for seed in range(seeds)])
    found = [overlap(piece, index, without=[seed]) for seed, piece in enumerate(pieces)]
    return genre, seeds, max((each.score for each in found if each is not None), default=0.0)


def _rows(found: Composing) -> list[tuple[str, str, bool]]:
    """What was measured, in words, and whether its mark is met."""
    rows: list[tuple[str, str, bool]] = []
    if found.genres:
        total = len(found.genres)
        passed, single = (sum(getattr(each, name) for each in found.genres) for name in ("passed", "single"))
        first = sum(each.reads == each.genre for each in found.genres)
        rows.append(("single shot passes every gate (published 62%)", wilson(single / total, total).percent, True))
        loop = wilson(passed / total, total)
        rows.append(
            ("passes within the rounds (published 94%; mark 95%)", loop.percent, passed / total >= _MARKS["pass"])
        )
        rows.append(
            (
                "reads first as the genre meant (mark 75%)",
                wilson(first / total, total).percent,
                first / total >= _MARKS["first"],
            )
        )
        inside = _inside(found.genres)
        rows.append(
            ("self-similarity in the genre's middle half (mark 80%)", f"{inside:.0%}", inside >= _MARKS["form"])
        )
        slow = max(each.seconds for each in found.genres)
        rows.append(("slowest draft (mark 2 s)", f"{slow:.2f} s", slow < 2))
        sizes = [each.voices for each in found.genres]
        rows.append(("voices (mark 4 to 8)", f"{min(sizes)} to {max(sizes)}", min(sizes) >= 4 and max(sizes) <= 8))
    if found.briefs:
        kept: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        for each in found.briefs:
            asked.update(each.clauses.keys())
            kept.update(name for name, met in each.clauses.items() if met)
        for name in asked:
            share = kept[name] / asked[name]
            rows.append(
                (f"briefs: clause {name} kept (mark 99%)", f"{kept[name]} of {asked[name]}", share >= _MARKS["clauses"])
            )
        whole = sum(all(each.clauses.values()) for each in found.briefs)
        value = f"{whole} of {len(found.briefs)}"
        rows.append(("briefs: every clause kept (mark 99%)", value, whole / len(found.briefs) >= _MARKS["clauses"]))
    if found.apart is not None:
        genre, seeds, most = found.apart
        rows.append(
            (
                f"most that two of {seeds} seeds of {genre} share (mark below 0.30)",
                f"{most:.2f}",
                most < _MARKS["apart"],
            )
        )
    return rows


def _inside(pieces: Sequence[Piece]) -> float:
    """Which part of the pieces has a self-similarity within the middle half of its genre."""
    cloud = load_cloud()
    column = cloud.values[:, cloud.axes.index("self_similarity")]
    genres = np.array(cloud.genres)
    hits = []
    for piece in pieces:
        low, high = np.nanpercentile(column[genres == piece.genre], (25, 75))
        hits.append(piece.self_similarity is not None and low <= piece.self_similarity <= high)
    return float(np.mean(hits))


def composing_lines(found: Composing) -> list[str]:
    """The figures for a terminal, then genre by genre."""
    rows = _rows(found)
    width = max((len(what) for what, _, _ in rows), default=0)
    lines = [f"{what:<{width}}  {value:<16} {'' if met else 'MISSED'}".rstrip() for what, value, met in rows]
    for genre in sorted({each.genre for each in found.genres}):
        mine = [each for each in found.genres if each.genre == genre]
        passed, single = (sum(getattr(each, name) for each in mine) for name in ("passed", "single"))
        others = Counter(each.reads for each in mine if each.reads != genre)
        wrong = ", ".join(f"{name} {count}" for name, count in others.most_common())
        failed = Counter(name for each in mine for name in each.failed)
        why = ", ".join(f"{name} {count}" for name, count in failed.most_common())
        lines.append(
            f"  {genre:<18} single {single}/{len(mine)}, rounds {passed}/{len(mine)}, inside {_inside(mine):.0%}"
            + (f", also reads as {wrong}" if wrong else "") + (f", fails {why}" if why else "")
        )  # fmt: skip
    for each in found.briefs:
        broken = [name for name, met in each.clauses.items() if not met]
        if broken:
            lines.append(f"  {each.name}: {', '.join(broken)} not kept")
    return lines


def genre_cases(music: str | None) -> list[Case]:
    """Sixteen full pieces as published: every genre once, and four of them with another seed."""
    asked = [(genre, 0) for genre in GENRES] + [(genre, 1) for genre in GENRES[:4]]
    return [{"case": f"{genre} {seed}", "genre": genre, "seed": seed} for genre, seed in asked]


def play_genre(case: Case, composer: str, rounds: int) -> Outcome:
    """One full piece."""
    made = _made(composer, rounds, True, (str(case["case"]), "", str(case["genre"]), int(case["seed"]), None))
    return {
        "single": made.single,
        "passed": made.passed,
        "rounds": made.rounds,
        "failed": list(made.failed),
        "genre": made.genre,
        "margin": list(made.margins),
    }


rows.register("compose")(
    Row("Full-piece generation", "10/16 62%", "15/16 94%", _MARKS["pass"] - 0.02, genre_cases, play_genre)
)
