"""New notes for old bars: another line on the same rhythm, another rhythm, another voicing, a mirror.

Every proposal is a function of a bar and a stream of chance; the same stream gives bars of one shape the same new
shape, so that what was a repetition, a sequence or an echo stays one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from random import Random

from libretto.house.drill_layers import classes_of, layers_of, tones_at
from libretto.house.drill_lines import Slot, ladder, sing
from libretto.house.drill_rhythms import bar_rhythm
from libretto.house.drill_sheet import Measure, spelled
from libretto.score import Note

__all__ = ["Proposal", "chord_proposals", "line_proposals", "note_proposals"]

Proposal = Callable[[Measure, Random, int, int, int, bool], Measure]


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


def _sung(bar: Measure, rhythm: list[tuple[int, int]], rng: Random, low: int, high: int, last: bool) -> list[int]:
    """A new line on a rhythm, on the chords of the bar."""
    rungs = _rungs(bar, low, high)
    tune = layers_of(bar).tune
    tilt, start = rng.choice((-1, 1)), rng.random()
    slots = []
    for place, (onset, length) in enumerate(rhythm):
        part = place / max(1, len(rhythm) - 1)
        height = 0.5 + 0.35 * tilt * (2 * part - 1) if start < 0.6 else 0.5 + 0.4 * tilt * (1 - abs(2 * part - 1))
        slots.append(Slot(height, place == 0 or length * 3 >= bar.length, tones_at(bar, onset)))
    ends = frozenset({tune[-1].pitch % 12}) if last else frozenset()
    return sing(slots, rungs, rng, last=ends, widest=9)


def anew(bar: Measure, rng: Random, low: int, high: int, level: int, last: bool) -> Measure:
    """Another rhythm and other notes in the time that the tune takes."""
    tune = layers_of(bar).tune
    if not tune or last:
        return bar
    rhythm = [each for each in bar_rhythm(bar.meter, level, rng) if each[0] < bar.length]
    first, end = tune[0].onset, max(note.onset + note.duration for note in tune)
    kept = [(onset, min(length, end - onset)) for onset, length in rhythm if first <= onset < end]
    return _with_tune(bar, kept, _sung(bar, kept, rng, low, high, last)) if kept else bar


def swapped(bar: Measure, rng: Random, low: int, high: int, level: int, last: bool) -> Measure:
    """The bar's own lengths in another order, with other notes."""
    tune = layers_of(bar).tune
    if len(tune) < 2 or last:
        return bar
    gaps = [two.onset - one.onset for one, two in zip(tune, tune[1:], strict=False)]
    order = list(range(len(gaps)))
    rng.shuffle(order)
    onset, rhythm = tune[0].onset, []
    for index in order:
        share = tune[index].duration / max(1, gaps[index])
        rhythm.append((onset, max(1, round(gaps[index] * min(1.0, share)))))
        onset += gaps[index]
    rhythm.append((onset, tune[-1].duration))
    return _with_tune(bar, rhythm, _sung(bar, rhythm, rng, low, high, last))


def repitched(bar: Measure, rng: Random, low: int, high: int, level: int, last: bool) -> Measure:
    """Other notes on the same rhythm."""
    tune = layers_of(bar).tune
    if len(tune) < (2 if last else 1):
        return bar
    rhythm = [(note.onset, note.duration) for note in tune]
    pitches = _sung(bar, rhythm, rng, low, high, last)
    if last:
        pitches[-1] = tune[-1].pitch
    return _with_tune(bar, rhythm, pitches)


def reshaped(bar: Measure, rng: Random, low: int, high: int, level: int, last: bool) -> Measure:
    """Other moves on the same rhythm from the same first note: bars of one shape get one new shape."""
    tune = layers_of(bar).tune
    if len(tune) < 2 or last:
        return bar
    rungs = ladder(classes_of(bar), low, high)
    if tune[0].pitch not in rungs:
        return bar
    at, pitches = rungs.index(tune[0].pitch), [tune[0].pitch]
    tilt = rng.choice((-1, 1))
    for _ in tune[1:]:
        at = at + tilt * rng.choice((1, 1, 1, 2, -1, -1, 2, -2))
        at = max(0, min(len(rungs) - 1, at))
        pitches.append(rungs[at])
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], pitches)


def mirrored(bar: Measure, rng: Random, low: int, high: int, level: int, last: bool) -> Measure:
    """What rose falls and what fell rises, as far as the scale has it."""
    tune = layers_of(bar).tune
    rungs = ladder(classes_of(bar), low, high)
    if len(tune) < 2 or last or any(note.pitch not in rungs for note in tune):
        return bar
    rows = [rungs.index(note.pitch) for note in tune]
    middle = (max(rows) + min(rows)) / 2 + rng.choice((-0.5, 0, 0.5, 1))
    turned = [round(2 * middle - row) for row in rows]
    if min(turned) < 0 or max(turned) >= len(rungs):
        return bar
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], [rungs[row] for row in turned])


