"""The clause on the progression: what sounds has to carry the chords that were asked for, in their order.

Where the chords lie is said by the labels of a piece, as far as they state the progression in full and in order; else
they are taken a chord a bar, round and round, several a bar where there are more chords than bars. Labels alone prove
nothing: the notes decide (``carrying``), a tune alone as real tunes do, a full texture bar by bar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from libretto.contract.asks import Ask
from libretto.contract.blues import blues_bars
from libretto.contract.checks.carrying import Carried, carried, habits, is_full, without_drones
from libretto.contract.checks.check import Check, Finding, ask_clauses, bars_text, clauses, elsewhere
from libretto.contract.checks.tonal import final_harmony, labels_of, pitched
from libretto.contract.checks.where import bar_mask, nowhere, said, spans_of_ask
from libretto.contract.contract import Contract
from libretto.contract.form import chorus_forms
from libretto.score.chords import NO_CHORD, parse_chord
from libretto.score.model import Score

__all__ = ["asked_by_bar"]

_FOLLOWS = 0.5  # of the bars with chords, those of which every chord belongs to the progression
_BLUES = 0.8  # of the bars of a blues have the chord of their place
_MOST_BARS = 40  # bars that a check names
Labels = Sequence[tuple[str, ...]]


class _Kind(NamedTuple):
    """What tells two chords of a progression apart: the root, and whether the third is minor; None for no third."""

    root: int
    minor: bool | None


def _kind(label: str) -> _Kind | None:
    chord = parse_chord(label)
    if chord is None:
        return None
    return _Kind(chord.root_class, chord.is_minor if chord.is_minor or chord.is_major else None)


def _kinds(labels: Sequence[str]) -> list[_Kind]:
    return [kind for label in labels if (kind := _kind(label))]


def _alike(one: _Kind, two: _Kind) -> bool:
    return one.root == two.root and (one.minor == two.minor or None in (one.minor, two.minor))


def _changes(kinds: list[_Kind]) -> list[_Kind]:
    """Chords without those that repeat the one before."""
    return [kind for index, kind in enumerate(kinds) if not index or kind != kinds[index - 1]]


def asked_by_bar(asked: Sequence[str], bars: int) -> list[tuple[str, ...]]:
    """The progression as asked, a chord a bar, round and round; several a bar where there are more chords than bars.

    >>> asked_by_bar(["Am", "F", "C"], 4)
    [('Am',), ('F',), ('C',), ('Am',)]
    """
    size = -(-len(asked) // max(1, bars))
    groups = [tuple(asked[at : at + size]) for at in range(0, len(asked), size)]
    return [groups[bar % len(groups)] for bar in range(bars)]


class _Reading(NamedTuple):
    """One way to lay the progression over the bars: the chords by bar, what the notes say, and what labels leave."""

    labels: Labels
    heard: Carried
    foreign: list[int]


def _laid(contract: Contract, score: Score, notes: NDArray[Any]) -> Iterator[Labels]:
    """A chord a bar from the first full bar on; from the next where the first begins with silence, as pickups do."""
    first = 1 - score.first_bar
    starts = [first]
    opening = int(notes["onset"].min()) if len(notes) else 0
    halfway = (score.bar_lines[first] + score.bar_lines[first + 1]) // 2 if score.bars > first else 0
    if score.bars > first + 1 and halfway <= opening < score.bar_lines[first + 1]:
        starts.append(first + 1)
    for start in starts:
        yield [(NO_CHORD,)] * start + asked_by_bar(contract.chords, score.bars - start)


@clauses.register("chords")
def _chords(contract: Contract, score: Score) -> Check:
    asked = _kinds(contract.chords)
    if not asked:
        return Check("chords", None, "no progression was asked for")
    name = "-".join(contract.chords)
    notes = pitched(score)
    free = elsewhere(contract, score, "key_change", "chords")
    notes = without_drones(score, notes[free[notes["bar"]]])
    labels = [bar if stays else (NO_CHORD,) for bar, stays in zip(labels_of(score), free, strict=True)]
    bars = {index: kinds for index, bar in enumerate(labels) if (kinds := _kinds(bar))}
    foreign = _foreign(bars, asked)
    follow, total = len(bars) - len(foreign), len(bars)
    stated = _contains(_changes([kind for kinds in bars.values() for kind in kinds]), _changes(asked))
    stated = stated or _is_blues(contract, score, labels)
    if stated and follow >= _FOLLOWS * total:
        readings = [_Reading(labels, carried(score, notes, labels), foreign)]
    else:
        readings = [_Reading(plan, carried(score, notes, plan), []) for plan in _laid(contract, score, notes)]
    best = max(readings, key=lambda reading: (reading.heard.kept, reading.heard.measure))
    if best.heard.kept:
        said = f"{follow} of {total} bars follow it" if best.labels is labels else "the notes carry it, a chord a bar"
        return Check("chords", True, f"{name}: {said}", _numbers(score, best.foreign))
    fault = _fault(best, labelled=best.labels is labels, full=is_full(notes), score=score)
    return Check("chords", False, f"{name}: {fault}", _numbers(score, [*foreign, *best.heard.thin]))


@ask_clauses.register("chords")
def _chords_there(ask: Ask, contract: Contract, score: Score) -> Finding:
    """Whether a place has its own chords, in their order, and its notes carry them."""
    spans, asked = spans_of_ask(ask, score), _kinds(ask.what.split())
    if not spans or not asked:
        return nowhere(ask, spans)
    here = bar_mask(spans, score)
    notes = pitched(score)
    notes = without_drones(score, notes[here[notes["bar"]]])
    labels = [bar if inside else (NO_CHORD,) for bar, inside in zip(labels_of(score), here, strict=True)]
    bars = {index: kinds for index, bar in enumerate(labels) if (kinds := _kinds(bar))}
    foreign = _foreign(bars, asked)
    size = min(len(asked), max(last - first + 1 for first, last in spans) - 1)  # the last bar may close the piece
    changes = _changes([kind for kinds in bars.values() for kind in kinds])
    heard = carried(score, notes, labels)
    full = heard.share >= habits().full or not is_full(notes)
    kept = _contains(changes, _changes(asked[:size])) and len(foreign) <= _FOLLOWS * len(bars) and full
    return kept, f"{said(spans)}: {len(bars) - len(foreign)} of {len(bars)} bars follow {ask.what}", spans


@ask_clauses.register("last_chord")
def _last_chord(ask: Ask, contract: Contract, score: Score) -> Finding:
    """Whether a piece closes on the chord that was asked for: its bass, no other tones, all that players can hold."""
    chord = parse_chord(ask.what)
    if chord is None:
        return None, f"{ask.what} is no chord", ()
    last = final_harmony(score)
    spans = ((last.bar, last.bar),)
    room = int((pitched(score)["bar"] == last.bar - score.first_bar).sum())
    faults = [
        fault
        for fault, wrong in (
            ("its bass is not below", last.low != chord.bass_class),
            ("other tones sound in it", not last.classes <= set(chord.classes)),
            ("tones of it are missing", len(set(chord.classes) - last.classes) > max(0, len(chord.classes) - room)),
        )
        if wrong
    ]
    return not faults, f"{ask.what} in bar {last.bar}: {', '.join(faults) or 'it is heard'}", spans


def _foreign(bars: dict[int, list[_Kind]], asked: list[_Kind]) -> list[int]:
    """The bars with a chord that was not asked for."""
    return [bar for bar, kinds in bars.items() if not all(any(_alike(kind, one) for one in asked) for kind in kinds)]


def _is_blues(contract: Contract, score: Score, labels: Labels) -> bool:
    """Whether labels are choruses of twelve bars with the asked chords in their places."""
    if not contract.form or contract.form[0] not in chorus_forms():
        return False
    tonic = (contract.key or score.key).tonic_class
    places = blues_bars(contract.chords, tonic, score.bars - (1 - score.first_bar))
    if places is None:
        return False
    pairs = [(_kinds(bar), _kinds(place)) for bar, place in zip(labels[1 - score.first_bar :], places, strict=True)]
    alike = sum(bool(one) and any(_alike(kind, two[0]) for kind in one) for one, two in pairs)
    return alike >= _BLUES * len(pairs)


def _numbers(score: Score, places: Sequence[int]) -> tuple[int, ...]:
    return tuple(place + score.first_bar for place in sorted(set(places))[:_MOST_BARS])


def _fault(reading: _Reading, *, labelled: bool, full: bool, score: Score) -> str:
    """What is wrong, in words: with the order of the chords, or with the notes over them."""
    heard = reading.heard
    thin = bars_text(bar + score.first_bar for bar in heard.thin)
    missing = f"{thin} {'does' if len(heard.thin) == 1 else 'do'} not carry the chord asked there"
    if full and not labelled:
        return "it is never stated in full and in order" + (f"; {missing}" if heard.thin else "")
    if heard.late:
        return "the notes fit these chords better a bar earlier or later"
    if not full:
        return "the notes imply these chords no more than others" + (f"; {missing}" if heard.thin else "")
    return missing if heard.thin else "other chords fit the notes as well"


def _contains(heard: list[_Kind], wanted: list[_Kind]) -> bool:
    """Whether chords hold others in a row."""
    size = len(wanted)
    return any(
        all(_alike(one, two) for one, two in zip(heard[at : at + size], wanted, strict=True))
        for at in range(len(heard) - size + 1)
    )
