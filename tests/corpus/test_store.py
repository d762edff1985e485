"""Keeping clouds: by name or path, whole or not at all, and nothing that lies there is trusted."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from libretto.corpus import store
from libretto.corpus.cloud import Cloud, of_profiles
from libretto.corpus.describe import describe_cloud
from libretto.corpus.labels import Song
from libretto.corpus.overlap import IndexKind, Overlap, index_kinds
from libretto.corpus.store import (
    cloud_folder,
    cloud_names,
    load_cloud,
    load_index,
    load_songs,
    save_cloud,
    target_folder,
    user_clouds,
)
from libretto.errors import FileExists, FormatError, TooLarge
from libretto.score import Score


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for the user's clouds that is not the user's."""
    monkeypatch.setenv("LIBRETTO_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "clouds"


def small(name: str = "mine", songs: int = 3, value: float = 1.0) -> Cloud:
    profiles = [{"a": value + i, "b": None} for i in range(songs)]
    return of_profiles(name, profiles, ["jazz", "pop", ""][:songs], about="Made up.")


SONGS = (Song("jazz/a.mid", "jazz"), Song("pop/b.mid", "pop", "Ann", "B"), Song("c.mid"))


def test_a_cloud_comes_back_by_name_and_by_path(home: Path) -> None:
    save_cloud(home / "mine", small(), None, SONGS)
    assert cloud_names() == sorted([*store._names_in(store.SHIPPED), "mine"])
    assert load_cloud("mine").to_json() == small().to_json()
    assert load_cloud(home / "mine") is load_cloud("mine")
    assert load_cloud(f"{home}/mine") is load_cloud("mine")
    assert load_songs("mine") == SONGS
    assert load_songs("paper314") == ()


def test_without_a_home_the_system_says_where(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LIBRETTO_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert user_clouds().parts[-2:] == ("libretto", "clouds")
    assert "paper314" in cloud_names()


@pytest.mark.parametrize(
    "name", ["", ".", "..", "Mine", "my cloud", "-o", "a" * 41, "a\0b", "mine.partial", "ü", "paper314"]
)
def test_names_that_cannot_be_taken(name: str) -> None:
    with pytest.raises(FormatError):
        target_folder(name)


def test_names_that_can(home: Path, tmp_path: Path) -> None:
    assert target_folder("my_cloud-2") == home / "my_cloud-2"
    assert target_folder(f"{tmp_path}/mine/") == tmp_path / "mine"
    assert target_folder("./mine") == Path("mine")
    for path in (f"{tmp_path}/My Cloud", f"{tmp_path}/paper314", "/", "../.."):
        with pytest.raises(FormatError):
            target_folder(path)


@pytest.mark.parametrize(
    "name", ["..", "../secret", "none", "", "a\0b", "/etc", ".mine.old", "x" * 5_000, "a/\0", "a/" + "x" * 5_000]
)
def test_unknown_clouds_are_one_clear_line(name: str, home: Path) -> None:
    save_cloud(home.parent / "secret", small())
    with pytest.raises(FormatError, match="there is no cloud") as error:
        load_cloud(name)
    assert str(error.value).isprintable()


def test_a_rebuilt_cloud_is_read_anew(home: Path) -> None:
    save_cloud(home / "mine", small())
    first = load_cloud("mine")
    assert load_cloud("mine") is first
    save_cloud(home / "mine", small(value=7.0), force=True)
    assert load_cloud("mine").values[0, 0] == 7.0


def test_nothing_is_replaced_unasked_and_only_clouds_at_all(home: Path, tmp_path: Path) -> None:
    save_cloud(home / "mine", small(), None, SONGS)
    with pytest.raises(FileExists, match="--force"):
        save_cloud(home / "mine", small(value=2.0))
    assert load_cloud("mine").values[0, 0] == 1.0
    save_cloud(home / "mine", small(value=2.0), force=True)
    assert os.listdir(home / "mine") == ["cloud.json"]
    (home / "mine" / "thesis.doc").write_text("precious")
    for place in (home / "mine", home):
        with pytest.raises(FileExists, match="is not a cloud"):
            save_cloud(place, small(), force=True)
    (tmp_path / "file").write_text("precious")
    with pytest.raises(FileExists, match="is not a cloud"):
        save_cloud(tmp_path / "file", small(), force=True)
    (tmp_path / "empty").mkdir()
    save_cloud(tmp_path / "empty", small())
    assert (tmp_path / "file").read_text() == (home / "mine" / "thesis.doc").read_text() == "precious"


def test_the_old_one_stays_until_the_new_one_is_complete(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_cloud(home / "mine", small(), None, SONGS)

    def full(data: bytes, path: Path) -> None:
        if path.name == "songs.csv":
            raise OSError(28, "No space left on device")
        path.write_bytes(data)

    monkeypatch.setattr(store, "write_bytes", full)
    with pytest.raises(FormatError, match="No space left"):
        save_cloud(home / "mine", small(value=2.0), None, SONGS, force=True)
    assert load_cloud("mine").values[0, 0] == 1.0
    assert os.listdir(home) == ["mine"]
    with pytest.raises(FormatError, match="No space left"):
        save_cloud(home / "new", small(), None, SONGS)
    assert os.listdir(home) == ["mine"]


def test_a_rename_that_fails_brings_the_old_one_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_cloud(home / "mine", small())
    rename = Path.rename

    def broken(self: Path, target: Path) -> Path:
        if self.suffix == ".part":
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", broken)
    with pytest.raises(FormatError, match="Input/output"):
        save_cloud(home / "mine", small(value=2.0), force=True)
    assert os.listdir(home) == ["mine"]
    assert load_cloud("mine").values[0, 0] == 1.0


def test_a_kill_between_the_two_renames_loses_nothing(home: Path) -> None:
    save_cloud(home / "mine", small())
    (home / "mine").rename(home / ".mine.old")
    assert load_cloud("mine").values[0, 0] == 1.0
    save_cloud(home / "mine", small(value=2.0))
    assert os.listdir(home) == ["mine"]
    assert load_cloud("mine").values[0, 0] == 2.0


def hostile() -> dict[str, bytes]:
    body = json.loads(small().to_json())
    good = {name: value for name, value in body.items() if name != "checksum"}

    def signed(**changed: object) -> bytes:
        from libretto.corpus.cloud import _checksum

        return json.dumps({"checksum": _checksum({**good, **changed}), **good, **changed}).encode()

    return {
        "empty": b"",
        "not text": b"\xff\xfe\x00",
        "deep": b"[" * 200_000,
        "huge number": signed(values=[[10**400, None]] * 3),
        "names of numbers": signed(genres=[1, 2, 3]),
        "no name": signed(name=None),
        "ragged": signed(values=[[1.0], [1.0, 2.0], []]),
        "other axes": signed(axes=["a"]),
        "unsigned": json.dumps({**body, "about": "changed"}).encode(),
        "rule": signed(rule="best"),
    }


@pytest.mark.parametrize("kind", sorted(hostile()))
def test_damaged_clouds_are_one_clear_line(kind: str, home: Path) -> None:
    (home / "bad").mkdir(parents=True)
    (home / "bad" / "cloud.json").write_bytes(hostile()[kind])
    for ask in (load_cloud, describe_cloud):
        with pytest.raises(FormatError) as error:
            ask("bad")
        assert "\n" not in str(error.value)
        assert "bad/cloud.json" in str(error.value)


def test_sizes_are_bounded(home: Path) -> None:
    (home / "bad").mkdir(parents=True)
    (home / "bad" / "cloud.json").touch()
    os.truncate(home / "bad" / "cloud.json", 64_000_001)
    with pytest.raises(TooLarge):
        load_cloud("bad")


def test_what_would_not_be_read_is_not_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_LARGEST_CLOUD", 100)
    with pytest.raises(TooLarge, match="fewer songs"):
        save_cloud(home / "mine", small())
    assert not home.exists()


class Shelf:
    """An index that only counts: a stand-in for the real kinds."""

    def __init__(self, data: bytes, names: Sequence[str]) -> None:
        self.pieces, self.names = data.removeprefix(b"SHELF").decode("ascii").split(), tuple(names)

    def __len__(self) -> int:
        return len(self.pieces)

    def nearest(self, score: Score, k: int = 5, without: Collection[int] = ()) -> list[Overlap]:
        return []


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of index whose bytes are words."""
    kind = IndexKind("shelf", b"SHELF", lambda score: b"x", b" ".join, Shelf)
    monkeypatch.setitem(index_kinds._entries, "shelf", kind)


@pytest.mark.usefixtures("shelf")
def test_an_index_comes_with_the_names_of_its_songs_and_is_read_once(home: Path) -> None:
    save_cloud(home / "mine", small(), b"SHELF a b c", SONGS)
    index = load_index("mine")
    assert isinstance(index, Shelf)
    assert index.names == ("jazz/a.mid", "B (Ann)", "c.mid")
    assert load_index(home / "mine") is index
    assert describe_cloud("mine")["index"] == {"kind": "shelf", "bytes": 11}
    save_cloud(home / "mine", small(), b"SHELF d e f", force=True)
    again = load_index("mine")
    assert isinstance(again, Shelf)
    assert (again.pieces, again.names) == (["d", "e", "f"], ())
    save_cloud(home / "bare", small())
    assert load_index("bare") is None


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("data", "words"),
    [(b"", "no index"), (b"OTHER a b c", "no index"), (b"SHELF a b", "holds 2 songs"), (b"SHELF \xff", "damaged")],
)
def test_a_damaged_index_is_one_clear_line(data: bytes, words: str, home: Path) -> None:
    save_cloud(home / "mine", small(), data)
    with pytest.raises(FormatError, match=words) as error:
        load_index("mine")
    assert "mine/overlap.bin: " in str(error.value)
    assert len(load_cloud("mine").genres) == 3


@pytest.mark.usefixtures("shelf")
def test_an_index_is_bounded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_cloud(home / "mine", small(), b"SHELF a b c")
    monkeypatch.setattr(store, "_LARGEST_INDEX", 10)
    with pytest.raises(TooLarge):
        load_index("mine")
    with pytest.raises(TooLarge):
        save_cloud(home / "other", small(), b"SHELF a b c")


def test_songs_that_do_not_fit_their_cloud_are_refused(home: Path) -> None:
    save_cloud(home / "mine", small(), None, SONGS[:2])
    with pytest.raises(FormatError, match="names 2 songs"):
        load_songs("mine")


def test_a_description_says_what_is_there(home: Path) -> None:
    save_cloud(home / "mine", small(), None, SONGS)
    facts = describe_cloud("mine")
    assert facts["genres"] == {"jazz": 1, "pop": 1}
    assert (facts["songs"], facts["unlabelled"], facts["axes"]) == (3, 1, ["a", "b"])
    assert facts["checksum"] == json.loads((home / "mine" / "cloud.json").read_text())["checksum"]
    assert (facts["shipped"], facts["named"], facts["index"], facts["gates"]) == (False, True, None, None)
    assert facts["folder"] == str(home / "mine")
    shipped = describe_cloud("paper314")
    assert (shipped["shipped"], shipped["named"], shipped["songs"]) == (True, False, 314)
    json.dumps(facts)


def test_the_user_cannot_put_a_cloud_before_one_of_the_package(home: Path) -> None:
    save_cloud(home / "paper314", small("paper314"))
    assert len(load_cloud("paper314").genres) == 314
    assert cloud_folder("paper314").parent != home
