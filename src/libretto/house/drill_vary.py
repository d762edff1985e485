"""New notes for old bars: another line on the same rhythm, another rhythm, another voicing, a mirror.

Every proposal is a function of a bar and a stream of chance; the same stream gives bars of one shape the same new
shape, so that what was a repetition, a sequence or an echo stays one.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from libretto.house.drill_layers import classes_of, layers_of, tones_at
from libretto.house.drill_lines import Slot, ladder, sing
from libretto.house.drill_rhythms import bar_rhythm, closing_rhythm
from libretto.house.drill_sheet import Measure, spelled
from libretto.score import Note, parse_chord
from libretto.score.pitch import letter_name, pitch_class_of

__all__ = ["Ask", "Proposal", "chord_proposals", "line_proposals", "note_proposals"]


class Ask(NamedTuple):
    """What a proposal may use: chance for the rhythm and for the notes, the range, the level, whether the bar closes the
    piece or a phrase, and the pitch the tune comes from."""

    beat: Random
    rng: Random
    low: int
    high: int
    level: int
    last: bool = False
    closes: bool = False
    before: int | None = None


Proposal = Callable[[Measure, Ask], Measure]


_WIDEST = {1: 5, 2: 7, 3: 9}
_CHORD = 3
_MUD = 52  # below this thirds are not heard apart


def _names(bar: Measure) -> dict[int, int]:
    return {note.pitch % 12: note.spelling for note in bar.notes}


def _with_tune(bar: Measure, rhythm: list[tuple[int, int]], pitches: list[int]) -> Measure:
    """The bar with another tune; each note as loud as the old one nearest to it."""
    parts, names = layers_of(bar), _names(bar)
    notes = [
        Note(onset, length, pitch, _near(parts.tune, onset).velocity, spelled(pitch, bar.key, names))
        for (onset, length), pitch in zip(rhythm, pitches, strict=True)
    ]
    return bar._replace(notes=tuple(sorted((*parts.under, *notes))))


def _near(notes: tuple[Note, ...], onset: int) -> Note:
    return min(notes, key=lambda note: abs(note.onset - onset))


def _rungs(bar: Measure, low: int, high: int) -> list[int]:
    """The ladder on which a bar's tune may move: around where it lies."""
    parts = layers_of(bar)
    pitches = [note.pitch for note in parts.tune]
    floor = max((note.pitch for note in parts.under), default=low - 1) + 1
    bottom = max(low, min(floor, min(pitches)), min(pitches) - 7)
    return ladder(classes_of(bar), bottom, min(high, max(pitches) + 7))


def _sung(bar: Measure, rhythm: list[tuple[int, int]], ask: Ask) -> list[int]:
    """A new line on a rhythm, on the chords of the bar."""
    rungs = _rungs(bar, ask.low, ask.high)
    tune, rng = layers_of(bar).tune, ask.rng
    tilt, start = rng.choice((-1, 1)), rng.random()
    slots = []
    for place, (onset, length) in enumerate(rhythm):
        part = place / max(1, len(rhythm) - 1)
        height = 0.5 + 0.35 * tilt * (2 * part - 1) if start < 0.6 else 0.5 + 0.4 * tilt * (1 - abs(2 * part - 1))
        slots.append(Slot(height, place == 0 or length * 3 >= bar.length, tones_at(bar, onset)))
    ends = frozenset({tune[-1].pitch % 12}) if ask.last else frozenset()
    return sing(slots, rungs, rng, last=ends, widest=_WIDEST[ask.level], before=ask.before)


def anew(bar: Measure, ask: Ask) -> Measure:
    """Another rhythm and other notes in the time that the tune takes."""
    tune = layers_of(bar).tune
    if not tune or ask.last:
        return bar
    made = (
        closing_rhythm(bar.meter, ask.level, ask.beat, False)
        if ask.closes
        else bar_rhythm(bar.meter, ask.level, ask.beat)
    )
    rhythm = [each for each in made if each[0] < bar.length]
    first, end = tune[0].onset, max(note.onset + note.duration for note in tune)
    kept = [(onset, min(length, end - onset)) for onset, length in rhythm if first <= onset < end]
    return _with_tune(bar, kept, _sung(bar, kept, ask)) if kept else bar


