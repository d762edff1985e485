"""Clauses on what single parts do: a walking bass, held chords, the lowest line, and the manner of the drums."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.cascades import cascade_told, share_of_falls
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.kitwork import BUSIER, KITWORK, grown_busier, kit_touched
from libretto.contract.checks.layers import LAYERS, WITHOUT, layered, missing
from libretto.contract.checks.rolls import STRUCK, struck_there
from libretto.contract.checks.where import (
    Spans,
    bar_mask,
    bass_of,
    lowest_of,
    nowhere,
    said,
    spans_of_ask,
    tune_of,
    voices_of,
    within,
)
from libretto.contract.checks.whispering import WHISPER, whispers
from libretto.contract.contract import Contract
from libretto.contract.instruments import instrument_of_program
from libretto.score.model import Score
from libretto.score.time import QUARTER
from libretto.score.voice import Voice

__all__: list[str] = []

Notes = NDArray[Any]
_MOSTLY, _NEARLY, _ALL_ALONG = 0.6, 0.8, 0.95  # of the bars, beats or notes
_OFTEN = 0.4  # of the bars of who plays chords besides other things
_LEAP = 5  # semitones: a walking bass goes no further, but to tones of its chord
_SINGLE = 1.25  # notes a start of what is one line
_RIFFS, _STROKES = 1 / 3, 3  # of the bars of who plays riffs and other things; strokes of a riff in a bar
_HELD = 0.4  # of a bar: the mean length of what is held
_KICKS, _SNARES, _CLAPS = (35, 36), (37, 38, 39, 40), (39,)
_QUIET = 66  # the mean velocity of brushes at most
_BRUSHED = (38, 40, 44, 49, 51, 53, 57, 59)  # keys of the kit that brushes play
_BESIDE = (35, 36, 37, 44)  # and what feet play, or the rim under a hand, whatever is held


def _beats(score: Score, spans: Spans) -> list[tuple[int, int, int]]:
    """The beats of some bars: bar from 0, number in the bar from 0, tick; the last bar of a piece is left out."""
    rows = []
    for bar in np.nonzero(bar_mask(spans, score))[0].tolist():
        if bar == score.bars - 1:
            continue
        start, end = score.bar_lines[bar], score.bar_lines[bar + 1]
        rows += [(bar, place, tick) for place, tick in enumerate(range(start, end, score.meter_at(start).beat))]
    return rows


def _walking(score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    """A note a beat, mostly by steps or tones of the chord, hardly ever the same again."""
    line = lowest_of(score, index, spans)
    beats = _beats(score, spans)
    struck = {int(tick) for tick in line["onset"]}
    walked = sum(tick in struck for _, _, tick in beats) / max(1, len(beats))
    last = score.bar_lines[-2]
    line = line[line["onset"] < last]
    extra = sum(int(tick) not in {beat for _, _, beat in beats} for tick in line["onset"]) / max(1, len(line))
    steps = np.abs(np.diff(line["pitch"].astype(np.int64)))
    same = float((steps == 0).mean()) if len(steps) else 1.0
    near = float((steps <= _LEAP).mean()) if len(steps) else 0.0
    kept = walked >= _NEARLY and extra <= 1 - _MOSTLY and same <= 1 / 4 and near >= _MOSTLY
    return kept, f"a note on {walked:.0%} of the beats, {near:.0%} of its steps small"


def _chordal(score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    notes = within(score.voices[index].array, spans, score)
    if instrument_of_program(score.voices[index].program or 0).polyphony == 1:  # its chords come tone by tone
        fits = [
            int(note["pitch"]) % 12 in chord.classes for note in notes if (chord := score.chord_at(int(note["onset"])))
        ]
        share = sum(fits) / len(fits) if fits else 0.0
        return share >= _NEARLY, f"{share:.0%} of its notes are tones of the chord"
    starts, counts = np.unique(notes["onset"], return_counts=True)
    share = float((counts >= 2).mean()) if len(counts) else 0.0
    bars = np.searchsorted(score.bar_lines, starts, side="right")
    by_bar = [float((counts[bars == bar] >= 2).mean()) >= 1 / 2 for bar in np.unique(bars)]
    often = sum(by_bar) / max(1, len(by_bar))  # who has a solo besides strikes its chords in the other bars
    return share >= 1 / 2 or often >= _OFTEN, f"{share:.0%} of its starts are chords, most in {often:.0%} of its bars"


def _held(score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    notes = within(score.voices[index].array, spans, score)
    bar = float(np.mean(np.diff(score.bar_lines)))
    share = float(notes["duration"].mean()) / bar if len(notes) else 0.0
    return share >= _HELD, f"its notes last {share:.1f} bars"


def _lowest(score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    return bass_of(score, spans) == index, "it is the lowest" if bass_of(score, spans) == index else "others are lower"


def _beside(score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    notes = within(score.voices[index].array, spans, score)
    single = len(notes) <= len(np.unique(notes["onset"])) * _SINGLE
    other = tune_of(score, spans) != index
    return single and other and len(notes) > 0, "a line beside the tune" if single and other else "no line of its own"


def _riffs(score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    """Several riffs: rhythms of a bar that come again in a third of the bars; whether one does in most is no matter."""
    bars: dict[int, list[int]] = {}
    for onset in np.unique(within(score.voices[index].array, spans, score)["onset"]).tolist():
        bar = int(np.searchsorted(score.bar_lines, onset, side="right")) - 1
        bars.setdefault(bar, []).append(onset - score.bar_lines[bar])
    rhythms = Counter(tuple(row) for row in bars.values() if len(row) >= _STROKES)
    again, total = sum(times for times in rhythms.values() if times > 1), int(bar_mask(spans, score).sum())
    return again >= _RIFFS * total, f"rhythms come again in {again} of {total} bars"


def _freely(score: Score, index: int, spans: Spans) -> tuple[bool, str]:
    """Lines of their own: a stroke a beat and more in most bars, and hardly a rhythm that is that of the bar before."""
    bars: dict[int, list[int]] = {}
    for onset in np.unique(within(score.voices[index].array, spans, score)["onset"]).tolist():
        bar = int(np.searchsorted(score.bar_lines, onset, side="right")) - 1
        bars.setdefault(bar, []).append(onset - score.bar_lines[bar])
    busy = sum(len(row) >= score.meter_at(0).ticks // score.meter_at(0).beat for row in bars.values())
    same = sum(bars.get(bar - 1) == row and len(set(np.diff(row))) > 1 for bar, row in bars.items())
    total = int(bar_mask(spans, score).sum())
    return busy >= _MOSTLY * total and same <= _RIFFS * total, f"it moves freely in {busy - same} of {total} bars"


_DUTIES: dict[str, Callable[[Score, int, Spans], tuple[bool, str]]] = {
    "walking": _walking,
    "comping": _chordal,
    "chords": _chordal,
    "pad": _held,
    "bass": _lowest,
    "counter": _beside,
    "riffs": _riffs,
    "free": _freely,
}
_FALLING = 0.35  # of the bars of who is to let chords fall
_AS_TEXTURE = {"arpeggio": "arpeggio", "ostinato": "riff", "riff": "riff", "drone": "pedal"}
_STATED = re.compile(
    r"\briffs\b|\b(?:stat|introduc|announc)(?:es?|ing)\b|\b(?:open|begin|start)s? with\b", re.IGNORECASE
)
_DEFAULT = {"walking": "bass", "bass": "bass"}


def _cascade(ask: Ask, score: Score, spans: Spans) -> Finding | None:
    """Whether who is told to let broken chords fall does so; None of anybody else."""
    mine = voices_of(ask.who, score, spans)[:1] if ask.what == "arpeggio" and ask.who and spans else []
    if not mine or not cascade_told(ask, score, mine[0]):
        return None
    share = share_of_falls(score, mine[0], spans)
    return share >= _FALLING, f"it falls through two octaves and more in {share:.0%} of the bars", spans


@ask_clauses.register("role")
def _role(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    if ask.what == "silent":
        return ask_clauses["silent"](ask, contract, score)
    what = "riffs" if ask.what == "riff" and _STATED.search(ask.words) else ask.what
    if cascade := _cascade(ask, score, spans):
        return cascade
    if what in _AS_TEXTURE:
        return ask_clauses["texture"](Ask("texture", _AS_TEXTURE[ask.what], ask.who, ask.where), contract, score)
    mine = voices_of(ask.who or _DEFAULT.get(what, "chords"), score, spans)
    mine = [index for index in mine if not score.voices[index].drums]
    if not spans or not mine:
        return nowhere(ask, spans)
    if what not in _DUTIES:
        return None, f"nobody can check {what}", spans
    kept, evidence = _DUTIES[what](score, mine[0], spans)
    return kept, f"{score.voices[mine[0]].name} in {said(spans)}: {evidence}", spans


@ask_clauses.register("drums")
def _drums(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    if spans and ask.what in STRUCK:
        return struck_there(ask, score, spans)
    kit = [voice for voice in score.voices if voice.drums and len(voice.array)]
    if not spans or not kit:
        return nowhere(Ask("drums", who="drums", where=ask.where), spans)
    if ask.what.startswith(LAYERS):
        return layered(ask, score)
    if ask.what.startswith(WITHOUT):
        return missing(ask, score, spans)
    spans = _while_playing(contract, score, spans)
    told = _told_of(ask, score, kit)
    notes = np.concatenate([within(voice.array, spans, score) for voice in told])
    if not len(notes):
        return False, f"the drums are silent in {said(spans)}", spans
    if ask.what == BUSIER:
        return (*grown_busier(score, spans, np.concatenate([voice.array for voice in told])), spans)
    return (*_played_so(ask.what, score, spans, notes), spans)


def _told_of(ask: Ask, score: Score, kit: list[Voice]) -> list[Voice]:
    """Those of some drummers of whom a way to touch a kit is told; all of them for everything else."""
    named = [score.voices[index] for index in voices_of(ask.who, score)] if ask.what in KITWORK else []
    return [voice for voice in named if voice.drums and len(voice.array)][:1] or kit


def _played_so(what: str, score: Score, spans: Spans, notes: Notes) -> tuple[bool | None, str]:
    """Whether drums are played as told, and the evidence."""
    if what in KITWORK:
        return kit_touched(what, score, spans, notes)
    if what == "train":
        return _clattering(score, spans, _struck(notes, _SNARES))
    return whispers(score, spans, notes) if what == WHISPER else _in_manner(what, score, spans, notes)


def _in_manner(what: str, score: Score, spans: Spans, notes: Notes) -> tuple[bool | None, str]:
    """Whether drums are played in a manner, and the evidence."""
    if what == "brushes":
        loud = float(notes["velocity"].mean())
        hands = notes["pitch"][~np.isin(notes["pitch"], _BESIDE)]
        soft = float(np.isin(hands, _BRUSHED).mean()) if len(hands) else 0.0
        return loud <= _QUIET and soft >= _NEARLY, f"strokes at {loud:.0f}, {soft:.0%} of them brushed"
    kicks, snares = (_struck(notes, keys) for keys in (_KICKS, _SNARES))
    if what == "four on the floor":
        share = _share(score, spans, kicks, lambda place, count: True)
        return share >= _NEARLY, f"a kick on {share:.0%} of the beats"
    if what == "backbeat":
        share = _share(score, spans, snares, lambda place, count: place % 2 == 1)
        return share >= _NEARLY, f"a snare on {share:.0%} of the weak beats"
    if what == "claps":
        share = _share(score, spans, _struck(notes, _CLAPS), lambda place, count: place % 2 == 1)
        others = _share(score, spans, _struck(notes, _CLAPS), lambda place, count: place % 2 == 0)
        return share >= _NEARLY and others <= 1 / 4, f"a clap on {share:.0%} of the weak beats"
    if what == "half time":
        middle = _share(score, spans, snares, lambda place, count: place == count // 2)
        others = _share(score, spans, snares, lambda place, count: place != count // 2)
        return middle >= _NEARLY and others <= 1 / 4, f"a snare in the middle of {middle:.0%} of the bars"
    if what == "double time":
        half = QUARTER // 2
        share = _share(score, spans, {tick - half for tick in snares}, lambda place, count: True)
        return share >= _NEARLY, f"a snare after {share:.0%} of the beats"
    if what == "double kick":
        quick = sum(tick - QUARTER // 4 in kicks for tick in kicks) / max(1, len(kicks))
        return quick >= 1 / 4, f"{quick:.0%} of the kicks a sixteenth after another"
    return None, f"nobody can check {what}"


def _clattering(score: Score, spans: Spans, snares: set[int]) -> tuple[bool, str]:
    """Whether snares run in sixteenths, three of four in most bars but the last."""
    bars = [bar for bar in np.nonzero(bar_mask(spans, score))[0].tolist() if bar < score.bars - 1]
    lines = score.bar_lines
    strokes = [sum(lines[bar] <= tick < lines[bar + 1] for tick in snares) for bar in bars]
    full = sum(4 * one * QUARTER >= 12 * (lines[bar + 1] - lines[bar]) for one, bar in zip(strokes, bars, strict=True))
    return full >= _ALL_ALONG * len(bars), f"the snare clatters in {full} of {len(bars)} bars"


def _while_playing(contract: Contract, score: Score, spans: Spans) -> Spans:
    """The bars of a manner of drumming in which the drums were not asked to be silent, stretch by stretch."""
    mask = bar_mask(spans, score)
    for ask in contract.asks:
        mine = voices_of(ask.who, score) if ask.who else []
        if ask.kind in ("silent", "enter", "leave") and mine and all(score.voices[index].drums for index in mine):
            mask &= ~bar_mask(spans_of_ask(ask, score), score)
        if ask.kind == "only" and mine and not any(score.voices[index].drums for index in mine):
            mask &= ~bar_mask(spans_of_ask(ask, score), score)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    return tuple(
        (int(first) + score.first_bar, int(end) - 1 + score.first_bar)
        for first, end in zip(edges[::2], edges[1::2], strict=True)
    )


def _struck(notes: Notes, keys: tuple[int, ...]) -> set[int]:
    return {int(tick) for tick in notes["onset"][np.isin(notes["pitch"], keys)]}


def _share(score: Score, spans: Spans, ticks: set[int], wanted: Callable[[int, int], bool]) -> float:
    """The share of some beats of every bar on which something is struck."""
    beats = _beats(score, spans)
    counts: dict[int, int] = {}
    for bar, _, _ in beats:
        counts[bar] = counts.get(bar, 0) + 1
    chosen = [tick for bar, place, tick in beats if wanted(place, counts[bar])]
    return sum(tick in ticks for tick in chosen) / len(chosen) if chosen else 0.0
