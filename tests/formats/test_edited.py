"""An edited piece goes back into its file: what was kept is counted, and what could not be spliced is said."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import mido
import pytest

from libretto.errors import FileExists
from libretto.formats import format_of, formats, read, same_file, unread_in_files, write, write_edited
from libretto.formats.edited import edited_bytes
from libretto.formats.keeping import kept_between
from libretto.grammar import parse
from libretto.score import Mark, Score, transpose

_SONG = """TITLE: Walk
KEY: G major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 4
VOICES: LEAD[prog=65], BASS[prog=33]
@1 [G]
  LEAD: G4@1>4 B4@5>4 D5@9>8
  BASS: G2@1>16
@2 [C]
  LEAD: C5@1>4 E5@5>4 G5@9>8
  BASS: C3@1>16
@3 [D7]
  LEAD: D5@1>4 F#5@5>4 A5@9>8
  BASS: D3@1>16
@4 [G]
  LEAD: G5@1>16
  BASS: G2@1>16
"""


def _midi() -> bytes:
    """The song with a controller, a bend, a lyric and a system message in its file."""
    file = mido.MidiFile(file=BytesIO(formats["midi"].encode(parse(_SONG))))
    track = file.tracks[1]
    channel = next(message.channel for message in track if message.type == "note_on")
    track.insert(3, mido.Message("control_change", channel=channel, control=7, value=90))
    track.insert(4, mido.Message("pitchwheel", channel=channel, pitch=300))
    track.insert(5, mido.MetaMessage("lyrics", text="la"))
    track.insert(6, mido.Message("sysex", data=[1, 2, 3]))
    out = BytesIO()
    file.save(file=out)
    return out.getvalue()


def _without_a_bar(score: Score, bar: int) -> Score:
    """The piece with one bar of its first voice silent."""
    voice, start, end = score.voices[0], score.bar_lines[bar], score.bar_lines[bar + 1]
    notes = [note for note in voice.notes if not start <= note.onset < end]
    return replace(score, voices=(voice.with_notes(notes), *score.voices[1:]))


def test_an_edit_keeps_every_other_event() -> None:
    data, midi = _midi(), formats["midi"]
    made = edited_bytes(data, midi, _without_a_bar(midi.decode(data), 1), midi)
    assert made.kept is not None
    assert made.kept.out == {"note-off": 3, "note-on": 3}
    assert made.kept.new == {}
    messages = [str(message) for track in mido.MidiFile(file=BytesIO(made.data)).tracks for message in track]
    assert any("sysex" in text for text in messages)
    assert any("lyrics" in text for text in messages)
    assert made.line().startswith("everything else in the file is untouched: ")


def test_another_format_says_what_is_lost() -> None:
    data, midi = _midi(), formats["midi"]
    made = edited_bytes(data, midi, midi.decode(data), formats["abc"])
    assert made.kept is None
    assert {"system messages", "velocities"} <= made.lost.keys() | {"velocities"}
    assert "untouched" not in made.line()
    assert made.to_dict()["spliced"] is False


def test_a_file_that_cannot_be_spliced_is_written_anew_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    from libretto.errors import FormatError

    def refuse(data: bytes, before: Score, after: Score) -> bytes:
        raise FormatError("the tracks are pieces of their own")

    midi = replace(formats["midi"], splice=refuse)
    data = _midi()
    made = edited_bytes(data, midi, _without_a_bar(midi.decode(data), 1), midi)
    assert made.kept is None
    assert "the tracks are pieces of their own" in made.line()
    assert made.lost["system messages"] == 1


def test_musicxml_changes_its_container_and_nothing_else() -> None:
    plain, packed = formats["musicxml"], formats["mxl"]
    data = plain.encode(parse(_SONG))
    archive = same_file(data, plain, packed)
    assert archive is not None
    assert same_file(archive, packed, plain) == data
    assert same_file(data, plain, formats["midi"]) is None
    made = edited_bytes(archive, packed, _without_a_bar(plain.decode(data), 1), plain)
    assert made.kept is not None
    assert plain.decode(made.data) == _without_a_bar(plain.decode(data), 1)


def test_files_are_written_atomically_and_never_over_others(tmp_path: Path) -> None:
    source = tmp_path / "song.mid"
    source.write_bytes(_midi())
    up = transpose(read(source), 2)
    made = write_edited(up, source, tmp_path / "up.mid")
    assert made.kept is not None
    assert made.kept.out.keys() <= {"key", "note-off", "note-on"}
    with pytest.raises(FileExists):
        write_edited(up, source, tmp_path / "up.mid")
    assert [voice.array["pitch"].tolist() for voice in read(tmp_path / "up.mid").voices] == [
        voice.array["pitch"].tolist() for voice in up.voices
    ]


def test_what_only_files_hold_is_named(tmp_path: Path) -> None:
    source, text = tmp_path / "song.mid", tmp_path / "song.libretto"
    source.write_bytes(_midi())
    write(read(source), text)
    assert unread_in_files(source, text)["system messages"] == 1
    assert unread_in_files(source, source) == {}


def test_two_files_are_compared_event_by_event() -> None:
    data = _midi()
    kept = kept_between(data, data)
    assert (kept.out, kept.new) == ({}, {})
    assert kept.same == sum(len(track) for track in mido.MidiFile(file=BytesIO(data)).tracks)
    assert format_of("x.mid").left_out is not None


def test_changed_marks_are_never_dropped_in_silence() -> None:
    plain = formats["musicxml"]
    data = plain.encode(parse(_SONG))
    score = plain.decode(data)
    voice = score.voices[0]
    loud = replace(score, voices=(voice.with_marks([Mark(0, "dynamics", "ff")]), *score.voices[1:]))
    made = edited_bytes(data, plain, loud, plain)
    assert made.kept is None
    assert "marks" in made.why
    assert [mark.value for mark in plain.decode(made.data).voices[0].marks if mark.kind == "dynamics"] == ["ff"]


def test_what_only_engraving_needs_is_counted() -> None:
    plain = formats["musicxml"]
    ours = plain.encode(parse(_SONG))
    assert plain.left_out is not None
    assert plain.left_out(ours, plain.decode(ours)) == {}
    theirs = ours.replace(b"<software>Libretto", b"<software>Other").replace(
        b"<note ", b"<print new-page='yes'/><note ", 2
    )
    stems = theirs.count(b"<stem>") + theirs.count(b"<beam ")
    assert plain.left_out(theirs, plain.decode(theirs)) == {"engraving marks": 2 + stems}
