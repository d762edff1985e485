"""What a piece loses in a format: found by writing it, reading it back and counting what is not the same.

Nothing is declared here: a loss is reported because it was seen, with how much of it there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

import numpy as np

from libretto.formats.format import Format
from libretto.score import Score, Voice, played
from libretto.score.marks import ARTICULATIONS, BEND, ORNAMENTS, PRESSURE, REPEAT_MARKS, Mark

T = TypeVar("T", bound=Hashable)

__all__ = ["inventory", "loss_line", "lost_between", "lost_in"]

_ADDED = frozenset(("arpeggiate", "glissando", "non-arpeggiate", "slide"))  # ornaments that MusicXML lists apart
_LAYOUT = frozenset(
    ("barline", "bracket", "cue", "dashes", "movement", "notehead", "octave-shift", "split", "staff", "staves")
) | {"symbol", "written"}
_NOUNS = {
    "arranger": "arrangers",
    "composer": "composers",
    "lyricist": "lyricists",
    "rights": "copyrights",
    "lyric": "lyrics",
    "slur-start": "slurs",
    "slur-stop": "",  # counted with the beginning of the slur
    "dynamics": "dynamics",
    "crescendo": "hairpins",
    "diminuendo": "hairpins",
    "fermata": "fermatas",
    "fingering": "fingerings",
    "grace": "grace notes",
    "pedal": "pedal marks",
    "clef": "clefs",
    "words": "words",
    "swing": "swing marks",
    "let-ring": "open ties",
    "tied-in": "open ties",
}
#: One of them, where that is not the word without its s.
_ONE = {
    "keys that the notes overrule": "key that the notes overrule",
    "tempi": "tempo",
    "velocities": "velocity",
    "starts moved onto the grid": "start moved onto the grid",
    "lengths moved onto the grid": "length moved onto the grid",
}


def inventory(score: Score) -> dict[str, int]:
    """How much of each kind a piece holds besides its notes, in a musician's words."""
    counts: Counter[str] = Counter(map(_noun, score.marks))
    for voice in score.voices:
        counts.update(map(_noun, voice.marks))
        kinds = voice.controls["kind"]
        counts["pitch bends"] += int(np.count_nonzero(kinds == BEND))
        counts["controllers"] += int(np.count_nonzero((kinds != BEND) & (kinds != PRESSURE)))
        counts["pressures"] += int(np.count_nonzero(kinds == PRESSURE))
    return {name: count for name, count in sorted(counts.items()) if name and count}


def _noun(mark: Mark) -> str:
    """What marks of that kind are called together; empty for what is counted with another."""
    kind = mark.kind
    if kind in REPEAT_MARKS and kind not in _LAYOUT:
        return "repeat signs"
    for kinds, name in ((ARTICULATIONS, "articulations"), (ORNAMENTS | _ADDED, "ornaments"), (_LAYOUT, "layout marks")):
        if kind in kinds:
            return name
    return _NOUNS.get(kind, "playing techniques" if mark.on_note else "directions")


def lost_in(score: Score, format: Format) -> dict[str, int]:
    """What the piece loses in that format, each kind with its number; empty where it comes back whole."""
    return lost_between(score, format.decode(format.encode(score)))


def lost_between(before: Score, after: Score) -> dict[str, int]:
    """What of one piece is not in the other, each kind with its number.

    Where repeats were written out, the piece as played is what must be there, and what it says twice counts once.
    """
    lost: Counter[str] = Counter()
    page = before
    signs = sum(_noun(mark) == "repeat signs" for mark in before.marks)
    kept = sum(_noun(mark) == "repeat signs" for mark in after.marks)
    if signs and not kept:
        lost["repeat signs"] = signs
        before = played(before)
    _count_heads(before, after, lost)
    matched = _pairs(before, after)
    lost["voices"] = len(before.voices) - len(matched)
    for mine, its in matched:
        _count_notes(mine, its, lost)
        if mine.controls.tobytes() != its.controls.tobytes():
            _count_more(lost, *(Counter(map(_control, voice.controls.tolist())) for voice in (mine, its)))
    _count_more(lost, _marks_of(before, [mine for mine, _ in matched]), _marks_of(after, [its for _, its in matched]))
    if before is not page:
        _count_once(page, lost)
    return {name: count for name, count in sorted(lost.items()) if name and count > 0}


