"""The changes between two pieces as values, and how they are put in words.

Few changes are listed one by one; where they are many, a line sums them up. Beats count from 1; lengths are
in quarters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Literal, NamedTuple

from libretto.errors import ScoreError
from libretto.score.time import QUARTER
from libretto.score.voice import Note

__all__ = ["Change", "Diff", "NoteChange", "NoteKind", "PlacedNote", "VoiceChange", "number_text"]

NoteKind = Literal["added", "changed", "moved", "removed", "repitched"]

_FEW = 6  # so many changes of a kind are listed one by one
_MANY_LINES = 12  # a voice with more lines than this gets one


class PlacedNote(NamedTuple):
    """A note, its written name (``drum 36`` in percussion), and where it stands."""

    bar: int
    beat: float
    name: str
    note: Note


@dataclass(frozen=True)
class NoteChange:
    """One note of one voice that was added, removed, moved, repitched or otherwise changed."""

    kind: NoteKind
    voice: str
    before: PlacedNote | None
    after: PlacedNote | None

    @property
    def bar(self) -> int:
        """The bar it stood in before, or stands in now if it is new."""
        return self.placed.bar

    @property
    def placed(self) -> PlacedNote:
        """The note as it was, or as it is now if it is new."""
        placed = self.before or self.after
        if placed is None:
            raise ScoreError("a change has at least one side")
        return placed

    def __str__(self) -> str:
        return f"{self.voice} bar {self.bar}: {_in_words(self)}"


@dataclass(frozen=True)
class VoiceChange:
    """A voice that was added, removed or renamed; ``notes`` is how many it has."""

    kind: Literal["added", "removed", "renamed"]
    before: str | None
    after: str | None
    notes: int

    def __str__(self) -> str:
        if self.kind == "renamed":
            return f"{self.before} renamed {self.after}"
        return f"{self.before or self.after} {self.kind}, {_count(self.notes, 'note')}"


@dataclass(frozen=True)
class Change:
    """Anything but notes: what it is, where, and how it was and is written (None: not written there)."""

    what: str
    before: str | None
    after: str | None
    bar: int | None = None
    beat: float | None = None
    voice: str | None = None

    def __str__(self) -> str:
        beat = f" beat {number_text(self.beat)}" if self.beat not in (None, 1) else ""
        where = self.voice or (f"bar {self.bar}{beat}" if self.bar is not None else "")
        if self.before is None or self.after is None:
            said = self.after if self.before is None else self.before
            words = " ".join(filter(None, (self.what, said, "added" if self.before is None else "removed")))
        else:
            words = f"{self.what} {self.before} -> {self.after}"
        return f"{where}: {words}" if where else words


@dataclass(frozen=True)
class Diff:
    """Everything that differs between two pieces."""

    voices: tuple[VoiceChange, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: tuple[NoteChange, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not (self.voices or self.changes or self.notes)

    def lines(self) -> list[str]:
        """What differs, a line each, summarised where it is much."""
        lines = list(map(str, self.voices))
        for what, group in groupby(self.changes, key=lambda change: change.what):
            lines += _change_lines(what, list(group))
        for voice, notes in groupby(self.notes, key=lambda change: change.voice):
            lines += _voice_lines(voice, list(notes))
        return lines

    def to_dict(self) -> dict[str, Any]:
        """The same as lists and dictionaries of plain values."""
        return {
            "empty": self.is_empty,
            "voices": [asdict(change) for change in self.voices],
            "changes": [asdict(change) for change in self.changes],
            "notes": [
                {"kind": c.kind, "voice": c.voice, "before": _plain(c.before), "after": _plain(c.after)}
                for c in self.notes
            ],
        }


def _plain(placed: PlacedNote | None) -> dict[str, Any] | None:
    if placed is None:
        return None
    return {"bar": placed.bar, "beat": round(placed.beat, 6), "name": placed.name, **placed.note._asdict()}


def _in_words(change: NoteChange) -> str:
    was, now = change.before, change.after
    if was is None or now is None:
        placed = change.placed
        return f"{placed.name} {change.kind} {'from' if was else 'on'} beat {number_text(placed.beat)}"
    if change.kind == "moved":
        bar = "" if was.bar == now.bar else f"bar {now.bar} "
        return f"{was.name} moved from beat {number_text(was.beat)} to {bar}beat {number_text(now.beat)}"
    if change.kind == "repitched":
        return f"{was.name} on beat {number_text(was.beat)} became {now.name}"
    return f"{was.name} on beat {number_text(was.beat)} {', '.join(_details(was.note, now.note, now.name))}"


def _details(was: Note, now: Note, name: str) -> Iterator[str]:
    if was.duration != now.duration:
        lengths = f"{number_text(was.duration / QUARTER)} -> {number_text(now.duration / QUARTER)} quarters"
        yield f"{'longer' if now.duration > was.duration else 'shorter'} ({lengths})"
    if was.velocity != now.velocity:
        yield f"{'louder' if now.velocity > was.velocity else 'softer'} ({was.velocity} -> {now.velocity})"
    if was.spelling != now.spelling:
        yield f"now written {name}"


def _change_lines(what: str, changes: list[Change]) -> list[str]:
    bars = [change.bar for change in changes if change.bar is not None]
    if len(changes) <= _FEW or not bars:
        return list(map(str, changes))
    return [f"{_bars(bars)}: {_count(len(changes), 'difference')} in {what}"]


def _voice_lines(voice: str, changes: list[NoteChange]) -> list[str]:
    """A line for each change where they are few; otherwise one for each run of neighbouring bars."""
    runs: list[list[NoteChange]] = []
    for change in changes:
        if runs and change.bar <= runs[-1][-1].bar + 1:
            runs[-1].append(change)
        else:
            runs.append([change])
    lines = [line for run in runs for line in (map(str, run) if len(run) <= _FEW else [_summary(voice, run)])]
    return lines if len(lines) <= _MANY_LINES else [_summary(voice, changes)]


def _summary(voice: str, changes: Sequence[NoteChange]) -> str:
    kinds = Counter(change.kind for change in changes).most_common()
    (first, number), rest = kinds[0], kinds[1:]
    words = [f"{_count(number, 'note')} {first}", *(f"{number:,} {kind}" for kind, number in rest)]
    return f"{voice} {_bars(change.bar for change in changes)}: {', '.join(words)}"


def _bars(numbers: Iterable[int]) -> str:
    bars = sorted(set(numbers))
    return f"bar {bars[0]}" if len(bars) == 1 else f"bars {bars[0]}-{bars[-1]}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def number_text(value: float | None) -> str:
    """A number with at most three decimals and no needless zeros; nothing for None."""
    return "" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")
