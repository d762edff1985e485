"""Drills on chords, written from nothing but the chords: new voicings that lead, in one texture, a shaped top line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from libretto.house.core.dice import Dice
from libretto.house.core.line import Slot, ladder, sing
from libretto.house.core.voicing import Pitches, Weights, best_voicing, placements, price_of, upper_floor
from libretto.house.drill.meters import beats_of
from libretto.house.drill.scales import bar_rhythm, closing_rhythm
from libretto.house.drill.sheet import DrillSheet, Measure, classes_of, layers_of, spelled
from libretto.score import QUARTER, Note, parse_chord

__all__ = ["TEXTURES", "Struck", "chord_sheet", "harmonies_of"]

#: Ways to play chords: struck, struck and held under a tune, a bass and the chord after it, struck and then broken.
TEXTURES = ("block", "held", "after", "broken")
_WEIGHTS = Weights(even=0.15, rub=4.0, top=0.6, same_top=2.0, first_top=0.2)
_FIRST_CHANCE, _CHANCE = 6, 2  # how much chance counts in the first voicing, and in those that follow
_SPAN, _MOST_PITCHES = 15, 14  # semitones of a voicing, and pitches from which it is chosen
_PHRASE = 4  # bars
_TUNE_LOUDER, _HELD_SOFTER, _AFTER_SOFTER = 16, 8, 6  # a tune, chords held under it, and what follows a bass
_TUNE_ROOM, _TUNE_SPAN, _TILT = 5, 14, 0.3  # semitones left above chords and used by a tune; how far it rises or falls
_SOFTEST, _SWELL, _GROWTH = 66, 14, 4  # how loud bars are: at least, in the middle of a phrase, at the end
_RHYTHMS_TRIED = 8
_RUMBLE = 36  # C2: what lies lower rumbles
_BASS_ROOM, _BASS_HOME, _FIRST_BASSES, _HOMESICK = 22, 8, (4, 7, 10), 0.25  # semitones above the floor; the pull home
_RUBBING = (1, 11)  # semitones that rub against a bass
_DEEP = 4  # semitones below the mud; above a bass so low the other notes lie out of it


class Struck(NamedTuple):
    """One chord: where in the bar it begins and ends, its bass and its other pitch classes."""

    start: int
    end: int
    bass: int
    others: tuple[int, ...]


def harmonies_of(bar: Measure) -> list[Struck]:
    """The chords of a bar as they are struck, or as they are written where single notes say them."""
    parts = layers_of(bar)
    spans: list[tuple[int, int, str]] = []
    count = len(bar.labels)
    for number, label in enumerate(bar.labels):
        start, end = number * bar.length // count, (number + 1) * bar.length // count
        if spans and spans[-1][2] == label:
            spans[-1] = (spans[-1][0], end, label)
        else:
            spans.append((start, end, label))
    chords: list[Struck] = []
    for start, end, label in spans:
        chord = parse_chord(label)
        for first, last in _changes(parts.under, start, end):
            inside = [note for note in parts.under if first <= note.onset < last]
            classes = {note.pitch % 12 for note in inside}
            if chord is not None and len(classes) < 3:
                classes |= chord.classes
            if len(classes) < 2:
                return []
            low = min(note.pitch for note in inside) % 12 if chord is None or inside else chord.bass_class
            chords.append(Struck(first, last, low, tuple(sorted(classes - {low}))))
    return chords


def _changes(under: Sequence[Note], start: int, end: int) -> list[tuple[int, int]]:
    """The parts of a span in each of which one chord is struck: a whole chord with tones of its own begins another."""
    edges, heard = [start], set[int]()
    for onset in sorted({note.onset for note in under if start <= note.onset < end}):
        classes = {note.pitch % 12 for note in under if note.onset == onset}
        if len(classes) >= 3 and heard and not classes <= heard and not heard <= classes:
            edges.append(onset)
            heard = set()
        heard |= classes
    return list(pairwise([*edges, end]))


def chord_sheet(model: DrillSheet, texture: str, low: int, high: int, level: int, rng: Dice) -> DrillSheet | None:
    """The chords of a model played anew; None where it has bars without any."""
    rows = [harmonies_of(bar) for bar in model.bars]
    if not all(rows):
        return None
    bottom = _bass_line([struck for row in rows for struck in row], low, high, rng)
    roof = high - (_TUNE_ROOM if texture == "held" else 0)
    bars: list[Measure] = []
    upper: tuple[int, ...] | None = None
    basses, before = iter(bottom), None
    rhythms = [_strikes(model.bars[-1], rng) for _ in range(2)]
    for index, (bar, row) in enumerate(zip(model.bars, rows, strict=True)):
        last, closes = index == len(model.bars) - 1, index % _PHRASE == _PHRASE - 1
        loud, still = _loudness(index, len(rows)), last or (closes and texture != "after")
        notes: list[Note] = []
        for harmony in row:
            bass = next(basses)
            upper = _voicing(harmony, bass, upper, roof, rng)
            if upper is None:
                return None
            notes += _played(bar, harmony, bass, upper, texture, _within(rhythms[index % 2], harmony), loud, still)
        if texture == "held":
            line = _tune(bar, row, max(note.pitch for note in notes) + 1, high, level, rng, last, closes, before, loud)
            before = line[-1].pitch if line else before
            notes += line
        bars.append(_written(bar, notes))
    return model.with_bars(bars)


def _within(rhythm: list[tuple[int, int]], harmony: Struck) -> list[tuple[int, int]]:
    """The part of a bar's rhythm that falls into the time of a chord."""
    return [(onset, length) for onset, length in rhythm if harmony.start <= onset < harmony.end]


