"""``libretto morph``, ``task`` and ``submit`` as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from libretto import read
from libretto.cli import app
from libretto.errors import FileExists, LibrettoError
from libretto.grammar import notate
from libretto.house import compose_score
from libretto.tasks import compose_task, drill_task

BRIEF = "A slow waltz in D minor, Dm Gm A7 Dm over 8 bars, for solo piano."


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_a_morph_is_written_and_drawn(tmp_path: Path) -> None:
    piece, drawing = tmp_path / "way.mid", tmp_path / "way.svg"
    done = run("morph", "latin", "jazz", "--bars", 32, "--rounds", 1, "-o", piece, "--curve", drawing)
    assert done.exit_code in (0, 1), done.output
    assert "bars   1-" in done.stdout
    assert "crossfade" in done.stdout
    assert read(piece).bars == 32
    assert drawing.read_text(encoding="utf-8").startswith("<svg")
    again = run("morph", "metal", "jazz", "-o", piece)
    assert isinstance(again.exception, FileExists)
    data = run("morph", "latin", "jazz", "--bars", 32, "--rounds", 1, "--json")
    assert len(json.loads(data.stdout)["curve"]["progress"]) == 5


def test_a_task_is_shown_and_played(tmp_path: Path) -> None:
    shown = run("task", "compose", BRIEF, "--show")
    assert shown.exit_code == 0
    assert "What the gates hold" in shown.stdout
    folder, draft = tmp_path / "run", tmp_path / "draft.libretto"
    assert run("task", "compose", BRIEF, "-o", folder).exit_code == 0
    draft.write_text("no", encoding="utf-8")
    first = run("submit", folder, draft)
    assert first.exit_code == 1
    assert "cannot be read" in first.stdout
    draft.write_text(notate(compose_score(compose_task(BRIEF).contract, 0)), encoding="utf-8")
    second = run("submit", folder, draft, "--json")
    data = json.loads(second.stdout)
    assert data["best"] == data["round"] == 2
    assert second.exit_code == (0 if data["passed"] else 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("task", "compose", BRIEF), "say what to do"),
        (("task", "dance", "--show"), "no kind of task"),
        (("task", "morph", "jazz", "metal", "--set", "bars", "--show"), "not a setting"),
        (("submit", "nowhere", "draft.libretto"), ""),
        (("morph", "jazz", "polka"), "neither a file nor a genre"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert isinstance(done.exception, LibrettoError)
    assert message in str(done.exception)


def test_a_drill_is_started_and_answered_by_hand(tmp_path: Path) -> None:
    folder, draft = tmp_path / "run", tmp_path / "draft.libretto"
    asked = ("task", "drill", "harmonic minor", "--set", "key=E", "--set", "bars=8")
    assert "## The example" in run(*asked, "--show").stdout
    assert run(*asked, "-o", folder).exit_code == 0
    example = drill_task("harmonic minor").concept.example
    draft.write_text(example, encoding="utf-8")
    copied = run("submit", folder, draft)
    assert copied.exit_code == 1
    assert "repeats the example" in copied.stdout
    assert run("drill", "harmonic minor", "--key", "E", "--bars", "8", "-o", draft, "--force").exit_code == 0
    assert run("submit", folder, draft).exit_code == 0
