"""Finding music and what is known of it: any depth, sub-folders or a table, and never a step out of the folder."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from libretto.corpus.labels import Song, find_songs, one_line, read_songs, songs_as_csv
from libretto.errors import FormatError


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")


def found(folder: Path, labels: Path | None = None) -> dict[str, tuple[str, str, str]]:
    return {song.path: (song.genre, song.artist, song.title) for song in find_songs(folder, labels).songs}


def test_the_first_sub_folder_is_the_genre_at_any_depth(tmp_path: Path) -> None:
    touch(tmp_path, "jazz/b.MID", "jazz/1/2/a.xml", "pop/c.abc", "d.txt", "e.libretto", "pop/f.mxl", "pop/cover.jpg")
    assert {path: labels[0] for path, labels in found(tmp_path).items()} == {
        "d.txt": "", "e.libretto": "", "jazz/1/2/a.xml": "jazz", "jazz/b.MID": "jazz",
        "pop/c.abc": "pop", "pop/f.mxl": "pop",
    }  # fmt: skip
    assert list(found(tmp_path)) == sorted(found(tmp_path))


def test_nothing_outside_the_folder_is_opened(tmp_path: Path) -> None:
    music = tmp_path / "music"
    touch(music, "jazz/a.mid", ".git/b.mid", "jazz/._a.mid")
    touch(tmp_path, "secret/s.mid")
    (music / "out.mid").symlink_to(tmp_path / "secret" / "s.mid")
    (music / "within.mid").symlink_to(music / "jazz" / "a.mid")
    (music / "folder").symlink_to(tmp_path / "secret")
    (music / "round").symlink_to(music)
    (music / "gone.mid").symlink_to(music / "nowhere.mid")
    os.mkfifo(music / "pipe.mid")
    (music / "album.mid").mkdir()
    result = find_songs(music)
    assert [song.path for song in result.songs] == ["jazz/a.mid", "within.mid"]
    assert dict(result.skipped) == {
        "gone.mid": "it is not a plain file",
        "out.mid": "it is a link that leads out of the folder",
        "pipe.mid": "it is not a plain file",
    }


def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    touch(tmp_path, "music/jazz/a.mid")
    (tmp_path / "link").symlink_to(tmp_path / "music")
    assert list(found(tmp_path / "link")) == ["jazz/a.mid"]


def test_a_manifest_in_the_folder_is_used_unless_another_table_is_named(tmp_path: Path) -> None:
    touch(tmp_path, "jazz/a.mid", "b.mid", "pop/c.mid")
    (tmp_path / "manifest.csv").write_text("file,genre\njazz/a.mid,bebop\nb.mid,ballad\n")
    assert {path: labels[0] for path, labels in found(tmp_path).items()} == {
        "b.mid": "ballad", "jazz/a.mid": "bebop", "pop/c.mid": "pop",
    }  # fmt: skip
    (tmp_path / "other.csv").write_text("file,genre\nb.mid,\njazz/a.mid,\n")
    assert {path: labels[0] for path, labels in found(tmp_path, tmp_path / "other.csv").items()} == {
        "b.mid": "", "jazz/a.mid": "", "pop/c.mid": "pop",
    }  # fmt: skip


def test_paths_in_a_table_count_from_its_own_folder_or_from_the_music(tmp_path: Path) -> None:
    touch(tmp_path, "music/x/a.mid", "music/x/b.mid", "music/x/c.mid", "music/x/d.mid")
    rows = ["music/x/a.mid,one", "x/b.mid,two", f"{tmp_path}/music/x/c.mid,three", "x\\d.mid,four", "../../e.mid,five"]
    (tmp_path / "labels.csv").write_text("\n".join(["file,genre", *rows]))
    result = find_songs(tmp_path / "music", tmp_path / "labels.csv")
    assert [song.genre for song in result.songs] == ["one", "two", "three", "four"]
    assert result.absent == ("../../e.mid",)


def test_ids_are_names_without_a_suffix(tmp_path: Path) -> None:
    touch(tmp_path, "jazz/song_1.txt", "pop/song_2.mid", "pop/song_2.abc", "pop/Op.9.mid", "x/same.mid", "y/same.mid")
    table = tmp_path / "labels.csv"
    table.write_text("id,key,genre,title\nsong_1,C major,cool,One\nsong_2,,rock,Two\nOp.9,,rock,Nine\nx/same,,x,Same\n")
    assert found(tmp_path, table) == {
        "jazz/song_1.txt": ("cool", "", "One"),
        "pop/Op.9.mid": ("rock", "", "Nine"),
        "pop/song_2.abc": ("rock", "", "Two"),
        "pop/song_2.mid": ("rock", "", "Two"),
        "x/same.mid": ("x", "", "Same"),
        "y/same.mid": ("y", "", ""),
    }
    table.write_text("id,genre\nsame,x\n")
    with pytest.raises(FormatError, match=r"'same' fits x/same\.mid and y/same\.mid"):
        find_songs(tmp_path, table)


def test_names_agree_however_accents_are_encoded(tmp_path: Path) -> None:
    touch(tmp_path, unicodedata.normalize("NFD", "été.mid"))
    (tmp_path / "manifest.csv").write_text("file,genre\n" + unicodedata.normalize("NFC", "été.mid") + ",chanson\n")
    assert [labels[0] for labels in found(tmp_path).values()] == ["chanson"]


@pytest.mark.parametrize(
    "text",
    ["﻿File;Genre;Artist\na.mid;jazz;Ann\n", "genre\tfile\tartist\r\njazz\ta.mid\tAnn\r\n",
     'file,genre,artist,more\n"a.mid", jazz ,"Ann"\n\n,ghost,\n'],
)  # fmt: skip
def test_tables_as_programs_write_them(text: str, tmp_path: Path) -> None:
    touch(tmp_path, "a.mid")
    (tmp_path / "manifest.csv").write_text(text, newline="")
    assert found(tmp_path) == {"a.mid": ("jazz", "Ann", "")}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "it is empty"),
        (b"name,style\na,b\n", "needs the columns file \\(or id\\) and genre; it has name, style"),
        (b"file,title\na.mid,b\n", "needs the columns"),
        (b"file,genre\n\xff\xfe,b\n", "not UTF-8"),
        (b"file,genre\na.mid,jazz\na.mid,pop\n", "two different labels"),
        (b'file,genre\n"' + b"a" * 200_000 + b'",x\n', "not a table of labels"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(text: bytes, words: str, tmp_path: Path) -> None:
    touch(tmp_path, "a.mid")
    (tmp_path / "labels.csv").write_bytes(text)
    with pytest.raises(FormatError, match=words):
        find_songs(tmp_path, tmp_path / "labels.csv")


def test_a_table_or_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot read"):
        find_songs(tmp_path, tmp_path / "none.csv")
    with pytest.raises(FormatError, match="is not a folder"):
        find_songs(tmp_path / "none")


def test_songs_come_back_from_their_table(tmp_path: Path) -> None:
    songs = [Song("a, b.mid", "jazz", 'Ann "A" Other', "One; two"), Song("pop/c.mid")]
    (tmp_path / "songs.csv").write_bytes(songs_as_csv(songs))
    assert read_songs(tmp_path / "songs.csv") == songs


def test_labels_become_one_short_line() -> None:
    assert one_line("  a\n\x1b[31m b ") == "a \\x1b[31m b"
    assert len(one_line("a" * 5_000)) == 200
