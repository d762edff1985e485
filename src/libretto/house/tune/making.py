"""How a theme is made: which bars are the same idea, where its phrases end, where its notes lean.

A bar *relates* to an earlier one whose onsets it shares: note for note (``exact``), moved along the scale
(``sequence``), upside down (``inversion``), or in rhythm alone (``rhythm``). Notes that agree are told apart from
notes that only share the place, so a bar that begins alike and goes on differently is a fragment of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from libretto.house.tune.themes import Theme, TuneNote, metrical_weight
from libretto.score.keys import Key
from libretto.score.time import QUARTER

__all__ = ["Event", "Making", "Relation", "making_of", "scale_steps"]

_AGREE = 0.6  # of the notes of two bars must agree for them to be one idea
_FEWEST = 2  # notes that must agree
_STRONG = 0.6  # from this metrical weight on a foreign note leans
_STEP = 2  # semitones
_PHRASE = 4  # bars a phrase has where nothing else is known
_GRACE, _PLACE = QUARTER // 8, QUARTER // 4  # no longer than a thirty-second; where notes stand
_Heights = tuple[float, float, int]  # of a note in a bar and of the one there in its model, and where it begins
_WORTH = {"exact": 3.0, "sequence": 2.6, "inversion": 1.6, "rhythm": 1.0}
_GOES_ON, _SQUARE = 0.8, 0.3  # what makes an earlier bar the likelier model: going on with it, whole phrases between


@dataclass(frozen=True)
class Event:
    """A note of a bar as its template has it: place in the bar, length, pitch, and the interval that leads to it.

    ``step`` is that interval in steps of the scale, ``move`` in semitones; both None at the start.
    """

    offset: int
    length: int
    pitch: int
    accent: int = 0
    step: float | None = None
    move: int | None = None
    lean: bool = False
    breath: bool = False


@dataclass(frozen=True)
class Relation:
    """What a bar owes to an earlier one: ``agree`` are the places in the bar that do, ``lead`` the pickup's ticks."""

    of: int
    how: str
    shift: int
    agree: frozenset[int]
    lead: int = 0


@dataclass(frozen=True)
class Making:
    """A theme as its makers see it; ``bars[0]`` is the pickup, ``bars[n + 1]`` bar n."""

    theme: Theme
    bars: tuple[tuple[Event, ...], ...]
    relations: tuple[Relation | None, ...]
    ends: frozenset[int]  # bars (from 0) in which a phrase ends

    def bar(self, number: int) -> tuple[Event, ...]:
        """The events of a bar; -1 is the pickup."""
        return self.bars[number + 1]


def scale_steps(pitch: int, key: Key) -> float:
    """How many steps of the key's scale a pitch lies above MIDI 0; what lies between two steps is a half.

    >>> scale_steps(62, Key.parse("C")) - scale_steps(60, Key.parse("C"))
    1.0
    """
    octave, tone = divmod(pitch - key.tonic_class, 12)
    return octave * 7 + _degree(tone, key)


@lru_cache(maxsize=1024)
def _degree(tone: int, key: Key) -> float:
    degrees = sorted((held - key.tonic_class) % 12 for held in key.classes)
    below = sum(1 for degree in degrees if degree <= tone)
    return below - 1 + (0.0 if tone in degrees else 0.5)


@lru_cache(maxsize=256)
def making_of(theme: Theme) -> Making:
    """The making of a theme: its bars, what each owes to an earlier one, and where phrases end."""
    bars = _events(theme)
    return Making(theme, bars, _relations(theme, bars), _phrase_ends(theme))


