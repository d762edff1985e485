"""``libretto corpus`` as a person meets it: build, list, info; one line for bad input."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tunes import tune

from libretto import write
from libretto.cli import main


@pytest.fixture
def music(tmp_path: Path) -> Path:
    """A folder of five songs in two genres, a copy of one, and something that is not music."""
    folder = tmp_path / "music"
    for number in range(4):
        path = folder / ("jazz", "pop")[number % 2] / f"{'abcd'[number]}.mid"
        path.parent.mkdir(parents=True, exist_ok=True)
        write(tune(number), path)
    write(tune(7), folder / "loose.libretto")
    write(tune(7), folder / "pop" / "copy.abc")
    (folder / "bad.mid").write_bytes(b"not midi")
    return folder


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command as a person would, in this process; the user's clouds lie in a folder of the test."""
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["libretto", *map(str, arguments)])
        code: str | int | None = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        assert isinstance(code, int)
        return Done(code, *capsys.readouterr())

    return command


def test_build_list_info_and_measure(music: Path, tmp_path: Path, run: Run) -> None:
    done = run("corpus", "build", music, "-o", "mine", "--about", "Made up.", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert "5 songs, 2 genres, 1 without a genre" in done.stdout
    assert "left out: pop/copy.abc: the same music as loose.libretto" in done.stdout
    assert "skipped: bad.mid: " in done.stdout
    assert all(line.endswith(" left") for line in done.stderr.splitlines())  # progress, where a second goes by
    assert sorted(os.listdir(tmp_path / "home" / "clouds")) == ["mine"]

    listed = run("corpus", "list").stdout.splitlines()
    assert [line.split()[0] for line in listed if "yours" in line] == ["mine"]
    assert any(line.startswith("paper314") and "of the package" in line for line in listed)
    facts = [json.loads(line) for line in run("corpus", "list", "--json").stdout.splitlines()]
    assert {"mine", "paper314"} <= {fact["name"] for fact in facts}

    text = run("corpus", "info", "mine").stdout
    assert "Made up." in text
    assert "(no genre)" in text
    info = json.loads(run("corpus", "info", "mine", "--json").stdout)
    assert (info["songs"], info["genres"], info["unlabelled"]) == (5, {"jazz": 2, "pop": 2}, 1)
    assert info["checksum"] in text
    assert (info["index"] is None) == ("no index" in text)

    placed = run("measure", music / "jazz" / "a.mid", "--cloud", "mine", "--json")
    assert json.loads(placed.stdout)["cloud"] == "mine-1"


def test_build_as_json_with_labels(music: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "labels.csv").write_text("id,genre,artist,title\na,swing,Ann,A\nc,swing,Ann,C\nnobody,x,,\n")
    done = run("corpus", "build", music, "-o", "./out/mine", "--labels", "labels.csv", "--json", "--jobs", "1")
    report = json.loads(done.stdout)
    assert report["genres"] == {"": 1, "pop": 2, "swing": 2}
    assert report["absent"] == ["nobody"]
    assert [entry["file"] for entry in report["skipped"]] == ["bad.mid"]
    assert report["copies"] == [{"file": "pop/copy.abc", "how": "the same music as", "of": "loose.libretto"}]
    assert os.listdir(tmp_path / "out") == ["mine"]
    assert json.loads(run("corpus", "info", "out/mine", "--json").stdout)["name"] == "mine"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("build", "missing", "-o", "mine"), "is not a folder"),
        (("build", "empty", "-o", "mine"), "there is no music"),
        (("build", "{music}", "-o", "paper314"), "choose another name"),
        (("build", "{music}", "-o", "My Cloud"), "is no name for a cloud"),
        (("build", "{music}", "-o", ".."), "is no name for a cloud"),
        (("build", "{music}", "-o", "./empty/.."), "is no name for a cloud"),
        (("build", "{music}", "-o", "./music", "--force"), "is not a cloud"),
        (("build", "{music}", "-o", "mine", "--labels", "none.csv"), "cannot read"),
        (("build", "{music}", "-o", "mine", "--labels", "poor.csv"), "needs the columns"),
        (("info", "nothing"), "there is no cloud"),
        (("info", "../music"), "there is no cloud"),
    ],
)
def test_bad_input_is_one_clear_line(
    arguments: tuple[str, ...], words: str, music: Path, tmp_path: Path, run: Run
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "poor.csv").write_text("name,style\n")
    done = run("corpus", *(argument.format(music=music) for argument in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("libretto: ")
    assert words in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["empty", "music", "poor.csv"]


def test_a_damaged_cloud_does_not_hide_the_others(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "home" / "clouds" / "bad"
    folder.mkdir(parents=True)
    (folder / "cloud.json").write_text("{}")
    done = run("corpus", "list")
    assert done.returncode == 1
    assert any(line.startswith("bad") and "damaged" in line for line in done.stdout.splitlines())
    assert any(line.startswith("paper314") for line in done.stdout.splitlines())


@pytest.mark.parametrize("command", ["build", "list", "info"])
def test_help_has_an_example(command: str, run: Run) -> None:
    assert f"Example: libretto corpus {command}" in run("corpus", command, "--help").stdout
