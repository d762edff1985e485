"""The table of what passes and what is refused: judged by cell, told with intervals, and held to marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from libretto import load_cloud, read
from libretto.bench.damage import damages
from libretto.bench.judging import Judging, bench_judge, calibrated_lines, judged_song
from libretto.errors import LibrettoError
from libretto.score import join

EXAMPLE = Path(__file__).parents[2] / "examples" / "night_bus.libretto"


def test_a_song_is_judged_in_every_cell_it_holds_and_the_same_every_time() -> None:
    song = read(EXAMPLE)
    while song.bars < 24:
        song = join(song, song)
    verdicts = list(judged_song(song, "funk_soul_rnb", load_cloud("default")))
    assert verdicts == list(judged_song(song, "funk_soul_rnb", load_cloud("default")))
    cells, kinds = {cell for cell, _, _ in verdicts}, {kind for _, kind, _ in verdicts}
    assert {"solo short", "duo short"} <= cells
    assert {"real", "random", "other genre"} <= kinds <= {"real", "random", "other genre", *damages}
    noise = [failed for _, kind, failed in verdicts if kind == "random"]
    assert sum(bool(failed) for failed in noise) > len(noise) / 2


def test_marks_are_held_cell_by_cell_but_not_for_phrases() -> None:
    counts = {
        ("duo short", "real"): (8, 10),
        ("duo short", "random"): (3, 10),
        ("duo short", "other genre"): (3, 10),
        ("solo short", "real"): (7, 10),
        ("solo phrase", "real"): (1, 10),
    }
    table = Judging(10, counts, {"order": 2})
    assert table.missed == ("solo short: real 70%", "duo short: random 30%")
    text = "\n".join(table.lines())
    assert "| duo short | 80% [49-94] of 10 | 30% [11-60] of 10 |" in text
    assert "| all but phrases | 75% [53-89] of 20 |" in text
    assert "refused by: order 2" in text
    assert table.to_dict()["missed"] == list(table.missed)


def test_a_folder_that_is_too_small_is_refused(tmp_path: Path) -> None:
    from libretto.formats import write

    write(read(EXAMPLE), tmp_path / "one.mid")
    with pytest.raises(LibrettoError, match="to calibrate on"):
        bench_judge(str(tmp_path), limit=1)


def test_the_page_of_the_gates_shows_what_calibration_counted() -> None:
    page = (Path(__file__).parents[2] / "docs" / "gates.md").read_text(encoding="utf-8")
    shown = page.split("<!-- measured -->\n")[1].split("\n<!-- /measured -->")[0]
    assert shown == "\n".join(calibrated_lines(load_cloud("default")))


def test_a_cloud_without_cells_has_no_such_table() -> None:
    with pytest.raises(LibrettoError, match="by forces and length"):
        calibrated_lines(load_cloud("paper314"))
