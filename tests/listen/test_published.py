"""The published clips beside the checkout, as far as the local ear must hear them: loops exactly, contours rightly."""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest

from libretto.hearing import hear_melody, hear_rhythm
from libretto.hearing.audio import load_clip

pytest.importorskip("soundfile", reason="needs the extra listen")


def rows_of(shared: Path, task: str) -> list[dict[str, str]]:
    if not (shared / "muse" / "manifest.csv").is_file():
        pytest.skip("needs the published clips beside the checkout")
    with open(shared / "muse" / "manifest.csv", newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["task"] == task]


@pytest.mark.shared
def test_published_loops_are_heard_exactly(shared: Path) -> None:
    for row in rows_of(shared, "syncopation_score"):
        truth = [int(slot) for slot in re.findall(r"\d+", row["gt_symbolic"].split("[")[1])]
        assert hear_rhythm(load_clip(shared / "muse" / "audio" / row["audio_1"])) == truth, row["trial_id"]


@pytest.mark.shared
def test_published_contours_are_heard(shared: Path) -> None:
    for row in rows_of(shared, "contour"):
        heard = hear_melody(load_clip(shared / "muse" / "audio" / row["audio_1"]))
        ways = [two > one for one, two in pairwise(heard) if one != two]
        turns = sum(one != two for one, two in pairwise(ways))
        shape = {0: ("Desc", "Asc"), 1: ("InvArch", "Arch")}.get(turns, ("", ""))[ways[0]]
        assert shape == row["answer"], row["trial_id"]
