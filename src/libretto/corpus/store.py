"""Where clouds are kept: those of the package, and the user's own.

A cloud is a folder: ``cloud.json`` (the numbers), ``overlap.bin`` (the index that finds copies, where there is one) and
``songs.csv`` (which file each song was; only in clouds that users build). The package's lie beside this file; the
user's in ``$LIBRETTO_HOME/clouds`` or, without that, where the system keeps a program's data. A cloud is asked for by
its name or by the path of its folder. What lies there is not trusted: sizes are bounded, and what does not read is one
clear error.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from libretto.corpus.cloud import Cloud
from libretto.corpus.names import LARGE, one_line, shown
from libretto.corpus.overlap import Index, open_index
from libretto.errors import FileExists, FormatError, TooLarge
from libretto.formats import read_bytes, write_bytes

if TYPE_CHECKING:
    from libretto.corpus.labels import Song

__all__ = [
    "INDEX",
    "SHIPPED",
    "SONGS_TABLE",
    "about_file",
    "check_free",
    "cloud_folder",
    "cloud_names",
    "load_cloud",
    "load_index",
    "load_songs",
    "load_source",
    "place_folder",
    "save_cloud",
    "target_folder",
    "user_clouds",
]

INDEX, SONGS_TABLE = "overlap.bin", "songs.csv"  #: the files of a cloud that others ask for
_CLOUD, _SOURCE = "cloud.json", "source.txt"
SHIPPED = Path(__file__).parent / "clouds"  #: where the package's clouds lie
_NAME = re.compile(r"[a-z0-9_][a-z0-9_-]{0,39}")
_LARGEST_CLOUD, _LARGEST_INDEX = 64_000_000, 1_000_000_000
_LONGEST_PATH = 8_192


def user_clouds() -> Path:
    """The folder of the user's own clouds."""
    home = os.environ.get("LIBRETTO_HOME")
    if home:
        return Path(home) / "clouds"
    from platformdirs import user_data_path

    return user_data_path("libretto", appauthor=False) / "clouds"


def cloud_names() -> list[str]:
    """The clouds there are, the package's and the user's."""
    return sorted({*_names_in(SHIPPED), *_names_in(user_clouds())})


def _names_in(folder: Path) -> list[str]:
    try:
        return [
            entry.name for entry in folder.iterdir() if _NAME.fullmatch(entry.name) and os.path.isfile(entry / _CLOUD)
        ]
    except OSError:
        return []


def _is_path(text: str) -> bool:
    return any(mark in text for mark in ("/", os.sep, os.altsep) if mark)


def cloud_folder(name: str | os.PathLike[str]) -> Path:
    """The folder of a cloud, by its name or path; where a replacement was cut short, the one it was to replace."""
    text = os.fspath(name)
    if _is_path(text) or not isinstance(name, str):
        if (place := _home_of(Path(text))) is not None:
            return place
        raise FormatError(f"there is no cloud in {one_line(text)!r}")
    place = (_home_of(SHIPPED / text) or _home_of(user_clouds() / text)) if _NAME.fullmatch(text) else None
    if place is not None:
        return place
    raise FormatError(f"there is no cloud {one_line(text)!r}; there are {', '.join(cloud_names())}")


def _home_of(folder: Path) -> Path | None:
    """Where a cloud that belongs into a folder lies; None where there is none."""
    return next((place for place in (folder, _old(folder)) if os.path.isfile(place / _CLOUD)), None)


def target_folder(target: str) -> Path:
    """Where a new cloud of that name or path belongs; it may not take the name of one of the package's."""
    folder = Path(target) if _is_path(target) else user_clouds() / target
    if not _NAME.fullmatch(folder.name) or (not _is_path(target) and folder.name != target):
        raise FormatError(
            f"{one_line(target)!r} is no name for a cloud: use a-z, 0-9, _ and -, at most 40, or a path that ends so"
        )
    if folder.name in _names_in(SHIPPED):
        raise FormatError(f"{folder.name!r} is a cloud of the package; choose another name")
    return folder


@lru_cache(maxsize=8)
def _load(path: Path, stamp: tuple[int, int]) -> Cloud:
    data = read_bytes(path)
    with about_file(path):
        try:
            return _checked(Cloud.from_json(data.decode(), known=_is_shipped(data)))
        except (ValueError, LookupError, ArithmeticError, RecursionError, MemoryError) as error:
            raise FormatError(f"this is not a cloud: {one_line(str(error))}") from None


def _is_shipped(data: bytes) -> bool:
    """Whether a file is, byte for byte, one that the package's list of its data names."""
    return f'sha256 = "{sha256(data).hexdigest()}"'.encode() in (SHIPPED.parents[1] / "data.toml").read_bytes()


def _checked(cloud: Cloud) -> Cloud:
    """The cloud, if its texts are texts: JSON would hold anything."""
    if not all(isinstance(text, str) for text in (cloud.name, cloud.about, cloud.grid, *cloud.axes, *cloud.genres)):
        raise FormatError("this is not a cloud: its names are not texts")
    return cloud


def _stamp(path: Path) -> tuple[int, int]:
    """What tells a file from the one that replaces it."""
    try:
        state = path.stat()
    except OSError as error:
        raise FormatError(f"cannot read {shown(str(path))}: {error.strerror}") from None
    return state.st_mtime_ns, state.st_size


