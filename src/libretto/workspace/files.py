"""Versions as files and files as versions; what somebody changed by hand is never overwritten unasked."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from libretto.errors import FileExists
from libretto.formats import Edited, Format, edited_bytes, format_of, formats, lost_between, read_bytes, write_bytes
from libretto.formats.files import named
from libretto.workspace.disk import keep_bytes
from libretto.workspace.versions import Version, name_for
from libretto.workspace.workspace import SOURCE, SOURCE_FORMAT, Workspace

__all__ = ["open_version", "put_file", "save_file", "source_of", "version_bytes"]


def put_file(
    workspace: Workspace, data: bytes, path: str | os.PathLike[str], piece: str, number: int, *, force: bool = False
) -> None:
    """Write bytes made from a version; a file that is there is replaced only where it is as we left it, or by force."""
    place = Path(os.path.realpath(path))
    if place.is_file() and not force:
        there = _sha256(read_bytes(place))
        if there not in (_record(workspace, place).get("sha256"), _sha256(data)):
            remedy = f"keep it with libretto save {path}, or use --force to replace it"
            raise FileExists(f"{path} holds what is in no version", remedy)
    place.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(data, place, force=True)
    _remember(workspace, place, data, piece, number)


def open_version(
    workspace: Workspace, name: str, number: int | None, path: str | os.PathLike[str], *, force: bool = False
) -> tuple[Version, Edited]:
    """Write a version as a file of any format; into the file that it came from, where the formats are the same.

    Returns the version, and what was kept or lost of that file.
    """
    version = workspace.version(name, number)
    made = version_bytes(workspace, name, version.number, format_of(path))
    put_file(workspace, made.data, path, name, version.number, force=force)
    return version, made


def version_bytes(workspace: Workspace, name: str, number: int | None, format: Format) -> Edited:
    """A version as the bytes of a file, and what was kept or lost of the file that the piece came from."""
    score, source = workspace.score(name, number), workspace.source(name, number)
    if source is not None and source[0] in formats:
        return edited_bytes(source[1], formats[source[0]], score, format)
    data = format.encode(score)
    return Edited(data, format.name, lost=lost_between(score, format.decode(data)))


def source_of(workspace: Workspace, data: bytes, format: Format) -> dict[str, str]:
    """What is kept beside the notes of a piece that came from a file, so that edits can go back into it."""
    if format.splice is None:
        return {}
    return {SOURCE: keep_bytes(workspace.folder, data), SOURCE_FORMAT: format.name}


def save_file(
    workspace: Workspace,
    path: str | os.PathLike[str],
    *,
    author: str,
    time: str,
    name: str | None = None,
    message: str = "",
    force: bool = False,
) -> tuple[str, Version]:
    """Keep a file as the next version of its piece; refused where the piece went on since the file was opened.

    The piece is the one it was opened from, or has the given name, or is called as the file is.
    """
    data, format = read_bytes(path), format_of(path)
    with named(path):
        score = format.decode(data)
    place = Path(os.path.realpath(path))
    record = _record(workspace, place)
    piece = name or str(record.get("piece") or name_for(place.stem))
    base = record.get("version") if record.get("piece") == piece and not force else None
    said = message or f"from {place.name}"
    about = source_of(workspace, data, format)
    version = workspace.save(
        piece,
        score,
        author=author,
        time=time,
        message=said,
        base=base if isinstance(base, int) else None,
        about={} if about.items() <= workspace.about(piece).items() else about,
    )
    _remember(workspace, place, data, piece, version.number)
    return piece, version


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _remember(workspace: Workspace, place: Path, data: bytes, piece: str, number: int) -> None:
    """Keep which version a file holds, and its bytes' digest."""
    record = {"file": str(place), "piece": piece, "version": number, "sha256": _sha256(data)}
    target = _record_path(workspace, place)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_bytes((json.dumps(record, sort_keys=True) + "\n").encode(), target, force=True)


def _record_path(workspace: Workspace, place: Path) -> Path:
    return workspace.folder / "opened" / f"{hashlib.sha256(os.fsencode(place)).hexdigest()}.json"


def _record(workspace: Workspace, place: Path) -> dict[str, Any]:
    """From which version a file was written; nothing where it was not."""
    path = _record_path(workspace, place)
    if not path.is_file():
        return {}
    try:
        record = json.loads(read_bytes(path))
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}
