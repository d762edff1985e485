"""Listening studies: blinded packs, dealt evenly; answers that are read strictly; figures that are right."""

from __future__ import annotations

import json
import shutil
import wave
from collections import Counter
from itertools import pairwise
from math import isclose
from pathlib import Path
from random import Random

import numpy as np
import pytest
from typer.testing import CliRunner

from libretto.bench.study import make_study, report_study, study_lines
from libretto.bench.study.design import deal, latin_rows, trials_of
from libretto.bench.study.figures import alpha, bradley_terry, chance, exact_share
from libretto.bench.study.pack import wanted_tests
from libretto.cli import app
from libretto.errors import FileExists, LibrettoError

SYSTEMS = ("sixagents", "oneagent", "chained", "people")
BRIEFS = [f"Piece {number}: a calm waltz in C major </script><b>" for number in range(1, 5)]


@pytest.fixture
def systems(tmp_path: Path) -> Path:
    """A folder a system with four short WAV files each, of different loudness."""
    for place, system in enumerate(SYSTEMS):
        (tmp_path / "in" / system).mkdir(parents=True)
        for number in range(1, 5):
            time = np.arange(4000) / 8000
            tone = (2000 * (place + 1) * np.sin(2 * np.pi * (220 + 10 * number + place) * time)).astype("<i2")
            with wave.open(str(tmp_path / "in" / system / f"{number:03d}.wav"), "wb") as out:
                out.setparams((1, 2, 8000, 0, "NONE", ""))
                out.writeframes(tone.tobytes())
    return tmp_path / "in"


