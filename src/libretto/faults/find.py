"""Spot faults in a piece: what is wrong, where, how it is heard, and what to do.

Places (a note, a bar) and whole parts: what is remarked of a voice against the others is a fault, too.

Conventions: bars and beats count from 1 as a person reads them. A place is judged against the piece's own habits and
against real songs: ``confidence`` is the share of untouched real songs in which nothing of the kind is so striking.
What is reported by default is set, kind by kind, so that few real songs give any alarm (``docs/spot.md``). With
``strict`` (for exercises) every textbook fault is reported, habit or not. One place may be reported as several kinds:
a wrong bass note is often out of key as well. Wrong notes in a bar that is foreign as a whole are not reported singly.

Left out: faults of taste, of performance (velocities, timing under a sixteenth) and of percussion pitches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from string import digits
from typing import Any

import numpy as np

from libretto.errors import LibrettoError
from libretto.faults.columns import CLASSES, PITCHES, RUBBING, TINY
from libretto.faults.ear import ear_of
from libretto.faults.evidence import EARS, Candidates, Seen, evidence, places_of, textbook
from libretto.faults.notes import range_of
from libretto.faults.parts.listening import PART_KINDS, Listening
from libretto.registry import Registry
from libretto.score import QUARTER, Score, spell, take_bars
from libretto.score.facts import Facts
from libretto.score.pitch import pitch_name
from libretto.score.places import place
from libretto.score.table import Bools, Floats

__all__ = ["FAULT_KINDS", "SPOT_KINDS", "Fault", "fault_line", "spot", "words"]

#: Every kind of fault there is a finder for.
FAULT_KINDS = tuple(evidence)
#: Those, and what a voice as a whole may be remarked upon for.
SPOT_KINDS = (*FAULT_KINDS, *PART_KINDS)
_STRETCH = 800  # longer pieces are heard in stretches of so many bars
_LEAST_BARS = 4  # below, a piece has no habits to judge by
_LEAST_NOTES = 24
_SOUNDING = 0.4  # of a note's length; what sounds with it for so long is named
_MIDDLE_C = 60
_AROUND = 2  # bars on either side that a mended note should go with
_HOME_COUNTS = 2  # being at home there counts twice as much as what sounds at once


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, where it is (voice None: in all), what is heard, what to do, and how sure that is.

    ``last`` is the last bar of a fault that is longer than a bar.
    """

    kind: str
    bar: int
    beat: float
    voice: str | None
    heard: str
    advice: str
    confidence: float
    last: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return asdict(self)


def fault_line(fault: Fault) -> str:
    """A fault in one line for a person."""
    who = f" {fault.voice}" if fault.voice else ""
    where = f"bar {fault.bar} beat {fault.beat:.4g}" if fault.last is None else f"bars {fault.bar}-{fault.last}"
    return f"{fault.kind}: {where}{who}: {fault.heard}; {fault.advice} ({fault.confidence:.1%})"


def spot(
    score: Score, most: int = 5, *, strict: bool = False, kinds: tuple[str, ...] = (), confidence: float | None = None
) -> list[Fault]:
    """The faults of a piece, the surest first, at most so many; none where nothing stands out.

    A piece without pitched notes has none. A piece of fewer than four bars or two dozen notes has no habits to be
    judged by: only ``strict`` finds anything there.
    """
    for kind in kinds:
        if kind not in SPOT_KINDS:
            raise LibrettoError(f"there is no fault called {kind!r}; there are: {', '.join(SPOT_KINDS)}")
    surest: dict[tuple[str, int], Fault] = {}
    for stretch, offset in _stretches(score):
        seen, wanted = Seen(stretch), kinds or SPOT_KINDS
        for fault in (*_faults_of(seen, wanted, strict, confidence), *_parts_of(seen, wanted, confidence)):
            last = None if fault.last is None else fault.last + offset
            moved = replace(fault, bar=fault.bar + offset, last=last)
            best = surest.get((moved.kind, moved.bar))
            if best is None or best.confidence < moved.confidence:
                surest[moved.kind, moved.bar] = moved
    faults = list(surest.values()) if strict else _without_repeats(list(surest.values()))
    ranked = sorted(faults, key=lambda fault: (-fault.confidence, fault.bar, fault.kind))
    return ranked[: max(most, 0)]


def _parts_of(seen: Seen, kinds: tuple[str, ...], least: float | None) -> Iterator[Fault]:
    """What is remarked of whole voices against the others."""
    if not set(kinds) & set(PART_KINDS):
        return
    for remark in Listening(seen.score, seen=seen).remarks:
        if remark.kind not in kinds or (least is not None and remark.confidence < least):
            continue
        heard = remark.heard.removeprefix(f"{remark.voice} ")
        first, last = (remark.bars[0][0], remark.bars[-1][1]) if remark.bars else (seen.score.first_bar,) * 2
        yield Fault(remark.kind, first, 1.0, remark.voice, heard, remark.advice, remark.confidence, last)


def _without_repeats(faults: list[Fault]) -> list[Fault]:
    """The faults without wrong notes in bars that are foreign as a whole."""
    foreign = {fault.bar for fault in faults if fault.kind == "foreign-bar"}
    return [fault for fault in faults if fault.kind not in EARS["wrong-note"] or fault.bar not in foreign]


