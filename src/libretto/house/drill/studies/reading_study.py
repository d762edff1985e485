"""Studies to be read, written down or moved: a plain tune in phrases, passages said twice, a phrase in other keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from libretto.house.drill.scales import bar_rhythm
from libretto.house.drill.sheet import DrillSheet, Measure
from libretto.house.drill.studies.study import Played, StudyAsk, agreeing, bar_of, names_of, own_chords, studies

__all__ = ["dictation_study", "moving_study", "sight_study"]

_OCTAVE = 12
_PHRASE = 4  # bars
_TOP = {1: 4, 2: 7, 3: 7}  # rungs of a line that is read, by level
_LEAPS = {1: 0.1, 2: 0.2, 3: 0.25}  # how often it leaps by a third
_QUIET = {1: 1, 2: 1, 3: 2}  # the level of the rhythms of a line that is read


class _Line:
    """A tune that goes mostly by step within a few rungs of the key's scale."""

    def __init__(self, ask: StudyAsk, top: int) -> None:
        self.ask = ask
        self.scale = sorted((tone - ask.home) % _OCTAVE for tone in ask.key.classes)
        tonics = [pitch for pitch in range(ask.low, ask.high - _OCTAVE + 1) if pitch % _OCTAVE == ask.home]
        self.base = min(tonics, key=lambda pitch: (abs(pitch + 6 - ask.middle), pitch), default=None)
        self.top, self.rung, self.way = top, 0, 1
        self.names = names_of(self.scale, ask.key, ask.model)
        self.chords = own_chords(self.scale, ask.key, self.names)

    def pitch(self, rung: int) -> int:
        """The pitch of a rung above the tonic."""
        size = len(self.scale)
        return (self.base or 0) + _OCTAVE * (rung // size) + self.scale[rung % size]

    def next(self) -> int:
        """The next pitch: on by step, sometimes by a third, turning at the ends and now and then between."""
        rng, here = self.ask.rng, self.rung
        if rng.random() < 1 / 4:
            self.way = -self.way
        move = 2 if rng.random() < _LEAPS[self.ask.level] else 1
        if not 0 <= self.rung + self.way * move <= self.top:
            self.way, move = -self.way, 1
        self.rung += self.way * move
        return self.pitch(here)

    def bar(self, last: int | None = None) -> list[Played]:
        """A bar of the tune; one that ends a phrase comes to rest on a rung."""
        meter = self.ask.meter
        if last is not None:
            steps = [Played(0, meter.ticks, self.pitch(last))]
            self.rung = last
            return steps
        rhythm = bar_rhythm(meter, _QUIET[self.ask.level], self.ask.rng)
        return [Played(at, length, self.next()) for at, length in rhythm]

    def measure(self, line: Sequence[Played]) -> Measure:
        """A bar with its chord."""
        return bar_of(line, agreeing(line, self.ask.meter, self.chords, self.ask.home), self.ask, self.names)

    def toward(self, goal: int) -> None:
        """Go in the direction of a rung."""
        self.way = 1 if goal > self.rung else -1


@studies.register("readable")
def sight_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """A tune to be played at sight: phrases of four bars that rest on the fifth or third, the last one on the tonic."""
    tune = _Line(ask, min(_TOP[ask.level], 7))
    if tune.base is None:
        return None
    bars = []
    for number in range(ask.bars):
        final = number == ask.bars - 1
        closes = final or number % _PHRASE == _PHRASE - 1
        near = min((2, 4), key=lambda rung: abs(rung - tune.rung))
        bars.append(tune.measure(tune.bar(0 if final else near) if closes else tune.bar()))
        if number == ask.bars - 3:
            tune.rung = min(tune.rung, 3)
    return ask.model._replace(bars=tuple(bars), first_bar=1)


@studies.register("said_twice")
def dictation_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Passages to be written down, each said twice; a rhythm stands on one note."""
    size = int(condition.get("size", 2))
    tune = _Line(ask, _TOP[ask.level])
    if tune.base is None or ask.bars % (2 * size):
        return None
    bars: list[Measure] = []
    passages = ask.bars // (2 * size)
    for number in range(passages):
        last = number == passages - 1
        rows = [tune.bar() for _ in range(size - 1)]
        if condition.get("one_pitch"):
            pitch = tune.base if last else tune.pitch(ask.rng.choice((1, 2, 4)))
            rows = [[Played(at, length, pitch) for at, length in _counted(ask)] for _ in range(size - 1)]
            lead = _counted(ask)[0][1]
            ends = [Played(0, lead, pitch)]
            if lead < ask.meter.ticks:
                ends.append(Played(lead, ask.meter.ticks - lead, pitch))
        else:
            near = 0 if last else min((2, 4, 0), key=lambda rung: abs(rung - tune.rung))
            ends = tune.bar(near)
        rows.append(ends)
        measured = [tune.measure(row) for row in rows]
        bars += [*measured, *measured]
    return ask.model._replace(bars=tuple(bars), first_bar=1)


@studies.register("moved_phrase")
def moving_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """A phrase of two bars in the key, then note for note a fifth and a fourth higher or lower, and home again."""
    tune = _Line(ask, 4)
    if tune.base is None or ask.bars < 4 or ask.bars % 2:
        return None
    first = [tune.bar(), tune.bar(0)]
    bars: list[Measure] = []
    for number in range(ask.bars // 2):
        by = (0, 7, 0, 5, 0, 2)[number % 6] if number < ask.bars // 2 - 1 else 0
        for line in first:
            moved = [note._replace(pitch=note.pitch + by) for note in line]
            names = {
                (tone + by) % _OCTAVE: name + 7 * by - 12 * ((7 * by + 6) // 12) for tone, name in tune.names.items()
            }
            if any(not ask.low <= note.pitch <= ask.high for note in moved):
                return None
            bars.append(bar_of(moved, "-", ask, names if by else tune.names))
    return ask.model._replace(bars=tuple(bars), first_bar=1)


def _counted(ask: StudyAsk) -> list[tuple[int, int]]:
    """The rhythm of a bar as the level has it."""
    return bar_rhythm(ask.meter, ask.level, ask.rng)
