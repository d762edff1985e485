"""Whole sessions: the official client runs tasks against the server, with a small scripted agent as the composer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp")

from mcp import Client
from mcp_agent import Agent, over_stdio, play
from mcp_types import Implementation

from libretto.agents import Session
from libretto.agents.scripted.answers import bars_text
from libretto.contract import Contract
from libretto.grammar import notate, parse
from libretto.house import compose_score
from libretto.house.drafting import House
from libretto.score import Score, transpose
from libretto.tasks import compose_task, fill_task, task_kinds
from libretto.workspace import Workspace

BRIEF = "A pop rock song in G major over 24 bars"


@pytest.fixture(scope="module")
def song() -> Score:
    return compose_score(Contract.from_brief(BRIEF), 4)


def test_a_compose_task_from_page_to_best_draft(tmp_path: Path, song: Score) -> None:
    drafts = [notate(transpose(song, 3)), notate(song)]  # in another key first: the contract is broken

    async def script(agent: Agent) -> None:
        begun = await agent("task", kind="compose", arguments=[BRIEF])
        assert BRIEF in begun["page"]
        assert "pitch@start>length" not in begun["page"]  # the grammar is the guide's
        assert "pitch@start>length" in (await agent("guide", topic="grammar"))["text"]
        piece, told = begun["piece"], list[str]()
        for draft in drafts:
            written = await agent("write", piece=piece, patches=[{"text": draft}], message="a draft")
            piece = written["piece"]
            found = await agent("findings", piece=piece, original=False)
            told.append(found["feedback"])
            handed = await agent("submit", run=begun["run"], piece=piece)
            if handed["passed"]:
                break
        assert "G major" in told[0]
        assert (handed["round"], handed["best"], handed["best_passed"]) == (2, 2, True)
        assert any("clauses kept" in line for line in handed["receipt"])
        assert (tmp_path / handed["file"]).read_text(encoding="utf-8") == drafts[1]
        assert "judging" in agent.heard
        rendered = await agent("render", piece=piece, format="mid")
        assert (tmp_path / rendered["path"]).is_file()
        history = await agent("history", piece=begun["run"])
        assert [row["author"] for row in history["versions"]] == ["model-x", "model-x", "task"]

    play(over_stdio(tmp_path, "--author", "model-x"), script)


def test_a_fill_touches_only_the_gap(tmp_path: Path, song: Score) -> None:
    """The agent hands in something wrong, then what the house writes, and revises it by what it is told."""
    task, house = fill_task(song, 13, 16), House(1)
    heard = Session(task)  # what the same gates say here

    def draft() -> str:
        if not heard.rounds:
            return bars_text(transpose(parse(house.draft(task).text), 6), 13, 16, grids=True)
        told = heard.rounds[1:]
        return bars_text(parse((house.revise(task, told) if told else house.draft(task)).text), 13, 16, grids=True)

    async def begin(agent: Agent) -> dict[str, Any]:
        await agent("open", piece="song", text=notate(song))
        if "fill" in task_kinds:
            return await agent("task", kind="fill", arguments=["song@1"], options={"bars": "13-16"})
        opened = await agent("open", piece="gap", text=notate(task.context))
        return {"piece": opened["piece"], "run": None}

    async def script(agent: Agent) -> None:
        begun = await begin(agent)
        piece = begun["piece"]
        name = piece.partition("@")[0]
        shown = await agent("read", piece=piece, bars="12-17")
        assert "\n@14 [-]\n@15 [-]\n@16 [-]\n" in shown["text"]
        while len(heard.rounds) < 4 and not (heard.rounds and heard.rounds[-1].passed):
            written = await agent("write", piece=piece, patches=[{"text": draft(), "bars": "13-16"}])
            piece = written["piece"]
            made = Workspace(tmp_path).score(name)
            assert task.same_outside(made)
            assert all(line.startswith("bars 13-16 of ") for line in written["written"])
            judged = heard.submit(notate(made))
            if begun["run"]:
                handed = await agent("submit", run=begun["run"], piece=piece)
                assert (handed["passed"], handed["feedback"]) == (judged.passed, judged.feedback)
        assert not heard.rounds[0].passed
        assert heard.run.best.number > 1
        assert (await agent("findings", piece=piece))["feedback"]

    play(over_stdio(tmp_path), script)


def test_two_clients_one_piece(tmp_path: Path) -> None:
    async def main() -> None:
        async with (
            Client(over_stdio(tmp_path, "--author", "ann")) as one,
            Client(over_stdio(tmp_path), mode="legacy", client_info=Implementation(name="bob", version="1")) as two,
        ):
            ann, bob = Agent(one), Agent(two)
            await ann("open", piece="duo", brief="A duo in C major over 8 bars for flute and cello")
            first = await ann(
                "write",
                piece="duo@1",
                patches=[{"text": "@1 [C]\n  Flute: C5@1>16"}, {"text": "@2 [G]\n  Flute: D5@1>16"}],
            )
            assert first["piece"] == "duo@2"
            assert first["written"] == ["bars 1 of Flute", "bars 2 of Flute"]
            assert first["from"] == 1
            mine = {"text": "@1\n  Cello: C3@1>16"}
            refused = await bob("write", piece="duo@1", patches=[mine])
            assert refused["newest"] == "duo@2"
            assert refused["by"] == ["ann"]
            assert "Flute bar 1: C5 added on beat 1" in refused["changed"]
            again = await bob("write", piece=refused["newest"], patches=[mine])
            assert again["piece"] == "duo@3"
            read = await ann("read", piece="duo", bars="1-2")
            assert read["text"] == "@1 [C]\n  Flute: C5@1>16\n  Cello: C3@1>16\n@2 [G]\n  Flute: D5@1>16\n"
            authors = await ann("history", piece="duo", authors=True)
            found = [(row["voice"], row["first"], row["last"], row["author"]) for row in authors["authors"]]
            assert found == [("Flute", 1, 2, "ann"), ("Cello", 1, 1, "bob")]

    anyio.run(main)


def test_the_house_begins_and_findings_know_the_contract(tmp_path: Path) -> None:
    async def script(agent: Agent) -> None:
        made = await agent("open", piece="tune", brief=BRIEF, compose=True, seed=3)
        assert made["bars"] == 24
        assert any("passes" in message or "round 1" in message for message in agent.heard)
        found = await agent("findings", piece="tune", original=False)
        assert any(line.startswith("key") for line in found["receipt"])
        assert found["passed"] == (not found["failed"])

    from libretto.mcp import make_server

    play(make_server(Workspace(tmp_path)), script)
    assert Workspace(tmp_path).version("tune").author == "house"
    assert compose_task(BRIEF).contract.bars == 24
