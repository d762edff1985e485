"""compose, concepts, concept and detect on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto import read
from libretto.cli import app

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
BRIEF = "A slow waltz in D minor, Dm Gm A7 Dm over 8 bars, for solo piano."


def test_a_brief_becomes_a_folder_of_files(tmp_path: Path) -> None:
    place = tmp_path / "waltz"
    done = CliRunner().invoke(app, ["compose", BRIEF, "-o", str(place), "--json", "--no-sound", "--no-notation"])
    assert done.exit_code in (0, 1), done.output
    data = json.loads(done.stdout)
    assert data["best"]["receipt"]["passed"]
    suffixes = {Path(path).suffix for path in data["files"]}
    assert suffixes == {".libretto", ".mid", ".musicxml", ".html"}
    score = read(next(path for path in data["files"] if path.endswith(".mid")))
    assert score.bars == 8
    again = CliRunner().invoke(app, ["compose", BRIEF, "-o", str(place), "--json", "--no-sound", "--no-notation"])
    assert json.loads(again.stdout)["best"]["notes"] == data["best"]["notes"]


def test_options_come_before_the_brief(tmp_path: Path) -> None:
    arguments = [
        "compose",
        BRIEF,
        "--bars",
        "12",
        "--key",
        "G major",
        "--meter",
        "4/4",
        "--tempo",
        "100",
        "--seed",
        "2",
    ]
    options = ["-o", str(tmp_path / "x"), "--no-sound", "--no-notation", "--no-page", "--rounds", "1", "--json"]
    done = CliRunner().invoke(app, arguments + options)
    files = json.loads(done.stdout)["files"]
    score = read(files[0])
    assert (score.bars, str(score.key), str(score.meter)) == (12, "G major", "4/4")


def test_a_contract_file_takes_the_place_of_a_brief(tmp_path: Path) -> None:
    contract = tmp_path / "c.toml"
    made = CliRunner().invoke(app, ["contract", BRIEF, "--toml", "-o", str(contract)])
    assert made.exit_code == 0, made.output
    options = ["-o", str(tmp_path / "x"), "--no-sound", "--no-notation", "--no-page", "--rounds", "1"]
    done = CliRunner().invoke(app, ["compose", "--contract", str(contract), *options])
    assert "clauses kept" in done.output
    text = next((tmp_path / "x").glob("*.libretto"))
    checked = CliRunner().invoke(app, ["receipt", str(text), "--contract", str(contract)])
    assert checked.exit_code == 0, checked.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["compose"], "say what to compose"),
        (["compose", "--genre", "polka"], "there is no genre"),
        (["compose", BRIEF, "--key", "H dur"], "is not a key"),
        (["compose", BRIEF, "--meter", "4"], "is not a meter"),
        (["compose", BRIEF, "--composer", "nobody"], "there is no composer"),
        (["compose", "@no/such/file"], "no/such/file"),
        (["concept", "nothing-like-it"], "there is no concept"),
        (["concepts", "--genre", "polka"], "there is no genre"),
        (["concepts", "--family", "brass"], "there is no family"),
        (["detect", "no/such/file.mid"], "no/such/file"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    monkeypatch.chdir(tmp_path)
    done = subprocess.run([sys.executable, "-m", "libretto", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_concepts_are_found_shown_and_sounded(tmp_path: Path) -> None:
    found = CliRunner().invoke(app, ["concepts", "walking", "bass", "--json", "--limit", "3"])
    assert "composing/walking-bass" in [each["key"] for each in json.loads(found.stdout)]
    everything = CliRunner().invoke(app, ["concepts", "--base", "theory", "--level", "1"])
    assert len(everything.stdout.splitlines()) > 30
    shown = CliRunner().invoke(app, ["concept", "walking-bass"])
    assert "Seen in real songs" in shown.stdout
    for suffix in (".libretto", ".mid", ".svg", ".mp3"):
        target = tmp_path / f"x{suffix}"
        assert CliRunner().invoke(app, ["concept", "walking-bass", "-o", str(target)]).exit_code == 0
        assert target.stat().st_size > 100


def test_detect_says_where() -> None:
    found = CliRunner().invoke(app, ["detect", str(EXAMPLE), "--json"])
    data = json.loads(found.stdout)
    assert data
    assert all(place["first"] <= place["last"] for each in data for place in each["places"])
    assert CliRunner().invoke(app, ["detect", str(EXAMPLE), "--family", "bass"]).exit_code == 0
