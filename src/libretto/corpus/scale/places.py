"""Where the files of a corpus lie: a folder, an address such as ``s3://...``, or a list of either; one after another.

Conventions. A folder and an address are walked in the order of their paths, hidden names left out, and the genre of a
file is the first sub-folder it lies in. A list has one path or address a line, seen from the list's own folder; or it
is a table (CSV) with the columns ``file`` and ``genre``, and ``artist`` and ``title`` where they are known. Nothing is
held but the folder that is being walked: a list may be longer than memory. Only a table of labels beside a folder is
read whole.
"""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from libretto.corpus.labels import MANIFEST, Song, find_songs, one_line, shown, unfit
from libretto.corpus.scale.extra import filesystems
from libretto.errors import FormatError, TooLarge
from libretto.formats import formats, read_bytes

__all__ = ["Place", "Refuse", "find_place", "is_address", "open_bytes"]

_MARK = "://"
_MOST_BYTES = 64_000_000  # of one file, as everywhere
_COLUMNS = ("file", "genre", "artist", "title")
_LISTS = (".txt", ".csv", ".tsv", ".lst")
_HIDDEN = "."
_PAUSES = (0.2, 1.0, 0.0)  # seconds after each attempt to read over a line

#: Takes a file that is passed over, and why.
Refuse = Callable[[str, str], None]


@dataclass(frozen=True)
class Place:
    """Where music lies: what was asked for, what its paths are seen from, and a way to go through them."""

    asked: str
    base: str
    walk: Callable[[Refuse], Iterator[Song]]


def is_address(text: str) -> bool:
    """Whether a text is the address of something behind a protocol, not a path."""
    return _MARK in text


def find_place(place: str | os.PathLike[str], labels: str | os.PathLike[str] | None = None) -> Place:
    """The place of that path or address."""
    text = os.fspath(place)
    if is_address(text):
        if labels is not None:
            raise FormatError("labels go with a folder; for addresses, put file and genre into a list (CSV)")
        return Place(text, text.rstrip("/"), lambda refuse: _walk_address(text.rstrip("/")))
    if os.path.isfile(text) and text.lower().endswith(_LISTS):
        base = os.path.dirname(os.path.realpath(text))
        return Place(text, base, lambda refuse: _walk_list(text, refuse))
    root = Path(os.path.realpath(text))
    if not root.is_dir():
        raise FormatError(f"{shown(text)} is neither a folder nor a list of files ({', '.join(_LISTS)})")
    if labels is not None or (root / MANIFEST).is_file():
        return Place(text, str(root), lambda refuse: _labelled(root, labels, refuse))
    return Place(text, str(root), lambda refuse: _walk_folder(root, root, refuse))


def _labelled(root: Path, labels: str | os.PathLike[str] | None, refuse: Refuse) -> Iterator[Song]:
    there = find_songs(root, labels)
    for path, why in there.skipped:
        refuse(path, why)
    for path in there.absent:
        refuse(path, "it is labelled, but not there")
    yield from there.songs


def _suffixes() -> tuple[str, ...]:
    return tuple(sorted(suffix for format in formats.values() for suffix in format.suffixes))


def _song(path: str) -> Song:
    return Song(path, one_line(path.split("/")[0]) if "/" in path else "")


def _walk_folder(folder: Path, root: Path, refuse: Refuse) -> Iterator[Song]:
    """The music below a folder in the order of whole paths; one folder's names are held at a time."""
    known = _suffixes()
    try:
        entries = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in os.scandir(folder)]
    except OSError as error:
        refuse(folder.relative_to(root).as_posix(), f"the folder cannot be listed: {error.strerror}")
        return
    for name, is_folder in sorted(entries, key=lambda entry: entry[0] + "/" * entry[1]):
        path = folder / name
        if name.startswith(_HIDDEN):
            continue
        if is_folder:
            yield from _walk_folder(path, root, refuse)
        elif name.lower().endswith(known):
            relative = path.relative_to(root).as_posix()
            why = unfit(path, root)
            if why is None:
                yield _song(relative)
            else:
                refuse(relative, why)


def _walk_address(address: str) -> Iterator[Song]:
    """The music below an address, folder by folder in order."""
    known = _suffixes()
    system, top = _opened(address)
    top = top.rstrip("/")
    try:
        for where, folders, files in system.walk(top):
            folders_there = sorted(name for name in folders if not name.startswith(_HIDDEN))
            if isinstance(folders, list):
                folders[:] = folders_there
            for name in sorted(files):
                path = f"{where.rstrip('/')}/{name}"[len(top) :].lstrip("/")
                hidden = any(part.startswith(_HIDDEN) for part in path.split("/"))
                if not hidden and name.lower().endswith(known):
                    yield _song(path)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot list {shown(address)}: {one_line(str(error))}") from None


def _walk_list(path: str, refuse: Refuse) -> Iterator[Song]:
    """The files that a list names, line by line."""
    known = _suffixes()
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            first = file.readline(_MOST_BYTES)
            file.seek(0)
            columns = [name.strip().lower() for name in next(csv.reader([first]), [])]
            for song in _table_rows(file, columns) if "file" in columns else _plain_lines(file):
                if song.path.lower().endswith(known):
                    yield song
                else:
                    refuse(one_line(song.path), "no format goes with its name")
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"cannot read the list {shown(path)}: {one_line(str(error))}") from None


def _plain_lines(file: Any) -> Iterator[Song]:
    for line in file:
        text = line.strip()
        if text and not text.startswith("#"):
            yield Song(text)


def _table_rows(file: Any, columns: list[str]) -> Iterator[Song]:
    places = [columns.index(name) if name in columns else None for name in _COLUMNS]
    rows = csv.reader(file)
    next(rows, None)
    for row in rows:
        cells = [row[place].strip() if place is not None and place < len(row) else "" for place in places]
        if cells[0]:
            yield Song(cells[0], *map(one_line, cells[1:]))


def _opened(address: str) -> tuple[Any, str]:
    """The file system behind an address, and the path in it."""
    try:
        system, path = filesystems().core.url_to_fs(address)
    except (ValueError, ImportError, OSError) as error:
        raise FormatError(f"cannot open {shown(address)}: {one_line(str(error))}") from None
    return system, path


def open_bytes(base: str, path: str) -> bytes:
    """The bytes of a file seen from a base; at most 64 MB."""
    whole = path if is_address(path) else f"{base}/{path}"
    if not is_address(whole):
        return read_bytes(Path(base) / path)
    data = _fetched(*_opened(whole), path)
    if len(data) > _MOST_BYTES:
        raise TooLarge(f"{shown(path)} has more than {_MOST_BYTES:,} bytes")
    return data


def _fetched(system: Any, there: str, path: str) -> bytes:
    """The first bytes of a file behind an address; a line that drops is tried again a little later."""
    for pause_seconds in _PAUSES:
        try:
            with system.open(there, "rb") as file:
                return bytes(file.read(_MOST_BYTES + 1))
        except (FileNotFoundError, PermissionError, IsADirectoryError, ValueError) as error:
            raise FormatError(f"cannot read {shown(path)}: {type(error).__name__}") from None
        except OSError as error:
            why = one_line(str(error) or type(error).__name__)
            time.sleep(pause_seconds)
    raise FormatError(f"cannot read {shown(path)}: {why}")
