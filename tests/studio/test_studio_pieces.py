"""The addresses of the studio that show and change pieces, with good and bad input; an independent reader for MIDI."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path
from typing import Any

import mido
import pytest

pytest.importorskip("starlette")
from studio_room import TIME, Room, small_piece

from libretto.formats import formats
from libretto.grammar import notate
from libretto.score import QUARTER
from libretto.workspace import add_take


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def seconds_of(playing: list[list[float]], tick: int) -> list[float]:
    """When a tick sounds, by the map of the view: once for every time it is played."""
    return [
        start + (tick - first) / (last - first) * (stop - start)
        for start, stop, first, last in playing
        if first <= tick < last
    ]


def test_the_state_lists_pieces_and_what_there_is(room: Room) -> None:
    status, state = room.get("/api/state")
    assert status == 200
    assert state["pieces"] == [{"name": "small", "version": 1, "time": TIME, "title": "Small"}]
    assert set(state) >= {"workspace", "jobs", "models", "has", "version"}
    assert isinstance(state["models"]["names"], list)


def test_a_view_says_what_the_piece_is(room: Room) -> None:
    status, view = room.get("/api/pieces/small")
    score = small_piece()
    assert status == 200
    assert (view["name"], view["version"], view["title"]) == ("small", 1, "Small")
    assert [bar["chords"] for bar in view["bars"]] == [["C"], ["G"], ["F"], ["C"]]
    assert [bar["tick"] for bar in view["bars"]] == [bar * 4 * QUARTER for bar in range(4)]
    assert view["end"] == 16 * QUARTER
    assert view["notes"]["pitch"] == score.table["pitch"].tolist()
    assert [voice["name"] for voice in view["voices"]] == ["Lead", "Kit"]
    assert view["voices"][0]["lowest"] == 60
    assert view["voices"][1]["drums"]
    assert view["sections"] == [{"tick": 0, "name": "A"}, {"tick": 8 * QUARTER, "name": "B"}]
    assert len(view["energy"]) == 4
    assert max(view["energy"]) <= 1
    assert view["text"] == notate(score)
    assert view["history"] == {"now": 1, "undo": [], "redo": []}


def test_the_performance_sounds_when_the_view_says(room: Room) -> None:
    _, view = room.get("/api/pieces/small")
    playing = view["playing"]
    assert [row[2:] for row in playing] == [
        [0, 8 * QUARTER],
        [0, 9 * QUARTER],
        [9 * QUARTER, 16 * QUARTER],
    ]
    assert playing[0][0] == 0
    assert all(one[1] == other[0] for one, other in pairwise(playing))
    assert playing[-1][1] == view["seconds"] == pytest.approx(2 * 4 + 0.5 + 7 * 0.4)
    answer = room.client.get("/api/pieces/small/performance.mid")
    file = mido.MidiFile(file=io.BytesIO(answer.content))
    heard: dict[int, list[tuple[float, int]]] = {}
    for track in file.tracks[1:]:
        seconds = 0.0
        for message in track:
            seconds += mido.tick2second(message.time, file.ticks_per_beat, 1_000_000)
            if message.type == "note_on" and message.velocity:
                heard.setdefault(message.channel, []).append((seconds, message.note))
    channels = [voice["channel"] for voice in view["voices"]]
    assert len(heard[channels[0]]) == 24  # the first two bars sound twice
    notes = view["notes"]
    rows = zip(notes["voice"], notes["onset"], notes["pitch"], strict=True)
    due = sorted((at, pitch) for voice, onset, pitch in rows if voice == 0 for at in seconds_of(playing, onset))
    assert [pitch for _, pitch in due] == [pitch for _, pitch in heard[channels[0]]]
    for (expected, _), (second, _) in zip(due, heard[channels[0]], strict=True):
        assert abs(expected - second) < 0.04  # a player's touch


@pytest.mark.parametrize(
    "path",
    [
        "/api/pieces/none",
        "/api/pieces/small@9",
        "/api/pieces/small@0",
        "/api/pieces/small@x",
        "/api/pieces/%F0%9F%8E%B5",
    ],
)
def test_a_piece_that_is_not_there_is_one_line(room: Room, path: str) -> None:
    status, told = room.get(path)
    assert status == 400
    assert "\n" not in told["error"]


@pytest.mark.parametrize("name", ["midi", "musicxml", "abc", "text"])
def test_a_dropped_file_becomes_a_piece(room: Room, name: str) -> None:
    suffix = formats[name].suffixes[0]
    status, told = room.post(f"/api/pieces?name=My%20Song{suffix}", formats[name].encode(small_piece("My Song")))
    assert status == 200, told
    assert told["piece"] == "my-song"
    _, view = room.get(f"/api/pieces/{told['piece']}")
    assert len(view["notes"]["pitch"]) >= 24
    again = room.post(f"/api/pieces?name=My%20Song{suffix}", formats[name].encode(small_piece("My Song")))[1]
    assert again["piece"] == "my-song-2"


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("x.mid", b""),
        ("x.mid", b"MThd"),
        ("x.mid", b"RIFF" * 100),
        ("x.exe", b"x"),
        ("", b"x"),
        ("x", b"x"),
        ("x.musicxml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"),
        ("x.mxl", b"PK\x03\x04broken"),
        ("x.abc", b"\xff\xfe"),
        ("x.libretto", b"nonsense"),
        ("../../x.libretto", b"\x00"),
        ("x" * 400 + ".mid", b"x"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line(room: Room, name: str, body: bytes) -> None:
    status, told = room.post(f"/api/pieces?name={name}", body)
    assert status == 400
    assert told["error"]
    assert "\n" not in told["error"]
    assert room.workspace.pieces() == ["small"]


def edit(room: Room, *do: dict[str, Any], base: int = 1) -> tuple[int, Any]:
    return room.post("/api/pieces/small/edit", {"base": base, "do": list(do)})


def test_notes_are_added_set_and_deleted_by_their_places(room: Room) -> None:
    before = small_piece()
    add = {"op": "add", "voice": 0, "onset": 0, "duration": QUARTER, "pitch": 67, "velocity": 90}
    status, told = edit(room, {"op": "set", "note": 1, "pitch": 63, "velocity": 20}, {"op": "delete", "note": 3}, add)
    assert status == 200, told
    assert told["version"] == 2
    assert "22 of 24 notes stayed" in told["kept"]
    after = room.workspace.score("small")
    mine, old = after.voice("Lead").notes, before.voice("Lead").notes
    assert sorted(note.pitch for note in mine[:2]) == [60, 67]
    assert (mine[2].onset, mine[2].pitch, mine[2].velocity) == (old[1].onset, 63, 20)
    assert old[3] not in mine
    assert [note for note in old if note not in mine] == [old[1], old[3]]
    assert after.voice("Kit") == before.voice("Kit")
    assert after.chords == before.chords
    version = room.workspace.version("small")
    assert version.author == "tester"
    assert version.about["kept"] == told["kept"]


@pytest.mark.parametrize(
    ("step", "check"),
    [
        (
            {"op": "transpose", "semitones": 2},
            lambda s: s.voice("Lead").notes[0].pitch == 62 and str(s.key) == "D major",
        ),
        (
            {"op": "transpose", "semitones": 12, "first": 1, "last": 1, "voices": ["Lead"]},
            lambda s: [n.pitch for n in s.voice("Lead").notes[:5]] == [72, 74, 76, 77, 67],
        ),
        (
            {"op": "move", "first": 3, "last": 3, "to": 4, "voices": ["Lead"]},
            lambda s: (
                [n.pitch for n in s.voice("Lead").notes[8:]] == [71, 69, 67, 65] and len(s.voice("Kit").notes) == 8
            ),
        ),
        (
            {"op": "copy", "first": 1, "last": 1, "to": 3, "voices": ["Lead"]},
            lambda s: [n.pitch for n in s.voice("Lead").notes[8:12]] == [60, 62, 64, 65],
        ),
        ({"op": "copy", "first": 3, "last": 4, "to": 5}, lambda s: s.bars >= 6),
        ({"op": "program", "voice": "Lead", "program": 40}, lambda s: s.voice("Lead").program == 40),
        ({"op": "rename", "voice": "Lead", "name": "Fiddle"}, lambda s: s.voices[0].name == "Fiddle"),
        ({"op": "tempo", "bpm": 90}, lambda s: round(s.bpm) == 90 and len(s.tempos) == 1),
        ({"op": "title", "title": "<b>x</b>\nnew"}, lambda s: s.title == "<b>x</b> new"),
        ({"op": "remove_voice", "voice": 1}, lambda s: len(s.voices) == 1),
        ({"op": "add_voice", "name": "Bass", "program": 33}, lambda s: s.voice("Bass").program == 33),
        ({"op": "silence", "first": 1, "last": 2, "voices": ["Kit"]}, lambda s: len(s.voice("Kit").notes) == 4),
        ({"op": "louder", "by": 10}, lambda s: s.voice("Lead").notes[0].velocity > 80),
        ({"op": "chords", "bar": 2, "chords": ["Em", "Am"]}, lambda s: s.chords[1] == ("Em", "Am")),
        ({"op": "section", "bar": 2, "name": "New"}, lambda s: (4 * QUARTER, "New") in s.sections),
        ({"op": "cut", "first": 4, "last": 4}, lambda s: len(s.voice("Lead").notes) < 24),
        ({"op": "key", "key": "G major"}, lambda s: str(s.key) == "G major"),
    ],
)
def test_every_edit_does_what_it_says(room: Room, step: dict[str, Any], check: Any) -> None:
    status, told = edit(room, step)
    assert status == 200, told
    assert told["version"] == 2
    assert told["said"]
    assert check(room.workspace.score("small")), told


BAD_STEPS: list[Any] = [
    {},
    {"op": "nope"},
    {"op": []},
    "add",
    None,
    {"op": "set", "note": 99, "pitch": 1},
    {"op": "set", "note": -1},
    {"op": "set", "note": 0, "pitch": 128},
    {"op": "set", "note": 0, "velocity": 0},
    {"op": "set", "note": 0, "duration": 0},
    {"op": "set", "note": 0, "onset": 10**15},
    {"op": "set", "note": 0, "onset": 1e99},
    {"op": "set", "note": 0.5},
    {"op": "set", "note": True, "pitch": 1},
    {"op": "add", "voice": 9, "onset": 0, "duration": 1, "pitch": 1},
    {"op": "add", "voice": "Nobody", "onset": 0, "duration": 1, "pitch": 1},
    {"op": "add", "voice": 0},
    {"op": "delete"},
    {"op": "transpose", "semitones": 1.5},
    {"op": "transpose", "semitones": 99},
    {"op": "transpose", "semitones": 127, "voices": ["Lead"]},
    {"op": "move", "first": 4, "last": 1, "to": 1},
    {"op": "move", "first": 1, "last": 2, "to": 99},
    {"op": "copy", "first": 0, "last": 1, "to": 1},
    {"op": "program", "voice": 0, "program": 128},
    {"op": "rename", "voice": 0, "name": "a,b"},
    {"op": "rename", "voice": 0, "name": ""},
    {"op": "rename", "voice": 0, "name": "Kit"},
    {"op": "tempo", "bpm": 0},
    {"op": "tempo", "bpm": float("1e300")},
    {"op": "title"},
    {"op": "chords", "bar": 1, "chords": ["<script>"]},
    {"op": "chords", "bar": 1, "chords": []},
    {"op": "section", "bar": 1, "name": "[x]"},
    {"op": "key", "key": "H"},
    {"op": "quantize", "division": 7},
    {"op": "silence", "voices": "Lead"},
    {"op": "cut"},
]


@pytest.mark.parametrize("step", BAD_STEPS, ids=str)
def test_an_edit_that_cannot_be_changes_nothing(room: Room, step: Any) -> None:
    status, told = edit(room, step)
    assert status == 400, told
    assert "\n" not in told["error"]
    assert room.workspace.version("small").number == 1


def test_of_several_edits_all_are_done_or_none(room: Room) -> None:
    assert edit(room, {"op": "delete", "note": 0}, {"op": "tempo", "bpm": -1})[0] == 400
    assert room.workspace.version("small").number == 1
    assert room.post("/api/pieces/small/edit", {"base": 1, "do": []})[0] == 400
    assert room.post("/api/pieces/small/edit", {"base": 1, "do": {}})[0] == 400


def test_two_writers_never_overwrite_each_other(room: Room) -> None:
    assert edit(room, {"op": "delete", "note": 0})[0] == 200
    status, told = edit(room, {"op": "delete", "note": 1})
    assert status == 409
    assert (told["stale"], told["piece"], told["newest"]) == (True, "small", 2)
    for path, data in (("text", {"text": "x"}), ("undo", {})):
        assert room.post(f"/api/pieces/small/{path}", {"base": 1, **data})[0] in (400, 409)
    assert room.workspace.version("small").number == 2
    assert edit(room, {"op": "delete", "note": 1}, base=7)[0] == 400


def test_a_text_is_written_or_its_problems_are_told(room: Room) -> None:
    text = room.workspace.text("small")
    status, told = room.post("/api/pieces/small/text", {"base": 1, "text": text.replace("Small", "Other")})
    assert (status, told["version"]) == (200, 2)
    status, told = room.post("/api/pieces/small/text", {"base": 2, "text": text.replace("KEY:", "KAY:")})
    assert status == 400
    assert told["problems"][0]["line"] >= 1
    assert room.workspace.version("small").number == 2
    assert room.post("/api/pieces/small/text", {"base": 2, "text": text.replace("Small", "Other")})[1]["version"] == 2


def test_a_text_is_checked_place_by_place(room: Room) -> None:
    text = room.workspace.text("small")
    assert room.post("/api/check", {"text": text}) == (200, {"problems": [], "ok": True})
    status, told = room.post("/api/check", {"text": text.replace("@3", "@7")})
    assert status == 200
    assert not told["ok"]
    assert {"line", "column", "found", "expected"} <= set(told["problems"][0])
    for bad in ({}, {"text": 5}, {"text": None}):
        assert room.post("/api/check", bad)[0] == 400


def test_undo_redo_and_going_back(room: Room) -> None:
    edit(room, {"op": "title", "title": "Two"})
    edit(room, {"op": "title", "title": "Three"}, base=2)
    assert room.post("/api/pieces/small/undo", {"base": 3})[1]["version"] == 4
    assert room.workspace.score("small").title == "Two"
    assert room.post("/api/pieces/small/undo", {"base": 4, "redo": True})[1]["version"] == 5
    assert room.workspace.score("small").title == "Three"
    assert room.post("/api/pieces/small/undo", {"base": 5, "to": 1})[1]["version"] == 6
    assert room.workspace.score("small").title == "Small"
    assert room.post("/api/pieces/small/undo", {"base": 6, "to": 99})[0] == 400
    assert room.post("/api/pieces/none/undo", {"base": 1})[0] in (400, 409)


def test_a_difference_names_notes(room: Room) -> None:
    edit(room, {"op": "set", "note": 2, "pitch": 65})
    status, told = room.get("/api/diff?a=small@1&b=small@2")
    assert status == 200
    assert (told["notes_a"], told["notes_b"], told["same"]) == ([2], [2], False)
    assert told["lines"]
    assert room.get("/api/diff?a=small@1&b=small@1")[1]["same"]
    for bad in ("?a=small", "?a=small&b=none", "", "?a=take:..&b=small"):
        assert room.get(f"/api/diff{bad}")[0] == 400


def take(room: Room, title: str = "Taken") -> str:
    score = small_piece(title)
    return add_take(
        room.workspace, score, piece="small", base=1, kind="fill", what="another title", by="house", proof="p"
    ).id


def test_a_take_is_seen_heard_kept_and_dropped(room: Room) -> None:
    number = take(room)
    status, view = room.get(f"/api/takes/{number}")
    assert status == 200
    assert (view["name"], view["version"], view["title"], view["take"]["id"]) == ("small", 1, "Taken", number)
    assert room.client.get(f"/api/takes/{number}/performance.mid").content.startswith(b"MThd")
    assert room.get(f"/api/diff?a=small@1&b=take:{number}")[1]["lines"] == ["title Small -> Taken"]
    status, told = room.post(f"/api/takes/{number}/keep", {"base": 1})
    assert (status, told["version"], told["kept"]) == (200, 2, "p")
    assert room.workspace.score("small").title == "Taken"
    assert "tester" in room.workspace.version("small").author
    assert room.client.delete(f"/api/takes/{number}").status_code == 200
    assert room.get(f"/api/takes/{number}")[0] == 400


def test_a_take_of_an_older_version_is_stale(room: Room) -> None:
    number = take(room)
    edit(room, {"op": "tempo", "bpm": 77})
    for base in (1, 2):
        assert room.post(f"/api/takes/{number}/keep", {"base": base})[0] == 409
    assert room.workspace.score("small").title == "Small"
    room.post("/api/pieces/small/undo", {"base": 2})  # the music is again what the take was made from
    assert room.post(f"/api/takes/{number}/keep", {"base": 3})[0] == 200


def test_what_was_understood_can_be_put_right(room: Room) -> None:
    brief = "A slow waltz in D minor for solo piano over 16 bars, like the blue tiles"
    status, told = room.post("/api/contract", {"brief": brief})
    assert status == 200
    clauses = {row["clause"]: row for row in told["understood"]}
    assert clauses["key"]["text"] == "D minor"
    assert brief[clauses["key"]["start"] : clauses["key"]["end"]] == "D minor"
    assert any(row["key"] == "meter" and row["value"] == "3/4" for row in told["assumed"])
    assert told["not_understood"] == ["like the blue tiles"]
    corrections = ["in 24 bars", {"key": "tempo", "value": 120}, {"drop": "D minor"}]
    told = room.post("/api/contract", {"brief": brief, "corrections": corrections})[1]
    fields = {row["key"]: row["value"] for row in told["fields"]}
    assert (fields["bars"], fields["tempo"]) == (24, [120, 120])
    assert "key" not in fields
    assert "bars = 24" in told["contract"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"brief": 5},
        {"brief": "x" * 100_000},
        {"brief": "a waltz", "corrections": "x"},
        {"brief": "a waltz", "corrections": [5]},
        {"brief": "a waltz", "corrections": [{"key": "nothing", "value": 1}]},
        {"brief": "a waltz", "corrections": [{"drop": "a march"}]},
        {"brief": "a waltz", "corrections": [{"key": "bars", "value": "many"}]},
        {"brief": "a waltz", "corrections": [{"key": "key", "value": []}]},
        {"brief": "a waltz", "corrections": ["x"] * 101},
    ],
    ids=lambda data: str(data)[:60],
)
def test_a_correction_that_cannot_be_is_one_line(room: Room, data: Any) -> None:
    status, told = room.post("/api/contract", data)
    assert status == 400, told
    assert "\n" not in told["error"]


def test_concepts_are_listed(room: Room) -> None:
    status, told = room.get("/api/concepts")
    assert status == 200
    assert len(told) > 100
    assert set(told[0]) >= {"name", "title", "level"}


@pytest.mark.parametrize("kind", ["mid", "musicxml", "abc", "libretto"])
def test_music_is_exported_as_a_file(room: Room, kind: str) -> None:
    answer = room.client.get(f"/api/pieces/small/export/{kind}")
    assert answer.status_code == 200
    assert f"small-v1.{kind}" in answer.headers["content-disposition"]
    assert answer.headers["content-disposition"].startswith("attachment")
    assert len(answer.content) > 100


HOSTILE = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"5",
    b'"x"',
    b"\xff\xfe",
    b"[" * 100_000,
    b'{"a":' * 5_000,
    b"{}",
    b'{"base": "x"}',
    b'{"base": true}',
    b'{"base": 1e400}',
    b'{"base": NaN}',
    b'{"base": 1, "do": [null]}',
    b'{"base": 1, "text": "\\ud800"}',
    b'{"kind": {}, "arguments": []}',
    b'{"kind": "compose", "arguments": 5}',
    b'{"kind": "../x"}',
    b'{"brief": "\\u0000"}',
    b'{"base": 99999999999999999999}',
]


@pytest.mark.parametrize("body", HOSTILE, ids=lambda body: body[:24])
def test_hostile_bodies_get_one_line_everywhere(room: Room, body: bytes) -> None:
    number = take(room)
    for path in (
        "/api/pieces/small/edit",
        "/api/pieces/small/text",
        "/api/pieces/small/undo",
        "/api/check",
        "/api/contract",
        "/api/jobs",
        f"/api/takes/{number}/keep",
        "/api/pieces?name=x.mid",
        "/api/pieces?name=x.libretto",
    ):
        answer = room.client.post(path, content=body)
        assert answer.status_code in (200, 400, 409), (path, answer.text)
        assert "Traceback" not in answer.text
        if answer.status_code != 200:
            assert "\n" not in answer.json()["error"]
    assert not [job for job in room.workers.jobs.values() if not job.is_over]
    assert room.workspace.score("small", 1).digest == small_piece().digest
