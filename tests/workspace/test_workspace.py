"""A workspace: versions, undo, crashes, two writers, hand edits; all of it without losing a note."""

from __future__ import annotations

import json
import multiprocessing
import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import scores
from typer.testing import CliRunner, Result

from libretto import parse, read, write
from libretto.cli import app
from libretto.errors import FileExists, FormatError, LibrettoError, StaleWrite
from libretto.grammar import notate
from libretto.score import Score, transpose
from libretto.workspace import Workspace, blame, inside, open_version, save_file, split_handle
from libretto.workspace import workspace as room

TUNE = """KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 4
VOICES: LEAD[prog=73], BASS[prog=33]
@1 [C]
  LEAD: E4@1>4 G4@5>4 C5@9>8
  BASS: C2@1>16
@2 [F]
  LEAD: A4@1>8 F4@9>8
  BASS: F2@1>16
@3 [G7]
  LEAD: G4@1>16
  BASS: G2@1>16
@4 [C]
  LEAD: C5@1>16
"""


def tune(shift: int = 0) -> Score:
    return transpose(parse(TUNE), shift)


def keep(home: Workspace, shift: int, base: int | None = None, author: str = "ann") -> int:
    return home.save("tune", tune(shift), author=author, time="t", base=base).number


def test_every_write_is_a_version_and_undo_and_redo_are_too(tmp_path: Path) -> None:
    home = Workspace(tmp_path)
    assert [keep(home, shift) for shift in (0, 1, 2)] == [1, 2, 3]
    assert keep(home, 2) == 3  # nothing changed
    for _ in range(2):
        home.undo("tune", author="ann", time="t")
    assert home.score("tune") == tune(0)
    with pytest.raises(LibrettoError, match="nothing to undo"):
        home.undo("tune", author="ann", time="t")
    for expected in (1, 2):
        home.undo("tune", author="ann", time="t", redo=True)
        assert home.score("tune") == tune(expected)
    home.undo("tune", author="ann", time="t", to=2)
    assert home.score("tune") == tune(1)
    home.undo("tune", author="ann", time="t")
    assert home.score("tune") == tune(2)
    kinds = [version.kind for version in home.log("tune")]
    assert kinds == ["write", "write", "write", "undo", "undo", "redo", "redo", "back", "undo"]
    assert [home.score("tune", number) for number in (1, 2, 3)] == [tune(0), tune(1), tune(2)]  # nothing is lost


@settings(max_examples=25)
@given(st.lists(st.sampled_from(["write", "undo", "redo", "back"]), max_size=8), st.randoms(use_true_random=False))
def test_undo_is_a_stack_and_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], dice: Random
) -> None:
    home, texts = Workspace(tmp_path_factory.mktemp("home")), list[str]()
    past, now, future = list[str](), "", list[str]()  # an editor's two stacks
    for step in ["write", *steps]:
        if (step == "undo" and not past) or (step == "redo" and not future):
            with pytest.raises(LibrettoError, match="there is nothing to"):
                home.undo("tune", author="x", time="t", redo=step == "redo")
            continue
        if step in ("undo", "redo"):
            home.undo("tune", author="x", time="t", redo=step == "redo")
            here, there = (past, future) if step == "undo" else (future, past)
            there.append(now)
            now = here.pop()
        else:
            past, future = [*past, now] if now else past, []
            if step == "write":
                now = notate(tune(len(texts) - 5))
                home.save("tune", parse(now), author="x", time="t")
            else:
                number = dice.randint(1, len(texts))
                now = texts[number - 1]
                home.undo("tune", author="x", time="t", to=number)
        texts.append(now)
        assert home.text("tune") == now
    assert [home.text("tune", number) for number in range(1, len(texts) + 1)] == texts


@settings(max_examples=30)
@given(scores())
def test_what_is_kept_is_the_piece(tmp_path_factory: pytest.TempPathFactory, score: Score) -> None:
    home = Workspace(tmp_path_factory.mktemp("home"))
    home.save("any", score, author="x", time="t")
    assert home.score("any") == score


