"""Whose a tune is, both ways: ``C:`` for its composer, ``Z:`` with a label for who else; and what a file says besides.

ABC 2.1 has a field for composers only. Words, arrangement and rights go where notes of whoever wrote the tune down go,
as ``Z:Words: A. Poet``, which a person reads as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from libretto.formats.abc.text import escape, unescape
from libretto.score.marks import CREDITS, Mark
from libretto.score.model import Score

__all__ = ["credit_lines", "credit_of", "left_out", "rights_of"]

_LABELS = {"arranger": "Arranged by", "lyricist": "Words", "rights": "Copyright"}
_LABELLED = re.compile(rf"\s*({'|'.join(_LABELS.values())}):(.*)", re.IGNORECASE | re.DOTALL)
_RIGHTS = re.compile(r"\s*abc-copyright\s+(.*)", re.IGNORECASE | re.DOTALL)
_UNSAYABLE = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]+")
_LONGEST = 500  # letters that a mark holds
_TUNE = re.compile(rb"^X:", re.MULTILINE)
_FIELDS = re.compile(rb"^[ABDFGHNORSWZ]:[^\r\n]*\S|^%%abc-copyright\s", re.MULTILINE)


def credit_of(kind: str, text: str) -> tuple[Mark, ...]:
    """What a ``C:`` or ``Z:`` field says of whose the tune is; nothing where it says something else."""
    if kind == "C":
        return _mark("composer", text)
    match = _LABELLED.match(text)
    names = {label.lower(): name for name, label in _LABELS.items()}
    return _mark(names[match[1].lower()], match[2]) if match else ()


def rights_of(directive: str) -> tuple[Mark, ...]:
    """The copyright that a directive names; nothing where it is another."""
    match = _RIGHTS.match(directive)
    return _mark("rights", match[1]) if match else ()


def _mark(kind: str, text: str) -> tuple[Mark, ...]:
    said = _UNSAYABLE.sub(" ", unescape(text)).strip()[:_LONGEST].strip()
    return (Mark(0, kind, said),) if said else ()


def credit_lines(marks: Iterable[Mark]) -> Iterator[str]:
    """The fields that say whose a piece is."""
    for mark in marks:
        if mark.kind == "composer":
            yield f"C:{escape(mark.value)}"
        elif mark.kind in CREDITS:
            yield f"Z:{_LABELS[mark.kind]}: {escape(mark.value)}"


def left_out(data: bytes, score: Score) -> dict[str, int]:
    """Tunes after the first, and fields about a tune that no Score holds (history, origin, rhythm, source, notes)."""
    own = sum(mark.kind in CREDITS and mark.kind != "composer" for mark in score.marks)
    counts = {
        "further tunes": len(_TUNE.findall(data)) - 1,
        "information fields": len(_FIELDS.findall(data)) - own,
    }
    return {name: count for name, count in sorted(counts.items()) if count > 0}
