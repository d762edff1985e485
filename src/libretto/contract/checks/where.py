"""Where an ask holds, and of whom it speaks: bars and voices of a piece, as measured in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.kin import kin_of
from libretto.contract.instruments import instrument_named, instrument_of_program
from libretto.contract.stretches import bars_of_place, sections_of_score
from libretto.score.model import Score
from libretto.score.voice import Voice

__all__ = [
    "Spans", "bar_mask", "bass_of", "instruments_called", "lowest_of", "names_of", "nowhere", "said",
    "spans_of_ask", "ticks_of", "tops", "tune_of", "undermost", "voices_of", "within",
]  # fmt: skip

Spans = tuple[tuple[int, int], ...]
_AFTER_BARS = re.compile(r"after (?:first \d+ bars|bars? \d+)")
_TOLD_BARS = re.compile(r"(?:from )?(?:bars? \d|first|last \d|intro|start)")
_EDGES = ("intro", "outro", "tag")
_OF_A_SECTION = ("tempo_change", "density")  # what a middle section has as a whole
_CONTRASTS = ("break", "bridge", "breakdown", "interlude", "build")
_FEWEST = 6  # the share of a piece that they are at least, one in so many
_LOWEST_TUNE = 0.5  # of the bars of a stretch in which who has the tune plays at least
_DEEP = 43  # the mean pitch below which a line is the floor of a piece


_LAST_ROUND = re.compile(r"last (?:chorus|verse|refrain)")


def spans_of_ask(ask: Ask, score: Score) -> Spans:
    """The bars of an ask, by number with both ends: its place, and for entries and exits where somebody is silent.

    A solo without a place stands in the section that is called so, else in the bridge, else in the middle. A bridge of
    a form in letters is its B.
    """
    if ask.where == "solo" or (ask.kind == "solo" and not ask.where):
        places = ("solo", "bridge", "B", "middle")
        return next((spans for place in places if (spans := bars_of_place(place, score))), ())
    spans = _place(ask.where, score)
    if _follows(ask):
        return _following(spans, score)
    low, high = score.numbers[0], score.numbers[-1]
    if ask.kind == "leave" and ask.where.startswith("before "):
        return spans  # and is back then
    if ask.kind in ("enter", "leave"):
        return _gone(ask.kind, spans, low, high)
    if ask.where == "middle" and ask.kind in _OF_A_SECTION:
        spans = _middle_section(spans, score)
    if ask.kind in ("key_change", "tempo_change"):
        return _changed(ask, spans, low, high)
    return _contrasting(ask, spans, score) if ask.kind == "chords" and ask.where else spans


def _gone(kind: str, spans: Spans, low: int, high: int) -> Spans:
    """Where somebody is silent who comes in or leaves."""
    return tuple(_away(kind, first, low, high) for first, _ in spans[:1] if first > low or kind == "leave")


def _middle_section(spans: Spans, score: Score) -> Spans:
    """The sections in the middle of a piece that are made for contrast, where they are long enough; else those that
    lie there for the most part, else the bars as they are."""
    rows = [
        (kind, first, last)
        for kind, first, last in sections_of_score(score)
        if 2 * sum(max(0, min(last, two) - max(first, one) + 1) for one, two in spans) > last - first + 1
    ]
    made = tuple((first, last) for kind, first, last in rows if kind in _CONTRASTS)
    if sum(last - first + 1 for first, last in made) * _FEWEST >= score.bars:
        return made
    return ((rows[0][1], rows[-1][2]),) if rows and rows[0][1] > score.numbers[0] else spans


def _changed(ask: Ask, spans: Spans, low: int, high: int) -> Spans:
    """The bars of a change of key or tempo; a key that is lifted for the last time round stays."""
    if ask.where == "middle" and not spans:
        return ((low + (high - low) // 2, high),)
    if ask.kind == "tempo_change" and ask.where == "last strain":
        return spans[-1:]
    lifted = ask.kind == "key_change" and _LAST_ROUND.fullmatch(ask.where)
    return ((spans[-1][0], high),) if lifted and spans else spans


def _contrasting(ask: Ask, spans: Spans, score: Score) -> Spans:
    """The bars of a section with chords of its own; where it is not there, or begins the piece by another name, the
    sections after the first that are none of its kind, else the second half."""
    low = score.numbers[0]
    if _TOLD_BARS.match(ask.where) or (spans and spans[0][0] > low):
        return spans
    rows = [row for row in sections_of_score(score) if row[0] not in _EDGES]
    others = tuple((first, last) for kind, first, last in rows if kind != rows[0][0])
    return others or bars_of_place("second half", score)


def _follows(ask: Ask) -> bool:
    """Whether somebody has the tune in the section after a place; who takes over after so many bars goes on."""
    counted = ask.kind == "lead" and _AFTER_BARS.match(ask.where)
    return ask.kind in ("solo", "lead") and ask.where.startswith("after ") and not counted


def _away(kind: str, bar: int, low: int, high: int) -> tuple[int, int]:
    """The bars in which somebody is silent who enters, or leaves, in a bar."""
    return (low, bar - 1) if kind == "enter" else (bar, high)


def _following(spans: Spans, score: Score) -> Spans:
    """The section that begins where some bars do; all of them where none does."""
    starts = {first for first, _ in spans[:1]}
    return tuple((first, last) for _, first, last in sections_of_score(score) if first in starts)[:1] or spans


def _place(place: str, score: Score) -> Spans:
    spans = bars_of_place(place, score)
    if spans or "bridge" not in place:
        return spans
    letters = {kind for kind, _, _ in sections_of_score(score) if re.fullmatch("[A-H]", kind)}
    return bars_of_place(place.replace("bridge", "B"), score) if "B" in letters else ()


def ticks_of(spans: Spans, score: Score) -> list[tuple[int, int]]:
    """Stretches of bars as ticks."""
    return [
        (score.bar_lines[first - score.first_bar], score.bar_lines[last - score.first_bar + 1]) for first, last in spans
    ]


def bar_mask(spans: Spans, score: Score) -> NDArray[np.bool_]:
    """Which bars, from 0, lie within stretches."""
    mask = np.zeros(score.bars, dtype=np.bool_)
    for first, last in spans:
        mask[max(0, first - score.first_bar) : last - score.first_bar + 1] = True
    return mask


def within(notes: NDArray[Any], spans: Spans, score: Score) -> NDArray[Any]:
    """The notes that begin within stretches of bars."""
    keep = np.zeros(len(notes), dtype=np.bool_)
    for start, end in ticks_of(spans, score):
        keep |= (notes["onset"] >= start) & (notes["onset"] < end)
    return notes[keep]


def lowest_of(score: Score, index: int, spans: Spans) -> NDArray[Any]:
    """The lower line of a voice: the lowest note at every time at which it starts something."""
    notes = within(score.voices[index].array, spans, score)
    ordered = notes[np.lexsort((notes["pitch"], notes["onset"]))]
    first = np.ones(len(ordered), dtype=np.bool_)
    first[1:] = ordered["onset"][1:] != ordered["onset"][:-1]
    return ordered[first]


def undermost(notes: NDArray[Any]) -> NDArray[Any]:
    """The notes of a lower line that begin while nothing lower sounds."""
    lower = [
        bool(((notes["onset"] < note["onset"]) & (notes["onset"] + notes["duration"] > note["onset"])
              & (notes["pitch"] < note["pitch"])).any())
        for note in notes
    ]  # fmt: skip
    return notes[~np.array(lower, dtype=np.bool_)]


def voices_of(who: str, score: Score, spans: Spans = ()) -> list[int]:
    """The voices that an ask speaks of, by index: all for nobody named; by part, instrument, or what they do."""
    playing = [index for index, voice in enumerate(score.voices) if len(voice.array)]
    low = who.lower().strip()
    if not low or low in ("all", "everybody", "everyone", "band"):
        return playing
    if " + " in low:
        return sorted({index for one in low.split(" + ") for index in voices_of(one, score, spans)})
    named = [index for index in playing if score.voices[index].name.lower().partition(" (")[0] == low]  # and its chairs
    named = named or [index for index in playing if _called(score.voices[index], low)]
    if named:
        return named
    return _by_duty(low, score, playing, spans or ((score.numbers[0], score.numbers[-1]),))


def instruments_called(who: str, score: Score) -> list[int]:
    """The voices that are an instrument, by index: by name or sound, not by what they do. A voice that is named after
    another instrument is that one, though it may have the same sound; a bass is any instrument that is one."""
    low = who.lower().strip()
    wanted = instrument_named(low)
    found = []
    for index, voice in enumerate(score.voices):
        own = instrument_named(voice.name)
        if not len(voice.array) or (low == "drums" and not voice.drums):
            continue
        if low in ("drums", voice.name.lower()) or low in voice.name.lower().split():
            found.append(index)
        elif own is not None and wanted is not None and not own.percussion:
            if own.name == wanted.name or (low == wanted.family == own.family):
                found.append(index)
        elif _called(voice, low):
            found.append(index)
    return found


def _called(voice: Voice, low: str) -> bool:
    """Whether a voice is of that name: by its own, or by its instrument's."""
    if low in ("melody", "bass", "drums", "chords") and low not in voice.name.lower().split():
        return False
    if low in voice.name.lower():
        return True
    instrument = instrument_named(low)
    if instrument is None or instrument.percussion != voice.drums:
        return False
    if voice.drums:
        return bool(instrument.keys) and bool(np.isin(voice.array["pitch"], instrument.keys).mean() > 1 / 2)
    same = instrument_of_program(voice.program or 0).name == instrument.name
    return same or voice.program in kin_of(instrument)


