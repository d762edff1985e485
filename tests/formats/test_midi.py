"""MIDI: exact music comes back exact at every resolution, played music lands on the grid it was meant on."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import mido
import numpy as np
import pytest
from fuzz import NOTE, header, meta, track
from hypothesis import given, settings
from strategies import scores

from libretto.bench.fidelity import audit_midi
from libretto.errors import FormatError, LibrettoError, TooLarge
from libretto.formats import formats
from libretto.formats.midi.bytes import mended, parse_midi, title_of
from libretto.formats.midi.read import decode
from libretto.formats.midi.source import source_of
from libretto.formats.midi.write import encode
from libretto.score import QUARTER, WHOLE, Meter, Note, Score, Voice

DIVISIONS = (480, 384, 192, 120, 96, 960, 1024, 256, 100)
Starts = tuple[Fraction, ...]


def _fractions(*values: float | Fraction) -> Starts:
    return tuple(map(Fraction, values))


def _even(count: int, beats: int = 1) -> Starts:
    return tuple(Fraction(index * beats, count) for index in range(count))


def _swung(beats: int, part: Fraction) -> Starts:
    return tuple(beat + off for beat in range(beats) for off in (Fraction(0), part))


THIRD = Fraction(1, 3)
#: Name, meter, starts in quarters, whether the bar needs triplets.
BARS: tuple[tuple[str, str, Starts, bool], ...] = (
    ("off-beat", "4/4", _fractions(0.5), False),
    ("dotted", "4/4", _fractions(0, 1.5, 3), False),
    ("tresillo", "4/4", _fractions(0, 0.75, 1.5), False),
    ("last eighth", "4/4", _fractions(0, 3.5), False),
    ("one eighth", "4/4", _fractions(2.5), False),
    ("outer sixteenths", "4/4", _fractions(0.25, 3.75), False),
    ("triplets", "4/4", (THIRD, 2 * THIRD), True),
    ("one triplet", "4/4", (2 + THIRD,), True),
    ("swung 2:1", "4/4", _swung(4, 2 * THIRD), True),
    ("swung 3:1", "4/4", _swung(4, Fraction(3, 4)), False),
    ("triplets and sixteenths", "4/4", (*_even(3), *(1 + x for x in _even(4))), True),
    ("quarter triplets", "4/4", _even(3, 2), True),
    ("waltz off-beats", "3/4", _fractions(0.5, 1.5, 2.5), False),
    ("waltz triplets", "3/4", (0 + THIRD, 1 + THIRD, 2 + 2 * THIRD), True),
    ("waltz sixteenth", "3/4", _fractions(2.75), False),
    ("jig", "6/8", _fractions(0, 0.5, 1, 1.5, 2, 2.5), False),
    ("jig, one note", "6/8", _fractions(2.5), False),
    ("jig, sixteenths", "6/8", _fractions(0.25, 1.75), False),
    ("jig, triplets", "6/8", tuple(Fraction(k, 6) for k in range(6)), True),
    ("seven", "7/8", _fractions(0, 1, 2, 3), False),
    ("seven, off", "7/8", _fractions(0.5, 3.25), False),
    ("seven, triplets", "7/8", (THIRD, 2 + 2 * THIRD), True),
    ("five", "5/4", _fractions(0.5, 4.5), False),
    ("five, sixteenth", "5/4", _fractions(4.75), False),
    ("five, triplets", "5/4", (4 + THIRD,), True),
    ("twelve", "12/8", _fractions(0, 1, 1.5, 2.5, 5.5), False),
    ("twelve, sixteenth", "12/8", _fractions(5.75), False),
    ("cut time", "2/2", _fractions(1.5, 3.5), False),
    ("cut time, triplets", "2/2", _even(3, 4), True),
)
TUPLETS: tuple[tuple[str, str, Starts], ...] = (
    ("quintuplets", "4/4", _even(5)),
    ("quintuplets in the waltz", "3/4", tuple(1 + x for x in _even(5))),
    ("quintuplets over two beats", "4/4", _even(5, 2)),
    ("septuplets", "4/4", _even(7)),
    ("septuplets over two beats", "4/4", _even(7, 2)),
    ("septuplets in five", "5/4", tuple(3 + x for x in _even(7))),
)


def _file(meter: str, starts: list[Fraction], lengths: list[Fraction], division: int, micros: int = 500_000) -> bytes:
    """A MIDI file by mido, every time rounded to the nearest tick."""
    beats, unit = map(int, meter.split("/"))
    events = [(0, 0, mido.MetaMessage("time_signature", numerator=beats, denominator=unit))]
    events.append((0, 0, mido.MetaMessage("set_tempo", tempo=micros)))
    for index, (start, length) in enumerate(zip(starts, lengths, strict=True)):
        on, off = round(start * division), max(round(start * division) + 1, round((start + length) * division))
        events.append((on, 2, mido.Message("note_on", note=40 + index, velocity=64)))
        events.append((off, 1, mido.Message("note_off", note=40 + index)))
    file, now = mido.MidiFile(ticks_per_beat=division), 0
    file.add_track()
    for tick, _, message in sorted(events, key=lambda event: event[:2]):
        file.tracks[0].append(message.copy(time=tick - now))
        now = tick
    buffer = io.BytesIO()
    file.save(file=buffer)
    return buffer.getvalue()


def _step(starts: Starts) -> Fraction:
    """The largest length on whose multiples all starts lie: a plain value for the notes' lengths."""
    step = Fraction(1)
    while any(start % step for start in starts):
        step = next(step / k for k in (2, 3, 5, 7) if any((s / step).denominator % k == 0 for s in starts if s % step))
    return step