def _loudness(index: int, bars: int) -> int:
    """How loud a bar is: louder in the middle of its phrase, and a little towards the end of the drill."""
    middle = 1 - abs(2 * ((index % _PHRASE) + 0.5) / _PHRASE - 1)
    return round(_SOFTEST + _SWELL * middle + _GROWTH * index / bars)


def _written(bar: Measure, notes: list[Note]) -> Measure:
    """A bar with other notes, spelled as its own are."""
    names = {note.pitch % 12: note.spelling for note in bar.notes}
    named = {note._replace(spelling=spelled(note.pitch, bar.key, names)) for note in notes}
    return bar._replace(notes=tuple(sorted(named)))


def _strikes(bar: Measure, rng: Dice) -> list[tuple[int, int]]:
    """When chords are struck in a bar: not too often."""
    made = [bar_rhythm(bar.meter, 1, rng) for _ in range(_RHYTHMS_TRIED)]
    return min(made, key=lambda rhythm: abs(len(rhythm) - 3))


def _bass_line(row: Sequence[Struck], low: int, high: int, rng: Dice) -> list[int]:
    """The basses near each other in the lower half of the range, but not so low that they rumble."""
    floor = max(low, _RUMBLE)
    place = floor + rng.choice(_FIRST_BASSES)
    basses = []
    for harmony in row:
        options = [pitch for pitch in range(floor, min(floor + _BASS_ROOM, high)) if pitch % 12 == harmony.bass]
        if not options:
            options = [floor + (harmony.bass - floor) % 12]
        place = min(options, key=lambda pitch: abs(pitch - place) + _HOMESICK * abs(pitch - floor - _BASS_HOME))
        basses.append(place)
    return basses


def _voicing(struck: Struck, bass: int, before: Pitches | None, roof: int, rng: Dice) -> tuple[int, ...] | None:
    """Upper notes that hold every other tone of the chord, near those before them, above the mud."""
    floor = upper_floor(bass, _DEEP)
    rubs = any((struck.bass - tone) % 12 in _RUBBING for tone in struck.others)
    doubled = len(struck.others) < 3 and not rubs and rng.random() < 0.5
    wanted = set(struck.others) | ({struck.bass} if doubled else set())
    around = ladder(wanted, floor, min(roof, floor + 2 * 12))[:_MOST_PITCHES]
    chance = _FIRST_CHANCE if before is None else _CHANCE

    def price(way: Pitches) -> float:
        return price_of(way, _WEIGHTS, 0.0, before, rng.random() * chance)

    return best_voicing(placements(wanted, around, _SPAN), price)


