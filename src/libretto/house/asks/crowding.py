"""How much happens: notes left out where it is to be sparse, struck again where it is to be busy, adorned where a tune
is to grow florid."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from libretto.contract.asks import Ask
from libretto.contract.checks.echoes import ECHOES
from libretto.contract.checks.hands import counted, per_quarter
from libretto.contract.checks.lines import line_of, only_trills
from libretto.contract.checks.roominess import ROOM
from libretto.contract.checks.where import Spans
from libretto.contract.instruments import instrument_of_program
from libretto.edits.density import divided, thinned
from libretto.edits.parts import silenced
from libretto.edits.spans import starts_in, stretches
from libretto.house.asks.adorning import adorned
from libretto.house.asks.chiming import struck_hours
from libretto.house.asks.doing import Job, doers, place_of
from libretto.house.asks.echoing import echoed
from libretto.house.asks.glinting import GLINTS, glinting
from libretto.house.asks.notes import put, rows_of
from libretto.house.asks.roominess import with_room
from libretto.house.asks.staging import bared, hushed, phrases_of
from libretto.house.asks.textures import bars_of
from libretto.house.charts.skills import BIG_BELLS
from libretto.score import QUARTER, Score

__all__ = ["filled"]

_TRIES = 6  # times that notes are thinned or divided until it is enough
_TUNE = "melody"
_SHARE = 0.3  # of the starts that are left out each time
_SPARSE, _BUSY = 1.1, 2.1  # starts a quarter to come to, with a little room
_SPARSE_ONE = 0.95  # and of one who is to be sparse
_SPARSE_TUNE = 1.7  # and who leads all through: a tune of which notes are missing is none
_LESS, _MORE = 0.7, 1.3  # of what is around a passage
_FRAGMENTS = re.compile(r"\b(?:fragments?|snatches|scraps|wisps|shards|snippets|bursts) (?:of|on|from)\b|\bgoe?s?\b")
_GONE = 2  # bars for which a line is there, and gone
_PHRASE = 4  # bars
_EIGHTH = QUARTER // 2
_PLUCKED, _CHORD = ("guitar", "plucked"), 3  # families who have tune and chords in one hand, and notes of a chord


@doers.register("density")
def _density(ask: Ask, score: Score, job: Job) -> Score:
    spans = place_of(ask, score)
    chosen = counted(ask, score, spans) if spans else []
    if not chosen:
        return score
    if ask.what not in ("sparse", "busy"):
        return _of_lines(ask, score, job, chosen, spans)
    sparse = ask.what == "sparse"
    if sparse and ask.who == _TUNE and len(score.voices) == 1 and not ask.where:
        return score  # one hand has the tune: what would be left out is the other's
    score = _bare_stage(ask, score, job, spans) if sparse else score
    goal = _starts_wanted(ask, score, chosen, spans, job)
    if sparse and ask.who and len(chosen) == 1:
        score = _bare(score, chosen[0], spans)
    if not sparse:
        return _busier(score, chosen, spans, goal)
    for part in phrases_of(spans) if ask.where else (spans,):
        score = _thinner(score, chosen, part, goal)
    return score


def _bare_stage(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The piece with a stage that all have sparse: hushed where it begins with it, else bare."""
    if ask.who or not ask.where:
        return score
    return hushed(score, spans, job) if spans[0][0] == score.numbers[0] else bared(score, spans, job)


def _of_lines(ask: Ask, score: Score, job: Job, chosen: Sequence[int], spans: Spans) -> Score:
    """The piece with a line adorned, resting between its phrases, heard now and then, or in short notes here and
    there."""
    if ask.what == "pauses":
        return _resting(ask, score, spans)
    if ask.what == "seldom":
        return _now_and_then(score, chosen, spans)
    if ask.what == GLINTS:
        return glinting(ask, score, job, spans)
    if ask.what == ECHOES:
        index = line_of(ask, score, spans)
        if index is None:
            return score
        return echoed(_comes_and_goes(ask, score, index, spans), score.voices[index].name, spans)
    if ask.what == ROOM:
        return with_room(score, chosen[0], spans)
    return adorned(score, ask.who, spans, at_once=ask.what == "ornate", trills=only_trills(ask))


