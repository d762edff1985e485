"""How like real tunes ours are: every figure of the lead of composed pieces beside the middle 80 in 100 of real tunes.

Conventions: a piece is composed in one go, and its tune is cut into stretches of 12 to 32 bars, as real tunes were;
each stretch is a row. A style is held against its kind (``tune_kinds.txt``), a brief against the kind of its style. The
mark is that each figure lies within in at least 8 of 10 rows: for real tunes that is so by the making of the ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from libretto.bench import Figure
from libretto.bench.tunes.figures import FIGURES, LAST, figures_of, stretches
from libretto.bench.tunes.leads import lead_tune
from libretto.bench.tunes.usual import Usual, kind_of_style, measured, shipped_usual
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.house import compose_score
from libretto.house.core.style import load_style, style_names

__all__ = ["Job", "Melodies", "Row", "bench_melody", "brief_jobs", "melody_lines", "style_jobs"]

_MARK = 0.80  # the least share of rows in which a figure lies within
_BARS = 32  # of a piece for a style


@dataclass(frozen=True)
class Row:
    """A stretch of a composed tune: the piece, its kind, its figures, and by figure whether it lies within."""

    name: str
    kind: str
    figures: Mapping[str, float | None]
    within: Mapping[str, bool] = field(default_factory=dict)

    @property
    def outside(self) -> tuple[str, ...]:
        """The figures that do not lie within."""
        return tuple(name for name, met in self.within.items() if not met)


@dataclass(frozen=True)
class Melodies:
    """Everything that was measured: the rows, what is usual by kind, and pieces that have no tune."""

    rows: tuple[Row, ...]
    usual: Mapping[str, Usual]
    silent: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every figure lies within often enough."""
        return all(figure.met for figure in _figures(self))

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "rows": [figure._asdict() for figure in _figures(self)],
            "usual": {kind: one.to_dict() for kind, one in self.usual.items()},
            "pieces": [{**vars(row), "outside": row.outside} for row in self.rows],
            "silent": list(self.silent),
        }


class Job(NamedTuple):
    """A piece to compose: its name, the kind of its tunes, what it is to be, and a seed."""

    name: str
    kind: str
    contract: Contract
    seed: int


def style_jobs(styles: Sequence[str] = (), seeds: int = 1, bars: int = _BARS) -> list[Job]:
    """A piece for every style, or for those named, and every seed."""
    unknown = [name for name in styles if name not in style_names()]
    if unknown:
        raise LibrettoError(f"there is no style {unknown[0]!r}; there are {', '.join(style_names())}")
    return [
        Job(f"{name} {seed}", kind_of_style(name), Contract(style=name, genre=load_style(name).genre, bars=bars), seed)
        for name in styles or style_names()
        for seed in range(seeds)
    ]


def brief_jobs(briefs: Sequence[tuple[str, str]], seeds: int = 1) -> list[Job]:
    """A piece for every brief (name and text) and every seed."""
    jobs = []
    for name, text in briefs:
        contract = Contract.from_brief(text)
        kind = kind_of_style(contract.style or contract.genre)
        jobs += [Job(f"{name} {seed}" if seeds > 1 else name, kind, contract, seed) for seed in range(seeds)]
    return jobs


def _composed(job: Job) -> list[tuple[str, dict[str, float | None]]]:
    """The figures of a piece's tune by stretch, each with a name."""
    tune = lead_tune(compose_score(job.contract, job.seed), job.contract)
    parts = list(stretches(tune))
    names = (
        [job.name]
        if len(parts) == 1
        else [f"{job.name} ({number} of {len(parts)})" for number in range(1, len(parts) + 1)]
    )
    return [(name, figures_of(part)) for name, part in zip(names, parts, strict=True)]


