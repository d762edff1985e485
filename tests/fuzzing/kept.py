"""What lies on a disk and may have been edited: contracts, runs, manifests, clouds, styles, teams, logs, studies."""

from __future__ import annotations

import json
import random
import shutil
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from fuzz import _mutated

from fuzzing.corpora import Call, broken, broken_text, corpus, put, room
from fuzzing.words import BRIEFS

__all__: list[str] = []


def _dump(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=True).encode()


def _hurt(data: bytes, chance: random.Random) -> bytes:
    """A file with something wrong: its data where it is JSON, else its bytes."""
    if chance.random() < 0.7:
        try:
            return _dump(broken(json.loads(data), chance, chance.choice((1, 1, 2))))
        except ValueError:
            pass
    return _mutated(bytearray(data), chance)


@corpus("contracts")
def _contracts(chance: random.Random) -> Call:
    from libretto.contract import Contract, contract_from_text, contract_to_toml, describe, frame

    contract = Contract.from_brief(chance.choice(BRIEFS))
    if chance.random() < 0.5:
        text = _dump(broken(contract.to_dict(), chance)).decode()
    else:
        text = broken_text(
            contract_to_toml(contract), chance, ("[[parts]]", "[tempo]", "bars = 1e9", "key = 3", "x = nan")
        )

    def read() -> object:
        made = contract_from_text(text)
        contract_from_text(contract_to_toml(made))
        return describe(made), frame(made)

    return read


@cache
def _run() -> dict[str, bytes]:
    """A run of a scripted model, with every kind of file that a run may hold."""
    from libretto.agents.composer import composer
    from libretto.agents.loop import run_task
    from libretto.tasks import compose_task

    place = room() / "good-run"
    task = compose_task("A slow waltz in C major over 4 bars for solo piano.")
    run_task(task, composer("scripted:house", 0), rounds=2, folder=place)
    (place / "files.json").write_text('{"waltz.mid": "0000"}\n', encoding="utf-8")
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


@corpus("run folders")
def _runs(chance: random.Random) -> Call:
    from libretto.agents.folder import RunFolder, recorded_run
    from libretto.agents.revise import _controls
    from libretto.agents.versions import versions_of
    from libretto.models.ledger import Ledger, _record, _reply
    from libretto.report.written import Written

    good = _run()
    name = chance.choice(sorted(good))
    place = room() / "run"
    shutil.rmtree(place, ignore_errors=True)
    put(place, good | {name: _hurt(good[name], chance)})

    def read() -> object:
        for path in sorted((place / "calls").glob("*.json")):
            _reply(path, _record(path))
        ledger = Ledger(None, replay=place)
        ledger.begin(3)
        _controls(place)
        Written(place / "files.json").is_ours(place / "waltz.mid")
        versions_of(place)
        list(RunFolder(place).drafts())
        return recorded_run(place)

    return read


@corpus("manifests")
def _manifests(chance: random.Random) -> Call:
    from libretto.corpus.labels import find_songs
    from libretto.listen.importing import TABLE_COLUMNS
    from libretto.listen.manifest import read_manifest

    place = room() / "manifests"
    if not place.is_dir():
        put(place / "music", {"jazz/a.mid": b"", "folk/b.abc": b"", "c.libretto": b""})
        put(place / "audio", {"a.wav": b"RIFF", "b.wav": b"RIFF2"})
    if chance.random() < 0.5:
        table = "file,genre,artist,title\njazz/a.mid,jazz,Ada,One\nfolk/b.abc,folk,,Two\nc.libretto,,,\n"
        path = put(
            place, {"labels.csv": broken_text(table, chance, (",", '"', "\n", "../x", "id")).encode("utf-8", "replace")}
        )
        return lambda: find_songs(place / "music", path / "labels.csv")
    rows = [
        ",".join(TABLE_COLUMNS),
        "t1,chord_quality_4,test,a.wav,,,,major,major|minor|dominant|diminished,,,piano,",
        "t2,syncopation_score,test,b.wav,,,,3,0|1|2|3|4,,,drums,",
        "t3,transposition,fewshot,a.wav,b.wav,,,yes,yes|no,,,piano,",
    ]
    text = broken_text("\n".join(rows), chance, (",", '"', "\n", "few_shot", "test", "../a.wav", "note(1,2)"))
    put(place, {"manifest.csv": text.encode("utf-8", "replace")})
    return lambda: read_manifest(place / "manifest.csv", place / "audio")


@cache
def _cloud() -> dict[str, bytes]:
    from small_clouds import small_cloud

    from libretto.corpus.labels import Song
    from libretto.corpus.store import save_cloud

    place = room() / "good_cloud"
    cloud = small_cloud("good_cloud")
    songs = [Song(f"{number}.mid", genre) for number, genre in enumerate(cloud.genres)]
    save_cloud(place, cloud, None, songs)
    return {path.name: path.read_bytes() for path in place.iterdir()}


def _signed(data: bytes) -> bytes:
    """The same cloud with the checksum that it would have."""
    from libretto.corpus.cloud import _checksum

    try:
        cloud = json.loads(data)
        body = {key: value for key, value in cloud.items() if key != "checksum"}
        return _dump({**body, "checksum": _checksum(body)})
    except (ValueError, AttributeError, TypeError, RecursionError):
        return data


