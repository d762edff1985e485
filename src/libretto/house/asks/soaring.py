"""Lines that soar over a tune: a descant in long notes, above it and nearly as loud."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.checks.soaring import soared_over
from libretto.contract.checks.where import Spans, within
from libretto.contract.instruments import instrument_of_program
from libretto.edits.touch import louder
from libretto.house.asks.notes import Row, put, rows_of
from libretto.house.asks.voices import sounding
from libretto.score import Score

__all__ = ["soaring"]

_ABOVE, _WIDE = 4, 14  # semitones above the middle of the tune between which it moves
_STEPS = {0: 1.5, 1: 0.0, 2: 0.0, 3: 0.2, 4: 0.3, 5: 0.5, 7: 1.0, 12: 1.5}  # what steps and leaps cost
_FAR = 3.0  # any other leap
_CLIMBS = 0.25  # and for each semitone from a line that climbs through a phrase
_SOFTER = 3  # velocities by which it is softer than the tune
_SWELL = 4  # and by which it grows within a phrase
_PHRASE = 4  # bars


def soaring(score: Score, index: int, spans: Spans) -> Score:
    """The piece with a voice over the tune in some bars: two long notes a bar, one at the end of a phrase, near each
    other, climbing, and no note below what is sung."""
    voice, under = score.voices[index], soared_over(score, index, spans)
    if under is None:
        return score
    tune = rows_of(within(score.voices[under].array, spans, score))
    middle = sum(row.pitch for row in tune) // len(tune)
    high = instrument_of_program(voice.program or 0).comfortable[1]
    low = min(middle + _ABOVE, high - _ABOVE)
    reach = (low, min(high, middle + _WIDE))
    loud = round(sum(row.velocity for row in tune) / len(tune)) - _SOFTER

    first = [start - score.first_bar for start, _ in spans]

    rows: list[Row] = []
    before = (reach[0] + reach[1]) // 2
    for onset, length in _rhythm(score, spans):
        bar = score.bar_at(onset)
        start = max((one for one in first if one <= bar), default=0)
        goal = reach[0] + (reach[1] - reach[0]) * ((bar - start) % _PHRASE) / (_PHRASE - 1)
        pitch = min(_tones(score, onset, tune, reach), key=lambda tone: (_cost(tone - before, tone - goal), tone))
        rows.append(Row(onset, length, pitch, loud))
        before = pitch
    made = put(score, voice.name, spans, [_swelling(row, score.bar_at(row.onset), first) for row in rows])
    heard = within(made.voices[index].array, spans, made)["velocity"].mean()  # as loud as it was before
    return louder(made, round(loud - float(heard)), [voice.name], spans)


def _cost(step: int, off: float) -> float:
    """What a note costs by the step to it, and by how far it is from a line that climbs."""
    return _STEPS.get(abs(step), _FAR) + _CLIMBS * abs(off)


def _tones(score: Score, tick: int, tune: Sequence[Row], reach: tuple[int, int]) -> list[int]:
    """The tones of a chord within reach that lie above what is sung; its highest where none does."""
    chord = score.chord_at(tick)
    tones = [pitch for pitch in range(reach[0], reach[1] + 1) if chord is None or pitch % 12 in chord.classes]
    above = [pitch for pitch in tones if all(other < pitch for other in sounding([tune], tick))]
    return above or tones[-1:] or [reach[1]]


def _rhythm(score: Score, spans: Spans) -> list[tuple[int, int]]:
    """Onsets and lengths: halves of bars, and a whole bar where a phrase ends."""
    made: list[tuple[int, int]] = []
    for first, last in spans:
        for place, bar in enumerate(range(first - score.first_bar, last - score.first_bar + 1)):
            start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
            beat = score.meter_at(start).beat
            half = (end - start) // beat // 2 * beat
            whole = place % _PHRASE == _PHRASE - 1 or not half or bar == score.bars - 1
            made += [(start, end - start)] if whole else [(start, half), (start + half, end - start - half)]
    return made


def _swelling(row: Row, bar: int, first: Sequence[int]) -> Row:
    """A note a little louder the further a phrase has come."""
    start = max((one for one in first if one <= bar), default=0)
    return row._replace(velocity=min(127, row.velocity + _SWELL * ((bar - start) % _PHRASE) // (_PHRASE - 1)))
