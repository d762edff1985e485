"""Write the text grammar: Score -> text, canonically, so that ``parse(notate(score)) == score``.

Every Score has one plain text. The compact text is shorter (repetition shorthand, default velocities, no
alignment) and reads back to the same Score.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.grammar.bar_signs import bar_sign_text
from libretto.grammar.lines import grid_text
from libretto.grammar.tokens import length_text, place_text
from libretto.grammar.writing_signs import between_notes, marked_bodies
from libretto.score.model import Score
from libretto.score.pitch import pitch_name
from libretto.score.time import Grid, bpm_text
from libretto.score.voice import Voice

__all__ = ["bar_extras", "bodies", "header", "usual_grid"]


def usual_grid(score: Score) -> Grid:
    """The grid most bars are written on; the earliest such where several tie."""
    counts: dict[Grid, int] = {}
    for grid in score.grids:
        counts[grid] = counts.get(grid, 0) + 1
    return max(counts, key=lambda grid: counts[grid])


def header(score: Score, velocities: list[int | None]) -> list[str]:
    """The lines before the first bar; ``velocities`` are voices' defaults where they differ from the usual."""
    usual = usual_grid(score)
    adaptive = " (adaptive)" if any(grid != usual for grid in score.grids) else ""
    lines = [f"TITLE: {score.title}"] if score.title else []
    lines.append(
        f"KEY: {score.key} | METER: {score.meter} | TEMPO: {bpm_text(score.tempos[0][1])} | "
        f"GRID: {grid_text(usual)}{adaptive} | BARS: {score.bars - (1 - score.first_bar)}"
    )
    entries = [_entry(voice, velocity) for voice, velocity in zip(score.voices, velocities, strict=True)]
    lines.append(f"VOICES: {', '.join(entries)}".rstrip())
    return lines


def _entry(voice: Voice, velocity: int | None) -> str:
    words = ["drums"] if voice.drums else []
    if voice.program is not None:
        words.append(f"prog={voice.program}")
    if velocity is not None:
        words.append(f"vel={velocity}")
    return f"{voice.name}[{', '.join(words)}]" if words else voice.name


def bar_extras(score: Score) -> list[str]:
    """What follows the chords on each bar line: grid, meter, length, key, tempo and section."""
    usual = usual_grid(score)
    lines = score.bar_lines
    extras = [f" (grid:{grid})" if grid != usual else "" for grid in score.grids]
    starts = [tick for tick, _ in score.meters]
    at_meter = dict(score.meters[1:])
    for bar, start in enumerate(lines[:-1]):
        if start in at_meter:
            extras[bar] += f" (meter:{at_meter[start]})"
        length = lines[bar + 1] - start
        if length != score.meters[bisect_right(starts, start) - 1][1].ticks:
            extras[bar] += f" (bar:{length_text(length)})"
    for tick, key in score.keys[1:]:
        bar = bisect_right(lines, tick) - 1
        extras[bar] += f" (key:{key}{place_text(tick - lines[bar], score.grids[bar])})"
    for tick, micros in score.tempos[1:]:
        bar = bisect_right(lines, tick) - 1
        extras[bar] += f" (tempo:{bpm_text(micros)}{place_text(tick - lines[bar], score.grids[bar])})"
    for tick, name in score.sections:
        extras[bisect_right(lines, tick) - 1] += f" (section:{name})"
    for mark in score.marks:
        bar = bisect_right(lines, mark.tick) - 1
        extras[bar] += bar_sign_text(mark, bar, lines, score.grids[bar])
    return extras


def bodies(score: Score, velocities: list[int], controls: bool = True) -> list[list[tuple[int, str]]]:
    """For each bar the voices that play in it and their tokens as one text, in order of voice."""
    between = between_notes(score, controls)
    marked = [index for index, voice in enumerate(score.voices) if any(mark.on_note for mark in voice.marks)]
    table = score.table
    cells: list[dict[int, str]] = [{} for _ in range(score.bars)]
    _plain_bodies(score, table[~np.isin(table["voice"], marked)] if marked else table, velocities, cells)
    for index in marked:
        for bar, body in marked_bodies(score, index, velocities[index]):
            cells[bar][index] = body
    for bar, index in between:
        cells[bar][index] = " ".join(filter(None, (*between[bar, index], cells[bar].get(index))))
    return [sorted(cell.items()) for cell in cells]


def _plain_bodies(score: Score, table: NDArray[Any], velocities: list[int], cells: list[dict[int, str]]) -> None:
    """Add the tokens of the notes of voices that carry no marks."""
    if not len(table):
        return
    order = np.lexsort(
        (table["spelling"], table["pitch"], table["velocity"], table["duration"], table["onset"], table["voice"])
    )
    table = table[order]
    slot = np.array([grid.slot for grid in score.grids], dtype=np.int64)[table["bar"]]
    change = np.ones(len(table), dtype=np.bool_)
    change[1:] = False
    for column in ("voice", "onset", "duration", "velocity"):
        change[1:] |= table[column][1:] != table[column][:-1]
    firsts = np.flatnonzero(change)
    names = [
        pitch_name(pitch, spelled)
        for pitch, spelled in zip(table["pitch"].tolist(), table["spelling"].tolist(), strict=True)
    ]
    head = table[firsts]
    slots = slot[firsts]
    ends = [*firsts[1:].tolist(), len(names)]
    at = (head["position"] // slots + 1).tolist()
    long = (head["duration"] // slots).tolist()
    default = np.array(velocities, dtype=np.int64)[head["voice"]]
    marks = [
        f"^{velocity}" if marked else ""
        for velocity, marked in zip(head["velocity"].tolist(), (head["velocity"] != default).tolist(), strict=True)
    ]
    tokens = [
        f"{names[first] if end - first == 1 else '+'.join(names[first:end])}@{a}>{d}{mark}"
        for first, end, a, d, mark in zip(firsts.tolist(), ends, at, long, marks, strict=True)
    ]
    cell = head["voice"].astype(np.int64) * score.bars + head["bar"]
    edges = [*np.flatnonzero(np.diff(cell, prepend=-1)).tolist(), len(tokens)]
    owners, places = head["voice"].tolist(), head["bar"].tolist()
    for first, end in pairwise(edges):
        cells[places[first]][owners[first]] = " ".join(tokens[first:end])