@corpus("clouds")
def _clouds(chance: random.Random) -> Call:
    from libretto.corpus.overlap import open_index
    from libretto.corpus.store import load_cloud, load_songs

    good = _cloud()
    if chance.random() < 0.15:
        data = chance.randbytes(chance.randrange(200))
        index = chance.choice((b"", b"LBO1", b"libretto")) + data
        return lambda: open_index(index, [], chance.randrange(3))
    name = chance.choice((*["cloud.json"] * 4, "songs.csv"))
    place = room() / "cloud"
    hurt = _hurt(good[name], chance)
    put(place, good | {name: _signed(hurt) if name == "cloud.json" and chance.random() < 0.7 else hurt})

    def read() -> object:
        cloud = load_cloud(place)
        return load_songs(place), cloud.place(dict.fromkeys(cloud.axes, 0.5)), cloud.bands(str(cloud.genres[0]))

    return read


@corpus("styles")
def _styles(chance: random.Random) -> Call:
    from libretto.house.core.style import read_style, style_files

    _, file = chance.choice(list(style_files()))
    text = file.read_text(encoding="utf-8")
    if chance.random() < 0.6:
        data = broken(tomllib.loads(text), chance)
        data = data if isinstance(data, dict) else {}
        return lambda: _told(read_style("mine", data))
    hurt = broken_text(text, chance, ("[form]", "x = 1", "parent = 'mine'", "tempo = [1, inf]", "= = =")).encode(
        "utf-8", "replace"
    )
    return lambda: _told(read_style("mine", hurt))


def _told(style: Any) -> object:
    return style.meter, style.tempo


@corpus("teams")
def _teams(chance: random.Random) -> Call:
    from libretto.agents.teams.team import parse_team

    folder = Path(str(files("libretto.agents.teams")))
    texts = sorted(folder.rglob("*.md"))
    text = chance.choice(texts).read_text(encoding="utf-8")
    tokens = (
        "reviews = 'x'",
        "rounds = inf",
        "opening = 3",
        "[[role]]\nname = 'x'",
        "limit = nan",
        "owns = 1",
        "shows = 2",
    )
    hurt = broken_text(text, chance, tuple(f"\n{token}\n" for token in tokens))
    return lambda: parse_team(hurt)


@cache
def _workspace() -> dict[str, bytes]:
    from studio_room import TIME, small_piece

    from libretto.workspace import Workspace, add_take
    from libretto.workspace.learners import Answer, add_answer

    place = room() / "good-home"
    home = Workspace(place)
    for title in ("One", "Two"):
        home.save("small", small_piece(title), author="test", time=TIME, about={"brief": "x"})
    home.undo("small", author="test", time=TIME)
    add_take(home, small_piece("Three"), piece="small", base=2, kind="fill", what="bars", by="house")
    add_answer(home, "ada", Answer(TIME, "d", "Major scale", "C major", 70, {"wrong": 1}, True, ("x",)))
    put(home.folder, {"studio/jobs/0123456789abcdef.json": _dump({
        "id": "0123456789abcdef", "kind": "compose", "arguments": {}, "state": "done", "lines": [], "result": {},
        "error": {}, "steps": 2})})  # fmt: skip
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


@corpus("workspaces")
def _workspaces(chance: random.Random) -> Call:
    from libretto.studio.work import Workers
    from libretto.workspace import Workspace, blame
    from libretto.workspace.learners import answers_of
    from libretto.workspace.takes import find_take, take_score

    good = _workspace()
    name = chance.choice([name for name in sorted(good) if not name.endswith("lock")])
    place = room() / "home"
    lines = good[name].splitlines(keepends=True)
    hurt = b"".join(_hurt(line, chance) if chance.random() < 0.7 else line for line in lines)
    put(place, good | {name: hurt})
    take = next(Path(other).stem for other in good if "/takes/" in other)

    def read() -> object:
        home = Workspace(place)
        jobs = [job.in_short() for job in Workers(place, home.folder / "studio" / "jobs").jobs.values()]
        answers_of(home, "ada")
        found = find_take(home, take)
        told = take_score(home, found), found.to_dict(), jobs, home.pieces(), home.history("small"), home.about("small")
        return told, [home.score("small", version.number) for version in home.log("small")], blame(home, "small")

    return read


@corpus("studies")
def _studies(chance: random.Random) -> Call:
    from libretto.bench.study.answers import ANSWERS_KIND, KEY_KIND
    from libretto.bench.study.report import report_study, study_lines

    row = {"test": "ab", "trial": "t1", "order": [1, 0], "samples": [["house", "1"], ["other", "1"]]}
    turing = {"test": "turing", "trial": "t2", "order": [0], "samples": [["house", "1"]]}
    key = {"kind": KEY_KIND, "study": "abc", "seed": 0, "human": "other", "target": "house",
           "listeners": {"1": {"q1": row, "q2": turing}, "2": {"q1": row}}}  # fmt: skip
    answers = {"kind": ANSWERS_KIND, "study": "abc", "listener": 1, "answers": {"q1": 1, "q2": "human"}}
    place = room() / "study"
    hurt = chance.random() < 0.5
    put(place, {
        "key.json": _dump(broken(key, chance) if hurt else key),
        "answers/1.json": _dump(answers if hurt else broken(answers, chance)),
    })  # fmt: skip
    return lambda: study_lines(report_study(place / "key.json", [place / "answers"]))
