"""Stages: a hushed beginning is thin. Few play, drums only mark the beat or wait, and what is loud by nature comes in
when the piece opens up."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.strokes import by_bars
from libretto.contract.checks.where import Spans, bar_mask, spans_of_ask, tune_of, voices_of, within
from libretto.contract.instruments import instrument_of_program
from libretto.edits.density import thinned
from libretto.edits.parts import silenced
from libretto.edits.touch import louder
from libretto.house.asks.doing import Job, place_of
from libretto.house.asks.notes import Row, put, rows_of
from libretto.score import QUARTER, Score, Voice

__all__ = ["BUILD_UP", "bared", "hushed", "phrases_of", "rolled_up", "stage_of", "struck_open"]

_FEWEST, _PHRASE = 4, 4  # bars of a stage, and in which it is told off
_LONGEST = 2 / 3  # of a piece: what is longer is no stage
_GROWS_FROM = 12  # bars of something that has a thin beginning
_CROWD = 4  # voices with pitches of which some may wait
_MOST_STARTS = 0.5  # of the starts of who accompanies, that are left out
_LOUD_SOUNDS = frozenset((29, 30, *range(56, 64)))  # programs of distorted guitars and of brass
_SNARES = frozenset((35, 36, 38))  # keys by which a kit is known
_LIGHT = frozenset((36, 42, 44, 51, 53))  # keys of a kit that mark a beat softly
_CYMBALS = frozenset((42, 46, 49, 51))  # keys of a kit that has cymbals
_SNARE, _KICKS, _ROLLED, _FROM, _STROKE = 38, (35, 36), 2, 56, QUARTER // 4  # a roll of so many bars, and from how soft
#: Words for a short build-up.
BUILD_UP = re.compile(r"\b(?:build-?\s?ups?|snare rolls?|risers?)\b", re.I)
_CRASH, _STRUCK = 49, 104  # a cymbal, and how loud it is
_ALWAYS = re.compile(
    r"\b(?:throughout|without (?:a )?(?:rest|pause|break)|never (?:stop|rest)s?|all the way|always)\b", re.IGNORECASE
)
_HERE = "only", "lead", "solo", "role", "enter", "drums", "texture", "doubling", "manner"  # of somebody in a place
_QUIETER = 12  # velocities by which bare bars are softer than the others
_TWO = 2  # notes at once of who has no chords
_EMPTY = 0.25  # of the bars of a stage in which nobody may be heard
_IN_PARTS = ("homophony", "fermatas")  # textures of all parts together


def stage_of(ask: Ask, score: Score) -> Spans:
    """The hushed beginning that an ask tells of: where all are soft at first, or what grows begins; none elsewhere."""
    spans, low = place_of(ask, score), score.numbers[0]
    if ask.who or not spans or spans[0][0] != low or ask.what not in ("soft", "quieter", "growing"):
        return ()
    bars = spans[0][1] - low + 1
    if ask.what == "growing":
        most = max(_FEWEST, bars // 4 // _PHRASE * _PHRASE)
        return ((low, low + most - 1),) if bars >= _GROWS_FROM else ()
    return spans if ask.where and _FEWEST <= bars <= _LONGEST * score.bars else ()


def hushed(score: Score, stage: Spans, job: Job) -> Score:
    """The piece with thin stages, of which the first is its beginning: drums wait for half of it and then mark the
    beat; others than the tune, a bass and who plays chords come in after it. Who is told to play there does."""
    told = _told_in_parts(score, stage, job)
    if told is None:
        return score
    (first, last), made = stage[0], score
    half = first + (last - first + 1) // 2 - 1 if last - first + 1 >= 2 * _FEWEST else last
    for voice in score.voices:
        if voice.drums and voice.name not in told:
            made = silenced(_marked(made, voice, stage), [voice.name], ((first, half),))
    stage = stage[:1]  # when it comes again, only the drums are as light
    kept = _kept(score, stage, told)
    waiting = [one.name for one in score.voices if not one.drums and one.name not in kept]
    made = silenced(made, waiting, stage) if waiting else made
    plain = [one.name for one in score.voices if one.name in kept - told and one.name != _tune(score, stage)]
    made = thinned(made, _MOST_STARTS, plain, ((first, half),)) if plain else made
    return made if _heard(made, stage) else score


def _told_in_parts(score: Score, stage: Spans, job: Job) -> set[str] | None:
    """Who is told to play on a stage; None where it is not to be thin: a piece that is asked to be in so many parts has
    them all through, however soft."""
    if any(one.kind == "voices" or one.what in _IN_PARTS for one in job.contract.asks):
        return None
    return _told_there(score, stage, job)


def bared(score: Score, spans: Spans, job: Job) -> Score:
    """The piece with bare bars in its midst: drums only mark the beat there, and nobody is as loud as elsewhere."""
    told = _told_there(score, spans, job)
    made = score
    for voice in score.voices if told is not None else ():
        made = _marked(made, voice, spans) if voice.drums and told is not None and voice.name not in told else made
    return _quieter(made, spans)


def _quieter(score: Score, spans: Spans) -> Score:
    """The piece with every phrase of some bars softer than each voice is in the others."""
    outside, made = ~bar_mask(spans, score), score
    for voice in score.voices:
        bars = np.searchsorted(score.bar_lines, voice.array["onset"], side="right") - 1
        around = voice.array["velocity"][outside[bars]]
        for phrase in phrases_of(spans) if len(around) else ():
            here = within(voice.array, phrase, score)["velocity"]
            more = round(float(here.mean() - around.mean())) + _QUIETER if len(here) else 0
            made = louder(made, -more, [voice.name], phrase) if more > 0 else made
    return made


def phrases_of(spans: Spans) -> list[Spans]:
    """The phrases of some bars, one after the other."""
    return [((bar, min(last, bar + _PHRASE - 1)),) for first, last in spans for bar in range(first, last + 1, _PHRASE)]


def _told_there(score: Score, stage: Spans, job: Job) -> set[str] | None:
    """Who is told to do something in a stage; None where it is told who alone plays there."""
    told: set[str] = set()
    for ask in job.contract.asks:
        there = (
            (ask.where or by_bars(ask.what))
            and ask.kind in _HERE
            and any(one[0] <= stage[0][1] and stage[0][0] <= one[1] for one in spans_of_ask(ask, score))
        )
        if there and ask.kind == "only":
            return None
        if ask.who and (there or _ALWAYS.search(ask.words)) and ask.kind != "enter":
            told |= {score.voices[index].name for index in voices_of(ask.who, score, stage)}
    return told


def _tune(score: Score, stage: Spans) -> str:
    """Who has the tune in a stage."""
    index = tune_of(score, stage)
    return score.voices[index].name if index is not None else ""


def _kept(score: Score, stage: Spans, told: set[str]) -> set[str]:
    """Who plays in a hushed stage: all where they are few, rather than who is loud by nature; else who has the tune, a
    bass, and who has chords."""
    pitched = _playing(score, stage)
    quiet = [voice for voice in pitched if voice.program not in _LOUD_SOUNDS]
    tune, basses = _tune(score, stage), [score.voices[index].name for index in voices_of("bass", score, stage)]
    if len(pitched) < _CROWD or all(_sings(voice) for voice in pitched):
        chordal = any(_has_chords(one) and one.name not in basses for one in quiet)
        return {one.name for one in (quiet if chordal else pitched)} | {tune} | told
    others = [voice for voice in quiet if voice.name not in (tune, *basses[:1])]
    chords = sorted(others, key=lambda voice: -len(within(voice.array, stage, score)))[:1]
    return {tune, *basses[:1], *told, *(voice.name for voice in chords)}


def _playing(score: Score, stage: Spans) -> list[Voice]:
    """The voices with pitches that play in a stage."""
    return [voice for voice in score.voices if not voice.drums and len(within(voice.array, stage, score))]


def _sings(voice: Voice) -> bool:
    """Whether a voice is sung."""
    return instrument_of_program(voice.program or 0).family == "voices"


def _has_chords(voice: Voice) -> bool:
    """Whether an instrument plays several notes at once."""
    return instrument_of_program(voice.program or 0).polyphony > _TWO and not _sings(voice)


def _marked(score: Score, voice: Voice, stage: Spans) -> Score:
    """The piece with drums that only mark the beat in a stage: of a kit kick and hats, of others the firm strokes."""
    if not set(voice.array["pitch"].tolist()) & _SNARES:
        return thinned(score, _MOST_STARTS, [voice.name], stage)
    rows = [row for row in rows_of(within(voice.array, stage, score)) if row.pitch in _LIGHT and _on_beat(score, row)]
    return put(score, voice.name, stage, rows)


def _on_beat(score: Score, row: Row) -> bool:
    """Whether something is struck on a beat."""
    line = score.bar_lines[score.bar_at(row.onset)]
    return (row.onset - line) % QUARTER == 0


def _heard(score: Score, stage: Spans) -> bool:
    """Whether somebody is heard in nearly all bars of a stage, and in the first."""
    bars = range(stage[0][0] - score.first_bar, stage[0][1] - score.first_bar + 1)
    onset, end = score.table["onset"], score.table["onset"] + score.table["duration"]
    silent = [bar for bar in bars if not np.any((onset < score.bar_lines[bar + 1]) & (end > score.bar_lines[bar]))]
    return len(silent) <= _EMPTY * len(bars) and bars[0] not in silent


def rolled_up(ask: Ask, score: Score, spans: Spans) -> Score:
    """The piece with a roll of the snare that grows through the last bars of a build-up, where a kit plays them."""
    kits = [voice for voice in score.voices if voice.drums and _SNARE in voice.array["pitch"]]
    if ask.what != "growing" or not BUILD_UP.search(ask.words) or not kits or not ask.where:
        return score
    made = score
    for first, last in spans:
        bars = ((max(first, last - _ROLLED + 1), last),)
        start, end = (score.bar_lines[bar - score.first_bar] for bar in (bars[0][0], last + 1))
        rows, tick = [], start
        while tick < end:
            rows.append(Row(tick, _STROKE, _SNARE, round(_FROM + (_STRUCK - _FROM) * (tick - start) / (end - start))))
            tick += QUARTER // 2 if tick < (start + end) // 2 else _STROKE
        kept = [row for row in rows_of(within(kits[0].array, bars, score)) if row.pitch in _KICKS]
        made = put(made, kits[0].name, bars, [*kept, *rows])
    return made


def struck_open(ask: Ask, score: Score, spans: Spans, job: Job) -> Score:
    """The piece with a cymbal where it opens up: the first beat of what is loud after something soft."""
    soft = any(one.kind == "dynamics" and one.what in ("soft", "growing") for one in job.contract.asks)
    if ask.what != "loud" or ask.who or not soft or spans[0][0] <= score.numbers[0]:
        return score
    return _crashed(score, [one for one in score.voices if one.drums], score.bar_lines[spans[0][0] - score.first_bar])


def _crashed(score: Score, drums: Sequence[Voice], tick: int) -> Score:
    """The piece with a crash in the first kit that has cymbals, where none is."""
    kits = [one for one in drums if _CYMBALS & set(one.array["pitch"].tolist())]
    here = kits[0].array["pitch"][kits[0].array["onset"] == tick].tolist() if kits else []
    if not kits or _CRASH in here:
        return score
    bar = score.bar_at(tick) + score.first_bar
    rows = [*rows_of(within(kits[0].array, ((bar, bar),), score)), Row(tick, QUARTER // 4, _CRASH, _STRUCK)]
    return put(score, kits[0].name, ((bar, bar),), rows)