def moved(bar: Measure, rng: Random, low: int, high: int, level: int, last: bool) -> Measure:
    """The tune some steps higher or lower in the scale."""
    tune = layers_of(bar).tune
    rungs = ladder(classes_of(bar), low, high)
    if not tune or last or any(note.pitch not in rungs for note in tune):
        return bar
    by = rng.choice((-3, -2, -1, 1, 2, 3))
    rows = [rungs.index(note.pitch) + by for note in tune]
    if min(rows) < 0 or max(rows) >= len(rungs):
        return bar
    return _with_tune(bar, [(note.onset, note.duration) for note in tune], [rungs[row] for row in rows])


def _strikes(bar: Measure) -> dict[int, list[Note]]:
    found: dict[int, list[Note]] = defaultdict(list)
    for note in layers_of(bar).under:
        found[note.onset].append(note)
    return {onset: sorted(group, key=lambda note: note.pitch) for onset, group in sorted(found.items())}


def revoiced(bar: Measure, rng: Random, low: int, high: int, level: int, last: bool) -> Measure:
    """The same chords with the same bass and the other notes elsewhere: turned over, closer, an octave doubled or not."""
    strikes = _strikes(bar)
    tune = layers_of(bar).tune
    roof = min((note.pitch for note in tune), default=high + 1) - 1
    turn, drop = rng.choice((1, 2, -1, -2)), rng.random() < 0.3
    notes = list(tune)
    for group in strikes.values():
        if len(group) < 3:
            notes += group
            continue
        bass, upper = group[0], list(group[1:])
        for _ in range(abs(turn)):
            mover = upper[0] if turn > 0 else upper[-1]
            to = mover.pitch + (12 if turn > 0 else -12)
            if not (bass.pitch + 2 < to <= min(high, max(roof, upper[-1].pitch))) or any(o.pitch == to for o in upper):
                break
            upper = sorted((*(o for o in upper if o is not mover), mover._replace(pitch=to)), key=lambda o: o.pitch)
        if drop and len({o.pitch % 12 for o in upper}) < len(upper):
            seen: set[int] = set()
            upper = [o for o in upper if not (o.pitch % 12 in seen or seen.add(o.pitch % 12))]  # type: ignore[func-returns-value]
        notes += [bass, *upper]
    return bar._replace(notes=tuple(sorted(notes)))


def restruck(bar: Measure, rng: Random, low: int, high: int, level: int, last: bool) -> Measure:
    """The same chords in another rhythm: one long chord struck again, or again and again, each at its own place."""
    strikes = _strikes(bar)
    if not strikes or last:
        return bar
    rhythm = bar_rhythm(bar.meter, 1, rng)
    starts = sorted(strikes)
    notes = list(layers_of(bar).tune)
    for onset, length in rhythm:
        if onset >= bar.length:
            continue
        source = max((start for start in starts if start <= onset), default=starts[0])
        notes += [note._replace(onset=onset, duration=min(length, bar.length - onset)) for note in strikes[source]]
    return bar._replace(notes=tuple(sorted(notes)))


def broken(bar: Measure, rng: Random, low: int, high: int, level: int, last: bool) -> Measure:
    """The first chord of the bar struck, then its notes one by one."""
    strikes = _strikes(bar)
    if len(strikes) < 1 or last or layers_of(bar).tune:
        return bar
    first = next(iter(strikes.values()))
    if len(first) < 3 or first[0].onset:
        return bar
    rhythm = bar_rhythm(bar.meter, min(level, 2), rng)
    order = list(first[1:])
    rng.shuffle(order)
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


def line_proposals() -> dict[str, Proposal]:
    """What may be done to a tune, the boldest first."""
    return {
        "anew": anew, "swapped": swapped, "repitched": repitched, "reshaped": reshaped, "mirrored": mirrored,
        "moved": moved,
    }  # fmt: skip


def chord_proposals() -> dict[str, Proposal]:
    """What may be done to chords, the boldest first."""
    return {"broken": broken, "restruck": restruck, "revoiced": revoiced}


def note_proposals(bar: Measure, rng: Random, low: int, high: int) -> list[Measure]:
    """The bar with one note of its tune a step or a third higher or lower, once for every note."""
    found = []
    rungs = ladder(classes_of(bar), low, high)
    for number, note in enumerate(bar.notes):
        if note.pitch in rungs:
            row = rungs.index(note.pitch) + rng.choice((-2, -1, 1, 2))
            if 0 <= row < len(rungs):
                to = rungs[row]
                new = note._replace(pitch=to, spelling=spelled(to, bar.key, _names(bar)))
                if all(other.pitch != to or other.onset != note.onset for other in bar.notes):
                    notes = (*bar.notes[:number], new, *bar.notes[number + 1 :])
                    found.append(bar._replace(notes=tuple(sorted(notes))))
    return found
