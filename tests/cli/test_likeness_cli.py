"""``libretto bench melody`` and ``bench real`` as a person meets them: tables, data, exit codes, mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from libretto.cli.bench import bench_app
from libretto.errors import LibrettoError


def ask(*arguments: str) -> Any:
    root = typer.Typer()
    root.add_typer(bench_app)
    root.command()(lambda: None)
    return CliRunner().invoke(root, ["bench", *arguments])


def test_tunes_of_styles() -> None:
    done = ask("melody", "--styles", "jig,bossa", "--jobs", "1")
    assert "dance: 1 of ours" in done.stdout
    assert "song: 1 of ours" in done.stdout
    assert done.exit_code == ("MISSED" in done.stdout)


def test_tunes_of_briefs_as_data(tmp_path: Path) -> None:
    page = tmp_path / "briefs.json"
    page.write_text(json.dumps([{"name": "Kiln", "prompt": "A jig in D major for fiddle and guitar, 16 bars."}]))
    done = ask("melody", "--briefs", str(page), "--jobs", "1", "--json")
    data = json.loads(done.stdout)
    assert [(piece["name"], piece["kind"]) for piece in data["pieces"]] == [("Kiln", "dance")]
    assert set(data["usual"]) == {"dance", "chorale", "song"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("melody", "--styles", "nothing"), "no style"),
        (("melody", "--styles", "jig", "--tunes", "nowhere"), "not a collection"),
        (("real", "nowhere"), "not a folder"),
        (("real", ".", "--bars", "64"), "longer"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: tuple[str, ...], words: str) -> None:
    done = ask(*arguments)
    assert isinstance(done.exception, LibrettoError)
    assert words in str(done.exception)
    assert "\n" not in str(done.exception)
