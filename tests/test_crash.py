"""A command that writes may be stopped at any moment: what was said to be saved is there, and nothing is half written.

Every command is stopped at every file operation, and killed at moments of chance; then everything is read back.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("children are forked and killed", allow_module_level=True)

from fuzzing.stopping import Command, trial

_HEAD = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 2\nVOICES: A\n"
_PIECE = f"{_HEAD}@1 [C]\n  A: C4@1>4 E4@5>4 G4@9>8\n@2 [G]\n  A: D4@1>8 B3@9>8\n"
_OTHER = f"{_HEAD}@1 [C]\n  A: C4@1>4 F4@5>4 G4@9>8\n@2 [G]\n  A: D4@1>8 B3@9>8\n"


def _libretto(*words: str) -> Callable[[], None]:
    """A command line, run in this process."""

    def run() -> None:
        from libretto.cli import main

        sys.argv = ["libretto", *words]
        main()

    return run


def _files(**files: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        for name, text in files.items():
            (folder / f"{name}.libretto").write_text(text, encoding="utf-8")

    return make


def _saved(folder: Path) -> None:
    """A workspace with a piece of two versions, and a file that was changed since."""
    from libretto.workspace import Workspace, open_version, save_file

    (folder / "tune.libretto").write_text(_PIECE, encoding="utf-8")
    home = Workspace(folder)
    save_file(home, folder / "tune.libretto", author="test", time="2026-01-01T00:00:00Z")
    (folder / "tune.libretto").write_text(_PIECE.replace("TEMPO: 120", "TEMPO: 100"), encoding="utf-8")
    save_file(home, folder / "tune.libretto", author="test", time="2026-01-02T00:00:00Z")
    open_version(home, "tune", 1, folder / "first.libretto")
    (folder / "tune.libretto").write_text(_OTHER, encoding="utf-8")


def _workspace(folder: Path) -> list[str]:
    """What is wrong with a workspace: every piece and version must be read, and the first two must be there."""
    from libretto.workspace import Workspace

    home, bad = Workspace(folder), list[str]()
    for name in home.pieces():
        try:
            for version in home.log(name):
                home.score(name, version.number)
        except Exception as error:
            bad.append(f"{name}: {error}")
    begun = (folder / "first.libretto").exists()
    if begun and [version.author for version in home.log("tune")][:2] != ["test", "test"]:
        bad.append("a version is lost")
    return bad


def _first(folder: Path) -> list[str]:
    """A workspace that was begun: an empty log is no piece, and no file of nothing stays for good."""
    return _workspace(folder)


def _drill(folder: Path) -> None:
    from libretto.formats import write
    from libretto.grammar import parse

    (folder / "drill.libretto").write_text(_PIECE, encoding="utf-8")
    write(parse(_PIECE), folder / "played.mid")
    from libretto.workspace import Workspace
    from libretto.workspace.learners import Answer, add_answer

    add_answer(Workspace(folder), "ada", Answer("2026-01-01T00:00:00Z", "d", "Major scale", "C major", 70))


def _learner(folder: Path) -> list[str]:
    from libretto.workspace import Workspace
    from libretto.workspace.learners import answers_of

    scores = [answer.score for answer in answers_of(Workspace(folder), "ada")]
    return [] if scores[:1] == [70] else [f"the record is {scores}"]


def _songs(folder: Path) -> None:
    from libretto.formats import write
    from libretto.grammar import parse

    for number, genre in enumerate(("jazz", "jazz", "folk")):
        (folder / "music" / genre).mkdir(parents=True, exist_ok=True)
        tune = " ".join(f"{name}{4 + (number + at) % 2}@{1 + 2 * at}>2" for at, name in enumerate("CDEFGABC"))
        text = _HEAD + "@1 [C]\n  A: " + tune + "\n@2 [G]\n  A: " + tune.replace("C", "E") + "\n"
        write(parse(text), folder / "music" / genre / f"{number}.mid")


def _cloud(folder: Path) -> list[str]:
    from libretto.corpus.store import _old, load_cloud, load_songs

    place = folder / "mine"
    if not place.exists() and not _old(place).exists():
        return []
    try:
        load_cloud(place)
        load_songs(place)
    except Exception as error:
        return [f"the cloud: {error}"]
    return []


def _old_cloud(folder: Path) -> None:
    from libretto.corpus.build import build_cloud

    _songs(folder)
    build_cloud(folder / "music", str(folder / "mine"), jobs=1, quiet=True)
    (folder / "music" / "folk" / "2.mid").unlink()


def _task(folder: Path) -> None:
    from libretto.agents.session import start_run
    from libretto.tasks import make_task

    start_run(make_task("compose", ["A slow waltz in C major over 8 bars for solo piano."], {}), folder / "run")
    (folder / "draft.libretto").write_text(_PIECE, encoding="utf-8")


def _run_folder(name: str) -> Callable[[Path], list[str]]:
    """What is wrong with a run folder: what there is of it must be taken up again."""

    def wrong(folder: Path) -> list[str]:
        from libretto.agents.folder import RunFolder, read_asked

        place = folder / name
        if not (place / "run.json").exists():
            return []
        try:
            for path in place.rglob("*.json"):
                json.loads(path.read_bytes())
            read_asked(place)
            list(RunFolder(place).drafts())
        except Exception as error:
            return [f"the run: {error}"]
        return []

    return wrong


def _studio_edit() -> None:
    from starlette.testclient import TestClient
    from studio_room import ORIGIN, PORT, TOKEN

    from libretto.studio.app import make_app
    from libretto.studio.desk import StudioDesk
    from libretto.studio.work import Workers
    from libretto.workspace import Workspace

    home = Workspace(".")
    desk = StudioDesk(home, Workers(home.root, home.folder / "studio" / "jobs"), "tester", TOKEN)
    client = TestClient(make_app(desk, PORT), base_url=ORIGIN)
    client.headers["origin"] = ORIGIN
    client.cookies.set(f"libretto_{PORT}", TOKEN)
    answer = client.post("/api/pieces/tune/text", json={"base": len(home.log("tune")), "text": _OTHER})
    print(answer.status_code)
    raise SystemExit(0 if answer.status_code == 200 else 3)


_LOGS = (".jsonl",)
#: Every command that writes, by what it does.
COMMANDS: dict[str, Command] = {
    "save, the first time": Command(_files(tune=_PIECE), _libretto("save", "tune.libretto"), _first, _LOGS),
    "save, a new version": Command(_saved, _libretto("save", "tune.libretto"), _workspace, (*_LOGS, ".json")),
    "undo": Command(_saved, _libretto("undo", "tune"), _workspace, _LOGS, refused=(2,)),
    "open": Command(_saved, _libretto("open", "tune@1", "-o", "again.mid"), _workspace, _LOGS),
    "open over a file": Command(
        _saved, _libretto("open", "tune@2", "-o", "first.libretto", "--force"), _workspace, (*_LOGS,)
    ),
    "convert": Command(_files(tune=_PIECE), _libretto("convert", "tune.libretto", "tune.mid"), refused=(2,)),
    "convert over a file": Command(
        _files(tune=_PIECE, out=_OTHER), _libretto("convert", "tune.libretto", "out.libretto", "--force")
    ),
    "render a roll": Command(
        _files(tune=_PIECE), _libretto("render", "tune.libretto", "-o", "tune.svg", "--roll"), refused=(2,)
    ),
    "grade, for a learner": Command(
        _drill,
        _libretto("grade", "played.mid", "--drill", "drill.libretto", "--concept", "major scale", "--learner", "ada"),
        _learner,
        _LOGS,
        statuses=(0, 1),
    ),
    "task": Command(
        _files(),
        _libretto("task", "compose", "A slow waltz in C major over 8 bars for solo piano.", "-o", "run"),
        _run_folder("run"),
    ),
    "studio: a text is saved": Command(_saved, _studio_edit, _workspace, (*_LOGS, ".json"), refused=(0,)),
}
#: What takes longer: composing, judging, measuring and drawing.
LONG: dict[str, Command] = {
    "submit": Command(
        _task, _libretto("submit", "run", "draft.libretto"), _run_folder("run"), statuses=(0, 1), adds=True
    ),
    "corpus build": Command(
        _songs, _libretto("corpus", "build", "music", "-o", "./mine", "--workers", "1"), _cloud, _LOGS, refused=(2,)
    ),
    "corpus build over a cloud": Command(
        _old_cloud,
        _libretto("corpus", "build", "music", "-o", "./mine", "--workers", "1", "--force"),
        _cloud,
        (*_LOGS, ".json", ".bin", ".csv", ".txt"),
    ),
    "compose": Command(
        _files(),
        _libretto(
            "compose", "A slow waltz in C major over 8 bars for solo piano.", "--rounds", "2", "-o", "run",
            "--no-sound", "--no-notation", "--no-page",
        ),
        _run_folder("run"),
        (".json",),
        statuses=(0, 1),
    ),
    "compose by a scripted model": Command(
        _files(),
        _libretto(
            "compose", "A slow waltz in C major over 8 bars for solo piano.", "--rounds", "2", "-o", "run",
            "--composer", "scripted", "--no-sound", "--no-notation", "--no-page",
        ),
        _run_folder("run"),
        (".json",),  # they hold how long it took
        statuses=(0, 1),
    ),
    "drill": Command(
        _files(), _libretto("drill", "harmonic minor", "--bars", "4", "-o", "drill.libretto"),
        statuses=(0, 1), refused=(2,),
    ),
    "lesson": Command(
        _files(), words=("lesson", "harmonic minor", "--bars", "4", "--count", "1", "-o", "lesson"),
        statuses=(0, 1), refused=(2,),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_stopped_at_every_operation(name: str, tmp_path: Path) -> None:
    done = trial(COMMANDS[name], tmp_path, moments=2)
    assert done.faults == []
    assert done.stopped == done.operations > 3


@pytest.mark.parametrize("name", LONG)
def test_stopped_now_and_then(name: str, tmp_path: Path) -> None:
    done = trial(LONG[name], tmp_path, most=1, moments=1)
    assert done.faults == []
    assert done.stopped == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_what_takes_longer_stopped_at_every_operation(name: str, tmp_path: Path) -> None:
    done = trial(LONG[name], tmp_path, seed=2)
    assert done.faults == []
    assert done.stopped == done.operations > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", {**COMMANDS, **LONG})
def test_killed_at_fifty_moments(name: str, tmp_path: Path) -> None:
    done = trial({**COMMANDS, **LONG}[name], tmp_path, most=0, moments=50)
    assert done.faults == []
    assert done.killed == 50


def test_the_harness_notices_half_a_file(tmp_path: Path) -> None:
    def careless() -> None:
        with open("out.txt", "w", encoding="utf-8") as file:
            file.write("one two three four")
        print("written")

    done = trial(Command(_files(), careless), tmp_path)
    assert any("half written" in fault for fault in done.faults)


def test_the_harness_notices_what_was_said_too_early(tmp_path: Path) -> None:
    def hasty() -> None:
        print("written")
        Path("out.txt").write_text("x", encoding="utf-8")

    done = trial(Command(_files(), hasty), tmp_path)
    assert any("all was said" in fault for fault in done.faults)