def _assert_starts(score: Score, starts: Starts, division: int) -> None:
    """Exact where a tick of the source is, else within half a tick of it."""
    for start, note in zip(starts, sorted(score.voices[0].notes, key=lambda note: note.pitch), strict=True):
        exact = (start * division).denominator == 1
        error = abs(Fraction(note.onset, QUARTER) - start)
        assert error == 0 if exact else error <= Fraction(1, 2 * division), (start, note)


@pytest.mark.parametrize("division", DIVISIONS)
@pytest.mark.parametrize(("name", "meter", "starts", "triplet"), BARS, ids=[bar[0] for bar in BARS])
def test_a_sparse_bar_comes_back(name: str, meter: str, starts: Starts, triplet: bool, division: int) -> None:
    step = _step(starts)
    for length in (step, step * 2, step * Fraction(9, 10)):
        score = decode(_file(meter, list(starts), [length] * len(starts), division))
        _assert_starts(score, starts, division)
        assert score.bars == 1
        assert score.grids[0].triplet is triplet
        if length != step * Fraction(9, 10) and (step * division).denominator == 1:
            assert {Fraction(note.duration, QUARTER) for note in score.voices[0].notes} == {length}


@pytest.mark.parametrize("division", DIVISIONS)
@pytest.mark.parametrize(("name", "meter", "starts"), TUPLETS, ids=[bar[0] for bar in TUPLETS])
def test_quintuplets_and_septuplets_come_back(name: str, meter: str, starts: Starts, division: int) -> None:
    score = decode(_file(meter, list(starts), [_step(starts)] * len(starts), division))
    _assert_starts(score, starts, division)
    assert not score.grids[0].triplet


@pytest.mark.parametrize(("name", "meter", "starts", "triplet"), BARS, ids=[bar[0] for bar in BARS])
def test_a_sparse_bar_comes_back_from_our_own_file(name: str, meter: str, starts: Starts, triplet: bool) -> None:
    length = int(_step(starts) * QUARTER)
    voice = Voice.of("LEAD", [Note(int(start * QUARTER), length, 60) for start in starts])
    score = Score.build([voice], meters=[(0, Meter.parse(meter))])
    back = decode(encode(score))
    assert back.voices[0].array["onset"].tolist() == voice.array["onset"].tolist()
    assert back.voices[0].array["duration"].tolist() == voice.array["duration"].tolist()
    assert back.grids == score.grids
    assert back.grids[0].triplet is triplet


STRAIGHT = [bar[:3] for bar in BARS if not bar[3]]


