"""What hands can do, as measured: levels of difficulty, ranges, registers and how many notes there are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.compass import has_overtones, upper_line
from libretto.contract.checks.lines import OF_LINES, share_of_bars
from libretto.contract.checks.peaks import ONE_PEAK, peaks_once
from libretto.contract.checks.roominess import ROOM, has_room
from libretto.contract.checks.shouting import SHOUTING, shouts
from libretto.contract.checks.soaring import SOARING, soars
from libretto.contract.checks.where import (
    Spans,
    bar_mask,
    nowhere,
    said,
    spans_of_ask,
    tops,
    tune_of,
    voices_of,
    within,
)
from libretto.contract.contract import Contract
from libretto.contract.instruments import instrument_of_program
from libretto.score.model import Score
from libretto.score.pitch import parse_pitch
from libretto.score.time import QUARTER

__all__ = [
    "HANDS",
    "LEVELS",
    "RISING",
    "Level",
    "Range",
    "counted",
    "hand_of",
    "per_quarter",
    "range_asked",
    "register_of",
    "rises",
]

#: The hands of a player, with middle C for the right one.
HANDS = ("right", "left")
#: What an ask for a register says of a line that climbs from its beginning to its end.
RISING = "rising"
_LIES = ("the upper line lies", "everything lies")  # of pitches that are asked for, and of intervals
_RISE = 4  # semitones by which it does at least
_MIDDLE = 60
_BASS = "bass"


class Level(NamedTuple):
    """What a level allows: semitones and notes of each hand, the shortest step, and whether it is hard."""

    reach: int
    notes: int
    shortest: int
    hard: bool = False


#: How hard a piece is, by name.
LEVELS: Mapping[str, Level] = {
    "beginner": Level(12, 2, QUARTER // 2),
    "intermediate": Level(24, 3, QUARTER // 4),
    "advanced": Level(127, 10, QUARTER // 8, hard=True),
}
_EASY = 0.98  # the share of notes that keep what a level allows; an ornament may not
_RICHER = 1.25  # times the starts that a tune has late which grows florid
_SPARSE_ONE = 1.0  # starts a quarter of one who is to be sparse
_SPARSE, _BUSY = 1.25, 2.0  # starts a quarter: little more than a note a beat; a note every eighth
_LESS, _MORE = 0.8, 1.2  # of what is around a passage
_LOW, _HIGH = 0.45, 0.55  # of the way through where an instrument is comfortable
_DEEP = 57  # A3: a mean that is low on any instrument
_APART = 3.0  # semitones that a passage lies lower or higher than what is around it
_QUICK = 1 / 16  # of the notes of a hard piece are shorter than an eighth


class Range(NamedTuple):
    """A range that was asked for: two pitches, the widest interval of a hand, or the interval in which a part stays."""

    low: int | None = None
    high: int | None = None
    span: int | None = None
    compass: int | None = None

    def compass_of(self, program: int | None) -> int | None:
        """The interval in which a part stays that is played on an instrument: of one line, what a hand spans as
        well."""
        alone = program is not None and instrument_of_program(program).polyphony == 1
        return self.span if self.compass is None and alone else self.compass


def range_asked(text: str) -> Range | None:
    """The range that a text says; None where it says none.

    >>> range_asked("C4-G4")[:2], range_asked("span 12").span, range_asked("compass 7").compass
    ((60, 67), 12, 7)
    """
    interval = re.fullmatch(r"(span|compass) (\d{1,2})", text.strip())
    if interval:
        return Range(**{interval[1]: int(interval[2])})
    names = re.fullmatch(r"([A-Ga-g][#b]?-?\d)\s?[-–]\s?([A-Ga-g][#b]?-?\d)", text.strip())
    pitches = [parse_pitch(name[0].upper() + name[1:]) for name in names.groups()] if names else []
    numbers = sorted(pitch[0] for pitch in pitches if pitch is not None)
    return Range(numbers[0], numbers[1]) if len(numbers) == 2 and numbers[0] < numbers[1] else None


def hand_of(pitch: int) -> str:
    """The hand that plays a pitch on a keyboard."""
    return "right" if pitch >= _MIDDLE else "left"


def per_quarter(score: Score, voices: Sequence[int], spans: Spans, *, outside: bool = False) -> float:
    """How many starts a quarter some voices have together, in some bars or in all others."""
    mask = bar_mask(spans, score)
    mask = ~mask if outside else mask
    if not mask.any():
        return 0.0
    lines = np.asarray(score.bar_lines)
    quarters = float((lines[1:] - lines[:-1])[mask].sum()) / QUARTER
    table = score.table
    mine = np.isin(table["voice"], list(voices)) & mask[table["bar"]]
    return len(np.unique(table["onset"][mine])) / quarters


def register_of(ask: Ask, score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    """Whether a voice lies as low or high as an ask says, and the evidence: beside what is around a passage, or within
    its instrument."""
    voice = score.voices[index]
    notes = within(voice.array, spans, score)
    if not len(notes):
        return False, f"{voice.name} plays nothing there"
    here = float(notes["pitch"].mean())
    low = ask.what == "low"
    if low and ((ask.who == _BASS and index == tune_of(score, spans)) or has_overtones(voice.name)):
        here = _deepest(score, notes)
    mask = bar_mask(spans, score)
    if not mask.all():
        others = voice.array[~mask[np.searchsorted(score.bar_lines, voice.array["onset"], side="right") - 1]]
        if len(others):
            gap = here - float(others["pitch"].mean())
            kept = gap <= -_APART if low else gap >= _APART
            return kept, f"{voice.name} lies {abs(gap):.0f} semitones {'lower' if gap < 0 else 'higher'} than elsewhere"
    bottom, top = instrument_of_program(voice.program or 0).comfortable
    share = (here - bottom) / max(1, top - bottom)
    kept = share <= _LOW or here <= _DEEP if low else share >= _HIGH
    return kept, f"{voice.name} lies about {share:.0%} up its range"


def _deepest(score: Score, notes: NDArray[Any]) -> float:
    """Where the lowest notes of the bars lie: the bass of who plays the tune besides."""
    bars = np.searchsorted(score.bar_lines, notes["onset"], side="right")
    return float(np.mean([notes["pitch"][bars == bar].min() for bar in np.unique(bars)]))


def rises(ask: Ask, score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    """Whether the line of a voice lies higher in the last third of its notes than in the first, and the evidence."""
    line = tops(within(score.voices[index].array, spans, score))
    third = max(1, len(line) // 3)
    gap = float(line["pitch"][-third:].mean() - line["pitch"][:third].mean()) if len(line) else 0.0
    name = score.voices[index].name
    return gap >= _RISE, f"{name} ends {abs(gap):.0f} semitones {'lower' if gap < 0 else 'higher'} than it begins"


@ask_clauses.register("register")
def _register(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    mine = _pitched(ask, score, spans, "melody")
    if not spans or not mine:
        return nowhere(ask, spans)
    heard = {RISING: rises, SHOUTING: shouts, SOARING: soars, ONE_PEAK: peaks_once}.get(ask.what, register_of)
    told = [heard(ask, score, index, spans) for index in mine]
    told = told if ask.what != SOARING else [max(told)]  # of a section its highest does
    return all(kept for kept, _ in told), "; ".join(text for _, text in told), spans


def _pitched(ask: Ask, score: Score, spans: Spans, default: str = "") -> list[int]:
    return [index for index in voices_of(ask.who or default, score, spans) if not score.voices[index].drums]


def counted(ask: Ask, score: Score, spans: Spans) -> list[int]:
    """The voices whose starts an ask for few or many notes counts: what is sparse leaves the tune as it is."""
    mine = _pitched(ask, score, spans)
    others = [index for index in mine if index != tune_of(score, spans)]
    return others if ask.what == "sparse" and not ask.who and others else mine


@ask_clauses.register("density")
def _density(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    mine = counted(ask, score, spans) if spans else []
    if not spans or not mine:
        return nowhere(ask, spans)
    if ask.what == ROOM:
        return has_room(ask, score, mine[0], spans)
    if ask.what == "florid":
        third = (spans[-1][1] - spans[0][0] + 1) // 3
        early, late = ((spans[0][0], spans[0][0] + third),), ((spans[-1][1] - third, spans[-1][1]),)
        one, two = per_quarter(score, mine, early), per_quarter(score, mine, late)
        return two >= one * _RICHER, f"{one:.1f} starts a quarter in {said(early)}, {two:.1f} in {said(late)}", spans
    if ask.what in OF_LINES:
        share = share_of_bars(ask, score, spans)
        return share >= OF_LINES[ask.what], f"{ask.what} in {share:.0%} of the bars of the line", spans
    here = per_quarter(score, mine, spans)
    around = per_quarter(score, mine, spans, outside=True) if ask.where else 0.0
    sparse = ask.what == "sparse"
    if around:
        kept = here <= around * _LESS if sparse else here >= around * _MORE
        return kept, f"{here:.1f} starts a quarter in {said(spans)}, {around:.1f} elsewhere", spans
    most = _SPARSE_ONE if ask.who else _SPARSE
    return (here <= most if sparse else here >= _BUSY), f"{here:.1f} starts a quarter", spans


@ask_clauses.register("range")
def _range(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans, asked = spans_of_ask(ask, score), range_asked(ask.what)
    if asked is None:
        return None, f"{ask.what} is no range", ()
    mine = _pitched(ask, score, spans, "" if asked.span is not None else "melody")
    if not spans or not mine:
        return nowhere(ask, spans)
    faults = []
    for index in mine:
        notes = within(score.voices[index].array, spans, score)
        if asked.low is not None and asked.high is not None:
            line = tops(notes)["pitch"]
            out = int(((line < asked.low) | (line > asked.high)).sum())
            faults += [f"{out} notes of {score.voices[index].name} lie outside {ask.what}"] if out else []
        elif (most := asked.compass_of(score.voices[index].program)) is not None:
            line = notes["pitch"][upper_line(notes, score.voices[index].program)].astype(np.int64)
            wide = int(np.ptp(line)) if len(line) else 0
            faults += [f"{score.voices[index].name} goes through {wide} semitones"] if wide > most else []
        elif asked.span is not None:
            wide = _widest(notes)
            faults += [f"a hand of {score.voices[index].name} spans {wide} semitones"] if wide > asked.span else []
    return not faults, "; ".join(faults) or f"{_LIES[asked.low is None]} within {ask.what}", spans


def _widest(notes: NDArray[Any]) -> int:
    """The widest interval that a hand strikes at once."""
    widest = 0
    for hand in HANDS:
        mine = notes[(notes["pitch"] >= _MIDDLE) == (hand == "right")]
        for onset in np.unique(mine["onset"]):
            struck = mine["pitch"][mine["onset"] == onset]
            widest = max(widest, int(struck.max()) - int(struck.min()))
    return widest


@ask_clauses.register("difficulty")
def _difficulty(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans, level = spans_of_ask(ask, score), LEVELS.get(ask.what)
    if level is None:
        return None, f"{ask.what} is no level of difficulty", ()
    mine = _pitched(ask, score, spans)
    if not spans or not mine:
        return nowhere(ask, spans)
    table = np.concatenate([within(score.voices[index].array, spans, score) for index in mine])
    if level.hard:
        quick = float((table["duration"] < QUARTER // 2).mean())
        reach = int(table["pitch"].max()) - int(table["pitch"].min())
        return quick >= _QUICK, f"{quick:.0%} of its notes are quick, and it spans {reach} semitones", spans
    faults = []
    for index in mine:
        notes = within(score.voices[index].array, spans, score)
        for hand in HANDS:
            faults += _too_hard(score, notes[(notes["pitch"] >= _MIDDLE) == (hand == "right")], level, hand)
    return not faults, "; ".join(dict.fromkeys(faults)) or _allowed(level), spans


def _allowed(level: Level) -> str:
    return f"each hand stays within {level.reach} semitones, with {level.notes} notes at once at most"


def _too_hard(score: Score, notes: NDArray[Any], level: Level, hand: str) -> list[str]:
    if not len(notes):
        return []
    faults = []
    pitches = np.sort(notes["pitch"].astype(np.int64))
    slack = int(len(pitches) * (1 - _EASY) / 2)
    reach = int(pitches[len(pitches) - 1 - slack] - pitches[slack])
    if reach > level.reach:
        faults.append(f"the {hand} hand goes through {reach} semitones")
    lines = np.asarray(score.bar_lines)
    place = notes["onset"] - lines[np.searchsorted(lines, notes["onset"], side="right") - 1]
    if float((place % level.shortest == 0).mean()) < _EASY:
        faults.append(f"the {hand} hand has quicker notes")
    _, counts = np.unique(notes["onset"], return_counts=True)
    if float((counts <= level.notes).mean()) < _EASY:
        faults.append(f"the {hand} hand has up to {int(counts.max())} notes at once")
    return faults
