"""Table 1, the part about the grammar: what reading and writing do to music, and what relative time costs.

Fidelity is measured on the music that is given, by the machinery of the audit; without music nothing is claimed. What
a reader and an editor pay is measured on five tunes of our own, and on the music given as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from libretto.bench.audit import audit_file, collect
from libretto.bench.fidelity import readability
from libretto.bench.readability import own_tunes, reading_cost
from libretto.bench.representation.rows import Cell, Check, Entry, Mark
from libretto.errors import FormatError
from libretto.formats import formats, read
from libretto.grammar import notate
from libretto.score import Score

__all__ = ["MOST_FILES", "measure_music", "music_entries", "sample", "tune_entries"]

Rows = Sequence[dict[str, Any]]
#: How many files are measured at most: enough for the figures, few enough to wait for.
MOST_FILES = 40
_ASK = "--music FOLDER measures this"
_SIZES = {"abc": "_abc", "text": "", "compact": "_compact"}
_MS_DIGITS = 6  # of a median in milliseconds: the rest is the arithmetic's
_HEARD = 1e-3  # milliseconds: less is the arithmetic's, not the music's
_STARTS_MS = 3.1  # the published mean error of starts


def sample(paths: Sequence[Path], most: int = MOST_FILES) -> list[Path]:
    """Files that we read below some folders: all, or so many spread evenly over them."""
    files = collect(paths)
    if not files:
        raise FormatError("there is no music to measure in " + ", ".join(map(str, paths)))
    count = min(most, len(files))
    return [files[int((index + 0.5) * len(files) / count)] for index in range(count)]


def measure_music(files: Sequence[Path], progress: Callable[[int, int], None] | None = None) -> list[dict[str, Any]]:
    """A row a file, as the audit measures it, with what relative time costs; a refused file says why."""
    rows = []
    for done, path in enumerate(files, start=1):
        row = audit_file(path)
        if "refused" not in row and row["kind"] != "midi":
            row.update(_costs(read(path)))
        rows.append(row)
        if progress is not None:
            progress(done, len(files))
    return rows


def _costs(score: Score) -> dict[str, Any]:
    """What relative time costs in a piece, and how long it is in each notation."""
    return {
        **readability(score),
        "characters": len(notate(score)),
        "characters_compact": len(notate(score, compact=True)),
        "characters_abc": len(formats["abc"].encode(score).decode()),
    }


def music_entries(rows: Rows) -> Iterator[Entry]:
    """The rows of the table that rest on the music given."""
    midi = [row for row in rows if row.get("kind") == "midi" and "refused" not in row]
    if midi:
        yield from _fidelity(midi, rows)
        yield from _abstractions(midi)
        return
    missing = Cell("no MIDI among the music" if rows else _ASK)
    yield Entry(Check.PITCH, "notes lost, parts to voices", "11 of 57,885 (0.019%), 1:1", missing)
    yield Entry(Check.TIMING, "start error: median, mean, worst", "0 ms, 3.1 ms, one slot", missing)
    yield Entry(Check.KEPT, "what the grammar drops", "velocity, drums, instruments", missing)


def _total(rows: Rows, name: str) -> int:
    return int(sum(row[name] for row in rows))


def _none(name: str, count: int, text: str) -> Cell:
    return Cell(text, count, Mark(name, "music", count, 0, at_least=False))


def _fidelity(midi: Rows, rows: Rows) -> Iterator[Entry]:
    pitched, lost = _total(midi, "pitched"), _total(midi, "lost")
    whole = sum(bool(row["parts_one_to_one"]) for row in midi)
    read_back = [row for row in rows if "refused" not in row]
    exact = sum(bool(row["text_exact"]) for row in read_back)
    start = np.concatenate([row["start_ms"] for row in midi])
    median, mean = (round(float(np.median(start)), _MS_DIGITS), float(start.mean())) if len(start) else (0.0, 0.0)
    slots = max(row["start_slots_worst"] for row in midi)
    ratio = sum(row["duration_ratio_sum"] for row in midi) / max(1, _total(midi, "duration_count"))
    files = f"{len(midi)} MIDI of {len(rows)} files; {pitched:,} non-drum notes"
    yield Entry(
        Check.PITCH, "music", "18 files; 57,885 non-drum notes", Cell(files, {"midi": len(midi), "files": len(rows)})
    )
    text = f"{lost} ({lost / max(1, pitched):.3%})"
    yield Entry(Check.PITCH, "non-drum notes lost", "11 (0.019%)", _none("notes lost", lost, text))
    text = f"{whole} of {len(midi)} files"
    yield Entry(Check.PITCH, "parts map 1:1 to voices", "yes", _none("parts not 1:1", len(midi) - whole, text))
    text = f"{exact} of {len(read_back)} files"
    exactly = _none("texts that read back differently", len(read_back) - exact, text)
    yield Entry(Check.PITCH, "text reads back to the same Score", "not said", exactly)
    cell = Cell(f"{median:.3g} ms", median, Mark("start error, median", "music", median, 0, at_least=False))
    yield Entry(Check.TIMING, "start error, median", "0 ms", cell)
    cell = Cell(f"{mean:.2f} ms", mean, Mark("start error, mean", "music", mean, _STARTS_MS, at_least=False))
    yield Entry(Check.TIMING, "start error, mean", "3.1 ms", cell)
    cell = Cell(f"{slots:.2f} slots", slots, Mark("start error, worst", "music", slots, 1, at_least=False))
    yield Entry(Check.TIMING, "start error, worst", "within one slot", cell)
    yield Entry(Check.TIMING, "duration ratio, mean", "rounded to the grid", Cell(f"{ratio:.4f}", ratio))


def _abstractions(midi: Rows) -> Iterator[Entry]:
    drums, pitched, gone = (_total(midi, name) for name in ("percussion", "pitched", "lost_percussion"))
    share = drums / max(1, drums + pitched)
    text = f"{gone} of {drums:,} lost ({share:.0%} of notes)"
    yield Entry(Check.KEPT, "drum notes", "dropped (21% of notes)", _none("drum notes lost", gone, text))
    changed = _total(midi, "velocity_changed")
    yield Entry(Check.KEPT, "velocities changed", "flattened", _none("velocities changed", changed, f"{changed}"))
    kept = sum(bool(row["programs_kept"]) for row in midi)
    cell = _none("files with other instruments", len(midi) - kept, f"{kept} of {len(midi)} files")
    yield Entry(Check.KEPT, "instruments kept", "reassigned", cell)
    off = float(np.mean(np.concatenate([row["start_ms"] for row in midi]) > _HEARD))
    yield Entry(Check.KEPT, "micro-timing", "quantized", Cell(f"quantized: {off:.0%} of starts moved", off))


def tune_entries(rows: Rows) -> Iterator[Entry]:
    """What relative time costs: on our own tunes, and a start or note of the music given."""
    cost = reading_cost(own_tunes())
    data = cost.to_dict()
    size = f"{cost.tunes} tunes of ours, {cost.notes} notes, {cost.bars} bars"
    yield Entry(Check.READING, "music", "5 tunes, 98 notes, 28 bars", Cell(size, data))
    running = f"{cost.additions_running} in ABC, 0 in our text"
    yield Entry(
        Check.READING, "running additions to recover starts", "70 in ABC, 0", Cell(running, cost.additions_running)
    )
    scratch = f"{cost.additions_scratch} in ABC, 0 in our text"
    yield Entry(Check.READING, "additions from scratch", "131 in ABC, 0", Cell(scratch, cost.additions_scratch))
    moved = Cell(
        f"{cost.moved_abc} in ABC, {cost.moved_text} in our text",
        {"abc": cost.moved_abc, "text": cost.moved_text},
        Mark("starts moved by duration edits", "our tunes", cost.moved_text, 0, at_least=False),
    )
    yield Entry(Check.EDITS, "starts moved, each duration edited once", "1005 in ABC, 0", moved)
    length = f"{cost.characters_abc} in ABC, {cost.characters_text} in our text, {cost.characters_compact} compact"
    yield Entry(Check.EDITS, "characters of the bodies", "335 in ABC, 1176", Cell(length, data))
    known = [row for row in rows if "starts" in row]
    if known:
        yield from _music_costs(known)


def _music_costs(rows: Rows) -> Iterator[Entry]:
    starts = max(1, _total(rows, "starts"))
    notes = max(1, _total(rows, "notes"))
    names = {"running": "additions_running", "scratch": "additions_scratch", "moved": "starts_moved"}
    costs = {name: round(_total(rows, key) / starts, 3) for name, key in names.items()}
    text = f"{costs['running']:.2f}, {costs['scratch']:.2f} in ABC; 0, 0"
    yield Entry(Check.READING, "  the music given, a start", "0.71, 1.34 in ABC; 0, 0", Cell(text, costs))
    yield Entry(
        Check.EDITS, "  the music given, a start", "10.3 in ABC; 0", Cell(f"{costs['moved']:.1f} in ABC; 0", costs)
    )
    sizes = {name: round(_total(rows, f"characters{key}") / notes, 2) for name, key in _SIZES.items()}
    text = f"{sizes['abc']:.1f} in ABC, {sizes['text']:.1f}, {sizes['compact']:.1f} compact"
    yield Entry(Check.EDITS, "  characters a note, whole files", "3.4 in ABC, 12.0 (bodies)", Cell(text, sizes))
