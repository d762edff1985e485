"""Clauses on textures, on what parts do, and on how drums are played."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.checks.canons import FAR, FOLLOWS, canon_in
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.faltering import WRONG_NOTES, wrong_by_one
from libretto.contract.checks.fermatas import FERMATAS, waits_at_ends
from libretto.contract.checks.murmuring import GROWING, MURMUR, murmurs
from libretto.contract.checks.octaves import tune_in_octaves
from libretto.contract.checks.phrases import in_gaps, with_long_ends
from libretto.contract.checks.rounds import Figure, most_rounds
from libretto.contract.checks.speaking import SPOKEN, spoken
from libretto.contract.checks.stacks import SECTION, holds_own_chords, in_power_chords, in_two_parts
from libretto.contract.checks.ticking import CYCLES, in_cycles
from libretto.contract.checks.turns import lines_of, most_turns
from libretto.contract.checks.where import (
    Spans,
    bar_mask,
    lowest_of,
    nowhere,
    said,
    spans_of_ask,
    tops,
    tune_of,
    undermost,
    voices_of,
    within,
)  # fmt: skip
from libretto.contract.contract import Contract
from libretto.score.model import Score

__all__: list[str] = []

Notes = NDArray[Any]
_MIDDLE = 60  # where two hands meet
_MOSTLY, _NEARLY = 0.6, 0.8  # of the bars or notes
_DEEP = 5  # semitones below the middle from which on a left hand holds a pedal
_SINGLE = 1.25  # notes a start of what is one line
_SUBJECT, _THREE = 2, 3  # bars of a subject; bars
_ENTRIES = 3  # of a subject that make an exposition; two where two voices sing
_FIFTHS = (5, 7)  # semitones between subject and answer
_TOGETHER, _APART = 0.75, 0.75  # of the starts of a second line that fall together with the tune's
_COMMON, _STEADY = 2 / 3, 3.0  # of the starts of two lines that move together; starts a bar of broken chords


def _told(ask: Ask, score: Score, spans: Spans) -> list[int]:
    """The voices with pitches of which a texture is asked; all where nobody is named."""
    mine = set(voices_of(ask.who, score, spans)) if " + " in ask.who else None
    return [index for index in _pitched(score, spans) if mine is None or index in mine]


def _pitched(score: Score, spans: Spans) -> list[int]:
    return [
        index for index, voice in enumerate(score.voices) if not voice.drums and len(within(voice.array, spans, score))
    ]


def _lines(score: Score, spans: Spans) -> list[Notes]:
    """The lines of a piece in some bars, high to low: a voice each, or the hands of one who plays alone."""
    voices = _pitched(score, spans)
    if len(voices) == 1:
        notes = within(score.voices[voices[0]].array, spans, score)
        return [part for part in (notes[notes["pitch"] >= _MIDDLE], notes[notes["pitch"] < _MIDDLE]) if len(part)]
    lines = [within(score.voices[index].array, spans, score) for index in voices]
    return sorted(lines, key=lambda notes: -float(notes["pitch"].mean()))


def _bar(score: Score, tick: int) -> int:
    return int(np.searchsorted(score.bar_lines, tick, side="right")) - 1


def _canon(contract: Contract, score: Score, spans: Spans) -> Finding:
    return canon_in(_lines(score, spans), contract, score, spans)


def _fugue(ask: Ask, score: Score, spans: Spans) -> Finding:
    """A subject alone, then by others, every second time a fifth away."""
    start = score.bar_lines[spans[0][0] - score.first_bar]
    bars = spans[0][0] - score.first_bar
    if bars + _SUBJECT >= score.bars:
        return False, "the piece is too short for a fugue", spans
    length = score.bar_lines[bars + _SUBJECT] - start
    lines = _lines(score, spans)
    opening = [line for line in lines if ((line["onset"] >= start) & (line["onset"] < start + length)).any()]
    if len(opening) != 1:
        return False, f"{len(opening)} voices begin together", spans
    subject = tops(opening[0][opening[0]["onset"] < start + length])
    everything = {(int(note["onset"]), int(note["pitch"])) for line in lines for note in line}
    entries = [0]
    for number in range(1, 2 * _ENTRIES):
        moved = [(int(note["onset"]) + number * length, int(note["pitch"])) for note in subject]
        shares = {by: sum((tick, pitch + by) in everything for tick, pitch in moved) for by in range(-FAR, FAR + 1)}
        by = max(shares, key=lambda by: (shares[by], -abs(by)))
        if shares[by] < FOLLOWS * len(moved):
            break
        entries.append(by)
    fifth = len(entries) > 1 and entries[1] % 12 in _FIFTHS
    return len(entries) >= _ENTRIES and fifth, f"the subject enters {len(entries)} times in {said(spans)}", spans


def _figures(score: Score, notes: Notes, spans: Spans) -> list[Figure]:
    """What a part plays in each bar: places, and pitches above the tonic of its key."""
    figures: dict[int, list[tuple[int, int]]] = {}
    for note in notes:
        bar = _bar(score, int(note["onset"]))
        above = int(note["pitch"]) - score.key_at(score.bar_lines[bar]).tonic_class
        figures.setdefault(bar, []).append((int(note["onset"]) - score.bar_lines[bar], above))
    return [tuple(sorted(figures.get(int(bar), []))) for bar in np.nonzero(bar_mask(spans, score))[0]]


def _part(ask: Ask, score: Score, spans: Spans, default: str) -> int | None:
    mine = [index for index in voices_of(ask.who or default, score, spans) if not score.voices[index].drums]
    return mine[0] if mine else None


def _ostinato(ask: Ask, score: Score, spans: Spans) -> Finding:
    return _returning(ask, score, spans, "one figure")


def _riff(ask: Ask, score: Score, spans: Spans) -> Finding:
    return _returning(ask, score, spans, "one riff", moved=True)


def _returning(ask: Ask, score: Score, spans: Spans, what: str, *, moved: bool = False) -> Finding:
    """A figure of one to four bars that comes again and again; ``moved`` along with the chords or not."""
    index = _part(ask, score, spans, "bass")
    if index is None:
        return nowhere(ask, spans)
    notes = within(score.voices[index].array, spans, score)
    alone = len(_pitched(score, spans)) == 1
    figures = _figures(score, notes[notes["pitch"] < _MIDDLE] if alone else notes, spans)
    most, size = most_rounds(figures, moved=moved, thrice=_in_threes(score))
    long = f" of {size} bars" if size > 1 else ""
    said_so = f"{score.voices[index].name} plays {what}{long} in {most} of {len(figures)} bars"
    return most >= _MOSTLY * len(figures), said_so, spans


def _in_threes(score: Score) -> bool:
    """Whether nearly all chords come again after three bars, and not all are one."""
    again = [one == other for one, other in zip(score.chords, score.chords[_THREE:], strict=False)]
    return len(set(score.chords)) > 1 and bool(again) and sum(again) >= _MOSTLY * len(again)


def _pedal(ask: Ask, score: Score, spans: Spans) -> Finding:
    index = _part(ask, score, spans, "bass")
    if index is None:
        return nowhere(ask, spans)
    low = undermost(lowest_of(score, index, spans))
    classes, weights = low["pitch"] % 12, low["duration"].astype(np.float64)
    if len(_pitched(score, spans)) == 1:
        deep = low["pitch"] < _MIDDLE - _DEEP
        classes, weights = classes[deep], weights[deep]
    if not len(classes):
        return nowhere(ask, spans)
    mass = np.bincount(classes, weights=weights, minlength=12)
    share = float(mass.max() / mass.sum())
    return share >= _NEARLY, f"{score.voices[index].name} stays on one note {share:.0%} of the time", spans


def _arpeggio(ask: Ask, score: Score, spans: Spans) -> Finding:
    index = _part(ask, score, spans, "chords")
    if index is None:
        return nowhere(ask, spans)
    notes = lowest_of(score, index, spans)
    if len(_pitched(score, spans)) == 1:  # the tune is not the chords
        notes = notes[notes["pitch"] < _MIDDLE]
    bars = max(1, int(bar_mask(spans, score).sum()))
    starts = len(np.unique(notes["onset"])) / bars
    fits = [int(note["pitch"]) % 12 in chord.classes for note in notes if (chord := score.chord_at(int(note["onset"])))]
    share = sum(fits) / len(fits) if fits else 0.0
    steps = np.abs(np.diff(notes["pitch"].astype(np.int64)))
    moves = float((steps > 0).mean()) if len(steps) else 0.0
    name = score.voices[index].name
    kept = starts >= _STEADY and share >= _MOSTLY and moves >= _MOSTLY
    return kept, f"{name} breaks its chords with {starts:.0f} notes a bar, {share:.0%} of them chord tones", spans


def _starts(notes: Notes) -> set[int]:
    return {int(tick) for tick in np.unique(notes["onset"])}


def _share_of_starts(score: Score, spans: Spans, wanted: Callable[[list[int]], bool]) -> float:
    """The share of the starts of who plays alone at which the tones struck are as wanted."""
    notes = within(score.voices[_pitched(score, spans)[0]].array, spans, score)
    struck: dict[int, list[int]] = {}
    for note in notes:
        struck.setdefault(int(note["onset"]), []).append(int(note["pitch"]))
    return sum(map(wanted, struck.values())) / max(1, len(struck))


def _unison(ask: Ask, score: Score, spans: Spans) -> Finding:
    lines = _lines(score, spans)
    if len(_pitched(score, spans)) == 1:
        share = _share_of_starts(score, spans, lambda tones: len(tones) > 1 and len({tone % 12 for tone in tones}) == 1)
        return share >= _NEARLY, f"{share:.0%} of its starts are octaves", spans
    if len(lines) < 2:
        return False, "one line alone plays", spans
    model = {(int(note["onset"]), int(note["pitch"]) % 12) for note in tops(lines[0])}
    shares = [
        sum((int(note["onset"]), int(note["pitch"]) % 12) in model for note in line) / len(line) for line in lines[1:]
    ]
    return min(shares) >= _NEARLY, f"{min(shares):.0%} of what others play is the tune, in octaves", spans


def _call(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Two that take turns: now the one alone plays, or is heard above the other, and now the other."""
    bars = np.nonzero(bar_mask(spans, score))[0].tolist()
    voices = voices_of(ask.who, score, spans)[:1] if ask.who and " + " not in ask.who else _told(ask, score, spans)
    best = 0
    if len(voices) == 1:
        line = tops(within(score.voices[voices[0]].array, spans, score))
        heights = [line["pitch"][(line["onset"] >= score.bar_lines[b]) & (line["onset"] < score.bar_lines[b + 1])]
                   for b in bars]  # fmt: skip
        middle = float(np.median(line["pitch"]))
        turns = [float(np.mean(height)) > middle for height in heights if len(height)]
        best = sum(one != two for one, two in pairwise(turns))
    starts = [lines_of(score.voices[index], within(score.voices[index].array, spans, score)) for index in voices]
    best = max(best, most_turns(score, starts, bars))
    return best >= min(3, max(1, len(bars) // 4)), f"turns change {best} times in {said(spans)}", spans


def _homophony(ask: Ask, score: Score, spans: Spans) -> Finding:
    lines, leader = _lines(score, spans), tune_of(score, spans)
    if len(_pitched(score, spans)) == 1:
        share = _share_of_starts(score, spans, lambda tones: len(tones) > 1)
        return share >= _TOGETHER, f"{share:.0%} of its starts are chords", spans
    if len(lines) < 2 or leader is None:
        return False, "one line alone plays", spans
    voices = _pitched(score, spans)
    model = _starts(within(score.voices[leader].array, spans, score)) if len(voices) > 1 else _starts(lines[0])
    others = [within(score.voices[index].array, spans, score) for index in voices if index != leader] or lines[1:]
    starts = [_starts(line) for line in others]
    share = min(len(mine & model) / len(mine) for mine in starts)
    common = min(len(mine & model) / len(mine | model) for mine in starts)
    kept = share >= _TOGETHER and common >= _COMMON
    return kept, f"{share:.0%} of the others' starts go with the tune, {common:.0%} of all are common", spans


def _counterpoint(ask: Ask, score: Score, spans: Spans) -> Finding:
    bars = max(1, int(bar_mask(spans, score).sum()))
    lines = [line for line in _lines(score, spans) if len(_starts(line)) >= bars]
    single = [line for line in lines if len(line) <= len(_starts(line)) * _SINGLE]
    for one in single:
        for two in single:
            mine = _starts(two)
            if one is not two and len(mine & _starts(one)) <= _APART * len(mine):
                return True, f"two lines go their own ways in {said(spans)}", spans
    return False, f"{len(single)} lines, and no two of their own", spans


def _solo(ask: Ask, score: Score, spans: Spans) -> Finding:
    playing = [voice.name for voice in score.voices if len(within(voice.array, spans, score))]
    return len(playing) == 1, f"{', '.join(playing)} plays in {said(spans)}", spans


_TEXTURES: dict[str, Callable[[Ask, Score, Spans], Finding]] = {
    "fugue": _fugue,
    "ostinato": _ostinato,
    "riff": _riff,
    "pedal": _pedal,
    "arpeggio": _arpeggio,
    "unison": _unison,
    "octaves": tune_in_octaves,
    "call and response": _call,
    "homophony": _homophony,
    "counterpoint": _counterpoint,
    "solo": _solo,
    "own chords": holds_own_chords,
    "power chords": in_power_chords,
    "harmonized": in_two_parts,
    "long ends": with_long_ends,
    "between lines": in_gaps,
    WRONG_NOTES: wrong_by_one,
    SPOKEN: spoken,
    FERMATAS: waits_at_ends,
    **dict.fromkeys((MURMUR, GROWING), murmurs),
}


@ask_clauses.register("texture")
def _texture(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    if not spans or not _pitched(score, spans):
        return nowhere(ask, spans)
    if ask.what == "canon":
        return _canon(contract, score, spans)
    if ask.what.startswith((CYCLES, SECTION)):
        return (in_cycles if ask.what.startswith(CYCLES) else in_two_parts)(ask, score, spans)
    if ask.what not in _TEXTURES:
        return None, f"nobody can check {ask.what}", spans
    return _TEXTURES[ask.what](ask, score, spans)
