"""The commands ``contract`` and ``receipt``, as a user meets them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from libretto.contract import contract_from_text

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"


def run(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "libretto", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, text=True, input=stdin)


def test_a_brief_is_shown() -> None:
    done = run("contract", "A slow waltz in D minor for solo piano over 16 bars")
    assert done.returncode == 0, done.stderr
    assert "key       D minor" in done.stdout
    assert "assumed   A waltz is in 3/4." in done.stdout


def test_a_brief_from_a_file_and_from_standard_input(tmp_path: Path) -> None:
    page = tmp_path / "brief.txt"
    page.write_text("A jig in G major for fiddle.", encoding="utf-8")
    assert json.loads(run("contract", f"@{page}", "--json").stdout)["key"] == "G major"
    assert 'key = "G major"' in run("contract", "-", "--toml", stdin="A jig in G major for fiddle.").stdout


def test_a_contract_is_written_and_a_piece_is_checked(tmp_path: Path) -> None:
    kept = tmp_path / "kept.toml"
    brief = "A tune in G minor for saxophone, electric piano, bass and drums over 16 bars"
    assert run("contract", brief, "-o", kept).returncode == 0
    assert contract_from_text(kept.read_text(encoding="utf-8")).bars == 16
    done = run("receipt", EXAMPLE, "--contract", kept)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "key        kept" in done.stdout
    broken = tmp_path / "broken.json"
    assert run("contract", "A tune in D major over 40 bars", "-o", broken).returncode == 0
    done = run("receipt", EXAMPLE, "--contract", broken, "--json")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert data["passed"] is False
    assert {check["clause"] for check in data["checks"] if check["passed"] is False} >= {"key", "bars"}
    assert run("contract", brief, "-o", kept).returncode == 2  # it is there already


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("bars = 'x'", encoding="utf-8")
    done = run("receipt", EXAMPLE, "--contract", bad)
    assert done.returncode == 2
    assert "line 1: bars" in done.stderr
    assert "Traceback" not in done.stderr
