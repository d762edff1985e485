"""Room for words: who has the tune is heard in the last bar of a phrase, and in the sections that are its own."""

from __future__ import annotations

from libretto.contract.checks.roominess import HOOKS
from libretto.contract.checks.where import Spans, within
from libretto.contract.instruments import instrument_of_program
from libretto.house.asks.notes import MIDDLE, Row, put, rows_of
from libretto.score import Score

__all__ = ["with_room"]

_PHRASE = 4  # bars
_TWO = 2  # notes at once of who has no chords besides
_TUNE = MIDDLE + 4  # from which pitch on who has chords besides has a tune


def with_room(score: Score, index: int, spans: Spans) -> Score:
    """The piece with a voice that has the tune only where nobody speaks: in choruses and the like where there are any,
    and in the last bar of every phrase. Of who plays chords besides these stay."""
    voice = score.voices[index]
    chordal = instrument_of_program(voice.program or 0).polyphony > _TWO
    made = score
    for number in (number for first, last in spans for number in range(first, last + 1)):
        line = score.bar_lines[number - score.first_bar]
        own = score.section_at(line).lower().startswith(HOOKS)
        if own or (number - spans[0][0]) % _PHRASE == _PHRASE - 1 or number == score.numbers[-1]:
            continue
        rows = rows_of(within(voice.array, ((number, number),), score))
        made = put(made, voice.name, ((number, number),), [row for row in rows if chordal and _of_chords(row)])
    return made


def _of_chords(row: Row) -> bool:
    return row.pitch < _TUNE