def bench_melody(
    jobs: Sequence[Job],
    *,
    tunes: str | None = None,
    processes: int = 1,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> Melodies:
    """Compose every piece and measure its tune; real tunes are measured anew where their folder is named."""
    usual = measured(Path(tunes)) if tunes else shipped_usual()
    rows: list[Row] = []
    silent: list[str] = []
    with ProcessPoolExecutor(processes or None) as pool:
        for number, (job, parts) in enumerate(zip(jobs, pool.map(_composed, jobs), strict=True), start=1):
            rows += [Row(name, job.kind, figures, usual[job.kind].within(figures)) for name, figures in parts]
            silent += [] if parts else [job.name]
            step(number, len(jobs))
    return Melodies(tuple(rows), usual, tuple(silent))


def _figures(result: Melodies) -> list[Figure]:
    """The share of rows within, figure by figure, then those with everything within; real tunes beside."""
    figures = []
    for name, words in FIGURES.items():
        rows = [row for row in result.rows if name in row.within]
        if rows:
            share = float(np.mean([row.within[name] for row in rows]))
            real = float(np.mean([result.usual[row.kind].inside.get(name, 0.0) for row in rows]))
            told = f"{share:.0%} of {len(rows)} (real tunes {real:.0%})"
            figures.append(Figure(f"{words}: within (mark 80%)", told, share >= _MARK))
    if result.rows:
        every = float(np.mean([not row.outside for row in result.rows]))
        real = float(np.mean([result.usual[row.kind].every for row in result.rows]))
        figures.append(Figure("pieces with every figure within", f"{every:.0%} (real tunes {real:.0%})"))
        as_real = float(np.mean([len(row.outside) <= result.usual[row.kind].most for row in result.rows]))
        words = "pieces with no more figures outside than 8 of 10 real tunes have (mark 80%)"
        figures.append(Figure(words, f"{as_real:.0%}", as_real >= _MARK))
        mean = float(np.mean([len(row.within) - len(row.outside) for row in result.rows]))
        of = float(np.mean([len(row.within) for row in result.rows]))
        figures.append(Figure("figures within a piece, mean", f"{mean:.1f} of {of:.1f}"))
    return figures


def melody_lines(result: Melodies) -> list[str]:
    """The figures for a terminal, then kind by kind, then piece by piece."""
    figures = _figures(result)
    width = max((len(figure.what) for figure in figures), default=0)
    lines = [f"{what:<{width}}  {value:<32} {'' if met else 'MISSED'}".rstrip() for what, value, met in figures]
    for kind, usual in result.usual.items():
        rows = [row for row in result.rows if row.kind == kind]
        if rows:
            lines += ["", f"{kind}: {len(rows)} of ours beside {usual.tunes} stretches of real tunes"]
            lines += [_kind_line(name, rows, usual) for name in FIGURES if name in usual.ranges]
    lines += ["", "figures within, piece by piece"]
    for row in result.rows:
        told = ", ".join(f"{name} {_told(row.figures[name])}" for name in row.outside)
        count = f"{len(row.within) - len(row.outside)} of {len(row.within)}"
        lines.append(f"  {row.name:<28} {row.kind:<8} {count:<9} {'outside: ' + told if told else ''}".rstrip())
    return lines + [f"  {name}: no tune of 12 bars to measure" for name in result.silent]


def _kind_line(name: str, rows: Sequence[Row], usual: Usual) -> str:
    values = [value for row in rows if (value := row.figures[name]) is not None]
    inside = [row.within[name] for row in rows if name in row.within]
    bounds = usual.ranges[name]
    span = ", ".join(map(_told, bounds)) if name == LAST else f"{_told(bounds[0])} to {_told(bounds[1])}"
    middle = _told(float(np.median(values))) if values else "-"
    share = f"{np.mean(inside):.0%}" if inside else "-"
    return (
        f"  {name:<12} real {span:<14} ours (median) {middle:<6} within {share:<5} real within {usual.inside[name]:.0%}"
    )


def _told(value: float | None) -> str:
    """A figure as it is read: shares with two digits, semitones and counts with at most one."""
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 2 and value == round(value) else f"{value:.1f}" if value >= 2 else f"{value:.2f}"
