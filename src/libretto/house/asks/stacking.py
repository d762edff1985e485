"""Notes put on top of each other: chords that become power chords, a tune that is played in two parts."""

from __future__ import annotations

import re
from functools import partial

from libretto.contract.asks import Ask
from libretto.contract.checks.stacks import POWER, SECTION, chairs_of
from libretto.contract.checks.where import voices_of, within
from libretto.contract.instruments import instrument_of_program
from libretto.house.asks.doing import Job
from libretto.house.asks.notes import Row, put, range_of, rows_of, scale_at
from libretto.house.asks.textures import Spans, textures, voicing
from libretto.score import QUARTER, Score, Voice

__all__: list[str] = []

_PARTS, _CHORD = 2, 3  # notes at once of a tune in two parts, and of what is a chord at least
_FIFTH, _OCTAVE = 7, 12
_FROM = 28  # E1: where the lowest roots of power chords lie, if the instrument goes as deep
_ROOTS = 12  # semitones above the deepest string up to which roots lie, before they go below again
_THIRDS = (3, 4, 5)  # semitones below a tune in which its second part lies, if the chord has it there
_STEPS = (3, 4)  # and those of a tone that passes
_SOFTER = 4  # velocities
_SUNG, _CHOIR = (52, 53, 54), 4  # programs of voices, and notes at once of many who sing
_FOUR = re.compile(r"\b(?:four|4)[- ](?:part|voice)", re.I)
_EIGHTH, _NEAREST = QUARTER // 2, 3  # ticks of what many sing in three parts, and semitones between the lower two
_CLEAR = 48  # C3: below it thirds are mud
_UNDER, _ROOM, _DEEPEST, _HIGH = 14, 15, 52, 72  # velocities; semitones; pitches between which held chords lie


