"""Irregular rhythms: accents in groups of twos and threes that change from bar to bar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding
from libretto.contract.checks.where import Spans, bar_mask, bass_of, names_of, nowhere, said, tune_of, voices_of, within
from libretto.score.model import Score
from libretto.score.time import QUARTER

__all__ = ["IRREGULAR", "groups_in", "irregular", "is_scattered", "keepers", "starts_in", "unit_of"]

#: What asks say of a rhythm whose accents keep shifting.
IRREGULAR = "irregular"
_EIGHTH, _FEWEST = QUARTER // 2, 5  # eighths of a bar; of shorter bars sixteenths count
_SIX = 6
_SHORT_BARS: Mapping[
    int, tuple[tuple[int, ...], ...]
] = {  # of six eighths or sixteenths, by how many of them a beat has
    2: ((3, 3), (3, 2, 1)),
    3: ((2, 2, 2), (2, 3, 1)),
}
_IN_TURN = (0, 1, 0, 2)  # which of the groupings the bars of a phrase have
_MOSTLY, _ONE_WAY = 0.5, 0.75  # of the bars: that are uneven at least, and that have one grouping at most
_LOUDER, _SPREAD = 3, 10  # velocities above the mean of an accent, and between soft and loud where there are any
_ALL_ODD = 0.6  # of the bars, where notes only come and go
_STRUCK = 2  # chords at once


def unit_of(score: Score, bar: int) -> int:
    """What the groups of a bar, from 0, are counted in: eighths, or sixteenths where it is short."""
    length = score.bar_lines[bar + 1] - score.bar_lines[bar]
    return _EIGHTH if length >= _FEWEST * _EIGHTH else _EIGHTH // 2


def groups_in(score: Score, bar: int) -> tuple[int, ...]:
    """The groups that a bar, from 0, has where rhythms are irregular: those of its phrase, one after the other."""
    unit, start = unit_of(score, bar), score.bar_lines[bar]
    units = (score.bar_lines[bar + 1] - start) // unit
    ways = _SHORT_BARS.get(score.meter_at(start).beat // unit, ()) if units == _SIX else ()
    ways = ways or _turned(units)
    return ways[_IN_TURN[bar % len(_IN_TURN)] % len(ways)]


def _turned(units: int) -> tuple[tuple[int, ...], ...]:
    """So many units in threes and at least one two, the twos last, first and between.

    >>> _turned(8)
    ((3, 3, 2), (2, 3, 3), (3, 2, 3))
    """
    twos = next((count for count in range(1, units) if units >= 2 * count and (units - 2 * count) % 3 == 0), 0)
    threes = (units - 2 * twos) // 3
    row = [3] * threes + [2] * twos
    half = (threes + 1) // 2
    return tuple(row), tuple(row[threes:] + row[:threes]), tuple([3] * half + [2] * twos + [3] * (threes - half))


def starts_in(score: Score, bar: int) -> list[tuple[int, int]]:
    """Where the groups of a bar, from 0, begin, and how long each is, in ticks."""
    unit, groups = unit_of(score, bar), groups_in(score, bar)
    starts = (score.bar_lines[bar] + place * unit for place in (0, *accumulate(groups[:-1])))
    return [(start, size * unit) for start, size in zip(starts, groups, strict=True)]


def keepers(ask: Ask, score: Score, spans: Spans) -> list[int]:
    """Who keeps the rhythm of which an ask speaks: who is told, else drums and bass, else bass and chords."""
    if ask.who:
        return voices_of(ask.who, score, spans)
    playing = [index for index, voice in enumerate(score.voices) if len(within(voice.array, spans, score))]
    drums = [index for index in playing if score.voices[index].drums]
    low, tune = bass_of(score, spans), tune_of(score, spans)
    if drums:
        return drums if low is None or low == tune else [*drums, low]
    return [index for index in playing if index != tune] or playing


def _accents(score: Score, index: int, bar: int) -> set[int]:
    """Where a voice leans in a bar, from 0, in units: on its louder strokes, or on all where they are alike."""
    start, unit = score.bar_lines[bar], unit_of(score, bar)
    notes = within(score.voices[index].array, ((bar + score.first_bar,) * 2,), score)
    if not len(notes):
        return set()
    loud = notes["velocity"].astype(float)
    if float(loud.max() - loud.min()) >= _SPREAD:
        notes = notes[loud >= float(loud.mean()) + _LOUDER]
    return {int(tick - start) // unit for tick in notes["onset"] if (tick - start) % unit == 0}


def _sizes(accents: set[int], units: int) -> tuple[int, ...]:
    """The groups that accents make of a bar; none where they are not few, or one begins late."""
    if 0 not in accents or not _STRUCK <= len(accents) <= -(-units // 2):
        return ()
    return tuple(after - before for before, after in pairwise([*sorted(accents), units]))


def irregular(ask: Ask, score: Score, spans: Spans) -> Finding:
    """Somebody leans on groups of different sizes, and on others from bar to bar."""
    mine = keepers(ask, score, spans)
    if not spans or not mine:
        return nowhere(ask, spans)
    inside = bar_mask(spans, score)
    if is_scattered(score, spans):
        return True, f"notes come and go at odd times, never twice alike, in {said(spans)}", spans
    told = [_of_voice(score, index, [bar for bar in range(score.bars - 1) if inside[bar]]) for index in mine]
    uneven, heard, ways = max(told, key=lambda one: (one[0] / max(1, one[1]), one[0]))
    groups = ", ".join("+".join(map(str, way)) for way, _ in ways.most_common(3)) or "nothing"
    kept = uneven >= _MOSTLY * heard > 0 and len(ways) > 1 and max(ways.values()) <= _ONE_WAY * heard
    return kept, f"{names_of(score, mine)}: {groups} in {uneven} of {heard} bars of {said(spans)}", spans


def is_scattered(score: Score, spans: Spans) -> bool:
    """Whether all that is played comes at odd times with long silences between, in no two bars alike."""
    inside = bar_mask(spans, score)
    onsets = sorted({int(tick) for voice in score.voices for tick in within(voice.array, spans, score)["onset"]})
    rows = [_at_odd_times(score, bar, onsets) for bar in range(score.bars - 1) if inside[bar]]
    kept = sum(odd and mine != before for (before, _), (mine, odd) in pairwise(rows))
    return kept >= _ALL_ODD * max(1, len(rows) - 1)


def _at_odd_times(score: Score, bar: int, onsets: Sequence[int]) -> tuple[tuple[int, ...], bool]:
    """When something begins in a bar, and whether that is off the beats for the most part, with a silence."""
    start, end, beat = score.bar_lines[bar], score.bar_lines[bar + 1], score.meter_at(score.bar_lines[bar]).beat
    mine = tuple(tick - start for tick in onsets if start <= tick < end)
    gap = max(after - tick for tick, after in pairwise([0, *mine, end - start]))
    later = [tick for tick in mine if tick]
    return mine, gap > QUARTER and 2 * sum(tick % beat == 0 for tick in later) <= len(later)


def _of_voice(score: Score, index: int, bars: Sequence[int]) -> tuple[int, int, Counter[tuple[int, ...]]]:
    """In how many bars somebody leans on groups of different sizes, or on none of the beats but the first; in how many
    it plays; and which groups those are."""
    ways: Counter[tuple[int, ...]] = Counter()
    heard = 0
    for bar in bars:
        accents = _accents(score, index, bar)
        heard += bool(accents)
        unit = unit_of(score, bar)
        sizes = _sizes(accents, (score.bar_lines[bar + 1] - score.bar_lines[bar]) // unit)
        beat = score.meter_at(score.bar_lines[bar]).beat // unit
        if sizes and (len(set(sizes)) > 1 or sizes[0] % beat):
            ways[sizes] += 1
    return sum(ways.values()), heard, ways
