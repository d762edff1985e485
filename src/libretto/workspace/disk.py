"""The disk under a workspace: texts by their digests, logs that only grow, one writer at a time.

Texts are written whole before the log names them, so a crash leaves a text nobody names or a version that is there.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from libretto.errors import FileExists, FormatError, LibrettoError, TooLarge
from libretto.formats import read_bytes, write_bytes

__all__ = ["MOST_TEXT", "append_line", "bytes_of", "inside", "keep_bytes", "keep_text", "locked", "text_of"]

#: The longest text of a piece, in bytes.
MOST_TEXT = 16_000_000
_PATIENCE, _GLANCE = 10.0, 0.02  # seconds that a writer waits for another, and between two looks
_LONGEST_PATH, _SHOWN = 1_000, 80  # characters
_SHORT = 12  # signs of a digest that name a text to a person


def keep_text(folder: Path, text: str) -> str:
    """Keep a text under its digest; the digest."""
    data = text.encode()
    if len(data) > MOST_TEXT:
        raise TooLarge(f"the piece has {len(data):,} bytes of text; a workspace keeps at most {MOST_TEXT:,}")
    return keep_bytes(folder, data)


def keep_bytes(folder: Path, data: bytes) -> str:
    """Keep the bytes of a text or a file under their digest; the digest."""
    digest = hashlib.sha256(data).hexdigest()
    path = _object(folder, digest)
    if not path.is_file():
        _make(path.parent)
        with suppress(FileExists):  # another writer kept the same text
            write_bytes(data, path)
    return digest


def text_of(folder: Path, digest: str) -> str:
    """The text of that digest; refused where it is gone or is not what it was."""
    return bytes_of(folder, digest).decode()


def bytes_of(folder: Path, digest: str) -> bytes:
    """What is kept under that digest; refused where it is gone or is not what it was, or where that is no digest."""
    if not isinstance(digest, str) or not digest.isalnum():
        raise FormatError(f"a record in {folder} is damaged: it names no text")
    data = read_bytes(_object(folder, digest))
    if hashlib.sha256(data).hexdigest() != digest:
        raise FormatError(f"the text {digest[:_SHORT]} in {folder} was changed on the disk; restore it from a copy")
    return data


def _object(folder: Path, digest: str) -> Path:
    return folder / "objects" / digest[:2] / digest[2:]


def append_line(path: Path, line: bytes) -> None:
    """Put a line at the end of a log and onto the disk; a line that was cut off before it stays a line of its own.

    Where that fails, on a full disk say, the log is as it was, and a new one is not there.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "ab+") as file:
            size = file.tell()
            try:
                if size:
                    file.seek(-1, os.SEEK_END)
                    line = line if file.read(1) == b"\n" else b"\n" + line
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                _put_back(path, size)
                raise
    except OSError as error:
        raise FormatError(f"cannot write {path}: {error.strerror}; nothing was saved") from None


def _put_back(path: Path, size: int) -> None:
    """Cut off what was half written; a log of nothing is removed."""
    with suppress(OSError):
        if size:
            os.truncate(path, size)
        else:
            path.unlink()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot make the folder {folder}: {error.strerror}; name another place") from None


def _opened(path: Path) -> BinaryIO:
    try:
        return open(path, "a+b")
    except OSError as error:
        raise FormatError(f"cannot lock {path}: {error.strerror}; move it away or name another place") from None


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a lock file while something is written; another process, or another thread, waits for it."""
    _make(path.parent)
    with _opened(path) as file:
        until = time.monotonic() + _PATIENCE
        while not _take(file.fileno()):
            if time.monotonic() > until:
                raise LibrettoError(f"another process has been writing for {_PATIENCE:g} seconds; try again ({path})")
            time.sleep(_GLANCE)
        try:
            yield
        finally:
            _free(file.fileno())


try:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _free(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)

except ImportError:  # Windows
    import msvcrt

    def _take(handle: int) -> bool:
        try:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True

    def _free(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined]


def inside(root: Path, path: str | os.PathLike[str]) -> Path:
    """The place a path leads to from a folder, links followed; refused where that is not inside the folder."""
    text = os.fspath(path)
    if not text or len(text) > _LONGEST_PATH or "\0" in text:
        raise LibrettoError(f"a path has 1 to {_LONGEST_PATH:,} characters, none of them NUL")
    home = Path(os.path.realpath(root))
    place = Path(os.path.realpath(home / text))
    if not place.is_relative_to(home) or place == home:
        raise LibrettoError(f"{text[:_SHOWN]!r} is not inside the workspace; name a file in {home}")
    if place.relative_to(home).parts[0] == ".libretto":
        raise LibrettoError(f"{text[:_SHOWN]!r} belongs to the workspace itself; name another file")
    if place.exists() and not place.is_file() and not place.is_dir():
        raise LibrettoError(f"{text[:_SHOWN]!r} is neither a file nor a folder")  # a pipe would never end
    return place