def _stretches(score: Score) -> Iterator[tuple[Score, int]]:
    """A long piece in stretches, each with what to add to its bar numbers."""
    if score.bars <= _STRETCH:
        yield score, 0
        return
    numbers = score.numbers
    for start in range(0, score.bars, _STRETCH):
        part = take_bars(score, numbers[start], numbers[min(start + _STRETCH, score.bars) - 1])
        yield part, numbers[start] - part.first_bar


def _faults_of(seen: Seen, kinds: tuple[str, ...], strict: bool, least: float | None) -> Iterator[Fault]:
    """What an ear reports of a piece, kind by kind; with ``strict`` also what a textbook forbids."""
    for name, mine in EARS.items() if seen.count else ():
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
    heard, advice = words[kind](seen, bar if note < 0 else note)
    return Fault(kind, number, round(beat, 4), voice, heard, advice, round(sure, 4))


#: For every kind of fault, what is heard of one and a move that mends it; from the index of its note, or of its bar.
words: Registry[Callable[[Facts, int], tuple[str, str]]] = Registry("way to word a fault")


@words.register("out-of-key")
def _out_of_key(facts: Facts, note: int) -> tuple[str, str]:
    return f"{_name_of(facts, note)} is foreign to the key and to the bars around", f"try {_mended(facts, note)}"


@words.register("wrong-bass")
def _wrong_bass(facts: Facts, note: int) -> tuple[str, str]:
    return f"the bass plays {_name_of(facts, note)} under {_chord(facts, note)}", f"try {_mended(facts, note)}"


@words.register("clash")
def _clash(facts: Facts, note: int) -> tuple[str, str]:
    rival = _rival(facts, note) or "what sounds"
    return f"{_name_of(facts, note)} rubs against {rival} and does not resolve", f"try {_mended(facts, note)}"


@words.register("crossing")
def _crossing(facts: Facts, note: int) -> tuple[str, str]:
    heard = f"{_name_of(facts, note)} lies on the wrong side of another line"
    return heard, "move it by an octave, or swap the two notes"


@words.register("range")
def _range(facts: Facts, note: int) -> tuple[str, str]:
    low, high = (_name(facts, end) for end in range_of(facts.score.voices[int(facts.voice[note])].program))
    return f"{_name_of(facts, note)} is outside the instrument ({low} to {high})", "move it by octaves"


@words.register("parallels")
def _parallels(facts: Facts, note: int) -> tuple[str, str]:
    heard = f"from {_name_of(facts, note)} on, two lines run in parallel fifths or octaves"
    return heard, "lead one of them by contrary or oblique motion"


@words.register("meter")
def _meter(facts: Facts, bar: int) -> tuple[str, str]:
    usual, mine = int(np.median(facts.bar_length)), int(facts.bar_length[bar])
    if mine != usual:
        heard = f"the bar lasts {mine / QUARTER:g} quarters, not {usual / QUARTER:g}"
        return heard, "give it the length of the others"
    return "its notes stand beside the beat on which the other bars stand", "move the bar's notes back into place"


@words.register("foreign-bar")
def _foreign_bar(facts: Facts, bar: int) -> tuple[str, str]:
    return "its notes belong to another key or another piece", "compare it with its parallel bars and restore it"


def _name(facts: Facts, pitch: int) -> str:
    return pitch_name(pitch, int(spell(np.array([pitch]), facts.score.key)[0]))


def _name_of(facts: Facts, note: int) -> str:
    return _name(facts, int(facts.pitch[note]))


def _chord(facts: Facts, note: int) -> str:
    """The pitch classes that the others sound."""
    classes = np.flatnonzero(facts.companions[note] >= _SOUNDING)
    return " ".join(_name(facts, _MIDDLE_C + int(one)).rstrip(digits) for one in classes) or "the others"


def _rival(facts: Facts, note: int) -> str | None:
    """The note that this one rubs against for longest."""
    mine, other, together = facts.both_ways
    rubs = (mine == note) & np.isin(np.abs(facts.pitch[mine] - facts.pitch[other]), RUBBING)
    if not rubs.any():
        return None
    worst = int(other[rubs][np.argmax(together[rubs])])
    return f"{_name_of(facts, worst)} of {facts.score.voices[int(facts.voice[worst])].name}"


def _mended(facts: Facts, note: int) -> str:
    """The neighbouring pitch that fits best with what sounds and with the bars around."""
    bar = int(facts.bar[note])
    near = facts.bar_mass[max(bar - _AROUND, 0) : bar + _AROUND + 1].sum(axis=0)
    near = near / max(float(near.sum()), TINY)
    company = facts.companions[note]

    def fit(pitch: int) -> float:
        one = pitch % CLASSES
        rub = max(company[(one + 1) % CLASSES], company[(one - 1) % CLASSES])
        return float(company[one] - rub + _HOME_COUNTS * near[one])

    pitch = int(facts.pitch[note])
    ways = [pitch + step for step in (-1, 1, -2, 2) if 0 <= pitch + step < PITCHES]
    return _name(facts, max(ways, key=fit))
