"""Who has the tune in a piece, and the tune itself as it passes from one player to another.

A piece does not say who leads, so its notes do. It is looked at by *spans*: its sections, cut to at most eight bars. In
each span every pitched voice but the bass is weighed by what listeners follow: it lies high, plays in most bars, one
note at a time, moves about, has more than one rhythm, and is louder than the others. A voice that is known to lead (by
its part in a contract, or by a name such as *Lead* or *Vocal*) and one that led in the span before weigh more, so that
a tune does not hop between equals. The heaviest has the tune in that span, unless it weighs much less than whoever
leads elsewhere: then the span is an introduction or a break, and nobody has a tune. Where pieces of the house say who
leads, that is who was named in 674 of 700 spans, and nobody in 175 of 221 spans without a lead.

A voice that plays chords or both hands gives its upper line: notes at whose start no higher note of the voice sounds,
and none that lie more than an octave below the middle of that line in the span (they are of the left hand).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.bench.tunes.figures import NO_ROOT, Tune
from libretto.contract import Contract
from libretto.contract.checks.parts import matching
from libretto.score import Score
from libretto.score.facts import Facts
from libretto.score.paper import on_paper
from libretto.score.table import Ints

__all__ = ["known_leads", "lead_tune", "leaders", "upper_line"]

_SPAN = 8  # bars at most over which one player has the tune
_FEWEST = 4  # notes, fewer in a span are no tune
_LOW, _HIGH = 48, 84  # C3 and C6: what lies lower or higher is not lower or higher for a listener
_ENOUGH_PITCHES, _ENOUGH_RHYTHMS = 7, 3  # more of them in a span make nothing more of a tune
_LOUDER = 20  # velocities that are clearly louder than the others
_KNOWN, _STAYS = 1.0, 0.3  # what it adds to weigh more: known to lead; led before
_FAINT = 0.85  # of the heaviest; below are mostly accompaniments
_LEADS = re.compile(r"\b(lead|melody|vocals?|voice|solo|tune|singer)\b", re.I)
_BEHIND = re.compile(r"\b(back|backing|choir|pad|harmony)\b", re.I)
_BEATEN = 115  # the first program of those that have no tunes: wood blocks, toms, birds and waves
_HAND = 12  # semitones below the middle of an upper line, beyond which notes are of another hand


def known_leads(score: Score, contract: Contract | None = None) -> frozenset[int]:
    """The voices that are said to lead: by their part in the contract or by their names."""
    named = {
        index
        for index, voice in enumerate(score.voices)
        if _LEADS.search(voice.name) and not _BEHIND.search(voice.name)
    }
    if contract is not None:
        named |= {index for number, index in matching(contract, score).items() if contract.parts[number].role == "lead"}
    return frozenset(named)


def upper_line(notes: NDArray[Any]) -> NDArray[Any]:
    """Of the notes of one voice those that a listener takes for its tune, one at a time and in order."""
    if not len(notes):
        return notes
    kept, top, until = [], -1, -1
    order = np.lexsort((-notes["pitch"].astype(np.int64), notes["onset"]))
    last = -1
    for row in order.tolist():
        onset, pitch = int(notes["onset"][row]), int(notes["pitch"][row])
        if onset == last or (onset < until and pitch < top):
            continue
        kept.append(row)
        last, top, until = onset, pitch, onset + int(notes["duration"][row])
    line = notes[kept]
    if len(line) == len(notes):
        return line
    high = np.flatnonzero(line["pitch"] >= np.median(line["pitch"]) - _HAND)
    return line.take(high)


def leaders(score: Score, known: Collection[int] = ()) -> list[tuple[int, int, int | None]]:
    """Every span of a piece, as first and last tick, with the voice that has its tune; None where nobody has."""
    able = _able(score)
    before = -1
    led: list[tuple[int, int, int, float]] = []
    for start, stop in _spans(score):
        weights = _weights(score, able, start, stop)
        drawn = {
            index: weight + _KNOWN * (index in known) + _STAYS * (index == before) for index, weight in weights.items()
        }
        best = -1 if not drawn else min(index for index in drawn if drawn[index] == max(drawn.values()))
        led.append((start, stop, best, weights.get(best, 0.0)))
        before = before if best < 0 else best
    heaviest = max((weight for *_, weight in led), default=0.0)
    return [
        (start, stop, voice if voice >= 0 and weight >= _FAINT * heaviest else None)
        for start, stop, voice, weight in led
    ]


def _able(score: Score) -> list[int]:
    """The voices that could have a tune: those with pitches, but for the bass of several."""
    pitched = [
        index
        for index, voice in enumerate(score.voices)
        if not voice.drums and (voice.program or 0) < _BEATEN and len(voice.array)
    ]
    bass = Facts(score).bass
    return [index for index in pitched if index != bass] or pitched


def _weights(score: Score, able: Collection[int], start: int, stop: int) -> dict[int, float]:
    """How much a listener would follow each voice in a span."""
    heard = {index: _between(score, index, start, stop) for index in able}
    heard = {index: notes for index, notes in heard.items() if len(notes) >= _FEWEST}
    loud = float(np.mean([notes["velocity"].mean() for notes in heard.values()])) if heard else 0.0
    return {index: _weight(notes, score, start, stop, loud) for index, notes in heard.items()}


def _spans(score: Score) -> Iterator[tuple[int, int]]:
    """Sections, in pieces of at most eight bars."""
    starts = {score.bar_at(tick) for tick, _ in score.sections} | {0}
    edges = [*sorted(starts), score.bars]
    for first, stop in pairwise(edges):
        for bar in range(first, stop, _SPAN):
            yield score.bar_lines[bar], score.bar_lines[min(bar + _SPAN, stop)]


def _between(score: Score, index: int, start: int, stop: int) -> NDArray[Any]:
    notes = score.voices[index].array
    return notes[(notes["onset"] >= start) & (notes["onset"] < stop)]


def _weight(notes: NDArray[Any], score: Score, start: int, stop: int, loud: float) -> float:
    """How much a listener would follow a voice in a span."""
    line = upper_line(notes)
    first, last = score.bar_at(start), score.bar_at(stop - 1) + 1
    lines = np.asarray(score.bar_lines[first : last + 1], dtype=np.int64)
    bar = np.searchsorted(lines, line["onset"], side="right") - 1
    played = np.unique(bar)
    rhythms = {(line["onset"][bar == one] - lines[one]).tobytes() for one in played.tolist()}
    height = (float(line["pitch"].mean()) - _LOW) / (_HIGH - _LOW)
    louder = (float(notes["velocity"].mean()) - loud) / _LOUDER
    return float(
        min(1.0, max(0.0, height))
        + len(played) / (last - first)
        + len(line) / len(notes)
        + min(1.0, len(np.unique(line["pitch"])) / _ENOUGH_PITCHES)
        + min(1.0, len(rhythms) / _ENOUGH_RHYTHMS) / 2
        + min(1.0, max(-1.0, louder)) / 2
    )


def lead_tune(score: Score, contract: Contract | None = None) -> Tune:
    """The tune of a piece from beginning to end, on sixteenths and triplets, whoever plays it."""
    written = on_paper(score)
    parts = [
        upper_line(_between(written, voice, start, stop))
        for start, stop, voice in leaders(written, known_leads(written, contract))
        if voice is not None
    ]
    notes = np.concatenate(parts) if parts else written.table[:0]
    onset, duration, pitch = (notes[name].astype(np.int64) for name in ("onset", "duration", "pitch"))
    last = int(onset[-1]) if len(onset) else 0
    lines = np.asarray(written.bar_lines, dtype=np.int64)
    return Tune(onset, duration, pitch, lines, _roots(written), written.key_at(last).tonic_class)


def _roots(score: Score) -> Ints:
    """The roots of the chords that are written over the bar lines."""
    chords = [score.chord_at(line) for line in score.bar_lines[:-1]]
    return np.asarray([NO_ROOT if chord is None else chord.root_class for chord in chords], dtype=np.int64)
