"""A MIDI file on our clock, before anything is rounded: parts, meters, tempi, keys and markers.

Parts are what symusic calls tracks: one for each track, channel and program.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from libretto.errors import TooLarge
from libretto.formats.midi.bytes import names_of, parse_midi, text_of, title_of
from libretto.score.keys import Key
from libretto.score.marks import BEND, controls_of, no_controls
from libretto.score.model import DEFAULT_MICROS
from libretto.score.table import Ints
from libretto.score.time import QUARTER, Meter
from libretto.score.validate import MAX_BARS, MAX_NOTES, MAX_VOICES

__all__ = ["MAX_CHANGES", "MAX_CONTROLS", "MidiPart", "MidiSource", "effective_changes", "source_of", "ticks_on_clock"]

T = TypeVar("T")
MAX_CONTROLS = 1_000_000  #: of one track
MAX_CHANGES = 50_000  #: tempo changes, and likewise keys, meters and markers
_MAX_TEXT = 1_000  # characters of a name or marker that are looked at
_MAX_QUARTERS = 20_000_000
_TOP = 127  # of pitches, velocities and programs
_FASTEST_MICROS, _SLOWEST_MICROS = 1_000, 2**24 - 1  # a quarter; MIDI has three bytes for it
_MOST_SHARPS = 7  # or flats; more is no signature


_NO_CONTROLS = no_controls()


class MidiPart(NamedTuple):
    """One part as the file has it: times are ticks of our clock, before any rounding to a grid."""

    name: str
    program: int
    drums: bool
    onset: Ints
    duration: Ints
    pitch: Ints
    velocity: Ints
    controls: NDArray[Any] = _NO_CONTROLS  # CONTROL rows: controllers and bends


class MidiSource(NamedTuple):
    """A MIDI file on our clock, notes as they were played."""

    parts: tuple[MidiPart, ...]
    meters: tuple[tuple[int, Meter], ...]
    tempos: tuple[tuple[int, int], ...]
    keys: tuple[tuple[int, Key], ...]
    markers: tuple[tuple[int, str], ...]
    title: str
    resolution: int = 1
    lyrics: tuple[tuple[int, str], ...] = ()
    sung_by: int | None = None  # the part in whose track all syllables stand


def source_of(data: bytes) -> MidiSource:
    """Read a MIDI file without rounding anything."""
    song = parse_midi(data)
    division = song.ticks_per_quarter
    tracks = _sounding(song)
    for changes in (song.tempos, song.time_signatures, song.key_signatures, song.markers):
        if len(changes) > MAX_CHANGES:
            raise TooLarge(f"the file has {len(changes):,} changes of one kind; the limit is {MAX_CHANGES:,}")
    names = names_of(data) if any("\ufffd" in track.name for track in tracks) else {}
    parts = _parts(tracks, [names.get(track.name, track.name) for track in tracks], division)
    lyrics = _lyrics(song, division)
    return MidiSource(
        parts=parts,
        meters=_meters(_rows(song.time_signatures, division, "numerator", "denominator")),
        tempos=_tempos(_rows(song.tempos, division, "mspq")),
        keys=_keys(_rows(song.key_signatures, division, "key", "tonality")),
        markers=tuple((ticks_on_clock(marker.time, division), _text(marker.text)) for marker in song.markers),
        title=_title(data, {part.name for part in parts}),
        resolution=-(-QUARTER // division),
        lyrics=lyrics,
        sung_by=_sung_by(song, tracks) if lyrics else None,
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
    times = [ticks_on_clock(time, division) for time in columns["time"][order].tolist()]
    return list(zip(times, *(columns[name][order].tolist() for name in names), strict=True))


def ticks_on_clock(time: int, division: int) -> int:
    """File ticks on our clock, exact wherever the division divides it, else even, so that MIDI can hold them."""
    if QUARTER % division == 0:
        return max(0, time) * (QUARTER // division)
    return (max(0, time) * QUARTER + division) // (2 * division) * 2


def _parts(tracks: list[Any], names: list[str], division: int) -> tuple[MidiPart, ...]:
    """The parts; the notes of all are put on our clock together."""
    if not tracks:
        return ()
    notes = [track.notes.numpy() for track in tracks]
    time, duration, pitch, velocity = (
        np.concatenate([one[name] for one in notes]) for name in ("time", "duration", "pitch", "velocity")
    )
    onset, length = time.astype(np.int64), np.maximum(duration, 0).astype(np.int64)
    if int(onset.min()) < 0 or int((onset + length).max()) // division > _MAX_QUARTERS:
        raise TooLarge(f"a note stops after {_MAX_QUARTERS:,} quarter notes or more")
    onset, length = _rounded(onset, length, division)
    pitch, velocity = (np.minimum(np.maximum(x, low), _TOP).astype(np.int64) for x, low in ((pitch, 0), (velocity, 1)))
    edges = [0, *accumulate(len(one["time"]) for one in notes)]
    return tuple(
        MidiPart(
            _text(name),
            min(_TOP, max(0, int(track.program))),
            bool(track.is_drum),
            onset[first:last],
            length[first:last],
            pitch[first:last],
            velocity[first:last],
            controls,
        )
        for track, name, (first, last), controls in zip(
            tracks, names, pairwise(edges), _controls(tracks, division), strict=True
        )
    )


def _rounded(onset: Ints, length: Ints, division: int) -> tuple[Ints, Ints]:
    """Starts and lengths on our clock, the start and the end of each note rounded."""
    if QUARTER % division == 0:
        return onset * (QUARTER // division), length * (QUARTER // division)
    start, stop = ((2 * moment * QUARTER + division) // (2 * division) for moment in (onset, onset + length))
    return start, stop - start


def _controls(tracks: list[Any], division: int) -> list[NDArray[Any]]:
    """The controllers and bends of each track, in order of time; those of all are put in order together."""
    columns: list[tuple[Any, Any, Any]] = []
    edges = [0]
    for track in tracks:
        count, bent = len(track.controls), len(track.pitch_bends)
        if count + bent > MAX_CONTROLS:
            raise TooLarge(f"a track has more than {MAX_CONTROLS:,} controllers and bends")
        if count:
            changes = track.controls.numpy()
            columns.append((changes["time"], changes["number"], changes["value"]))
        if bent:
            bends = track.pitch_bends.numpy()
            columns.append((bends["time"], np.full(bent, BEND, dtype=np.int16), bends["value"]))
        edges.append(edges[-1] + count + bent)
    if not columns:
        return [_NO_CONTROLS] * len(tracks)
    time, kind, value = (np.concatenate(column, dtype=np.int64) for column in zip(*columns, strict=True))
    voice = np.arange(len(tracks)).repeat([last - first for first, last in pairwise(edges)])
    rows = controls_of(_scaled(time, division), kind, value, voice)
    return [rows[first:last] if first < last else _NO_CONTROLS for first, last in pairwise(edges)]


def _scaled(times: NDArray[Any], division: int) -> Ints:
    """File ticks on our clock, as ``ticks_on_clock`` gives them."""
    ticks = np.maximum(times.astype(np.int64, copy=False), 0)
    if QUARTER % division == 0:
        return np.asarray(ticks * (QUARTER // division), dtype=np.int64)
    return np.asarray((ticks * QUARTER + division) // (2 * division) * 2, dtype=np.int64)


def _lyrics(song: Any, division: int) -> tuple[tuple[int, str], ...]:
    """The syllables of all tracks, in order of time."""
    words = [(ticks_on_clock(word.time, division), word.text) for track in song.tracks for word in track.lyrics]
    if len(words) > MAX_CHANGES:
        raise TooLarge(f"the file has {len(words):,} syllables; the limit is {MAX_CHANGES:,}")
    return tuple(sorted(words, key=lambda word: word[0]))


def _sung_by(song: Any, tracks: list[Any]) -> int | None:
    """The number of the sounding track in which all syllables stand; None where they stand in several or another.

    What stands before the first program of a track comes as a track of its own, of the same name and without notes.
    """
    names = [track.name for track in tracks]
    alone = {name: number for number, name in enumerate(names) if names.count(name) == 1}
    owners = {number for number, track in enumerate(tracks) if len(track.lyrics)}
    owners |= {alone.get(track.name, -1) for track in song.tracks if len(track.lyrics) and not len(track.notes)}
    return owners.pop() if len(owners) == 1 and -1 not in owners else None


def _meters(events: list[tuple[int, ...]]) -> tuple[tuple[int, Meter], ...]:
    """Meters in order; the last of several at one tick counts, impossible ones do not. 4/4 where none is said."""
    meters: dict[int, Meter] = {}
    for tick, beats, unit in events:
        if Meter(beats, unit).is_possible:
            meters[tick] = Meter(beats, unit)
    if 0 not in meters:
        meters[0] = Meter(4, 4)
    if len(meters) > MAX_BARS:
        raise TooLarge(f"the file states {len(meters):,} meters; the limit is {MAX_BARS:,} bars")
    return tuple(sorted(meters.items()))


def _tempos(events: list[tuple[int, ...]]) -> tuple[tuple[int, int], ...]:
    tempos = {tick: min(_SLOWEST_MICROS, max(_FASTEST_MICROS, micros)) for tick, micros in events}
    tempos.setdefault(0, DEFAULT_MICROS)
    return effective_changes(sorted(tempos.items()))


def _keys(events: list[tuple[int, ...]]) -> tuple[tuple[int, Key], ...]:
    keys = {
        tick: Key.of_signature(sharps, "minor" if minor else "major")
        for tick, sharps, minor in events
        if abs(sharps) <= _MOST_SHARPS
    }
    if keys and 0 not in keys:
        keys[0] = keys[min(keys)]
    return effective_changes(sorted(keys.items()))


def effective_changes(events: Sequence[tuple[int, T]]) -> tuple[tuple[int, T], ...]:
    """The (tick, value) events that change something, of events in order of time."""
    return tuple(event for index, event in enumerate(events) if not index or events[index - 1][1] != event[1])


def _title(data: bytes, names: set[str]) -> str:
    """The sequence name, unless a part is called the same."""
    title = _text(text_of(title_of(data)))
    return "" if title in names else title


def _text(text: str) -> str:
    """The beginning of a text as one clean line."""
    if len(text) <= _MAX_TEXT and text.isprintable():
        return " ".join(text.split())
    return " ".join("".join(c if c.isprintable() else " " for c in text[:_MAX_TEXT]).split())
