"""Writing by operations and scattered bars, short answers, and who plays: what an agent is told, and in whose words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp_agent import Agent, play

from libretto.edits.operations import operations
from libretto.mcp import make_server
from libretto.workspace import Workspace

WALTZ = """KEY: D minor | METER: 3/4 | TEMPO: 96 | GRID: 16th | BARS: 4
VOICES: Flute[prog=73], Cello[prog=42], Kit[drums]
@1 [Dm]
  Flute: D5@1>8 A5@9>4
  Cello: D3@1>4 A3@5>4 F3@9>4
@2 [Gm]
@3 [A7]
@4 [Dm]
"""


def test_texts_and_operations_in_one_call(tmp_path: Path) -> None:
    async def script(agent: Agent) -> None:
        await agent("open", piece="waltz", text=WALTZ)
        patches: list[dict[str, Any]] = [
            {"op": "copy", "bars": "1", "to": "2-4", "voices": "Cello", "by": "chords"},
            {"text": "@2\n  Flute: Bb5@1>12\n@4\n  Flute: D5@1>12"},
            {"op": "tempo", "bpm": 88},
            {"op": "sections", "at": {"1": "A", "3": "B"}},
        ]
        made = await agent("write", piece="waltz@1", patches=patches)
        assert made == {
            "ok": True,
            "piece": "waltz@2",
            "from": 1,
            "written": [
                "bars 1 of Cello copied to bars 2-4, along the chords",
                "bars 2,4 of Flute",
                "bars 1-4 at 88 BPM",
                "bar 1: A; bar 3: B",
            ],
            "notes": "+11 -0",
        }
        read = await agent("read", piece="waltz", bars="2,4")
        assert read["bars"] == "2,4"
        assert read["voices"] == {
            "Flute": "73 Flute, D5 to Bb5",
            "Cello": "42 Cello, A2 to D4",
            "Kit": "drums",
        }
        assert read["text"] == (
            "@2 [Gm]\n  Flute: Bb5@1>12\n  Cello: G3@1>4 D4@5>4 Bb3@9>4\n"
            "@4 [Dm]\n  Flute: D5@1>12\n  Cello: D3@1>4 A3@5>4 F3@9>4\n"
        )
        assert (await agent("read", piece="waltz", bars="1-4", voices=["Flute"]))["voices"].keys() == {"Flute"}

    play(make_server(Workspace(tmp_path)), script)


def test_digests_are_told_where_they_are_asked_for(tmp_path: Path) -> None:
    async def script(agent: Agent) -> None:
        await agent("open", piece="waltz", text=WALTZ)
        patches = [{"text": "@3\n  Flute: E5@1>12"}, {"op": "program", "voices": "Cello", "program": "strings"}]
        short = await agent("write", piece="waltz@1", patches=patches)
        assert "outside" not in str(short)
        full = await agent("write", piece="waltz@2", patches=patches[:1], full=True)
        assert len(full["written"][0]["outside"]) == 16
        checked = await agent("write", piece="waltz@2", patches=patches, check=True)
        assert checked["saved"] is False
        assert (await agent("history", piece="waltz"))["versions"][0]["message"].startswith("bars 3 of Flute")

    play(make_server(Workspace(tmp_path)), script)


def test_nothing_is_saved_where_one_patch_cannot_be_done(tmp_path: Path) -> None:
    async def script(agent: Agent) -> None:
        await agent("open", piece="waltz", text=WALTZ)
        good = {"op": "tempo", "bpm": 60}
        for bad, why in (
            ({"op": "fly"}, "there is no operation 'fly'"),
            ({"op": "copy", "bars": "1", "to": "9"}, "there is no bar 9"),
            ({"op": "copy", "bars": "1", "to": "2", "voice": "Cello"}, "copy has no voice; it takes bars, to, voices"),
            ({"op": "meter", "meter": "4/4"}, "write the whole text"),
            ({"text": "@2\n  Flute: H5@1>2"}, "line 2"),
        ):
            answer = await agent("write", piece="waltz@1", patches=[good, bad])
            assert why in answer["error"], answer
        assert (await agent("history"))["pieces"] == ["waltz@1"]

    play(make_server(Workspace(tmp_path)), script)


def test_the_guide_has_every_operation(tmp_path: Path) -> None:
    async def script(agent: Agent) -> None:
        told = (await agent("guide", topic="operations"))["text"]
        assert [line.split(" ")[0] for line in told.splitlines()] == list(operations)

    play(make_server(Workspace(tmp_path)), script)


def test_wrong_calls_are_answered_in_our_own_words(tmp_path: Path) -> None:
    async def script(agent: Agent) -> None:
        await agent("open", piece="waltz", text=WALTZ)
        for tool, arguments, error, hint in (
            ("read", {"piece": "waltz", "bar": "3"}, "read has no argument bar", "did you mean bars?"),
            ("read", {"bars": "3"}, "read was called wrongly: piece is needed", "schema"),
            ("read", {"piece": "waltz", "voices": 3}, "voices is a list", "schema"),
            ("undo", {"piece": "waltz@1", "to": "soon"}, "to is a whole number", "schema"),
            ("write", {"piece": "waltz@1", "patches": "x"}, "patches is a list", "schema"),
            ("write", {"piece": "waltz@1", "patches": ["x"]}, "patches.0 is an object", "schema"),
            ("task", {"kind": "fill", "arguments": ["waltz@1"]}, "say which bars to fill: bars, such as 33-40", ""),
        ):
            answer = await agent(tool, **arguments)
            assert error in answer["error"], answer
            assert hint in answer.get("hint", "")
            assert "--" not in answer["error"]
            assert "Input should be" not in str(answer)

    play(make_server(Workspace(tmp_path)), script)


def test_a_task_names_its_voices_and_ends_with_the_tools(tmp_path: Path) -> None:
    async def script(agent: Agent) -> None:
        brief = "A song with an 8-bar intro, a verse and a chorus for flute, strings and drums"
        begun = await agent("task", kind="compose", arguments=[brief])
        assert begun["sections"] == {"1": "intro", "9": "verse", "17": "chorus"}
        assert begun["voices"]["Flute"] == "73 Flute, silent, can play C4 to D7"
        assert begun["voices"]["Drums"] == "drums"
        for page in (begun["page"], (tmp_path / "runs" / begun["run"] / "prompt.md").read_text(encoding="utf-8")):
            assert "Answer with" not in page
            assert page.rstrip().endswith("the best draft is kept.")
        shown: Any = (await agent.client.get_prompt("compose", {"words": brief})).messages[0].content
        assert "Answer with" not in shown.text

    play(make_server(Workspace(tmp_path)), script)


def test_a_file_that_somebody_changed_is_left_alone_and_no_option_is_advised(tmp_path: Path) -> None:
    async def script(agent: Agent) -> None:
        await agent("open", piece="waltz", text=WALTZ)
        told = await agent("render", piece="waltz", format="abc")
        (tmp_path / told["path"]).write_text("mine", encoding="utf-8")
        refused = await agent("render", piece="waltz", format="abc")
        assert "holds what is in no version" in refused["error"]
        assert "--force" not in str(refused)
        assert (tmp_path / told["path"]).read_text(encoding="utf-8") == "mine"

    play(make_server(Workspace(tmp_path)), script)
