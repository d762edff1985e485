"""Clauses on how it is played, by place: leads and solos, loudness, touch, feel, meter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.breaks import break_of
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.filters import OPENS, SWEEPS, filter_moves
from libretto.contract.checks.glissandi import GLISSANDI, in_runs
from libretto.contract.checks.grouping import in_groups
from libretto.contract.checks.swells import in_swells
from libretto.contract.checks.syncopation import syncopated_share
from libretto.contract.checks.unevenness import IRREGULAR, irregular
from libretto.contract.checks.where import (
    Spans,
    bar_mask,
    instruments_called,
    names_of,
    nowhere,
    said,
    spans_of_ask,
    ticks_of,
    tops,
    voices_of,
    within,
)
from libretto.contract.contract import Contract
from libretto.contract.instruments import instrument_of_program
from libretto.errors import LibrettoError
from libretto.score.marks import BEND
from libretto.score.model import Score
from libretto.score.time import QUARTER, Meter, bpm_of_micros
from libretto.score.voice import Voice

__all__: list[str] = []

_MOST_BARS = 2 / 3  # of the bars in which who leads plays
_MOVES = 0.3  # of the steps of a tune that go to another pitch
_ROOM = 6.0  # velocities by which others are softer than a solo
_STEP = 4.0  # velocities that are heard as softer or louder
_SOFT, _LOUD = 70.0, 84.0  # the mean velocity of a soft piece at most, and of a loud one at least
_SHORT, _LONG = 0.65, 0.85  # how much of the time to the next note is sounded: staccato at most, legato at least
_PLUCKED = 45  # the program of strings without a bow
_HALF, _SWUNG, _NEAR = QUARTER // 2, QUARTER * 2 // 3, QUARTER // 16  # where second eighths fall, and how nearly
_SIXTEENTH, _SWUNG_SIXTEENTH = QUARTER * 3 // 4, QUARTER * 5 // 6  # where last sixteenths fall
_FEW_SWUNG = 0.04  # of the notes
_SYNCOPATED = 0.5  # of the bars of a syncopated passage: as in three of four pieces of jazz, Latin music and funk
_PLACES = (0, QUARTER // 4, QUARTER // 3, QUARTER // 2, _SWUNG, QUARTER * 3 // 4)  # where notes begin in a beat
_LATE = (QUARTER // 64, QUARTER // 8)  # how far behind the beat a laid-back note lies
_MOSTLY, _TEMPO = 0.6, 0.04  # of the notes, and of a tempo that is heard as faster or slower
_A_TURN = 4  # bars in which a tempo that is given and taken turns


def _notes(score: Score, voices: list[int], spans: Spans) -> NDArray[Any]:
    return np.concatenate([within(score.voices[index].array, spans, score) for index in voices])


@ask_clauses.register("without")
def _without(ask: Ask, contract: Contract, score: Score) -> Finding:
    who = ask.what or ask.who
    mine = instruments_called(who, score) if who else []
    return (False, f"{names_of(score, mine)} plays", ()) if mine else (True, f"no {who} plays", ())


@ask_clauses.register("voices")
def _voices(ask: Ask, contract: Contract, score: Score) -> Finding:
    """So many parts play, drums among them, one by one or as one, or beside them; or so many sing."""
    playing = [voice for voice in score.voices if len(voice.array)]
    pitched = [voice for voice in playing if not voice.drums]
    beaten = len(pitched) < len(playing)
    ways = {len(playing), len(pitched), len(pitched) + beaten, *(_sung_in(voice) for voice in pitched)}
    told = f"{len(playing)} parts play: {', '.join(voice.name for voice in playing)}"
    return ask.what.isdigit() and int(ask.what) in ways, told, ()


def _sung_in(voice: Voice) -> int:
    """In how many parts a choir sings most of the time; 0 of everybody else."""
    if instrument_of_program(voice.program or 0).family != "voices":
        return 0
    _, together = np.unique(voice.array["onset"], return_counts=True)
    return int(np.median(together))


@ask_clauses.register("section_bars")
def _section_bars(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    if not spans or not ask.what.isdigit():
        return nowhere(ask, spans)
    sizes = [last - first + 1 for first, last in spans]
    return all(size == int(ask.what) for size in sizes), f"{ask.where}: {', '.join(map(str, sizes))} bars", spans


@ask_clauses.register("meter_change")
def _meter_change(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    if not spans:
        return nowhere(ask, spans)
    try:
        meter = Meter.parse(ask.what)
    except LibrettoError:
        return None, f"{ask.what} is no meter", ()
    places = np.nonzero(bar_mask(spans, score))[0].tolist()
    wrong = [
        bar + score.first_bar
        for bar in places
        if score.meter_at(score.bar_lines[bar]) != meter
        or score.bar_lines[bar + 1] - score.bar_lines[bar] != meter.ticks
    ]
    if wrong:
        return False, f"{score.meter_at(score.bar_lines[places[0]])} holds in bar {wrong[0]}", spans
    return True, f"{said(spans)} are in {meter}", spans


def _leads(ask: Ask, score: Score, room: float) -> Finding:
    """Whether somebody has a tune in some bars and is louder than all others there."""
    spans = spans_of_ask(ask, score)
    mine = voices_of(ask.who, score, spans)
    if not spans or not mine:
        return nowhere(ask, spans)
    notes = _notes(score, mine, spans)
    bars = int(bar_mask(spans, score).sum())
    present = len(np.unique(np.searchsorted(score.bar_lines, notes["onset"], side="right"))) / max(1, bars)
    name = names_of(score, mine)
    if present < _MOST_BARS:
        return False, f"{name} plays in {present:.0%} of {said(spans)}", spans
    line = tops(notes)["pitch"].astype(np.int64)
    moves = float((np.diff(line) != 0).mean()) if len(line) > 1 else 0.0
    if moves < _MOVES and not all(score.voices[index].drums for index in mine):
        return False, f"{name} has no tune in {said(spans)}", spans
    loud = float(notes["velocity"].mean())
    for index, voice in enumerate(score.voices):
        theirs = within(voice.array, spans, score)
        if index in mine or not len(theirs):
            continue
        if float(theirs["velocity"].mean()) > loud - room:
            return False, f"{voice.name} is as loud as {name} in {said(spans)}", spans
    return True, f"{name} has the tune in {said(spans)}", spans


@ask_clauses.register("lead")
def _lead(ask: Ask, contract: Contract, score: Score) -> Finding:
    return _leads(ask, score, 1.0)


@ask_clauses.register("solo")
def _solo(ask: Ask, contract: Contract, score: Score) -> Finding:
    mine = voices_of(ask.who, score, spans_of_ask(ask, score))
    if mine and all(score.voices[index].drums for index in mine):
        return break_of(ask, score, mine)
    return _leads(ask, score, _ROOM)


@ask_clauses.register("dynamics")
def _dynamics(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    mine = voices_of(ask.who, score, spans)
    if not spans or not mine:
        return nowhere(ask, spans)
    notes = _notes(score, mine, spans)
    if not len(notes):
        return False, f"nobody plays in {said(spans)}", spans
    if ask.what in ("growing", "fading") and len(spans) > 1:
        return in_swells(ask, score, spans, mine)
    if ask.what in ("growing", "fading"):
        start, end = ticks_of(spans, score)[0]
        early = notes[notes["onset"] < start + (end - start) / 3]
        late = notes[(notes["onset"] >= end - (end - start) / 3) & (notes["onset"] < end)]
        if not len(early) or not len(late):
            return False, f"too little sounds in {said(spans)}", spans
        gain = float(late["velocity"].mean()) - float(early["velocity"].mean())
        kept = gain >= _STEP if ask.what == "growing" else gain <= -_STEP
        return kept, f"{abs(gain):.0f} {'louder' if gain > 0 else 'softer'} at the end of {said(spans)}", spans
    soft = ask.what in ("soft", "quieter")
    here = float(notes["velocity"].mean())
    mask = bar_mask(spans, score)
    table = score.table
    others = table["velocity"][np.isin(table["voice"], mine) & ~mask[table["bar"]]]
    if ask.where and len(others):
        around = float(others.mean())
        kept = here <= around - _STEP if soft else here >= around + _STEP
        return kept, f"the mean velocity is {here:.0f}, elsewhere {around:.0f}", spans
    return (here <= _SOFT if soft else here >= _LOUD), f"the mean velocity is {here:.0f}", spans


#: Ways to play that are checked in ways of their own.
_TOUCHES: Mapping[str, Callable[[Ask, Score, Spans], Finding]] = {
    GLISSANDI: in_runs, SWEEPS: filter_moves, OPENS: filter_moves
}  # fmt: skip


@ask_clauses.register("articulation")
def _articulation(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    mine = [index for index in voices_of(ask.who, score, spans) if not score.voices[index].drums]
    if not spans or not mine:
        return nowhere(ask, spans)
    if ask.what in _TOUCHES:
        return _TOUCHES[ask.what](ask, score, spans)
    if ask.what == "slides":
        bent = sum(bool((score.voices[index].controls["kind"] == BEND).any()) for index in mine)
        return bent == len(mine), f"{bent} of {len(mine)} slide into notes", spans
    shares = []
    for index in mine:
        notes = within(score.voices[index].array, spans, score)
        starts = np.unique(notes["onset"])
        if len(starts) < 2 or (ask.what == "pizzicato" and score.voices[index].program == _PLUCKED):
            shares += [0.0] * (len(starts) > 1)  # what is plucked does not last
            continue
        following = np.append(starts, starts[-1] + QUARTER)[np.searchsorted(starts, notes["onset"], side="right")]
        room = np.minimum(following - notes["onset"], 2 * QUARTER)
        shares += (notes["duration"] / np.maximum(1, room))[notes["onset"] < starts[-1]].tolist()
    if not shares:
        return False, f"too little sounds in {said(spans)}", spans
    middle = float(np.median(shares))
    kept = middle >= _LONG if ask.what == "legato" else middle <= _SHORT
    return kept, f"notes sound for {middle:.0%} of the time to the next", spans


@ask_clauses.register("feel")
def _feel(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    own = _FEELS.get("+" if "+" in ask.what else ask.what)
    if own is not None and spans:
        return own(ask, score, spans)
    mine = voices_of(ask.who or ("melody" if ask.what == "laid back" else ""), score, spans)
    if not spans or not mine:
        return nowhere(ask, spans)
    place = _places(score, _notes(score, mine, spans)["onset"])
    within_beat = place % QUARTER
    if ask.what == "swing" and all(score.meter_at(score.bar_lines[first - score.first_bar]).is_compound
                                   for first, _ in spans):  # fmt: skip
        return True, "every beat has three parts: it swings as written", spans
    if ask.what in ("swing", "straight"):
        share = max(_share(within_beat, _SWUNG, _HALF), _share(within_beat, _SWUNG_SIXTEENTH, _SIXTEENTH))
        return (share > 1 / 2 if ask.what == "swing" else share < 1 / 2), f"{share:.0%} of the off-beats swing", spans
    if ask.what == "syncopated":
        share = syncopated_share(score, mine, spans)
        return share >= _SYNCOPATED, f"{share:.0%} of the bars are syncopated", spans
    behind = (within_beat[:, None] - np.array(_PLACES)[None, :]) % QUARTER
    late = ((behind >= _LATE[0]) & (behind <= _LATE[1])).any(axis=1) & ~(behind == 0).any(axis=1)
    return float(late.mean()) >= _MOSTLY, f"{float(late.mean()):.0%} of the notes lie behind the beat", spans


def _rubato(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Whether the tempo gives way and presses on: it turns often enough, and goes far enough from its mean."""
    inside = [bpm_of_micros(micros) for tick, micros in score.tempos if bar_mask(spans, score)[score.bar_at(tick)]]
    turns = sum(
        (two - one) * (three - two) < 0 for one, two, three in zip(inside, inside[1:], inside[2:], strict=False)
    )
    bars = int(bar_mask(spans, score).sum())
    wide = bool(inside) and max(inside) - min(inside) >= _TEMPO * min(inside)
    return wide and turns >= bars // _A_TURN, f"the tempo turns {turns} times in {said(spans)}", spans


#: Feels that are checked in ways of their own.
_FEELS: Mapping[str, Callable[[Ask, Score, Spans], Finding]] = {
    "+": in_groups, IRREGULAR: irregular, "rubato": _rubato
}  # fmt: skip


def _share(places: NDArray[Any], swung: int, even: int) -> float:
    """How many of the notes at two places of the beat are at the first; none where few notes are."""
    late, plain = (int((np.abs(places - place) < _NEAR).sum()) for place in (swung, even))
    return late / (late + plain) if late + plain > len(places) * _FEW_SWUNG else 0.0


def _places(score: Score, onsets: NDArray[Any]) -> NDArray[np.int64]:
    lines = np.asarray(score.bar_lines, dtype=np.int64)
    return np.asarray(onsets - lines[np.searchsorted(lines, onsets, side="right") - 1], dtype=np.int64)
