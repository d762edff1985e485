"""A workspace: pieces by name, every accepted write a version, nothing ever lost.

::

    .libretto/
      objects/ab/cdef...   the canonical text of every version, and files that pieces came from, by their SHA-256
      pieces/NAME.jsonl    the log of a piece: one version a line
      opened/...           which file was written from which version
      songs/...            versions as files, for the runs of tasks
      lock                 held while something is written

Undo is a new version with an older text, so that redo is possible. A writer says which version it knew; where that is
not the newest, its write is refused and nothing changes. The clock belongs to whoever calls.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from libretto.errors import LibrettoError, StaleWrite
from libretto.formats import read_bytes
from libretto.grammar import notate, parse
from libretto.score import Score
from libretto.workspace.disk import append_line, bytes_of, keep_text, locked, text_of
from libretto.workspace.versions import (
    MOST_VERSIONS,
    History,
    Version,
    check_name,
    is_name,
    read_log,
    replay,
    tidy,
    version_line,
)

__all__ = ["FOLDER", "MOST_PIECES", "SOURCE", "SOURCE_FORMAT", "Workspace"]

FOLDER = ".libretto"
SOURCE, SOURCE_FORMAT = "source", "source_format"  #: what is known beside the notes of a piece that came from a file
MOST_PIECES = 10_000
_PLACES = ("objects", "opened", "pieces", "songs", "studio", "lock")


class Workspace:
    """The pieces that are kept beside the files of a folder."""

    def __init__(self, root: str | os.PathLike[str] = ".") -> None:
        self.root = Path(os.path.realpath(root))
        self.folder = self.root / FOLDER
        if self.root.exists() and not self.root.is_dir():
            raise LibrettoError(f"{self.root} is not a folder; name the folder of a workspace")
        for place in (self.folder, *(self.folder / name for name in _PLACES)):
            if place.is_symlink():
                raise LibrettoError(f"{place} is a link; what a workspace keeps lies in the workspace itself")

    def pieces(self) -> list[str]:
        """The names of all pieces, sorted."""
        return [name for name in self._names() if self.log(name)]

    def _names(self) -> list[str]:
        folder = self.folder / "pieces"
        names = sorted(path.stem for path in folder.glob("*.jsonl")) if folder.is_dir() else []
        return [name for name in names if is_name(name)]

    def log(self, name: str) -> tuple[Version, ...]:
        """Every version of a piece, oldest first; none where there is no such piece."""
        path = self._log(name)
        return read_log(read_bytes(path), name) if path.is_file() else ()

    def version(self, name: str, number: int | None = None) -> Version:
        """A version of a piece by its number; the newest without one."""
        versions = self.log(name)
        if not versions:
            raise LibrettoError(f"there is no piece {name!r}; {self._known()}")
        if number is None:
            return versions[-1]
        if not 1 <= number <= len(versions):
            raise LibrettoError(f"{name} has versions 1-{len(versions)}, not {number}")
        return versions[number - 1]

    def _known(self) -> str:
        names = self.pieces()
        return f"there are {', '.join(names[:20])}" if names else f"there are none in {self.folder}"

    def text(self, name: str, number: int | None = None) -> str:
        """The canonical text of a version."""
        return text_of(self.folder, self.version(name, number).digest)

    def score(self, name: str, number: int | None = None) -> Score:
        """The piece as it was in a version; as it is now without a number."""
        return parse(self.text(name, number))

    def about(self, name: str) -> dict[str, str]:
        """What is kept beside the notes of a piece, the newest of each."""
        known: dict[str, str] = {}
        for version in self.log(name):
            known.update(version.about)
        return known

    def source(self, name: str, number: int | None = None) -> tuple[str, bytes] | None:
        """The file that a version came from, as the name of its format and its bytes; None where it came from none."""
        versions = self.log(name)[: self.version(name, number).number]
        known = next((version.about for version in reversed(versions) if SOURCE in version.about), None)
        return (known[SOURCE_FORMAT], bytes_of(self.folder, known[SOURCE])) if known is not None else None

    def history(self, name: str) -> History:
        """Where a piece stands between undo and redo."""
        return replay(self.log(name))

    def save(
        self,
        name: str,
        piece: Score,
        *,
        author: str,
        time: str,
        message: str = "",
        base: int | None = None,
        about: Mapping[str, str] | None = None,
    ) -> Version:
        """Keep a piece as the next version; the newest one itself where nothing changed.

        ``base`` is the version that the writer knew, 0 for a new piece; with None the write is always the next.
        """
        digest = keep_text(self.folder, notate(piece))
        with locked(self.folder / "lock"):
            versions = self._at(name, base)
            newest = versions[-1] if versions else None
            if newest is not None and newest.digest == digest and not about:
                return newest
            return self._add(name, versions, digest, author, message, time, "write", 0, about)

    def undo(
        self,
        name: str,
        *,
        author: str,
        time: str,
        to: int | None = None,
        redo: bool = False,
        base: int | None = None,
        message: str = "",
    ) -> Version:
        """Take the last step back as a new version; ``redo`` takes it again, ``to`` goes to any version."""
        with locked(self.folder / "lock"):
            versions = self._at(name, base)
            if not versions:
                raise LibrettoError(f"there is no piece {name!r}; {self._known()}")
            past = replay(versions)
            kind = "redo" if redo else "back" if to is not None else "undo"
            if to is not None:
                if not 1 <= to <= len(versions):
                    raise LibrettoError(f"{name} has versions 1-{len(versions)}, not {to}")
                of = versions[to - 1].of or to
            elif not (past.redo if redo else past.undo):
                raise LibrettoError(f"there is nothing to {kind} in {name}; its history lists its versions")
            else:
                of = (past.redo if redo else past.undo)[-1]
            said = message or f"{kind}: version {of} again"
            return self._add(name, versions, versions[of - 1].digest, author, said, time, kind, of, None)

    def _at(self, name: str, base: int | None) -> tuple[Version, ...]:
        """The versions of a piece, where the newest is the one a writer knew."""
        versions = self.log(check_name(name))
        if base is not None and base != len(versions):
            raise StaleWrite(name, base, len(versions))
        return versions

    def _add(
        self,
        name: str,
        versions: tuple[Version, ...],
        digest: str,
        author: str,
        message: str,
        time: str,
        kind: str,
        of: int,
        about: Mapping[str, str] | None,
    ) -> Version:
        number = len(versions) + 1
        if number > MOST_VERSIONS:
            raise LibrettoError(
                f"{name} has {MOST_VERSIONS:,} versions, the most there can be; save it as another piece"
            )
        if number == 1 and len(self._names()) >= MOST_PIECES:
            raise LibrettoError(f"the workspace has {MOST_PIECES:,} pieces, the most there can be; start another")
        version = tidy(Version(number, digest, number - 1, author, message, time, kind, of, about or {}))
        append_line(self._log(name), version_line(version))
        return version

    def _log(self, name: str) -> Path:
        path = self.folder / "pieces" / f"{check_name(name)}.jsonl"
        if path.is_symlink():
            raise LibrettoError(f"{path} is a link; what a workspace keeps lies in the workspace itself")
        return path