def swapped(bar: Measure, ask: Ask) -> Measure:
    """The bar's own lengths in another order, with other notes."""
    tune = layers_of(bar).tune
    if len(tune) < 2 or ask.last:
        return bar
    gaps = [two.onset - one.onset for one, two in itertools.pairwise(tune)]
    order = list(range(len(gaps)))
    ask.beat.shuffle(order)
    onset, rhythm = tune[0].onset, []
    for index in order:
        share = tune[index].duration / max(1, gaps[index])
        rhythm.append((onset, max(1, round(gaps[index] * min(1.0, share)))))
        onset += gaps[index]
    rhythm.append((onset, tune[-1].duration))
    return _with_tune(bar, rhythm, _sung(bar, rhythm, ask))


def rerhythmed(bar: Measure, ask: Ask) -> Measure:
    """Another rhythm on the notes that are there, each as long as the new one has it."""
    tune = layers_of(bar).tune
    if not tune or ask.last:
        return bar
    first, end = tune[0].onset, max(note.onset + note.duration for note in tune)
    rhythm = [each for each in bar_rhythm(bar.meter, ask.level, ask.beat) if first <= each[0] < end]
    kept = [(onset, min(length, end - onset)) for onset, length in rhythm]
    return _with_tune(bar, kept, [_near(tune, onset).pitch for onset, _ in kept]) if kept else bar


def repitched(bar: Measure, ask: Ask) -> Measure:
    """Other notes on the same rhythm."""
    tune = layers_of(bar).tune
    if len(tune) < (2 if ask.last else 1):
        return bar
    rhythm = [(note.onset, note.duration) for note in tune]
    pitches = _sung(bar, rhythm, ask)
    if ask.last:
        pitches[-1] = tune[-1].pitch
    return _with_tune(bar, rhythm, pitches)


def reshaped(bar: Measure, ask: Ask) -> Measure:
    """Other moves on the same rhythm from the same first note: bars of one shape get one new shape."""
    tune = layers_of(bar).tune
    if len(tune) < 2 or ask.last:
        return bar
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    if tune[0].pitch not in rungs:
        return bar
    at, pitches = rungs.index(tune[0].pitch), [tune[0].pitch]
    tilt = ask.rng.choice((-1, 1))
    for _ in tune[1:]:
        at = at + tilt * ask.rng.choice((1, 1, 1, 2, -1, -1, 2, -2))
        at = max(0, min(len(rungs) - 1, at))
        pitches.append(rungs[at])
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], pitches)


def mirrored(bar: Measure, ask: Ask) -> Measure:
    """What rose falls and what fell rises, as far as the scale has it."""
    tune = layers_of(bar).tune
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    if len(tune) < 2 or ask.last or any(note.pitch not in rungs for note in tune):
        return bar
    rows = [rungs.index(note.pitch) for note in tune]
    middle = (max(rows) + min(rows)) / 2 + ask.rng.choice((-0.5, 0, 0.5, 1))
    turned = [round(2 * middle - row) for row in rows]
    if min(turned) < 0 or max(turned) >= len(rungs):
        return bar
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], [rungs[row] for row in turned])


def moved(bar: Measure, ask: Ask) -> Measure:
    """The tune some steps higher or lower in the scale."""
    tune = layers_of(bar).tune
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    if not tune or ask.last or any(note.pitch not in rungs for note in tune):
        return bar
    by = ask.rng.choice((-3, -2, -1, 1, 2, 3))
    rows = [rungs.index(note.pitch) + by for note in tune]
    if min(rows) < 0 or max(rows) >= len(rungs):
        return bar
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], [rungs[row] for row in rows])


def _strikes(bar: Measure) -> dict[int, list[Note]]:
    found: dict[int, list[Note]] = defaultdict(list)
    for note in layers_of(bar).under:
        found[note.onset].append(note)
    return {onset: sorted(group, key=lambda note: note.pitch) for onset, group in sorted(found.items())}


