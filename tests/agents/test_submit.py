"""Runs by hand: a folder with its page, drafts one by one, the best kept, nothing judged against another task."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from libretto.agents import Session, start_run, submit_draft
from libretto.agents.folder import RunFolder
from libretto.errors import LibrettoError
from libretto.grammar import notate
from libretto.house import compose_score
from libretto.tasks import compose_task, make_task

BRIEF = "A slow waltz in D minor, Dm Gm A7 Dm over 8 bars, for solo piano."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "run"
    assert start_run(make_task("compose", [BRIEF]), path) == path / "prompt.md"
    return path


@pytest.fixture(scope="module")
def good() -> str:
    return notate(compose_score(compose_task(BRIEF).contract, 0))


def test_drafts_are_judged_round_by_round_and_the_best_is_kept(folder: Path, good: str) -> None:
    assert BRIEF in (folder / "prompt.md").read_text(encoding="utf-8")
    first = submit_draft(folder, "not music")
    assert "cannot be read" in first.rounds[-1].feedback
    second = submit_draft(folder, good)
    assert second.best.number == 2
    third = submit_draft(folder, good.replace("KEY: D minor", "KEY: F# major"))
    assert [each.number for each in third.rounds] == [1, 2, 3]
    assert third.best.number == 2
    assert (folder / "best.libretto").read_text(encoding="utf-8") == good
    assert json.loads((folder / "round-3.json").read_text())["round"] == 3


def test_a_draft_that_cannot_be_read_is_no_best_piece(folder: Path, good: str) -> None:
    submit_draft(folder, "I cannot help with that.")
    assert not (folder / "best.libretto").exists()
    assert json.loads((folder / "summary.json").read_text())["best"] == 1
    submit_draft(folder, good)
    assert (folder / "best.libretto").read_text(encoding="utf-8") == good


def test_what_was_shown_is_kept_before_the_round(folder: Path, good: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(RunFolder, "keep", killed)
    with pytest.raises(KeyboardInterrupt):
        submit_draft(folder, good)
    assert (folder / "shown.json").is_file()


def test_what_the_page_showed_is_looked_for(folder: Path) -> None:
    run = submit_draft(folder, "not music")
    assert run.task.shown.concepts


def test_starting_again_leaves_the_run_alone(folder: Path, good: str) -> None:
    submit_draft(folder, good)
    start_run(make_task("compose", [BRIEF]), folder)
    assert (folder / "round-1.json").is_file()
    with pytest.raises(LibrettoError, match="another run"):
        start_run(make_task("compose", [BRIEF + " Fast."]), folder)


def test_other_folders_are_refused(tmp_path: Path, folder: Path, good: str) -> None:
    with pytest.raises(LibrettoError, match="holds no run"):
        submit_draft(tmp_path / "nothing", good)
    Session(compose_task(BRIEF), "house", 0, folder=tmp_path / "house")
    with pytest.raises(LibrettoError, match="takes no drafts"):
        submit_draft(tmp_path / "house", good)
    with pytest.raises(LibrettoError, match="made from words"):
        start_run(compose_task(BRIEF), tmp_path / "other")
    asked = json.loads((folder / "run.json").read_text())
    asked["brief"] = "something else"
    (folder / "run.json").write_text(json.dumps(asked))
    with pytest.raises(LibrettoError, match="another run"):
        submit_draft(folder, good)
