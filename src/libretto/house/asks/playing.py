"""Who plays and how: silence and entries, leads and solos, loudness, touch, feel and tempo, by place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask, share_of
from libretto.contract.checks.check import ask_clauses
from libretto.contract.checks.silence import STOP, first_beats
from libretto.contract.checks.syncopation import upper_voices
from libretto.contract.checks.where import Spans, instruments_called, voices_of, within
from libretto.edits.feel import laid_back, straightened, swung, syncopated
from libretto.edits.parts import silenced, without
from libretto.edits.spans import changed
from libretto.edits.tempo import breathing, paced, ramped, scaled
from libretto.edits.touch import detached, held, louder, swelling
from libretto.house.asks.alone import heard_alone
from libretto.house.asks.breaks import drum_break
from libretto.house.asks.doing import Job, doers, place_of, players_of
from libretto.house.asks.notes import MIDDLE, one_by_one, pitched_voices, put, rows_of
from libretto.house.asks.plucking import plucked
from libretto.house.compose.asking import MELODY
from libretto.score import Score, Voice
from libretto.score.model import in_force
from libretto.score.time import bpm_of_micros

__all__: list[str] = []

_LEADS, _SOLOS = 5, 10  # velocities by which who leads, or plays a solo, is louder than anybody else
_STEP = 14  # velocities of a passage that is softer or louder than what is around it
_SOFT, _LOUD = 56, 100  # velocities of a whole piece that is soft, or loud
_SWELL = 16  # velocities to each side of a passage that grows or fades
_FASTER, _SLOWER = 1.2, 0.82  # of the tempo
_SLOW_TO_FAST, _TWICE, _FASTEST = "slow to fast", 2.2, 176  # to which share of its tempo, and to how many quarters
_CLOSE = 2  # bars at the end that have a tempo of their own
_DRIVEN, _MANY = 1.5, 12  # to which share of its tempo a whole piece hurries, and of how many bars it is
_BROAD, _PRESSED = 0.72, 1.35  # to which share of its tempo a passage slows down, or hurries
_BREAKNECK = 252  # quarters a minute that nobody plays faster
_LAST_STROKE = "last 1 bars"  # that is loud whatever goes before
_LATE_ROOM = 2  # passes in which everybody comes to be softer than who leads


@doers.register("silent")
def _silent(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    names = players_of(ask, score)
    planned = ask.who == MELODY and job.charted
    if not spans or not names or planned or (not ask.who and not ask.where):
        return score
    if ask.what == STOP:
        return _stopped(score, names, spans)
    if not ask.who:
        return silenced(_cut_off(score, spans), list(names), spans)
    heard = [name for name in names if _elsewhere(score, name, spans)]  # nobody is made to rest all through
    return silenced(score, heard, spans) if heard else score


def _elsewhere(score: Score, name: str, spans: Spans) -> bool:
    """Whether somebody plays outside of some bars, too."""
    voice = next(voice for voice in score.voices if voice.name == name)
    return len(within(voice.array, spans, score)) < len(voice.array)


def _stopped(score: Score, names: Sequence[str], spans: Spans) -> Score:
    """The piece with some breaking off after the first beat of bars."""
    made = score
    for voice in score.voices:
        rows = []
        for start, rest, _ in first_beats(score, spans):
            struck = voice.array[(voice.array["onset"] >= start) & (voice.array["onset"] < rest)]
            rows += [row._replace(duration=min(row.duration, rest - row.onset)) for row in rows_of(struck)]
        made = put(made, voice.name, spans, rows) if voice.name in names else made
    return made


def _cut_off(score: Score, spans: Spans) -> Score:
    """The piece with nothing ringing into some bars: all stop at once."""
    made = score
    for voice in score.voices:
        made = put(made, voice.name, spans, ())
    return made


@doers.register("enter")
def _enter(ask: Ask, score: Score, job: Job) -> Score:
    return _silent(ask, score, job)


@doers.register("leave")
def _leave(ask: Ask, score: Score, job: Job) -> Score:
    return _silent(ask, score, job)


@doers.register("only")
def _only(ask: Ask, score: Score, job: Job) -> Score:
    spans, mine = place_of(ask, score), set(players_of(ask, score))
    others = [voice.name for voice in score.voices if voice.name not in mine]
    if not spans or not mine:
        return score
    if ask.who == "bass" and len(pitched_voices(score)) == 1:
        return _left_hand(score, pitched_voices(score)[0], spans)
    return silenced(heard_alone(score, sorted(mine), spans), others, spans) if others else score


def _left_hand(score: Score, voice: Voice, spans: Spans) -> Score:
    """The piece with nothing above the middle in some bars of who plays alone, where enough is left."""
    rows = rows_of(within(voice.array, spans, score))
    low = [row for row in rows if row.pitch < MIDDLE]
    bars = {score.bar_at(row.onset) for row in rows}
    return put(score, voice.name, spans, low) if low and bars == {score.bar_at(row.onset) for row in low} else score


@doers.register("without")
def _without(ask: Ask, score: Score, job: Job) -> Score:
    who = ask.what or ask.who
    names = [score.voices[index].name for index in instruments_called(who, score)] if who else []
    return without(score, names) if names and len(names) < len(score.voices) else score


def _loudness(score: Score, index: int, spans: Spans) -> float | None:
    notes = within(score.voices[index].array, spans, score)
    return float(notes["velocity"].mean()) if len(notes) else None


def _in_front(score: Score, names: set[str], spans: Spans, by: int) -> Score:
    """The piece with everybody else softer than some voices by at least so much in some bars."""
    made = score
    for _ in range(_LATE_ROOM):
        mine = [_loudness(made, index, spans) for index, voice in enumerate(made.voices) if voice.name in names]
        told = [loud for loud in mine if loud is not None]
        if not told:
            return made
        for index, voice in enumerate(made.voices):
            loud = _loudness(made, index, spans)
            if voice.name in names or loud is None or loud <= min(told) - by:
                continue
            made = louder(made, -int(np.ceil(loud - min(told) + by)), [voice.name], spans)
    return made


@doers.register("lead")
def _lead(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    names = set(players_of(ask, score, spans))
    return _in_front(louder(score, _LEADS, sorted(names), spans), names, spans, _LEADS) if spans and names else score


@doers.register("solo")
def _solo(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    names = set(players_of(ask, score, spans))
    kits = [voice.name for voice in score.voices if voice.name in names and voice.drums]
    if len(kits) == len(names) == 1:
        return drum_break(ask, score, kits[0])
    return _in_front(louder(score, _LEADS, sorted(names), spans), names, spans, _SOLOS) if spans and names else score


@doers.register("dynamics")
def _dynamics(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    names = list(players_of(ask, score, spans))
    if not spans or not names or _comes_in(ask, job):
        return score
    if ask.what in ("growing", "fading"):
        return _swelled(ask, score, job, names, spans)
    soft = ask.what in ("soft", "quieter")
    if ask.where:
        around = _around(score, spans, names)
        here = [loud for index, voice in enumerate(score.voices)
                if voice.name in names and (loud := _loudness(score, index, spans)) is not None]  # fmt: skip
        if not here:
            return score
        goal = around + (-_STEP if soft else _STEP)
        goal = max(goal, _LOUD) if ask.where == _LAST_STROKE and not soft else goal
        return louder(score, round(goal - sum(here) / len(here)), names, spans)
    made = _narrowed(score, names, spans) if soft else score
    notes = np.concatenate([voice.array["velocity"] for voice in made.voices if voice.name in names])
    by = round((_SOFT if soft else _LOUD) - float(notes.mean()))
    return louder(made, min(0, by) if soft else by, names, spans)


def _narrowed(score: Score, names: list[str], spans: Spans) -> Score:
    """The piece with what is louder than usual half as much so: who keeps soft throughout has no climax."""
    usual = float(np.mean(score.table["velocity"]))

    def nearer(voice: Voice, notes: NDArray[Any]) -> NDArray[Any]:
        beyond = np.maximum(0, notes["velocity"] - usual)
        notes["velocity"] = np.round(notes["velocity"] - beyond / 2)
        return notes

    return changed(score, names, spans, nearer)


def _comes_in(ask: Ask, job: Job) -> bool:
    """Whether it is the tune that comes in there: it is softer than nothing."""
    told = (other.where for other in job.contract.asks if (other.kind, other.who) == ("enter", MELODY))
    return ask.who == MELODY and ask.where in told


def _swelled(ask: Ask, score: Score, job: Job, names: list[str], spans: Spans) -> Score:
    """The piece with some bars growing or fading, until it is heard: softer parts that come in later can hide it."""
    sign = 1 if ask.what == "growing" else -1
    opens = ask.where == "start" and sign > 0  # what fades in comes to what follows it
    made = swelling(
        _leveled(score, names, spans), -(1 + opens) * sign * _SWELL, (1 - opens) * sign * _SWELL, names, spans
    )
    for _ in range(_LATE_ROOM):
        if ask_clauses["dynamics"](ask, job.contract, made)[0]:
            break
        made = swelling(made, -sign * _SWELL // 2, sign * _SWELL // 2, names, spans)
    return made


def _leveled(score: Score, names: list[str], spans: Spans) -> Score:
    """The piece with some bars as loud at their end as at their beginning, so that what grows can be heard to."""
    made = score
    for span in spans:
        middle = (span[0] + span[1]) // 2
        if span[1] <= span[0]:
            continue
        for name in names:
            index = next(place for place, voice in enumerate(made.voices) if voice.name == name)
            one, two = (_loudness(made, index, (half,)) for half in ((span[0], middle), (middle + 1, span[1])))
            if one is not None and two is not None and abs(two - one) >= 1:
                made = louder(made, round(one - two), [name], ((middle + 1, span[1]),))
    return made


def _around(score: Score, spans: Spans, names: list[str]) -> float:
    """How loud some voices are in all other bars; in these where there are no others."""
    inside = {bar for first, last in spans for bar in range(first, last + 1)}
    table = score.table
    mine = np.isin(table["voice"], [index for index, voice in enumerate(score.voices) if voice.name in names])
    out = mine & ~np.isin(table["bar"] + score.first_bar, sorted(inside))
    return float(table["velocity"][out if out.any() else mine].mean())


@doers.register("articulation")
def _articulation(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    names = [score.voices[index].name for index in voices_of(ask.who, score, spans) if not score.voices[index].drums]
    if not spans or not names:
        return score
    if ask.what == "legato":
        return held(score, names, spans)
    if ask.what == "pizzicato" and ask.where:
        score, names = plucked(score, names, spans)
    return detached(score, names, spans) if names else score


@doers.register("feel")
def _feel(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    if ask.what == "rubato":
        return breathing(score, _before_the_close(spans, score)) if spans else score
    compound = any(score.meter_at(score.bar_lines[first - score.first_bar]).is_compound for first, _ in spans)
    if not spans or (compound and ask.what != "laid back"):
        return score
    if ask.what == "swing":
        return swung(straightened(score, spans), spans)
    if ask.what == "straight":
        return straightened(score, spans)
    if ask.what == "syncopated":
        upper = upper_voices(score, range(len(score.voices)))
        names = list(players_of(ask, score, spans)) if ask.who else [score.voices[index].name for index in upper]
        return one_by_one(score, syncopated(score, names, spans))
    tune = players_of(Ask("feel", who=ask.who or "melody"), score, spans)
    return laid_back(score, list(tune), spans)


def _before_the_close(spans: Spans, score: Score) -> Spans:
    """The bars without the last two of a piece, which slow down as its ending has it."""
    last = score.numbers[-1] - _CLOSE
    return tuple((first, min(end, last)) for first, end in spans if first <= last)


@doers.register("tempo_change")
def _tempo(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    if not spans:
        return score
    ramps = {"ritardando": _BROAD, "accelerando": _PRESSED}
    if ask.what == _SLOW_TO_FAST:
        bpm = bpm_of_micros(score.tempos[0][1])
        return ramped(score, 1.0, max(_DRIVEN, min(_TWICE, _FASTEST / bpm)), spans)
    if ask.what in ramps:
        long = ask.what == "accelerando" and sum(last - first + 1 for first, last in spans) >= _MANY
        goal = _DRIVEN if long else ramps[ask.what]
        most = _BREAKNECK / bpm_of_micros(in_force(score.tempos, score.bar_lines[spans[0][0] - score.first_bar]))
        return ramped(score, 1.0, min(goal, max(most, _FASTER)), spans)
    share = share_of(ask.what)
    if share is not None:
        return ramped(score, 1.0, share, spans) if ask.what.startswith("to ") else scaled(score, share, spans)
    if ask.what.replace(".", "", 1).isdigit():
        return paced(score, float(ask.what), spans)
    return scaled(score, _FASTER if ask.what == "faster" else _SLOWER, spans)
