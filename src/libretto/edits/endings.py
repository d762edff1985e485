"""Endings: a last chord that is held, a fade, a sudden stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from libretto.edits.spans import Notes, Spans, changed, remade
from libretto.edits.touch import swelling
from libretto.score import QUARTER, Score, Voice
from libretto.score.marks import Mark, follow

__all__ = ["faded", "held_at_end", "last_start", "stopped"]

_FADE = -90  # steps of 127 by which a fade is softer at its end: hardly to be heard
_FADE_BARS = 8  # and no more than a quarter of the piece
_STOP_BARS = 4  # in which what sounds ends with the last stroke, and no more than a quarter of the piece
_SHORT = QUARTER // 2  # how long the last stroke of a sudden stop is
_LEAST_HELD = 2 * QUARTER  # how long a held last chord is at least


def _last_bars(score: Score, most: int) -> tuple[tuple[int, int], ...]:
    count = max(1, min(most, score.bars // 4))
    return ((score.numbers[-1] - count + 1, score.numbers[-1]),)


def last_start(score: Score) -> int:
    """The tick at which the pitched voices begin something for the last time; -1 where there are none."""
    return max((int(v.array["onset"].max()) for v in score.voices if not v.drums and len(v.array)), default=-1)


def _end(voice: Voice, onset: int) -> int:
    """Where the last of those notes of a voice ends that start at a tick."""
    notes = voice.array[voice.array["onset"] == onset]
    return int((notes["onset"] + notes["duration"]).max(initial=0))


def held_at_end(score: Score, names: Sequence[str] = (), early: int = 0) -> Score:
    """What sounds last held on, with fermatas: to the end of the piece, or a bar longer where it lasted that long.

    Only notes that start in the bar of the last one are held. A chord let go up to so many ticks ``early`` lasted.
    """
    last = last_start(score)
    if last < 0:
        return score
    bar = score.bar_at(last)
    line, length = score.bar_lines[bar], score.bar_lines[bar + 1] - score.bar_lines[bar]
    rings = max(
        int((v.array["onset"] + v.array["duration"])[v.array["onset"] == last].max(initial=0)) for v in score.voices
    )
    end = max(score.ticks, last + _LEAST_HELD) if rings < score.ticks - early else rings + length
    voices = []
    for voice in score.voices:
        notes = voice.array.copy()
        mine = notes["onset"] == notes["onset"].max(initial=-1)
        if not voice.drums and (not names or voice.name in names) and mine.any() and notes["onset"][mine][0] >= line:
            notes["duration"][mine] = end - notes["onset"][mine]
            made = replace(voice, array=notes, marks=follow(voice.marks, voice.array, notes))
            signs = [Mark(int(n["onset"]), "fermata", "", int(n["duration"]), int(n["pitch"])) for n in notes[mine]]
            voice = made.with_marks({*made.marks, *signs})
        voices.append(voice)
    return remade(score, voices, [(score.numbers[bar], score.numbers[-1])])


def faded(score: Score, names: Sequence[str] = (), spans: Spans = None) -> Score:
    """The last bars softer and softer until hardly anything is heard."""
    return swelling(score, 0, _FADE, names, spans if spans is not None else _last_bars(score, _FADE_BARS))


def stopped(score: Score) -> Score:
    """Everybody stops at once with the first stroke of the last bar that sounds; earlier notes end there at the latest.

    Notes that began before the last bars ring on.
    """
    last = last_start(score)
    if last < 0:
        return score
    line = score.bar_lines[score.bar_at(last)]
    hit = min(int(v.array["onset"][v.array["onset"] >= line].min(initial=last)) for v in score.voices if not v.drums)
    spans = _last_bars(score, _STOP_BARS)

    def short(voice: Voice, notes: Notes) -> Notes:
        notes["duration"] = np.maximum(1, np.minimum(notes["duration"], hit + _SHORT - notes["onset"]))
        return notes

    kept = [voice.with_notes(voice.array[voice.array["onset"] <= hit]) for voice in score.voices]
    return changed(remade(score, kept, spans), (), spans, short, drums=True)
