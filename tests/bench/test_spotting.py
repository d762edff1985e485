"""Songs that taught the ear are not tested, and the table of what was spotted adds up."""

from __future__ import annotations

import json
from pathlib import Path

from loop_song import song
from typer.testing import CliRunner

from libretto import write
from libretto.bench.spotting import SpotRow, group_mark, songs_to_test, spotting_lines, spotting_passed
from libretto.cli import app
from libretto.faults.ear import taught_groups
from libretto.score import transpose


def _songs(folder: Path) -> str:
    artists = [name for name in ("Ann", "Ben", "Cid", "Dot") if group_mark(name.lower()) not in taught_groups()]
    rows = ["file,genre,artist,title"]
    for number, artist in enumerate(artists[:2]):
        write(transpose(song(16), number), folder / f"{number}.mid")
        rows.append(f"{number}.mid,pop,{artist},Loop {number}")
    (folder / "manifest.csv").write_text("\n".join(rows) + "\n")
    return str(folder)


def test_songs_of_other_artists_are_tested_and_the_table_adds_up(tmp_path: Path) -> None:
    folder = _songs(tmp_path)
    assert len(songs_to_test(folder)[0]) == 2
    result = CliRunner().invoke(app, ["bench", "spot", folder, "--json", "--jobs", "1"])
    data = json.loads(result.stdout)
    kinds = dict(data["kinds"])
    total = kinds.pop("all")
    assert data["songs"] == 2
    assert total["planted"] == sum(one["planted"] for one in kinds.values()) > 0
    assert all(one["named"] <= one["found"] <= one["planted"] for one in kinds.values())
    assert result.exit_code == (0 if data["passed"] else 1)


def test_the_marks_are_of_all_faults_and_all_songs() -> None:
    good = [SpotRow("a", {"clash": True}, {"clash": False})] * 19
    assert spotting_passed([*good, SpotRow("b", {"clash": True}, {"clash": True}, ("range",))])
    assert not spotting_passed([*good[:18], SpotRow("b", {}, {}, ("range",))])
    assert not spotting_passed([*good, *[SpotRow("c", {"meter": False}, {"meter": False})] * 3])
    assert "met" in spotting_lines(good)[-1]


def test_a_folder_without_songs_is_an_error(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["bench", "spot", str(tmp_path)]).exit_code != 0
