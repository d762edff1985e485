"""What happens to a MIDI file that goes through Score, text and back: the measurements behind table 1.

The source is what symusic reads, untouched; the result is what symusic reads from the MIDI we wrote after a
trip through the text. Times are compared in seconds, each by its own tempo map.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.formats.midi.bytes import parse_midi
from libretto.formats.midi.read import decode
from libretto.formats.midi.write import encode
from libretto.grammar import notate, parse
from libretto.score import QUARTER, Meter, Score

__all__ = ["audit_midi", "readability"]

Row = dict[str, Any]
_VELOCITIES = 128  # of MIDI
_MS = 1000  # milliseconds of a second
_NO_LENGTH = 1e-9  # quarters; what a note of no length is divided by
_DEFAULT_MICROS = 500_000  # a quarter where a file says nothing
_SAME_QUARTER = 1 / 20_000  # of a quarter; places nearer than this are the same


def audit_midi(data: bytes) -> Row:
    """Send one MIDI file on the trip and measure what became of it."""
    source = parse_midi(data)
    score = decode(data)
    text = notate(score)
    read = parse(text)
    written = encode(read)
    result = parse_midi(written)
    again = notate(decode(written))
    compact = notate(score, compact=True)
    old_parts = [track for track in source.tracks if len(track.notes)]
    new_parts = [track for track in result.tracks if len(track.notes)]
    end = min(_last_quarter(source), _last_quarter(result))
    row: Row = {
        "voices": len(score.voices),
        "parts": len(old_parts),
        "parts_one_to_one": len(old_parts) == len(new_parts) == len(score.voices),
        "text_stable": again == text,
        "text_exact": read == score,
        "compact_exact": parse(compact) == score,
        "programs_kept": all(
            (a.program, a.is_drum) == (b.program, b.is_drum) for a, b in zip(old_parts, new_parts, strict=False)
        ),
        "tempos_kept": _close(_tempo_map(source, end), _tempo_map(result, end)),
        "meters_kept": _meter_map(source, end) == _meter_map(result, end),
        "characters": len(text),
        "characters_compact": len(compact),
        "characters_abc": _abc_length(score),
        "notes": len(score.table),
        **readability(score),
    }
    row.update(_notes(source, result, score, old_parts, new_parts))
    return row


def _notes(source: Any, result: Any, score: Score, old_parts: list[Any], new_parts: list[Any]) -> Row:
    """Pair the notes of every part and pitch in order of time, and compare them."""
    counts = dict.fromkeys(
        ("pitched", "percussion", "lost", "lost_percussion", "invented", "doubles", "zero_length", "velocity_changed"),
        0,
    )
    starts: list[NDArray[np.float64]] = []
    slots: list[NDArray[np.float64]] = []
    ratios: list[NDArray[np.float64]] = []
    drum_ratios: list[NDArray[np.float64]] = []
    slot_of_bar = np.array([grid.slot for grid in score.grids], dtype=np.float64)
    lines = np.array(score.bar_lines)
    for old, new in zip(old_parts, new_parts, strict=False):
        a, doubles = _rows(old, source)
        b, _ = _rows(new, result)
        counts["doubles"] += doubles
        counts["zero_length"] += int((a["duration"] == 0).sum())
        counts["percussion" if old.is_drum else "pitched"] += len(a["pitch"])
        first, second, lost, invented = _paired(a["pitch"], b["pitch"])
        counts["lost_percussion" if old.is_drum else "lost"] += lost
        counts["invented"] += invented
        a, b = {k: v[first] for k, v in a.items()}, {k: v[second] for k, v in b.items()}
        loudness = [np.bincount(rows["velocity"], minlength=_VELOCITIES) for rows in (a, b)]
        counts["velocity_changed"] += int(np.abs(loudness[0] - loudness[1]).sum()) // 2
        starts.append(np.abs(a["seconds"] - b["seconds"]) * _MS)
        bar = np.searchsorted(lines, np.round(b["quarter"] * QUARTER), side="right") - 1
        slots.append(np.abs(a["quarter"] - b["quarter"]) * QUARTER / slot_of_bar[bar])
        long = a["duration"] > 0
        ratio = (b["duration_quarters"] / np.maximum(a["duration_quarters"], _NO_LENGTH))[long]
        (drum_ratios if old.is_drum else ratios).append(ratio)
    joined = (np.concatenate(x) if x else np.empty(0) for x in (starts, slots, ratios, drum_ratios))
    start, slot, ratio, drums = joined
    return {
        **counts,
        "start_ms": start.astype(np.float32),
        "start_slots_worst": float(slot.max(initial=0.0)),
        "duration_ratio_sum": float(ratio.sum()),
        "duration_count": len(ratio),
        "drum_duration_ratio_sum": float(drums.sum()),
        "drum_duration_count": len(drums),
    }


def _rows(track: Any, song: Any) -> tuple[dict[str, NDArray[Any]], int]:
    """A part's notes in order of pitch, start and length, without identical doubles; and how many doubles."""
    notes = track.notes.numpy()
    columns = {name: notes[name].astype(np.int64) for name in ("time", "duration", "pitch", "velocity")}
    order = np.lexsort((-columns["velocity"], columns["duration"], columns["time"], columns["pitch"]))
    columns = {name: column[order] for name, column in columns.items()}
    same = np.zeros(len(order), dtype=np.bool_)
    same[1:] = (np.diff(columns["time"]) == 0) & (np.diff(columns["pitch"]) == 0) & (np.diff(columns["duration"]) == 0)
    columns = {name: column[~same] for name, column in columns.items()}
    columns["quarter"] = columns["time"] / song.ticks_per_quarter
    columns["duration_quarters"] = columns["duration"] / song.ticks_per_quarter
    columns["seconds"] = _seconds(song, columns["time"])
    return columns, int(same.sum())


