"""The published gates: the printed figures of the published corpus, the names of genres, and what they refuse."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from tunes import tune

from libretto.axes import measure
from libretto.contract import GENRES
from libretto.corpus import load_cloud
from libretto.corpus.slide import aligned, most_slid, pairs_of, read_pairs, shared_notes, slide
from libretto.errors import LibrettoError, UnknownGenre
from libretto.formats import write
from libretto.gates.paper import (
    BAND_AXES,
    CLOUD,
    COPY_RISK_90,
    GENRE_NAMES,
    check_gates,
    paper_extremes,
    paper_gauge,
    paper_genre,
    paper_percentiles,
    paper_values,
    songs_of,
)
from libretto.gates.paper_judge import judge_paper, region_outcomes
from libretto.grammar import parse
from libretto.score import take_bars
from libretto.tasks import compose_task, make_task, morph_task

LABELS = load_cloud(CLOUD).labels


def test_the_budgets_are_those_that_the_printed_formula_gives() -> None:
    assert [paper_gauge(genre).budget for genre in LABELS] == [6, 5, 6, 6, 5, 5, 6, 6]
    assert {paper_gauge(genre).floor for genre in LABELS} == {3}
    ceilings = [paper_gauge(genre).ceiling for genre in LABELS]
    assert all(0.30 <= ceiling <= 0.45 for ceiling in ceilings)
    assert max(COPY_RISK_90.values()) <= 0.29  # as printed


def test_the_extremes_of_the_corpus_are_as_printed() -> None:
    extremes = np.array(paper_gauge().extremes)
    assert (len(extremes), round(float(extremes.mean()), 1), float(np.median(extremes))) == (314, 3.4, 3)
    assert float(np.percentile(extremes, 90)) == 7


def test_six_of_eight_axes_admit_as_few_real_songs_as_printed() -> None:
    shares = [float(np.mean(np.array(paper_gauge(genre).occupancy) >= 6)) for genre in LABELS]
    assert (round(min(shares), 2), round(max(shares), 2)) == (0.10, 0.29)
    assert len(BAND_AXES) == 8


def test_every_genre_of_ours_has_a_line_in_the_table() -> None:
    assert set(GENRES) <= set(GENRE_NAMES)
    assert set(LABELS) == {name for name in GENRE_NAMES.values() if name}
    named = {name: paper_genre(name) for name in ("pop_rock", "film_tv", "latin", "Pop/Rock")}
    assert list(named.values()) == ["core_pop_rock", "film_score", "latin_reggae_world", "core_pop_rock"]
    assert paper_genre("metal") == paper_genre(None) == ""
    with pytest.raises(UnknownGenre):
        paper_genre("polka")


def test_a_slide_is_the_share_of_notes_at_the_best_distance() -> None:
    song = tune(3, bars=24)
    part = pairs_of(take_bars(song, 9, 16))
    whole = pairs_of(song)
    found = slide(part, whole)
    assert found.share == pytest.approx(sum(map(len, part.bars.values())) / part.notes)
    assert found.shift == 8
    assert aligned(part, whole, 8) == found.share
    assert shared_notes(part, whole, 8).notes == sum(map(len, part.bars.values()))
    assert slide(part, pairs_of(song, without=(8, 15))).share < found.share
    other = tune(4, bars=24)
    assert most_slid(part, [pairs_of(other, "other"), pairs_of(song, "same")]).song == "same"
    assert most_slid(part, [pairs_of(song, "same")], without=["same"]).share == 0


def test_a_copy_of_a_song_of_the_folder_is_refused(tmp_path: Path) -> None:
    for number in range(3):
        write(tune(number, bars=24), tmp_path / f"{number}.mid")
    songs = songs_of(f"paper:{tmp_path}")
    assert len(songs) == 3
    verdict = judge_paper(tune(1, bars=24), "jazz", songs=songs)
    assert not verdict.outcomes["copy risk"].passed
    assert "1.mid" in verdict.feedback
    assert judge_paper(tune(1, bars=24), "jazz").outcomes["copy risk"].passed  # nothing to compare with, and it says so
    assert "no corpus" in judge_paper(tune(1, bars=24)).outcomes["copy risk"].note
    shown = judge_paper(tune(1, bars=24), cited=[("what was shown", tune(1, bars=24))])
    assert "what was shown" in shown.feedback


def test_a_degenerate_piece_fails_and_hears_no_axis_names() -> None:
    text = "KEY: C major | METER: 4/4 | TEMPO: 100 | GRID: 16th | BARS: 8\nVOICES: A\n"
    text += "".join(f"@{bar} [C]\nA: C4@1>16\n" for bar in range(1, 9))
    verdict = judge_paper(parse(text), "funk_soul_rnb")
    assert {"degeneracy", "genre fit"} <= set(verdict.failed)
    assert all(name not in verdict.feedback for name in load_cloud(CLOUD).axes)
    gap = region_outcomes(parse(text), later=16)
    assert not gap["degeneracy"].passed
    assert "3 may be" in gap["degeneracy"].note
    spans = [span for finding in gap["degeneracy"].findings for span in finding.bars]
    assert all(first >= 17 for first, _ in spans)
    percentiles = paper_percentiles(parse(text))
    assert len(percentiles) == 29
    assert len(paper_extremes(percentiles)) > 6


def test_a_task_takes_the_gates_and_says_so() -> None:
    task = compose_task(genre="film_tv").switched("paper", False)
    assert task.asked()["gates"] == "paper"
    assert task.asked()["retrieval"] is False
    verdict = task.judge(tune(2, bars=32))
    assert set(verdict.outcomes) == {"degeneracy", "genre fit", "copy risk"}
    assert "film score" in verdict.outcomes["genre fit"].note
    again = make_task("compose", ["A waltz in G major, 16 bars"], {"gates": "paper", "retrieval": "no"})
    assert (again.gates, again.retrieval) == ("paper", False)
    assert "length" in again.judge(tune(2, bars=32)).failed
    with pytest.raises(LibrettoError, match="no gates for morph"):
        morph_task("jazz", "latin").switched("paper")


@pytest.mark.parametrize("text", ["papers", "paper:", "ours:x", ""])
def test_other_gates_are_refused(text: str) -> None:
    with pytest.raises(LibrettoError, match="there are no gates"):
        check_gates(text)


@pytest.mark.slow
def test_the_copy_risk_of_real_songs_is_what_the_ceilings_say(shared: Path) -> None:
    folder = shared / "corpus" / "paper314"
    with open(folder / "manifest.csv", newline="", encoding="utf-8") as file:
        genres = {f"{row['id']}.txt": row["genre"] for row in csv.DictReader(file)}
    songs = read_pairs(str(folder))
    for genre, usual in COPY_RISK_90.items():
        mine = [song for song in songs if genres[song.name] == genre]
        risks = [round(most_slid(song, songs, without=[song.name]).share, 3) for song in mine]
        assert float(np.quantile(risks, 0.90)) == pytest.approx(usual, abs=6e-5)


def test_a_tune_without_a_move_ascends_by_half_as_printed_and_by_nothing_for_us() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 90 | GRID: 16th | BARS: 1\nVOICES: LEAD\n"
    still = parse(f"{head}@1 [C]\nLEAD: C4@1>16\n")
    profile = measure(still)
    assert profile["ascending_ratio"] is None
    values = dict(zip(load_cloud(CLOUD).axes, paper_values(profile)[0].tolist(), strict=True))
    assert values["ascending_ratio"] == 0.5
