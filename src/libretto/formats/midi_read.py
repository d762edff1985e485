"""Read MIDI: bytes -> Score.

Parts are what symusic calls tracks: one for each track, channel and program. Played timing is moved onto
grids bar by bar (``libretto.score.grid``); notes identical in part, start, length and pitch are merged; a note of no
length gets one slot. A meter change inside a bar cuts that bar short; a short first bar is a pickup, bar 0. A
chord label and a spelling are heard, a key is taken from the file or heard.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import FormatError, TooLarge
from libretto.formats.general_midi import voice_name
from libretto.score.build import bar_lines_of
from libretto.score.grid import TOLERANCE_SECONDS, quantize
from libretto.score.harmony import hear_chords
from libretto.score.keys import Key, infer_key, spell, spell_drums
from libretto.score.model import DEFAULT_MICROS, MAX_BARS, MAX_NOTES, MAX_VOICES, Score, Voice, legal_name
from libretto.score.table import NOTE, frozen, sorted_notes
from libretto.score.time import QUARTER, WHOLE, Meter

__all__ = ["MidiPart", "MidiSource", "decode", "score_of", "source_of"]

Ints = NDArray[np.int64]


class MidiPart(NamedTuple):
    """One part as the file has it: times are ticks of our clock, before any rounding to a grid."""

    name: str
    program: int
    drums: bool
    onset: Ints
    duration: Ints
    pitch: Ints
    velocity: Ints


class MidiSource(NamedTuple):
    """A MIDI file on our clock, notes as they were played."""

    parts: tuple[MidiPart, ...]
    meters: tuple[tuple[int, Meter], ...]
    tempos: tuple[tuple[int, int], ...]
    keys: tuple[tuple[int, Key], ...]
    markers: tuple[tuple[int, str], ...]
    title: str


def decode(data: bytes) -> Score:
    """Read a MIDI file into a Score."""
    return score_of(source_of(data))


def source_of(data: bytes) -> MidiSource:
    """Read a MIDI file without rounding anything."""
    from libretto.formats.midi_parse import parse_midi

    song = parse_midi(data)
    if sum(len(track.notes) for track in song.tracks) > MAX_NOTES:
        raise TooLarge(f"the file has more than {MAX_NOTES:,} notes")
    division = song.ticks_per_quarter
    if division < 1:
        raise FormatError("the file divides the quarter note into no ticks")
    parts = tuple(_part(track, division) for track in song.tracks if len(track.notes))
    if len(parts) > MAX_VOICES:
        raise TooLarge(f"the file has {len(parts):,} parts; the limit is {MAX_VOICES:,}")
    return MidiSource(
        parts=parts,
        meters=_meters([(_ticks(m.time, division), m.numerator, m.denominator) for m in song.time_signatures]),
        tempos=_tempos([(_ticks(t.time, division), t.mspq) for t in song.tempos]),
        keys=_keys([(_ticks(k.time, division), k.key, k.tonality) for k in song.key_signatures]),
        markers=tuple((_ticks(m.time, division), m.text) for m in song.markers),
        title=_title(data, {track.name for track in song.tracks}),
    )


def _ticks(time: int, division: int) -> int:
    """File ticks on our clock, exact wherever the division divides it, else even, so that MIDI can hold them."""
    if QUARTER % division == 0:
        return max(0, time) * (QUARTER // division)
    return (max(0, time) * QUARTER + division) // (2 * division) * 2


def _part(track: Any, division: int) -> MidiPart:
    notes = track.notes.numpy()
    onset, duration = (notes[name].astype(np.int64) for name in ("time", "duration"))
    onset, stop = np.maximum(onset, 0), np.maximum(onset, 0) + np.maximum(duration, 0)
    scaled = [(2 * time * QUARTER + division) // (2 * division) for time in (onset, stop)]
    velocity = np.clip(notes["velocity"].astype(np.int64), 1, 127)
    pitch = np.clip(notes["pitch"].astype(np.int64), 0, 127)
    program = min(127, max(0, int(track.program)))
    return MidiPart(track.name, program, bool(track.is_drum), scaled[0], scaled[1] - scaled[0], pitch, velocity)


def _meters(events: list[tuple[int, int, int]]) -> tuple[tuple[int, Meter], ...]:
    """Meters in order; the last of several at one tick counts, impossible ones do not. 4/4 where none is said."""
    found: dict[int, Meter] = {}
    for tick, beats, unit in sorted(events, key=lambda event: event[0]):
        if 1 <= beats <= 255 and unit in (1, 2, 4, 8, 16, 32, 64):
            found[tick] = Meter(beats, unit)
    if 0 not in found:
        found[0] = Meter(4, 4)
    return tuple(sorted(found.items()))


def _tempos(events: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    found = {tick: min(2**24 - 1, max(1_000, micros)) for tick, micros in sorted(events, key=lambda e: e[0])}
    found.setdefault(0, DEFAULT_MICROS)
    return _changes(sorted(found.items()))


def _keys(events: list[tuple[int, int, int]]) -> tuple[tuple[int, Key], ...]:
    found = {
        tick: Key.of_signature(sharps, "minor" if minor else "major")
        for tick, sharps, minor in sorted(events, key=lambda event: event[0])
        if -7 <= sharps <= 7
    }
    if found and 0 not in found:
        found[0] = found[min(found)]
    return _changes(sorted(found.items()))


def _changes(events: list[tuple[int, Any]]) -> tuple[tuple[int, Any], ...]:
    """Events that change something."""
    return tuple(event for index, event in enumerate(events) if not index or events[index - 1][1] != event[1])


def _title(data: bytes, names: set[str]) -> str:
    """The sequence name: that of a first track which is not a part."""
    found = re.search(rb"MTrk.{4}(?:\x00\xff[^\x03].{0,200}?)??\x00\xff\x03([\x01-\x7f])", data[:512], re.DOTALL)
    if not found:
        return ""
    raw = data[found.end() : found.end() + found[1][0]]
    title = _text(raw)
    return "" if title in names or raw.decode("utf-8", "replace") in names else title


def _text(raw: bytes) -> str:
    """Text of no stated encoding as one clean line."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def score_of(source: MidiSource) -> Score:
    """Move a source onto grids and make it a Score."""
    parts = source.parts
    sizes = [len(part.onset) for part in parts]
    onset = _joined([part.onset for part in parts])
    duration = _joined([part.duration for part in parts])
    pitch = _joined([part.pitch for part in parts])
    velocity = _joined([part.velocity for part in parts])
    voice = np.repeat(np.arange(len(parts), dtype=np.int64), sizes)
    drums = np.array([part.drums for part in parts], dtype=np.bool_)
    end = int(onset.max()) + 1 if len(onset) else 1
    _bounded(source.meters, end)
    meters = tuple(change for change in source.meters if change[0] < end)
    lines = np.array(bar_lines_of(meters, end + WHOLE // 64), dtype=np.int64)
    keep = _distinct(voice, onset, duration, pitch, velocity)
    onset, duration, pitch, velocity, voice = (a[keep] for a in (onset, duration, pitch, velocity, voice))
    pitched = ~drums[voice] & (duration > 0)
    tolerance = _tolerance(source.tempos, lines)
    onset, duration = quantize(lines, onset, duration, voice * 128 + pitch, pitched, tolerance)
    end = int(onset.max()) + 1 if len(onset) else 1
    lines = np.array(bar_lines_of(meters, end), dtype=np.int64)
    keys = tuple(change for change in source.keys if change[0] < lines[-1])
    if not keys:
        keys = ((0, infer_key(pitch[~drums[voice]], duration[~drums[voice]])),)
    notes = np.empty(len(onset), NOTE)
    notes["onset"], notes["duration"], notes["pitch"], notes["velocity"] = onset, duration, pitch, velocity
    notes["spelling"] = np.where(drums[voice], spell_drums(pitch), _spelled(pitch, onset, keys))
    names = _names(parts)
    score = Score.build(
        [
            Voice(names[index], part.program, part.drums, frozen(sorted_notes(notes[voice == index])))
            if not (part.drums and part.program == 0)
            else Voice(names[index], None, True, frozen(sorted_notes(notes[voice == index])))
            for index, part in enumerate(parts)
        ],
        bar_lines=lines.tolist(),
        meters=_changes([change for change in meters if change[0] < lines[-1]]),
        keys=keys,
        tempos=[change for change in source.tempos if change[0] < lines[-1]],
        sections=_sections(source.markers, lines),
        title=source.title,
        first_bar=0 if _is_pickup(lines, meters) else 1,
    )
    return replace(score, chords=hear_chords(score))


def _joined(arrays: list[Ints]) -> Ints:
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=np.int64)


def _bounded(meters: tuple[tuple[int, Meter], ...], end: int) -> None:
    shortest = min(meter.ticks for _, meter in meters)
    if end // max(shortest, 1) > 64 * MAX_BARS:
        raise TooLarge(f"the piece would last {end // WHOLE:,} whole notes; the limit is {MAX_BARS:,} bars")


def _distinct(voice: Ints, onset: Ints, duration: Ints, pitch: Ints, velocity: Ints) -> Ints:
    """Rows without identical doubles; of doubles the loudest stays."""
    order = np.lexsort((-velocity, duration, onset, pitch, voice))
    same = np.ones(len(order), dtype=np.bool_)
    for column in (voice, onset, duration, pitch):
        same[1:] &= column[order[1:]] == column[order[:-1]]
    same[:1] = False
    return np.sort(order[~same])


def _tolerance(tempos: tuple[tuple[int, int], ...], lines: Ints) -> Ints:
    """How many ticks the tolerance is, bar by bar."""
    starts = np.array([tick for tick, _ in tempos])
    micros = np.array([value for _, value in tempos], dtype=np.float64)
    at = micros[np.searchsorted(starts, lines[:-1], side="right") - 1]
    return np.asarray(TOLERANCE_SECONDS * 1e6 / at * QUARTER, dtype=np.int64)


def _spelled(pitch: Ints, onset: Ints, keys: tuple[tuple[int, Key], ...]) -> NDArray[np.int8]:
    """Spellings by the key in force at each note."""
    spelled = spell(pitch, keys[0][1])
    for tick, key in keys[1:]:
        later = onset >= tick
        spelled[later] = spell(pitch[later], key)
    return spelled


def _names(parts: tuple[MidiPart, ...]) -> list[str]:
    """Legal names, each once."""
    names: list[str] = []
    taken: set[str] = set()
    for part in parts:
        base = legal_name(_text(part.name.encode("utf-8", "surrogateescape")), fallback=voice_name(part.program, part.drums))
        name, number = base, 2
        while name in taken:
            name, number = f"{base} #{number}", number + 1
        taken.add(name)
        names.append(name)
    return names


def _sections(markers: tuple[tuple[int, str], ...], lines: Ints) -> list[tuple[int, str]]:
    """Markers as section names on the nearest bar line."""
    found: dict[int, str] = {}
    for tick, text in markers:
        bar = int(np.argmin(np.abs(lines[:-1] - tick)))
        name = legal_name(_text(text.encode("utf-8", "surrogateescape")), fallback="", label=True)
        if name and tick < lines[-1]:
            found[int(lines[bar])] = name
    return sorted(found.items())


def _is_pickup(lines: Ints, meters: tuple[tuple[int, Meter], ...]) -> bool:
    """Whether the first bar is short: cut by a meter change, or a shorter meter that lasts one bar."""
    if len(lines) < 3:
        return False
    first = int(lines[1])
    return first < meters[0][1].ticks or (len(meters) > 1 and meters[1][0] == first < meters[1][1].ticks)
