"""Names of pieces: plain words that are safe as file names everywhere, and handles such as ``waltz@3``."""

from __future__ import annotations

import re

from libretto.errors import LibrettoError

__all__ = ["LONGEST_NAME", "check_name", "handle", "is_handle", "is_name", "name_for", "split_handle"]

LONGEST_NAME = 64
_NAME = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{LONGEST_NAME - 1}}}\Z", re.ASCII)
_HANDLE = re.compile(r"([^@]*)(?:@(\d{1,6}))?\Z", re.ASCII)


def check_name(name: str) -> str:
    """The name itself, where a piece may be called so.

    >>> check_name("night-bus")
    'night-bus'
    """
    if not _NAME.match(name):
        shown = name if len(name) <= 40 else name[:37] + "..."
        raise LibrettoError(
            f"{shown!r} cannot name a piece; use up to {LONGEST_NAME} of a-z, 0-9, - and _, such as night-bus"
        )
    return name


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
    found = _HANDLE.match(text) if len(text) <= 2 * LONGEST_NAME else None
    if found is None:
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise LibrettoError(f"{shown!r} is no piece; write a name, or a name and a version such as waltz@3")
    return check_name(found[1]), int(found[2]) if found[2] else None


def is_handle(text: str) -> bool:
    """Whether a text names a version of a piece, such as ``waltz@3``; whether there is one is another question."""
    found = _HANDLE.match(text) if len(text) <= 2 * LONGEST_NAME else None
    return found is not None and found[2] is not None and is_name(found[1])
