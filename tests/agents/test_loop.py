"""The one loop: the best round is kept, a cut-off run goes on, nothing is overwritten."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from libretto.agents import Session, compose, composer, run_task
from libretto.agents.composer import Scripted
from libretto.errors import LibrettoError
from libretto.grammar import notate
from libretto.house import compose_score
from libretto.tasks import Task, compose_task

BRIEF = "A slow waltz in D minor, Dm Gm A7 Dm over 8 bars, for solo piano."


@pytest.fixture(scope="module")
def task() -> Task:
    return compose_task(BRIEF, original=False)


@pytest.fixture(scope="module")
def good(task: Task) -> str:
    return notate(compose_score(task.contract, 0))


def test_a_broken_draft_is_a_round_whose_feedback_says_why(task: Task, good: str) -> None:
    run = run_task(task, Scripted(["not music at all", good]), rounds=3)
    assert run.rounds[0].score is None
    assert "cannot be read" in run.rounds[0].feedback
    assert run.best.number == 2
    assert run.score is not None


def test_the_best_round_is_kept_and_a_loop_without_progress_stops(task: Task, good: str) -> None:
    wrong = good.replace("KEY: D minor", "KEY: F# major")
    run = run_task(task, Scripted([good, wrong, wrong, wrong, wrong]), rounds=9)
    assert run.best.number == 1
    assert len(run.rounds) <= 3


def test_the_house_composes_what_was_asked() -> None:
    run = compose(BRIEF, rounds=2, seed=4)
    assert run.score is not None
    assert run.score.bars == 8
    assert str(run.score.key) == "D minor"
    assert run.best.receipt is not None
    assert run.best.receipt.passed


def test_rounds_are_bounded(task: Task) -> None:
    for rounds in (0, -1, 10_000):
        with pytest.raises(LibrettoError, match="rounds"):
            run_task(task, composer("house"), rounds=rounds)
    with pytest.raises(LibrettoError, match="there is no composer"):
        composer("nobody")
    with pytest.raises(LibrettoError, match="what to compose"):
        compose_task("  ")


def _hard(task: Task) -> Task:
    """The same task with a genre nobody asked for, so that several rounds are needed."""
    return Task("compose", task.brief, task.contract, "metal", original=False)


def test_a_run_that_was_cut_off_anywhere_ends_as_if_it_had_not_been(task: Task, tmp_path: Path) -> None:
    whole = run_task(_hard(task), composer("house", 1), rounds=3, seed=1, folder=tmp_path / "whole")
    files = sorted(path.name for path in (tmp_path / "whole").iterdir())
    assert {"run.json", "contract.toml", "best.libretto", "round-1.json", "round-1.libretto"} <= set(files)
    for number in range(len(whole.rounds) + 1):
        for torn in (False, True):
            place = tmp_path / f"cut-{number}-{torn}"
            shutil.copytree(tmp_path / "whole", place)
            for path in list(place.iterdir()):
                late = path.name.startswith("round-") and int(path.name.split("-")[1].split(".")[0]) > number
                if path.name in ("best.libretto", "summary.json") or late:
                    path.unlink()
            if torn:
                (place / f"round-{number + 1}.libretto").write_text("half a dra")
            again = run_task(_hard(task), composer("house", 1), rounds=3, seed=1, folder=place)
            assert [each.draft.text for each in again.rounds] == [each.draft.text for each in whole.rounds]
            assert (place / "best.libretto").read_bytes() == (tmp_path / "whole" / "best.libretto").read_bytes()


def test_another_run_and_a_changed_draft_are_refused_not_overwritten(task: Task, tmp_path: Path) -> None:
    run_task(task, composer("house"), rounds=1, folder=tmp_path / "run")
    with pytest.raises(LibrettoError, match="another run"):
        run_task(task, composer("house", 5), rounds=1, seed=5, folder=tmp_path / "run")
    draft = tmp_path / "run" / "round-1.libretto"
    draft.write_text(draft.read_text() + "% by hand\n")
    with pytest.raises(LibrettoError, match="changed"):
        Session(task, "house", folder=tmp_path / "run")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    with pytest.raises(LibrettoError, match="not empty"):
        Session(task, "house", folder=tmp_path / "full")


def test_a_best_piece_edited_by_hand_stays(task: Task, tmp_path: Path) -> None:
    run_task(task, composer("house"), rounds=1, folder=tmp_path / "run")
    best = tmp_path / "run" / "best.libretto"
    best.write_text(best.read_text() + "% by hand\n")
    run_task(task, composer("house"), rounds=1, folder=tmp_path / "run")
    assert best.read_text().endswith("% by hand\n")


def test_damaged_run_files_are_one_clear_line(task: Task, tmp_path: Path) -> None:
    run_task(task, composer("house"), rounds=1, folder=tmp_path / "run")
    for text in ("", "[]", "{", "null"):
        (tmp_path / "run" / "run.json").write_text(text)
        with pytest.raises(LibrettoError):
            Session(task, "house", folder=tmp_path / "run")


def test_a_session_takes_one_draft_at_a_time(task: Task, good: str) -> None:
    session = Session(task, "me")
    assert not session.done
    answer = session.submit("hello")
    assert not answer.passed
    assert not session.done
    assert session.submit(good).number == 2
    data = session.run.best.to_dict()
    assert json.loads(json.dumps(data))["round"] == 2


def test_exports_that_were_changed_by_hand_are_left_alone(task: Task, tmp_path: Path) -> None:
    from libretto.report.run import export_run

    run = run_task(task, composer("house"), rounds=1)
    said: list[str] = []

    def export() -> list[str]:
        return [
            path.name
            for path in export_run(run, tmp_path, "waltz", sound=False, score=False, page=False, say=said.append)
        ]

    assert export() == ["waltz.libretto", "waltz.mid", "waltz.musicxml"]
    assert export() == ["waltz.libretto", "waltz.mid", "waltz.musicxml"]
    (tmp_path / "waltz.mid").write_bytes(b"mine")
    assert export() == ["waltz.libretto", "waltz.musicxml"]
    assert (tmp_path / "waltz.mid").read_bytes() == b"mine"
    assert any("left alone" in line for line in said)