def _comes_and_goes(ask: Ask, score: Score, index: int, spans: Spans) -> Score:
    """The piece with a line that is told to come and go in fragments silent in every other two bars, but the last."""
    if not _FRAGMENTS.search(ask.words.lower()):
        return score
    bars = [bar + score.first_bar for bar in bars_of(score, spans)]
    gone = [(bar, bar) for place, bar in enumerate(bars) if place // _GONE % 2 and bar != score.numbers[-1]]
    return silenced(score, [score.voices[index].name], gone)


def _starts_wanted(ask: Ask, score: Score, chosen: Sequence[int], spans: Spans, job: Job) -> float:
    """The starts a quarter that some voices are to come to, measured by what is around a passage."""
    sparse = ask.what == "sparse"
    leads = any(part.name == ask.who and part.role == "lead" for part in job.contract.parts)
    if sparse and leads and job.charted and not ask.where:
        return _SPARSE_TUNE
    goal = (_SPARSE_ONE if ask.who else _SPARSE) if sparse else _BUSY
    around = per_quarter(score, chosen, spans, outside=True) if ask.where else 0.0
    return around * (_LESS if sparse else _MORE) if around else goal


def _resting(ask: Ask, score: Score, spans: Spans) -> Score:
    """The piece with a line that rests in the second half of every other bar."""
    index = line_of(ask, score, spans)
    if index is None:
        return score
    score = _bare(score, index, spans)
    voice = score.voices[index]
    kept = []
    for row in rows_of(voice.array[starts_in(voice.array, stretches(score, spans))]):
        bar = score.bar_at(row.onset)
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        last = bar == score.bars - 1
        if bar % 2 and not last:
            if row.onset < (start + end) // 2:
                kept.append(row._replace(duration=min(row.duration, start + (end - start) * 3 // 4 - row.onset)))
        else:
            kept.append(row)
    return put(score, voice.name, spans, kept)


def _now_and_then(score: Score, chosen: Sequence[int], spans: Spans) -> Score:
    """The piece with some voices heard in the last bar of every phrase only; big bells strike where sections begin."""
    tolling = [score.voices[index].name for index in chosen if score.voices[index].program == BIG_BELLS]
    for name in tolling:
        score = struck_hours(score, name, spans)
    chosen = [index for index in chosen if score.voices[index].name not in tolling]
    silent = [(bar, bar) for first, last in spans for bar in range(first, last + 1)
              if (bar - first) % _PHRASE != _PHRASE - 1]  # fmt: skip
    return silenced(score, [score.voices[index].name for index in chosen], silent) if silent and chosen else score


def _bare(score: Score, index: int, spans: Spans) -> Score:
    """The piece with somebody who plucks tune and chords leaving out the chords within a bar: there is space between
    its phrases."""
    voice = score.voices[index]
    if instrument_of_program(voice.program or 0).family not in _PLUCKED:
        return score
    rows = rows_of(voice.array[starts_in(voice.array, stretches(score, spans))])
    thick = {onset for onset, count in Counter(row.onset for row in rows).items() if count >= _CHORD}
    kept = [row for row in rows if row.onset not in thick or row.onset in score.bar_lines]
    return put(score, voice.name, spans, kept) if 0 < len(kept) < len(rows) else score


def _thinner(score: Score, chosen: Sequence[int], spans: Spans, goal: float) -> Score:
    """The piece with starts of some voices left out until there are few enough."""
    names = [score.voices[index].name for index in chosen]
    made = score
    for _ in range(_TRIES):
        if per_quarter(made, chosen, spans) <= goal:
            break
        made = thinned(made, _SHARE, names, spans)
    return made if made is score else _rung(made, names, spans)


def _rung(score: Score, names: Sequence[str], spans: Spans) -> Score:
    """The piece with what is left of quick notes ringing as long as a beat, up to the next start."""
    made = score
    for voice in score.voices:
        rows = rows_of(voice.array[starts_in(voice.array, stretches(score, spans))])
        starts = sorted({row.onset for row in rows})
        if not starts:
            continue
        after = dict(zip(starts, [*starts[1:], score.ticks], strict=True))
        ringing = [
            row._replace(duration=max(row.duration, min(QUARTER, after[row.onset] - row.onset)))
            if row.duration < _EIGHTH
            else row
            for row in rows
        ]
        if voice.name in names and not voice.drums and ringing != rows:
            made = put(made, voice.name, spans, ringing)
    return made


def _busier(score: Score, chosen: Sequence[int], spans: Spans, goal: float) -> Score:
    """The piece with notes of some voices divided, then those of the last struck again, until there are enough."""
    names = [score.voices[index].name for index in chosen]
    made = score
    for _ in range(_TRIES):
        if per_quarter(made, chosen, spans) >= goal:
            break
        made = divided(made, names, spans)
    for step in (_EIGHTH, _EIGHTH // 2):  # beside bars that run already eighths are not busy
        made = made if per_quarter(made, chosen, spans) >= goal else filled(made, names[-1], spans, step)
    return made


def filled(score: Score, name: str, spans: Spans, step: int) -> Score:
    """The piece with every note of a voice struck again on each ``step`` that it lasts."""
    voice = score.voice(name)
    mine = rows_of(voice.array[starts_in(voice.array, stretches(score, spans))])
    rows = []
    for row in mine:
        places = [row.onset, *range(row.onset + step - row.onset % step, row.end, step)]
        rows += [
            row._replace(onset=tick, duration=after - tick)
            for tick, after in zip(places, [*places[1:], row.end], strict=True)
        ]
    return put(score, name, spans, rows)
