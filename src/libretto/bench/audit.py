"""``libretto audit``: what reading and writing do to real files, as a table beside the published one.

MIDI goes through Score, text and back to MIDI; texts are read strictly, then leniently, and written again; MusicXML and
ABC are read, written in both, and read back. Every figure has its mark; an audit passes when all marks are met.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from libretto.bench.fidelity import audit_midi
from libretto.errors import LibrettoError
from libretto.formats import format_of, formats, read_bytes
from libretto.formats.format import text_of
from libretto.grammar import check, notate, parse, parse_lenient
from libretto.score import Score

__all__ = ["Audit", "AuditRow", "audit_file", "audit_files", "collect", "summarise", "table_lines"]

Row = dict[str, Any]
_FILES_A_PROCESS = 8  # fewer are not worth starting one for
_TELL_EVERY = 5  # files
_SHORTEST, _LONGEST = 0.98, 1.02  # marks: the mean ratio of lengths written and read
_STARTS_MS = 3.1  # mark: the published mean error of starts
_COMPACT = 0.5  # mark: the most that the compact text takes of the plain one
_STRICT = 0.97  # mark: the least of texts that are read strictly
_MOST_NOTED = 40  # files that miss a mark are named


@dataclass(frozen=True)
class AuditRow:
    """One row of the table: what was measured, our figure, the published one, and whether the mark is met."""

    what: str
    ours: str
    published: str
    met: bool | None


@dataclass(frozen=True)
class Audit:
    """The table, and the files behind it."""

    lines: tuple[AuditRow, ...]
    refused: tuple[tuple[str, str], ...]
    noted: tuple[tuple[str, str], ...] = field(default=())

    @property
    def passed(self) -> bool:
        """Whether every mark is met."""
        return all(line.met is not False for line in self.lines)

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain data."""
        lines = [{"what": x.what, "ours": x.ours, "published": x.published, "met": x.met} for x in self.lines]
        refused = [{"file": file, "why": why} for file, why in self.refused]
        noted = [{"file": file, "what": what} for file, what in self.noted]
        return {"passed": self.passed, "lines": lines, "refused": refused, "noted": noted}


def collect(paths: Iterable[Path]) -> list[Path]:
    """Files named, and all files below folders that have a suffix we read; sorted, each once."""
    known = {suffix for format in formats.values() for suffix in format.suffixes}
    files: set[Path] = set()
    for path in paths:
        if path.is_dir():
            files.update(file for file in path.rglob("*") if file.suffix.lower() in known and file.is_file())
        else:
            files.add(path)
    return sorted(files)


