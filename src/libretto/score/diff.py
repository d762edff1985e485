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
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from libretto.score.diff_marks import mark_changes
from libretto.score.diff_words import Change, Diff, NoteChange, NoteKind, PlacedNote, VoiceChange, number_text
from libretto.score.model import Score
from libretto.score.places import place
from libretto.score.table import Ints
from libretto.score.time import QUARTER, WHOLE, bpm_text
from libretto.score.voice import Note, Voice

__all__ = ["Change", "Diff", "NoteChange", "PlacedNote", "VoiceChange", "diff", "match_voices"]


_MOST_RENAMES = 400  # pairs of unmatched voices that are worth comparing note by note
_SAME_VOICE = 0.5  # of its notes, and a voice of another name is taken for the same one


def diff(before: Score, after: Score) -> Diff:
    """What it takes to get from one piece to the other; empty exactly when they are the same music.

    >>> one = Score.build([Voice.of("BASS", [Note.named("G1", 0, QUARTER)])])
    >>> two = Score.build([Voice.of("BASS", [Note.named("G1", QUARTER * 3 // 2, QUARTER)])], keys=one.keys)
    >>> diff(one, two).lines()
    ['BASS bar 1: G1 moved from beat 1 to beat 2.5']
    """
    if before.digest == after.digest:
        return Diff()
    pairs, voices = match_voices(before, after)
    changes = (
        *_heads(before, after),
        *_parts(before, after, pairs),
        *_events("meter", before, after, before.meters, after.meters),
        *_events("key", before, after, before.keys, after.keys),
        *_events("tempo", before, after, _in_bpm(before), _in_bpm(after)),
        *_events("section", before, after, before.sections, after.sections),
        *_chords(before, after),
        *mark_changes(before, after, pairs),
    )
    return Diff(voices, changes, tuple(_note_changes(before, after, pairs)))


Pairs = list[tuple[int, int]]


def match_voices(before: Score, after: Score) -> tuple[Pairs, tuple[VoiceChange, ...]]:
    """Which voice of one piece is which of the other, and which have no counterpart."""
    where = {voice.name: index for index, voice in enumerate(after.voices)}
    pairs = [(i, where.pop(voice.name)) for i, voice in enumerate(before.voices) if voice.name in where]
    known = {i for i, _ in pairs}
    gone = [i for i in range(len(before.voices)) if i not in known]
    new = sorted(where.values())
    renamed = _renamed(before, after, gone, new) if len(gone) * len(new) <= _MOST_RENAMES else []
    changes = [_renaming(before.voices[i], after.voices[j]) for i, j in renamed]
    stay, come = {i for i, _ in renamed}, {j for _, j in renamed}
    changes += [VoiceChange("removed", v.name, None, len(v.array)) for v in _but(before.voices, gone, stay)]
    changes += [VoiceChange("added", None, v.name, len(v.array)) for v in _but(after.voices, new, come)]
    return sorted([*pairs, *renamed], key=lambda pair: pair[1]), tuple(changes)


def _renamed(before: Score, after: Score, gone: list[int], new: list[int]) -> Pairs:
    """The voices that play much the same under another name, each with the one most like it."""
    pairs, free = [], list(new)
    for i in gone:
        likeness = {j: _likeness(before.voices[i], after.voices[j]) for j in free}
        best = max(free, key=lambda j: likeness[j], default=None)
        if best is not None and likeness[best] >= _SAME_VOICE:
            pairs.append((i, best))
            free.remove(best)
    return pairs


def _renaming(old: Voice, now: Voice) -> VoiceChange:
    return VoiceChange("renamed", old.name, now.name, len(now.array))


def _but(voices: Sequence[Voice], chosen: list[int], without: set[int]) -> list[Voice]:
    return [voices[index] for index in chosen if index not in without]


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
            yield Change(
                "length", f"{number_text(was / QUARTER)} quarters", f"{number_text(now / QUARTER)} quarters", number
            )


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
    kinds: list[tuple[NoteKind, Ints, Ints]] = [
        ("changed", *_pair_off(old, new, ("part", "bar", "position", "pitch"))),
        ("repitched", *_pair_off(old, new, ("part", "bar", "position"))),
        *(("moved", *_pair_off(old, new, ("part", "bar", "pitch"), later)) for later in (0, 1, -1)),
    ]
    names = [after.voices[j].name for _, j in pairs]
    rows: list[tuple[int, int, NoteChange]] = []
    for kind, mine, theirs in kinds:
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
