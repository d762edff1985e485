"""Playing a layer over the bars of a morph: figures on new chords, in its range, with as many hands as it has."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from libretto.house.core.tones import short_way
from libretto.house.morph.bank import PHRASE, Bank, SongLayer, Tone
from libretto.house.morph.tones import Sung, altered, nearest_of, over_chord, scale_over, sequenced, spells_out
from libretto.house.morph.trip import Leg, Trip
from libretto.score import QUARTER, Chord, Key, Note

__all__ = ["close_layer", "play_layer"]

_UNIT = 2  # bars of a tune that are moved together
_KICK, _CRASH = 36, 49
_SOFTER, _SOFTEST = 16, 24  # who comes or goes is so much softer, and no softer than that
_STRUCK, _LOUDEST = 8, 120  # the last stroke of drums is so much louder, and no louder than that
_USUAL_HEIGHT = 64.0  # of a tune that has no notes in some bars
_FIFTH = 7  # semitones


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
        alone = sorted(_struck(bank, layer, side, legs)) if layer.polyphony == 1 else []
        notes = [note for leg in legs for note in _chordal(bank, layer, side, leg, legs, alone)]
    made = [note._replace(duration=max(1, min(note.duration, end - note.onset))) for note in notes if note.onset < end]
    if not layer.drums:
        made = _hands(layer, [note._replace(pitch=_folded(note.pitch, layer)) for note in made])
    return [_faded(note, legs, side, trip) for note in made] if fading else made


def _fitted(tones: Sequence[Tone], old: int, new: int) -> list[Tone]:
    """The tones of a bar in a bar of another length: cut off, or begun again; what ended there ends here."""
    kept = [tone for tone in tones if tone.at < new]
    if new > old:
        kept += [tone._replace(at=tone.at + old) for tone in tones if tone.at < new - old]
    over = [max(0, tone.at % old + tone.length - old) for tone in kept]  # what rings on beyond the bar line
    return [tone._replace(length=min(tone.length, new - tone.at + more)) for tone, more in zip(kept, over, strict=True)]


def _at(chords: tuple[Chord, Chord], at: int, ticks: int) -> Chord:
    return chords[min(1, max(0, 2 * at // ticks))]


def _struck(bank: Bank, layer: SongLayer, side: int, legs: Sequence[Leg]) -> set[int]:
    """Where a layer starts notes."""
    return {
        leg.start + tone.at
        for leg in legs
        for tone in _fitted(layer.bars[leg.figures[side]], bank.meter.ticks, leg.ticks)
    }


def _chordal(
    bank: Bank, layer: SongLayer, side: int, leg: Leg, legs: Sequence[Leg], alone: Sequence[int]
) -> list[Note]:
    """A bar of bass or chords; what is held goes along with the harmony.

    ``alone`` says where notes start before which every other ends.
    """
    made = []
    figure = leg.figures[side]
    for tone in _fitted(layer.bars[figure], bank.meter.ticks, leg.ticks):
        old = _at(bank.chords[figure], tone.at % bank.meter.ticks, bank.meter.ticks)
        start, stop = leg.start + tone.at, leg.start + tone.at + min(tone.length, PHRASE * leg.ticks)
        stop = min([stop, *alone[bisect_right(alone, start) :][:1]])
        blue = tone.pitch % 12 in altered(bank.key, old)
        pitch, begun = None, start
        for edge, chord, key in _harmonies(legs, start, stop):
            scale = frozenset(key.classes) if blue else scale_over(key, chord)
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


def _harmonies(legs: Sequence[Leg], start: int, stop: int) -> list[tuple[int, Chord, Key]]:
    """The chords a stretch of time meets: from where, the chord, and the key it is in."""
    met = []
    first = next(number for number, leg in enumerate(legs) if leg.start <= start < leg.start + leg.ticks)
    for leg in legs[first:]:
        if leg.start >= stop:
            break
        for half, edge in ((0, leg.start), (1, leg.start + leg.ticks // 2)):
            until = edge + leg.ticks // 2
            if until > start and edge < stop:
                met.append((max(edge, start), leg.chords[half], leg.key))
    return met


def _line(bank: Bank, layer: SongLayer, side: int, legs: Sequence[Leg]) -> list[Note]:
    """A tune: its motifs moved along the scale as the chords ask, two bars at a time; broken chords are broken anew."""
    made: list[Note] = []
    before: int | None = None
    pitches = [tone.pitch for bar in {leg.figures[side] for leg in legs} for tone in layer.bars[bar]]
    centre = sum(pitches) / len(pitches) if pitches else _USUAL_HEIGHT
    for place in range(0, len(legs), _UNIT):
        unit = legs[place : place + _UNIT]
        tones: list[Sung] = []
        broken: list[Note] = []
        for leg in unit:
            notes = _broken(bank, layer, side, leg)
            broken += notes
            tones += [] if notes else _sung(bank, layer, side, leg)
        away = short_way(_FIFTH * (unit[0].key.signature - bank.sharps))
        moved = sequenced(tones, bank.scale, unit[0].scale, away, before, centre + away / 2) if tones else []
        broken += [
            Note(sung.at, min(sung.tone.length, _UNIT * unit[0].ticks), pitch, sung.tone.velocity)
            for sung, pitch in zip(tones, moved, strict=True)
        ]
        made += sorted(broken)
        before = made[-1].pitch if broken else before
    return made


def _broken(bank: Bank, layer: SongLayer, side: int, leg: Leg) -> list[Note]:
    """A bar of a tune that only breaks its chord, on the new chord; nothing where it does something else."""
    figure, old = layer.bars[leg.figures[side]], bank.chords[leg.figures[side]]
    ticks = bank.meter.ticks
    if not spells_out(figure, [_at(old, tone.at, ticks) for tone in figure]):
        return []
    made = []
    for tone in _fitted(figure, ticks, leg.ticks):
        chord = _at(leg.chords, tone.at, leg.ticks)
        pitch = over_chord(tone.pitch, _at(old, tone.at % ticks, ticks), chord, bank.scale, leg.scale)
        made.append(Note(leg.start + tone.at, min(tone.length, _UNIT * leg.ticks), pitch, tone.velocity))
    return made


def _sung(bank: Bank, layer: SongLayer, side: int, leg: Leg) -> list[Sung]:
    """The tones of a tune in a bar; one that stood beside its chord in its song, as blue notes do, may again."""
    made = []
    figure, ticks = leg.figures[side], bank.meter.ticks
    for tone in _fitted(layer.bars[figure], ticks, leg.ticks):
        chord, old = _at(leg.chords, tone.at, leg.ticks), _at(bank.chords[figure], tone.at % ticks, ticks)
        blue = tone.pitch % 12 in altered(bank.key, old)
        strong = tone.length >= QUARTER or tone.at % (2 * QUARTER) == 0
        made.append(Sung(leg.start + tone.at, tone, chord, strong, {} if blue else altered(leg.key, chord)))
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
            outer = struck[0], *struck[len(struck) - layer.polyphony + 1 :]
            struck = [*outer] if layer.polyphony > 1 else struck[:1] if layer.role == "bass" else struck[-1:]
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
