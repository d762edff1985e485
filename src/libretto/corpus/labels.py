"""Which files below a folder are music, and what is known of each: genre, artist, title.

Conventions. A file is named by its path below the folder, with ``/``. Its genre is the first sub-folder it lies in,
unless a table of labels says otherwise; files directly in the folder have none (``""``). A table is CSV with a header:
``file`` (a path from the table's own folder or from the music folder) or ``id`` (a name without its suffix, with or
without folders), and ``genre``; ``artist`` and ``title`` are used where they are there, other columns are not. A file
that the table does not name keeps the genre of its sub-folder.

Left out: hidden files, folders that are links, and links that lead out of the folder.
"""

from __future__ import annotations

import csv
import io
import os
import posixpath
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from libretto.corpus.names import one_line, shown
from libretto.errors import FormatError
from libretto.formats import formats, read_bytes

__all__ = [
    "MANIFEST",
    "MusicFolder",
    "Song",
    "find_songs",
    "one_line",
    "read_songs",
    "shown",
    "songs_as_csv",
    "unfit",
]

#: The table of labels that is used where none is named.
MANIFEST = "manifest.csv"
_COLUMNS = ("file", "genre", "artist", "title")


@dataclass(frozen=True, order=True)
class Song:
    """A file of a corpus and what is known of it; an empty text where nothing is."""

    path: str
    genre: str = ""
    artist: str = ""
    title: str = ""

    @property
    def name(self) -> str:
        """What to call it: title and artist, or else its path."""
        return f"{self.title} ({self.artist})" if self.title and self.artist else self.title or self.path


@dataclass(frozen=True)
class MusicFolder:
    """The songs below a folder in the order of their paths, what was passed over and why, and labels without a file."""

    folder: Path
    songs: tuple[Song, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    absent: tuple[str, ...] = ()


def find_songs(folder: str | os.PathLike[str], labels: str | os.PathLike[str] | None = None) -> MusicFolder:
    """Every music file below a folder, with its labels; ``manifest.csv`` in it holds them where none are named."""
    root = Path(os.path.realpath(folder))
    if not root.is_dir():
        raise FormatError(f"{shown(str(folder))} is not a folder")
    files, skipped = _walk(root)
    songs = {path: Song(path, one_line(path.split("/")[0]) if "/" in path else "") for path in files}
    table = Path(labels) if labels is not None else root / MANIFEST
    if labels is None and not table.is_file():
        return MusicFolder(root, tuple(songs.values()), tuple(skipped))
    absent = _apply(table, root, songs)
    return MusicFolder(root, tuple(songs.values()), tuple(skipped), tuple(absent))


def _walk(root: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """Paths of music files in order, and what is not read and why."""
    known = tuple(sorted(suffix for format in formats.values() for suffix in format.suffixes))
    music: list[str] = []
    skipped: list[tuple[str, str]] = []

    def refuse(error: OSError) -> None:
        name = os.path.relpath(error.filename or root, root).replace(os.sep, "/")
        skipped.append((name, f"the folder cannot be listed: {error.strerror}"))

    for where, folders, names in os.walk(root, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.startswith(".") or not name.lower().endswith(known):
                continue
            path = Path(where, name)
            relative = path.relative_to(root).as_posix()
            why = unfit(path, root)
            music.append(relative) if why is None else skipped.append((relative, why))
    return sorted(music), sorted(skipped)


def unfit(path: Path, root: Path) -> str | None:
    """Why a file is not to be opened; None where it may be."""
    if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root):
        return "it is a link that leads out of the folder"
    return None if os.path.isfile(path) else "it is not a plain file"


def read_songs(path: str | os.PathLike[str]) -> list[Song]:
    """The rows of a table of labels, each with its file as it is written there."""
    return _table(path)[1]


def _table(path: str | os.PathLike[str]) -> tuple[bool, list[Song]]:
    """Whether the files are given as ids, and the rows."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{shown(str(path))} is not UTF-8 (byte {error.start}); save it as CSV UTF-8") from None
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    try:
        header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    except (csv.Error, ValueError) as error:
        why = "it is empty" if isinstance(error, ValueError) else str(error)
        raise FormatError(f"{shown(str(path))} is not a table of labels: {why}") from None
    columns = [name.strip().lower() for name in header]
    by_id = "file" not in columns
    wanted = ("id" if by_id else "file", *_COLUMNS[1:])
    if wanted[0] not in columns or "genre" not in columns:
        there = one_line(", ".join(columns))
        raise FormatError(f"{shown(str(path))} needs the columns file (or id) and genre; it has {there}")
    places = [columns.index(name) if name in columns else len(columns) for name in wanted]
    songs = []
    for row in rows:
        cells = [row[place] if place < min(len(row), len(columns)) else "" for place in places]
        if cells[0].strip():
            songs.append(Song(cells[0].strip(), *map(one_line, cells[1:])))
    return by_id, songs


def _apply(table: Path, root: Path, songs: dict[str, Song]) -> list[str]:
    """Label the songs; the labels whose file is not there."""
    by_id, labels = _table(table)
    names = _Names(songs, root, Path(os.path.realpath(table)).parent)
    labelled: dict[str, Song] = {}
    absent = []
    for label in labels:
        paths = names.by_id(label.path) if by_id else names.by_path(label.path)
        for path in paths:
            song = replace(label, path=path)
            if labelled.setdefault(path, song) != song:
                raise FormatError(f"{shown(str(table))} gives {shown(path)} two different labels; keep one")
        if not paths:
            absent.append(label.path)
    songs.update(labelled)
    return absent


class _Names:
    """Finds files by what a table calls them; however accents are encoded."""

    def __init__(self, paths: Iterable[str], root: Path, beside: Path) -> None:
        self._root, self._beside = root, beside
        self._exact: dict[str, list[str]] = defaultdict(list)
        self._bare: dict[str, list[str]] = defaultdict(list)
        self._stems: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            whole = unicodedata.normalize("NFC", path)
            bare = posixpath.splitext(whole)[0]
            for index, key in ((self._exact, whole), (self._bare, bare), (self._stems, posixpath.basename(bare))):
                index[key].append(path)

    def by_path(self, text: str) -> Sequence[str]:
        """The file of that path, seen from the table's folder or else from the music folder."""
        return self._at(self._exact, text)

    def by_id(self, text: str) -> Sequence[str]:
        """The files of that name without a suffix: at that path or, where only a name is given, anywhere."""
        paths = self._at(self._bare, text) or self._at(self._exact, text)
        if not paths and "/" not in text:
            paths = self._stems.get(unicodedata.normalize("NFC", text), [])
        if len({posixpath.dirname(path) for path in paths}) > 1:
            several = shown(" and ".join(paths[:2]))
            raise FormatError(f"the id {shown(text)!r} fits {several}; give it with its folder")
        return paths

    def _at(self, index: dict[str, list[str]], text: str) -> Sequence[str]:
        for written in dict.fromkeys((text, text.replace("\\", "/"))):
            for base in (self._beside, self._root):
                key = os.path.relpath(base / written, self._root).replace(os.sep, "/") if "\0" not in text else ""
                if paths := index.get(unicodedata.normalize("NFC", key)):
                    return paths
        return []


def songs_as_csv(songs: Iterable[Song]) -> bytes:
    """Songs as a table that ``read_songs`` reads back."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows((shown(song.path), song.genre, song.artist, song.title) for song in songs)
    return out.getvalue().encode()