def revoiced(bar: Measure, ask: Ask) -> Measure:
    """The same chords over the same bass with the other notes elsewhere: turned over, closer or wider, nothing muddy."""
    tune = layers_of(bar).tune
    roof = min(ask.high, min((note.pitch for note in tune), default=ask.high + 1) - 1)
    turn, lift, thin = ask.rng.randrange(4), ask.rng.choice((0, 0, 12, -12, 5)), ask.rng.random() < 0.5
    notes = list(tune)
    for group in _strikes(bar).values():
        notes += _stacked(group, turn, lift, thin, roof) if len(group) >= 3 else group
    return bar._replace(notes=tuple(sorted(notes)))


def _stacked(group: list[Note], turn: int, lift: int, thin: bool, roof: int) -> list[Note]:
    """One chord anew: its upper notes in another order, from near where they were, each above the one before."""
    bass, upper = group[0], group[1:]
    if thin:
        upper = list({note.pitch % 12: note for note in upper}.values())
    turn %= len(upper)
    order = upper[turn:] + upper[:turn]
    floor = max(bass.pitch + 3, _MUD if bass.pitch < _MUD - 7 else bass.pitch + 3, upper[0].pitch - 5 + lift)
    placed: list[Note] = []
    for note in order:
        pitch = note.pitch % 12 + 12 * ((floor - note.pitch % 12 + 11) // 12)
        placed.append(note._replace(pitch=pitch))
        floor = pitch + 1
    while placed[-1].pitch > roof and placed[0].pitch - 12 > bass.pitch + 2:
        placed = [note._replace(pitch=note.pitch - 12) for note in placed]
    return group if placed[-1].pitch > roof else [bass, *placed]


def restruck(bar: Measure, ask: Ask) -> Measure:
    """The same chords in another rhythm: one long chord struck again, or again and again, each at its own place."""
    strikes = _strikes(bar)
    if not strikes or ask.last or layers_of(bar).tune:
        return bar
    rhythm = bar_rhythm(bar.meter, 1, ask.beat)[: len(strikes) + 2]
    rhythm[-1] = (rhythm[-1][0], bar.length - rhythm[-1][0])
    starts = sorted(strikes)
    notes: list[Note] = []
    for onset, length in rhythm:
        if onset >= bar.length:
            continue
        source = max((start for start in starts if start <= onset), default=starts[0])
        notes += [note._replace(onset=onset, duration=min(length, bar.length - onset)) for note in strikes[source]]
    return bar._replace(notes=tuple(sorted(notes)))


def broken(bar: Measure, ask: Ask) -> Measure:
    """The first chord of the bar struck, then its notes one by one."""
    strikes = _strikes(bar)
    if len(strikes) < 1 or ask.last or layers_of(bar).tune:
        return bar
    first = next(iter(strikes.values()))
    if len(first) < 3 or first[0].onset:
        return bar
    rhythm = bar_rhythm(bar.meter, min(ask.level, 2), ask.beat)
    order = list(first[1:])
    ask.rng.shuffle(order)
    notes = [note._replace(duration=rhythm[0][1]) for note in first]
    for number, (onset, length) in enumerate(rhythm[1:]):
        source = max(start for start in strikes if start <= onset)
        group = strikes[source]
        if source != first[0].onset and onset == source:
            notes += [note._replace(duration=length) for note in group]
        else:
            member = group[1 + (number + len(order)) % (len(group) - 1)] if len(group) > 1 else group[0]
            notes.append(member._replace(onset=onset, duration=length, velocity=max(40, member.velocity - 6)))
    return bar._replace(notes=tuple(sorted(set(notes))))


def sequenced(bar: Measure, ask: Ask) -> Measure:
    """Other moves in exact semitones on the same rhythm from the same first note, for ideas that are moved as they are."""
    tune = layers_of(bar).tune
    if len(tune) < 2 or ask.last:
        return bar
    at, pitches = 0, [tune[0].pitch]
    tilt = ask.rng.choice((-1, 1))
    for _ in tune[1:]:
        at += tilt * ask.rng.choice((1, 1, 2, 2, -1, -2))
        pitches.append(tune[0].pitch + 12 * (at // 7) + (0, 2, 4, 5, 7, 9, 11)[at % 7])
    if min(pitches) < ask.low or max(pitches) > ask.high:
        return bar
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], pitches)


def rerooted(bar: Measure, ask: Ask) -> Measure:
    """The whole bar from another root of the key where the very same chord stands: another harmony, the same kind."""
    if ask.last or ask.closes or ask.before is None or len(layers_of(bar).under) < _CHORD:
        return bar
    classes = classes_of(bar)
    pitches = [note.pitch for note in bar.notes]
    named = {each for label in bar.labels if (chord := parse_chord(label)) for each in chord.classes}
    ways = [
        by
        for by in (-9, -7, -5, -4, -3, -2, 2, 3, 4, 5, 7, 9)
        if all((pitch + by) % 12 in classes for pitch in (*pitches, *named))
        and ask.low <= min(pitches) + by
        and max(pitches) + by <= ask.high
    ]
    if not ways:
        return bar
    by, names = ask.rng.choice(ways), _names(bar)
    notes = [n._replace(pitch=n.pitch + by, spelling=spelled(n.pitch + by, bar.key, names)) for n in bar.notes]
    return bar._replace(notes=tuple(notes), labels=tuple(_label_moved(label, by, bar, names) for label in bar.labels))


def _label_moved(label: str, by: int, bar: Measure, names: dict[int, int]) -> str:
    """A chord's name so many semitones away, spelled as the key has it."""
    chord = parse_chord(label)
    if chord is None:
        return label
    root = pitch_class_of(chord.root)
    bass = (
        f"/{letter_name(spelled((pitch_class_of(chord.bass) + by) % 12, bar.key, names))}"
        if chord.bass != chord.root
        else ""
    )
    return f"{letter_name(spelled((root + by) % 12, bar.key, names))}{chord.quality}{bass}"


def slid(bar: Measure, ask: Ask) -> Measure:
    """Every chord without a name some steps of the scale higher or lower, as it lies."""
    strikes = _strikes(bar)
    rungs = ladder(classes_of(bar), ask.low, ask.high)
    by, names = ask.rng.choice((-4, -3, -2, 2, 3, 4)), _names(bar)
    notes = list(layers_of(bar).tune)
    for group in strikes.values():
        for note in group:
            row = rungs.index(note.pitch) + by if note.pitch in rungs else -1
            if not 0 <= row < len(rungs) or ask.last or any(parse_chord(label) for label in bar.labels):
                return bar
            notes.append(note._replace(pitch=rungs[row], spelling=spelled(rungs[row], bar.key, names)))
    return bar._replace(notes=tuple(sorted(set(notes)))) if strikes else bar


def line_proposals() -> dict[str, Proposal]:
    """What may be done to a tune, the boldest first."""
    return {
        "anew": anew, "swapped": swapped, "repitched": repitched, "reshaped": reshaped, "rerhythmed": rerhythmed, "sequenced": sequenced, "mirrored": mirrored,
        "moved": moved,
    }  # fmt: skip


def chord_proposals() -> dict[str, Proposal]:
    """What may be done to chords, the boldest first."""
    return {"rerooted": rerooted, "restruck": restruck, "revoiced": revoiced, "broken": broken, "slid": slid}


def note_proposals(bar: Measure, rng: Random, low: int, high: int) -> list[Measure]:
    """The bar with one note of its tune a step or a third higher or lower, once for every note."""
    found = []
    rungs = ladder(classes_of(bar), low, high)
    tune = layers_of(bar).tune
    for number, note in enumerate(bar.notes):
        if note.pitch in rungs and note in tune:
            row = rungs.index(note.pitch) + rng.choice((-2, -1, 1, 2))
            if 0 <= row < len(rungs):
                to = rungs[row]
                new = note._replace(pitch=to, spelling=spelled(to, bar.key, _names(bar)))
                if all(other.pitch != to or other.onset != note.onset for other in bar.notes):
                    notes = (*bar.notes[:number], new, *bar.notes[number + 1 :])
                    found.append(bar._replace(notes=tuple(sorted(notes))))
    return found
