"""How each voice sits in what the others play, in figures that a musician can read.

Conventions: every figure is a share of 0 to 1, and None where it does not apply (no other voice, no bass). A voice is
*doubled* where another starts the same pitch class at the same moment; doubling is no fault, and parallels are counted
between lines that are not doubles. Two voices *crowd* each other where notes of both lie within a whole tone, without
being the same note, in each other's usual range.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pkgutil import get_data
from typing import Any

import numpy as np

from libretto.faults.columns import CLASSES, TINY
from libretto.faults.lines import LinePair, line_pairs
from libretto.faults.parts.evidence import WHOLE_EVIDENCE, heard_of
from libretto.faults.parts.grid import Parts
from libretto.score.facts import Facts
from libretto.score.model import Score
from libretto.score.played import played
from libretto.score.table import distinct

__all__ = ["FIGURES", "QUANTILES", "Seat", "seat_lines", "seats_of", "usual_seats"]

_CLOSE = 2  # semitones: nearer notes of two voices that are not the same crowd each other
_CHORD = (0, 3, 4, 7, 8, 9, 10)  # semitones from a bass note up to what belongs to a chord over it, inversions too
_DOUBLES = 0.6  # of a voice's onsets: from here on it is said whom it doubles
_DIGITS = 3
_SCARCE = ("harmony", "key", "pulse", "bass")  # figures of which too little may be wrong
_PLENTY = ("rubs", "strong_rubs", "tritones", "crowding", "parallels")  # and too much
#: The parts of real voices at which it is kept what is usual.
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
#: What every figure means, in a few words.
FIGURES = {
    "harmony": "consonant with what sounds in the others",
    "key": "in the scale that the others keep to",
    "pulse": "struck together with another voice",
    "rubs": "a semitone from what sounds in the others",
    "strong_rubs": "a semitone from what sounds in the others, on a beat",
    "tritones": "a tritone from what sounds in the others",
    "bass": "the lowest voice is root, third, fifth or sixth under what sounds",
    "crowding": "within a tone of another voice, and not the same note",
    "doubled": "started together with the same note or its octave",
    "parallels": "moves in parallel fifths or octaves with another line",
}


@dataclass(frozen=True)
class Seat:
    """One voice among the others: figures by name, and whom it doubles ("" for nobody)."""

    voice: str
    figures: dict[str, float | None]
    doubles: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def seats_of(score: Score) -> tuple[Seat, ...]:
    """How every pitched voice with enough notes sits in what the others play, in the order of the score."""
    facts = Facts(played(score))
    heard, parts = heard_of(facts), Parts(facts)
    doubled, crowded, parallels = _doubles(parts), _crowding(facts), _parallels(facts)
    seats = []
    for number, voice in enumerate(heard.voices.tolist()):
        row = dict(zip(WHOLE_EVIDENCE, heard.whole[number].tolist(), strict=True))
        share, whom = doubled.get(voice, (0.0, -1))
        figures = {
            "harmony": row["unisons"] + row["consonances"],
            "key": row["in the others' scale"],
            "pulse": row["struck together"],
            "rubs": row["rubs"],
            "strong_rubs": row["strong rubs"],
            "tritones": row["tritones"],
            "bass": _bass(parts, voice) if voice == facts.bass else None,
            "crowding": crowded[voice],
            "doubled": share,
            "parallels": parallels.get(voice),
        }
        known = {name: None if value is None else round(float(value), _DIGITS) for name, value in figures.items()}
        name = score.voices[voice].name
        seats.append(Seat(name, known, score.voices[whom].name if share >= _DOUBLES and whom >= 0 else ""))
    return tuple(seats)


def _doubles(parts: Parts) -> dict[int, tuple[float, int]]:
    """For each voice the largest share of its onsets that one other voice doubles, and that voice."""
    facts = parts.facts
    code = parts.start * CLASSES + facts.pitch_class
    mine = {int(voice): distinct(code[facts.voice == voice]) for voice in distinct(facts.voice)}
    best: dict[int, tuple[float, int]] = {}
    for voice, own in mine.items():
        shares = [(float(np.isin(own, other).mean()), -whom) for whom, other in mine.items() if whom != voice]
        if shares:
            share, whom = max(shares)
            best[voice] = share, -whom
    return best


def _crowding(facts: Facts) -> dict[int, float]:
    """For each voice the share of its sounding time that another lies within a tone of it, not at the same pitch."""
    note, other, together = facts.both_ways
    gap = np.abs(facts.pitch[note] - facts.pitch[other])
    close = (facts.voice[note] != facts.voice[other]) & (gap > 0) & (gap <= _CLOSE)
    time = np.bincount(facts.voice[note[close]], together[close], minlength=facts.voices)
    total = np.maximum(np.bincount(facts.voice, facts.duration, minlength=facts.voices), TINY)
    return dict(enumerate(np.minimum(time / total, 1.0).tolist()))


def _bass(parts: Parts, voice: int) -> float:
    """The share of the time under others in which what they sound belongs to a chord over the bass note."""
    mine, rest = (sound[0].astype(np.float64) for sound in parts.sound([voice]))
    cross = mine @ rest.T
    share = np.array([float(np.diagonal(np.roll(cross, -step, axis=1)).sum()) for step in range(CLASSES)])
    return float(share[list(_CHORD)].sum() / max(float(share.sum()), TINY))


def _parallels(facts: Facts) -> dict[int, float]:
    """For each line the share of moves with any other line that are parallel fifths or octaves; doubles left out."""
    moves: dict[int, list[int]] = {}
    for pair in line_pairs(facts):
        for voice in _voices_of(facts, pair):
            known = moves.setdefault(voice, [0, 0])
            known[0] += int(pair.parallel.sum())
            known[1] += len(pair.moves)
    return {voice: parallel / count for voice, (parallel, count) in moves.items() if count}


def _voices_of(facts: Facts, pair: LinePair) -> tuple[int, int]:
    return int(facts.voice[pair.upper[0]]), int(facts.voice[pair.lower[0]])


@lru_cache(maxsize=1)
def _kept() -> dict[str, dict[str, list[float]]]:
    text = (get_data("libretto.faults.parts", "seats.json") or b"").decode()
    usual: dict[str, dict[str, list[float]]] = json.loads(text)["usual"]
    return usual


def usual_seats(genre: str = "") -> Mapping[str, Sequence[float]]:
    """For each figure what is usual in real music of a genre, or in all: the values at ``QUANTILES``."""
    return _kept().get(genre) or _kept()[""]


def _is_odd(name: str, value: float, usual: Sequence[float]) -> bool:
    """Whether a figure lies outside nine in ten real voices, on the side where something may be wrong."""
    return value < usual[0] if name in _SCARCE else value > usual[-1] if name in _PLENTY else False


def seat_lines(seats: Sequence[Seat], genre: str = "") -> list[str]:
    """A line for each voice: what lies outside of nine in ten real voices, and whom it doubles."""
    usual, lines = usual_seats(genre), []
    for seat in seats:
        notes = [
            f"{FIGURES[name]}: {value:.0%}, usually {usual[name][0]:.0%} to {usual[name][-1]:.0%}"
            for name, value in seat.figures.items()
            if value is not None and name in usual and _is_odd(name, value, usual[name])
        ]
        doubling = [f"doubles {seat.doubles}"] if seat.doubles else []
        lines.append(f"{seat.voice}: {'; '.join([*doubling, *notes]) or 'as usual'}")
    return lines