@pytest.mark.parametrize("bpm", [50, 90, 120, 180, 240])
@pytest.mark.parametrize(("name", "meter", "starts"), STRAIGHT, ids=[bar[0] for bar in STRAIGHT])
def test_played_a_little_unevenly_it_stays_straight(name: str, meter: str, starts: Starts, bpm: int) -> None:
    chance = random.Random(f"{name} {bpm}")
    for _ in range(5):
        uneven = [max(Fraction(0), start + Fraction(chance.uniform(-0.003, 0.003)) * bpm / 60) for start in starts]
        lengths = [_step(starts) * Fraction(chance.uniform(0.7, 1.0)) for _ in starts]
        score = decode(_file(meter, uneven, lengths, 480, 60_000_000 // bpm))
        assert not score.grids[0].triplet
        found = sorted(score.voices[0].notes, key=lambda note: note.pitch)
        assert [Fraction(note.onset, QUARTER) for note in found] == list(starts)


# What is written is read.


def held(score: Score) -> Score:
    """The piece without what MIDI cannot hold.

    MIDI says when a pitch starts and when it stops, not which stop belongs to which start: the first on is the first
    off. So a note that lies inside another of its voice and pitch is left out, and all but one of those that start
    and stop together.
    """
    voices = []
    for voice in score.voices:
        kept: list[Note] = []
        latest: dict[int, tuple[int, int]] = {}
        for note in voice.notes:
            before = latest.get(note.pitch, (-1, -1))
            now = (note.onset, note.onset + note.duration)
            if now[1] >= before[1] and now != before:
                kept.append(note)
                latest[note.pitch] = now
        voices.append(voice.with_notes(kept))
    return replace(score, voices=tuple(voices))


def _sounding(score: Score) -> list[Voice]:
    return [voice for voice in score.voices if len(voice.array)]


#: Starts on a lattice of eleven ticks are left out: reading moves what lies on no grid.
PIECES = scores(odd_ticks=False, irregular=True).map(held)


@settings(max_examples=250)
@given(PIECES)
def test_what_is_written_is_read(score: Score) -> None:
    back = decode(encode(score))
    voices = _sounding(score)
    assert len(back.voices) == len(voices)
    for new, old in zip(back.voices, voices, strict=True):
        for column in ("onset", "duration", "pitch", "velocity"):
            assert new.array[column].tolist() == old.array[column].tolist(), column
        assert (new.name, new.drums) == (old.name, old.drums)
        if old.program is not None:  # a kit of program 0 is the usual one, and read as nobody's choice
            assert (new.program or 0) == old.program
    assert back.bar_lines == score.bar_lines
    assert back.meters == score.meters
    assert back.tempos == score.tempos
    assert back.sections == score.sections
    if score.first_bar == 0:
        assert back.first_bar == 0
    if score.title not in [voice.name for voice in voices]:
        assert back.title == score.title


@settings(max_examples=60)
@given(scores())
def test_anything_is_written_and_read_and_then_stays(score: Score) -> None:
    first = decode(encode(score))
    second = decode(encode(first))
    assert second == first
    assert encode(score) == encode(score)


@settings(max_examples=60)
@given(scores(irregular=True))
def test_mido_reads_what_we_write(score: Score) -> None:
    file = mido.MidiFile(file=io.BytesIO(encode(score)))
    assert file.type == 1
    assert len(file.tracks) == 1 + len(score.voices)
    conductor, scale = file.tracks[0], QUARTER // file.ticks_per_beat
    tempos, now = [], 0
    for message in conductor:
        now += message.time
        assert message.is_meta
        if message.type == "set_tempo":
            tempos.append((now * scale, message.tempo))
    assert tempos == list(score.tempos)
    for voice, events in zip(score.voices, file.tracks[1:], strict=True):
        notes = [message for message in events if message.type == "note_on"]
        assert len(notes) == len(voice.array)
        assert all((message.channel == 9) is voice.drums for message in notes)
        assert sum(message.type == "note_off" for message in events) == len(notes)


@pytest.mark.parametrize("count", [1, 15, 16, 20, 40, 300])
def test_many_voices_keep_order_names_and_programs(count: int) -> None:
    voices = [
        Voice.of(f"V{index}", [Note(0, QUARTER, 60 + index % 12, 64, ((60 + index) * 7 + 3) % 12 - 3)], index % 128)
        for index in range(count)
    ]
    voices.insert(count // 2, Voice.of("KIT", [Note(0, QUARTER, 36)], drums=True))
    voices.append(Voice.of("KIT 2", [Note(0, QUARTER, 36)], 25, drums=True))
    back = decode(encode(Score.build(voices)))
    assert [(v.name, v.program, v.drums) for v in back.voices] == [(v.name, v.program, v.drums) for v in voices]
    assert [v.array["pitch"].tolist() for v in back.voices] == [v.array["pitch"].tolist() for v in voices]


def _piece(bar_lines: list[int], onsets: list[int], **more: Any) -> Score:
    return Score.build([Voice.of("LEAD", [Note(onset, QUARTER, 60) for onset in onsets])], bar_lines=bar_lines, **more)


@pytest.mark.parametrize(
    "score",
    [
        _piece([0, WHOLE, 2 * WHOLE, 3 * WHOLE], [0]),
        _piece([0, WHOLE, 2 * WHOLE], [], tempos=[(0, 500_000), (WHOLE + 1_260, 400_000)]),
        _piece([0, WHOLE, WHOLE + QUARTER], [0, WHOLE]),
        _piece([0, QUARTER], [0]),
        _piece([0, QUARTER, QUARTER + WHOLE], [0, QUARTER], first_bar=0),
        _piece([0, WHOLE, 2 * WHOLE], [0], sections=[(0, "A"), (WHOLE, "B")]),
        _piece(
            [0, WHOLE, 2 * WHOLE, 2 * WHOLE + 3 * QUARTER], [0], meters=[(0, Meter(4, 4)), (2 * WHOLE, Meter(3, 4))]
        ),
    ],
    ids=["silent end", "no notes", "short end", "one short bar", "pickup", "silent section", "late meter"],
)
def test_bar_lines_come_back(score: Score) -> None:
    back = decode(encode(score))
    assert back.bar_lines == score.bar_lines
    assert (back.first_bar, back.meters, back.tempos, back.sections) == (
        *(score.first_bar, score.meters, score.tempos, score.sections),
    )


def test_a_meter_far_behind_the_music_does_not_count() -> None:
    late = header() + track(NOTE + meta(0x58, b"\x03\x02\x18\x08", 0x0FFFFFFF))
    assert decode(late).bars == 1


def test_long_waits_and_long_pieces() -> None:
    far = 19_000 * WHOLE
    notes = [Note(0, QUARTER, 60), Note(0, QUARTER // 64, 61, 64, -5), Note(far, QUARTER, 60)]
    score = Score.build([Voice.of("LEAD", notes)])
    assert decode(encode(score)).voices[0].array["onset"].tolist() == [0, 0, far]
    with pytest.raises(TooLarge, match="MIDI cannot count"):
        encode(Score.build([Voice.of("LEAD", [Note(0, 10**12, 60)])]))


# What others write.


def test_overlapping_notes_stop_in_the_order_they_start() -> None:
    score = decode(header() + track(b"\x00\x90\x40\x40\x83\x60\x40\x41\x83\x60\x40\x00\x83\x60\x40\x00"))
    notes = [(note.onset // QUARTER, note.duration // QUARTER, note.velocity) for note in score.voices[0].notes]
    assert notes == [(0, 2, 64), (1, 2, 65)]


def test_doubles_are_one_note_and_the_loudest() -> None:
    score = decode(header() + track(b"\x00\x90\x40\x40\x00\x40\x50\x83\x60\x40\x00\x00\x40\x00"))
    assert [note.velocity for note in score.voices[0].notes] == [80]


def test_channels_and_programs_of_a_track_are_parts() -> None:
    score = decode(header() + track(meta(3, b"Mix") + NOTE + b"\x00\xc0\x05" + NOTE + NOTE.replace(b"\x90", b"\x91")))
    assert sorted((voice.name, voice.program) for voice in score.voices) == [("Mix", 0), ("Mix #2", 5), ("Mix #3", 0)]


@pytest.mark.parametrize(
    ("first", "title"),
    [
        (meta(3, b"Song"), "Song"),
        (meta(1, b"x" * 600) + meta(3, b"Song"), "Song"),
        (meta(0x51, b"\x07\xa1\x20") + meta(3, b"Song", 50) + meta(3, b"Other"), "Song"),
        (meta(1, b"\x00\xff\x03\x04Fake") + meta(3, b"Song"), "Song"),
        (b"\x00\xf0\x05\x00\xff\x03\x01\xf7" + meta(3, b"Song"), "Song"),
        (meta(3, b"L" * 300), "L" * 300),
        (meta(3, "Étude".encode()), "Étude"),
        (meta(3, "Étude".encode("latin-1")), "Étude"),
        (meta(3, b" two\r\nlines "), "two lines"),
        (meta(3, b"Part"), ""),
        (meta(3, b""), ""),
        (meta(3, b"Song") + NOTE, ""),
        (b"", ""),
    ],
)
def test_the_title_is_the_name_of_a_first_track_that_plays_nothing(first: bytes, title: str) -> None:
    assert source_of(header(2) + track(first) + track(meta(3, b"Part") + NOTE)).title == title


def test_a_damaged_first_track_has_no_title() -> None:
    assert title_of(header() + b"MTrk\x00\x00\x00\x09\x00\xff\x03\x7f") == b""
    assert title_of(b"") == b""


@pytest.mark.parametrize(
    "events",
    [
        b"\x00\x90\x40\xff\x10\x40\x00",
        b"\x00\xf4\x00\x90\x40\x40\x10\x40\x00",
        b"\x00\xf2\x01\x02\x00\x90\x40\x40\x10\x40\x00",
        b"\x00\x90\x40\x40" + meta(1, b"x", 16) + b"\x00\x40\x00",
        b"\x00\xb0\x07\x80" + NOTE,
    ],
)
def test_what_can_be_mended_is_read(events: bytes) -> None:
    score = decode(header() + track(events))
    assert [(note.onset, note.pitch) for note in score.voices[0].notes] == [(0, 64)]


@settings(max_examples=40)
@given(scores())
def test_mending_a_good_file_changes_nothing(score: Score) -> None:
    data = encode(score)
    assert decode(mended(data)) == decode(data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a MIDI file"),
        (b"MThd", "ends within its header"),
        (header(division=0) + track(NOTE), "no ticks"),
        (header(division=0xE728) + track(NOTE), "SMPTE"),
        (header() + track(NOTE)[:-9], "cut off"),
        (header() + track(b"\x00\x40\x40"), "data without a status"),
        (header() + track(b"\x00\xff\x03\x7fab"), "runs past the end"),
        (header() + track(b"\x00\x90\x40\x40\x10\x40\x00" * 300_001), "more than 300,000 notes"),
        (header(5_000) + track(b"") * 5_000, "5,000 tracks"),
        (bytes(17_000_000), "17,000,000 bytes"),
        (header() + track(b"\xff\xff\xff\x7f" + NOTE[1:]), "139,810 bars"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words) as caught:
        decode(data)
    assert "\n" not in str(caught.value)


# Real files.


def _sample(shared: Path) -> Iterator[Path]:
    for folder, count in (("midi", 20), ("corpus/midi", 20)):
        files = sorted(path for path in (shared / folder).rglob("*.mid") if path.parent.name != "edge")
        yield from sorted(random.Random(7).sample(files, min(count, len(files))))


@pytest.mark.slow
@pytest.mark.shared
def test_real_files_survive_the_trip(shared: Path) -> None:
    files = list(_sample(shared))
    assert len(files) >= 20
    for path in files:
        row = audit_midi(path.read_bytes())
        flags = {name: value for name, value in row.items() if isinstance(value, bool)}
        assert all(flags.values()), (path.name, flags)
        for name in ("lost", "lost_percussion", "invented", "velocity_changed"):
            assert row[name] == 0, (path.name, name)
        assert row["start_slots_worst"] <= 1, path.name


REFUSED_EDGES = {("test-not-a-midi-file.mid", "this is not a MIDI file: it has no MThd header")}


@pytest.mark.shared
def test_edge_files_are_read_or_refused(shared: Path) -> None:
    files = sorted((shared / "midi" / "edge").glob("*.mid"))
    assert len(files) >= 60
    refused = set()
    for path in files:
        try:
            score = decode(path.read_bytes())
        except LibrettoError as error:
            refused.add((path.name, str(error)))
            continue
        assert decode(encode(score)).voices == score.voices, path.name
        source = parse_midi(path.read_bytes())
        assert len(score.voices) == sum(len(part.notes) > 0 for part in source.tracks)
        assert np.all(score.table["duration"] > 0)
    assert refused == REFUSED_EDGES


def test_midi_is_registered() -> None:
    piece = Score.build([Voice.of("PIANO", [Note(0, QUARTER, 60, 90)])])
    assert formats["midi"].encode(piece) == encode(piece)
    assert formats["midi"].decode(encode(piece)) == decode(encode(piece))


def test_names_in_old_encodings_are_read() -> None:
    note = b"\x00\x90\x40\x40\x60\x80\x40\x00\x00\xff\x2f\x00"
    name = "Flöte".encode("cp1252")
    track = b"\x00\xff\x03" + bytes([len(name)]) + name + note
    data = b"MThd\x00\x00\x00\x06\x00\x01\x00\x01\x00\x60MTrk" + len(track).to_bytes(4, "big") + track
    assert decode(data).voices[0].name == "Flöte"
