"""Figures of tunes counted by hand, who has the tune, and what lies within what is usual."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from libretto import parse
from libretto.bench.tunes.collections import real_tunes
from libretto.bench.tunes.figures import FIGURES, NO_ROOT, Tune, figures_of, stretches
from libretto.bench.tunes.leads import lead_tune, leaders, upper_line
from libretto.bench.tunes.melody import bench_melody, melody_lines, style_jobs
from libretto.bench.tunes.usual import Usual, kind_of_style, measured, shipped_usual, usual_of
from libretto.errors import FormatError, LibrettoError

BAR = 8  # of the clock of these tunes


def tune_of(bars: list[list[tuple[int, int, int]]], roots: list[int] | None = None, tonic: int | None = 0) -> Tune:
    """A tune from bars of (start in the bar, length, pitch)."""
    rows = [(number * BAR + start, length, pitch) for number, bar in enumerate(bars) for start, length, pitch in bar]
    notes = np.asarray(rows, dtype=np.int64).reshape(-1, 3)
    lines = np.arange(len(bars) + 1, dtype=np.int64) * BAR
    under = np.asarray(roots if roots is not None else [NO_ROOT] * len(bars), dtype=np.int64)
    return Tune(notes[:, 0], notes[:, 1], notes[:, 2], lines, under, tonic)


A = [(0, 4, 60), (4, 4, 60)]  # repeats
B = [(0, 4, 62), (4, 4, 65)]  # a step in, a third inside
C = [(0, 2, 72), (2, 2, 60), (4, 4, 60)]  # leaps in and down, then repeats


def test_figures_that_were_counted_by_hand() -> None:
    figures = figures_of(tune_of([A, B, C, A], roots=[0, 0, 0, 0]))
    # moves: 0 | 2 | 3 | 7 | -12 | 0 | 0 | 0
    assert figures["repeated"] == 4 / 8
    assert figures["steps"] == 1 / 8
    assert figures["thirds"] == 1 / 8
    assert figures["leaps"] == 2 / 8
    assert figures["range"] == 12
    assert figures["roots"] == 3 / 4
    assert figures["rhythms"] is None  # fewer than sixteen bars
    assert figures["same rhythm"] == 1 / 3
    assert figures["returns"] == 1 / 4
    assert figures["peak"] == 16 / 32
    assert figures["last"] == 0


def test_rhythms_are_counted_in_sixteen_bars_that_have_notes() -> None:
    assert figures_of(tune_of([A, C, [], B] * 6))["rhythms"] == 2
    assert figures_of(tune_of([A] * 16))["rhythms"] == 1
    assert figures_of(tune_of([A] * 16))["same rhythm"] == 1
    assert figures_of(tune_of([A] * 16))["returns"] == 15 / 16


def test_what_does_not_apply_is_none() -> None:
    assert figures_of(tune_of([A, B]))["roots"] is None
    assert figures_of(tune_of([A, B], tonic=None))["last"] is None
    assert set(figures_of(tune_of([[(0, 1, 60)]])).values()) == {None}


@pytest.mark.parametrize(("bars", "sizes"), [(11, []), (12, [12]), (32, [32]), (33, [16, 17]), (70, [23, 23, 24])])
def test_stretches_are_equal_and_short_enough(bars: int, sizes: list[int]) -> None:
    parts = list(stretches(tune_of([A] * bars)))
    assert [part.bars for part in parts] == sizes
    assert [part.tonic for part in parts] == [None] * (len(sizes) - 1) + [0] * bool(sizes)
    assert sum(len(part.onset) for part in parts) == (2 * bars if sizes else 0)


def test_the_tune_passes_from_one_player_to_another() -> None:
    text = "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 4th | BARS: 16\nVOICES: Flute, Viola, Bass\n"
    tune = "C5@1>1 D5@2>1 E5@3>1 G5@4>1"
    other = "G4@1>1 A4@2>2 C5@4>1"
    hold = "E4+G4@1>4"
    for bar in range(1, 17):
        lead = tune if bar % 2 else other
        first, second = (lead, hold) if bar <= 8 else (hold, lead)
        name = " (section:A)" if bar == 1 else " (section:B)" if bar == 9 else ""
        text += f"@{bar} [C]{name}\nFlute: {first}\nViola: {second}\nBass: C2@1>2 G2@3>2\n"
    score = parse(text)
    assert [voice for _, _, voice in leaders(score)] == [0, 1]
    line = lead_tune(score)
    assert len(line.onset) == 8 * (4 + 3)
    assert figures_of(line)["roots"] == 0.5


def test_the_upper_line_of_two_hands() -> None:
    text = "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 8th | BARS: 2\nVOICES: Piano\n"
    text += "@1 [C]\nPiano: C5@1>4 C3@1>1 G3@2>1 E3@3>1 G3@4>1 E5@5>4 C3@5>1 G3@6>1\n"
    text += "@2 [C]\nPiano: G5@1>4 C5@5>4 C3@1>4 G3@5>4"
    piano = parse(text).voices[0].array
    assert upper_line(piano)["pitch"].tolist() == [72, 76, 79, 72]


def test_usual_is_what_most_tunes_do() -> None:
    taught = [
        dict.fromkeys(FIGURES) | {"leaps": value / 100, "last": 0.0 if value < 85 else 7.0} for value in range(101)
    ]
    usual = usual_of(taught, taught)
    assert usual.ranges["leaps"] == pytest.approx((0.10, 0.90))
    assert usual.ranges["last"] == (0.0,)
    assert set(usual.ranges) == {"leaps", "last"}
    assert usual.inside["leaps"] == pytest.approx(0.8, abs=0.02)
    assert usual.within({"leaps": 0.05, "last": 0.0, "steps": 0.4, "range": None}) == {"leaps": False, "last": True}
    assert Usual.from_dict(usual.to_dict()).ranges.keys() == usual.ranges.keys()


def test_styles_have_kinds() -> None:
    assert [kind_of_style(name) for name in ("jig", "hymn", "bossa", "")] == ["dance", "chorale", "song", "song"]
    assert set(shipped_usual()) == {"dance", "chorale", "song"}


def test_the_bench_says_what_lies_outside() -> None:
    result = bench_melody(style_jobs(["jig"], seeds=2), processes=1)
    assert len(result.rows) == 2
    told = "\n".join(melody_lines(result))
    assert "jig 1" in told
    assert result.passed == all(not line.endswith("MISSED") for line in melody_lines(result))
    with pytest.raises(LibrettoError, match="no style"):
        style_jobs(["nothing of the kind"])


def test_a_damaged_collection_is_refused(tmp_path: Path) -> None:
    page = tmp_path / "ryan.jsonl.gz"
    good = {"id": "x", "key": "C major", "notes": [[0, 1, 60]], "bars": [0], "end": 9}
    page.write_bytes(gzip.compress(json.dumps(good).encode()))
    assert len(list(real_tunes(tmp_path, "ryan"))) == 1
    for bad in ({"notes": [[0, 1]]}, {"notes": [[10**30, 1, 60]]}, {"bars": None}, {"chords": 5}, {"keys": [7]}):
        page.write_bytes(gzip.compress(json.dumps(good | bad).encode()))
        with pytest.raises(FormatError):
            list(real_tunes(tmp_path, "ryan"))
    for data in (b"nothing", gzip.compress(b"[1]"), gzip.compress(b"[" * 100_000), gzip.compress(b"{}")[:-9]):
        page.write_bytes(data)
        with pytest.raises(FormatError):
            list(real_tunes(tmp_path, "ryan"))
    with pytest.raises(FormatError):
        list(real_tunes(tmp_path, "aird"))


@pytest.mark.shared
@pytest.mark.slow
def test_the_shipped_numbers_are_those_of_the_tunes(shared: Path) -> None:
    if not (shared / "tunes").is_dir():
        pytest.skip("needs the collections of tunes")
    assert {kind: one.to_dict() for kind, one in measured(shared / "tunes").items()} == {
        kind: one.to_dict() for kind, one in shipped_usual().items()
    }
