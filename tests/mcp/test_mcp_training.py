"""An agent teaches a learner: questions with their sound, answers explained and kept, nothing counted twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import mido
from mcp_agent import Agent, play

from libretto.mcp import make_server
from libretto.tasks.training import item_of
from libretto.workspace import Workspace


def _taught(folder: Path, *calls: dict[str, Any]) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []

    async def script(agent: Agent) -> None:
        for call in calls:
            answers.append(await agent("train", **call))

    play(make_server(Workspace(folder)), script)
    return answers


def _lines(folder: Path, learner: str = "me") -> list[dict[str, Any]]:
    path = folder / ".libretto" / "learners" / f"{learner}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def test_the_next_question_sounds_and_is_not_called_by_its_answer(tmp_path: Path) -> None:
    first, again = _taught(tmp_path, *[{"kinds": ["intervals"], "sound": "mid"}] * 2)
    assert first["ok"] is True
    assert first["next"] == again["next"]
    item = item_of(first["next"]["item"])
    assert item.answer not in first["next"]["sound"]
    file = mido.MidiFile(tmp_path / first["next"]["sound"])
    struck = [event.note for event in file if event.type == "note_on" and event.velocity]
    assert sorted(struck) == sorted(int(pitch) for pitch in item.played.table["pitch"])
    assert "answer" not in first["next"]
    assert not _lines(tmp_path)


def test_answers_are_explained_kept_and_lead_on(tmp_path: Path) -> None:
    (asked,) = _taught(tmp_path, {"kinds": ["intervals"], "learner": "ada", "sound": "notation"})
    name = asked["next"]["item"]
    assert any("-" in row for row in asked["next"]["notation"])
    right = item_of(name).answer
    wrong = "m2" if right != "m2" else "P8"
    told, retold = _taught(
        tmp_path,
        {"kinds": ["intervals"], "learner": "ada", "sound": "notation", "item": name, "answer": wrong},
        {"kinds": ["intervals"], "learner": "ada", "sound": "notation", "item": name, "answer": right},
    )
    assert told["right"] is False
    assert told["answer"] == right
    assert told["lines"]
    assert told["kept"] is True
    assert told["next"]["item"] != name
    assert told["standing"]["intervals"]["asked"] == 1
    assert retold["right"] is True  # explained again, and not counted twice
    assert retold["kept"] is False
    rows = _lines(tmp_path, "ada")
    assert len(rows) == 1
    assert rows[0]["score"] < 100
    assert rows[0]["skill"] == f"intervals/{item_of(name).skill.name}"


def test_a_question_may_be_left(tmp_path: Path) -> None:
    (asked,) = _taught(tmp_path, {"kinds": ["chords"], "sound": "notation"})
    (left,) = _taught(tmp_path, {"kinds": ["chords"], "sound": "notation", "item": asked["next"]["item"], "skip": True})
    assert left["right"] is False
    assert left["lines"]
    assert _lines(tmp_path)[0]["mistakes"] == {"no answer": 1}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"answer": "P5"}, "which item"),
        ({"item": "intervals/P5 up/0/0", "answer": "bananas", "sound": "mid"}, ""),
        ({"item": "nothing", "answer": "P5"}, "names no question"),
        ({"kinds": ["colours"]}, "there is no training"),
        ({"learner": "../x"}, ""),
        ({"level": 9}, "not 1, 2 or 3"),
        ({"sound": "ogg"}, "wav, mid or notation"),
        ({"item": "intervals/P5 up/0/0", "answer": "x" * 5_000}, "characters"),
        ({"seed": -1}, "from 0 on"),
    ],
)
def test_what_is_wrong_is_said_in_a_line_and_nothing_is_kept(tmp_path: Path, words: dict[str, Any], said: str) -> None:
    (answer,) = _taught(tmp_path, words)
    assert answer["ok"] is False
    assert said in str(answer)
    assert "Traceback" not in str(answer)
    assert not _lines(tmp_path)


def test_a_folder_that_leads_outside_is_refused(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    outside.mkdir()
    root.mkdir()
    (root / "training").symlink_to(outside)
    (answer,) = _taught(root, {"sound": "mid"})
    assert answer["ok"] is False
    assert not list(outside.iterdir())
