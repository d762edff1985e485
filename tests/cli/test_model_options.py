"""The command line with any composer: dry runs, budgets, replays, and what is printed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from libretto.cli import app
from libretto.errors import LibrettoError
from libretto.formats import write
from libretto.house import compose_score
from libretto.tasks import compose_task

BRIEF = "A slow waltz in D minor over 8 bars, for solo piano."
PLAIN = ["--no-sound", "--no-notation", "--no-page"]


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(words))
    if isinstance(result.exception, LibrettoError):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_run_is_replayed_from_its_folder_alone(tmp_path: Path) -> None:
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    code, _, said = run(
        "compose", BRIEF, "--composer", "scripted:house+prose", "--rounds", "2", "--seed", "3", "-o", one, *PLAIN
    )
    assert code in (0, 1)
    assert "tokens in" in said
    again, _, _ = run("compose", "--replay", one, "-o", two, *PLAIN)
    assert again == code
    assert files(tmp_path / "one") == files(tmp_path / "two")
    with pytest.raises(LibrettoError, match="holds no run"):
        run("compose", "--replay", str(tmp_path / "nowhere"), "-o", str(tmp_path / "three"))


def test_a_replay_of_changed_replies_says_so(tmp_path: Path) -> None:
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    run("compose", BRIEF, "--composer", "scripted:house", "--rounds", "1", "-o", one, *PLAIN)
    call = next((tmp_path / "one" / "calls").glob("*.json"))
    told = json.loads(call.read_text(encoding="utf-8"))
    told["reply"]["text"] = re.sub(r"TEMPO: \d+", "TEMPO: 61", told["reply"]["text"])
    call.write_text(json.dumps(told), encoding="utf-8")
    _, _, said = run("compose", "--replay", one, "-o", two, *PLAIN)
    assert "round 1 is other music than" in said


def test_a_dry_run_asks_and_writes_nothing(tmp_path: Path) -> None:
    code, out, _ = run("compose", BRIEF, "--composer", "scripted", "--dry-run", "-o", str(tmp_path / "run"))
    assert code == 0
    assert "the piece" in out
    assert "3 calls" in out
    assert "cost:" in out
    assert not (tmp_path / "run").exists()
    assert "nothing is paid" in run("compose", BRIEF, "--dry-run", "-o", str(tmp_path / "run"))[1]
    with pytest.raises(LibrettoError, match="there is no composer"):
        run("compose", BRIEF, "--composer", "nobody:x", "--dry-run")


def test_a_budget_that_is_spent_is_said(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="nothing was written: the budget"):
        run("compose", BRIEF, "--composer", "scripted", "--budget-tokens", "50", "-o", str(tmp_path / "run"), *PLAIN)


def test_fills_drills_and_the_rest_take_any_composer(tmp_path: Path) -> None:
    song = tmp_path / "song.mid"
    write(compose_score(compose_task("A pop song in C major over 16 bars with bass and flute.").contract, 3), song)
    kept = tmp_path / "kept"
    code, out, _ = run(
        "fill", str(song), "--bars", "9-10", "--voices", "Bass", "-o", str(tmp_path / "filled.mid"),
        "--composer", "scripted", "--rounds", "1", "--run", str(kept), "--json",
    )  # fmt: skip
    assert code in (0, 1)
    assert json.loads(out)["best"]["round"] == 1
    assert (kept / "calls" / "r1-001.json").is_file()
    code, out, _ = run("drill", "major scale", "--bars", "4", "--composer", "scripted", "--json")
    assert code == 0
    assert json.loads(out)["passed"]
    assert "revision 1" in run("morph", "jazz", "metal", "--composer", "scripted", "--rounds", "2", "--dry-run")[1]
