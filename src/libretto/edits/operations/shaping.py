"""Notes where they are: shifted in time, thinned, silenced, louder and softer by a curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from libretto.edits.density import thinned
from libretto.edits.operations.step import (
    Done,
    Step,
    bars_of,
    flag_of,
    fraction_of,
    list_of,
    number_of,
    operation,
    rewritten,
    voice_names,
)
from libretto.edits.parts import silenced
from libretto.edits.spans import Notes, starts_in, stretches
from libretto.errors import LibrettoError
from libretto.score import WHOLE, Score, Voice
from libretto.score.bar_lists import spans_text
from libretto.score.marks import follow
from libretto.score.pitch import HIGHEST
from libretto.score.places import place
from libretto.score.scope import Scope
from libretto.score.table import Ints

__all__: list[str] = []

_MOST_POINTS = 64  # of a curve
_THINNEST = 0.6  # of the starts: more is another part


def _about(names: Sequence[str], spans: Sequence[tuple[int, int]]) -> str:
    return f"bars {spans_text(spans)} of {', '.join(names)}"


@operation("shift", "bars voices by wrap", '{"op":"shift","bars":"5-8","voices":"Piano","by":"1/8","wrap":true}')
def _shift(score: Score, step: Step) -> Done:
    """Notes earlier or later by a part of a whole note (1/8, -1/16); wrap=true brings what leaves the bars back in at
    their other end."""
    spans, names, share = bars_of(score, step), voice_names(score, step), fraction_of(step, "by")
    if (WHOLE * share).denominator != 1:
        raise LibrettoError(f"shift: {share} of a whole note is no time that can be written; say 1/8, or -1/16")
    by, wrap = int(WHOLE * share), flag_of(step, "wrap")
    ticks, voices = stretches(score, spans), []
    for voice in score.voices:
        if voice.name in names and starts_in(voice.array, ticks).any():
            notes = voice.array.copy()
            for start, end in ticks:
                mine = starts_in(voice.array, [(start, end)])
                notes["onset"][mine] = _shifted(score, voice, voice.array["onset"][mine], by, (start, end), wrap)
            voice = replace(voice, array=notes, marks=follow(voice.marks, voice.array, notes))
        voices.append(voice)
    far = f"{abs(share)} {'later' if by > 0 else 'earlier'}"
    return Done(rewritten(score, voices, spans), Scope(names, spans), f"{_about(names, spans)} {far}")


def _shifted(score: Score, voice: Voice, onset: Ints, by: int, stretch: tuple[int, int], wrap: bool) -> Ints:
    """Starts moved inside a stretch."""
    start, end = stretch
    there = onset.astype(np.int64) + by
    if wrap:
        return np.asarray(start + (there - start) % (end - start), dtype=np.int64)
    out = (there < start) | (there >= end)
    if out.any():
        bar, beat = place(score, int(onset[int(np.argmax(out))]))
        raise LibrettoError(
            f"shift: the note of {voice.name} in bar {bar} on beat {beat:g} would leave the bars; name more bars, "
            "a smaller shift, or wrap=true"
        )
    return there


@operation("thin", "bars voices share", '{"op":"thin","bars":"9-12","voices":"Piano","share":0.4}')
def _thin(score: Score, step: Step) -> Done:
    """That share of the starts left out (0.3): off the beat first, short ones first; downbeats stay."""
    spans, names = bars_of(score, step), voice_names(score, step)
    share = number_of(step, "share", 0.01, _THINNEST)
    made = thinned(score, share, names, spans)
    gone = len(score.table) - len(made.table)
    made = rewritten(score, made.voices, spans)
    return Done(made, Scope(names, spans), f"{_about(names, spans)} thinned by {gone} notes")


@operation("silence", "bars voices", '{"op":"silence","bars":"15-16","voices":"Drums"}')
def _silence(score: Score, step: Step) -> Done:
    """Nothing of those voices starts in those bars."""
    spans, names = bars_of(score, step), voice_names(score, step)
    made = rewritten(score, silenced(score, names, spans).voices, spans)
    return Done(made, Scope(names, spans), f"{_about(names, spans)} silent")


@operation(
    "velocity", "bars voices curve by flat", '{"op":"velocity","bars":"1-16","voices":"Strings","curve":[50,95,60]}'
)
def _velocity(score: Score, step: Step) -> Done:
    """How loud: curve is 1 to 64 velocities, spread evenly over the bars and joined by straight lines; what was
    accented stays so much louder, unless flat=true. Or by: so many steps of 127 louder (below 0: softer)."""
    spans, names = bars_of(score, step), voice_names(score, step)
    if (step.get("curve") is None) == (step.get("by") is None):
        raise LibrettoError("velocity: say a curve, such as [50, 95, 60], or by, such as -10; one of them")
    ticks, flat = stretches(score, spans), flag_of(step, "flat")
    curve = _curve(step) if step.get("by") is None else None
    by = 0 if curve is not None else round(number_of(step, "by", -HIGHEST, HIGHEST))
    voices = []
    for voice in score.voices:
        mine = starts_in(voice.array, ticks)
        if voice.name in names and mine.any():
            notes = voice.array.copy()
            notes["velocity"][mine] = _loud(notes[mine], curve, by, (ticks[0][0], ticks[-1][1]), flat)
            voice = replace(voice, array=notes)
        voices.append(voice)
    made = replace(score, voices=tuple(voices))
    told = f"{by:+d}" if curve is None else " to ".join(f"{point:g}" for point in curve)
    return Done(made, Scope(names, spans), f"{_about(names, spans)}: velocity {told}")


def _curve(step: Step) -> list[float]:
    points = [number_of({"op": "velocity", "curve": point}, "curve", 1, HIGHEST) for point in list_of(step, "curve")]
    if len(points) > _MOST_POINTS:
        raise LibrettoError(f"velocity: a curve has at most {_MOST_POINTS} points, not {len(points)}")
    return points


def _loud(notes: Notes, curve: list[float] | None, by: int, stretch: tuple[int, int], flat: bool) -> Ints:
    """The velocities of some notes: along a curve over a stretch of ticks, or by so many steps."""
    velocity = notes["velocity"].astype(np.int64)
    if curve is None:
        wanted = velocity + by
    else:
        places = np.linspace(stretch[0], stretch[1], len(curve))
        accents = 0 if flat else velocity - round(float(velocity.mean()))
        wanted = np.rint(np.interp(notes["onset"], places, curve)).astype(np.int64) + accents
    return np.asarray(np.clip(wanted, 1, HIGHEST), dtype=np.int64)
