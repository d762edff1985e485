"""The server's edges: what it costs, what it refuses, and how it says so."""

from __future__ import annotations

import http.client
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import MCPError
from mcp_agent import Agent, over_stdio, play

from libretto.errors import MissingExtra
from libretto.mcp import footprint_lines, make_server
from libretto.mcp.desk import tools
from libretto.mcp.server import footprint
from libretto.tasks import task_kinds
from libretto.workspace import Workspace

TUNE = "KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 2\nVOICES: LEAD\n@1 [C]\n  LEAD: C4@1>4\n@2 [C]\n"


def test_the_tool_list_is_small() -> None:
    assert len(tools) <= 13
    assert sum(footprint().values()) < 3_000
    assert f"{len(tools)} tools" in footprint_lines()[-2]
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    said = re.search(r"The tool list is ([\d,]+) tokens", page)
    assert said is not None
    assert int(said[1].replace(",", "")) == pytest.approx(sum(footprint().values()), rel=0.05)


def test_hostile_calls_are_answered_as_data(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    root = tmp_path / "root"
    for folder in (outside, root):
        folder.mkdir()
    (outside / "song.libretto").write_text(TUNE, encoding="utf-8")
    (root / "way.libretto").symlink_to(outside / "song.libretto")
    (root / "runs").symlink_to(outside)
    secret = str(outside / "song.libretto")
    bad: list[tuple[str, dict[str, Any], str]] = [
        ("nothing", {}, "no tool"),
        ("read", {"piece": ["a"], "bars": 3}, "called wrongly"),
        ("read", {}, "called wrongly"),
        ("open", {"piece": "../x", "text": TUNE}, "cannot name a piece"),
        ("open", {"piece": "x" * 5_000, "text": TUNE}, "characters"),
        ("open", {"piece": "tune", "text": TUNE}, "there is a piece tune already"),
        ("open", {"piece": "other", "text": "x" * 500_000}, "characters"),
        ("open", {"piece": "other", "text": "KEY: nonsense"}, "line 1"),
        ("open", {"piece": "other", "file": "../outside/song.libretto"}, "not inside the workspace"),
        ("open", {"piece": "other", "file": secret}, "not inside the workspace"),
        ("open", {"piece": "other", "file": "way.libretto"}, "not inside the workspace"),
        ("open", {"piece": "other", "file": ".libretto/lock"}, "belongs to the workspace"),
        ("open", {"piece": "other", "brief": "a" * 200_000}, "characters"),
        ("open", {"piece": "other", "genre": "noise"}, "genre"),
        ("read", {"piece": "tune", "bars": "9-12"}, "there is no bar 9"),
        ("read", {"piece": "tune", "bars": "9" * 4_000}, "are no bars"),
        ("read", {"piece": "tune", "voices": ["OBOE"]}, "no voice"),
        ("read", {"piece": "tune@77"}, "has versions 1-1"),
        ("write", {"piece": "tune", "patches": [{"text": "@1\n  LEAD: -"}]}, "tune@1 is the newest"),
        ("write", {"piece": "tune@1", "patches": []}, "1 to 64 patches"),
        ("write", {"piece": "tune@1", "patches": [{"text": "@1\n  LEAD: -"}] * 65}, "1 to 64 patches"),
        ("write", {"piece": "tune@1", "patches": [{"txt": "@1"}]}, "a patch has text"),
        ("write", {"piece": "tune@1", "patches": [{"text": "@1", "bars": {}}]}, "bars are written"),
        ("write", {"piece": "tune@1", "patches": ["@1"]}, "called wrongly"),
        (
            "write",
            {"piece": "tune@1", "patches": [{"text": "@1\n  LEAD: D4@1>4"}, {"text": "@2\n  LEAD: H4"}]},
            "line 2",
        ),
        ("write", {"piece": "tune@1", "patches": [{"text": "@1\n  LEAD: \ud800"}]}, "line 2"),
        ("undo", {"piece": "tune@1"}, "nothing to undo"),
        ("undo", {"piece": "tune@1", "to": 9}, "has versions 1-1"),
        ("history", {"piece": "none"}, "there is no piece"),
        ("measure", {"piece": "tune", "what": "taste"}, "there is no measure"),
        ("measure", {"piece": "tune", "genre": "noise"}, "noise"),
        ("ideas", {"concept": "no such thing"}, "there is no concept"),
        ("ideas", {}, "say what you look for"),
        ("ideas", {"genre": "jazz", "exemplars": 99}, "1 to 4"),
        ("guide", {"topic": "fame"}, "there is no topic"),
        ("render", {"piece": "tune", "format": "../../x"}, "nothing is written as"),
        ("task", {"kind": "fame", "arguments": []}, "no kind of task"),
        ("task", {"kind": "morph", "arguments": [secret, "jazz"]}, "not inside the workspace"),
        ("task", {"kind": "morph", "arguments": ["../outside/song.libretto", "jazz"]}, "not inside the workspace"),
        ("task", {"kind": "morph", "arguments": ["pop_rock", "jazz"], "options": {"bars": secret}}, "not inside"),
        ("task", {"kind": "compose", "arguments": ["a slow waltz"]}, "not inside the workspace"),  # runs is a link
        ("submit", {"run": "../outside", "text": TUNE}, "cannot name a run"),
        ("submit", {"run": "x", "text": TUNE}, "not inside the workspace"),
        ("submit", {"run": "x"}, "a piece (a handle) or a text"),
    ]

    async def script(agent: Agent) -> None:
        await agent("open", piece="tune", text=TUNE)
        for tool, arguments, why in bad:
            answer = await agent(tool, **arguments)
            assert not answer["ok"], (tool, arguments)
            assert why in answer["error"], (tool, answer)
            assert "Traceback" not in str(answer)
            assert len(str(answer)) < 4_000
        assert (await agent("history"))["pieces"] == ["tune@1"]
        assert (await agent("read", piece="tune"))["text"].startswith("@1 [C]\n  LEAD: C4@1>4\n")

    play(make_server(Workspace(root)), script)
    assert [path.name for path in outside.iterdir()] == ["song.libretto"]


def test_a_fault_of_ours_is_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(Workspace, "pieces", broken)

    async def script(agent: Agent) -> None:
        answer = await agent("history")
        assert answer["error"] == "history failed inside; this is a fault of the server"
        assert "secret" not in str(answer)

    play(make_server(Workspace(tmp_path)), script)


def test_long_pieces_are_read_in_parts_and_checks_save_nothing(tmp_path: Path) -> None:
    bars = "".join(f"@{bar} [C]\n  LEAD: C4@1>4\n" for bar in range(1, 201))
    text = f"KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 200\nVOICES: LEAD\n{bars}"

    async def script(agent: Agent) -> None:
        await agent("open", piece="long", text=text)
        read, parts = await agent("read", piece="long@1"), 1
        whole = read["text"]
        while "next" in read:
            read = await agent("read", piece="long@1", bars=read["next"])
            whole, parts = whole + read["text"], parts + 1
        assert whole == bars
        assert parts == 4
        patch = [{"text": "@7\n  LEAD: E4@1>4"}]
        checked = await agent("write", piece="long@1", patches=patch, check=True)
        assert (checked["saved"], checked["changed"]) == (False, ["LEAD bar 7: C4 on beat 1 became E4"])
        assert (await agent("write", piece="long@1", patches=patch))["piece"] == "long@2"
        assert (await agent("history", piece="long"))["versions"][0]["message"] == "bars 7 of LEAD"
        back = await agent("undo", piece="long@2")
        assert (back["piece"], back["like"]) == ("long@3", "long@1")
        again = await agent("undo", piece="long@3", redo=True)
        assert again["like"] == "long@2"

    play(make_server(Workspace(tmp_path)), script)


def test_resources_and_prompts(tmp_path: Path) -> None:
    async def script(agent: Agent) -> None:
        await agent("open", piece="tune", text=TUNE)
        client = agent.client
        assert {str(each.uri) for each in (await client.list_resources()).resources} == {
            "libretto://pieces",
            "libretto://concepts",
        }
        piece: Any = (await client.read_resource("libretto://pieces/tune@1")).contents[0]
        assert piece.text == TUNE
        concept: Any = (await client.read_resource("libretto://concepts/composing/walking-bass")).contents[0]
        assert concept.text.startswith("Walking Bass")
        with pytest.raises(MCPError, match="there is no piece"):
            await client.read_resource("libretto://pieces/none")
        assert {each.name for each in (await client.list_prompts()).prompts} == set(task_kinds)
        page: Any = (await client.get_prompt("compose", {"words": "A slow waltz in D minor"})).messages[0].content
        assert page.text.startswith("# Compose a piece\n\nA slow waltz in D minor")
        with pytest.raises(MCPError, match=r"fill: .*words.*; it takes words, and may have options"):
            await client.get_prompt("fill", {})
        with pytest.raises(MCPError, match="there is no such prompt; there are accompany, compose"):
            await client.get_prompt("none", {"words": "A waltz"})

    play(make_server(Workspace(tmp_path)), script)


def test_http_is_for_this_machine_alone(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = over_stdio(tmp_path, "--http", str(port))
    server = subprocess.Popen([started.command, *started.args], env=started.env, stderr=subprocess.PIPE)
    try:
        for _ in range(600):
            assert server.poll() is None
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)

        async def script(agent: Agent) -> None:
            assert len((await agent.client.list_tools()).tools) == len(tools)
            assert (await agent("open", piece="tune", text=TUNE))["piece"] == "tune@1"

        play(f"http://127.0.0.1:{port}/mcp", script)
        if sys.platform == "linux":  # every 127.x is this machine; a server for all addresses would answer there
            with socket.socket() as elsewhere:
                assert elsewhere.connect_ex(("127.0.0.2", port)) != 0
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        asked.request("POST", "/mcp", b"{}", {"Host": "evil.example", "Content-Type": "application/json"})
        assert asked.getresponse().status in (400, 403, 421)
    finally:
        server.terminate()
        server.wait(10)
        assert server.stderr is not None
        server.stderr.close()


def test_without_the_extra_the_pip_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(MissingExtra, match=r"pip install 'libretto\[mcp\]'"):
        make_server(Workspace(tmp_path))