def _events(theme: Theme) -> tuple[tuple[Event, ...], ...]:
    """The notes by bar, the pickup first."""
    bars: list[list[Event]] = [[] for _ in range(theme.bars + 1)]
    ticks, notes = theme.meter.ticks, _without_graces(sorted(theme.notes, key=lambda note: note.start))
    for index, note in enumerate(notes):
        bar = max(-1, note.start // ticks)
        if bar >= theme.bars:
            continue
        before = notes[index - 1] if index else None
        after = notes[index + 1] if index + 1 < len(notes) else None
        step = move = None
        if before:
            step = scale_steps(note.pitch, theme.key) - scale_steps(before.pitch, theme.key)
            move = note.pitch - before.pitch
        gap = note.start - before.end if before else theme.meter.beat
        bars[bar + 1].append(
            Event(
                note.start - bar * ticks, note.length, note.pitch, note.accent, step, move,
                _leans(theme, note, after), gap * 2 >= theme.meter.beat,
            )
        )  # fmt: skip
    return tuple(map(tuple, bars))


def _without_graces(notes: Sequence[TuneNote]) -> list[TuneNote]:
    """The notes without the very short ones; a note that a grace pushed off its place begins where the grace did."""
    kept: list[TuneNote] = []
    grace: TuneNote | None = None
    for note in notes:
        if note.length <= _GRACE and len(notes) > 1:
            grace = grace or note
            continue
        if grace and grace.start % _PLACE == 0 and note.start % _PLACE:
            note = TuneNote(grace.start, note.end - grace.start, note.pitch, note.accent)
        kept.append(note)
        grace = None
    return kept


def _leans(theme: Theme, note: TuneNote, after: TuneNote | None) -> bool:
    """Whether a note is an accented foreign tone that goes to a tone of the chord by step."""
    chord = theme.chord_at(note.start)
    if chord is None or after is None or metrical_weight(note.start, theme.meter) < _STRONG:
        return False
    then = theme.chord_at(after.start) or chord
    by_step = 0 < abs(after.pitch - note.pitch) <= _STEP
    return note.pitch % 12 not in chord.classes and by_step and after.pitch % 12 in then.classes


def _relations(theme: Theme, bars: Sequence[tuple[Event, ...]]) -> tuple[Relation | None, ...]:
    relations: list[Relation | None] = []
    for bar in range(theme.bars):
        candidates = [
            (worth, -earlier, relation)
            for earlier in range(bar)
            if (relation := _relation(theme.key, bars[earlier + 1], bars[bar + 1], earlier))
            for worth in [_worth(relation, bar, relations)]
        ]
        best = max(candidates, key=lambda row: row[:2])[2] if candidates else None
        if best:
            lead = _shared_pickup(theme, bars[best.of], bars[bar])
            best = Relation(best.of, best.how, best.shift, best.agree, lead)
        relations.append(best)
    return tuple(relations)


def _worth(relation: Relation, bar: int, before: Sequence[Relation | None]) -> float:
    """How good a model an earlier bar is: what agrees, whether it goes on with the model before, and even phrases."""
    worth = _WORTH[relation.how]
    last = before[-1] if before else None
    if last and last.of == relation.of - 1:
        worth += _GOES_ON
    return worth + (_SQUARE if (bar - relation.of) % _PHRASE == 0 else 0.0)


def _relation(key: Key, model: Sequence[Event], bar: Sequence[Event], of: int) -> Relation | None:
    """What a bar owes to that earlier one, if anything."""
    there = {event.offset: event for event in model}
    shared = [(there[event.offset], event) for event in bar if event.offset in there]
    if len(shared) < _FEWEST or not bar:
        return None
    heights = [(scale_steps(a.pitch, key), scale_steps(b.pitch, key), b.offset) for a, b in shared]
    shift = _common_shift(heights)
    agree = _moved_by(shift, heights)
    if len(agree) >= max(_FEWEST, _AGREE * len(bar)) and shift == int(shift):
        return Relation(of, "sequence" if shift else "exact", int(shift), agree)
    if len(shared) != len(bar) or len(bar) != len(model):
        return None
    mirrored = len(bar) > _FEWEST and _is_mirrored(heights)
    return Relation(of, "inversion", 0, _offsets(bar)) if mirrored else Relation(of, "rhythm", 0, frozenset())


def _common_shift(heights: Sequence[_Heights]) -> float:
    """By how many steps most notes are moved; of several shifts none at all, or the least."""
    shifts = Counter(round(b - a, 1) for a, b, _ in heights)
    return max(shifts, key=lambda value: (shifts[value], value == 0, -abs(value)))


def _moved_by(shift: float, heights: Sequence[_Heights]) -> frozenset[int]:
    """Where notes begin that are moved by so many steps."""
    return frozenset(offset for a, b, offset in heights if round(b - a, 1) == shift)


def _is_mirrored(heights: Sequence[_Heights]) -> bool:
    """Whether one line is the other upside down."""
    first = heights[0][0] + heights[0][1]
    return all(abs(a + b - first) < 1 for a, b, _ in heights)


def _offsets(bar: Sequence[Event]) -> frozenset[int]:
    """Where the notes of a bar begin."""
    return frozenset(event.offset for event in bar)


def _shared_pickup(theme: Theme, model: Sequence[Event], bar: Sequence[Event]) -> int:
    """Ticks before two bar lines in which the same rhythm leads over them: what comes after the last breath."""
    ticks, lead = theme.meter.ticks, 0
    for a, b in zip(reversed(model), reversed(bar), strict=False):
        if a.offset != b.offset or ticks - b.offset > ticks // 2:
            break
        lead = ticks - b.offset
        if a.breath or b.breath:
            return lead
    return 0


def _phrase_ends(theme: Theme) -> frozenset[int]:
    """The bars in which phrases end: each fourth, and the last."""
    return frozenset({*range(_PHRASE - 1, theme.bars, _PHRASE), theme.bars - 1})