def load_cloud(name: str | os.PathLike[str] = "default") -> Cloud:
    """A cloud by its name or the path of its folder, read once as long as it stays the same."""
    path = cloud_folder(name) / _CLOUD
    return _load(path, _stamp(path))


@lru_cache(maxsize=2)
def _load_index(path: Path, stamp: tuple[int, int]) -> Index:
    if stamp[1] > _LARGEST_INDEX:
        raise TooLarge(f"{shown(str(path))} has more than {_LARGEST_INDEX:,} bytes")
    songs = load_songs(path.parent)
    with about_file(path):
        return open_index(path.read_bytes(), [song.name for song in songs], len(load_cloud(path.parent).genres))


def load_index(name: str | os.PathLike[str]) -> Index | None:
    """The index of a cloud, read when it is first asked for; None where the cloud has none."""
    folder = cloud_folder(name)
    if (folder / LARGE).is_file():
        from libretto.corpus.vectors.large import open_large  # here and below: most clouds are small, and only read

        return open_large(folder)
    path = folder / INDEX
    return _load_index(path, _stamp(path)) if os.path.isfile(path) else None


@contextmanager
def about_file(path: Path) -> Iterator[None]:
    """Put a file's name before what is wrong with it."""
    try:
        yield
    except FormatError as error:
        raise FormatError(f"{shown(str(path))}: {error}") from None
    except OSError as error:
        raise FormatError(f"cannot read {shown(str(path))}: {error.strerror}") from None


def load_songs(name: str | os.PathLike[str]) -> tuple[Song, ...]:
    """Which file each song of a cloud was, in the order of its rows; empty where the cloud does not say."""
    folder = cloud_folder(name)
    if not (folder / SONGS_TABLE).is_file():
        return ()
    from libretto.corpus.labels import read_songs

    songs = tuple(read_songs(folder / SONGS_TABLE))
    if len(songs) != len(load_cloud(folder).genres):
        raise FormatError(f"{shown(str(folder / SONGS_TABLE))} names {len(songs)} songs, which does not fit its cloud")
    return songs


def load_source(name: str | os.PathLike[str]) -> Path | None:
    """The folder in which the songs of a cloud lie; None where it does not say or they are gone."""
    path = cloud_folder(name) / _SOURCE
    if not path.is_file() or path.stat().st_size > _LONGEST_PATH:
        return None
    folder = Path(path.read_text(encoding="utf-8").strip())
    return folder if folder.is_dir() else None


def _old(folder: Path) -> Path:
    """Where a cloud waits while another takes its place."""
    return folder.with_name(f".{folder.name}.old")


def check_free(folder: Path, force: bool = False) -> None:
    """Refuse a target that holds something: a cloud unless ``force``, and anything else always."""
    try:
        inside = set(os.listdir(folder)) if os.path.isdir(folder) else {""} if os.path.lexists(folder) else set()
    except OSError as error:
        raise FormatError(f"cannot write {shown(str(folder))}: {error.strerror}") from None
    if inside and not (_CLOUD in inside and (LARGE in inside or inside <= {_CLOUD, INDEX, SONGS_TABLE, _SOURCE})):
        raise FileExists(f"{shown(str(folder))} exists and is not a cloud; choose another place")
    if inside and not force:
        raise FileExists(f"there is a cloud in {shown(str(folder))}; use --force (force=True) to replace it")


def save_cloud(
    folder: Path,
    cloud: Cloud,
    index: bytes | None = None,
    songs: Sequence[Song] = (),
    *,
    source: Path | None = None,
    force: bool = False,
) -> None:
    """Put a cloud into a folder whole or not at all; one that is there stays until the new one is complete.

    The pieces of the index and the songs go by the order of the cloud's rows; ``source`` is where the songs lie.
    """
    files = {_CLOUD: cloud.to_json().encode()}
    if index is not None:
        files[INDEX] = index
    if songs:
        from libretto.corpus.labels import songs_as_csv

        files[SONGS_TABLE] = songs_as_csv(songs)
    if source is not None:
        files[_SOURCE] = str(source).encode()
    if len(files[_CLOUD]) > _LARGEST_CLOUD or len(index or b"") > _LARGEST_INDEX:
        raise TooLarge(f"the cloud {cloud.name} is too large to be kept; build it from fewer songs")
    target = Path(os.path.realpath(folder))
    try:
        check_free(target, force)
        target.parent.mkdir(parents=True, exist_ok=True)
        _place(files, target, replacing=target.is_dir())
    except OSError as error:
        raise FormatError(f"cannot write {shown(str(folder))}: {error.strerror or error}") from None


def place_folder(part: Path, folder: Path, force: bool = False) -> None:
    """Let a folder that is complete take its place; a cloud that is there stays until then."""
    target = Path(os.path.realpath(folder))
    try:
        check_free(target, force)
        _change(part, target, replacing=target.is_dir())
    except OSError as error:
        raise FormatError(f"cannot write {shown(str(folder))}: {error.strerror or error}") from None


def _place(files: dict[str, bytes], target: Path, replacing: bool) -> None:
    """Write beside the target, then change places by renaming."""
    part = target.with_name(f".{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    try:
        for name, data in files.items():
            write_bytes(data, part / name)
        _change(part, target, replacing)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _change(part: Path, target: Path, replacing: bool) -> None:
    old = _old(target)
    if replacing:
        shutil.rmtree(old, ignore_errors=True)
        target.rename(old)
    try:
        part.rename(target)
    except OSError:
        if old.is_dir() and not target.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
