"""An entry points at the songs that attest it: by the labels of a user's cloud, by the rows of a shipped one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from lab.attest import paper_paths, rows_of, shown_by
from libretto import parse, write
from libretto.cli.app import app
from libretto.corpus import Cloud, load_cloud
from libretto.corpus.labels import Song
from libretto.corpus.store import save_cloud, user_clouds
from libretto.errors import LibrettoError
from libretto.knowledge import all_concepts, find_concept
from libretto.knowledge.attesting import attest_in, named_clouds, shipped_rows

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


@pytest.mark.parametrize("name", ["default", "paper314"])
def test_songs_of_a_shipped_cloud_are_numbers_of_its_rows(name: str) -> None:
    cloud = load_cloud(name)
    found = attest_in(WALKING, name)
    rows = shipped_rows()[cloud.full_name][WALKING.key]
    assert [song.label for song in found.songs] == [f"song {row + 1}" for row in rows]
    assert [song.genre for song in found.songs] == [cloud.genres[row] for row in rows]
    assert (found.read, found.total) == (len(cloud.genres),) * 2
    assert not any(song.file or song.places for song in found.songs)


def test_rows_are_as_many_as_the_entries_count() -> None:
    cloud = load_cloud()
    shown = shipped_rows()[cloud.full_name]
    composing = {key: concept for key, concept in all_concepts().items() if concept.base == "composing"}
    assert set(shipped_rows()["paper314-1"]) == set(composing)
    assert len(shown) > len(composing) / 2
    for key, rows in shown.items():
        counted = Counter(cloud.genres[row] for row in rows)
        assert {genre: counted[genre] for genre in composing[key].attested} == {
            genre: seen for genre, (seen, _) in composing[key].attested.items()
        }, key


def test_the_command_prints_the_numbers_where_no_cloud_names_songs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path))
    said = CliRunner().invoke(app, ["concept", "walking-bass", "--songs"])
    assert said.exit_code == 0
    head, *lines = said.stdout.splitlines()
    shown, songs = (sum(column) for column in zip(*WALKING.attested.values(), strict=True))
    assert head == f"composing/walking-bass in default-1: {shown} of {songs} songs"
    assert any(line.startswith("  jazz: songs ") for line in lines)


def test_an_entry_of_theory_says_that_songs_are_counted_alone() -> None:
    theory = next(concept for concept in all_concepts().values() if concept.base == "theory")
    with pytest.raises(LibrettoError, match="numbers and genres") as said:
        attest_in(theory, "default")
    assert "how many" in str(said.value)


def test_rows_of_real_songs_show_it(shared: Path) -> None:
    """The published corpus in the order of its cloud, read again: the rows that are named show it, no others do."""
    paths = paper_paths(shared / "corpus" / "paper314")[:12]
    chosen = [all_concepts()[key] for key in sorted(shipped_rows()["paper314-1"])[::10]]
    for key, rows in rows_of(shown_by(paths, chosen, 1, quiet=True), chosen).items():
        assert rows == [row for row in shipped_rows()["paper314-1"][key] if row < len(paths)], key


def test_a_cloud_whose_files_are_gone_says_so(mine: Path) -> None:
    mine.rename(mine.with_name("elsewhere"))
    with pytest.raises(LibrettoError, match="is not there"):
        attest_in(WALKING, "mine")
