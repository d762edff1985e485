"""Four-part checking and a learner's record as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from libretto.cli import app

RUNNER = CliRunner()
CHOIR = """KEY: C major | METER: 2/4 | TEMPO: 80 | GRID: 4 | BARS: 1
VOICES: Soprano[prog=52], Alto[prog=52], Tenor[prog=52], Bass[prog=52]
@1 [-]
  Soprano: C5@1>1 A4@2>1
  Alto: E4@1>1 F4@2>1
  Tenor: G3@1>1 A3@2>1
  Bass: C3@1>1 {bass}@2>1
"""
DRILL = """TITLE: Harmonic minor scale
KEY: E minor | METER: 4/4 | TEMPO: 100 | GRID: 4 | BARS: 2
VOICES: PIANO[prog=0]
@1 [Em]
  PIANO: E4@1>1 F#4@2>1 G4@3>1 A4@4>1
@2 [B7]
  PIANO: B4@1>1 C5@2>1 {note}@3>1 E5@4>1
"""


def test_both_voices_bar_and_rule_are_named(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.libretto", tmp_path / "good.libretto"
    bad.write_text(CHOIR.format(bass="D3"), encoding="utf-8")
    good.write_text(CHOIR.format(bass="F2"), encoding="utf-8")
    done = RUNNER.invoke(app, ["harmony", str(bad), "--style", "free"])
    assert done.exit_code == 1
    assert done.output.startswith("bar 1 beat 2, Tenor and Bass: parallel fifths: G3 over C3 goes to A3 over D3")
    told = json.loads(RUNNER.invoke(app, ["harmony", str(bad), "--json"]).output)
    assert [(fault["rule"], fault["voices"]) for fault in told["faults"]] == [("parallel fifths", ["Tenor", "Bass"])]
    done = RUNNER.invoke(app, ["harmony", str(good)])
    assert (done.exit_code, done.output) == (0, "no rule of the strict style is broken\n")
    assert RUNNER.invoke(app, ["harmony", str(bad), "--bars", "2"]).exit_code == 0


def test_alarms_below_a_folder_are_printed(tmp_path: Path) -> None:
    (tmp_path / "good.libretto").write_text(CHOIR.format(bass="F2"), encoding="utf-8")
    done = RUNNER.invoke(app, ["bench", "harmony", str(tmp_path), "--json"])
    assert done.exit_code == 0
    assert json.loads(done.output)["rate"] == 0


def test_a_grade_goes_into_the_record(tmp_path: Path) -> None:
    drill, answer = tmp_path / "drill.libretto", tmp_path / "answer.libretto"
    drill.write_text(DRILL.format(note="D#5"), encoding="utf-8")
    answer.write_text(DRILL.format(note="D5"), encoding="utf-8")
    arguments = ["grade", str(answer), "--drill", str(drill), "--learner", "ada", "--workspace", str(tmp_path)]
    assert RUNNER.invoke(app, arguments).exit_code == 1
    (line,) = (tmp_path / ".libretto" / "learners" / "ada.jsonl").read_text(encoding="utf-8").splitlines()
    kept = json.loads(line)
    assert (kept["concept"], kept["key"], kept["mistakes"]) == ("Harmonic minor scale", "E minor", {"wrong note": 1})
    assert kept["score"] < 100


def test_who_is_not_known_gets_one_line(tmp_path: Path) -> None:
    arguments = ["lesson", "--learner", "bob", "--workspace", str(tmp_path), "-o", str(tmp_path / "next")]
    done = RUNNER.invoke(app, arguments)
    assert done.exit_code != 0
    assert "nothing is known of bob" in f"{done.output}{done.exception}"
