"""An entry points at the songs that attest it: by the labels of a user's cloud, and honestly not by a shipped one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from libretto import parse, write
from libretto.cli.app import app
from libretto.corpus import Cloud
from libretto.corpus.labels import Song
from libretto.corpus.store import save_cloud, user_clouds
from libretto.errors import LibrettoError
from libretto.knowledge import find_concept
from libretto.knowledge.attesting import attest_in, named_clouds

WALKING = find_concept("composing/walking-bass")


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cloud of five songs: two show the concept, one does not, one is no music, one lies outside the folder."""
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path / "home"))
    folder = tmp_path / "songs"
    folder.mkdir()
    write(parse(WALKING.example), folder / "club.mid")
    write(parse(WALKING.plain), folder / "plain.mid")
    write(parse(WALKING.example), folder / "late.mid")
    write(parse(WALKING.example), tmp_path / "outside.mid")
    (folder / "broken.mid").write_bytes(b"no music")
    songs = (
        Song("club.mid", "jazz", "Ada Lark", "Blue Gate"),
        Song("plain.mid", "jazz"),
        Song("broken.mid", "folk"),
        Song("../outside.mid", "folk"),
        Song("late.mid"),
    )
    cloud = Cloud("mine", 1, ("tempo",), tuple(song.genre for song in songs), np.arange(5.0)[:, None])
    save_cloud(user_clouds() / "mine", cloud, songs=songs, source=folder)
    return folder


def test_songs_are_named_by_the_labels_of_their_cloud(mine: Path) -> None:
    found = attest_in(WALKING, "mine")
    assert [(song.label, song.file) for song in found.songs] == [
        ("Blue Gate (Ada Lark)", "club.mid"),
        ("late.mid", "late.mid"),
    ]
    assert all(song.places for song in found.songs)
    assert (found.read, found.refused, found.total) == (3, 2, 5)


def test_no_more_is_read_than_was_said(mine: Path) -> None:
    steps: list[int] = []
    found = attest_in(WALKING, "mine", most=2, progress=lambda: steps.append(1))
    assert (len(found.songs), found.read, len(steps)) == (1, 2, 2)


def test_the_command_prints_them(mine: Path) -> None:
    assert named_clouds() == ["mine"]
    said = CliRunner().invoke(app, ["concept", "walking-bass", "--songs"])
    assert said.exit_code == 0
    head, first, last = said.stdout.splitlines()
    assert head == "composing/walking-bass in mine: 2 of 3 songs, 2 could not be read"
    assert first.startswith("  Blue Gate (Ada Lark), club.mid [jazz]: bar")
    assert last.startswith("  late.mid: bar")
    data = json.loads(CliRunner().invoke(app, ["concept", "walking-bass", "--songs", "--json"]).stdout)
    assert [song["file"] for song in data[0]["songs"]] == ["club.mid", "late.mid"]


@pytest.mark.parametrize("cloud", ["default", "paper314"])
def test_a_cloud_of_numbers_says_that_it_knows_no_songs(cloud: str) -> None:
    with pytest.raises(LibrettoError, match="numbers and genres") as said:
        attest_in(WALKING, cloud)
    assert ("how many" in str(said.value)) == (cloud == "default")  # the entries were counted over that one alone


def test_a_cloud_whose_files_are_gone_says_so(mine: Path) -> None:
    mine.rename(mine.with_name("elsewhere"))
    with pytest.raises(LibrettoError, match="is not there"):
        attest_in(WALKING, "mine")


def test_without_a_cloud_of_ones_own_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path))
    said = CliRunner().invoke(app, ["concept", "walking-bass", "--songs"])
    assert said.exit_code == 0
    assert said.stdout.startswith("no cloud here knows its songs")
