"""What changed between two pieces, in a musician's terms.

Conventions: bars are compared by their numbers and places inside a bar by ticks from its start, so a bar
that was lengthened does not shift everything after it; bars that were inserted or removed are not traced, the
bar count is reported. Beats count from 1 in the meter's unit. Voices are matched by name, then (as renamed)
by sharing at least half of their notes. Two pieces differ in nothing exactly when their digests are equal.

Notes are paired off in this order: the same start and pitch (``changed``: another length, velocity or
spelling), the same start (``repitched``), the same pitch elsewhere in the bar, in the next bar or in the one
before (``moved``); what is left over was ``added`` or ``removed``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.score.edit import place
from libretto.score.model import Note, Score, Voice
from libretto.score.time import QUARTER, WHOLE, bpm_text

__all__ = ["Change", "Diff", "NoteChange", "PlacedNote", "VoiceChange", "diff"]

Ints = NDArray[np.int64]
NoteKind = Literal["added", "changed", "moved", "removed", "repitched"]

_FEW = 6  # so many changes of a kind are listed one by one
_MANY_LINES = 12  # a voice with more lines than this gets one
_MOST_RENAMES = 400  # pairs of unmatched voices that are worth comparing note by note


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
        placed = self.before or self.after
        assert placed is not None  # a change has at least one side
        return placed.bar

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
        beat = f" beat {_number(self.beat)}" if self.beat not in (None, 1) else ""
        where = self.voice or (f"bar {self.bar}{beat}" if self.bar is not None else "")
        if self.before is None or self.after is None:
            words = f"{self.what} {self.after or self.before} {'added' if self.before is None else 'removed'}"
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
        found = list(map(str, self.voices))
        for what, group in groupby(self.changes, key=lambda change: change.what):
            found += _change_lines(what, list(group))
        for voice, notes in groupby(self.notes, key=lambda change: change.voice):
            found += _voice_lines(voice, list(notes))
        return found

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


def diff(before: Score, after: Score) -> Diff:
    """What it takes to get from one piece to the other; empty exactly when they are the same music.

    >>> one = Score.build([Voice.of("BASS", [Note.named("G1", 0, QUARTER)])])
    >>> two = Score.build([Voice.of("BASS", [Note.named("G1", QUARTER * 3 // 2, QUARTER)])], keys=one.keys)
    >>> diff(one, two).lines()
    ['BASS bar 1: G1 moved from beat 1 to beat 2.5']
    """
    if before.digest == after.digest:
        return Diff()
    pairs, voices = _match_voices(before, after)
    changes = (
        *_heads(before, after),
        *_parts(before, after, pairs),
        *_events("meter", before, after, before.meters, after.meters),
        *_events("key", before, after, before.keys, after.keys),
        *_events("tempo", before, after, _in_bpm(before), _in_bpm(after)),
        *_events("section", before, after, before.sections, after.sections),
        *_chords(before, after),
    )
    return Diff(voices, changes, tuple(_note_changes(before, after, pairs)))


Pairs = list[tuple[int, int]]


def _match_voices(before: Score, after: Score) -> tuple[Pairs, tuple[VoiceChange, ...]]:
    """Which voice of one piece is which of the other, and which have no counterpart."""
    where = {voice.name: index for index, voice in enumerate(after.voices)}
    pairs = [(i, where.pop(voice.name)) for i, voice in enumerate(before.voices) if voice.name in where]
    known = {i for i, _ in pairs}
    gone = [i for i in range(len(before.voices)) if i not in known]
    new = sorted(where.values())
    found = []
    if len(gone) * len(new) <= _MOST_RENAMES:
        for i in gone.copy():
            likeness = {j: _likeness(before.voices[i], after.voices[j]) for j in new}
            best = max(new, key=lambda j: likeness[j], default=None)
            if best is not None and likeness[best] >= 0.5:
                pairs.append((i, best))
                gone.remove(i)
                new.remove(best)
                old, now = before.voices[i], after.voices[best]
                found.append(VoiceChange("renamed", old.name, now.name, len(now.array)))
    found += [VoiceChange("removed", v.name, None, len(v.array)) for v in (before.voices[i] for i in gone)]
    found += [VoiceChange("added", None, v.name, len(v.array)) for v in (after.voices[j] for j in new)]
    return sorted(pairs, key=lambda pair: pair[1]), tuple(found)


def _likeness(one: Voice, other: Voice) -> float:
    """The share of notes that two voices have in common."""
    if one.drums != other.drums:
        return 0.0
    shared = len(np.intersect1d(one.array, other.array))
    return shared / max(len(one.array), len(other.array), 1)


def _heads(before: Score, after: Score) -> Iterator[Change]:
    if before.title != after.title:
        yield Change("title", before.title or None, after.title or None)
    if before.bars != after.bars:
        yield Change("number of bars", str(before.bars), str(after.bars))
    if before.first_bar != after.first_bar:
        yield Change("first bar", str(before.first_bar), str(after.first_bar))
    old, new = np.diff(before.bar_lines), np.diff(after.bar_lines)
    for number in _common(before, after):
        was, now = old[number - before.first_bar], new[number - after.first_bar]
        if was != now:
            yield Change("length", f"{_number(was / QUARTER)} quarters", f"{_number(now / QUARTER)} quarters", number)


def _common(before: Score, after: Score) -> range:
    return range(max(before.first_bar, after.first_bar), 1 + min(before.numbers[-1], after.numbers[-1]))


def _parts(before: Score, after: Score, pairs: Pairs) -> Iterator[Change]:
    old, new = [before.voices[i] for i, _ in sorted(pairs)], [after.voices[j] for _, j in pairs]
    if sorted(pairs) != pairs:
        yield Change("order of voices", ", ".join(v.name for v in old), ", ".join(v.name for v in new))
    for was, now in ((before.voices[i], after.voices[j]) for i, j in pairs):
        if was.program != now.program:
            old_program, new_program = (None if p is None else str(p) for p in (was.program, now.program))
            yield Change("program", old_program, new_program, voice=now.name)
        if was.drums != now.drums:
            kinds = ("percussion", "pitched") if was.drums else ("pitched", "percussion")
            yield Change("kind", kinds[0], kinds[1], voice=now.name)


def _in_bpm(score: Score) -> list[tuple[int, str]]:
    return [(tick, bpm_text(micros)) for tick, micros in score.tempos]


def _events(
    what: str, before: Score, after: Score, old: Sequence[tuple[int, Any]], new: Sequence[tuple[int, Any]]
) -> Iterator[Change]:
    """Changes of meter, key, tempo or section that are written in one piece and not so in the other."""
    was = {_spot(before, tick): (tick, str(value)) for tick, value in old}
    now = {_spot(after, tick): (tick, str(value)) for tick, value in new}
    for spot in sorted(was.keys() | now.keys()):
        one, other = was.get(spot), now.get(spot)
        words = one and one[1], other and other[1]
        if words[0] != words[1]:
            bar, beat = place(after, other[0]) if other else place(before, one[0] if one else 0)
            yield Change(what, *words, bar=bar, beat=beat)


def _spot(score: Score, tick: int) -> tuple[int, int]:
    """The bar number and the ticks from that bar's start, which compare where meters differ."""
    bar = bisect_right(score.bar_lines, tick) - 1
    return bar + score.first_bar, tick - score.bar_lines[bar]


def _chords(before: Score, after: Score) -> Iterator[Change]:
    old, new = (dict(zip(score.numbers, score.chords, strict=True)) for score in (before, after))
    for bar in sorted(old.keys() | new.keys()):
        was, now = (" ".join(labels) if labels else None for labels in (old.get(bar), new.get(bar)))
        # Bars at the end that only one piece has are announced by the number of bars.
        if was != now and not {was, now} <= {None, "-"}:
            yield Change("chords", was, now, bar)


def _note_changes(before: Score, after: Score, pairs: Pairs) -> list[NoteChange]:
    old = _Rows(before, {i: n for n, (i, _) in enumerate(pairs)})
    new = _Rows(after, {j: n for n, (_, j) in enumerate(pairs)})
    _pair_off(old, new, ("part", "bar", "position", "pitch", "duration", "velocity", "spelling"))
    found: list[tuple[NoteKind, Ints, Ints]] = [
        ("changed", *_pair_off(old, new, ("part", "bar", "position", "pitch"))),
        ("repitched", *_pair_off(old, new, ("part", "bar", "position"))),
        *(("moved", *_pair_off(old, new, ("part", "bar", "pitch"), later)) for later in (0, 1, -1)),
    ]
    names = [after.voices[j].name for _, j in pairs]
    rows: list[tuple[int, int, NoteChange]] = []
    for kind, mine, theirs in found:
        parts = old.columns["part"][mine].tolist()
        both = zip(parts, old.placed(mine), new.placed(theirs), strict=True)
        rows += [(part, was.note.onset, NoteChange(kind, names[part], was, now)) for part, was, now in both]
    for part, was in zip(old.columns["part"][old.open].tolist(), old.placed(old.open), strict=True):
        rows.append((part, was.note.onset, NoteChange("removed", names[part], was, None)))
    for part, now in zip(new.columns["part"][new.open].tolist(), new.placed(new.open), strict=True):
        rows.append((part, now.note.onset, NoteChange("added", names[part], None, now)))
    return [change for _, _, change in sorted(rows, key=lambda row: (row[0], row[2].bar, row[1], row[2].kind))]


class _Rows:
    """The notes of one piece as columns, and which of them have not been paired off yet."""

    def __init__(self, score: Score, parts: dict[int, int]) -> None:
        self.score, table = score, score.table
        part_of = np.array([parts.get(i, -1) for i in range(len(score.voices))], dtype=np.int64)
        self.table = table[part_of[table["voice"]] >= 0] if len(table) else table
        self.columns = {name: self.table[name].astype(np.int64) for name in self.table.dtype.names or ()}
        self.columns["part"] = part_of[self.table["voice"]]
        self.columns["bar"] += score.first_bar
        self.open = np.arange(len(self.table))

    def placed(self, rows: Ints) -> Iterator[PlacedNote]:
        """Those rows as notes with their places."""
        starts = np.array([tick for tick, _ in self.score.meters])
        units = np.array([meter.unit for _, meter in self.score.meters])
        table = self.table[rows]
        lines = np.asarray(self.score.bar_lines)[table["bar"]]
        beats = 1 + table["position"] * units[np.searchsorted(starts, lines, side="right") - 1] / WHOLE
        notes = zip(*(table[name].tolist() for name in Note._fields), strict=True)
        bars = self.columns["bar"][rows].tolist()
        for bar, beat, voice, fields in zip(bars, beats.tolist(), table["voice"].tolist(), notes, strict=True):
            note = Note._make(fields)
            drums = self.score.voices[voice].drums
            yield PlacedNote(bar, beat, f"drum {note.pitch}" if drums else note.name, note)


def _pair_off(old: _Rows, new: _Rows, names: Sequence[str], later: int = 0) -> tuple[Ints, Ints]:
    """Close, one to one and in order of time, the open rows that agree in those columns; returns the pairs.

    ``later`` pairs a row with one that many bars after it.
    """
    both, split = np.zeros(len(old.open) + len(new.open), dtype=np.int64), len(old.open)
    for name in names:
        column = np.concatenate((old.columns[name][old.open], new.columns[name][new.open]))
        if name == "bar":
            column[:split] += later
        _, values = np.unique(column, return_inverse=True)
        # Numbered anew after each column, so that the product never outgrows 64 bits.
        both = np.unique(both * (len(column) + 1) + values, return_inverse=True)[1]
    _, mine, theirs = np.intersect1d(
        _ranked(both[:split]), _ranked(both[split:]), assume_unique=True, return_indices=True
    )
    pairs = old.open[mine], new.open[theirs]
    old.open, new.open = np.delete(old.open, mine), np.delete(new.open, theirs)
    return pairs


def _ranked(groups: Ints) -> Ints:
    """Distinct numbers for the members of each group: the first, the second, ..."""
    order = np.argsort(groups, kind="stable")
    _, starts, sizes = np.unique(groups[order], return_index=True, return_counts=True)
    rank = np.empty_like(groups)
    rank[order] = np.arange(len(groups)) - np.repeat(starts, sizes)
    return np.asarray((groups << 31) + rank, dtype=np.int64)


def _plain(placed: PlacedNote | None) -> dict[str, Any] | None:
    if placed is None:
        return None
    return {"bar": placed.bar, "beat": round(placed.beat, 6), "name": placed.name, **placed.note._asdict()}


def _in_words(change: NoteChange) -> str:
    was, now = change.before, change.after
    if was is None or now is None:
        placed = was or now
        assert placed is not None  # a change has at least one side
        return f"{placed.name} {change.kind} {'from' if was else 'on'} beat {_number(placed.beat)}"
    if change.kind == "moved":
        bar = "" if was.bar == now.bar else f"bar {now.bar} "
        return f"{was.name} moved from beat {_number(was.beat)} to {bar}beat {_number(now.beat)}"
    if change.kind == "repitched":
        return f"{was.name} on beat {_number(was.beat)} became {now.name}"
    return f"{was.name} on beat {_number(was.beat)} {', '.join(_details(was.note, now.note, now.name))}"


def _details(was: Note, now: Note, name: str) -> Iterator[str]:
    if was.duration != now.duration:
        lengths = f"{_number(was.duration / QUARTER)} -> {_number(now.duration / QUARTER)} quarters"
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
    found = [line for run in runs for line in (map(str, run) if len(run) <= _FEW else [_summary(voice, run)])]
    return found if len(found) <= _MANY_LINES else [_summary(voice, changes)]


def _summary(voice: str, changes: Sequence[NoteChange]) -> str:
    kinds = Counter(change.kind for change in changes).most_common()
    (first, number), rest = kinds[0], kinds[1:]
    words = [f"{_count(number, 'note')} {first}", *(f"{number:,} {kind}" for kind, number in rest)]
    return f"{voice} {_bars(change.bar for change in changes)}: {', '.join(words)}"


def _bars(numbers: Iterable[int]) -> str:
    found = sorted(set(numbers))
    return f"bar {found[0]}" if len(found) == 1 else f"bars {found[0]}-{found[-1]}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")
