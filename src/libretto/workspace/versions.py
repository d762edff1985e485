"""Versions of a piece: what each is, how the log writes them, and what undo and redo lead to; and names of pieces.

Names are plain words that are safe as file names everywhere; handles such as ``waltz@3`` name a version. The clock is
for whoever faces a person or an agent: nothing else in a workspace looks at it.

The log of a piece is one JSON object a line, oldest first, and only ever grows. A line that a crash cut off is not a
version: it is left where it is, and the next one begins on a line of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from libretto.errors import LibrettoError

__all__ = [
    "LONGEST_NAME",
    "MOST_VERSIONS",
    "History",
    "Version",
    "check_name",
    "handle",
    "is_handle",
    "is_name",
    "name_for",
    "now",
    "read_log",
    "replay",
    "split_handle",
    "tidy",
    "version_line",
]

#: The longest name of a piece.
LONGEST_NAME = 64
MOST_VERSIONS = 10_000
_SHOWN, _DOTS = 40, "..."  # characters of a wrong name that an error repeats
_ROOM = 4  # times what is kept is looked at, since much of it may be no sign at all
_LONGEST = {"author": 80, "message": 500, "time": 40}
_LONGEST_ABOUT = 40_000
_KINDS = ("write", "undo", "redo", "back")
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True)
class Version:
    """One accepted write: its number from 1, the digest of its text, the version before it, who, why and when.

    ``kind`` is ``write``, or ``undo``, ``redo`` or ``back`` where the text is that of the earlier version ``of``.
    ``about`` is what is known of the piece beside its notes (what was asked, say); empty where nothing is new.
    """

    number: int
    digest: str
    parent: int
    author: str
    message: str
    time: str
    kind: str = "write"
    of: int = 0
    about: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The version as plain data, without what is known beside the notes."""
        data: dict[str, Any] = {name: getattr(self, name) for name in ("number", "digest", "parent", "author")}
        data |= {"message": self.message, "time": self.time, "kind": self.kind}
        return data | ({"of": self.of} if self.of else {})


def tidy(version: Version) -> Version:
    """The version as a log keeps it: one line each for author, message and time, cut to their lengths."""
    author = _one_line(version.author, _LONGEST["author"])
    if not author:
        raise LibrettoError("a version needs an author: a person, house, or the name of a model")
    if sum(map(len, (*version.about, *version.about.values()))) > _LONGEST_ABOUT:
        raise LibrettoError(f"what is kept beside a piece has more than {_LONGEST_ABOUT:,} characters")
    message, time = _one_line(version.message, _LONGEST["message"]), _one_line(version.time, _LONGEST["time"])
    return replace(version, author=author, message=message, time=time)


def _one_line(text: str, most: int) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text[: _ROOM * most]).split())[:most]


def version_line(version: Version) -> bytes:
    """A version as the log writes it, line break included."""
    data = version.to_dict() | ({"about": dict(version.about)} if version.about else {})
    return (json.dumps(data, ensure_ascii=True, sort_keys=True) + "\n").encode()


def read_log(data: bytes, name: str = "") -> tuple[Version, ...]:
    """The versions of a log; lines that were cut off are passed over, a log that lacks a version is refused."""
    versions: list[Version] = []
    for line in data.split(b"\n"):
        version = _read(line) if line.strip() else None
        if version is None:
            continue
        if version.number != len(versions) + 1 or not version.of < version.number or version.parent >= version.number:
            raise LibrettoError(
                f"the log of {name or 'a piece'} is damaged: version {len(versions) + 1} is missing; its texts are kept"
            )
        versions.append(version)
    return tuple(versions)


def _read(line: bytes) -> Version | None:
    """The version on a line; None where the line was cut off."""
    try:
        data = json.loads(line)
        about = data.get("about", {})
        version = Version(
            int(data["number"]), str(data["digest"]), int(data["parent"]), str(data["author"]), str(data["message"]),
            str(data["time"]), str(data["kind"]), int(data.get("of", 0)), {str(k): str(v) for k, v in about.items()},
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
    return version if version.kind in _KINDS and _DIGEST.match(version.digest) else None


@dataclass(frozen=True)
class History:
    """Where a piece stands: the version whose text it has, those that undo leads back to, and those redo leads to."""

    now: int
    undo: tuple[int, ...] = ()
    redo: tuple[int, ...] = ()


def replay(versions: Sequence[Version]) -> History:
    """What a log adds up to. A write, or going back to a version by number, is a step that undo takes back."""
    now, undo, redo = 0, list[int](), list[int]()
    for version in versions:
        if version.kind == "undo" and undo:
            redo.append(now)
            now = undo.pop()
        elif version.kind == "redo" and redo:
            undo.append(now)
            now = redo.pop()
        else:
            undo += [now] if now else []
            redo.clear()
            now = version.of or version.number
    return History(now, tuple(undo), tuple(redo))


_NAME = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{LONGEST_NAME - 1}}}\Z", re.ASCII)
_HANDLE = re.compile(r"([^@]*)(?:@(\d{1,6}))?\Z", re.ASCII)


def check_name(name: str, what: str = "piece") -> str:
    """The name itself, where a piece (or what else is told) may be called so.

    >>> check_name("night-bus")
    'night-bus'
    """
    if not _NAME.match(name):
        shown = _shortened(name)
        raise LibrettoError(
            f"{shown!r} cannot name a {what}; use up to {LONGEST_NAME} of a-z, 0-9, - and _, such as night-bus"
        )
    return name


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - len(_DOTS)] + _DOTS


def is_name(text: str) -> bool:
    """Whether a piece may be called so."""
    return _NAME.match(text) is not None


def name_for(words: str) -> str:
    """A name a piece may have, from any words.

    >>> name_for("Night Bus (live)")
    'night-bus-live'
    """
    plain = re.sub(r"[^a-z0-9_]+", "-", words.lower().encode("ascii", "ignore").decode()).strip("-_")
    return plain[:LONGEST_NAME].rstrip("-_") or "piece"


def handle(name: str, number: int) -> str:
    """A version of a piece as people write it: ``waltz@3``."""
    return f"{name}@{number}"


def split_handle(text: str) -> tuple[str, int | None]:
    """The name and the number of a version; the number is None for the newest.

    >>> split_handle("waltz@3"), split_handle("waltz")
    (('waltz', 3), ('waltz', None))
    """
    parts = _HANDLE.match(text) if len(text) <= 2 * LONGEST_NAME else None
    if parts is None:
        shown = _shortened(text)
        raise LibrettoError(f"{shown!r} is no piece; write a name, or a name and a version such as waltz@3")
    return check_name(parts[1]), int(parts[2]) if parts[2] else None


def is_handle(text: str) -> bool:
    """Whether a text names a version of a piece, such as ``waltz@3``; whether there is one is another question."""
    parts = _HANDLE.match(text) if len(text) <= 2 * LONGEST_NAME else None
    return parts is not None and parts[2] is not None and is_name(parts[1])


def now() -> str:
    """The time as versions write it: ISO 8601, in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
