"""Playing a layer over the bars of a morph: figures on new chords, in its range, with as many hands as it has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from libretto.house.core.tones import short_way
from libretto.house.morph.bank import PHRASE, Bank, SongLayer, Tone
from libretto.house.morph.trip import Leg, Trip
from libretto.score import QUARTER, Chord, Note

__all__ = ["close_layer", "nearest_of", "over_chord", "play_layer", "sequenced"]

_UNIT = 2  # bars of a tune that are moved together
_KICK, _CRASH = 36, 49
_SOFTER, _SOFTEST = 16, 24  # who comes or goes is so much softer, and no softer than that
_STRUCK, _LOUDEST = 8, 120  # the last stroke of drums is so much louder, and no louder than that
_USUAL_HEIGHT = 64.0  # of a tune that has no notes in some bars
_SINGABLE = (12, 116)  # pitches on which a motif is moved
_FIFTH, _HALF_OCTAVE = 7, 6  # semitones
_FARTHEST_STEP = 4  # steps of the scale that a motif may be moved up or down
_PER_STEP, _UNMOVED = 0.12, 0.5  # what a step costs, and staying where it was
_FOREIGN = 2.0  # what it costs not to be on a tone of the chord all the time
_PER_LEAP, _STEPWISE = 0.1, 3  # what a semitone costs from one motif to the next, and how many are free
_OFF_CENTRE = 0.05  # what a semitone costs away from the middle of the tune
_SAME = 1e-9  # costs that differ by less are the same


def play_layer(trip: Trip, layer: SongLayer, side: int, legs: Sequence[Leg], fading: bool = True) -> list[Note]:
    """The notes of a layer in those bars; it comes in and goes out by degrees."""
    if not legs:
        return []
    bank = trip.banks[side]
    end = legs[-1].start + legs[-1].ticks
    if layer.drums:
        notes = [
            Note(leg.start + tone.at, min(tone.length, leg.ticks), tone.pitch, tone.velocity)
            for leg in legs
            for tone in _fitted(layer.bars[leg.figures[side]], bank.meter.ticks, leg.ticks)
        ]
    elif layer.role == "line":
        notes = _line(bank, layer, side, legs)
    else:
        notes = [note for leg in legs for note in _chordal(bank, layer, side, leg, legs)]
    made = [note._replace(duration=max(1, min(note.duration, end - note.onset))) for note in notes if note.onset < end]
    if not layer.drums:
        made = _hands(layer, [note._replace(pitch=_folded(note.pitch, layer)) for note in made])
    return [_faded(note, legs, side, trip) for note in made] if fading else made


def _fitted(tones: Sequence[Tone], old: int, new: int) -> list[Tone]:
    """The tones of a bar in a bar of another length: cut off, or begun again."""
    kept = [tone for tone in tones if tone.at < new]
    if new > old:
        kept += [tone._replace(at=tone.at + old) for tone in tones if tone.at < new - old]
    return kept


def _at(chords: tuple[Chord, Chord], at: int, ticks: int) -> Chord:
    return chords[min(1, max(0, 2 * at // ticks))]


def _chordal(bank: Bank, layer: SongLayer, side: int, leg: Leg, legs: Sequence[Leg]) -> list[Note]:
    """A bar of bass or chords; what is held goes along with the harmony."""
    made = []
    figure = leg.figures[side]
    for tone in _fitted(layer.bars[figure], bank.meter.ticks, leg.ticks):
        old = _at(bank.chords[figure], tone.at % bank.meter.ticks, bank.meter.ticks)
        start, stop = leg.start + tone.at, leg.start + tone.at + min(tone.length, PHRASE * leg.ticks)
        pitch, begun = None, start
        for edge, chord, scale in _harmonies(legs, start, stop):
            wanted = over_chord(tone.pitch, old, chord, bank.scale, scale)
            if layer.role == "bass" and edge == start and tone.at == 0 and tone.pitch % 12 in old.classes:
                wanted = nearest_of(wanted, {chord.root_class}) if _is_root(tone, old) else wanted
            if pitch is None:
                pitch = wanted
            elif wanted != pitch:
                made.append(Note(begun, edge - begun, pitch, tone.velocity))
                pitch, begun = wanted, edge
        if pitch is not None and stop > begun:
            made.append(Note(begun, stop - begun, pitch, tone.velocity))
    return made


def _is_root(tone: Tone, chord: Chord) -> bool:
    return tone.pitch % 12 == chord.root_class


def _harmonies(legs: Sequence[Leg], start: int, stop: int) -> list[tuple[int, Chord, frozenset[int]]]:
    """The chords a stretch of time meets: from where, the chord, and the scale it is in."""
    met = []
    first = next(number for number, leg in enumerate(legs) if leg.start <= start < leg.start + leg.ticks)
    for leg in legs[first:]:
        if leg.start >= stop:
            break
        for half, edge in ((0, leg.start), (1, leg.start + leg.ticks // 2)):
            until = edge + leg.ticks // 2
            if until > start and edge < stop:
                met.append((max(edge, start), leg.chords[half], leg.scale))
    return met


def _line(bank: Bank, layer: SongLayer, side: int, legs: Sequence[Leg]) -> list[Note]:
    """A tune: its motifs moved along the scale as the chords ask, two bars at a time."""
    made: list[Note] = []
    before: int | None = None
    pitches = [tone.pitch for bar in {leg.figures[side] for leg in legs} for tone in layer.bars[bar]]
    centre = sum(pitches) / len(pitches) if pitches else _USUAL_HEIGHT
    for place in range(0, len(legs), _UNIT):
        unit = legs[place : place + _UNIT]
        tones: list[tuple[int, Tone]] = []
        chords: list[Chord] = []
        for leg in unit:
            for tone in _fitted(layer.bars[leg.figures[side]], bank.meter.ticks, leg.ticks):
                tones.append((leg.start + tone.at, tone))
                chords.append(_at(leg.chords, tone.at, leg.ticks))
        if not tones:
            continue
        away = short_way(_FIFTH * (unit[0].key.signature - bank.sharps))
        moved, _ = sequenced(tones, chords, bank.scale, unit[0].scale, away, before, centre + away / 2)
        before = moved[-1]
        made += [
            Note(at, min(tone.length, _UNIT * unit[0].ticks), pitch, tone.velocity)
            for (at, tone), pitch in zip(tones, moved, strict=True)
        ]
    return made


def _folded(pitch: int, layer: SongLayer) -> int:
    while pitch < layer.low:
        pitch += 12
    while pitch > layer.high:
        pitch -= 12
    return pitch


def _hands(layer: SongLayer, notes: Sequence[Note]) -> list[Note]:
    """No more notes at once than the instrument has: what sounds longest gives way, of a chord the outer notes stay."""
    by_time: dict[int, dict[int, Note]] = {}
    for note in notes:
        by_time.setdefault(note.onset, {})[note.pitch] = note
    kept: list[Note] = []
    sounding: list[int] = []
    for onset in sorted(by_time):
        struck = [by_time[onset][pitch] for pitch in sorted(by_time[onset])]
        if len(struck) > layer.polyphony:
            struck = [struck[0], *struck[len(struck) - layer.polyphony + 1 :]] if layer.polyphony > 1 else struck[-1:]
        sounding = [place for place in sounding if kept[place].onset + kept[place].duration > onset]
        for old in sounding[: max(0, len(sounding) + len(struck) - layer.polyphony)]:
            kept[old] = kept[old]._replace(duration=max(1, onset - kept[old].onset))
        sounding = sounding[max(0, len(sounding) + len(struck) - layer.polyphony) :]
        for note in struck:
            sounding.append(len(kept))
            kept.append(note)
    return kept


def _faded(note: Note, legs: Sequence[Leg], side: int, trip: Trip) -> Note:
    """Softer in the first phrase of who comes in on the way, and in the last of who goes."""
    first, last = legs[0], legs[-1]
    if side == 1 and first.bar > 0:
        away = (note.onset - first.start) / (PHRASE * first.ticks)
    elif side == 0 and last.bar < len(trip.legs) - 1:
        away = (last.start + last.ticks - note.onset) / (PHRASE * last.ticks)
    else:
        return note
    softer = round(_SOFTER * max(0.0, 1 - away))
    return note._replace(velocity=max(min(note.velocity, _SOFTEST), note.velocity - softer))


def close_layer(trip: Trip, layer: SongLayer, notes: Sequence[Note]) -> list[Note]:
    """The last bar of a layer: on for half a bar, then one chord together; nothing for who did not play just before.

    Bars that have no middle beat are the chord alone.
    """
    leg = trip.legs[-1]
    recent = [note for note in notes if note.onset >= leg.start - PHRASE * leg.ticks]
    if not recent:
        return []
    half = leg.ticks // 2 if leg.ticks % (2 * QUARTER) == 0 else 0
    start, end = leg.start + half, leg.start + leg.ticks
    on = [
        note._replace(duration=min(note.duration, start - note.onset))
        for note in play_layer(trip, layer, 1, [leg], fading=False)
        if note.onset < start
    ]
    loud = sorted(note.velocity for note in recent)[len(recent) // 2]
    if layer.drums:
        key = _KICK if layer.role == "kick and snare" else _CRASH
        return [*on, Note(start, (end - start) // 2, key, min(_LOUDEST, loud + _STRUCK))]
    chord = leg.chords[0]
    final = (on or recent)[-1].pitch
    if layer.role in ("bass", "line"):
        pitch = _folded(nearest_of(final, {chord.root_class}), layer)
        return [*on, Note(start, end - start, pitch, loud)]
    struck: dict[int, set[int]] = {}
    for note in recent:
        struck.setdefault(note.onset, set()).add(note.pitch)
    together = struck[max(struck, key=lambda onset: (len(struck[onset]), onset))]
    low = _folded(nearest_of(min(together), {chord.root_class}), layer)
    pitches = sorted({low, *(_folded(nearest_of(pitch, chord.classes), layer) for pitch in together)})
    return [*on, *(Note(start, end - start, pitch, loud) for pitch in pitches[: layer.polyphony])]


def nearest_of(pitch: int, classes: Iterable[int]) -> int:
    """The pitch of one of those classes nearest a pitch; of two equally near the lower."""
    wanted = set(classes)
    for away in range(_HALF_OCTAVE + 1):
        for near in (pitch - away, pitch + away):
            if near % 12 in wanted:
                return near
    return pitch


def over_chord(pitch: int, old: Chord, new: Chord, home: frozenset[int], scale: frozenset[int]) -> int:
    """A tone of a bass or of chords over another chord: chord tones stay chord tones, others stay in the scale."""
    step = short_way(new.root_class - old.root_class)
    moved = pitch + step
    if pitch % 12 in old.classes:
        return nearest_of(moved, new.classes)
    if pitch % 12 in home:
        return nearest_of(moved, scale | new.classes)
    return moved


def sequenced(
    tones: Sequence[tuple[int, Tone]],
    chords: Sequence[Chord],
    home: frozenset[int],
    scale: frozenset[int],
    transposition: int,
    before: int | None,
    centre: float,
) -> tuple[list[int], int]:
    """A unit of a tune as a sequence: the scale step that suits its new chords best, and the pitches it gives.

    ``tones`` come with their place in the unit in ticks, ``chords`` are the new ones under each of them. It is not left
    where it was if another step suits nearly as well.
    """
    ladder = [pitch for pitch in range(*_SINGABLE) if pitch % 12 in scale]

    def at_step(step: int) -> tuple[float, list[int]]:
        pitches = [_stepped(tone.pitch, home, scale, ladder, transposition, step) for _, tone in tones]
        cost = _PER_STEP * abs(step) + (_UNMOVED if step == 0 else 0.0) + _clash(tones, pitches, chords)
        if before is not None and pitches:
            cost += _PER_LEAP * max(0, abs(pitches[0] - before) - _STEPWISE)
        if pitches:
            cost += _OFF_CENTRE * abs(sum(pitches) / len(pitches) - centre)
        return cost, pitches

    chosen = -_FARTHEST_STEP
    least, pitches = at_step(chosen)
    for step in range(chosen + 1, _FARTHEST_STEP + 1):
        cost, other = at_step(step)
        if cost < least - _SAME:
            least, chosen, pitches = cost, step, other
    made = []
    for (place, tone), pitch, chord in zip(tones, pitches, chords, strict=True):
        strong = tone.length >= QUARTER or place % (2 * QUARTER) == 0
        made.append(nearest_of(pitch, chord.classes) if strong else pitch)
    return made, chosen


def _clash(tones: Sequence[tuple[int, Tone]], pitches: Sequence[int], chords: Sequence[Chord]) -> float:
    """What it costs that part of a tune's time is not on tones of its chords."""
    foreign = sum(
        tone.length
        for (_, tone), pitch, chord in zip(tones, pitches, chords, strict=True)
        if pitch % 12 not in chord.classes
    )
    return _FOREIGN * foreign / (sum(tone.length for _, tone in tones) or 1)


def _stepped(
    pitch: int, home: frozenset[int], scale: frozenset[int], ladder: Sequence[int], transposition: int, step: int
) -> int:
    """A pitch so many steps of the new scale away; what was chromatic stays as far beside its scale tone."""
    inside = nearest_of(pitch, home)
    beside = pitch - inside
    start = nearest_of(inside + transposition, scale)
    place = min(range(len(ladder)), key=lambda rung: abs(ladder[rung] - start))
    return ladder[max(0, min(len(ladder) - 1, place + step))] + beside