def test_a_stale_write_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    home = Workspace(tmp_path)
    keep(home, 0, base=0)
    keep(home, 1, base=1)
    before = home.log("tune")
    with pytest.raises(StaleWrite, match="version 2, and this write knew version 1"):
        keep(home, 5, base=1)
    with pytest.raises(StaleWrite):
        keep(home, 5, base=0)
    with pytest.raises(StaleWrite):
        home.undo("tune", author="ann", time="t", base=1)
    assert home.log("tune") == before


def _write_many(root: str, who: str) -> None:
    home, made = Workspace(root), 0
    while made < 6:
        base = len(home.log("tune"))
        try:
            keep(home, (base * 7 + 1) % 11 - 5, base, who)
            made += 1
        except StaleWrite:
            continue


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    work = multiprocessing.get_context("spawn")
    both = [work.Process(target=_write_many, args=(str(tmp_path), who)) for who in ("ann", "bob")]
    for each in both:
        each.start()
    for each in both:
        each.join(60)
    versions = Workspace(tmp_path).log("tune")
    assert [each.exitcode for each in both] == [0, 0]
    assert [version.number for version in versions] == list(range(1, 13))
    assert sorted(version.author for version in versions) == ["ann"] * 6 + ["bob"] * 6


def test_killed_between_text_and_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Workspace(tmp_path)
    keep(home, 0)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(room, "append_line", killed)
    with pytest.raises(KeyboardInterrupt):
        keep(home, 1)
    monkeypatch.undo()
    assert len(list((home.folder / "objects").rglob("*"))) > len(home.log("tune"))  # a text that nobody names
    assert home.score("tune") == tune(0)
    assert keep(home, 1, base=1) == 2


def test_a_line_cut_off_anywhere_is_no_version(tmp_path: Path) -> None:
    home = Workspace(tmp_path)
    keep(home, 0)
    keep(home, 1)
    log = home.folder / "pieces" / "tune.jsonl"
    whole = log.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole) - 2):
        log.write_bytes(whole[:length])
        assert len(home.log("tune")) == 1
    assert keep(home, 3, base=1) == 2  # written after the torn line, which stays
    assert home.score("tune") == tune(3)
    assert log.read_bytes().startswith(whole[: len(whole) - 3])
    log.write_bytes(whole[:-1])  # only the line break is missing: the version is whole
    assert keep(home, 4, base=2) == 3


def test_a_damaged_log_or_text_is_said(tmp_path: Path) -> None:
    home = Workspace(tmp_path)
    for shift in (0, 1, 2):
        keep(home, shift)
    log = home.folder / "pieces" / "tune.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(lines[0] + lines[2])
    with pytest.raises(LibrettoError, match="version 2 is missing"):
        home.score("tune")
    log.write_bytes(b"".join(lines))
    digest = home.version("tune").digest
    path = home.folder / "objects" / digest[:2] / digest[2:]
    path.chmod(0o600)
    path.write_text("KEY: C major", encoding="utf-8")
    with pytest.raises(FormatError, match="was changed on the disk"):
        home.score("tune")


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A B", "x" * 65, "a\0b", ".hidden", "café", "a@1"])
def test_names_are_plain(tmp_path: Path, name: str) -> None:
    with pytest.raises(LibrettoError):
        Workspace(tmp_path).save(name, tune(), author="x", time="t")
    assert not list(tmp_path.rglob("*.jsonl"))


def test_paths_stay_inside_links_too(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root, outside):
        folder.mkdir()
    (root / "way").symlink_to(outside)
    (outside / "song.mid").touch()
    (root / "song.mid").symlink_to(outside / "song.mid")
    for path in (
        "../outside/song.mid",
        str(outside / "song.mid"),
        "way/song.mid",
        "song.mid",
        ".libretto/lock",
        "",
        ".",
    ):
        with pytest.raises(LibrettoError):
            inside(root, path)
    assert inside(root, "runs/../a.mid") == Path(os.path.realpath(root)) / "a.mid"


