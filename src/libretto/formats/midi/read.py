"""Read MIDI: bytes -> Score.

Parts are what symusic calls tracks: one for each track, channel and program. Played timing is moved onto
grids bar by bar (``libretto.score.grid``); notes identical in part, start, length and pitch are merged; a note of no
length gets one slot. A meter change inside a bar cuts that bar short; a short first bar is a pickup, bar 0. The
piece ends with the bar of its last note, or where a meter is stated after that. A chord label and a spelling are
heard, a key is taken from the file or heard.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import TooLarge
from libretto.formats.midi.bytes import names_of, parse_midi, text_of, title_of
from libretto.score.arrays import Ints
from libretto.score.build import bar_lines_of
from libretto.score.general_midi import voice_name
from libretto.score.grid import TOLERANCE_SECONDS, quantize
from libretto.score.harmony import hear_chords
from libretto.score.keys import Key, infer_key, spell, spell_drums
from libretto.score.model import DEFAULT_MICROS, MAX_BARS, MAX_NOTES, MAX_VOICES, Score
from libretto.score.table import NOTE, frozen, sorted_notes
from libretto.score.time import QUARTER, WHOLE, Meter
from libretto.score.voice import Voice, legal_name, unique_name

__all__ = ["MidiPart", "MidiSource", "decode", "score_of", "source_of"]


MAX_CHANGES = 50_000  #: tempo changes, and likewise keys, meters and markers
_MAX_TEXT = 1_000  # characters of a name or marker that are looked at
_MAX_QUARTERS = 20_000_000


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
    resolution: int = 1


def decode(data: bytes) -> Score:
    """Read a MIDI file into a Score."""
    return score_of(source_of(data))


def source_of(data: bytes) -> MidiSource:
    """Read a MIDI file without rounding anything."""
    song = parse_midi(data)
    division = song.ticks_per_quarter
    tracks = _sounding(song)
    for changes in (song.tempos, song.time_signatures, song.key_signatures, song.markers):
        if len(changes) > MAX_CHANGES:
            raise TooLarge(f"the file has {len(changes):,} changes of one kind; the limit is {MAX_CHANGES:,}")
    names = names_of(data) if any("\ufffd" in track.name for track in tracks) else {}
    parts = tuple(_part(track, names.get(track.name, track.name), division) for track in tracks)
    return MidiSource(
        parts=parts,
        meters=_meters(_rows(song.time_signatures, division, "numerator", "denominator")),
        tempos=_tempos(_rows(song.tempos, division, "mspq")),
        keys=_keys(_rows(song.key_signatures, division, "key", "tonality")),
        markers=tuple((_ticks(marker.time, division), _text(marker.text)) for marker in song.markers),
        title=_title(data, {part.name for part in parts}),
        resolution=-(-QUARTER // division),
    )


def _sounding(song: Any) -> list[Any]:
    """The tracks with notes, if they are not too many."""
    tracks, notes = [], 0
    for track in song.tracks:
        if count := len(track.notes):
            tracks.append(track)
            notes += count
        if notes > MAX_NOTES:
            raise TooLarge(f"the file has more than {MAX_NOTES:,} notes")
        if len(tracks) > MAX_VOICES:
            raise TooLarge(f"the file has more than {MAX_VOICES:,} parts")
    return tracks


def _rows(events: Any, division: int, *names: str) -> list[tuple[int, ...]]:
    """Events as (tick, value, ...) in order of time; those of one tick in the order of the file."""
    columns = events.numpy()
    order = np.argsort(columns["time"], kind="stable")
    times = [_ticks(time, division) for time in columns["time"][order].tolist()]
    return list(zip(times, *(columns[name][order].tolist() for name in names), strict=True))


def _ticks(time: int, division: int) -> int:
    """File ticks on our clock, exact wherever the division divides it, else even, so that MIDI can hold them."""
    if QUARTER % division == 0:
        return max(0, time) * (QUARTER // division)
    return (max(0, time) * QUARTER + division) // (2 * division) * 2


def _part(track: Any, name: str, division: int) -> MidiPart:
    notes = track.notes.numpy()
    onset, duration = (notes[name].astype(np.int64) for name in ("time", "duration"))
    onset, stop = np.maximum(onset, 0), np.maximum(onset, 0) + np.maximum(duration, 0)
    if (notes["time"] < 0).any() or int(stop.max()) // division > _MAX_QUARTERS:
        raise TooLarge(f"a note stops after {_MAX_QUARTERS:,} quarter notes or more")
    scaled = [(2 * time * QUARTER + division) // (2 * division) for time in (onset, stop)]
    velocity = np.clip(notes["velocity"].astype(np.int64), 1, 127)
    pitch = np.clip(notes["pitch"].astype(np.int64), 0, 127)
    program, drums = min(127, max(0, int(track.program))), bool(track.is_drum)
    return MidiPart(_text(name), program, drums, scaled[0], scaled[1] - scaled[0], pitch, velocity)


def _meters(events: list[tuple[int, ...]]) -> tuple[tuple[int, Meter], ...]:
    """Meters in order; the last of several at one tick counts, impossible ones do not. 4/4 where none is said."""
    found: dict[int, Meter] = {}
    for tick, beats, unit in events:
        if Meter(beats, unit).is_possible:
            found[tick] = Meter(beats, unit)
    if 0 not in found:
        found[0] = Meter(4, 4)
    if len(found) > MAX_BARS:
        raise TooLarge(f"the file states {len(found):,} meters; the limit is {MAX_BARS:,} bars")
    return tuple(sorted(found.items()))


def _tempos(events: list[tuple[int, ...]]) -> tuple[tuple[int, int], ...]:
    found = {tick: min(2**24 - 1, max(1_000, micros)) for tick, micros in events}
    found.setdefault(0, DEFAULT_MICROS)
    return _changes(sorted(found.items()))


def _keys(events: list[tuple[int, ...]]) -> tuple[tuple[int, Key], ...]:
    found = {
        tick: Key.of_signature(sharps, "minor" if minor else "major")
        for tick, sharps, minor in events
        if -7 <= sharps <= 7
    }
    if found and 0 not in found:
        found[0] = found[min(found)]
    return _changes(sorted(found.items()))


def _changes(events: list[tuple[int, Any]]) -> tuple[tuple[int, Any], ...]:
    """Events that change something."""
    return tuple(event for index, event in enumerate(events) if not index or events[index - 1][1] != event[1])


def _title(data: bytes, names: set[str]) -> str:
    """The sequence name, unless a part is called the same."""
    title = _text(text_of(title_of(data)))
    return "" if title in names else title


def _text(text: str) -> str:
    """The beginning of a text as one clean line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text[:_MAX_TEXT]).split())


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
    meters = tuple(change for change in source.meters if change[0] < end)
    _bounded(meters, end)
    lines = np.array(bar_lines_of(meters, end + WHOLE // 64), dtype=np.int64)
    keep = _distinct(voice, onset, duration, pitch, velocity)
    onset, duration, pitch, velocity, voice = (a[keep] for a in (onset, duration, pitch, velocity, voice))
    tolerance = _tolerance(source.tempos, lines)
    onset, duration = quantize(lines, onset, duration, voice * 128 + pitch, tolerance, source.resolution)
    lines = _bar_lines(source.meters, int(onset.max(initial=0)) + 1)
    meters = tuple(change for change in source.meters if change[0] < lines[-1])
    keys = tuple(change for change in source.keys if change[0] < lines[-1])
    if not keys:
        keys = ((0, infer_key(pitch[~drums[voice]], duration[~drums[voice]])),)
    notes = np.empty(len(onset), NOTE)
    notes["onset"], notes["duration"], notes["pitch"], notes["velocity"] = onset, duration, pitch, velocity
    notes["spelling"] = np.where(drums[voice], spell_drums(pitch), _spelled(pitch, onset, keys))
    names, ends = _names(parts), np.searchsorted(voice, np.arange(len(parts) + 1))
    arrays = [frozen(sorted_notes(notes[a:b])) for a, b in pairwise(ends.tolist())]
    score = Score.build(
        [
            Voice(name, None if part.drums and part.program == 0 else part.program, part.drums, array)
            for name, part, array in zip(names, parts, arrays, strict=True)
        ],
        bar_lines=lines.tolist(),
        meters=_changes(list(meters)),
        keys=keys,
        tempos=[change for change in source.tempos if change[0] < lines[-1]],
        sections=_sections(source.markers, lines),
        title=source.title,
        first_bar=0 if _is_pickup(lines, meters) else 1,
    )
    return replace(score, chords=hear_chords(score))


def _joined(arrays: list[Ints]) -> Ints:
    return np.concatenate([np.empty(0, dtype=np.int64), *arrays])


def _bounded(meters: tuple[tuple[int, Meter], ...], end: int) -> None:
    shortest = min(meter.ticks for _, meter in meters)
    if end // max(shortest, 1) > 64 * MAX_BARS:
        raise TooLarge(f"the piece would last {end // WHOLE:,} whole notes; the limit is {MAX_BARS:,} bars")


def _bar_lines(meters: tuple[tuple[int, Meter], ...], end: int) -> Ints:
    """Bar lines up to the last note or, if there is one after that, to the last statement of a meter."""
    lines = bar_lines_of([change for change in meters if change[0] < end], end)
    if meters[-1][0] >= end:
        try:
            stated = bar_lines_of(meters, 0)[:-1]
        except TooLarge:  # something stands very far behind the music
            stated = lines
        if len(stated) <= MAX_BARS + 1:
            lines = stated
    return np.array(lines, dtype=np.int64)


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
    which = np.searchsorted([tick for tick, _ in keys], onset, side="right") - 1
    spelled = np.empty(len(pitch), dtype=np.int8)
    different = {key: index for index, key in enumerate(dict.fromkeys(key for _, key in keys))}
    number = np.array([different[key] for _, key in keys])[which]
    for key, index in different.items():
        mine = number == index
        spelled[mine] = spell(pitch[mine], key)
    return spelled


def _names(parts: tuple[MidiPart, ...]) -> list[str]:
    """Legal names, each once."""
    names: list[str] = []
    taken: set[str] = set()
    for part in parts:
        name = unique_name(legal_name(part.name, fallback=voice_name(part.program, part.drums)), taken)
        taken.add(name)
        names.append(name)
    return names


def _sections(markers: tuple[tuple[int, str], ...], lines: Ints) -> list[tuple[int, str]]:
    """Markers as section names on the nearest bar line."""
    found: dict[int, str] = {}
    middles = (lines[:-2] + lines[1:-1]) / 2
    nearest = np.searchsorted(middles, [tick for tick, _ in markers]).tolist()
    for bar, (tick, text) in zip(nearest, markers, strict=True):
        name = legal_name(text, fallback="", label=True)
        if name and tick < lines[-1]:
            found[int(lines[bar])] = name
    return sorted(found.items())


def _is_pickup(lines: Ints, meters: tuple[tuple[int, Meter], ...]) -> bool:
    """Whether the first bar is short: cut by a meter change, or a shorter meter that lasts one bar."""
    if len(lines) < 3:
        return False
    first = int(lines[1])
    return first < meters[0][1].ticks or (len(meters) > 1 and meters[1][0] == first < meters[1][1].ticks)
