"""How briefs are read: a file of our own, and the calibration briefs where they are there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from libretto.bench.briefs import FIELDS, compare_briefs, read_briefs
from libretto.errors import FormatError


def test_a_file_of_our_own(tmp_path: Path) -> None:
    page = tmp_path / "briefs.json"
    page.write_text(
        json.dumps(
            [
                {
                    "name": "Kiln",
                    "prompt": "Kiln: a tune in E minor for oboe and drums over 8 bars, Em-C-D-Em.",
                    "key": "E minor",
                    "bars": 8,
                    "chords": ["Em", "C", "D", "Em"],
                    "instruments": ["Oboe, Drums"],
                },
                {
                    "name": "Loam",
                    "prompt": "Loam: a tune for harp.",
                    "key": "Earthy",
                    "bars": 12,
                    "instruments": ["Fog"],
                },
                {"name": "Rime", "prompt": "Rime: a tune in D major over 8 bars.", "key": "D minor", "bars": 9},
            ]
        ),
        encoding="utf-8",
    )
    table = compare_briefs(read_briefs(page))
    assert table.right == {"key": 1, "bars": 1, "chords": 1, "instruments": 2, "drums": 3}
    assert {(one.brief, one.field) for one in table.disagreements if not one.noise} == {
        ("Rime", "key"),
        ("Rime", "bars"),
    }
    assert {one.field for one in table.disagreements if one.noise} == {"key", "bars", "instruments"}
    assert any("Rime" in line for line in table.lines)


@pytest.mark.parametrize("text", ["{}", "[1]", "[{}]", "nothing"])
def test_what_is_no_file_of_briefs(text: str, tmp_path: Path) -> None:
    page = tmp_path / "briefs.json"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError):
        read_briefs(page)


@pytest.mark.shared
def test_the_calibration_briefs_are_read(shared: Path) -> None:
    path = shared / "prompts" / "briefs.json"
    if not path.is_file():
        pytest.skip("needs the briefs beside the checkout")
    table = compare_briefs(read_briefs(path))
    marks = {"key": 0.98, "bars": 0.98, "chords": 0.98, "instruments": 0.95, "drums": 0.95}
    for field in FIELDS:
        assert table.right[field] >= marks[field] * table.labelled[field], table.lines
