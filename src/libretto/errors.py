"""Every exception that Libretto raises on purpose.

::

    LibrettoError                 anything we can explain in one line
    ├── ScoreError                a Score, Patch or edit that cannot exist
    ├── ContractError             a contract that cannot be read or held
    ├── GrammarError              a text that does not follow the grammar (carries its problems)
    ├── FormatError               a file that cannot be read or written
    │   ├── UnknownFormat         no reader or writer for that suffix
    │   └── TooLarge              a file, archive or piece beyond the stated limits
    ├── FileExists                an output that is already there, without ``--force``
    ├── ModelError                a model that did not answer, or answered nothing of use (carries its kind)
    ├── UnknownGenre              a genre that there is not (carries those there are)
    ├── BudgetSpent               a run that may spend no more
    ├── StaleWrite                a write that was made from an older version than the newest
    └── MissingExtra              an optional dependency; the message holds the pip line
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

__all__ = [
    "BudgetSpent",
    "ContractError",
    "FileExists",
    "FormatError",
    "GrammarError",
    "LibrettoError",
    "MissingExtra",
    "ModelError",
    "Problem",
    "ScoreError",
    "StaleWrite",
    "TooLarge",
    "UnknownFormat",
    "UnknownGenre",
]


class LibrettoError(Exception):
    """The root of everything raised on purpose; its text is one line for a person.

    What was found may hold line breaks and signs that steer a terminal: these are shown, never passed on.
    """

    def __str__(self) -> str:
        text = super().__str__()
        if text.isprintable():
            return text
        line = " ".join(text.split())
        return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)


class ScoreError(LibrettoError):
    """A Score, a Patch or an edit that cannot exist."""


class ContractError(LibrettoError):
    """A contract that cannot be read or held; the text names the field."""


_SHOWN = 60  # characters of what was found that a line for a person repeats


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a text: where it stands, what was found, what belongs there."""

    line: int
    column: int
    found: str
    expected: str
    hint: str = ""
    bar: int | None = None
    voice: str | None = None

    def __str__(self) -> str:
        where = f"line {self.line}, column {self.column}"
        where += f", bar {self.bar}" if self.bar is not None else ""
        where += f", {self.voice}" if self.voice else ""
        shown = self.found if len(self.found) <= _SHOWN else self.found[: _SHOWN - 3] + "..."
        return f"{where}: found {shown!r}, expected {self.expected}" + (f"; {self.hint}" if self.hint else "")

    def to_dict(self) -> dict[str, object]:
        """The problem as plain data."""
        return asdict(self)


class GrammarError(LibrettoError):
    """A text that breaks the grammar; ``problems`` holds every one of them, ``where`` is the file it stands in."""

    def __init__(self, problems: Sequence[Problem], where: str = "") -> None:
        self.problems, self.where = tuple(problems), where
        first = str(self.problems[0]) if self.problems else "the text is not in the grammar"
        more = len(self.problems) - 1
        super().__init__((f"{where}: " if where else "") + first + (f" (and {more} more)" if more > 0 else ""))


class FormatError(LibrettoError):
    """A file that cannot be read or written."""


class UnknownFormat(FormatError):
    """No reader or writer goes with that suffix."""


class TooLarge(FormatError):
    """A file, an archive or a piece beyond the stated limits."""


class FileExists(LibrettoError):
    """The output is already there, and nobody said to replace it; ``what`` leaves out what a command could do."""

    def __init__(self, what: str, remedy: str = "") -> None:
        self.what = what
        super().__init__(f"{what}; {remedy}" if remedy else what)


class ModelError(LibrettoError):
    """A model did not answer; ``kind``: timeout, rate, server, garbled, empty, refused, key, network or replay."""

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


class UnknownGenre(LibrettoError):
    """A genre that there is not; ``known`` are those there are, in a cloud where one is named."""

    def __init__(self, genre: str, known: Sequence[str], cloud: str = "") -> None:
        self.genre, self.known = genre, tuple(known)
        where = f" in the cloud {cloud}" if cloud not in ("", "default") else ""
        super().__init__(f"there is no genre {genre[:_SHOWN]!r}{where}; there are {', '.join(known)}")


class BudgetSpent(LibrettoError):
    """The tokens, the money or the time that a run may take are spent."""


class StaleWrite(LibrettoError):
    """A write was made from another version (``base``) than the newest there is (``newest``)."""

    def __init__(self, piece: str, base: int, newest: int) -> None:
        self.piece, self.base, self.newest = piece, base, newest
        knew = f"version {base}" if base else "no piece of that name"
        super().__init__(
            f"{piece} is at version {newest}, and this write knew {knew}; read what changed and write again"
        )


class MissingExtra(LibrettoError):
    """An optional dependency is absent; the message says how to install it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional dependency: pip install 'libretto[{extra}]'")