def _by_duty(low: str, score: Score, playing: list[int], spans: Spans) -> list[int]:
    if low == "drums":
        return [index for index in playing if score.voices[index].drums]
    if low == "bass":
        lowest = bass_of(score, spans)
        return [] if lowest is None else [lowest]
    if low in ("melody", "tune", "lead"):
        tune = tune_of(score, spans)
        return [] if tune is None else [tune]
    if low in ("chords", "accompaniment", "harmony"):
        return _with_chords(score, playing, spans)
    return []


def _with_chords(score: Score, playing: list[int], spans: Spans) -> list[int]:
    """Who has the chords: neither tune nor bass; of two who has the bass has the chords besides."""
    tune, bass = tune_of(score, spans), bass_of(score, spans)
    pitched = [index for index in playing if not score.voices[index].drums]
    others = [index for index in pitched if index != tune]
    between = [index for index in others if index != bass]
    able = [index for index in between if instrument_of_program(score.voices[index].program or 0).polyphony > 1]
    return able or between or others or pitched


def bass_of(score: Score, spans: Spans) -> int | None:
    """The voice that is lowest in some bars."""
    rows = [
        (float(np.mean(notes["pitch"])), index)
        for index, voice in enumerate(score.voices)
        if not voice.drums and len(notes := within(voice.array, spans, score))
    ]
    return min(rows)[1] if rows else None