def _marks_of(score: Score, voices: Iterable[Voice]) -> Counter[tuple[str, tuple[Hashable, ...]]]:
    """The marks of a piece and of some of its voices, by what they are called together and what they say."""
    marks = (*score.marks, *(mark for voice in voices for mark in voice.marks))
    return Counter((_noun(mark), _said(mark)) for mark in marks)


def _count_once(page: Score, lost: Counter[str]) -> None:
    """Of what a piece says again where it is repeated no more is lost than stands on its page."""
    notes = sum(len(voice.array) for voice in page.voices)
    most = inventory(page) | dict.fromkeys(("notes", "lengths", "velocities", "spellings"), notes)
    most |= {"tempi": len(page.tempos), "keys": len(page.keys), "meters": len(page.meters)}
    most |= {"sections": len(page.sections), "chord labels": sum(map(len, page.chords))}
    for name in lost:
        lost[name] = min(lost[name], most.get(name, lost[name]))


def _said(mark: Mark) -> tuple[Hashable, ...]:
    """What must come back of a mark; the length of the note under it is counted with the notes."""
    return mark.tick, mark.kind, mark.value, mark.pitch, 0 if mark.on_note else mark.length


def _control(row: tuple[int, int, int]) -> tuple[str, tuple[int, int, int]]:
    return ("pitch bends" if row[1] == BEND else "pressures" if row[1] == PRESSURE else "controllers"), row


def _count_more(lost: Counter[str], old: Counter[tuple[str, T]], new: Counter[tuple[str, T]]) -> None:
    for (name, _), number in (old - new).items():
        lost[name] += number


def _pairs(before: Score, after: Score) -> list[tuple[Voice, Voice]]:
    """The voices of one piece with those of the other: by place where there are as many, else by name."""
    if len(before.voices) == len(after.voices):
        return list(zip(before.voices, after.voices, strict=True))
    named = {voice.name: voice for voice in after.voices}
    return [(voice, named[voice.name]) for voice in before.voices if voice.name in named]


def _count_heads(before: Score, after: Score, lost: Counter[str]) -> None:
    """What holds for the whole piece."""
    for name, mine, its in (
        ("meters", before.meters, after.meters),
        ("keys", before.keys, after.keys),
        ("tempi", before.tempos, after.tempos),
        ("sections", before.sections, after.sections),
    ):
        lost[name] = len(set(mine) - set(its))
    lost["titles"] = int(bool(before.title) and before.title != after.title)
    lost["bar lines"] = len(set(before.bar_lines) - set(after.bar_lines))
    spans = [{span for bar in range(score.bars) for span in score.chord_spans(bar)} for score in (before, after)]
    lost["chord labels"] = sum(1 for _, _, label in spans[0] - spans[1] if label != "-")


def _count_notes(mine: Voice, its: Voice, lost: Counter[str]) -> None:
    """Notes that are gone, and what of those that are there is not as it was."""
    lost["voice names"] += mine.name != its.name
    lost["programs"] += mine.program is not None and mine.program != its.program
    columns = ("onset", "pitch", "duration", "velocity", "spelling")
    if len(mine.array) == len(its.array) and all(np.array_equal(mine.array[name], its.array[name]) for name in columns):
        return
    old, new = (list(zip(*(v.array[name].tolist() for name in columns), strict=True)) for v in (mine, its))
    told = 0  # a note that is gone is not told again as a length
    for name, width in (("notes", 2), ("lengths", 3), ("velocities", 4), ("spellings", 5)):
        gone = (Counter(row[:width] for row in old) - Counter(row[:width] for row in new)).total()
        lost[name] += gone - told
        told = gone


def loss_line(lost: Mapping[str, int], where: str, nothing: str = "nothing is lost") -> str:
    """One line: what is lost, with counts."""
    words = (f"{count:,} {_ONE.get(name, name[:-1]) if count == 1 else name}" for name, count in lost.items())
    return f"lost in {where}: {', '.join(words)}" if lost else nothing
