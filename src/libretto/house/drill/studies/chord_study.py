"""Studies on chords: broken up and down, struck in one position, struck through all positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from libretto.contract.instruments import instrument_of_program
from libretto.house.drill.meters import beats_of
from libretto.house.drill.sheet import DrillSheet, Measure, spelled
from libretto.house.drill.studies.study import Played, StudyAsk, bar_of, slot_of, studies
from libretto.score.chords import NO_CHORD, QUALITIES
from libretto.score.pitch import letter_name

__all__ = ["arpeggio_study", "chord_study", "position_study"]

_OCTAVE = 12
_ROOTS = (0, 5, 7, 2, 9, 4, 10, 3, 8, 11)  # steps on which chords are looked for, the plainest first
_MOST_ROOTS = 3
_PHRASE = 3  # bars of one chord, the last of which goes the other way
_FIFTHS = {0: 0, 1: -5, 2: 2, 3: -3, 4: 4, 5: -1, 6: -6, 7: 1, 8: 8, 9: 3, 10: -2, 11: 5}


class _Kind:
    """A kind of chord in a key: on which roots it stands, how its tones are called."""

    def __init__(self, ask: StudyAsk, tones: Sequence[int]) -> None:
        self.ask, self.tones = ask, tuple(tones)
        scale = {(tone - ask.home) % _OCTAVE for tone in ask.key.classes}
        leading = {11} if ask.key.is_minor else set()
        inside = [s for s in _ROOTS if s in scale and all((s + t) % _OCTAVE in scale | leading for t in tones)]
        written = {*ask.key.scale} | ({ask.key.tonic + 5} if ask.key.is_minor else set())
        inside = [s for s in inside if written.issuperset(self.names(s).values())]  # F sharp is no G flat
        self.inside = bool(inside)
        self.steps = inside[:_MOST_ROOTS] or [11 if 6 in self.tones else 7]  # on the leading note or the dominant
        self.quality = next((name for name, own in QUALITIES.items() if set(own) == set(tones)), None)

    def names(self, step: int) -> dict[int, int]:
        """How the tones of the chord on a step are spelled: in thirds from its root."""
        key = self.ask.key
        root = (key.tonic_class + step) % _OCTAVE
        name = spelled(root, key)
        return {(root + tone) % _OCTAVE: name + _fifths(tone, self.tones) for tone in self.tones}

    def label(self, step: int, bass: int = 0) -> str:
        """The chord's label, with its bass where that is not the root."""
        if self.quality is None:
            return NO_CHORD
        names = self.names(step)
        root = (self.ask.home + step) % _OCTAVE
        low = (root + self.tones[bass]) % _OCTAVE
        return f"{letter_name(names[root])}{self.quality}" + (f"/{letter_name(names[low])}" if bass else "")

    def pitches(self, step: int, bass: int = 0, middle: int | None = None) -> list[int]:
        """The chord in close position over one of its tones, near the middle of the staff."""
        centre = self.ask.middle if middle is None else middle
        above = [*self.tones[bass:], *(tone + _OCTAVE for tone in self.tones[:bass])]
        wide = above[-1] - above[0]
        low = (self.ask.home + step + above[0]) % _OCTAVE
        places = [pitch for pitch in range(self.ask.low, self.ask.high - wide + 1) if pitch % _OCTAVE == low]
        if not places:
            return []
        base = min(places, key=lambda pitch: abs(pitch + wide / 2 - centre))
        return [base + tone - above[0] for tone in above]


def _fifths(tone: int, tones: Sequence[int]) -> int:
    """How far a tone lies from the root on the line of fifths; a diminished seventh is no sixth."""
    if tone == 9 and {3, 6} <= set(tones):
        return -9
    return -4 if tone == 8 and 7 in tones else _FIFTHS[tone]


def _plays_chords(ask: StudyAsk, size: int) -> bool:
    return instrument_of_program(ask.model.program or 0).polyphony >= size


