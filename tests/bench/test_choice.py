"""The choice of axes: what is flat and what is redundant goes, and the measurements given up are what they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tunes import tune

from libretto.axes import published_axes
from libretto.bench.representation.choice import GIVEN_UP, candidates_of, choice_lines, choose, measure_candidates
from libretto.errors import LibrettoError
from libretto.formats import write
from libretto.grammar import parse

HEAD = "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 16th | BARS: 12\nVOICES: A, B\n"


def test_there_are_35_candidates() -> None:
    names = list(candidates_of(tune(1, bars=16)))
    assert len(names) == 35
    assert names == [*(axis.name for axis in published_axes()), *GIVEN_UP]


def test_the_candidates_that_were_given_up_count_what_they_say() -> None:
    lines = "".join(
        f"@{bar} [G7]\nA: G4+B4+D5+F5@1>8 E5@9>4 C5@13>4\nB: G3@1>8 E4@9>4 C4@13>4\n" for bar in range(1, 13)
    )
    values = candidates_of(parse(HEAD + lines))
    assert values["dominant_seventh_at_all"] == 1
    assert values["doubling_ratio"] == 0  # their tops differ on the first beat of every bar
    assert values["reprise_fraction"] == pytest.approx(8 / 9)
    doubled = "".join(f"@{bar} [C]\nA: C5@1>8 E5@9>8\nB: C4@1>8 E4@9>8\n" for bar in range(1, 13))
    values = candidates_of(parse(HEAD + doubled))
    assert values["doubling_ratio"] == 1
    assert values["dominant_seventh_rate"] == values["diminished_at_all"] == 0
    assert values["mean_interval"] == 4


def test_flat_and_redundant_candidates_go() -> None:
    rng = np.random.default_rng(5)
    one, two = rng.normal(size=200), rng.normal(size=200)
    pieces = [
        {"one": a, "same": a + 0.01 * b, "two": b, "flat": 1.0, "rare": float(i < 3), "lumped": float(i < 40) * a}
        for i, (a, b) in enumerate(zip(one, two, strict=True))
    ]
    choice = choose(pieces)
    assert set(choice.flat) == {"flat", "rare", "lumped"}
    assert len(choice.redundant) == 1
    assert len({"one", "same"} & set(choice.kept)) == 1
    assert "two" in choice.kept
    assert "published: 29 of 35" in choice_lines(choice)[0]
    with pytest.raises(LibrettoError, match="too few"):
        choose(pieces[:5])


def test_songs_come_from_a_folder(tmp_path: Path) -> None:
    for number in range(3):
        write(tune(number, bars=16), tmp_path / f"{number}.mid")
    (tmp_path / "bad.mid").write_bytes(b"MThd")
    assert len(measure_candidates(str(tmp_path), jobs=1)) == 3
    with pytest.raises(LibrettoError, match="neither a folder"):
        measure_candidates("nowhere")