def test_what_is_kept_lies_in_the_workspace(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    (one / ".libretto").symlink_to(elsewhere)
    with pytest.raises(LibrettoError, match="is a link"):
        Workspace(one)
    home = Workspace(two)
    keep(home, 0)
    log = home.folder / "pieces" / "tune.jsonl"
    log.rename(elsewhere / "log")
    log.symlink_to(elsewhere / "log")
    with pytest.raises(LibrettoError, match="is a link"):
        keep(home, 1)


def test_hand_edits_are_never_overwritten_unasked(tmp_path: Path) -> None:
    home, path = Workspace(tmp_path), tmp_path / "tune.libretto"
    keep(home, 0)
    open_version(home, "tune", None, path)
    keep(home, 1)
    open_version(home, "tune", None, path)  # as we left it: replaced
    assert read(path) == tune(1)
    path.write_text(notate(tune(7)), encoding="utf-8")
    with pytest.raises(FileExists, match="libretto save"):
        open_version(home, "tune", 1, path)
    keep(home, 2)
    with pytest.raises(StaleWrite):  # the file was opened from 2, and there is 3
        save_file(home, path, author="ann", time="t")
    name, version = save_file(home, path, author="ann", time="t", force=True)
    assert (name, version.number, home.score("tune")) == ("tune", 4, tune(7))
    open_version(home, "tune", 1, path)  # what it held is a version now
    assert read(path) == tune(0)


def test_blame_says_who_wrote_what(tmp_path: Path) -> None:
    home = Workspace(tmp_path)
    home.save("tune", tune(), author="house", time="t", message="composed")
    text = TUNE.replace("BASS: F2@1>16", "BASS: A2@1>16")
    home.save("tune", parse(text), author="model-x", time="t")
    longer = text.replace("BARS: 4", "BARS: 5") + "@5 [C]\n  LEAD: E5@1>16\n"
    home.save("tune", parse(longer), author="ann", time="t")

    def found(number: int | None = None) -> list[tuple[str, int, int, str]]:
        return [(each.voice, each.first, each.last, each.version.author) for each in blame(home, "tune", number)]

    bass = [("BASS", 1, 1, "house"), ("BASS", 2, 2, "model-x"), ("BASS", 3, 3, "house")]
    assert found() == [("LEAD", 1, 4, "house"), ("LEAD", 5, 5, "ann"), *bass]
    home.undo("tune", author="bob", time="t", to=1)
    assert found() == [("LEAD", 1, 4, "house"), ("BASS", 1, 3, "house")]
    assert found(2)[1:] == bass


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


def test_the_commands(tmp_path: Path) -> None:
    place, file = ("--workspace", tmp_path), tmp_path / "My Tune.mid"
    write(tune(), file)
    assert run("save", file, "--message", "first", "--author", "ann", *place).exit_code == 0
    write(tune(2), file, force=True)
    saved = json.loads(run("save", file, "--author", "bob", "--json", *place).stdout)
    assert (saved["piece"], saved["number"], saved["author"]) == ("my-tune", 2, "bob")
    assert [line.split()[0] for line in run("log", "my-tune", *place).stdout.splitlines()] == ["1", "2"]
    changed = run("diff", "my-tune@1", "my-tune@2", *place)
    assert (changed.exit_code, "became" in changed.stdout) == (1, True)
    assert run("undo", "my-tune", *place).exit_code == 0
    assert run("diff", "my-tune@1", "my-tune@3", *place).exit_code == 0
    assert "my-tune@3" in run("pieces", *place).stdout
    assert run("open", "my-tune@2", "-o", tmp_path / "out.musicxml", *place).exit_code == 0
    assert "ann" in run("blame", "my-tune", *place).stdout
    assert isinstance(run("log", "nothing", *place).exception, LibrettoError)
    assert split_handle("my-tune@2") == ("my-tune", 2)


def test_a_pipe_is_no_file_to_be_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "song.mid")
    with pytest.raises(LibrettoError, match="neither a file nor a folder"):
        inside(tmp_path, "song.mid")
