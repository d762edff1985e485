"""How loud it is, by place: soft and loud stages, what grows and what fades. A stage that is hushed is thin besides."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.check import ask_clauses
from libretto.contract.checks.where import Spans, within
from libretto.contract.stretches import bars_of_place
from libretto.edits.spans import changed
from libretto.edits.touch import louder, swelling
from libretto.house.asks.crashing import kept_loud
from libretto.house.asks.doing import Job, doers, place_of, players_of
from libretto.house.asks.staging import BUILD_UP, hushed, rolled_up, stage_of, struck_open
from libretto.house.compose.asking import MELODY
from libretto.score import Score, Voice

__all__ = ["loud_to_the_end", "loudness_of"]

_STEP = 14  # velocities of a passage that is softer or louder than what is around it
_SOFT, _LOUD, _VERY_SOFT = 56, 100, 44  # velocities of a whole piece that is soft, or loud, or hardly heard
_VERY = re.compile(r"\b(?:very|extremely|pianissimo|whisper\w*|breath)\b", re.I)
_AFTER_A_BLOW, _TIMID = "after 1 bars in ", 38  # how it goes on after a bar of nothing, and how softly
_FROM_NOTHING = 6  # more of them, where all is soft but what grows
_SWELL = 16  # velocities to each side of a passage that grows or fades
_LAST_STROKE = "last 1 bars"  # that is loud whatever goes before
_SOFT_ENDS = ("soft", "fade")  # endings
_TRIES = 2  # times that something grows more until it is heard
_PHRASE, _HALF = 4, 2  # bars
_EASED = 6  # velocities by which a phrase of a loud stage is softer than the loudest, at most
_RESTS = "end", "outro", "last 4 bars", "last 2 bars", "last 8 bars"  # where a piece comes to rest


def loudness_of(score: Score, index: int, spans: Spans) -> float | None:
    """How loud a voice is in some bars; None where it rests."""
    notes = within(score.voices[index].array, spans, score)
    return float(notes["velocity"].mean()) if len(notes) else None


@doers.register("dynamics")
def _dynamics(ask: Ask, score: Score, job: Job) -> Score:
    return kept_loud(_shaded(ask, score, job), job)


def _shaded(ask: Ask, score: Score, job: Job) -> Score:
    """The piece as loud as one ask has it."""
    ask = _in_its_section(_until_it_rests(ask, score, job), score)
    spans = place_of(ask, score)
    names = list(players_of(ask, score, spans))
    if not spans or not names or _comes_in(ask, job):
        return score
    score = _staged(ask, score, job, spans)
    heard = ask_clauses["dynamics"](ask, job.contract, score)[0] and _steadily(ask, score, names, spans)
    if heard and (ask.where or ask.what != "soft"):
        return score
    if ask.what in ("growing", "fading"):
        return _swelled(ask, score, job, names, spans)
    soft = ask.what in ("soft", "quieter")
    if ask.where:
        return _beside(ask, score, names, spans, soft=soft)
    return _throughout(score, names, spans, _goal(ask, soft))


def _staged(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The piece with what a stage is besides soft or loud: thin, or opened up with a cymbal, and loud to its end."""
    made, stage = rolled_up(ask, score, spans), stage_of(ask, score)
    made = hushed(made, stage, job) if stage else struck_open(ask, made, spans, job)
    return _to_the_last(ask, _kept_up(ask, made, job, spans), job, spans)


def _goal(ask: Ask, soft: bool) -> int:
    """How loud a whole piece is to be."""
    return (_VERY_SOFT if _VERY.search(ask.words) else _SOFT) if soft else _LOUD


def _throughout(score: Score, names: list[str], spans: Spans, goal: int) -> Score:
    """The piece soft, or loud, from beginning to end."""
    soft = goal < _LOUD
    made = _narrowed(score, names, spans) if soft else score
    notes = np.concatenate([voice.array["velocity"] for voice in made.voices if voice.name in names])
    by = round(goal - float(notes.mean()))
    return louder(made, min(0, by) if soft else by, names, spans)


def _steadily(ask: Ask, score: Score, names: list[str], spans: Spans) -> bool:
    """Whether a passage that grows or fades is loudest at its end, or its beginning; a whole piece has its own ways."""
    first, last = spans[0]
    if ask.what not in ("growing", "fading") or not ask.where or last - first + 1 < 2 * _PHRASE:
        return True
    mine = np.isin(score.table["voice"], [index for index, voice in enumerate(score.voices) if voice.name in names])
    table = score.table[mine]
    bars = table["bar"] + score.first_bar
    phrases = [table["velocity"][(bars >= bar) & (bars < bar + _PHRASE)] for bar in range(first, last + 1, _PHRASE)]
    loud = [float(phrase.mean()) for phrase in phrases if len(phrase)]
    return not loud or max(loud) - loud[-1 if ask.what == "growing" else 0] <= _EASED