def pack_of(systems: Path, place: Path, **more: object):  # type: ignore[no-untyped-def]
    tests = {"ab": 6, "turing": 4, "match": 4, "rating": 5}
    return make_study(
        systems, place, tests=tests, briefs=BRIEFS, human="people", listeners=6, common=2, seconds=0.3 + 0.7,
        sound="wav", **more,
    )  # type: ignore[arg-type]  # fmt: skip


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 9, 10])
def test_every_thing_stands_equally_often_at_every_place_and_after_every_other(size: int) -> None:
    rows = latin_rows(size)
    for place in range(size):
        assert set(Counter(row[place] for row in rows).values()) == {len(rows) // size}
    follows = Counter(pair for row in rows for pair in pairwise(row))
    assert len(follows) == size * (size - 1)
    assert len(set(follows.values())) == 1


def test_trials_are_dealt_evenly_and_sides_are_balanced() -> None:
    pieces = {name: tuple(f"{n:03d}" for n in range(20)) for name in ("a", "b", "c")}
    trials = trials_of(pieces, {}, ["ab"], target="a")
    assert len(trials) == 40
    assert all(trial.samples[0][0] == "a" for trial in trials)
    dealt = deal(trials, {"ab": 12}, 10, 2, seed=1)
    heard = Counter(shown.trial.name for mine in dealt for shown in mine)
    shared = [name for name, count in heard.items() if count == 10]
    assert len(shared) == 2
    assert max(count for name, count in heard.items() if name not in shared) <= 3
    assert all(len({shown.trial.name for shown in mine}) == 12 for mine in dealt)
    for name in shared:
        sides = Counter(shown.order for mine in dealt for shown in mine if shown.trial.name == name)
        assert sides == {(0, 1): 5, (1, 0): 5}


def test_a_pack_tells_nothing_of_who_made_what(systems: Path, tmp_path: Path) -> None:
    pack = pack_of(systems, tmp_path / "pack")
    files = sorted(path for path in pack.folder.rglob("*") if path.is_file())
    assert [path.name for path in files if path.suffix == ".html"] == [f"listener-0{n}.html" for n in range(1, 7)]
    for path in files:
        text = path.read_bytes().decode("latin-1") + path.name
        assert not any(system in text for system in SYSTEMS), path
    page = (pack.folder / "listener-01.html").read_text()
    assert "http" not in page
    assert "</script><b>" not in page.partition('id="study">')[2].partition("</script>")[0] + "<b>"
    data = json.loads(page.partition('id="study">')[2].partition("</script>")[0])
    assert Counter(trial["test"] for trial in data["trials"]) == {"ab": 6, "turing": 4, "match": 4, "rating": 5}
    assert all((pack.folder / sound).is_file() for trial in data["trials"] for sound in trial["sounds"])
    assert all(bool(trial["prompt"]) == (trial["test"] == "match") for trial in data["trials"])
    loud = []
    for path in files:
        if path.suffix == ".wav":
            with wave.open(str(path)) as sound:
                rows = np.frombuffer(sound.readframes(sound.getnframes()), "<i2").astype(float)
                loud.append(np.sqrt(np.mean(rows**2)))
    assert max(loud) / min(loud) < 1.02
    again = pack_of(systems, tmp_path / "again")
    assert again.key.read_bytes() == pack.key.read_bytes()
    with pytest.raises(FileExists):
        pack_of(systems, tmp_path / "pack")


def answered(pack, folder: Path, prefers: str) -> Path:  # type: ignore[no-untyped-def]
    """Answers of pretend listeners who always choose one system, call people human, and half of ``prefers`` good."""
    key = json.loads(pack.key.read_text())
    folder.mkdir()
    for listener, asked in key["listeners"].items():
        dice, given = Random(listener), {}
        for name, row in asked.items():
            shown = [row["samples"][index] for index in row["order"]]
            who = [system for system, _ in shown]
            if row["test"] in ("ab", "match"):
                given[name] = who.index(prefers) + 1 if prefers in who else dice.randrange(len(who)) + 1
            elif row["test"] == "turing":
                given[name] = ["human" if system == "people" else "machine" for system in who]
            else:
                given[name] = "good" if who[0] == prefers and int(shown[0][1]) % 2 else "not good"
        data = {"kind": "libretto study answers 1", "study": key["study"], "listener": int(listener), "answers": given}
        (folder / f"{listener}.json").write_text(json.dumps(data))
    return folder


def test_what_listeners_meant_comes_out_whatever_the_order_was(systems: Path, tmp_path: Path) -> None:
    pack = pack_of(systems, tmp_path / "pack")
    folder = answered(pack, tmp_path / "answers", "sixagents")
    report = report_study(pack.key, [folder])
    assert report.listeners == 6
    table = report.preferences["ab"]
    place = table.systems.index("sixagents")
    lost = sum(row[place] for row in table.wins)
    assert sum(table.wins[place]) > 0
    assert lost == 0
    assert table.strengths[0].name == "sixagents"
    assert report.shares["turing"].counts["people"] == (24, 24)
    assert all(report.shares["turing"].counts[name][0] == 0 for name in SYSTEMS[:3])
    assert report.shares["match"].counts["sixagents"] == (24, 24)
    good, of = report.shares["rating"].counts["sixagents"]
    assert 0 < good < of
    assert report.agreement["match"].alpha is None  # everybody said the same of everything
    assert report.agreement["turing"].alpha == 1.0
    text = "\n".join(study_lines(report))
    assert "| sixagents | 100.0% [85.8%-100.0%] | 24/24 |" in text


def test_answers_are_read_strictly(systems: Path, tmp_path: Path) -> None:
    pack = pack_of(systems, tmp_path / "pack")
    folder = answered(pack, tmp_path / "answers", "chained")
    good = json.loads((folder / "1.json").read_text())
    name = next(iter(good["answers"]))
    for change, wrong in (
        ({"study": "another"}, "another study"),
        ({"listener": 99}, "no listener"),
        ({"answers": {"q9999": 1}}, "was not asked"),
        ({"answers": {name: 7}}, "number from 1"),
        ({"kind": "x"}, "does not say"),
    ):
        (tmp_path / "bad.json").write_text(json.dumps({**good, **change}))
        with pytest.raises(LibrettoError, match=wrong):
            report_study(pack.key, [tmp_path / "bad.json"])
    with pytest.raises(LibrettoError, match="second file"):
        report_study(pack.key, [folder, folder / "1.json"])
    (tmp_path / "key.json").write_text(json.dumps({"kind": "libretto study key 1", "listeners": {"1": {"q": {}}}}))
    with pytest.raises(LibrettoError, match="whole key"):
        report_study(tmp_path / "key.json", [folder])


def test_intervals_and_chances_are_exact() -> None:
    stats = pytest.importorskip("scipy.stats")
    for wins, count in ((0, 7), (3, 7), (7, 7), (24, 130), (77, 100), (499, 1000)):
        ours, theirs = exact_share(wins, count), stats.binomtest(wins, count)
        interval = theirs.proportion_ci(0.95, "exact")
        assert isclose(ours.low, interval.low, abs_tol=1e-9)
        assert isclose(ours.high, interval.high, abs_tol=1e-9)
        assert isclose(chance(wins, count), theirs.pvalue, rel_tol=1e-9)


def test_strengths_are_those_that_made_the_games() -> None:
    true = np.array([1.0, 0.0, -1.0])
    games = 4000
    wins = [[0.0 if a == b else games / (1 + np.exp(true[b] - true[a])) for b in range(3)] for a in range(3)]
    rows = bradley_terry(["a", "b", "c"], wins)
    assert [row.name for row in rows] == ["a", "b", "c"]
    assert all(abs(row.value - value) < 0.01 for row, value in zip(rows, true, strict=True))
    assert all(row.low < value < row.high and row.high - row.low < 0.2 for row, value in zip(rows, true, strict=True))
    (winner, loser) = bradley_terry(["loser", "winner"], [[0, 0], [9, 0]])
    assert winner.name == "winner"
    assert np.isfinite([winner.low, winner.high, loser.low, loser.high]).all()


def test_agreement_is_krippendorffs() -> None:
    assert alpha([["a", "a"], ["b", "b"]]) == 1.0
    assert alpha([["a", "a"], ["a", "a"]]) is None
    # Krippendorff's own worked example of nominal data with two observers (2011): ten units, alpha 0.095.
    one, two = "0100000000", "1110010100"
    value = alpha([[a, b] for a, b in zip(one, two, strict=True)])
    assert value is not None
    assert round(value, 3) == 0.095


def test_tests_are_asked_for_in_words() -> None:
    assert wanted_tests([]) == {"ab": 50}
    assert wanted_tests(["ab=12", "turing"]) == {"ab": 12, "turing": 30}
    for words in ("abc", "ab=0", "ab=x"):
        with pytest.raises(LibrettoError, match="no test"):
            wanted_tests([words])


def test_what_a_test_needs_is_said(systems: Path, tmp_path: Path) -> None:
    for tests, more, wrong in (
        ({"turing": 3}, {}, "--human"),
        ({"match": 3}, {}, "--briefs"),
        ({"ab": 3}, {"target": "nobody"}, "no system"),
    ):
        with pytest.raises(LibrettoError, match=wrong):
            make_study(systems, tmp_path / "pack", tests=tests, sound="wav", **more)  # type: ignore[arg-type]
    with pytest.raises(LibrettoError, match="no folder"):
        make_study(tmp_path / "none", tmp_path / "pack", tests={"ab": 3})


def test_the_commands(systems: Path, tmp_path: Path) -> None:
    (tmp_path / "briefs.txt").write_text("\n".join(BRIEFS))
    made = CliRunner().invoke(
        app,
        ["study", "make", str(systems), "-o", str(tmp_path / "p"), "--sound", "wav", "--seconds", "1", "--test", "ab=4",
         "--test", "match=3", "--briefs", str(tmp_path / "briefs.txt"), "--listeners", "2", "--json"],
    )  # fmt: skip
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["questions"] == {"ab": 4, "match": 3}

    class Pack:
        key = tmp_path / "p.key.json"

    folder = answered(Pack, tmp_path / "answers", "oneagent")
    said = CliRunner().invoke(app, ["study", "report", str(Pack.key), str(folder), "-o", str(tmp_path / "r.md")])
    assert said.exit_code == 0, said.output
    assert "Bradley-Terry" in (tmp_path / "r.md").read_text()


def test_the_page_is_answered_offline_and_saves_a_file(systems: Path, tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip("needs Chromium")
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    pack = pack_of(systems, tmp_path / "pack")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_context(offline=True, accept_downloads=True).new_page()
        tab.goto((pack.folder / "listener-02.html").as_uri())
        for _ in range(19):
            for box in tab.locator("fieldset").all():
                box.locator("input").first.check()
            tab.click("#next")
        with tab.expect_download() as saved:
            tab.click("#save")
        saved.value.save_as(tmp_path / "answers.json")
        assert "Thank you" in tab.inner_text("#said")
        browser.close()
    report = report_study(pack.key, [tmp_path / "answers.json"])
    assert (report.listeners, report.answers) == (1, 19)
    assert all(hits == of for hits, of in report.shares["rating"].counts.values())
