"""Edits put into the MIDI file they came from: by another reader (mido), all that was not edited is where it was."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fuzz import header, track
from midi_reader import Heard, differences, heard, opened

from libretto.errors import FormatError, LibrettoError
from libretto.formats.midi import MIDI
from libretto.formats.midi.events import events_of
from libretto.formats.midi.read import decode
from libretto.formats.midi.splice import splice
from libretto.score import (
    QUARTER,
    WHOLE,
    Note,
    Patch,
    Score,
    Voice,
    add_voice,
    remove_voice,
    replace_bars,
    take_bars,
    transpose,
)
from libretto.score.keys import spell
from libretto.tasks.fill.gap import opened as with_empty_bars

BAR = 4 * QUARTER
DIVISION = 96
PLAYED_BAR = 4 * DIVISION
NEAR = WHOLE // 128  # further than a grid moves a start
SPREAD = 14  # every so many files are tried in a short run


def _named(pitch: int, onset: int, duration: int, velocity: int) -> Note:
    spelling = int(spell(np.array([pitch]), Score.build([]).key)[0])
    return Note(onset, duration, pitch, velocity, spelling)


def _tune(seed: int, start: int, length: int) -> tuple[Note, ...]:
    """Eighth notes of our own, made by chance."""
    rng = random.Random(seed)
    ticks = range(0, length, QUARTER // 2)
    return tuple(
        _named(rng.randrange(45, 80), start + t, min(QUARTER // 2, length - t), rng.randrange(50, 100)) for t in ticks
    )


def _refilled(score: Score, name: str, first: int, last: int, seed: int = 1) -> Score:
    """The score with other notes in some bars (indices) of a voice."""
    length = score.bar_lines[last + 1] - score.bar_lines[first]
    low, high = first + score.first_bar, last + score.first_bar
    return replace_bars(score, Patch(score.digest, (name,), low, high, (_tune(seed, 0, length),)))


def _ticks(data: bytes) -> Callable[[int], int]:
    division = int.from_bytes(data[data.find(b"MThd") + 12 :][:2], "big")
    return lambda tick: (2 * tick * division + QUARTER) // (2 * QUARTER)


# A file made by hand, with what files have: a padded wait, running status, system exclusive messages, metas of
# unknown kinds, words, a bend curve, a pedal, aftertouch, a chunk of another kind and a tail.
def _notes(channel: int, bars: int, pitch: int, late: int = 3) -> list[tuple[int, bytes]]:
    """Quarter notes, each played a little late."""
    events = []
    for beat in range(4 * bars):
        start = beat * DIVISION + (late if beat % 2 else 0)
        events.append((start, bytes((0x90 | channel, pitch + beat % 5, 70 + beat % 9))))
        events.append((start + 80, bytes((0x90 | channel, pitch + beat % 5, 0))))
    return events


def _played(*events: tuple[int, bytes]) -> bytes:
    """Events as a track body, with running status where it can run on."""
    out, now, running = [], 0, 0
    for tick, message in sorted(events, key=lambda event: event[0]):
        wait, status = tick - now, message[0]
        delta = bytes((0x80 | wait >> 7, wait & 0x7F)) if wait > 127 else bytes((wait,))
        out.append(delta + (message[1:] if status == running and status < 0xF0 else message))
        running, now = status if status < 0xF0 else 0, tick
    return b"".join(out)


def _sample(bars: int = 8) -> bytes:
    conductor = _played(
        (0, b"\xff\x03\x04Song"),
        (0, b"\xff\x58\x04\x04\x02\x18\x08"),
        (0, b"\xff\x59\x02\x00\x00"),
        (0, b"\xff\x51\x03\x07\xa1\x20"),
        (0, b"\xf0\x05\x7e\x7f\x09\x01\xf7"),
        (0, b"\xff\x06\x05Verse"),
        (4 * PLAYED_BAR, b"\xff\x06\x06Chorus"),
        (4 * PLAYED_BAR, b"\xff\x51\x03\x08\x00\x00"),
        (5 * PLAYED_BAR, b"\xff\x7f\x03\x00\x01\x02"),
    )
    lead = _played(
        (0, b"\xff\x03\x04Lead"),
        (0, b"\xff\x21\x01\x00"),
        (0, b"\xc0\x49"),
        (0, b"\xb0\x07\x5a"),
        (0, b"\xb0\x0a\x30"),
        (10, b"\xb0\x40\x7f"),
        *((tick, bytes((0xE0, tick % 128, 0x45))) for tick in range(PLAYED_BAR + 6, 5 * PLAYED_BAR, 50)),
        *((tick, b"\xff\x05\x02la") for tick in range(0, bars * PLAYED_BAR, DIVISION)),
        (700, b"\xf0\x03\x41\x10\xf7"),
        (800, b"\xd0\x22"),
        *_notes(0, bars, 60),
    )
    bass = _played((0, b"\xff\x03\x04Bass"), (0, b"\xc1\x21"), (3, b"\xa1\x28\x11"), *_notes(1, bars, 40, 0))
    alien = b"XFIH" + (5).to_bytes(4, "big") + b"stuff"
    padded = b"\x80\x80\x00" + b"\xff\x01\x02hi"
    return header(3, DIVISION, 1) + track(padded + conductor) + alien + track(lead) + track(bass) + b"\x00tail"


def test_the_made_file_reads_as_meant() -> None:
    score = decode(_sample())
    assert [voice.name for voice in score.voices] == ["Lead", "Bass"]
    assert (score.bars, len(score.table), score.title) == (8, 64, "Song")


def test_what_did_not_change_has_the_same_bytes() -> None:
    data = _sample()
    score = decode(data)
    assert splice(data, score, score) == data
    file = events_of(data)
    every = {number: [(event.tick, event) for event in part.events] for number, part in enumerate(file.tracks)}
    assert file.written({}) == file.written(every) == data


def test_only_the_edited_bars_of_the_edited_voice_change() -> None:
    data = _sample()
    score = decode(data)
    made = splice(data, score, _refilled(score, "Bass", 2, 3))
    gone, new = differences(heard(data), heard(made))
    assert {event.kind for event in (*gone, *new)} == {"note_on"}
    assert {event.channel for event in (*gone, *new)} == {1}
    assert len(gone) == 16
    assert len(new) == 32
    assert all(2 * PLAYED_BAR <= event.tick <= 4 * PLAYED_BAR for event in (*gone, *new))
    assert made.endswith(b"\x00tail")
    assert b"XFIH" in made
    assert events_of(made).tracks[:2] == events_of(data).tracks[:2]


def test_bends_leave_the_edited_bars_and_come_back_after_them() -> None:
    data = _sample()
    score = decode(data)
    made = splice(data, score, _refilled(score, "Lead", 2, 3))
    gone, new = differences(heard(data), heard(made))
    start, end = 2 * PLAYED_BAR, 4 * PLAYED_BAR
    assert all(start <= event.tick < end for event in gone if event.kind == "pitchwheel")
    bends = [event for event in heard(made) if event.kind == "pitchwheel"]
    assert [(event.tick, event.data) for event in bends if start <= event.tick < end] == [(start, b"\xe0\x00\x40")]
    held = [event.data for event in heard(data) if event.kind == "pitchwheel" and event.tick <= end][-1]
    assert [event.data for event in bends if event.tick == end] == [held]
    assert {event.kind for event in (*gone, *new)} == {"note_on", "pitchwheel"}


def test_transposing_moves_pitches_where_they_stand() -> None:
    data = _sample()
    score = decode(data)
    made = splice(data, score, transpose(score, 3))
    for old, new in zip(heard(data), heard(made), strict=True):
        assert old[:4] == new[:4]
        if old.kind in ("note_on", "polytouch"):
            assert new.data == bytes((old.data[0], old.data[1] + 3, old.data[2]))
        elif old.kind == "key_signature":
            assert new.data == b"\xff\x59\x02\xfd\x00"
        else:
            assert new.data == old.data
    assert _played_notes(decode(made)) == _played_notes(transpose(score, 3))


def test_louder_notes_are_the_same_notes() -> None:
    data = _sample()
    score = decode(data)
    array = score.voice("Lead").array.copy()
    array["velocity"][:10] += 20
    louder = replace(score, voices=(score.voice("Lead").with_notes(array), score.voice("Bass")))
    made = splice(data, score, louder)
    gone, new = differences(heard(data), heard(made))
    assert [(e.tick, e.data[1], e.data[2] + 20) for e in gone] == [(e.tick, e.data[1], e.data[2]) for e in new]
    assert len(gone) == 10


def test_a_tempo_changes_alone() -> None:
    data = _sample()
    score = decode(data)
    faster = replace(score, tempos=tuple((tick, micros // 2) for tick, micros in score.tempos))
    gone, new = differences(heard(data), heard(splice(data, score, faster)))
    assert [event.data for event in gone] == [b"\xff\x51\x03\x07\xa1\x20", b"\xff\x51\x03\x08\x00\x00"]
    assert [event.data for event in new] == [b"\xff\x51\x03\x03\xd0\x90", b"\xff\x51\x03\x04\x00\x00"]
    slower = replace(score, tempos=(*score.tempos[:1], (2 * BAR, 900_000)))
    made = splice(data, score, slower)
    assert decode(made).tempos == slower.tempos
    assert len(differences(heard(data), heard(made))[0]) == 1


def test_sections_keys_and_the_title_change_alone() -> None:
    data = _sample()
    score = decode(data)
    other = replace(score, sections=((0, "Intro"), (2 * BAR, "B")), title="Other", keys=transpose(score, 7).keys)
    made = splice(data, score, other)
    gone, new = differences(heard(data), heard(made))
    assert sorted(event.kind for event in gone) == ["key_signature", "marker", "marker", "track_name"]
    assert sorted(event.kind for event in new) == ["key_signature", "marker", "marker", "track_name"]
    again = decode(made)
    assert (again.sections, again.title, again.keys) == (other.sections, other.title, other.keys)


def test_another_program_and_another_name() -> None:
    data = _sample()
    score = decode(data)
    bass = score.voice("Bass")
    other = replace(score, voices=(score.voices[0], Voice("Contrabass", 43, False, bass.array)))
    gone, new = differences(heard(data), heard(splice(data, score, other)))
    assert sorted(event.data for event in gone) == [b"\xc1\x21", b"\xff\x03\x04Bass"]
    assert sorted(event.data for event in new) == [b"\xc1\x2b", b"\xff\x03\x0aContrabass"]


def test_a_new_voice_is_a_new_track_and_a_removed_one_falls_silent() -> None:
    data = _sample()
    score = decode(data)
    more = add_voice(score, Voice.of("Flute", _tune(3, 0, 8 * BAR), 73))
    made = splice(data, score, more)
    assert events_of(made).tracks[:3] == events_of(data).tracks
    again = decode(made)
    assert _played_notes(again) == _played_notes(more)
    (channel,) = {event.channel for event in heard(made) if event.track == 3 and event.channel >= 0}
    assert channel == 2
    silent = splice(data, score, remove_voice(score, "Bass"))
    gone, new = differences(heard(data), heard(silent))
    assert not new
    assert {(event.kind, event.channel) for event in gone} == {("note_on", 1)}


def test_one_track_takes_a_new_voice_on_a_free_channel() -> None:
    events = [(0, b"\xc0\x05"), *_notes(0, 4, 60), *_notes(2, 4, 48), *_notes(9, 4, 36)]
    data = header(1, DIVISION, 0) + track(_played(*events))
    score = decode(data)
    flute = Voice.of("Flute", _tune(3, 0, 4 * BAR), 73)
    made = splice(data, score, add_voice(score, flute))
    gone, new = differences(heard(data), heard(made))
    assert not gone
    assert {event.channel for event in new} == {1}
    played = [[note[:4] for note in voice.notes] for voice in decode(made).voices]
    assert [note[:4] for note in flute.notes] in played
    drums = Voice.of("More drums", [Note(tick, QUARTER // 4, 38, 80, 2) for tick in range(0, BAR, QUARTER)], None, True)
    assert {
        event.channel for event in differences(heard(data), heard(splice(data, score, add_voice(score, drums))))[1]
    } == {9}


def test_a_voice_that_shares_its_channel_states_its_program() -> None:
    events = [(0, b"\xc0\x05"), *_notes(0, 2, 60), (2 * PLAYED_BAR, b"\xc0\x30")]
    events += [(tick + 2 * PLAYED_BAR, message) for tick, message in _notes(0, 2, 60)]
    data = header(1, DIVISION, 0) + track(_played(*events))
    score = decode(data)
    first, second = score.voices
    wider = replace(score, voices=(first.with_notes((*first.notes, *_tune(4, 2 * BAR, 2 * BAR))), second))
    again = decode(splice(data, score, wider))
    assert [len(voice.array) for voice in again.voices] == [len(voice.array) for voice in wider.voices]
    assert [voice.program for voice in again.voices] == [5, 48]


@pytest.mark.parametrize("at", ["start", 4, "end"])
def test_new_bars_move_what_is_later_by_their_length(at: str | int) -> None:
    data = _sample()
    score = decode(data)
    longer, number = with_empty_bars(score, 2, at)
    index = number - longer.first_bar
    notes = (_tune(5, 0, 2 * BAR), _tune(6, 0, 2 * BAR))
    longer = replace_bars(longer, Patch(longer.digest, ("Lead", "Bass"), number, number + 1, notes))
    made = splice(data, score, longer)
    cut = index * PLAYED_BAR
    gone, new = differences(opened(heard(data), cut, 2 * PLAYED_BAR), heard(made))
    assert not gone
    assert {event.kind for event in new} <= {"note_on", "control_change", "pitchwheel"}
    assert all(cut <= event.tick <= cut + 2 * PLAYED_BAR for event in new)
    bends = [event.data for event in new if event.kind == "pitchwheel"]
    assert bends[:1] == ([] if at == "start" else [b"\xe0\x00\x40"])
    pedals = [event.data[2] for event in new if event.kind == "control_change" and event.data[1] == 64]
    assert pedals == ([] if at == "start" else [0, 127, 0, 127])  # down since the beginning: taken anew in each bar
    again = decode(made)
    assert again.bar_lines == longer.bar_lines
    assert again.sections == longer.sections
    _same_notes(again, longer)
    ends = [event.tick for event in heard(made) if event.kind == "end_of_track"]
    old = [event.tick for event in opened(heard(data), cut, 2 * PLAYED_BAR) if event.kind == "end_of_track"]
    assert all(one >= other for one, other in zip(ends, old, strict=True))


def test_new_bars_after_a_fade_are_heard() -> None:
    fade = [(3 * PLAYED_BAR + 4 * step, bytes((0xB0, 7, 90 - step))) for step in range(90)]
    data = header(1, DIVISION, 0) + track(_played((0, b"\xb0\x07\x5a"), *fade, *_notes(0, 4, 60)))
    score = decode(data)
    longer, number = with_empty_bars(score, 1, "end")
    name = score.voices[0].name
    made = splice(data, score, replace_bars(longer, Patch(longer.digest, (name,), number, number, (_tune(1, 0, BAR),))))
    levels = [event for event in heard(made) if event.kind == "control_change"]
    at_gap = [event.data[2] for event in levels if event.tick <= 4 * PLAYED_BAR][-1]
    assert at_gap == 90
    assert levels[-1].data[2] == 1


def test_notes_of_one_pitch_do_not_cut_each_other() -> None:
    long = [(0, b"\x90\x3c\x50"), (6 * DIVISION, b"\x80\x3c\x40")]
    later = [(2 * PLAYED_BAR, b"\x90\x3c\x50"), (2 * PLAYED_BAR + 50, b"\x80\x3c\x40")]
    data = header(1, DIVISION, 0) + track(_played(*long, *later))
    score = decode(data)
    name = score.voices[0].name
    new = (_named(60, 0, QUARTER, 70), _named(60, 3 * QUARTER, 3 * QUARTER, 71))
    made = splice(data, score, replace_bars(score, Patch(score.digest, (name,), 2, 2, (new,))))
    notes = {(note.onset, note.duration) for note in decode(made).voices[0].notes}
    # The first new note stops with the long one that it lies in; the second stops where the next begins.
    assert (0, 6 * QUARTER) in notes
    assert (BAR, 2 * QUARTER) in notes
    assert (BAR + 3 * QUARTER, QUARTER) in notes


def test_a_note_that_never_stops_stops_where_its_key_is_struck_anew() -> None:
    hanging = [(0, b"\x90\x3d\x50"), *_notes(0, 4, 50), (3 * PLAYED_BAR, b"\x90\x20\x50")]
    data = header(1, DIVISION, 0) + track(_played(*hanging))
    score = decode(data)
    name, new = score.voices[0].name, (_named(61, 0, QUARTER, 70), _named(61, 2 * QUARTER, QUARTER, 71))
    made = splice(data, score, replace_bars(score, Patch(score.digest, (name,), 2, 2, (new,))))
    stops = [event.tick for event in heard(made) if event.stops and event.data[1] == 61]
    assert stops == [PLAYED_BAR, PLAYED_BAR + DIVISION, PLAYED_BAR + 3 * DIVISION]
    notes = {(note.onset, note.duration) for note in decode(made).voices[0].notes if note.pitch == 61}
    assert {(BAR, QUARTER), (BAR + 2 * QUARTER, QUARTER)} < notes


def test_what_cannot_be_put_in_is_refused_in_one_line() -> None:
    data = _sample()
    score = decode(data)
    with pytest.raises(FormatError, match="taken out"):
        splice(data, score, take_bars(score, 1, 6))
    with pytest.raises(FormatError, match="not as the file has it"):
        splice(data, transpose(score, 1), score)
    two = data.replace(b"\x00\x00\x00\x06\x00\x01", b"\x00\x00\x00\x06\x00\x02", 1)
    with pytest.raises(FormatError, match="pieces of their own"):
        splice(two, score, transpose(score, 1))
    with pytest.raises(LibrettoError):
        splice(data[:-300], score, transpose(score, 1))
    escape = data.replace(b"\xf0\x03\x41\x10\xf7", b"\xf7\x03\x41\x10\x00")
    with pytest.raises(FormatError, match="cannot be paired"):  # symusic reads the length of an escape as a wait
        splice(escape, decode(escape), transpose(decode(escape), 1))
    assert MIDI.splice is not None
    assert MIDI.splice(data, score, transpose(score, 1)) == splice(data, score, transpose(score, 1))


def _played_notes(score: Score) -> list[tuple[str, list[tuple[int, ...]]]]:
    """What MIDI holds of the notes of each voice: all but the spelling."""
    return [(voice.name, [note[:4] for note in voice.notes]) for voice in score.voices]


def _same_notes(one: Score, other: Score) -> None:
    """The same notes in the same voices, off by no more than a grid may move what was played.

    Lengths may differ where another note of the pitch sounds: MIDI cannot hold one within another.
    """
    table = other.table
    for voice in other.voices:
        mine = sorted(one.voice(voice.name).notes, key=lambda note: (note.pitch, note.onset))
        theirs = sorted(voice.notes, key=lambda note: (note.pitch, note.onset))
        assert [note.pitch for note in mine] == [note.pitch for note in theirs], voice.name
        for note, wanted in zip(mine, theirs, strict=True):
            assert abs(note.onset - wanted.onset) <= NEAR, (voice.name, note, wanted)
            if abs(note.duration - wanted.duration) > 2 * NEAR:
                there = table[table["pitch"] == wanted.pitch]
                stop = wanted.onset + wanted.duration
                near = (there["onset"] <= stop + NEAR) & (there["onset"] + there["duration"] >= wanted.onset - NEAR)
                assert near.sum() > 1, (voice.name, note, wanted)


# What follows needs the music beside the checkout.


def _songs(shared: Path) -> list[Path]:
    return sorted((shared / "midi").rglob("*.mid"))


def _edits(score: Score) -> Iterator[tuple[str, Score, int | None]]:
    """Edits of all kinds, made on the Score: what it is, the new Score, and before which bar bars were put in."""
    rng = random.Random(score.bars * 1_000 + len(score.table))
    voice = rng.choice(score.voices)
    first = rng.randrange(score.bars)
    yield "bars", _refilled(score, voice.name, first, min(first + 3, score.bars - 1)), None
    highest = max((int(v.array["pitch"].max()) for v in score.voices if not v.drums and len(v.array)), default=0)
    yield "transpose", transpose(score, 3 if highest < 125 else -3), None
    name = next(name for name in ("Newcomer", "Newcomer 2") if name not in {v.name for v in score.voices})
    yield "voice", add_voice(score, Voice.of(name, _tune(9, 0, score.ticks), 73)), None
    yield "tempo", replace(score, tempos=tuple((tick, micros + 1_000) for tick, micros in score.tempos)), None
    for place in (0, rng.randrange(score.bars), score.bars):
        at = "end" if place == score.bars else "start" if place == 0 else place + score.first_bar
        longer, number = with_empty_bars(score, 2, at)
        length = longer.bar_lines[place + 2] - longer.bar_lines[place]
        patch = Patch(longer.digest, (voice.name,), number, number + 1, (_tune(7, 0, length),))
        yield f"open {at}", replace_bars(longer, patch), place


def _check_edit(data: bytes, score: Score, kind: str, after: Score, place: int | None) -> None:
    made = splice(data, score, after, at=place)
    try:
        old, new = heard(data), heard(made)
    except (OSError, ValueError, EOFError, KeyError, IndexError):
        return  # mido cannot read it; that it is read at all is checked by the caller
    file_tick = _ticks(data)
    if kind == "transpose":
        _check_transposed(old, new)
        return
    if place is not None:
        start, more = file_tick(score.bar_lines[place]), file_tick(after.ticks - score.ticks)
        end = start + more
        old = opened(old, start, more)
    gone, fresh = differences(old, new)
    if kind == "tempo":
        assert {event.kind for event in (*gone, *fresh)} == {"set_tempo"}
    elif kind == "voice":
        assert not gone
        assert len({event.channel for event in fresh if event.channel >= 0}) == 1
    elif place is not None:
        near = file_tick(NEAR)
        early = [event for event in gone if event.tick < start]
        assert all((start - near <= event.tick and event.kind.startswith("note")) or event.stops for event in gone)
        assert all(
            event.kind in ("note_on", "note_off", "control_change", "pitchwheel", "program_change") for event in fresh
        )
        moved = {event._replace(tick=event.tick + more) for event in early}
        assert all(start <= event.tick <= end or event in moved or event.stops for event in fresh if event.channel >= 0)
    else:
        _check_bars(score, after, gone, fresh, file_tick)


def _check_bars(
    score: Score, after: Score, gone: list[Heard], fresh: list[Heard], file_tick: Callable[[int], int]
) -> None:
    voice = next(v.name for v, w in zip(score.voices, after.voices, strict=True) if v != w)
    changed = set(score.voice(voice).notes) ^ set(after.voice(voice).notes)
    bars = [score.bar_at(note.onset) for note in changed]
    low, high = file_tick(score.bar_lines[min(bars)]), file_tick(score.bar_lines[max(bars) + 1])
    near = file_tick(NEAR)
    notes = [event for event in (*gone, *fresh) if event.kind in ("note_on", "note_off")]
    assert len({(event.track, event.channel) for event in notes}) <= 1
    assert all(low - near <= event.tick < high for event in gone if event.starts)
    assert all(low <= event.tick < high for event in fresh if event.starts)
    others = [event for event in (*gone, *fresh) if event not in notes]
    assert {event.kind for event in others} <= {"pitchwheel", "program_change"}
    assert all(low <= event.tick <= high for event in others if event.kind == "pitchwheel")


def _check_transposed(old: list[Heard], new: list[Heard]) -> None:
    kept = [event for event in new if event.kind != "key_signature"]
    before = [event for event in old if event.kind != "key_signature"]
    steps = set()
    for one, other in zip(before, kept, strict=True):
        assert one[:4] == other[:4]
        if one.data != other.data:
            assert one.kind in ("note_on", "note_off", "polytouch")
            assert one.data[2:] == other.data[2:]
            steps.add(other.data[1] - one.data[1])
    assert len(steps) <= 1
    assert len([event for event in new if event.kind == "key_signature"]) == len(old) - len(before)


def _check_song(path: Path) -> int:
    """Every edit of one song, checked; how many there were."""
    data = path.read_bytes()
    try:
        score = decode(data)
    except LibrettoError:
        return 0
    if not score.voices:
        return 0
    count = 0
    for kind, after, place in _edits(score):
        _check_edit(data, score, kind, after, place)
        count += 1
    return count


def test_songs_are_the_same_outside_of_edits(shared: Path) -> None:
    songs = _songs(shared)[::SPREAD]
    assert sum(map(_check_song, songs)) > len(songs)


@pytest.mark.slow
def test_every_song_is_the_same_outside_of_edits(shared: Path) -> None:
    failed = []
    for song in _songs(shared):
        try:
            _check_song(song)
        except (AssertionError, FormatError) as error:
            failed.append(f"{song.name}: {str(error).splitlines()[0] if str(error) else error!r}")
    assert not failed, failed
