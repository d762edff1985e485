"""Scripts as clients: replies from files, in the order of the calls of a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from libretto.agents import composer, run_task
from libretto.agents.scripted.answers import answer, answers
from libretto.errors import LibrettoError, ModelError
from libretto.grammar import notate
from libretto.house import compose_score
from libretto.models.client import Request, clients
from libretto.models.cost import tokens_of
from libretto.models.relay import ReplyScript, replies_from
from libretto.tasks import compose_task


def test_replies_come_from_text_and_json(tmp_path: Path) -> None:
    text, data = tmp_path / "replies.txt", tmp_path / "replies.json"
    text.write_text("one\n---\ntwo\n--- not a line of its own\n---\nthree\n")
    assert [reply for reply, _ in replies_from(str(text))] == ["one\n", "two\n--- not a line of its own\n", "three\n"]
    data.write_text(json.dumps(["one", {"text": "two", "finish": "length"}]))
    assert replies_from(str(data)) == [("one", "stop"), ("two", "length")]


def test_the_number_of_the_call_says_which_reply_comes(tmp_path: Path) -> None:
    path = tmp_path / "replies.txt"
    path.write_text("one\n---\ntwo\n")
    client = clients["scripted"](str(path), 0, "")
    said = [client.ask(Request((), asked={"call": call})).text for call in (2, 1, 5)]
    assert said == ["two\n", "one\n", "two\n"]


def test_a_file_composes(tmp_path: Path) -> None:
    task = compose_task("A slow waltz in D minor over 8 bars, for solo piano.", original=False)
    path = tmp_path / "replies.txt"
    path.write_text("I need to think about it.\n---\n" + notate(compose_score(task.contract, 2)))
    run = run_task(task, composer(f"scripted:{path}"), rounds=1)
    assert run.score is not None
    assert run.score.digest == compose_score(task.contract, 2).digest
    assert run.best.draft.notes["repairs"]


def test_the_pretend_model_knows_every_kind_of_request() -> None:
    kinds = {"bars", "piece", "plan", "prompts", "review", "revise", "role", "speaker", "words"}
    assert set(answers) == kinds
    task = compose_task("A slow waltz in D minor over 8 bars, for flute and cello.")
    assert "VOICES: " in answer({"kind": "plan", "task": task})
    part = answer({"kind": "role", "task": task, "bars": (3, 4), "voices": ("Cello",)})
    assert part.count("@") > 2
    assert "Flute" not in part
    with pytest.raises(ModelError):
        answer({"kind": "dance", "task": task})
    with pytest.raises(LibrettoError, match="at least one"):
        ReplyScript([])


def test_the_size_of_a_text_is_by_a_rule() -> None:
    assert tokens_of("") == 0
    assert tokens_of("Bass: C#2@13>4^100") == 11