def _played(
    bar: Measure,
    harmony: Struck,
    bass: int,
    upper: tuple[int, ...],
    texture: str,
    rhythm: list[tuple[int, int]],
    loud: int,
    still: bool,
) -> list[Note]:
    """One chord in a texture; ``still`` strikes it once."""
    start, end = harmony.start, harmony.end
    pitches = (bass, *upper)
    if texture == "held":
        return [Note(start, end - start, pitch, loud - _HELD_SOFTER) for pitch in pitches]
    if still or len(rhythm) < 2:
        return [Note(start, end - start, pitch, loud + 2 * (pitch == upper[-1])) for pitch in pitches]
    if texture == "block":
        return _block(harmony, pitches, rhythm, loud)
    beat = beats_of(bar.meter)[0]
    if texture == "after":
        return _after(harmony, pitches, beat, loud)
    first = rhythm[0][1] if rhythm[0][0] == start else rhythm[0][0] - start
    notes = [Note(start, first, pitch, loud) for pitch in pitches]
    ups = [*upper, *upper[-2:0:-1]]
    return notes + [
        Note(onset, length, ups[number % len(ups)], loud - _AFTER_SOFTER)
        for number, (onset, length) in enumerate(_steps(start + first, end, beat))
    ]


def _block(harmony: Struck, pitches: Pitches, rhythm: Sequence[tuple[int, int]], loud: int) -> list[Note]:
    """A chord struck in a rhythm, and where it begins in any case; its top and its first stroke come out."""
    start, end = harmony.start, harmony.end
    strikes = [(onset, min(length, end - onset)) for onset, length in rhythm]
    if strikes[0][0] > start:
        strikes.insert(0, (start, strikes[0][0] - start))
    return [
        Note(onset, length, pitch, loud + (4 if not number else -2) + 2 * (pitch == pitches[-1]))
        for number, (onset, length) in enumerate(strikes)
        for pitch in pitches
    ]


def _after(harmony: Struck, pitches: Pitches, beat: int, loud: int) -> list[Note]:
    """The bass, and the others after it on every beat; all together where there is no other beat."""
    start, end = harmony.start, harmony.end
    if start + beat >= end:
        return [Note(start, end - start, pitch, loud) for pitch in pitches]
    return [
        Note(start, min(beat, end - start), pitches[0], loud + 4),
        *(
            Note(onset, min(beat, end - onset), pitch, loud - _AFTER_SOFTER)
            for onset in range(start + beat, end, beat)
            for pitch in pitches[1:]
        ),
    ]


def _steps(start: int, end: int, beat: int) -> list[tuple[int, int]]:
    """Even notes from one place to another: halves of a beat, thirds of a dotted one."""
    size = beat // 3 if beat % 3 == 0 and beat % QUARTER else beat // 2
    return [(onset, min(size, end - onset)) for onset in range(start, end, size)]


def _tune(
    bar: Measure,
    row: Sequence[Struck],
    floor: int,
    high: int,
    level: int,
    rng: Dice,
    last: bool,
    closes: bool,
    before: int | None,
    loud: int,
) -> list[Note]:
    """A tune over held chords: chord tones where they are heard, steps between, home at the end."""
    rungs = ladder(classes_of(bar), floor, min(high, floor + _TUNE_SPAN))
    if len(rungs) < 3:
        return []
    rhythm = (
        closing_rhythm(bar.meter, level, rng, last) if last or closes else bar_rhythm(bar.meter, min(level, 2), rng)
    )
    tilt = rng.choice((-1, 1))
    slots = []
    for place, (onset, length) in enumerate(rhythm):
        harmony = [struck for struck in row if struck.start <= onset][-1]
        tones = frozenset({harmony.bass, *harmony.others})
        height = 0.5 + _TILT * tilt * (2 * place / max(1, len(rhythm) - 1) - 1)
        slots.append(Slot(height, place == 0 or length * 3 >= bar.length, tones))
    tones = frozenset({row[-1].bass, *row[-1].others})
    pitches = sing(slots, rungs, rng, last=tones if last or closes else frozenset(), before=before)
    louder = loud + _TUNE_LOUDER
    return [Note(onset, length, pitch, louder) for (onset, length), pitch in zip(rhythm, pitches, strict=True)]