def audit_files(files: list[Path], jobs: int = 0) -> Audit:
    """Measure every file, in several processes, with progress on standard error."""
    rows: list[Row] = []
    workers = min(jobs or os.cpu_count() or 1, max(1, len(files) // _FILES_A_PROCESS))
    if workers == 1:
        rows.extend(_progress(map(audit_file, files), len(files)))
    else:
        with ProcessPoolExecutor(workers) as pool:
            rows.extend(_progress(pool.map(audit_file, files, chunksize=4), len(files)))
    return summarise(rows)


def _progress(rows: Iterator[Row], total: int) -> Iterator[Row]:
    shown = sys.stderr.isatty()
    for done, row in enumerate(rows, start=1):
        if shown and (done % _TELL_EVERY == 0 or done == total):
            print(f"\r{done}/{total} files", end="" if done < total else "\n", file=sys.stderr, flush=True)
        yield row


def audit_file(path: Path) -> Row:
    """Measure one file; a file that cannot be read says why."""
    row: Row = {"file": str(path)}
    try:
        kind = format_of(path).name
        row["kind"] = kind
        data = read_bytes(path)
        row.update({"midi": audit_midi, "text": _audit_text}.get(kind, _audit_score(kind))(data))
    except LibrettoError as error:
        row["refused"] = " ".join(str(error).split())
    return row


def _audit_text(data: bytes) -> Row:
    """Read a text strictly or, failing that, leniently; write it plain and compact and read it back."""
    text = text_of(data)
    problems = check(text)
    score = parse_lenient(text).score if problems else parse(text)
    plain, compact = notate(score), notate(score, compact=True)
    return {
        "strict": not problems,
        "text_exact": parse(plain) == score,
        "compact_exact": parse(compact) == score,
        "characters": len(plain),
        "characters_compact": len(compact),
        "notes": len(score.table),
    }


def _audit_score(kind: str) -> Callable[[bytes], Row]:
    def audit(data: bytes) -> Row:
        score = formats[kind].decode(data)
        row: Row = {"notes": len(score.table), "text_exact": parse(notate(score)) == score}
        for other in ("musicxml", "abc"):
            row[f"{other}_exact"] = _same_notes(score, formats[other].decode(formats[other].encode(score)))
        return row

    return audit


def _same_notes(a: Score, b: Score) -> bool:
    """Equal starts, lengths, pitches and spellings, voice by voice."""
    columns = ["onset", "duration", "pitch", "spelling"]
    mine = [voice.array[columns].tolist() for voice in a.voices if len(voice.array)]
    theirs = [voice.array[columns].tolist() for voice in b.voices if len(voice.array)]
    return [sorted(rows) for rows in mine] == [sorted(rows) for rows in theirs]


def summarise(rows: list[Row]) -> Audit:
    """The table for all files."""
    read = [row for row in rows if "refused" not in row]
    by_kind = {
        kind: [row for row in read if row["kind"] == kind] for kind in ("midi", "text", "musicxml", "mxl", "abc")
    }
    lines = [AuditRow("files read", f"{len(read):,} of {len(rows):,}", "18 MIDI files", None)]
    if by_kind["midi"]:
        lines += _midi_lines(by_kind["midi"])
    if by_kind["text"]:
        lines += _text_lines(by_kind["text"])
    scores = by_kind["musicxml"] + by_kind["mxl"] + by_kind["abc"]
    if scores:
        lines += _score_lines(scores)
    refused = tuple((row["file"], row["refused"]) for row in rows if "refused" in row)
    return Audit(tuple(lines), refused, tuple(_noted(read)))


def _noted(rows: list[Row]) -> Iterator[tuple[str, str]]:
    """Files that miss a mark, and which."""
    for row in rows:
        missed = [name for name, value in row.items() if value is False and name != "strict"]
        missed += [name for name in ("lost", "lost_percussion", "invented", "velocity_changed") if row.get(name)]
        if missed:
            yield row["file"], ", ".join(missed)


def _total(rows: list[Row], name: str) -> Any:
    return sum(row[name] for row in rows)


def _midi_lines(rows: list[Row]) -> list[AuditRow]:
    pitched, lost = _total(rows, "pitched"), _total(rows, "lost")
    start = np.concatenate([row["start_ms"] for row in rows])
    median, mean, worst = float(np.median(start)), float(start.mean()), float(start.max(initial=0.0))
    slots = max(row["start_slots_worst"] for row in rows)
    ratio = _total(rows, "duration_ratio_sum") / max(1, _total(rows, "duration_count"))
    drum_ratio = _total(rows, "drum_duration_ratio_sum") / max(1, _total(rows, "drum_duration_count"))
    per_file = [row["duration_ratio_sum"] / row["duration_count"] for row in rows if row["duration_count"]]
    within = sum(_SHORTEST <= value <= _LONGEST for value in per_file)
    notes = max(1, _total(rows, "notes"))
    compact = float(np.median([row["characters_compact"] / row["characters"] for row in rows]))
    starts = max(1, _total(rows, "starts"))
    drums, lost_drums = _total(rows, "percussion"), _total(rows, "lost_percussion")
    lines = [
        AuditRow("pitched notes", f"{pitched:,}", "57,885", None),
        AuditRow("pitched notes lost", f"{lost:,} ({lost / max(1, pitched):.3%})", "11 (0.019%)", lost == 0),
        AuditRow("notes invented", f"{_total(rows, 'invented'):,}", "not said", _total(rows, "invented") == 0),
        AuditRow("identical doubles merged", f"{_total(rows, 'doubles'):,}", "not said", None),
        AuditRow("notes of no length, given one slot", f"{_total(rows, 'zero_length'):,}", "not said", None),
        _all("parts map 1:1 to voices", rows, "parts_one_to_one", "yes"),
        AuditRow("start error, median", f"{median:.3g} ms", "0 ms", median == 0),
        AuditRow("start error, mean", f"{mean:.2f} ms", "3.1 ms", mean < _STARTS_MS),
        AuditRow("start error, worst", f"{worst:.1f} ms, {slots:.2f} slots", "within one slot", slots <= 1),
        AuditRow("duration ratio, mean", f"{ratio:.4f}", "rounded to the grid", _SHORTEST <= ratio <= _LONGEST),
        AuditRow("  percussion", f"{drum_ratio:.4f}", "dropped", None),
        AuditRow("  files within 0.98-1.02", f"{within:,} of {len(per_file):,}", "not said", None),
        AuditRow("drum notes lost", f"{lost_drums:,} of {drums:,}", "all dropped (21% of notes)", lost_drums == 0),
        _none("velocities changed", rows, "velocity_changed", "flattened"),
        _all("programs and percussion kept", rows, "programs_kept", "reassigned"),
        _all("tempo maps kept", rows, "tempos_kept", "dropped"),
        _all("meter maps kept", rows, "meters_kept", "dropped"),
        _all("MIDI - text - MIDI - text: texts equal", rows, "text_stable", "not said"),
        _all("text reads back to the same Score", rows, "text_exact", "not said"),
        _all("compact text reads back to the same Score", rows, "compact_exact", "no shorthand"),
        AuditRow("characters a note, text", f"{_total(rows, 'characters') / notes:.1f}", "12.0 (1176 for 98)", None),
        AuditRow(
            "characters a note, compact text", f"{_total(rows, 'characters_compact') / notes:.1f}", "no shorthand", None
        ),
        AuditRow("characters a note, ABC", f"{_total(rows, 'characters_abc') / notes:.1f}", "3.4 (335 for 98)", None),
        AuditRow("compact over plain, median", f"{compact:.3f}", "no shorthand", compact <= _COMPACT),
    ]
    for what, name, published in (
        ("additions to recover starts, ABC, running", "additions_running", "0.71 a note (70)"),
        ("additions to recover starts, ABC, from scratch", "additions_scratch", "1.34 a note (131)"),
        ("starts moved by one duration edit, ABC", "starts_moved", "10.3 a note (1005)"),
    ):
        lines.append(AuditRow(what, f"{_total(rows, name) / starts:.2f} a start", published, None))
        lines.append(AuditRow("  the same in our text", "0", "0", None))
    return lines


def _all(what: str, rows: list[Row], name: str, published: str) -> AuditRow:
    kept = sum(bool(row[name]) for row in rows)
    return AuditRow(what, f"{kept:,} of {len(rows):,} files", published, kept == len(rows))


def _none(what: str, rows: list[Row], name: str, published: str) -> AuditRow:
    count = _total(rows, name)
    return AuditRow(what, f"{count:,}", published, count == 0)


def _text_lines(rows: list[Row]) -> list[AuditRow]:
    strict = sum(row["strict"] for row in rows)
    compact = float(np.median([row["characters_compact"] / row["characters"] for row in rows]))
    return [
        AuditRow("texts read strictly", f"{strict:,} of {len(rows):,}", "not said", strict >= _STRICT * len(rows)),
        AuditRow("texts read leniently", f"{len(rows) - strict:,} of {len(rows) - strict:,}", "not said", None),
        _all("text reads back to the same Score", rows, "text_exact", "not said"),
        _all("compact text reads back to the same Score", rows, "compact_exact", "no shorthand"),
        AuditRow("compact over plain, median", f"{compact:.3f}", "no shorthand", None),
    ]


def _score_lines(rows: list[Row]) -> list[AuditRow]:
    return [
        AuditRow("notes in scores", f"{_total(rows, 'notes'):,}", "not said", None),
        _all("text reads back to the same Score", rows, "text_exact", "not said"),
        _all("our MusicXML reads back to the same notes", rows, "musicxml_exact", "not said"),
        _all("our ABC reads back to the same notes", rows, "abc_exact", "not said"),
    ]


def table_lines(audit: Audit) -> list[str]:
    """The table for a terminal, with the files that were refused or miss a mark."""
    width = max(len(line.what) for line in audit.lines) + 2
    ours = max(len(line.ours) for line in audit.lines) + 2
    lines = [f"{'':<{width}}{'ours':<{ours}}published"]
    for line in audit.lines:
        mark = {True: "ok", False: "MISSED", None: ""}[line.met]
        lines.append(f"{line.what:<{width}}{line.ours:<{ours}}{line.published:<28}{mark}".rstrip())
    for file, why in audit.refused:
        lines.append(f"refused: {file}: {why}")
    for file, what in audit.noted[:_MOST_NOTED]:
        lines.append(f"missed: {file}: {what}")
    lines.append("every mark is met" if audit.passed else "some marks are missed")
    return lines
