"""What a reader of a page sees at once: named instruments that are silent, bars on a loop, chance in the velocities.

Conventions: a named instrument is *silent* in a section where it sounds in less than a quarter of the bars (so that one
last chord is no part); sections are those of the piece, or eight bars each where it names none. A bar of a part is
*looped* where the bars after it are the same, note by note (starts, pitches, lengths, of drums starts and strokes),
more than four times in a row; bars without a note are none, and a drone is not excused. *Jitter* is what is left of
velocities in bars of one part and section that are the same, once the level of each bar and the usual accent of each
note are taken away: accents that return leave nothing; a swell that grows by parts, and accents that are written
otherwise in every fourth bar, count as if they were chance.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from multiprocessing import get_context
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.bench import Figure
from libretto.contract import Contract
from libretto.contract.checks.parts import instrument_of, matching
from libretto.corpus import overlap
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.grammar import notate
from libretto.house import compose_score
from libretto.score import Score
from libretto.score.table import Bools, Floats

__all__ = [
    "Page",
    "Twins",
    "compare_seeds",
    "jitter_of",
    "kept_figures",
    "looped_bars",
    "page_figures",
    "page_lines",
    "page_of",
    "silent_parts",
    "twin_figures",
    "twin_lines",
]

_SECTION = 8  # bars of a section where a piece names none
_PLAYS = 0.25  # of the bars of a section, from where on an instrument plays in it
_LOOP = 4  # as often in a row a bar may stand
_CLAUSES, _PASS = 0.99, 0.90  # the marks: least shares of clauses and of pieces
_JITTER = 3.0  # the mark: velocities
_APART, _SLOWEST_SECONDS = 0.30, 2.0  # the marks: what two seeds share, and seconds for 100 bars
_LONG = 100  # bars that are timed
_FEWEST = 2  # bars that are the same, and notes in them, before jitter can be told


@dataclass(frozen=True)
class Page:
    """What is seen of one piece: silent instruments, loops in words, jitter (None where nothing repeats)."""

    silent: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    jitter: float | None = None
    named: int = 0


@dataclass(frozen=True)
class Twins:
    """What two seeds of one brief share, whether one seed gives the same bytes twice, and seconds for 100 bars."""

    name: str
    shared: float
    same: bool
    seconds: float


def page_of(score: Score, contract: Contract) -> Page:
    """Everything that is seen of a piece."""
    return Page(tuple(silent_parts(score, contract)), tuple(looped_bars(score)), jitter_of(score), len(contract.parts))


def _section_bars(score: Score) -> list[int]:
    """The bars at which sections begin, and where the last one ends."""
    starts = sorted({score.bar_at(tick) for tick, _ in score.sections} | {0})
    if len(starts) < 2:  # one section, or none, says nothing of how a piece is made
        starts = list(range(0, score.bars, _SECTION))
    return [*starts, score.bars]


def silent_parts(score: Score, contract: Contract) -> Iterator[str]:
    """The named instruments that are silent in more than half of the sections, or not there at all."""
    players = matching(contract, score)
    spans = list(pairwise(_section_bars(score)))
    for number, part in enumerate(contract.parts):
        heard = np.zeros(score.bars, dtype=np.bool_)
        if number in players:
            voice = score.voices[players[number]]
            keys = instrument_of(part).keys
            notes = voice.array[np.isin(voice.array["pitch"], keys)] if voice.drums and keys else voice.array
            heard = _sounding(score, notes)
        silent = sum(float(heard[first:stop].mean()) < _PLAYS for first, stop in spans)
        if 2 * silent > len(spans):
            yield f"{part.name} (silent in {silent} of {len(spans)} sections)"


def _sounding(score: Score, notes: NDArray[Any]) -> Bools:
    """In which bars any of the notes sounds."""
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    first = np.searchsorted(lines, notes["onset"], side="right") - 1
    last = np.searchsorted(lines, notes["onset"] + notes["duration"] - 1, side="right") - 1
    change = np.zeros(score.bars + 1, dtype=np.int64)
    np.add.at(change, first, 1)
    np.add.at(change, np.minimum(last, score.bars - 1) + 1, -1)
    return np.asarray(np.cumsum(change)[:-1] > 0)


def _bars_of(score: Score, index: int) -> list[NDArray[Any]]:
    """The notes of a voice, bar by bar."""
    table = score.table[score.table["voice"] == index]
    edges = np.searchsorted(table["bar"], np.arange(score.bars + 1)).tolist()
    return [table[first:stop] for first, stop in pairwise(edges)]


def _key(notes: NDArray[Any], drums: bool) -> bytes:
    """What a bar plays; empty where it plays nothing."""
    columns = ("position", "pitch") if drums else ("position", "pitch", "duration")
    return b"".join(notes[name].astype(np.int64).tobytes() for name in columns)


def looped_bars(score: Score) -> Iterator[str]:
    """The bars of a part that stand more than four times in a row, in words."""
    for index, voice in enumerate(score.voices):
        keys = [_key(notes, voice.drums) for notes in _bars_of(score, index)]
        at = 0
        for key, run in groupby(keys):
            count = len(list(run))
            if key and count > _LOOP:
                yield f"{voice.name} bar {at + score.first_bar} {count} times in a row"
            at += count


def jitter_of(score: Score) -> float | None:
    """How much velocities differ by chance in what repeats: a standard deviation; None where nothing repeats."""
    squares, freedom = 0.0, 0
    for index, voice in enumerate(score.voices):
        bars = _bars_of(score, index)
        for first, stop in pairwise(_section_bars(score)):
            groups: dict[bytes, list[Floats]] = {}
            for notes in bars[first:stop]:
                if len(notes) >= _FEWEST:
                    groups.setdefault(_key(notes, voice.drums), []).append(notes["velocity"].astype(np.float64))
            for rows in groups.values():
                if len(rows) >= _FEWEST:
                    table = np.stack(rows)
                    rest = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
                    squares += float((rest**2).sum())
                    freedom += (table.shape[0] - 1) * (table.shape[1] - 1)
    return float(np.sqrt(squares / freedom)) if freedom else None


def kept_figures(kept: int, asked: int, passed: int, single: int, total: int) -> list[Figure]:
    """How many of all clauses are kept, and how many pieces pass every gate, as first drafts and in the end."""
    share = kept / max(1, asked)
    told = f"{passed} of {total}, first drafts {single}"
    return [
        Figure("briefs: clauses kept (mark 99%)", f"{share:.1%} of {asked}", share >= _CLAUSES),
        Figure("briefs: every gate passed (mark 90%)", told, passed >= _PASS * total),
    ]


def page_figures(pages: Sequence[Page]) -> list[Figure]:
    """How many pieces are without silent instruments and loops, and the jitter that is usual."""
    if not pages:
        return []
    total = len(pages)
    named = sum(page.named for page in pages)
    silent = sum(len(page.silent) for page in pages)
    heard, free = (sum(not getattr(page, name) for page in pages) for name in ("silent", "loops"))
    what = "briefs: no named instrument silent in more than half of the sections"
    told = f"{heard} of {total} ({silent} of {named} parts)"
    figures = [
        Figure(f"{what} (mark all)", told, heard == total),
        Figure(
            "briefs: no bar of a part more than four times in a row (mark all)", f"{free} of {total}", free == total
        ),
    ]
    jitters = [page.jitter for page in pages if page.jitter is not None]
    if jitters:
        middle, most = float(np.median(jitters)), max(jitters)
        told = f"{middle:.1f}, most {most:.1f}"
        figures.append(Figure("briefs: velocities by chance where bars repeat (mark 3)", told, most <= _JITTER))
    return figures


def page_lines(name: str, page: Page) -> list[str]:
    """What is wrong with a piece, by name."""
    lines = [f"  {name}: {one}" for one in page.silent]
    lines += [f"  {name}: {one}" for one in page.loops]
    if page.jitter is not None and page.jitter > _JITTER:
        lines.append(f"  {name}: velocities by chance {page.jitter:.1f}")
    return lines


def compare_seeds(briefs: Sequence[tuple[str, str]]) -> list[Twins]:
    """Each brief composed with two seeds, once more in another process, and with 100 bars against the clock.

    The other process starts afresh with another order of hashes, so that nothing that hangs on either is the same by
    luck. Time is that of the processor, so that a busy machine does not count.
    """
    contracts = [Contract.from_brief(text) for _, text in briefs]
    old = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = "1" if old in (None, "0", "random") else "0"
    try:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            again = list(pool.map(_text, contracts))
    finally:
        os.environ.pop("PYTHONHASHSEED") if old is None else os.environ.update(PYTHONHASHSEED=old)
    return [_twins(name, contract, text) for (name, _), contract, text in zip(briefs, contracts, again, strict=True)]


def _text(contract: Contract) -> str:
    return notate(compose_score(contract, 0))


def _twins(name: str, contract: Contract, again: str) -> Twins:
    one, other = (compose_score(contract, seed) for seed in (0, 1))
    shared = [
        overlap(first, join_tracks([track_piece(second)], ["other"])) for first, second in ((one, other), (other, one))
    ]
    begun = process_time()
    compose_score(replace(contract, bars=_LONG, form=()), 0)
    seconds = process_time() - begun
    return Twins(name, max((s.score for s in shared if s is not None), default=0.0), notate(one) == again, seconds)


def twin_figures(twins: Sequence[Twins]) -> list[Figure]:
    """What two seeds share at most, how many seeds give the same bytes, and how long 100 bars take."""
    if not twins:
        return []
    apart = sum(twin.shared < _APART for twin in twins)
    same = sum(twin.same for twin in twins)
    most, slow = max(twin.shared for twin in twins), max(twin.seconds for twin in twins)
    shared = f"{apart} of {len(twins)}, most {most:.2f}"
    usual = float(np.median([twin.seconds for twin in twins]))
    return [
        Figure("briefs: two seeds share less than 0.30 (mark all)", shared, apart == len(twins)),
        Figure("briefs: the same seed, the same bytes (mark all)", f"{same} of {len(twins)}", same == len(twins)),
        Figure("briefs: 100 bars (mark 2 s)", f"{usual:.2f} s, most {slow:.2f} s", slow <= _SLOWEST_SECONDS),
    ]


def twin_lines(twins: Sequence[Twins]) -> list[str]:
    """The briefs that miss a mark, by name."""
    lines = []
    for twin in twins:
        if twin.shared >= _APART:
            lines.append(f"  {twin.name}: two seeds share {twin.shared:.2f}")
        if not twin.same:
            lines.append(f"  {twin.name}: the same seed gives other bytes")
        if twin.seconds > _SLOWEST_SECONDS:
            lines.append(f"  {twin.name}: 100 bars take {twin.seconds:.2f} s")
    return lines
