"""The clause on manners: how a part is played, bar by bar (rolls, chops, held notes, steady eighths and their like)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from libretto.contract.asks import Ask
from libretto.contract.checks.check import Finding, ask_clauses
from libretto.contract.checks.stabs import leaves_room, stabs_as_one
from libretto.contract.checks.where import Spans, names_of, nowhere, said, spans_of_ask, tune_of, voices_of, within
from libretto.contract.contract import Contract
from libretto.score.model import Score
from libretto.score.time import QUARTER, Meter

__all__ = ["MANNERS", "Played", "above_thumb", "manner_share"]

_BASS, _KEYBOARDS, _LEFT = "bass", range(8), 65  # who, programs, and a pitch below which the left hand plays
_OFTEN = 0.4  # of the bars in which somebody accompanies
_SINGLE = 1.6  # notes a stroke at most of what runs note by note
_CHORD = 2.0  # and at least of what is strummed or struck in chords
_HELD = 0.4  # of a bar: the mean length of what is held
_FLOATING = 0.8  # and of what floats, which nearly fills its bars
_ROOM = 0.5  # of a bar: how late a long low note comes that leaves room for the kick
_RUNNING, _GALLOP, _QUICK, _SHAKEN = 1.7, 2.4, 3.0, 3.5  # strokes a quarter of eighths, gallop, sixteenths, tremolo
_FLOWING = 1.3  # strokes a quarter of broken chords
_TREMBLING = 4  # strokes in sixteenths of one tone that is shaken
_STEADY = 0.9  # strokes a beat of a pulse
_WEAK, _PUSHED = 0.6, 0.35  # shares of strokes beside the strong beats, and off any beat
_BEATEN = frozenset((47, 116, 117))  # timpani, taiko, toms: what rolls there is a stroke repeated
_BESIDE, _BRIEF = 0.85, 0.2  # the share of strokes off any beat of what keeps between them; of a bar: what is short
_RIFF = "riff"  # a figure that comes again
_GRID = QUARTER // 4  # ticks
_BOOMING = 0.75  # the share of basses with a chord after each of them of what goes boom-chick
_OFF = 0.25  # the share of strokes off any beat of what is played on the beats
_ABOVE = ("off-beats", "chops")  # manners of chords, whatever a thumb plays below them
_POPPED = 0.15  # the share of steps by octaves of a bass that is slapped
_ODD, _EVEN = 0.4, 4  # the share of the beats of odd meters, and the most beats of others
_WANDERS = 4  # tones of a bar of a bass that has a line of its own, or as many as it has beats
_STROKES, _WIDE = 3, 15  # strokes a bar of figures that syncopate; semitones over which a hand rolls that goes far


class Played(NamedTuple):
    """One note of a bar: where in the bar it begins and how long it lasts in ticks, and its pitch."""

    place: int
    length: int
    pitch: int


class _Bar(NamedTuple):
    """What a manner is heard by in a bar."""

    strokes: int
    quarters: float
    beats: int
    thick: float  # notes a stroke
    held: float  # mean length, in bars
    weak: float  # share of strokes that are not on the first beat or the middle one
    pushed: float  # share of strokes that are on no beat
    same: float  # share of strokes that repeat the pitches before
    leaps: float  # share of steps by octaves
    booms: float = 0.0  # share of basses that a chord above them follows
    crept: int = 0  # the most half tones in a row, of the highest or of the lowest notes
    late: float = 0.0  # where in the bar its first stroke stands, in bars
    longest: float = 0.0  # of its notes, in bars
    tones: int = 0  # pitches
    reach: int = 0  # semitones from the lowest to the highest

    @property
    def is_in_two(self) -> bool:
        """Whether chords stand between basses, and a line leads on at most; a stroke alone does only in odd bars."""
        return 2 - self.beats % 2 <= self.strokes <= (self.beats if self.thick > 1 else self.beats // 2) + 1

    @property
    def few(self) -> float:
        """Strokes of a bar that are no pulse beside the beats: one, or in odd meters two fifths of the eighths."""
        return self.beats * _ODD if self.beats > _EVEN and self.beats % 2 else 1

    @property
    def pace(self) -> float:
        """Strokes a quarter."""
        return self.strokes / self.quarters


#: Every manner, and whether a bar is played so.
MANNERS: Mapping[str, Callable[[_Bar], bool]] = {
    "rolls": lambda bar: bar.pace >= _RUNNING and bar.thick <= _SINGLE,
    "ripples": lambda bar: bar.pace >= _FLOWING and bar.thick <= _SINGLE,
    "flows": lambda bar: bar.pace >= _QUICK and bar.thick <= _SINGLE,
    "wide": lambda bar: bar.pace >= _FLOWING and bar.thick <= _SINGLE and bar.reach >= _WIDE,
    "sixteenths": lambda bar: bar.pace >= _QUICK,
    "scratch": lambda bar: bar.pace >= _GALLOP and bar.thick >= _CHORD,
    "eighths": lambda bar: bar.pace >= _RUNNING,
    "pulse": lambda bar: bar.strokes >= _STEADY * bar.beats and bar.same >= 1 / 2,
    "steady": lambda bar: bar.late == 0 and 3 * bar.strokes >= bar.beats and bar.pushed <= 1 / 2,
    "melodic": lambda bar: bar.tones >= min(_WANDERS, bar.beats) and bar.strokes >= bar.beats,
    "sustained": lambda bar: bar.held >= _HELD,
    "floats": lambda bar: bar.held >= _FLOATING,
    "growls": lambda bar: 0 < bar.late <= _ROOM and bar.longest >= _HELD,
    "tremolo": lambda bar: bar.pace >= _SHAKEN and bar.same >= 1 / 2,
    "chops": lambda bar: bar.weak >= _WEAK and bar.strokes > 1,
    "off-beats": lambda bar: bar.weak >= _WEAK and bar.strokes > bar.few,
    "riff": lambda bar: bar.strokes > _STROKES,
    "gaps": lambda bar: bar.pushed >= _BESIDE and bar.strokes >= _STROKES,
    "stabs": lambda bar: bar.pushed >= _PUSHED and bar.held <= _BRIEF,
    "bubble": lambda bar: bar.pushed >= _PUSHED and bar.strokes >= _STROKES,
    "montuno": lambda bar: bar.pushed >= _PUSHED and bar.strokes > _STROKES,
    "tumbao": lambda bar: bar.pushed >= _PUSHED,
    "gallop": lambda bar: bar.pace >= _GALLOP,
    "beats": lambda bar: bar.strokes >= _STEADY * bar.beats and bar.pushed <= _OFF,
    "two-beat": lambda bar: bar.booms >= _BOOMING or (bar.is_in_two and bar.pushed <= _OFF and bar.same <= 1 / 2),
    "downbeats": lambda bar: bar.strokes == 1 and bar.weak == 0,
    "tolls": lambda bar: bar.strokes == 1,
    "octaves": lambda bar: bar.leaps >= 1 / 2,
    "slap": lambda bar: bar.leaps >= _POPPED and bar.pushed >= _PUSHED and bar.strokes > _STROKES,
    "creep": lambda bar: bar.crept > 1,
    "cries": lambda bar: bar.strokes <= bar.beats and bar.thick > 1,
    "whistles": lambda bar: bar.strokes <= bar.beats and bar.thick > 1,
    "strums": lambda bar: bar.thick >= _CHORD and bar.strokes >= _STROKES,
}


def _heard(notes: Sequence[Played], meter: Meter) -> _Bar:
    """A bar with notes as its manner is heard."""
    together: dict[int, set[int]] = {}
    for note in notes:
        together.setdefault(note.place, set()).add(note.pitch)
    places = sorted(together)
    near = [round(place / _GRID) * _GRID for place in places]  # what lies a little behind the beat is on it
    half = meter.ticks // 2 if meter.beats % 2 == 0 else meter.ticks
    rows = [together[place] for place in places]
    same = sum(bool(one & other) for one, other in pairwise(rows))
    return _Bar(
        strokes=len(places),
        quarters=meter.ticks / QUARTER,
        beats=meter.ticks // meter.beat,
        thick=len(notes) / len(places),
        held=sum(note.length for note in notes) / len(notes) / meter.ticks,
        weak=sum(place % half != 0 for place in near) / len(places),
        pushed=sum(place % meter.beat != 0 for place in near) / len(places),
        same=same / max(1, len(rows) - 1),
        leaps=_octaves(rows) / max(1, len(rows) - 1),
        booms=_booms(rows) if places[0] < _GRID else 0.0,
        crept=max(_crept([max(row) for row in rows]), _crept([min(row) for row in rows])),
        late=near[0] / meter.ticks,
        longest=max(note.length for note in notes) / meter.ticks,
        tones=len(set.union(*rows)),
        reach=max(map(max, rows)) - min(map(min, rows)),
    )


def _booms(rows: Sequence[set[int]]) -> float:
    """The share of the strokes in turn that are a bass with a chord after it: boom-chick."""
    pairs = list(zip(rows[::2], rows[1::2], strict=False))
    return sum(min(low) < min(high) and len(high) > 1 for low, high in pairs) / len(pairs) if len(pairs) > 1 else 0.0


def _crept(line: Sequence[int]) -> int:
    """The most half tones in a row of a line."""
    most = running = 0
    for one, two in pairwise(line):
        running = running + 1 if abs(two - one) == 1 else 0
        most = max(most, running)
    return most


def _octaves(rows: Sequence[set[int]]) -> int:
    """How often the lowest tone is followed by itself in another octave."""
    return sum(min(one) != min(two) and (min(one) - min(two)) % 12 == 0 for one, two in pairwise(rows))


def _alike(bars: Sequence[Sequence[Played]]) -> list[Sequence[Played]]:
    """Some bars, those with another rhythm than the two that are heard most as one stroke each."""
    rhythms = [tuple(sorted({note.place for note in bar})) for bar in bars]
    often = {rhythm for rhythm, _ in Counter(rhythm for rhythm in rhythms if rhythm).most_common(2)}
    return [bar if rhythm in often else bar[:1] for bar, rhythm in zip(bars, rhythms, strict=True)]


def above_thumb(notes: Sequence[Played]) -> Sequence[Played]:
    """What of a bar is struck in chords, where somebody plucks single basses below them besides; else all of it."""
    together: dict[int, list[int]] = {}
    for note in notes:
        together.setdefault(note.place, []).append(note.pitch)
    chords = [pitch for pitches in together.values() if len(pitches) > 1 for pitch in sorted(pitches)[1:]]
    floor = min(chords, default=0)
    upper = [note for note in notes if note.pitch >= floor]
    return upper if len({note.place for note in upper}) > 1 else notes


def manner_share(what: str, bars: Sequence[Sequence[Played]], meter: Meter) -> float:
    """In how many of some bars with notes a manner is kept; 0 where nothing is played."""
    rows = [above_thumb(bar) for bar in bars] if what in _ABOVE else _alike(bars) if what == _RIFF else bars
    heard = [_heard(bar, meter) for bar in rows if bar]
    return sum(map(MANNERS[what], heard)) / len(heard) if heard else 0.0


_TIMED = frozenset(("gallop", "beats", "downbeats", "off-beats", "eighths", "sixteenths", "pulse"))  # of drums, too


def _told_of(ask: Ask, score: Score, spans: Spans) -> list[int]:
    """The voices of which a manner is asked: who has pitches, or drums alone where it is one of time."""
    named = voices_of(ask.who, score, spans)
    pitched = [index for index in named if not score.voices[index].drums]
    return pitched or (list(named) if ask.what in _TIMED else [])


@ask_clauses.register("manner")
def _manner(ask: Ask, contract: Contract, score: Score) -> Finding:
    spans = spans_of_ask(ask, score)
    if ask.what not in MANNERS:
        return None, f"{ask.what} is no manner that is known", ()
    mine = _told_of(ask, score, spans)
    if not spans or not mine:
        return nowhere(ask, spans)
    beaten = [index for index in mine if score.voices[index].program in _BEATEN]
    if beaten:
        kept = any(_heard(bar, score.meter_at(0)).pace >= _SHAKEN for bar in _bars(score, beaten[0], spans).values())
        return kept, f"{names_of(score, beaten)} {'has' if kept else 'has no'} rolls in {said(spans)}", spans
    if ask.what == "tremolo" and (tune := tune_of(score, spans)) in mine and tune is not None:
        return _trembling(score, tune, spans)
    share = max(_share(_of_hand(ask, score, index), ask.what, index, spans) for index in mine)
    share *= stabs_as_one(ask, contract, score, mine) and leaves_room(ask, score, mine, spans)
    return share >= _OFTEN, f"{names_of(score, mine)}: {ask.what} in {share:.0%} of its bars in {said(spans)}", spans


def _trembling(score: Score, index: int, spans: Spans) -> Finding:
    """Whether who has the tune shakes its long notes as often as others have to; its quick ones are no tremolo."""
    rows = [row for row in _bars(score, index, spans).values() if row]
    meter = score.meter_at(0)
    share = sum(_shakes(row) or MANNERS["tremolo"](_heard(row, meter)) for row in rows) / max(1, len(rows))
    return share >= _OFTEN, f"{score.voices[index].name}: long notes shaken in {share:.0%} of its bars", spans


def _shakes(notes: Sequence[Played]) -> bool:
    """Whether one tone of a bar is struck again and again, as quick as sixteenths, for a beat or longer."""
    strokes: dict[int, list[int]] = {}
    for note in notes:
        strokes.setdefault(note.pitch, []).append(note.place)
    for places in strokes.values():
        running = 1
        for one, two in pairwise(sorted(places)):
            running = running + 1 if two - one <= _GRID else 1
            if running >= _TREMBLING:
                return True
    return False


def _share(score: Score, what: str, index: int, spans: Spans) -> float:
    """In how many of its bars a voice keeps a manner, those in which it has the tune left out where that helps."""
    meter, bars = score.meter_at(0), _bars(score, index, spans)
    under = {bar: row for bar, row in bars.items() if tune_of(score, ((bar + score.first_bar,) * 2,)) != index}
    return max(manner_share(what, list(rows.values()), meter) for rows in (bars, under))


def _of_hand(ask: Ask, score: Score, index: int) -> Score:
    """The piece with nothing but the left hand of who plays a keyboard, where a manner is asked of the bass."""
    voice = score.voices[index]
    if ask.who != _BASS or voice.program not in _KEYBOARDS or int(voice.array["pitch"].max()) < _LEFT:
        return score
    low = voice.with_notes(voice.array[voice.array["pitch"] < _LEFT])
    return replace(score, voices=(*score.voices[:index], low, *score.voices[index + 1 :])) if len(low.array) else score


def _bars(score: Score, index: int, spans: Spans) -> dict[int, list[Played]]:
    """The notes of a voice by bars, the last of a piece left out."""
    lines = np.asarray(score.bar_lines)
    rows: dict[int, list[Played]] = {}
    for note in within(score.voices[index].array, spans, score):
        bar = int(np.searchsorted(lines, note["onset"], side="right")) - 1
        played = Played(int(note["onset"]) - int(lines[bar]), int(note["duration"]), int(note["pitch"]))
        rows.setdefault(bar, []).append(played)
    rows.pop(score.bars - 1, None)
    return rows
