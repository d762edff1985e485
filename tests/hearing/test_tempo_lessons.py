"""The judge of tempos learns a choice among ways, and nothing is taught that is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lab.hearing.apart import plain_title, taught_songs, tune_titles, without_copies
from lab.hearing.judging import Course, Lessons, judged, learned, scale_of, scaled
from lab.hearing.teach_meter import written_weights


def lessons(count: int) -> Lessons:
    """Ways of three signs, of which the one with the largest second sign is right."""
    signs = np.random.default_rng(0).normal(0, 1, (count, 20, 3)).astype(np.float16)
    right = signs[:, :, 1] == signs[:, :, 1].max(axis=1, keepdims=True)
    return Lessons(signs, np.ones((count, 20), dtype=np.bool_), right)


def test_the_right_way_is_learned_the_same_each_time() -> None:
    data, course = lessons(400), Course(cells=(8,), rounds=12, batch=16, ways=10, step=1e-2, left_out=0.0)
    layers = learned(data, course, 3)
    best = judged(layers, data.signs.astype(np.float32)).argmax(axis=1)
    assert data.right[np.arange(400), best].mean() > 0.9
    again = learned(data, course, 3)
    assert all(
        np.array_equal(a, b) for one, two in zip(layers, again, strict=True) for a, b in zip(one, two, strict=True)
    )


def test_signs_are_brought_to_their_usual_size() -> None:
    data = lessons(50)
    wide = data.signs * 4 + 2
    rows = scaled(wide.copy(), *scale_of(wide, data.there))
    assert abs(float(rows.mean())) < 0.05
    assert 0.9 < float(rows.std()) < 1.1


def test_weights_are_kept_as_halves() -> None:
    layers = [(np.ones((3, 1), dtype=np.float32), np.zeros(1, dtype=np.float32))]
    scale = np.zeros(3, dtype=np.float32), np.ones(3, dtype=np.float32)
    kept = written_weights({"4/4": np.ones((7, 48))}, scale, [layers])
    assert kept["net 0 inner 0"].dtype == np.float16
    assert "places 4/4" in kept


def test_a_song_for_choosing_is_taught_under_no_other_name(tmp_path: Path) -> None:
    midi, lakh, paper = (tmp_path / "corpus" / name for name in ("midi", "lakh", "paper314"))
    for folder in (midi, lakh, paper):
        folder.mkdir(parents=True)
    titles = ["First", "Second Song", "Third", "Fourth"]
    for number in range(4):
        (midi / f"{number}.mid").touch()
    rows = [f"{number}.mid,{title}" for number, title in enumerate(titles)]
    (midi / "manifest.csv").write_text("file,title\n" + "\n".join(rows) + "\n", encoding="utf-8")
    (lakh / "manifest.csv").write_text("id,title\na,Second song (live)\nb,Other\nc,Third.2\n", encoding="utf-8")
    (paper / "manifest.csv").write_text("id,title\n", encoding="utf-8")
    for name in "abc":
        (lakh / f"{name}.txt").touch()
    assert [file.name for file in taught_songs(tmp_path)] == ["0.mid", "3.mid", "b.txt"]


def test_titles_of_clips_are_known(tmp_path: Path) -> None:
    (tmp_path / "scores").mkdir()
    (tmp_path / "scores" / "a.abc").write_text("X:1\nT: The Alderman's Hat\nK:C\n", encoding="utf-8")
    assert tune_titles(tmp_path) == {plain_title("the aldermans hat")}


def test_a_song_is_known_by_its_turns_under_any_title_and_in_any_key(tmp_path: Path) -> None:
    tune = np.random.default_rng(2).integers(0, 12, 60)
    other = np.random.default_rng(3).integers(0, 12, 60)
    for name, key, notes in (("measured", "C", tune), ("higher", "D", tune + 1), ("other", "C", other)):
        bars = " | ".join("".join("CDEFGABcdefgab"[note] for note in notes[at : at + 4]) for at in range(0, 60, 4))
        (tmp_path / f"{name}.abc").write_text(f"X:1\nT:{name}\nM:4/4\nL:1/4\nK:{key}\n{bars} |]\n", encoding="utf-8")
    files = [tmp_path / f"{name}.abc" for name in ("higher", "other")]
    assert without_copies(files, [tmp_path / "measured.abc"]) == [tmp_path / "other.abc"]
