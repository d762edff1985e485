"""Spot faults in a piece: what is wrong, where, how it is heard, and what to do.

Conventions: bars and beats count from 1 as a person reads them. A place is judged against the piece's own habits and
against real songs: ``confidence`` is the share of untouched real songs in which nothing of the kind is so striking.
What is reported by default is set, kind by kind, so that few real songs give any alarm (``docs/spot.md``). With
``strict`` (for exercises) every textbook fault is reported, habit or not. One place may be reported as several kinds:
a wrong bass note is often out of key as well. Wrong notes in a bar that is foreign as a whole are not reported singly.

Left out: faults of taste, of performance (velocities, timing under a sixteenth) and of percussion pitches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from libretto.errors import LibrettoError
from libretto.score import Score, spell, take_bars
from libretto.score.facts import Bools, Floats
from libretto.score.pitch import pitch_name
from libretto.score.places import place
from libretto.tasks.spot.ear import ear_of
from libretto.tasks.spot.evidence import EARS, Candidates, Seen, evidence, places_of
from libretto.tasks.spot.textbook import textbook
from libretto.tasks.spot.words import heard_words

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
        for fault in _found(seen, kinds or FAULT_KINDS, strict, confidence):
            moved = replace(fault, bar=fault.bar + offset)
            best = found.get((moved.kind, moved.bar))
            if best is None or best.confidence < moved.confidence:
                found[moved.kind, moved.bar] = moved
    if not strict:
        foreign = {bar for kind, bar in found if kind == "foreign-bar"}
        found = {at: one for at, one in found.items() if at[0] not in EARS["wrong-note"] or at[1] not in foreign}
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


def _found(seen: Seen, kinds: tuple[str, ...], strict: bool, least: float | None) -> Iterator[Fault]:
    for name, mine in EARS.items():
        wanted = [kind for kind in mine if kind in kinds]
        if not wanted:
            continue
        places = places_of(seen, name)
        sure, chosen = _heard(seen, name, places, least)
        for kind in wanted:
            candidates = evidence[kind](seen)
            which = np.isin(places.note, candidates.note) if len(mine) > 1 else np.ones(len(places.bar), dtype=np.bool_)
            where = np.flatnonzero(which)
            reported = chosen[where]
            if strict:
                reported = reported | textbook[kind](seen, candidates)
            for index in np.flatnonzero(reported).tolist():
                yield _worded(seen, kind, candidates, index, float(sure[where][index]))


def _heard(seen: Seen, name: str, places: Candidates, least: float | None) -> tuple[Floats, Bools]:
    """How sure it is that each place is a fault, and which are striking enough to be reported."""
    if seen.bars < _LEAST_BARS or seen.count < _LEAST_NOTES or not len(places.bar):
        return np.zeros(len(places.bar)), np.zeros(len(places.bar), dtype=np.bool_)
    ear = ear_of(name)
    strength = ear.strength(places.rows, places.bar)
    sure = ear.confidence(strength)
    return sure, strength >= ear.least if least is None else sure >= least


def _worded(seen: Seen, kind: str, candidates: Candidates, index: int, sure: float) -> Fault:
    score, note, bar = seen.score, int(candidates.note[index]), int(candidates.bar[index])
    tick = score.bar_lines[bar] if note < 0 else int(seen.onset[note])
    number, beat = place(score, tick)
    voice = None if note < 0 else score.voices[int(seen.voice[note])].name
    name = "" if note < 0 else pitch_name(int(seen.pitch[note]), int(spell(seen.pitch[note : note + 1], score.key)[0]))
    heard, advice = heard_words(seen, kind, note, bar, name)
    return Fault(kind, number, round(beat, 4), voice, heard, advice, round(sure, 4))