def tune_of(score: Score, spans: Spans) -> int | None:
    """The voice that a listener follows in some bars: the loudest line of those that play in most of them; none so deep
    that it is the floor, where there is another."""
    bars = max(1, sum(last - first + 1 for first, last in spans))
    rows = []
    for index, voice in enumerate(score.voices):
        notes = within(voice.array, spans, score)
        if voice.drums or not len(notes):
            continue
        present = len(np.unique(np.searchsorted(score.bar_lines, notes["onset"], side="right"))) / bars
        top = tops(notes)
        height = float(top["pitch"].mean())
        rows.append((present >= _LOWEST_TUNE, height >= _DEEP, float(top["velocity"].mean()) + height / 12, -index))
    return -max(rows)[-1] if rows else None


def tops(notes: NDArray[Any]) -> NDArray[Any]:
    """The highest note of every onset."""
    order = np.lexsort((-notes["pitch"].astype(np.int64), notes["onset"]))
    ordered = notes[order]
    first = np.ones(len(ordered), dtype=np.bool_)
    first[1:] = ordered["onset"][1:] != ordered["onset"][:-1]
    return ordered[first]


def said(spans: Spans) -> str:
    """Stretches of bars in words: ``bars 9-16, 25-32``.

    >>> said(((9, 16), (25, 25)))
    'bars 9-16, 25'
    """
    told = ", ".join(f"{first}-{last}" if first != last else f"{first}" for first, last in spans)
    return f"bar{'s' if len(spans) > 1 or (spans and spans[0][0] != spans[0][1]) else ''} {told}"


def names_of(score: Score, indices: Sequence[int]) -> str:
    """The names of voices in a row."""
    return ", ".join(score.voices[index].name for index in indices)


def nowhere(ask: Ask, spans: Spans) -> tuple[bool, str, Spans]:
    """What is to be said where a place or a player is not there."""
    if not spans:
        return False, f"there is no {ask.where or 'place'} in the piece", ()
    return False, f"nobody plays {ask.who or 'there'}", spans
