"""What changed between two pieces in marks and controls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from libretto.score.diff_words import Change
from libretto.score.marks import BEND, MOMENT, PRESSURE, Mark
from libretto.score.model import Score
from libretto.score.pitch import pitch_name
from libretto.score.places import place
from libretto.score.voice import Voice

__all__ = ["control_name", "mark_changes"]

_FLAT_SPELLINGS = (0, 7, 2, -3, 4, -1, 6, 1, -4, 3, -2, 5)  # of the twelve pitch classes, as a person would name them


class _Place(NamedTuple):
    """Where a mark stands, so that bars of other lengths before it do not matter, and what it says."""

    kind: str
    bar: int
    at: int
    pitch: int
    value: str
    length: int
    staff: int


def mark_changes(before: Score, after: Score, pairs: Iterable[tuple[int, int]]) -> Iterator[Change]:
    """Changes in the marks of the piece, then of each pair of voices, then in what their controls do."""
    yield from _changes(before, before.marks, after, after.marks, None)
    for i, j in pairs:
        was, now = before.voices[i], after.voices[j]
        if was.marks != now.marks:
            yield from _changes(before, was.marks, after, now.marks, now.name)
        if was.controls.tobytes() != now.controls.tobytes():
            yield from _controls(was, now)


def _changes(
    before: Score, old: Iterable[Mark], after: Score, new: Iterable[Mark], voice: str | None
) -> Iterator[Change]:
    was = Counter(_placed(before, mark) for mark in old)
    now = Counter(_placed(after, mark) for mark in new)
    gone, come = was - now, now - was
    for spot in sorted((gone | come).keys()):
        score = before if spot in gone else after
        beat = place(score, score.bar_lines[score.index_of(spot.bar)] + spot.at)[1]
        for _ in range((gone | come)[spot]):
            said = _said(spot)
            was_said, now_said = (said, None) if spot in gone else (None, said)
            yield Change(spot.kind, was_said, now_said, spot.bar, beat, voice)


def _placed(score: Score, mark: Mark) -> _Place:
    bar = score.bar_at(mark.tick)
    length = 0 if mark.on_note else mark.length
    at = mark.tick - score.bar_lines[bar]
    return _Place(mark.kind, bar + score.first_bar, at, mark.pitch, mark.value, length, mark.staff)


def _said(spot: _Place) -> str:
    on = f" on {pitch_name(spot.pitch, _FLAT_SPELLINGS[spot.pitch % 12])}" if spot.pitch != MOMENT else ""
    return f"{spot.value}{on}".strip()


def control_name(kind: int) -> str:
    """What a kind of control is called."""
    return {BEND: "pitch bend", PRESSURE: "pressure"}.get(kind, f"controller {kind}")


def _controls(was: Voice, now: Voice) -> Iterator[Change]:
    old, new = (Counter(voice.controls.tolist()) for voice in (was, now))
    gone, come = old - new, new - old
    for kind in sorted({kind for _, kind, _ in (gone | come)}):
        counts = [sum(number for row, number in side.items() if row[1] == kind) for side in (gone, come)]
        words = [f"{count:,} points" if count else None for count in counts]
        yield Change(control_name(kind), words[0], words[1], voice=now.name)