def _paired(a: NDArray[np.int64], b: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any], int, int]:
    """Indices that pair equal pitches in order; how many of ``a`` and of ``b`` stay alone."""
    first, second = [], []
    for pitch in np.unique(np.concatenate((a, b))):
        mine, theirs = np.flatnonzero(a == pitch), np.flatnonzero(b == pitch)
        count = min(len(mine), len(theirs))
        first.append(mine[:count])
        second.append(theirs[:count])
    empty = np.empty(0, dtype=np.int64)
    one, two = np.concatenate([empty, *first]), np.concatenate([empty, *second])
    return one, two, len(a) - len(one), len(b) - len(two)


def _last_quarter(song: Any) -> float:
    """Where the last note starts."""
    last = max((int(t.notes.numpy()["time"].max()) for t in song.tracks if len(t.notes)), default=0)
    return float(last / song.ticks_per_quarter)


def _tempo_map(song: Any, end: float) -> list[tuple[float, int]]:
    """Tempo changes before the last note: quarter and microseconds."""
    tempos = {tempo.time: tempo.mspq for tempo in song.tempos if tempo.time < end * song.ticks_per_quarter - 0.5}
    tempos.setdefault(0, _DEFAULT_MICROS)
    changes = sorted(tempos.items())
    kept = [change for i, change in enumerate(changes) if not i or changes[i - 1][1] != change[1]]
    return [(tick / song.ticks_per_quarter, micros) for tick, micros in kept]


def _close(a: list[tuple[float, int]], b: list[tuple[float, int]]) -> bool:
    """The same tempi at the same places, to a twenty-thousandth of a quarter."""
    return [m for _, m in a] == [m for _, m in b] and all(
        abs(x - y) < _SAME_QUARTER for (x, _), (y, _) in zip(a, b, strict=True)
    )


def _meter_map(song: Any, end: float) -> list[tuple[float, int, int]]:
    last = end * song.ticks_per_quarter - 0.5
    meters = {m.time: (m.numerator, m.denominator) for m in song.time_signatures if m.time < last}
    meters = {tick: meter for tick, meter in meters.items() if Meter(*meter).is_possible}
    meters.setdefault(0, (4, 4))
    changes = sorted(meters.items())
    kept = [c for i, c in enumerate(changes) if not i or changes[i - 1][1] != c[1]]
    return [(round(tick / song.ticks_per_quarter, 3), *meter) for tick, meter in kept]


def _seconds(song: Any, ticks: NDArray[np.int64]) -> NDArray[np.float64]:
    tempos = sorted({tempo.time: tempo.mspq for tempo in song.tempos}.items())
    if not tempos or tempos[0][0] > 0:
        tempos.insert(0, (0, _DEFAULT_MICROS))
    starts = np.array([tick for tick, _ in tempos], dtype=np.float64)
    rates = np.array([micros for _, micros in tempos], dtype=np.float64) / 1e6 / song.ticks_per_quarter
    marks = np.concatenate(([0.0], np.cumsum(np.diff(starts) * rates[:-1])))
    which = np.searchsorted(starts, ticks, side="right") - 1
    return np.asarray(marks[which] + (ticks - starts[which]) * rates[which], dtype=np.float64)


def _abc_length(score: Score) -> int:
    """Characters of the same music in ABC."""
    from libretto.formats.format import formats

    return len(formats["abc"].encode(score)) if "abc" in formats else 0


def readability(score: Score) -> Row:
    """What relative time costs: additions that recover starts, and starts that one edited duration moves.

    With lengths only, every start after a bar's first takes one running addition, or from scratch as many as
    notes precede it in the bar; a changed length moves every later start of its voice. With slots: none.
    """
    table = score.table
    onsets = np.unique(np.stack((table["voice"], table["bar"], table["onset"])), axis=1) if len(table) else None
    if onsets is None:
        return {"starts": 0, "additions_running": 0, "additions_scratch": 0, "starts_moved": 0}
    cells = np.unique(onsets[:2], axis=1, return_counts=True)[1].astype(np.int64)
    voices = np.unique(onsets[0], return_counts=True)[1].astype(np.int64)
    return {
        "starts": int(cells.sum()),
        "additions_running": int((cells - 1).sum()),
        "additions_scratch": int((cells * (cells - 1) // 2).sum()),
        "starts_moved": int((voices * (voices - 1) // 2).sum()),
    }
