"""Clocks: patterns of different lengths that go round against each other, and the hour that all strike together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from libretto.contract.asks import Ask
from libretto.contract.checks.ticking import CYCLES, lengths_told
from libretto.contract.checks.where import voices_of, within
from libretto.contract.instruments import instrument_of_program, instruments
from libretto.edits.parts import silenced
from libretto.edits.tempo import paced
from libretto.edits.touch import swelling
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, put, range_of
from libretto.house.asks.textures import Spans, bars_of, textures
from libretto.score import QUARTER, Score, Voice
from libretto.score.time import bpm_of_micros

__all__ = ["at_once"]

#: Lengths of cycles in units for so many parts, the highest part first.
_LENGTHS = {
    2: (5, 7),
    3: (3, 5, 7),
    4: (3, 5, 7, 8),
    5: (3, 4, 5, 7, 8),
    6: (3, 4, 5, 7, 8, 9),
    7: (3, 4, 5, 7, 8, 9, 11),
}
_CONTOURS = ((0, 1), (0, -1, 1), (0, 2, 1), (0, 1, 3), (0, -2, 1))  # steps of chords, round and round with the strokes
_PHRASE = 4  # bars
_FULL = 0.45  # of the way through a piece, from where on cycles have all their notes
_HUSH = (0.65, 0.78)  # and where they come apart again for a while
_BEFORE = 0.7  # of a piece that is before its strokes, or before one goes on alone
_ENTERING = 2 / 5  # of a piece by which all have come in
_TICK, _ACCENT, _LIGHT = 70, 10, -6  # velocities
_SLOW = 84  # quarters a minute below which cycles are counted in sixteenths
_THREE = 3  # units of the longest group within a cycle
_SPREAD = 7  # semitones between the middles of neighbouring parts
_NINTH = 2  # semitones above a root
_TAIL = 4  # bars in which one goes on alone
_LOCK = 5  # the part of a piece, the last, in which they are in step who fall out of it and lock together again
_LOCKED = re.compile(  # what is said of parts that are in step again at last
    r"\b(?:lock|snap|click|fall|com|slip|slid|drift)(?:e|s|es|ing|ping)? (?:back )?(?:together|in(?:to)?\b(?! and out))"
)
_FAINT = -24  # velocities that one loses who goes on alone, by the end
_SOFTEST, _LEAST = 20, 52  # velocities: of a note, and of clocks on the whole


@dataclass(frozen=True)
class _Clock:
    """A part that goes round: who has it, how long it is, around which pitch it lies, when it enters, how it moves."""

    name: str
    length: int
    middle: int
    enters: int
    contour: tuple[int, ...]
    low: int
    high: int


def _cycling(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Every part round and round in a pattern as long as no other's: they come in one after the other, their patterns
    fill up, thin out once and fill up again; the last stroke is on the tonic."""
    voices = [score.voices[index] for index in voices_of(ask.who, score, tuple(spans))]
    mine = [voice for voice in voices if not voice.drums]
    whole = not ask.where and not ask.who
    if not mine:
        return score
    made = _evenly(score, job) if whole else score
    alone = any(one.kind == "only" and one.where.startswith("last") for one in job.contract.asks)
    before = _BEFORE if alone or any(one.kind == "strokes" for one in job.contract.asks) else 1.0
    made = _turning(ask, made, mine, spans, before if whole else 0.0)
    last = made.numbers[-1]
    return swelling(made, 0, _FAINT, (), ((last - _TAIL + 1, last),)) if alone and whole else made


def _evenly(score: Score, job: Job) -> Score:
    """The piece at one tempo, as clocks are; with time for its chords where nobody tells them."""
    made = paced(score, bpm_of_micros(score.tempos[0][1]))
    return made if job.contract.chords else _slower_chords(made)


