"""Drums that whisper: a few soft strokes a bar, and nothing between them."""

from __future__ import annotations

from libretto.contract.checks.where import Spans, within
from libretto.house.asks.notes import Row, beats_of, put, rows_of
from libretto.score import QUARTER, Score, Voice

__all__ = ["whispered"]

_KICKS, _SNARES, _STICK = (35, 36), (38, 40), 37  # keys of the General MIDI kit
_SKIN = (41, 43, 45, 47, 48, 50, 49, 52, 55, 57)  # toms and crashes, which nobody whispers on
_HUSHED, _SWEEP = 44, 36  # velocities: of the loudest stroke, and of a brush drawn
_LIFT = 1.4  # times as loud that the faintest kit becomes at most
_EIGHTH = QUARTER // 2


def whispered(score: Score, kit: Voice, spans: Spans) -> Score:
    """The piece with a kit that is hardly there in some bars: the foot where a bar begins, a brush on the weak beats,
    cymbals on the beats, and the stick where it was; all of it soft."""
    rows = rows_of(within(kit.array, spans, score))
    loudest = max((row.velocity for row in rows), default=_HUSHED)
    scale = min(_LIFT, _HUSHED / max(1, loudest))  # what is fainter still is not heard
    made: dict[tuple[int, int], Row] = {}
    for first, last in spans:
        for number in range(first, last + 1):
            beats = beats_of(score, number - score.first_bar)
            here = [row for row in rows if beats[0] <= row.onset < beats[0] + _length(score, number)]
            for row in here:
                if _stays(row, beats, number - score.first_bar == score.bars - 1):
                    loud = max(1, round(row.velocity * scale))
                    made[row.onset, row.pitch] = row._replace(velocity=min(_HUSHED, loud))
            if any(row.pitch in _SNARES for row in here):
                for beat in beats[1::2]:
                    made.setdefault((beat, _SNARES[0]), Row(beat, _EIGHTH, _SNARES[0], _SWEEP))
    return put(score, kit.name, spans, sorted(made.values()))


def _length(score: Score, number: int) -> int:
    bar = number - score.first_bar
    return score.bar_lines[bar + 1] - score.bar_lines[bar]


def _stays(row: Row, beats: list[int], closes: bool) -> bool:
    """Whether a stroke is one of the few."""
    if closes:
        return row.onset == beats[0]
    if row.pitch == _STICK:
        return True
    if row.pitch in _SKIN:
        return False
    if row.pitch in _KICKS:
        return row.onset == beats[0]
    return row.onset in (beats[1::2] if row.pitch in _SNARES else beats)
