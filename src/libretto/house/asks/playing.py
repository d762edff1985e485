"""Who plays and how: silence and entries, leads and solos, loudness, touch and feel, by place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.filters import OPENS, SWEEPS
from libretto.contract.checks.glissandi import GLISSANDI
from libretto.contract.checks.silence import CRASH, STOP, first_beats
from libretto.contract.checks.syncopation import upper_voices
from libretto.contract.checks.unevenness import IRREGULAR
from libretto.contract.checks.where import Spans, instruments_called, voices_of, within
from libretto.edits.feel import laid_back, straightened, swung, syncopated
from libretto.edits.parts import silenced, without
from libretto.edits.tempo import breathing
from libretto.edits.touch import detached, held, louder
from libretto.house.asks.alone import heard_alone
from libretto.house.asks.breaks import drum_break
from libretto.house.asks.crashing import struck_together
from libretto.house.asks.doing import Job, doers, place_of, players_of
from libretto.house.asks.filtering import filtered
from libretto.house.asks.glissandi import swept
from libretto.house.asks.grouping import regrouped
from libretto.house.asks.loudness import loudness_of
from libretto.house.asks.notes import MIDDLE, one_by_one, pitched_voices, put, rows_of
from libretto.house.asks.plucking import plucked
from libretto.house.asks.unevenness import made_irregular
from libretto.house.compose.asking import MELODY
from libretto.score import Score, Voice

__all__: list[str] = []

_LEADS, _SOLOS = 5, 10  # velocities by which who leads, or plays a solo, is louder than anybody else
_CLOSE = 2  # bars at the end that have a tempo of their own
_LATE_ROOM = 2  # passes in which everybody comes to be softer than who leads


@doers.register("silent")
def _silent(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    names = players_of(ask, score)
    planned = ask.who == MELODY and job.charted
    if not spans or not names or planned or (not ask.who and not ask.where):
        return score
    if ask.what == CRASH:
        return struck_together(score, spans)
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


def _in_front(score: Score, names: set[str], spans: Spans, by: int) -> Score:
    """The piece with everybody else softer than some voices by at least so much in some bars."""
    made = score
    for _ in range(_LATE_ROOM):
        mine = [loudness_of(made, index, spans) for index, voice in enumerate(made.voices) if voice.name in names]
        told = [loud for loud in mine if loud is not None]
        if not told:
            return made
        for index, voice in enumerate(made.voices):
            loud = loudness_of(made, index, spans)
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
        brushed = any((one.kind, one.what) == ("drums", "brushes") for one in job.contract.asks)
        return drum_break(ask, score, kits[0], brushed=brushed)
    return _in_front(louder(score, _LEADS, sorted(names), spans), names, spans, _SOLOS) if spans and names else score


@doers.register("articulation")
def _articulation(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    names = [score.voices[index].name for index in voices_of(ask.who, score, spans) if not score.voices[index].drums]
    if not spans or not names or ask.what == "slides":  # which the last hand does
        return score
    if ask.what == GLISSANDI:
        return swept(score, score.voice(names[0]), tuple(spans))
    if ask.what in (SWEEPS, OPENS):
        return filtered(score, names, tuple(spans), ask.what)
    if ask.what == "legato":
        return held(score, names, spans)
    if ask.what == "pizzicato" and ask.where:
        score, names = plucked(score, names, spans)
    return detached(score, names, spans) if names else score


@doers.register("feel")
def _feel(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    own = _FEELS.get("+" if "+" in ask.what else ask.what)
    if own is not None:
        return own(ask, score, tuple(spans)) if spans else score
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


def _breathing(ask: Ask, score: Score, spans: Spans) -> Score:
    """The piece with its tempo given and taken, but for its close."""
    return breathing(score, _before_the_close(spans, score))


#: Feels that are done in ways of their own.
_FEELS: Mapping[str, Callable[[Ask, Score, Spans], Score]] = {
    "+": regrouped, IRREGULAR: made_irregular, "rubato": _breathing
}  # fmt: skip


def _before_the_close(spans: Spans, score: Score) -> Spans:
    """The bars without the last two of a piece, which slow down as its ending has it."""
    last = score.numbers[-1] - _CLOSE
    return tuple((first, min(end, last)) for first, end in spans if first <= last)
