"""A workspace keeps the file that a piece came from, and edits go back into it."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import mido

from libretto.formats import formats
from libretto.grammar import parse
from libretto.score import transpose
from libretto.workspace import Workspace, open_version, save_file

_SONG = """KEY: G major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 2
VOICES: LEAD[prog=65]
@1 [G]
  LEAD: G4@1>4 B4@5>4 D5@9>8
@2 [C]
  LEAD: C5@1>4 E5@5>4 G5@9>8
"""


def _midi() -> bytes:
    """The song with a system message in its file, which no text can hold."""
    file = mido.MidiFile(file=BytesIO(formats["midi"].encode(parse(_SONG))))
    file.tracks[1].insert(2, mido.Message("sysex", data=[1, 2, 3]))
    out = BytesIO()
    file.save(file=out)
    return out.getvalue()


def test_a_piece_that_nobody_changed_is_its_file(tmp_path: Path) -> None:
    home, song, copy = Workspace(tmp_path), tmp_path / "song.mid", tmp_path / "copy.mid"
    song.write_bytes(_midi())
    name, version = save_file(home, song, author="ann", time="t")
    assert save_file(home, song, author="ann", time="t")[1].number == version.number
    open_version(home, name, None, copy)
    assert copy.read_bytes() == song.read_bytes()


def test_a_later_version_goes_into_the_file_of_the_first(tmp_path: Path) -> None:
    home, song, up = Workspace(tmp_path), tmp_path / "song.mid", tmp_path / "up.mid"
    song.write_bytes(_midi())
    name, _ = save_file(home, song, author="ann", time="t")
    home.save(name, transpose(home.score(name), 2), author="ann", time="t", message="up")
    _, made = open_version(home, name, None, up)
    assert made.kept is not None
    kinds = [message.type for track in mido.MidiFile(str(up)).tracks for message in track]
    assert "sysex" in kinds
    notes = [m.note for track in mido.MidiFile(str(up)).tracks for m in track if m.type == "note_on" and m.velocity]
    assert sorted(notes) == sorted(note.pitch + 2 for note in parse(_SONG).voices[0].notes)


def test_another_format_says_what_it_loses(tmp_path: Path) -> None:
    home, song = Workspace(tmp_path), tmp_path / "song.mid"
    song.write_bytes(_midi())
    name, _ = save_file(home, song, author="ann", time="t")
    _, made = open_version(home, name, None, tmp_path / "song.abc")
    assert made.kept is None
    assert made.lost["system messages"] == 1


def test_a_piece_without_a_file_is_written_whole(tmp_path: Path) -> None:
    home = Workspace(tmp_path)
    home.save("tune", parse(_SONG), author="ann", time="t")
    assert home.source("tune") is None
    _, made = open_version(home, "tune", None, tmp_path / "tune.mid")
    assert made.kept is None
    assert "untouched" not in made.line()
