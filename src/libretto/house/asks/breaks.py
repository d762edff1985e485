"""Drum breaks: a kit alone for some bars, over toms and snare, while all others rest."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.breaks import bars_of_break
from libretto.edits.parts import silenced
from libretto.house.asks.notes import Row, beats_of, put
from libretto.score import QUARTER, Score

__all__ = ["drum_break"]

_KEYS = {"s": 38, "h": 48, "m": 47, "l": 45, "f": 41}  # snare and toms from high to low
_BARS = ("s.hhh.hhm.mmf.ff", "s.ss.s.sh.h.mmff", "shh.shh.mff.mff.", "f.ff.fmmh.hh.hss")
_LAST = "sssshhhhmmmmffff"  # a roll down, into what follows
_KICK, _CRASH = 36, 49
_FIRM, _LIGHT = 108, 88  # velocities of the first stroke of a group, and of the others
_SIXTEENTH = QUARTER // 4


# What brushes play in every beat of a bar, in thirds of it: strokes, taps and ghosts; another row every bar.
_SWEPT = (
    ("S.g", "s.g", "..s", "S.s", "g.s"),
    ("S..", "gss", ".gS", "s.g", "sgs"),
    ("S.s", ".gs", "S.g", "g.S", "..g"),
    ("s.S", "..s", "Sgs", "S.s", "sss"),
)
_TOUCH = {"S": 82, "s": 62, "g": 42}  # velocities of brushes
_FOOT, _TREAD = 44, 46  # the hat under a foot, on weak beats


def drum_break(ask: Ask, score: Score, name: str, *, brushed: bool = False) -> Score:
    """The piece with a kit alone in the bars of its solo; with brushes it stays on the snare, and its feet keep the
    beats."""
    span = bars_of_break(ask, score)
    if span is None:
        return score
    others = [voice.name for voice in score.voices if voice.name != name]
    rows: list[Row] = []
    if brushed:
        for bar in range(span[0], span[1] + 1):
            rows += _swept(score, bar - score.first_bar, _SWEPT[(bar - span[0]) % len(_SWEPT)])
        return silenced(put(score, name, (span,), rows), others, (span,))
    for bar in range(span[0], span[1] + 1):
        rows += _bar(score, bar - score.first_bar, _LAST if bar == span[1] else _BARS[(bar - span[0]) % len(_BARS)])
    first = score.bar_lines[span[0] - score.first_bar]
    rows.append(Row(first, _SIXTEENTH, _CRASH, _FIRM))
    return silenced(put(score, name, (span,), rows), others, (span,))


def _bar(score: Score, bar: int, strokes: str) -> list[Row]:
    """One bar: strokes in sixteenths as far as it lasts, and a kick on the beats."""
    start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
    rows = [Row(beat, _SIXTEENTH, _KICK, _LIGHT) for beat in beats_of(score, bar)]
    for place, tick in enumerate(range(start, end, _SIXTEENTH)):
        sign = strokes[place % len(strokes)]
        if sign in _KEYS:
            fresh = place % 4 == 0 or strokes[(place - 1) % len(strokes)] != sign
            rows.append(Row(tick, _SIXTEENTH, _KEYS[sign], _FIRM if fresh else _LIGHT))
    return rows


def _swept(score: Score, bar: int, cells: Sequence[str]) -> list[Row]:
    """One bar of brushes: its beats in thirds, the foot on the weak ones, and the kick where the bar begins."""
    end, beats = score.bar_lines[bar + 1], beats_of(score, bar)
    rows = [Row(beats[0], _SIXTEENTH, _KICK, _TREAD)]
    rows += [Row(beat, _SIXTEENTH, _FOOT, _TREAD) for beat in beats[1::2]]
    for place, (beat, following) in enumerate(zip(beats, [*beats[1:], end], strict=True)):
        third = (following - beat) // 3
        for turn, sign in enumerate(cells[place % len(cells)]):
            if sign in _TOUCH:
                rows.append(Row(beat + turn * third, _SIXTEENTH, _KEYS["s"], _TOUCH[sign]))
    return rows