@studies.register("arpeggio")
def arpeggio_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Chords of one kind broken, a bar each: up, or up and down in turn; the root at the end."""
    kind = _Kind(ask, condition["kinds"][0])
    slot = slot_of(ask.meter, ask.level)
    while ask.meter.ticks // slot < int(condition.get("notes", 4)):
        slot //= 2
    count = ask.meter.ticks // slot
    bars: list[Measure] = []
    for number in range(ask.bars - 1):
        step = kind.steps[(number // 2) % len(kind.steps)] if number < ask.bars - 2 else kind.steps[0]
        pitches = kind.pitches(step, middle=ask.middle - 2 if not bars else bars[0].notes[0].pitch + 4)
        if not pitches:
            return None
        ladder = [*pitches, pitches[0] + _OCTAVE] if pitches[0] + _OCTAVE <= ask.high else pitches
        high = bars[-1].notes[-1].pitch * 2 > ladder[0] + ladder[-1] if bars else False
        again = len(kind.steps) == 1 and number % _PHRASE == _PHRASE - 1  # one chord alone is not always broken alike
        if again or (high and condition.get("direction", "any") != "up"):
            ladder = ladder[::-1]
        turned = [*ladder, *ladder[-2:0:-1]]
        line = [Played(at * slot, slot, turned[at % len(turned)]) for at in range(count)]
        bars.append(bar_of(line, kind.label(step), ask, kind.names(step)))
    return _ended(ask, bars, kind)


def _ended(ask: StudyAsk, bars: list[Measure], kind: _Kind, struck: bool = False) -> DrillSheet | None:
    """The bars with a last one on the tonic: its triad where chords are struck, else the root alone."""
    home = _Kind(ask, (0, 3, 7) if ask.key.is_minor else (0, 4, 7))
    before = [note.pitch for note in bars[-1].notes[-len(kind.tones) :]]
    pitches = home.pitches(0, middle=sum(before) // len(before) if struck else before[-1] + 3)
    if not pitches:
        return None
    chosen = pitches if struck else [min(pitches[0], pitches[0] + _OCTAVE, key=lambda pitch: abs(pitch - before[-1]))]
    bars.append(bar_of([Played(0, ask.meter.ticks, p) for p in chosen], home.label(0), ask, home.names(0)))
    return ask.model._replace(bars=tuple(bars), first_bar=1)


def _chosen(ask: StudyAsk, condition: Mapping[str, Any]) -> _Kind:
    """Of the kinds that a concept allows the minor triad in minor, else the first that the key has."""
    kinds = [_Kind(ask, tones) for tones in condition["kinds"]]
    if ask.key.is_minor and [0, 3, 7] in condition["kinds"]:
        return kinds[list(condition["kinds"]).index([0, 3, 7])]
    return next((own for own in kinds if own.inside), kinds[0])


@studies.register("chord")
def chord_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Chords of one kind struck in one position, two bars a root; where any position will do, one after the other."""
    if "degree" in condition or "then" in condition or len(condition["kinds"][0]) < 3:
        return None
    kind = _chosen(ask, condition)
    bass, home = condition.get("bass", 0), _Kind(ask, (0, 3, 7) if ask.key.is_minor else (0, 4, 7))
    if not _plays_chords(ask, len(kind.tones)):
        return None
    bars: list[Measure] = []
    for number in range(ask.bars - 1):
        step = kind.steps[(number // 2) % len(kind.steps)]
        chord, place = kind, number % len(kind.tones) if bass < 0 else bass
        if number % 2 and not kind.inside:
            chord, step, place = home, 0, 0
        pitches = chord.pitches(step, place)
        if not pitches:
            return None
        line = _struck(ask, pitches, broken=ask.level > 1 and number % 2 == 1)
        bars.append(bar_of(line, chord.label(step, place), ask, chord.names(step)))
    return _ended(ask, bars, kind, struck=True)


@studies.register("chord_moves")
def position_study(ask: StudyAsk, condition: Mapping[str, Any]) -> DrillSheet | None:
    """Chords through all their positions, one a beat or two, up and back; a root takes two bars."""
    kind = _chosen(ask, condition)
    if not _plays_chords(ask, len(kind.tones)):
        return None
    size = len(kind.tones)
    bars: list[Measure] = []
    for number in range(ask.bars - 1):
        step = kind.steps[(number // 2) % len(kind.steps)]
        first = kind.pitches(step, middle=ask.middle - 4 if not bars else bars[0].notes[0].pitch + 3)
        if not first or first[-1] + _OCTAVE > ask.high:
            return None
        order = range(size) if number % 2 == 0 else range(size - 1, -1, -1)
        rows = [_turned_up(first, place) for place in order]
        line, at = [], 0
        for pitches, length in zip(rows, _shares(ask, size), strict=True):
            line += [Played(at, length, pitch) for pitch in pitches]
            at += length
        bars.append(bar_of(line, kind.label(step), ask, kind.names(step)))
    return _ended(ask, bars, kind, struck=True)


def _turned_up(pitches: Sequence[int], place: int) -> list[int]:
    """A chord in close position with so many of its lowest tones an octave higher."""
    raised = [pitch + _OCTAVE * ((place + len(pitches) - 1 - at) // len(pitches)) for at, pitch in enumerate(pitches)]
    return sorted(raised)


def _shares(ask: StudyAsk, count: int) -> list[int]:
    """The lengths of so many chords in a bar: a beat each where there are as many, the last one for the rest."""
    beat = beats_of(ask.meter)[0]
    while beat * count > ask.meter.ticks:
        beat //= 2
    return [*[beat] * (count - 1), ask.meter.ticks - beat * (count - 1)]


def _struck(ask: StudyAsk, pitches: Sequence[int], broken: bool) -> list[Played]:
    """A chord in a bar: struck twice, or broken note by note and then struck."""
    beats = beats_of(ask.meter)
    if not broken or len(beats) < 2:
        half = sum(beats[: max(1, len(beats) // 2)]) if len(beats) > 1 else ask.meter.ticks
        spans = [(0, half), (half, ask.meter.ticks - half)] if half < ask.meter.ticks else [(0, half)]
        return [Played(at, length, pitch) for at, length in spans for pitch in pitches]
    lead = beats[0] * (2 if len(beats) > 2 else 1)
    part = lead // len(pitches)
    notes = [Played(at * part, part, pitch) for at, pitch in enumerate(pitches)]
    if part * len(pitches) != lead or part % 10080:
        return _struck(ask, pitches, broken=False)
    return notes + [Played(lead, ask.meter.ticks - lead, pitch) for pitch in pitches]
