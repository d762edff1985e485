"""One truth: the same draft for the same task gets the same verdict, in the same words, whoever is asked.

Every face is asked: a session, ``libretto submit``, the tools ``submit`` and ``findings`` of the server, the loop,
``libretto measure`` of the written file, and the page.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from libretto import read
from libretto.agents import run_task, start_run, submit_draft
from libretto.agents.composer import Scripted
from libretto.cli.app import app
from libretto.grammar import notate
from libretto.house import compose_score
from libretto.knowledge import find_concept
from libretto.mcp.answers import answer
from libretto.mcp.desk import Desk, tools
from libretto.report.run import export_run
from libretto.score import take_bars, transpose
from libretto.tasks import Task, make_task
from libretto.tasks.prompt import show_ideas
from libretto.workspace import Workspace

SONG = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
BRIEF = "A slow waltz in D minor, Dm Gm A7 Dm over 8 bars, for solo piano."
WORDS: dict[str, tuple[str, list[str], dict[str, str]]] = {
    "brief": ("compose", [BRIEF], {}),
    "genre": ("compose", [], {"genre": "folk_country", "bars": "8"}),
    "no genre": ("compose", ["A West African duo for kora and djembe over 8 bars."], {}),
    "fill": ("fill", [str(SONG)], {"bars": "5-6"}),
}
CONCEPT = "composing/walking-bass"


def good(task: Task) -> str:
    """What the house writes."""
    return notate(compose_score(task.contract, 0))


def transposed(task: Task) -> str:
    """The same in another key than was asked for."""
    return notate(transpose(compose_score(task.contract, 0), 1))


def short(task: Task) -> str:
    """The same, half as long."""
    return notate(take_bars(compose_score(task.contract, 0), 1, 4))


def filled(task: Task) -> str:
    """The song as it was before its bars were taken out."""
    return notate(read(SONG))


def example(task: Task) -> str:
    """What was shown as an example, handed in."""
    return find_concept(CONCEPT).example


CASES: list[tuple[str, Callable[[Task], str], bool]] = [
    ("brief", good, False),
    ("brief", transposed, False),
    ("brief", short, False),
    ("brief", example, True),
    ("genre", good, False),
    ("no genre", good, False),
    ("fill", filled, False),
]


def told(data: dict[str, Any]) -> dict[str, Any]:
    """What an answer of the server says of a verdict."""
    return {name: data.get(name) for name in ("passed", "judged", "failed", "gates", "feedback")}


@pytest.mark.parametrize(("words", "draft", "shown"), CASES)
def test_every_face_says_the_same(words: str, draft: Callable[[Task], str], shown: bool, tmp_path: Path) -> None:
    kind, arguments, options = WORDS[words]
    task = make_task(kind, arguments, options)
    text = draft(task)
    desk = Desk(Workspace(tmp_path))
    if shown:
        assert answer(tools["ideas"], desk, {"concept": CONCEPT})["ok"]
    if kind == "fill":  # songs of tasks lie in the workspace
        (tmp_path / "song.libretto").write_bytes(SONG.read_bytes())
        arguments = ["song.libretto"]

    # the server: findings of the piece that the task began, then submit
    begun = answer(tools["task"], desk, {"kind": kind, "arguments": arguments, "options": options, "run": "mine"})
    assert begun["ok"], begun
    written = answer(tools["write"], desk, {"piece": begun["piece"], "patches": [{"text": text}]})
    assert written["ok"], written
    findings = answer(tools["findings"], desk, {"piece": written["piece"]})
    handed_in = answer(tools["submit"], desk, {"run": "mine", "text": text})
    assert findings["ok"], findings
    assert told(findings) == told(handed_in)
    assert findings.get("receipt") == handed_in.get("receipt")
    run_folder = tmp_path / "runs" / "mine"
    verdict = json.loads((run_folder / "round-1.json").read_text(encoding="utf-8"))["verdict"]
    assert told(findings)["feedback"] == verdict["feedback"]
    assert verdict["gates"].get("citation", {"passed": True})["passed"] is not shown

    # the command line: submit to the same run, then measure the file that came of it
    (tmp_path / "draft.libretto").write_text(text, encoding="utf-8")
    typed = CliRunner().invoke(app, ["submit", str(run_folder), str(tmp_path / "draft.libretto"), "--json"])
    assert json.loads(typed.stdout)["verdict"] == verdict
    assert typed.exit_code == (0 if verdict["passed"] else 1)
    measured = CliRunner().invoke(app, ["measure", str(run_folder / "best.libretto"), "--json"])
    assert json.loads(measured.stdout)["verdict"] == verdict
    elsewhere = CliRunner().invoke(
        app, ["measure", str(tmp_path / "draft.libretto"), "--run", str(run_folder), "--json"]
    )
    assert json.loads(elsewhere.stdout)["verdict"] == verdict

    # a session, and the loop with its page
    start_run(make_task(kind, WORDS[words][1], options), tmp_path / "other")
    if not shown:
        by_hand = submit_draft(tmp_path / "other", text).best
        assert by_hand.verdict is not None
        assert by_hand.verdict.to_dict() == verdict
    show_ideas(task)
    task.shown.add(*desk.shown.concepts, *desk.shown.excerpts)
    run = run_task(task, Scripted([text]), rounds=1)
    assert run.best.verdict is not None
    assert run.best.verdict.to_dict() == verdict
    assert run.best.verdict.state in told(findings)["judged"]
    (tmp_path / "page").mkdir()
    list(export_run(run, tmp_path / "page", "piece", sound=False, score=False))
    page = (tmp_path / "page" / "piece.html").read_text(encoding="utf-8")
    shown_verdict = page[page.index('id="verdict"') :].partition("</section>")[0]
    state = run.best.verdict.state
    assert escape(f"{state[0].upper()}{state[1:]}") in shown_verdict
    assert escape(run.best.verdict.judged_as) in shown_verdict
    for name, gate in verdict["gates"].items():
        assert f'class="{"pass" if gate["passed"] else "fail"}">{escape(name)}: {escape(gate["note"])}' in shown_verdict
    for finding in run.best.verdict.findings:
        assert escape(finding.text) in shown_verdict
    for remark in (*run.best.verdict.weakest, *run.best.verdict.strongest):
        assert escape(remark.text) in shown_verdict
    if "originality" in verdict["gates"] and kind == "compose":
        title = "Original (" if verdict["gates"]["originality"]["passed"] else "Too much"
        assert ('id="originality"' not in page) or (title in page)


def test_a_file_without_a_task_is_judged_on_its_own_and_says_so(tmp_path: Path) -> None:
    alone = CliRunner().invoke(app, ["measure", str(SONG), "--no-original", "--json"])
    verdict = json.loads(alone.stdout)["verdict"]
    assert verdict["alone"] is True
    assert "contract" not in verdict["gates"]
    spoken = CliRunner().invoke(app, ["measure", str(SONG), "--no-original"])
    assert "on its own, without a brief" in spoken.stdout
    page = tmp_path / "page.html"
    CliRunner().invoke(app, ["report", str(SONG), "-o", str(page), "--no-sound", "--no-notation"])
    assert "on its own, without a brief" in page.read_text(encoding="utf-8")


def test_what_a_draft_weighs_is_never_shown(tmp_path: Path) -> None:
    task = make_task(*WORDS["brief"])
    run = run_task(task, Scripted([good(task)]), rounds=1, folder=tmp_path / "run")
    weight = run.best.weight
    assert weight is not None
    list(export_run(run, tmp_path / "run", "piece", sound=False, score=False))
    for path in (tmp_path / "run").iterdir():
        assert f"{weight:.6g}"[:6] not in path.read_text(encoding="utf-8", errors="replace"), path.name
    assert "weight" not in run.best.to_dict()
    assert "weight=" not in repr(run.best)
