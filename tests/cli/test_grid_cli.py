"""``--grid`` on the commands that read played music: what it does to each, and one line for what there is not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from libretto import read, write
from libretto.score import QUARTER, Note, Score, Voice
from libretto.score.paper import is_on_paper, on_paper


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "libretto", *map(str, arguments)], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A MIDI file of sixteen bars, all a little late."""
    notes = [
        Note((n * QUARTER) // 2 + 631 * (1 + n % 3), QUARTER // 3 + 97 * (n % 5), 48 + 12 * (n % 3))
        for n in range(16 * 8)
    ]
    path = tmp_path_factory.mktemp("grid") / "song.mid"
    write(Score.build([Voice.of("Keys", notes, program=0), Voice.of("Bass", notes[::4], program=33)]), path)
    assert not is_on_paper(read(path))
    return path


def test_read(played: Path) -> None:
    assert read(played, grid="paper") == on_paper(read(played))
    assert read(played, grid="exact") == read(played)
    assert len(read(played, grid="score").table) <= len(read(played).table)


def test_convert(played: Path, tmp_path: Path) -> None:
    for grid, wanted in (("exact", read(played)), ("paper", on_paper(read(played)))):
        target = tmp_path / f"{grid}.libretto"
        assert run("convert", played, target, "--grid", grid).returncode == 0
        assert read(target) == wanted
    run("convert", played, tmp_path / "plain.libretto")
    assert (tmp_path / "plain.libretto").read_text() == (tmp_path / "exact.libretto").read_text()
    assert run("convert", played, tmp_path / "score.libretto", "--grid", "score").returncode == 0


def test_show(played: Path) -> None:
    shown = {
        grid: json.loads(run("show", played, "--json", "--grid", grid).stdout)["text"] for grid in ("exact", "paper")
    }
    assert "GRID: 128th" in shown["exact"]
    assert "128" not in shown["paper"]


def test_task_pages_are_on_paper_unless_asked(played: Path) -> None:
    words = ("task", "fill", played, "--bars", "5-6", "--show")
    plain, paper = run(*words), run(*words, "--grid", "paper")
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout == paper.stdout
    exact = run(*words, "--grid", "exact")
    assert ("GRID: 128th" in exact.stdout, "GRID: 128th" in plain.stdout) == (True, False)


def test_measure(played: Path) -> None:
    answers = {
        grid: json.loads(run("measure", played, "--no-original", "--json", "--grid", grid).stdout)
        for grid in ("exact", "paper")
    }
    plain = json.loads(run("measure", played, "--no-original", "--json").stdout)
    assert plain == answers["paper"]
    assert [answers[grid]["grid"] for grid in ("exact", "paper")] == ["exact", "paper"]
    assert answers["exact"]["axes"]["syncopation_rate"]["value"] > answers["paper"]["axes"]["syncopation_rate"]["value"]
    assert {axis["percentile"] for axis in answers["exact"]["axes"].values()} == {None}
    assert "no percentiles" in run("measure", played, "--no-original", "--grid", "exact").stdout


def test_render(played: Path, tmp_path: Path) -> None:
    pytest.importorskip("verovio")
    for grid in ("exact", "paper", "score"):
        done = run("render", played, "-o", tmp_path / f"{grid}.svg", "--grid", grid, "--bars", "1-4")
        assert done.returncode == 0, done.stderr
    drawn = {
        name: re.sub(r'id="[^"]*"|#[\w-]+', "", (tmp_path / f"{name}.svg").read_text())
        for name in ("exact", "paper", "score")
    }
    assert len(set(drawn.values())) == 3


@pytest.mark.parametrize(
    "words",
    [
        ("convert", "SONG", "out.libretto"),
        ("show", "SONG"),
        ("task", "fill", "SONG", "--bars", "5-6", "--show"),
        ("render", "SONG", "-o", "out.svg"),
        ("measure", "SONG"),
    ],
)
def test_a_grid_that_there_is_not_gets_one_line(words: tuple[str, ...], played: Path, tmp_path: Path) -> None:
    done = run(*[tmp_path / word if word.startswith("out.") else played if word == "SONG" else word for word in words],
               "--grid", "fine")  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["libretto: there is no grid 'fine'; there are exact, paper, score"]
    assert done.stdout == ""
    assert not list(tmp_path.iterdir())
