"""Spot faults in a piece: what is wrong, where, how it is heard, and what to do.

Conventions: bars and beats count from 1 as a person reads them. A place is judged against the piece's own habits and
against real songs: ``confidence`` is the share of untouched real songs in which nothing of the kind is so striking.
What is reported by default is set, kind by kind, so that few real songs give any alarm (``docs/spot.md``). With
``strict`` (for exercises) every textbook fault is reported, habit or not. One place may be reported as several kinds:
a wrong bass note is often out of key as well.

Left out: faults of taste, of performance (velocities, timing under a sixteenth) and of percussion pitches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from libretto.errors import LibrettoError
from libretto.score import Score, spell, take_bars
from libretto.score.pitch import pitch_name
from libretto.score.places import place
from libretto.tasks.spot_ear import ear_of
from libretto.tasks.spot_evidence import Candidates, Seen, evidence
from libretto.tasks.spot_textbook import textbook
from libretto.tasks.spot_words import heard_words

__all__ = ["FAULT_KINDS", "Fault", "fault_line", "spot"]

#: Every kind of fault there is a finder for.
FAULT_KINDS = tuple(evidence)
_STRETCH = 800  # longer pieces are heard in stretches of so many bars
_LEAST_BARS = 4  # below, a piece has no habits to judge by
_LEAST_NOTES = 24


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, where it is (voice None: in all), what is heard, what to do, and how sure that is."""

    kind: str
    bar: int
    beat: float
    voice: str | None
    heard: str
    advice: str
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


def fault_line(fault: Fault) -> str:
    """A fault in one line for a person."""
    who = f" {fault.voice}" if fault.voice else ""
    beat = f" beat {fault.beat:.4g}"
    return f"{fault.kind}: bar {fault.bar}{beat}{who}: {fault.heard}; {fault.advice} ({fault.confidence:.1%})"


def spot(
    score: Score, most: int = 5, *, strict: bool = False, kinds: tuple[str, ...] = (), confidence: float | None = None
) -> list[Fault]:
    """The faults of a piece, the surest first, at most so many; none where nothing stands out.

    A piece without pitched notes has none. A piece of fewer than four bars or two dozen notes has no habits to be
    judged by: only ``strict`` finds anything there.
    """
    for kind in kinds:
        if kind not in FAULT_KINDS:
            raise LibrettoError(f"there is no fault called {kind!r}; there are: {', '.join(FAULT_KINDS)}")
    found: dict[tuple[str, int], Fault] = {}
    for stretch, offset in _stretches(score):
        seen = Seen(stretch)
        if not seen.count:
            continue
        for kind in kinds or FAULT_KINDS:
            for fault in _found(seen, kind, strict, confidence):
                moved = Fault(**{**fault.to_dict(), "bar": fault.bar + offset})
                best = found.get((kind, moved.bar))
                if best is None or best.confidence < moved.confidence:
                    found[kind, moved.bar] = moved
    ranked = sorted(found.values(), key=lambda one: (-one.confidence, one.bar, one.kind))
    return ranked[: max(most, 0)]


def _stretches(score: Score) -> Iterator[tuple[Score, int]]:
    """A long piece in stretches, each with what to add to its bar numbers."""
    if score.bars <= _STRETCH:
        yield score, 0
        return
    numbers = score.numbers
    for start in range(0, score.bars, _STRETCH):
        part = take_bars(score, numbers[start], numbers[min(start + _STRETCH, score.bars) - 1])
        yield part, numbers[start] - part.first_bar


def _found(seen: Seen, kind: str, strict: bool, least: float | None) -> Iterator[Fault]:
    candidates = evidence[kind](seen)
    if not len(candidates.bar):
        return
    if seen.bars < _LEAST_BARS or seen.count < _LEAST_NOTES:
        sure = np.zeros(len(candidates.bar))
        chosen = np.zeros(len(candidates.bar), dtype=np.bool_)
    else:
        ear = ear_of(kind)
        sure = ear.confidence(ear.strength(candidates))
        chosen = sure >= (ear.least if least is None else least)
    if candidates.possible is not None:
        chosen &= candidates.possible
    if strict:
        chosen |= textbook[kind](seen, candidates)
    for index in np.flatnonzero(chosen).tolist():
        yield _worded(seen, kind, candidates, index, float(sure[index]))


def _worded(seen: Seen, kind: str, candidates: Candidates, index: int, sure: float) -> Fault:
    score, note, bar = seen.score, int(candidates.note[index]), int(candidates.bar[index])
    tick = score.bar_lines[bar] if note < 0 else int(seen.onset[note])
    number, beat = place(score, tick)
    voice = None if note < 0 else score.voices[int(seen.voice[note])].name
    name = "" if note < 0 else pitch_name(int(seen.pitch[note]), int(spell(seen.pitch[note : note + 1], score.key)[0]))
    heard, advice = heard_words(seen, kind, note, bar, name)
    return Fault(kind, number, round(beat, 4), voice, heard, advice, round(sure, 4))
