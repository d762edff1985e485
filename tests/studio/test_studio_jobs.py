"""Jobs of the studio in real processes: composed, filled, cancelled, crashed, cut off, asked for wrongly."""

from __future__ import annotations

import base64
import io
import json
import time
import wave
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
from studio_room import Room, small_piece

from libretto.errors import LibrettoError
from libretto.studio.jobs import Bench, known_kinds
from libretto.studio.jobs.asked import how_of
from libretto.studio.work import Job, Workers
from libretto.workspace import Workspace

BRIEF = "A slow waltz in D minor for solo piano over 16 bars."


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One studio with its workers for all tests here: what they begin does not meet."""
    room = Room(tmp_path_factory.mktemp("studio"))
    yield room
    room.workers.close()


@pytest.fixture(scope="module")
def composed(room: Room) -> dict[str, Any]:
    job = room.work("compose", brief=BRIEF, seed=3)
    assert job["state"] == "done", job["error"]
    result: dict[str, Any] = job["result"]
    return result


def done(room: Room, kind: str, /, **arguments: Any) -> dict[str, Any]:
    job = room.work(kind, **arguments)
    assert job["state"] == "done", job["error"]
    result: dict[str, Any] = job["result"]
    return result


def test_a_brief_becomes_a_piece_with_its_receipt(room: Room, composed: dict[str, Any]) -> None:
    score = room.workspace.score(composed["piece"], composed["version"])
    assert (score.bars, str(score.key), str(score.meter)) == (16, "D minor", "3/4")
    assert any("bars" in line for line in composed["receipt"])
    assert composed["verdict"]["gates"]
    _, view = room.get(f"/api/pieces/{composed['piece']}")
    assert view["about"]["brief"] == BRIEF
    assert view["about"]["receipt"] == composed["receipt"]
    assert view["versions"][0]["author"] == "house"
    again = done(room, "compose", brief=BRIEF, seed=3)
    assert again["piece"] == f"{composed['piece']}-2"
    assert room.workspace.score(again["piece"]).digest == score.digest  # the same seed, the same notes


def test_a_corrected_contract_is_what_is_composed(room: Room) -> None:
    asked = {"brief": BRIEF, "corrections": ["in 12 bars", {"key": "key", "value": "E minor"}]}
    contract = room.post("/api/contract", asked)[1]["contract"]
    made = done(room, "compose", brief=BRIEF, contract=contract)
    score = room.workspace.score(made["piece"])
    assert (score.bars, str(score.key)) == (12, "E minor")


def test_three_takes_differ_and_leave_the_rest_alone(room: Room, composed: dict[str, Any]) -> None:
    piece = composed["piece"]
    before = room.workspace.score(piece, 1)
    takes = done(room, "fill", piece=piece, base=1, first=5, last=8, voices=["Piano"], takes=3)["takes"]
    assert len(takes) == 3
    texts = set()
    for number in takes:
        _, view = room.get(f"/api/takes/{number}")
        texts.add(view["text"])
        bars = {note["bar"] for note in _changed(room, piece, number)}
        assert bars <= {5, 6, 7, 8}
        assert "notes stayed" in view["take"]["proof"]
        assert [bar["chords"] for bar in view["bars"]] == [list(chords) for chords in before.chords]
    assert len(texts) == 3
    status, kept = room.post(f"/api/takes/{takes[1]}/keep", {"base": 1})
    assert (status, kept["version"]) == (200, 2)
    assert room.post(f"/api/takes/{takes[0]}/keep", {"base": 2})[0] == 409


def _changed(room: Room, piece: str, number: str) -> list[dict[str, int]]:
    """The notes that differ between the first version and a take, on either side, with their bars."""
    told = room.get(f"/api/diff?a={piece}@1&b=take:{number}")[1]
    rows = []
    for view, places in (
        (room.get(f"/api/pieces/{piece}@1")[1], told["notes_a"]),
        (room.get(f"/api/takes/{number}")[1], told["notes_b"]),
    ):
        ticks = [bar["tick"] for bar in view["bars"]]
        for place in places:
            onset = view["notes"]["onset"][place]
            rows.append({"bar": view["bars"][max(i for i, tick in enumerate(ticks) if tick <= onset)]["number"]})
    return rows


def test_wishes_parts_and_continuations_are_takes(room: Room, composed: dict[str, Any]) -> None:
    piece = composed["piece"]
    revised = done(room, "revise", piece=piece, base=1, words="make it louder and a blue smurf")
    assert revised["understood"]
    assert revised["not_understood"]
    loud = room.get(f"/api/takes/{revised['takes'][0]}")[1]["notes"]["velocity"]
    assert sum(loud) > sum(room.get(f"/api/pieces/{piece}@1")[1]["notes"]["velocity"])
    bass = done(room, "accompany", piece=piece, base=1, voice="Bass", role="bass", program=33, takes=1)["takes"]
    assert [voice["name"] for voice in room.get(f"/api/takes/{bass[0]}")[1]["voices"]][-1] == "Bass"
    more = done(room, "extend", piece=piece, base=1, bars=4, at="end", takes=1)["takes"]
    assert len(room.get(f"/api/takes/{more[0]}")[1]["bars"]) == 20


def test_findings_can_be_followed(room: Room, composed: dict[str, Any]) -> None:
    piece = composed["piece"]
    told = done(room, "appraise", piece=f"{piece}@1")
    assert told["state"]
    assert {"axis", "meaning", "family", "percentile", "in_genre"} <= set(told["fingerprint"][0])
    assert told["genres"]
    assert told["receipt"]
    placed = [finding for finding in told["findings"] if finding["bars"]]
    if placed:
        takes = done(room, "apply", piece=piece, base=1, finding=placed[0]["id"])["takes"]
        assert takes
    wrong = room.work("apply", piece=piece, base=1, finding="none")
    assert wrong["state"] == "failed"


def test_originality_shows_both_passages_where_it_may(room: Room, composed: dict[str, Any]) -> None:
    done(room, "compose", brief=BRIEF, seed=3)  # the same piece again, under another name
    told = done(room, "original", piece=composed["piece"] + "@1")
    assert isinstance(told["passed"], bool)
    known = [song for song in told["songs"] if not song["piece"]]
    own = [song for song in told["songs"] if song["piece"]]
    assert all(song["passage"] is None or song["passage"]["theirs"] is None for song in known)
    assert own[0]["score"] > 0.5
    passage = own[0]["passage"]
    assert [note[1] for note in passage["ours"]] == [note[1] for note in passage["theirs"]]


def test_a_drill_is_written_and_graded_bar_by_bar(room: Room) -> None:
    made = done(room, "drill", concept="harmonic-minor-scale", key="E", bars=4)
    _, view = room.get(f"/api/pieces/{made['drill']}")
    notes = view["notes"]
    played = [
        [onset / view["quarter"] * 0.6, pitch, length / view["quarter"] * 0.6, 80]
        for onset, pitch, length in zip(notes["onset"], notes["pitch"], notes["duration"], strict=True)
    ]
    graded = done(room, "grade", drill=made["drill"], notes=played)
    assert graded["score"] == 100
    assert all(bar["ok"] for bar in graded["bars"])
    played[2][1] += 1
    wrong = done(room, "grade", drill=made["drill"], notes=played)
    assert wrong["score"] < 100
    bad = [bar for bar in wrong["bars"] if not bar["ok"]]
    onset = notes["onset"][2]
    assert bad[0]["number"] == max(bar["number"] for bar in view["bars"] if bar["tick"] <= onset)
    assert bad[0]["mistakes"]


def test_a_recording_is_written_down(room: Room) -> None:
    pytest.importorskip("soundfile")
    import numpy as np

    rate = 16_000
    tones = [
        np.sin(2 * np.pi * 440 * 2 ** ((pitch - 69) / 12) * np.arange(rate // 2) / rate) for pitch in (60, 62, 64, 65)
    ]
    at = np.arange(rate // 2)
    fade = np.exp(-at / 4_000) * np.minimum(1, at / 80) * np.minimum(1, at[::-1] / 800)  # as a string is plucked
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes((np.concatenate([tone * fade for tone in tones]) * 20_000).astype("<i2").tobytes())
    made = done(room, "transcribe", wav=base64.b64encode(out.getvalue()).decode())
    assert room.workspace.score(made["piece"]).table["pitch"].tolist() == [60, 62, 64, 65]


def test_a_model_composes_by_the_same_job(room: Room) -> None:
    job = room.work("compose", brief=BRIEF, composer="scripted")  # a pretend model: no key, no network
    assert job["state"] == "done", job["error"]
    assert job["result"]["cost"]["tokens_in"] > 0
    assert room.workspace.version(job["result"]["piece"]).author.startswith("scripted")
    assert room.work("compose", brief=BRIEF, composer="relay")["state"] == "failed"


def test_the_house_costs_nothing(room: Room) -> None:
    assert done(room, "estimate", brief=BRIEF)["money"] == 0
    asked = room.work("estimate", brief=BRIEF, composer="openai:gpt-4o")
    assert asked["state"] == "done"
    assert "tokens" in asked["result"]["cost"]


def test_the_run_is_exported_as_an_archive(room: Room, composed: dict[str, Any]) -> None:
    made = done(room, "export", piece=composed["piece"], kind="run.zip")
    answer = room.client.get(f"/api/files/{made['file']}")
    assert "attachment" in answer.headers["content-disposition"]
    names = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
    assert "run.json" in names
    assert room.work("export", piece="small", kind="run.zip")["state"] == "failed"


def test_pages_are_engraved_with_their_places(room: Room) -> None:
    pytest.importorskip("verovio")
    status, told = room.get("/api/pieces/small/score")
    assert status == 200
    assert told["pages"][0].lstrip().startswith("<svg")
    assert len(told["measures"]) == 4
    assert all(f'id="{measure}"' in told["pages"][0] for measure in told["measures"])
    assert [tick for tick, _ in told["moments"]][:3] == [0, 40320, 80640]
    assert room.get("/api/pieces/none/score")[0] == 400


BAD: list[tuple[str, Any]] = [
    ("compose", {}),
    ("compose", {"brief": 5}),
    ("compose", {"brief": "x" * 100_000}),
    ("compose", {"brief": "zzz qqq"}),
    ("compose", {"brief": BRIEF, "seed": -1}),
    ("compose", {"brief": BRIEF, "seed": "x"}),
    ("compose", {"brief": BRIEF, "contract": "[["}),
    ("compose", {"brief": BRIEF, "composer": "nobody"}),
    ("compose", {"brief": BRIEF, "composer": "nobody:at-all"}),
    ("fill", {}),
    ("fill", {"piece": "none", "first": 1, "last": 2}),
    ("fill", {"piece": "small", "first": 2, "last": 1}),
    ("fill", {"piece": "small", "base": 9, "first": 1, "last": 2}),
    ("fill", {"piece": "small", "first": 1, "last": 99}),
    ("fill", {"piece": "small", "first": 1, "last": 2, "voices": ["Nobody"]}),
    ("fill", {"piece": "small", "first": 1, "last": 2, "voices": 5}),
    ("fill", {"piece": "small", "first": 1, "last": 2, "takes": 1_000}),
    ("fill", {"piece": "../x", "first": 1, "last": 2}),
    ("accompany", {"piece": "small"}),
    ("accompany", {"piece": "small", "voice": "Bass", "role": "nothing"}),
    ("accompany", {"piece": "small", "voice": "Bass", "program": 999}),
    ("extend", {"piece": "small", "bars": 0}),
    ("extend", {"piece": "small", "bars": 4, "at": "middle"}),
    ("revise", {"piece": "small", "words": ""}),
    ("revise", {"piece": "small", "words": "zzz qqq"}),
    ("morph", {"piece": "small", "target": "no such genre at all", "bars": 24}),
    ("morph", {"piece": "small", "target": "jazz", "bars": 2}),
    ("appraise", {}),
    ("apply", {"piece": "small"}),
    ("original", {"piece": 5}),
    ("drill", {"concept": "no such thing"}),
    ("drill", {"concept": "harmonic-minor-scale", "level": 9}),
    ("grade", {"drill": "none", "notes": []}),
    ("grade", {"drill": "small", "notes": []}),
    ("grade", {"drill": "small", "notes": [[0]]}),
    ("grade", {"drill": "small", "notes": [["x", 60, 1, 80]]}),
    ("grade", {"drill": "small", "notes": [[1e300, 60, 1, 80]]}),
    ("grade", {"drill": "small", "wav": "???"}),
    ("grade", {"drill": "small", "wav": "AAAA"}),
    ("transcribe", {}),
    ("transcribe", {"wav": ""}),
    ("export", {"piece": "small", "kind": "exe"}),
    ("export", {"piece": "small"}),
    ("estimate", {"brief": BRIEF, "composer": 5}),
    ("score", {"piece": "none"}),
    ("staff", {}),
    ("staff", {"text": "no music"}),
]


def test_a_job_that_is_asked_for_wrongly_fails_in_one_line(room: Room) -> None:
    pieces = room.workspace.pieces()
    for kind, arguments in BAD:
        status, begun = room.post("/api/jobs", {"kind": kind, "arguments": arguments})
        assert status == 200
        told = room.client.get(f"/api/jobs/{begun['id']}/events").text
        job = json.loads(told.strip().split("\n\n")[-1].removeprefix("data: "))
        assert job["state"] == "failed", (kind, arguments, job["result"])
        assert job["error"]["error"], (kind, arguments)
        assert "\n" not in job["error"]["error"]
        assert "went wrong" not in job["error"]["error"], (kind, arguments, job["error"])
    assert room.workspace.pieces() == pieces
    assert {kind for kind, _ in BAD} >= set(known_kinds()) - {"bytes"}


def test_a_kind_that_is_not_there_is_refused(room: Room) -> None:
    status, told = room.post("/api/jobs", {"kind": "nope", "arguments": {}})
    assert status == 400
    assert "compose" in told["error"]
    assert room.get("/api/jobs/none/events")[0] == 400
    assert room.client.delete("/api/jobs/none").status_code == 400


def wait_for(job: Job, *states: str) -> None:
    for _ in range(3_000):  # a minute: a busy machine composes slowly
        if job.state in states:
            return
        time.sleep(0.02)
    raise AssertionError(job.state)


def test_a_cancelled_job_ends_at_once_and_saves_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path)
    try:
        first = room.workers.start("compose", {"brief": BRIEF})
        second = room.workers.start("compose", {"brief": BRIEF})
        third = room.workers.start("compose", {"brief": BRIEF})  # waits for its turn
        assert third.state == "waiting"
        begun = time.monotonic()
        for job in (third, first, second):
            assert room.client.delete(f"/api/jobs/{job.id}").json()["state"] == "cancelled"
        assert time.monotonic() - begun < 2
        assert room.workspace.pieces() == ["small"]
        assert room.client.delete(f"/api/jobs/{first.id}").json()["state"] == "cancelled"  # once more changes nothing
        events = room.client.get(f"/api/jobs/{first.id}/events").text
        assert '"cancelled"' in events
        assert room.work("estimate", brief=BRIEF)["state"] == "done"  # the studio goes on
    finally:
        room.workers.close()


def test_a_worker_that_dies_is_told_and_replaced(tmp_path: Path) -> None:
    room = Room(tmp_path)
    try:
        job = room.workers.start("compose", {"brief": BRIEF})
        room.workers._busy[job.id].process.kill()
        wait_for(job, "failed", "done")
        assert job.state == "failed"
        assert "try again" in job.error["error"]
        assert room.work("estimate", brief=BRIEF)["state"] == "done"
    finally:
        room.workers.close()


def test_a_server_that_is_started_again_knows_its_jobs(tmp_path: Path) -> None:
    room = Room(tmp_path)
    job = room.workers.start("compose", {"brief": BRIEF})
    folder = room.workers.folder
    room.workers.close()  # as if it were killed: the record still says that the job runs
    later = Workers(tmp_path, folder)
    try:
        assert later.find(job.id).state == "interrupted"
        assert later.find(job.id).kind == "compose"
    finally:
        later.close()


def test_a_list_of_jobs_stays_short() -> None:
    lines = [{"text": str(index), "share": None} for index in range(100)]
    job = Job("0", "original", {}, "done", lines, {"piece": "small", "songs": ["x" * 100] * 100})
    assert job.in_short()["result"] == {"piece": "small"}
    assert job.in_short()["lines"] == lines[-1:]
    assert job.to_dict()["result"] == job.result


def test_records_that_are_damaged_are_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "jobs"
    folder.mkdir()
    for index, text in enumerate(
        ("", "{", "[]", '{"id": "x"}', '{"id": "5", "kind": "x", "arguments": {}, "lines": 5}', "[" * 100_000)
    ):
        (folder / f"{index}.json").write_text(text)
    workers = Workers(tmp_path, folder)
    assert workers.jobs == {}


def _flood(workers: Workers) -> None:
    """Begin more jobs than are taken."""
    for _ in range(100):
        workers.start("transcribe", {"wav": "A"})


def test_long_arguments_are_not_kept_in_records(tmp_path: Path) -> None:
    room = Room(tmp_path)
    try:
        job = room.workers.start("transcribe", {"wav": "A" * 100_000})
        assert len(json.dumps(job.to_dict())) < 2_000
        with pytest.raises(LibrettoError):
            room.workers.find("nothing")
        with pytest.raises(LibrettoError, match="waiting"):
            _flood(room.workers)
        assert len(room.workers.jobs) <= 25
    finally:
        room.workers.close()


def test_a_piece_is_not_lost_when_two_are_composed_at_once(room: Room) -> None:
    jobs = [room.workers.start("compose", {"brief": BRIEF, "seed": seed}) for seed in (11, 12)]
    for job in jobs:
        wait_for(job, "done", "failed")
    names = {job.result["piece"] for job in jobs}
    assert len(names) == 2
    assert all(room.workspace.score(name).bars == 16 for name in names)
    assert small_piece().digest == room.workspace.score("small").digest


def test_advice_about_the_whole_piece_is_a_take_of_the_whole(room: Room, composed: dict[str, Any]) -> None:
    from libretto.gates.finding import Remark
    from libretto.studio.jobs import Bench, judging

    bench = Bench(room.workspace, lambda *told: None)
    piece = composed["piece"]
    base = (piece, 1, room.workspace.score(piece, 1))
    run = judging._composed_again(bench, {}, base)(0)
    assert run.score is not None
    assert run.score.bars == 16
    assert run.score.digest != base[2].digest
    assert judging._gap(base[2], Remark("x", ((3, 99),))) == (3, 16)
    with pytest.raises(LibrettoError, match="whole piece"):
        judging._composed_again(bench, {}, ("small", 1, small_piece()))


def test_a_line_about_a_request_is_told_as_it_is(tmp_path: Path) -> None:
    told: list[str] = []
    bench = Bench(Workspace(tmp_path), lambda line, share: told.append(line))
    heard = how_of(bench, {"composer": "scripted:house"}, 1)["setup"].heard
    heard("sent", "plan: 4,000 tokens sent")
    heard("plan", "KEY: C major")
    assert told == ["plan: 4,000 tokens sent"]
