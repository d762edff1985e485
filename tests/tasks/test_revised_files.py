"""A MIDI file revised by the command: what is kept is kept, by another reader, and what is lost is said."""

from __future__ import annotations

from pathlib import Path

import mido
from typer.testing import CliRunner

from libretto.cli import app

BAR = 4 * 480
BARS = 8
PROGRAMS = {"Flute": 73, "Piano": 0, "Bass": 33}


def a_file(path: Path) -> Path:
    """Three parts over eight bars with two tempi, lyrics in the first and a pedal in the second."""
    song = mido.MidiFile(ticks_per_beat=480)
    head = mido.MidiTrack()
    head += [
        mido.MetaMessage("time_signature", numerator=4, denominator=4),
        mido.MetaMessage("set_tempo", tempo=500_000),
        mido.MetaMessage("set_tempo", tempo=600_000, time=4 * BAR),
        mido.MetaMessage("end_of_track", time=4 * BAR),
    ]
    song.tracks.append(head)
    for channel, (name, program) in enumerate(PROGRAMS.items()):
        track = mido.MidiTrack()
        track.append(mido.MetaMessage("track_name", name=name))
        track.append(mido.Message("program_change", channel=channel, program=program))
        if name == "Piano":
            track.append(mido.Message("control_change", channel=channel, control=64, value=100))
        for beat in range(4 * BARS):
            pitch = {"Flute": 72, "Piano": 60, "Bass": 36}[name] + (0, 4, 7, 4)[beat % 4] + beat // 16
            if name == "Flute":
                track.append(mido.MetaMessage("lyrics", text=f"la{beat}"))
            track.append(mido.Message("note_on", channel=channel, note=pitch, velocity=80))
            track.append(mido.Message("note_off", channel=channel, note=pitch, time=480))
        song.tracks.append(track)
    song.save(str(path))
    return path


def notes(path: Path, name: str) -> list[tuple[int, int, int]]:
    """Start, pitch and velocity of every note of a track."""
    for track in mido.MidiFile(str(path)).tracks:
        if track.name != name:
            continue
        tick, found = 0, []
        for message in track:
            tick += message.time
            if message.type == "note_on" and message.velocity:
                found.append((tick, message.note, message.velocity))
        return sorted(found)
    return []


def events(path: Path, kind: str, name: str | None = None) -> list[tuple[int, object]]:
    """The messages of a kind with their ticks, of one track or of all."""
    found = []
    for track in mido.MidiFile(str(path)).tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == kind and name in (None, track.name):
                found.append((tick, getattr(message, {"set_tempo": "tempo", "lyrics": "text"}.get(kind, "program"))))
    return found


def revised(tmp_path: Path, words: str) -> tuple[Path, Path, str]:
    source, target = a_file(tmp_path / "song.mid"), tmp_path / "out.mid"
    made = CliRunner().invoke(app, ["revise", str(source), words, "-o", str(target)])
    assert made.exit_code in (0, 1), made.output
    assert target.is_file(), made.output
    return source, target, made.output


def test_a_part_that_goes_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    source, target, _ = revised(tmp_path, "remove the bass")
    assert notes(target, "Bass") == []
    for name in ("Flute", "Piano"):
        assert notes(target, name) == notes(source, name)
        assert events(target, "program_change", name) == events(source, "program_change", name)
    assert events(target, "set_tempo") == events(source, "set_tempo")
    assert events(target, "lyrics", "Flute") == events(source, "lyrics", "Flute")


def test_a_part_that_comes_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    source, target, _ = revised(tmp_path, "add a harmony voice above the flute")
    for name in PROGRAMS:
        assert notes(target, name) == notes(source, name)
        assert events(target, "program_change", name) == events(source, "program_change", name)
    assert events(target, "set_tempo") == events(source, "set_tempo")
    assert events(target, "lyrics", "Flute") == events(source, "lyrics", "Flute")
    assert len(mido.MidiFile(str(target)).tracks) > len(mido.MidiFile(str(source)).tracks)


def test_bars_that_go_take_their_notes_and_tempo_along(tmp_path: Path) -> None:
    source, target, told = revised(tmp_path, "cut bars 1 to 2")
    for name in PROGRAMS:
        wanted = [(tick - 2 * BAR, pitch, velocity) for tick, pitch, velocity in notes(source, name) if tick >= 2 * BAR]
        assert notes(target, name) == wanted
    assert [tempo for _, tempo in events(target, "set_tempo")] == [500_000, 600_000]
    assert events(target, "set_tempo")[-1][0] == 2 * BAR
    words = [text for _, text in events(target, "lyrics", "Flute")]
    assert words == [f"la{beat}" for beat in range(8, 4 * BARS)] or "lyric" in told.lower()


def test_bars_said_again_are_as_they_were(tmp_path: Path) -> None:
    source, target, told = revised(tmp_path, "repeat bars 5 to 6")
    for name in PROGRAMS:
        old = notes(source, name)
        until = [row for row in old if row[0] < 6 * BAR]
        again = [(tick + 2 * BAR, *rest) for tick, *rest in old if tick >= 4 * BAR]
        assert notes(target, name) == sorted([*until, *again])
    words = [text for _, text in events(target, "lyrics", "Flute")]
    assert words[:24] == [f"la{beat}" for beat in range(24)] or "lyric" in told.lower()


def test_a_part_of_another_instrument_is_called_after_it(tmp_path: Path) -> None:
    source, target, _ = revised(tmp_path, "swap the flute for a clarinet")
    names = [track.name for track in mido.MidiFile(str(target)).tracks]
    assert "Clarinet" in names
    assert "Flute" not in names
    assert [program for _, program in events(target, "program_change", "Clarinet")] == [71]
    assert notes(target, "Piano") == notes(source, "Piano")
