"""Which songs and tunes may be taught: none that is for choosing or held out, under whatever name it lies elsewhere.

A quarter of ``corpus/lakh`` are songs that ``corpus/midi`` has as well. Songs are one where their titles are, whoever
plays them: some that differ are left out so, and none is taught that is measured.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

__all__ = ["plain_title", "taught_songs", "tune_titles"]

_BRACKETS, _OTHER = re.compile(r"\(.*?\)|\[.*?\]"), re.compile(r"[^a-z0-9]")
_THIRDS = 3


def plain_title(title: str) -> str:
    """A title without brackets, blanks and signs.

    >>> plain_title("Don't Stop (Live)")
    'dontstop'
    """
    lower = title.lower()
    return _OTHER.sub("", _BRACKETS.sub("", lower)) or lower


def taught_songs(shared: Path) -> list[Path]:
    """The files of ``corpus`` that are for teaching: a third of ``midi``, and what else is none of the other two."""
    folder = shared / "corpus" / "midi"
    files = sorted(folder.rglob("*.mid"))
    titles = {row["file"]: plain_title(row["title"]) for row in _rows(folder)}
    names = {file: titles.get(file.relative_to(folder).as_posix(), file.stem) for file in files}
    apart = {names[file] for third in range(1, _THIRDS) for file in files[third::_THIRDS]}
    own = [file for file in files[::_THIRDS] if names[file] not in apart]
    for other in ("lakh", "paper314"):
        folder = shared / "corpus" / other
        free = {row["id"] for row in _rows(folder) if plain_title(row["title"]) not in apart}
        own += [file for file in sorted(folder.rglob("*.txt")) if file.stem in free]
    return own


def tune_titles(shared: Path) -> set[str]:
    """The titles of the tunes that clips are made of."""
    texts = [file.read_text(encoding="utf-8") for file in sorted((shared / "scores").glob("*.abc"))]
    return {plain_title(title) for text in texts for title in re.findall(r"^T:\s*(.*)$", text, re.MULTILINE)}


def _rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
