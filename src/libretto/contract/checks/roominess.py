"""A clause on room for words: who has the tune rests in many bars, or hardly sounds in them."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.contract.checks.where import Spans, within
from libretto.score.model import Score

__all__ = ["HOOKS", "ROOM", "has_room"]

ROOM = "room"  #: What an ask says of it.
#: Sections in which who has the tune plays all the same.
HOOKS = ("chorus", "hook", "refrain", "solo")
_LITTLE = 0.3  # of a bar in which somebody hardly sounds
_HIGH = 64  # the pitch from which on who plays chords besides has a tune
_MANY = 0.5  # of the bars outside of its own sections


def has_room(ask: Ask, score: Score, index: int, spans: Spans) -> tuple[bool, str, Spans]:
    """Whether in many bars who has the tune is not heard, or only in short strokes."""
    voice, free, count = score.voices[index], 0, 0
    chordal = len(voice.array) > 1.5 * len(set(voice.array["onset"].tolist()))
    for number in (number for first, last in spans for number in range(first, last + 1)):
        notes = within(voice.array, ((number, number),), score)
        notes = notes[notes["pitch"] >= _HIGH] if chordal else notes
        bar = number - score.first_bar
        if score.section_at(score.bar_lines[bar]).lower().startswith(HOOKS):
            continue
        length = score.bar_lines[bar + 1] - score.bar_lines[bar]
        free += int(notes["duration"].sum()) <= _LITTLE * length
        count += 1
    kept = free >= _MANY * max(1, count)
    return kept, f"{voice.name} leaves room in {free} of {count} bars outside of choruses", spans
