"""Sections that are faster, louder or higher than the one before, each by a step."""

from __future__ import annotations

from libretto.contract.asks import Ask
from libretto.contract.checks.where import within
from libretto.contract.rising import SOFTER, semitones_of, share_of_step, steps_of
from libretto.edits.tempo import scaled
from libretto.edits.touch import louder
from libretto.house.asks.doing import Job, doers
from libretto.score import Score

__all__: list[str] = []

_FEWEST = 2  # sections of which one is faster than another
_MOST, _LEAST = 1.6, 0.6  # of the first tempo, that the last has
_HIGHEST = 7  # semitones between the first key and the last
_LOUDER, _WIDEST = 7, 36  # velocities between two sections, and between the first and the last


@doers.register("steps")
def _steps(ask: Ask, score: Score, job: Job) -> Score:
    spans = steps_of(ask, score)
    if len(spans) < _FEWEST:
        return score
    share, semitones = share_of_step(ask.what), semitones_of(ask.what)
    if share is not None:
        return _faster(score, spans, share)
    if semitones:
        return _higher(score, spans, semitones, job)
    return _louder(score, spans, -1 if ask.what == SOFTER else 1)


def _faster(score: Score, spans: tuple[tuple[int, int], ...], share: float) -> Score:
    """The piece with each of some sections by a share faster than the one before."""
    last = len(spans) - 1
    step = min(share, _MOST ** (1 / last)) if share > 1 else max(share, _LEAST ** (1 / last))
    made = score
    for place, span in enumerate(spans):
        made = scaled(made, step**place, (span,)) if place else made
    return made


def _higher(score: Score, spans: tuple[tuple[int, int], ...], semitones: int, job: Job) -> Score:
    """The piece with each of some sections so many semitones above the one before, as far as that goes."""
    made = score
    for place, (first, last) in enumerate(spans):
        by = semitones * place
        if place and abs(by) <= _HIGHEST:
            ask = Ask("key_change", f"{by:+d}", "", f"bars {first}-{last}")
            made = doers["key_change"](ask, made, job)
    return made


def _louder(score: Score, spans: tuple[tuple[int, int], ...], sign: int) -> Score:
    """The piece with each of some sections louder than the one before, or softer; the middle is as loud as it was."""
    means = [_mean(score, span) for span in spans]
    middle = sum(means) / len(means)
    step = min(_LOUDER, _WIDEST // max(1, len(spans) - 1))
    made = score
    for place, (span, mean) in enumerate(zip(spans, means, strict=True)):
        goal = middle + sign * step * (place - (len(spans) - 1) / 2)
        made = louder(made, round(goal - mean), (), (span,))
    return made


def _mean(score: Score, span: tuple[int, int]) -> float:
    """How loud some bars are on the whole."""
    notes = [within(voice.array, (span,), score)["velocity"] for voice in score.voices]
    return sum(float(one.sum()) for one in notes) / max(1, sum(len(one) for one in notes))