def _kept_up(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The piece with a loud stage that stays loud: no phrase of it is far below its loudest, unless the end is soft."""
    if ask.what != "loud" or ask.who or not ask.where or _ends_softly(job):
        return score
    made = score
    for first, last in spans:
        halves = [((bar, min(last, bar + _HALF - 1)),) for bar in range(first, last + 1, _HALF)]
        for index, voice in enumerate(score.voices):
            heard = {half: loud for half in halves if (loud := loudness_of(score, index, half)) is not None}
            for half, loud in heard.items() if last - first + 1 >= _PHRASE else ():
                less = round(max(heard.values()) - _EASED - loud)
                made = louder(made, less, [voice.name], half) if less > 0 else made
    return made


def loud_to_the_end(score: Score, job: Job, spans: Spans) -> Score:
    """The piece with what hurries on to its end as loud there as before, unless it ends softly."""
    last = score.numbers[-1]
    if spans[-1][1] != last or score.bars < 2 * _PHRASE:
        return score
    half = score.numbers[score.bars // 2]
    return _kept_up(Ask("dynamics", "loud", "", "second half"), score, job, ((half, last),))


def _ends_softly(job: Job) -> bool:
    """Whether a piece is said to end softly, or to fade."""
    told = any(one.what in ("soft", "fading") and one.where in _RESTS for one in job.contract.asks)
    return told or job.contract.ending in _SOFT_ENDS


def _to_the_last(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The piece with the last bars of what grows to its end no softer than those before them, unless it ends softly."""
    last = score.numbers[-1]
    if ask.what != "growing" or ask.who or spans[-1][1] != last or score.bars < 4 * _PHRASE or _ends_softly(job):
        return score
    made, close = score, ((last - _PHRASE + 1, last),)
    for index, voice in enumerate(score.voices):
        before = loudness_of(score, index, ((last - 2 * _PHRASE + 1, last - _PHRASE),))
        here = loudness_of(score, index, close)
        if before is not None and here is not None and here < before:
            made = louder(made, round(before - here), [voice.name], close)
    return made


def _in_its_section(ask: Ask, score: Score) -> Ask:
    """What is only said to be a build-up, in the sections of a piece that are one."""
    told = ask.what == "growing" and not ask.where and BUILD_UP.search(ask.words)
    return replace(ask, where="build", who="") if told and bars_of_place("build", score) else ask


def _until_it_rests(ask: Ask, score: Score, job: Job) -> Ask:
    """What grows to the end of a piece that is said to end softly, up to there."""
    spans = place_of(ask, score)
    ends = [one for one in job.contract.asks if one.kind == "dynamics" and one.what == "soft" and one.where in _RESTS]
    rests = [span[0] for one in ends for span in place_of(one, score)[:1]]
    if ask.what != "growing" or not spans or not rests or spans[-1][1] < rests[0] or spans[0][0] >= rests[0] - 1:
        return ask
    return replace(ask, where=f"bars {spans[0][0]}-{rests[0] - 1}")


def _beside(ask: Ask, score: Score, names: list[str], spans: Spans, *, soft: bool) -> Score:
    """The piece with some bars softer, or louder, than what is around them."""
    here = [loud for index, voice in enumerate(score.voices)
            if voice.name in names and (loud := loudness_of(score, index, spans)) is not None]  # fmt: skip
    if not here:
        return score
    goal = _around(score, spans, names) + (-_STEP if soft else _STEP)
    goal = max(goal, _LOUD) if ask.where == _LAST_STROKE and not soft else goal
    goal = min(goal, _TIMID) if ask.where.startswith(_AFTER_A_BLOW) and soft else goal
    return louder(score, round(goal - sum(here) / len(here)), names, spans)


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
    hushed = any((one.kind, one.what, one.where) == ("dynamics", "soft", "") for one in job.contract.asks)
    far = sign * (_SWELL + _FROM_NOTHING * hushed)
    made = swelling(_leveled(score, names, spans), -(1 + opens) * far, (1 - opens) * far, names, spans)
    for _ in range(_TRIES):
        if ask_clauses["dynamics"](ask, job.contract, made)[0]:
            break
        made = swelling(made, -sign * _SWELL // 2, sign * _SWELL // 2, names, spans)
    return made


def _leveled(score: Score, names: list[str], spans: Spans) -> Score:
    """The piece with the phrases of some bars as loud as the first half of them, so that what grows can be heard to;
    of a whole piece, which has louder and softer sections, its two halves."""
    made = score
    for first, last in spans:
        half = (first + last) // 2
        whole = last - first + 1 >= score.bars
        size = half + 1 - first if whole else _PHRASE
        phrases = [(bar, min(last, bar + size - 1)) for bar in range(first, last + 1, max(1, size))]
        for name in names:
            index = next(place for place, voice in enumerate(made.voices) if voice.name == name)
            goal = loudness_of(score, index, ((first, half),))
            for phrase in phrases if goal is not None else ():
                here = loudness_of(made, index, (phrase,))
                if here is not None and goal is not None and abs(goal - here) >= 1:
                    made = louder(made, round(goal - here), [name], (phrase,))
    return made


def _around(score: Score, spans: Spans, names: list[str]) -> float:
    """How loud some voices are in all other bars; in these where there are no others."""
    inside = {bar for first, last in spans for bar in range(first, last + 1)}
    table = score.table
    mine = np.isin(table["voice"], [index for index, voice in enumerate(score.voices) if voice.name in names])
    out = mine & ~np.isin(table["bar"] + score.first_bar, sorted(inside))
    return float(table["velocity"][out if out.any() else mine].mean())