def _turning(ask: Ask, score: Score, voices: Sequence[Voice], spans: Spans, share: float) -> Score:
    """The piece with voices that go round and round, all as loud as each other."""
    lengths, unit = lengths_told(ask.what)
    if not lengths and bpm_of_micros(score.tempos[0][1]) < _SLOW:
        unit //= 2
    bars, loud = bars_of(score, spans), _loudness(score, voices, spans) - _TICK
    clocks = _clocks(score, voices, lengths, len(bars), staged=share > 0)
    made = silenced(score, [voice.name for voice in voices], spans)
    for voice in voices:
        mine = [clock for clock in clocks if clock.name == voice.name]
        rows = [row for clock in mine for row in _round(score, clock, bars, unit, share)]
        rows = _locked(score, mine, bars, unit, rows) if _LOCKED.search(ask.words.lower()) else rows
        rows = [row._replace(velocity=max(_SOFTEST, row.velocity + loud)) for row in rows]
        made = put(made, voice.name, spans, _together(rows, voice))
    return made


def _locked(score: Score, mine: Sequence[_Clock], bars: Sequence[int], unit: int, rows: list[Row]) -> list[Row]:
    """What clocks strike, in step with each other and with the bars at last: all in one pattern, a bar long."""
    together = bars[-max(_TAIL, len(bars) // _LOCK) :]
    start = score.bar_lines[together[0]]
    whole = (score.bar_lines[together[0] + 1] - start) // unit
    clocks = [replace(clock, length=whole, enters=0) for clock in mine]
    locked = [row for clock in clocks for row in _round(score, clock, together, unit, 0.0)]
    return [
        *(row._replace(duration=min(row.duration, start - row.onset)) for row in rows if row.onset < start),
        *locked,
    ]


def _loudness(score: Score, voices: Sequence[Voice], spans: Spans) -> int:
    """How loud some voices are in some bars, all taken together."""
    loud = [int(one["velocity"]) for voice in voices for one in within(voice.array, tuple(spans), score)]
    return max(_LEAST, round(sum(loud) / len(loud))) if loud else _TICK


def _together(rows: list[Row], voice: Voice) -> list[Row]:
    """Rows in order, those that a voice cannot have at once left out."""
    most = max(1, at_once(voice))
    kept: dict[int, list[Row]] = {}
    for row in sorted(rows):
        kept.setdefault(row.onset, []).append(row)
    return [row for together in kept.values() for row in together[-most:]]


def at_once(voice: Voice) -> int:
    """How many notes a voice has at once: as the instrument that it is called after, and that of its sound."""
    by_sound = instrument_of_program(voice.program or 0)
    known = instruments.get(voice.name.lower())
    return min(by_sound.polyphony, known.polyphony if known else by_sound.polyphony)


def _slower_chords(score: Score) -> Score:
    """The piece with a chord for every two bars, the first of them; it closes as it did."""
    chords = [tuple(labels) for labels in score.chords]
    slow = [chords[bar - bar % 2][:1] if bar < len(chords) - 1 else chords[bar] for bar in range(len(chords))]
    return replace(score, chords=tuple(slow))


def _clocks(score: Score, voices: Sequence[Voice], lengths: Sequence[int], bars: int, *, staged: bool) -> list[_Clock]:
    """Who goes round and how; who plays alone has a cycle for each hand. The shortest is the highest part's."""
    parts = list(voices) * (2 if len(voices) == 1 else 1)
    count = len(parts)
    usual = _LENGTHS.get(count, _LENGTHS[max(_LENGTHS)])
    lengths = lengths or usual
    heights = _heights(parts)
    order = sorted(range(count), key=lambda place: -heights[place])
    each_after = max(1, int(bars * _ENTERING / max(1, count - 1)) // 2 * 2) if bars >= 2 * count else 0
    each_after = min(_PHRASE, each_after) if staged else 0
    clocks = []
    for rank, place in enumerate(order):
        low, high = range_of(parts[place])
        size = sorted(lengths)[rank % len(lengths)]
        contour = _CONTOURS[rank % len(_CONTOURS)]
        clocks.append(_Clock(parts[place].name, size, heights[place], place * each_after, contour, low, high))
    return clocks


def _heights(parts: Sequence[Voice]) -> list[int]:
    """The pitches around which parts lie: in the middle of their instruments, like ones apart from each other."""
    middles = []
    for number, voice in enumerate(parts):
        low, high = range_of(voice)
        middle = max(low + _SPREAD, min(high - _SPREAD, round(low + (high - low) * 0.55)))
        alike = sum(parts[other].program == voice.program for other in range(number))
        whole = sum(part.program == voice.program for part in parts)
        middles.append(max(low, min(high, middle + _SPREAD * (whole - 1 - 2 * alike) // 2 * 2)))
    return middles


def _round(score: Score, clock: _Clock, bars: Sequence[int], unit: int, share: float) -> list[Row]:
    """What a clock strikes in some bars, unit by unit from where they begin; it fills up, thins out and fills up again
    within a share of them, or has one shape where that is none."""
    start, end = score.bar_lines[bars[0]], score.bar_lines[bars[-1] + 1]
    inside, rows = set(bars), []
    last = score.bar_lines[score.bars - 1]
    for place, tick in enumerate(range(start, end, unit)):
        bar = score.bar_at(tick)
        fresh = bar - bars[0] < clock.enters + _PHRASE
        stage = _stage((tick - start) / (end - start) / share, fresh=fresh) if share else 1
        if bar not in inside or bar - bars[0] < clock.enters:
            continue
        if tick >= last:
            break
        number, at = divmod(place, clock.length)
        struck = _struck(clock.length, stage)
        if at not in struck:
            continue
        turn = struck.index(at) + (number if len(struck) < len(clock.contour) else 0)
        step = clock.contour[turn % len(clock.contour)]
        loud = _TICK + (_ACCENT if at == 0 else _LIGHT)
        ring = min(unit * min(2, _next(struck, at, clock.length)), last - tick)
        rows.append(Row(tick, ring, _pitch(score, clock, tick, step), loud))
    if end == score.ticks and rows:
        rows.append(Row(last, min(QUARTER, score.ticks - last), _home(score, clock, last), _TICK + _ACCENT))
    return rows


def _stage(way: float, *, fresh: bool) -> int:
    """How full a cycle is so far through a piece: 0, 1 or 2; bare where it has just come in."""
    if fresh or _HUSH[0] <= way < _HUSH[1]:
        return 0
    return 1 if way < _FULL else 2


def _struck(length: int, stage: int) -> list[int]:
    """Which units of a cycle are struck: the first of each group of two, and of a group of three at its end; then the
    last of that, too. Where it is bare, every other group is left out.

    >>> _struck(7, 0), _struck(7, 1), _struck(7, 2), _struck(3, 1)
    ([0, 4], [0, 2, 4], [0, 2, 4, 6], [0, 2])
    """
    if length <= _THREE:
        return [0] if length < _THREE or stage == 0 else [0, length - 1]
    threes = 1 if length % 2 else 2
    twos = (length - _THREE * threes) // 2
    firsts = [2 * place for place in range(twos)] + [2 * twos + _THREE * place for place in range(threes)]
    if stage == 0:
        return firsts[::2]
    return firsts if stage == 1 else [*firsts, length - 1]


def _next(struck: Sequence[int], at: int, length: int) -> int:
    """How many units it is to the next stroke of a cycle."""
    return next((place - at for place in struck if place > at), length - at + struck[0])


def _ladder(score: Score, clock: _Clock, tick: int) -> list[int]:
    """The pitches that a clock may strike at a tick: tones of the chord, and the ninth where the scale has it."""
    key, chord = score.key_at(tick), score.chord_at(tick)
    classes = set(chord.classes) if chord is not None else {key.classes[degree] for degree in (0, 2, 4)}
    ninth = ((chord.root_class if chord is not None else key.tonic_class) + _NINTH) % 12
    rubs = any((ninth + by) % 12 in classes for by in (1, -1))
    classes |= {ninth} if ninth in key.classes and not rubs else set()
    return [pitch for pitch in range(clock.low, clock.high + 1) if pitch % 12 in classes] or [clock.middle]


def _pitch(score: Score, clock: _Clock, tick: int, step: int) -> int:
    """A step of a pattern as a pitch: so many rungs from the one nearest the middle of the part."""
    ladder = _ladder(score, clock, tick)
    near = min(range(len(ladder)), key=lambda place: (abs(ladder[place] - clock.middle), place))
    return ladder[max(0, min(len(ladder) - 1, near + step))]


def _home(score: Score, clock: _Clock, tick: int) -> int:
    """The tonic nearest the middle of a part."""
    tonic = score.key_at(tick).tonic_class
    pitches = [pitch for pitch in range(clock.low, clock.high + 1) if pitch % 12 == tonic]
    return min(pitches, key=lambda pitch: (abs(pitch - clock.middle), pitch), default=clock.middle)


textures.register(CYCLES)(_cycling)