@textures.register("power chords")
def _power_chords(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """What somebody strikes in chords is root, fifth and octave, as low as the instrument has them; single notes stay
    as they are."""
    made = score
    for index in voices_of(ask.who, score, tuple(spans)):
        voice = score.voices[index]
        if voice.drums or instrument_of_program(voice.program or 0).polyphony < _CHORD:
            continue
        rows = rows_of(within(voice.array, tuple(spans), score))
        struck: dict[int, list[Row]] = {}
        for row in rows:
            struck.setdefault(row.onset, []).append(row)
        low = max(_FROM, instrument_of_program(voice.program or 0).low)
        new = [row for tick in sorted(struck) for row in _powered(score, struck[tick], low)]
        made = put(made, voice.name, spans, new) if new != rows else made
    return made


def _powered(score: Score, rows: list[Row], low: int) -> list[Row]:
    """A chord as root, fifth and octave; what is no chord as it is."""
    lowest = min(row.pitch for row in rows)
    is_power = {(row.pitch - lowest) % _OCTAVE for row in rows} <= POWER and lowest < low + 2 * _ROOTS
    if len(rows) < _PARTS or is_power:
        return rows
    chord = score.chord_at(rows[0].onset)
    root = low + ((chord.root_class if chord is not None else lowest) - low) % _ROOTS
    longest = max(rows, key=lambda row: row.duration)
    fifths = chord is None or (chord.root_class + _FIFTH) % _OCTAVE in chord.classes or len(chord.classes) < _CHORD
    tones = (root, root + _FIFTH, root + _OCTAVE) if fifths else (root, root + _OCTAVE)
    return [longest._replace(pitch=tone) for tone in tones]


@textures.register("own chords")
def _own_chords(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """Chords held under the line of somebody with hands for both, softly, close below its lowest note of a bar."""
    index = next((one for one in voices_of(ask.who, score, tuple(spans)) if not score.voices[one].drums), None)
    if index is None or instrument_of_program(score.voices[index].program or 0).polyphony <= _CHORD:
        return score
    voice = score.voices[index]
    rows = rows_of(within(voice.array, tuple(spans), score))
    made = list(rows)
    for bar in sorted({score.bar_at(row.onset) for row in rows}):
        made += _held_below(score, voice, bar, [row for row in rows if score.bar_at(row.onset) == bar])
    return put(score, voice.name, spans, sorted(set(made)))


def _held_below(score: Score, voice: Voice, bar: int, line: list[Row]) -> list[Row]:
    """The chords of a bar held below the lowest note that a line has there, softer than that."""
    lowest, soft = min(row.pitch for row in line), sum(row.velocity for row in line) // len(line) - _UNDER
    base = max(range_of(voice)[0], _DEEPEST, min(lowest, _HIGH) - _ROOM)
    return [
        Row(start, end - start, tone, max(1, soft))
        for start, end, _ in score.chord_spans(bar)
        for tone in voicing(score, start, base, _CHORD)
        if tone < lowest - 1
    ]


@textures.register("harmonized")
def _harmonized(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """A tune with a second part a third below, a fourth where the chord has no third there, and a third part below that
    where many sing, or a fourth as well; nobody who has one note at a time plays so, of a section its first chair."""
    made = score
    mine = voices_of(ask.who, score, tuple(spans))
    for index in mine[:1] if chairs_of(score, mine) else mine:
        voice = score.voices[index]
        if not voice.drums and instrument_of_program(voice.program or 0).polyphony >= _PARTS:
            rows = rows_of(within(voice.array, tuple(spans), score))
            new = _parts_below(ask, score, voice, rows)
            made = put(made, voice.name, spans, sorted([*rows, *new])) if new else made
    return made


@textures.register(SECTION)
def _in_ranks(ask: Ask, score: Score, job: Job, spans: Spans) -> Score:
    """The line of a section with as many parts below it as are told: one moves with it in thirds, further ones have the
    next tones of the chord, where its instrument has them."""
    made = score
    for index in voices_of(ask.who, score, tuple(spans))[:1]:
        voice = score.voices[index]
        if voice.drums:
            continue
        rows = rows_of(within(voice.array, tuple(spans), score))
        alone = [row for row in rows if sum(other.onset == row.onset for other in rows) == 1]
        ranks = [alone]
        for rank in range(1, int(ask.what.removeprefix(SECTION))):
            below = partial(_below, least=1) if rank == 1 else partial(_lower, least=1)
            parts = (below(score, voice, row) for row in ranks[-1])
            ranks.append([part for part in parts if part is not None and part.pitch >= _CLEAR])
        made = put(made, voice.name, spans, sorted([*rows, *(row for rank in ranks[1:] for row in rank)]))
    return made


def _parts_below(ask: Ask, score: Score, voice: Voice, rows: list[Row]) -> list[Row]:
    """The parts below the notes of a line that stand alone: one, and of many who sing two or as many as are told."""
    alone = [row for row in rows if sum(other.onset == row.onset for other in rows) == 1]
    new = [part for row in alone if (part := _below(score, voice, row)) is not None]
    if voice.program not in _SUNG or instrument_of_program(voice.program or 0).polyphony < _CHOIR:
        return new
    lower = [part for row in new if (part := _lower(score, voice, row)) is not None]
    fourth = [part for row in lower if (part := _lower(score, voice, row)) is not None]
    return [*new, *lower, *(fourth if _FOUR.search(ask.words) else ())]


def _lower(score: Score, voice: Voice, row: Row, least: int = _EIGHTH) -> Row | None:
    """The third part of a note that many sing, below its second: the next tone of the chord; none of a short note, nor
    out of reach."""
    chord = score.chord_at(row.onset)
    if chord is None or row.duration < least:
        return None
    low, _ = range_of(voice)
    tones = range(row.pitch - _NEAREST, max(low, row.pitch - _OCTAVE) - 1, -1)
    pitch = next((tone for tone in tones if tone % _OCTAVE in chord.classes), None)
    return row._replace(pitch=pitch) if pitch is not None else None


def _below(score: Score, voice: Voice, row: Row, least: int = QUARTER) -> Row | None:
    """The second part of a note: a tone of the chord if it is long, else one of the scale; none out of reach."""
    chord, scale = score.chord_at(row.onset), scale_at(score, row.onset)
    tones = [row.pitch - step for step in _THIRDS]
    held = row.duration >= least and chord is not None and row.pitch % _OCTAVE in chord.classes
    near = [tone for tone in tones if chord is not None and tone % _OCTAVE in chord.classes] if held else []
    near += [row.pitch - step for step in _STEPS if (row.pitch - step) % _OCTAVE in scale]
    low, _ = range_of(voice)
    pitch = next((tone for tone in near if tone >= low), None)
    return row._replace(pitch=pitch, velocity=max(1, row.velocity - _SOFTER)) if pitch is not None else None
