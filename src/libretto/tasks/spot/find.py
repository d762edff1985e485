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
from libretto.score import QUARTER, Score, spell, take_bars
from libretto.score.facts import Bools, Facts, Floats
from libretto.score.pitch import pitch_name
from libretto.score.places import place
from libretto.tasks.spot.ear import ear_of
from libretto.tasks.spot.evidence import EARS, Candidates, Seen, evidence, places_of, textbook
from libretto.tasks.spot.notes import range_of

__all__ = ["FAULT_KINDS", "Fault", "fault_line", "heard_words", "spot"]

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


def heard_words(facts: Facts, kind: str, note: int, bar: int, name: str) -> tuple[str, str]:
    """What is heard at a fault, and a move that mends it."""
    if kind == "out-of-key":
        return f"{name} is foreign to the key and to the bars around", f"try {_mended(facts, note)}"
    if kind == "wrong-bass":
        return f"the bass plays {name} under {_chord(facts, note)}", f"try {_mended(facts, note)}"
    if kind == "clash":
        rival = _rival(facts, note)
        return f"{name} rubs against {rival or 'what sounds'} and does not resolve", f"try {_mended(facts, note)}"
    if kind == "crossing":
        return f"{name} lies on the wrong side of another line", "move it by an octave, or swap the two notes"
    if kind == "range":
        low, high = range_of(facts.score.voices[int(facts.voice[note])].program)
        return f"{name} is outside the instrument ({_name(facts, low)} to {_name(facts, high)})", "move it by octaves"
    if kind == "parallels":
        return (
            f"from {name} on, two lines run in parallel fifths or octaves",
            "lead one of them by contrary or oblique motion",
        )
    if kind == "meter":
        usual = int(np.median(facts.bar_length))
        mine = int(facts.bar_length[bar])
        if mine != usual:
            return (
                f"the bar lasts {mine / QUARTER:g} quarters, not {usual / QUARTER:g}",
                "give it the length of the others",
            )
        return "its notes stand beside the beat on which the other bars stand", "move the bar's notes back into place"
    return "its notes belong to another key or another piece", "compare it with its parallel bars and restore it"


def _name(facts: Facts, pitch: int) -> str:
    return pitch_name(pitch, int(spell(np.array([pitch]), facts.score.key)[0]))


def _chord(facts: Facts, note: int) -> str:
    """The pitch classes that the others sound."""
    classes = np.flatnonzero(facts.companions[note] >= 0.4)
    return " ".join(_name(facts, 60 + int(one)).rstrip("0123456789") for one in classes) or "the others"


def _rival(facts: Facts, note: int) -> str | None:
    """The note that this one rubs against for longest."""
    mine, other, together = facts.both_ways
    rubs = (mine == note) & np.isin(np.abs(facts.pitch[mine] - facts.pitch[other]), (1, 11, 13))
    if not rubs.any():
        return None
    worst = int(other[rubs][np.argmax(together[rubs])])
    return f"{_name(facts, int(facts.pitch[worst]))} of {facts.score.voices[int(facts.voice[worst])].name}"


def _mended(facts: Facts, note: int) -> str:
    """The neighbouring pitch that fits best with what sounds and with the bars around."""
    bar = int(facts.bar[note])
    near = facts.bar_mass[max(bar - 2, 0) : bar + 3].sum(axis=0)
    near = near / max(float(near.sum()), 1e-9)
    company = facts.companions[note]

    def fit(pitch: int) -> float:
        one = pitch % 12
        return float(company[one] - max(company[(one + 1) % 12], company[(one - 1) % 12]) + 2 * near[one])

    pitch = int(facts.pitch[note])
    ways = [pitch + step for step in (-1, 1, -2, 2) if 0 <= pitch + step <= 127]
    return _name(facts, max(ways, key=fit))
