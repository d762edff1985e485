"""The command line as a person meets it: output, exit codes, one line for bad input, nothing overwritten."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from libretto import parse, read

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
BROKEN = """KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 2
VOICES: LEAD
@1 [C]
  LEAD: H4@1>2 C4@40>1
  BASS: C2@1>4
@2 [Cx]
"""


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "libretto", *map(str, arguments)], input=stdin, capture_output=True, check=False
    )


def one_line(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode().strip().splitlines()
    assert len(lines) == 1, done.stderr.decode()
    assert "Traceback" not in lines[0]
    return lines[0]


@pytest.mark.parametrize("suffix", [".mid", ".musicxml", ".mxl", ".abc", ".libretto", ".txt"])
def test_convert_there_and_back(suffix: str, tmp_path: Path) -> None:
    assert run("convert", EXAMPLE, tmp_path / f"a{suffix}").returncode == 0
    assert run("convert", tmp_path / f"a{suffix}", tmp_path / "b.libretto").returncode == 0
    assert len(read(tmp_path / "b.libretto").table) == len(read(EXAMPLE).table)


def test_convert_uses_standard_streams() -> None:
    done = run("convert", "-", "-", "--to", "midi", stdin=EXAMPLE.read_bytes())
    assert done.stdout.startswith(b"MThd")
    back = run("convert", "-", "-", "--from", "midi", "--compact", stdin=done.stdout)
    assert parse(back.stdout.decode()).bars == 17


def test_convert_keeps_what_is_there(tmp_path: Path) -> None:
    target = tmp_path / "a.mid"
    target.write_bytes(b"precious")
    done = run("convert", EXAMPLE, target)
    assert done.returncode == 2
    assert "--force" in one_line(done)
    assert target.read_bytes() == b"precious"
    assert run("convert", EXAMPLE, target, "--force").returncode == 0
    assert target.read_bytes().startswith(b"MThd")
    assert os.listdir(tmp_path) == ["a.mid"]


def test_convert_counts_what_the_file_holds(tmp_path: Path) -> None:
    tune = tmp_path / "a.abc"
    tune.write_text("X:1\nM:4/4\nL:1/1\nK:C\n|: C | [1 D :| [2 E |]\n")
    assert run("convert", tune, tmp_path / "a.mid").stdout.splitlines()[0].endswith(b": 1 voice, 4 bars, 4 notes")


def test_convert_lists_repairs(tmp_path: Path) -> None:
    loose = tmp_path / "loose.txt"
    loose.write_text("Sure!\n```\n" + EXAMPLE.read_text().replace("| BARS: 16", "") + "```\n")
    assert run("convert", loose, tmp_path / "a.mid").returncode == 2
    done = run("convert", loose, tmp_path / "a.mid", "--lenient", "--json")
    assert done.returncode == 0
    assert b"BARS is missing" in done.stderr
    assert json.loads(done.stdout)["bars"] == 17


def test_check_reports_every_problem(tmp_path: Path) -> None:
    draft = tmp_path / "draft.libretto"
    draft.write_text(BROKEN)
    done = run("check", draft)
    assert done.returncode == 1
    text = done.stdout.decode()
    assert "line 4, column 9, bar 1, LEAD: found 'H4@1>2'" in text
    assert "line 5" in text
    assert "line 6" in text
    record = json.loads(run("check", draft, "--json").stdout)
    assert not record["ok"]
    assert {"line", "column", "bar", "voice", "found", "expected", "hint"} <= set(record["problems"][0])


def test_check_is_quiet_about_good_files(tmp_path: Path) -> None:
    done = run("check", EXAMPLE, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["ok"]


def test_show() -> None:
    text = run("show", EXAMPLE, "--bars", "9-10", "--voice", "BASS").stdout.decode()
    assert "Night Bus" in text
    assert "Chorus" in text
    assert "●" in text
    facts = json.loads(run("show", EXAMPLE, "--json", "--bars", "1-2").stdout)
    assert facts["key"] == "G minor"
    assert facts["pickup"] is True
    assert [voice["name"] for voice in facts["voices"]] == ["SAX", "KEYS", "BASS", "DRUMS"]


def test_diff(tmp_path: Path) -> None:
    assert run("diff", EXAMPLE, EXAMPLE).returncode == 0
    other = tmp_path / "b.libretto"
    other.write_text(EXAMPLE.read_text().replace("G4@1>14^78", "Bb4@1>14^78"))
    done = run("diff", EXAMPLE, other)
    assert done.returncode == 1
    assert "SAX" in done.stdout.decode()
    assert not json.loads(run("diff", EXAMPLE, other, "--json").stdout)["same"]


def test_audit(tmp_path: Path) -> None:
    run("convert", EXAMPLE, tmp_path / "a.mid")
    run("convert", EXAMPLE, tmp_path / "a.abc")
    run("convert", EXAMPLE, tmp_path / "a.txt")
    done = run("audit", tmp_path)
    assert done.returncode == 0, done.stdout.decode()
    assert "pitched notes lost" in done.stdout.decode()
    assert json.loads(run("audit", tmp_path, "--json").stdout)["passed"]


def test_doctor_and_primer() -> None:
    facts = json.loads(run("doctor", "--json").stdout)
    assert any(row["package"] == "symusic" and row["version"] for row in facts["capabilities"])
    assert b"VOICES" in run("primer").stdout


def test_doctor_names_keys_and_never_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-nobody-may-see-this")
    said = run("doctor").stdout + run("doctor", "--json").stdout
    assert b"ANTHROPIC_API_KEY is set" in said
    assert b"nobody-may-see" not in said


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "missing.mid"),
        ("show", "{example}", "--bars", "90-99"),
        ("show", "{example}", "--bars", "x"),
        ("show", "{example}", "--bars", "9-2"),
        ("show", "{example}", "--voice", "TUBA"),
        ("convert", "{example}", "out.xyz"),
        ("convert", "{example}", "no/such/folder/out.mid"),
        ("convert", "{example}", "{folder}"),
        ("convert", "{garbage}", "out.mid"),
        ("convert", "{example}", "out.mid", "--to", "tape"),
        ("convert", "{example}", "out.mid", "--compact"),
        ("diff", "{example}", "missing.abc"),
        ("audit", "{folder}"),
        ("check", "{garbage}"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: tuple[str, ...], tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.mid"
    garbage.write_bytes(b"MThd\x00\x00\x00\x06garbage")
    folder = tmp_path / "folder.mid"
    folder.mkdir()
    filled = [a.format(example=EXAMPLE, garbage=garbage, folder=folder) for a in arguments]
    done = subprocess.run([sys.executable, "-m", "libretto", *filled], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 2
    assert one_line(done).startswith("libretto: ")
    assert sorted(os.listdir(tmp_path)) == ["folder.mid", "garbage.mid"]


def test_help_is_quick() -> None:
    """Nothing heavy is imported before a command runs."""
    code = "import sys; sys.argv=['libretto','--help']\nfrom libretto.cli import main\n"
    code += "try: main()\nexcept SystemExit: pass\n"
    code += "print([m for m in ('numpy','symusic','mido','rich','libretto.score') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")  # how long it takes is a benchmark


def test_measure(tmp_path: Path) -> None:
    text = run("measure", EXAMPLE).stdout.decode()
    assert "syncopation_rate" in text
    assert "●" in text
    done = run("measure", EXAMPLE, tmp_path / "missing.mid", "--json")
    assert done.returncode == 2
    record = json.loads(done.stdout)
    assert record["cloud"] == "default-1"
    assert abs(sum(record["genres"].values()) - 1) < 0.01
    assert set(record["verdict"]) >= {"passed", "margin", "gates", "findings", "feedback"}
    assert set(record["axes"]["step_ratio"]) == {"value", "percentile"}
    assert run("measure", EXAMPLE, "--cloud", "nowhere").returncode == 2
    assert run("measure", EXAMPLE, "--genre", "polka").returncode == 2
    placed = json.loads(run("measure", EXAMPLE, "--cloud", "paper314", "--json").stdout)
    assert len(placed["axes"]) == 29


def test_axes() -> None:
    assert len(json.loads(run("axes", "--json").stdout)) == 63
    assert b"# Axes" in run("axes", "--markdown").stdout
