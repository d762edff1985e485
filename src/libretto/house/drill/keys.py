"""Another key: the same music from another tonic, and in another mode degree by degree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from libretto.contract.instruments import Instrument, instrument_named, instrument_of_program
from libretto.errors import LibrettoError
from libretto.house.drill.naming import plainly_named
from libretto.house.drill.sheet import DrillSheet, Measure, sheet_of, spelled
from libretto.notation.clefs import clefs_of_instrument, ledger_cost, staff_steps
from libretto.score import Key, Note, Score, Voice, parse_chord, transpose
from libretto.score.chords import QUALITIES, transpose_chord
from libretto.score.pitch import letter_name, pitch_class_of, spelling_range
from libretto.score.time import micros_of_bpm
from libretto.tasks.drill.task import DrillTask

__all__ = ["in_mode", "moved_example", "paced", "placed", "spelled_from", "thinned", "toward_key", "voiced"]

_MOST_ACCIDENTALS = 6
_MIDDLE_C = 60
_WHOLE_TONE_BELOW = 10  # semitones above the tonic: the seventh step of minor, raised before its tonic


def toward_key(score: Score, key: Key) -> Score:
    """The piece moved to the tonic of a key by the shortest way."""
    apart = (key.tonic_class - score.key.tonic_class) % 12
    return transpose(score, apart - 12 if apart > 6 else apart)


def spelled_from(sheet: DrillSheet, tonic: int) -> DrillSheet:
    """The sheet spelled from that very tonic, Gb or F#, where no key in it then has more than six accidentals."""
    by = tonic - sheet.bars[0].key.tonic
    if not by or by % 12 or any(abs(bar.key.signature + by) > _MOST_ACCIDENTALS for bar in sheet.bars):
        return sheet
    return sheet.with_bars(
        [
            bar._replace(
                notes=tuple(note._replace(spelling=spelling_range(note.spelling + by)) for note in bar.notes),
                labels=tuple(transpose_chord(label, by) for label in bar.labels),
                key=Key(bar.key.tonic + by, bar.key.mode),
            )
            for bar in sheet.bars
        ]
    )


def _steps(key: Key) -> list[int]:
    home = key.tonic_class
    return [(pitch_class_of(spelling) - home) % 12 for spelling in key.scale]


def in_mode(sheet: DrillSheet, mode: str) -> DrillSheet:
    """The sheet with every degree as another mode has it; altered degrees stay as far altered."""
    old = sheet.bars[0].key
    if old.mode == mode:
        return sheet
    return sheet.with_bars([_turned(bar, Key(bar.key.tonic, mode)) for bar in sheet.bars])


def _turned(bar: Measure, key: Key) -> Measure:
    old, new = _steps(bar.key), _steps(key)
    home = key.tonic_class

    def moved(pitch: int) -> int:
        above = (pitch - home) % 12
        degree = max(index for index, step in enumerate(old) if step <= above)
        altered = above - old[degree]
        return pitch - above + new[degree] + altered

    leading = key.is_minor and any(_dominant(label, home) for label in bar.labels)

    def raised(pitch: int) -> int:
        plain = moved(pitch)
        return plain + 1 if leading and (plain - home) % 12 == _WHOLE_TONE_BELOW else plain

    notes = tuple(note._replace(pitch=(to := raised(note.pitch)), spelling=spelled(to, key)) for note in bar.notes)
    labels = tuple(_label(label, raised, key) for label in bar.labels)
    return bar._replace(notes=_distinct(notes), labels=labels, key=key)


def _distinct(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    return tuple({(note.onset, note.pitch): note for note in notes}.values())


def _dominant(label: str, home: int) -> bool:
    chord = parse_chord(label)
    return chord is not None and (chord.root_class - home) % 12 in (7, 11) and 4 in chord.intervals


def _label(label: str, moved: Callable[[int], int], key: Key) -> str:
    """The chord's name in the other mode; none where it has no plain one."""
    chord = parse_chord(label)
    if chord is None:
        return "-"
    root = moved(60 + chord.root_class)
    tones = frozenset((moved(60 + (chord.root_class + tone) % 12) - root) % 12 for tone in chord.intervals)
    for name, quality in QUALITIES.items():
        if frozenset(tone % 12 for tone in quality) == tones:
            return f"{letter_name(spelled(root, key))}{name}"
    return "-"


_LINE = 1.3  # with no more notes at once than this it is a line, read in one clef
_OCTAVES = (0, -12, 12, -24, 24, -36, 36, -48, 48)
_OUTSIDE, _OTHER_CLEF, _AWAY = 0.2, 1.0, 0.2  # a semitone outside, a clef that is not the first, an octave away


def paced(sheet: DrillSheet, task: DrillTask) -> DrillSheet:
    """The sheet in the tempo asked; changes of tempo keep their proportions."""
    if task.tempo is None:
        return sheet
    wanted = micros_of_bpm(task.tempo)
    bars = [
        bar._replace(tempos=tuple((tick, max(1000, round(m * wanted / sheet.micros))) for tick, m in bar.tempos))
        for bar in sheet.bars
    ]
    return sheet._replace(micros=wanted, bars=tuple(bars))


def voiced(sheet: DrillSheet, task: DrillTask) -> DrillSheet:
    """The instrument that was asked; the piano where a clef or range does not suit the example's own."""
    if task.instrument:
        asked = instrument_named(task.instrument)
        if asked is None:
            raise LibrettoError(f"there is no instrument {task.instrument!r}")
        return sheet._replace(name=asked.name.upper(), program=asked.program)
    own = instrument_of_program(sheet.program or 0)
    outside = (task.low is not None and task.low < own.low) or (task.high is not None and task.high > own.high)
    return sheet._replace(name="PIANO", program=0) if outside else sheet


def thinned(sheet: DrillSheet) -> DrillSheet:
    """The sheet with no more notes at once than its instrument plays: the highest ones, each until a higher begins."""
    most = instrument_of_program(sheet.program or 0).polyphony
    bars = []
    for bar in sheet.bars:
        kept: list[Note] = []
        for note in sorted(bar.notes, key=lambda note: (note.onset, -note.pitch)):
            sounding = [old for old in kept if old.onset + old.duration > note.onset]
            if len(sounding) < most:
                kept.append(note)
                continue
            lowest = min(sounding, key=lambda old: old.pitch)
            if lowest.pitch < note.pitch and lowest.onset < note.onset:
                kept[kept.index(lowest)] = lowest._replace(duration=note.onset - lowest.onset)
                kept.append(note)
        bars.append(
            bar
            if len(kept) == len(bar.notes) and set(kept) == set(bar.notes)
            else bar._replace(notes=tuple(sorted(kept)))
        )
    return sheet.with_bars(bars)


def placed(sheet: DrillSheet, task: DrillTask) -> DrillSheet:
    """The sheet in the octave that suits the range; where none was asked, in which the instrument's clef holds it."""
    own = instrument_of_program(sheet.program or 0)
    low, high = sheet.span
    if task.low is not None and task.high is not None:
        floor, roof = task.low, task.high
        if floor <= low and high <= roof:
            return sheet
        best = min(_OCTAVES, key=lambda by: (max(0, floor - low - by) + max(0, high + by - roof), abs(by)))
    elif _is_line(sheet):
        best = min(_OCTAVES, key=lambda by: _reading(sheet, own, by))
    else:
        floor, roof = own.comfortable
        best = min(_OCTAVES, key=lambda by: (max(0, floor - low - by) + max(0, high + by - roof), abs(by)))
    if not best:
        return sheet
    bars = [bar._replace(notes=tuple(n._replace(pitch=n.pitch + best) for n in bar.notes)) for bar in sheet.bars]
    return sheet.with_bars(bars)


def _is_line(sheet: DrillSheet) -> bool:
    notes = sum(len(bar.notes) for bar in sheet.bars)
    onsets = sum(len({note.onset for note in bar.notes}) for bar in sheet.bars)
    return notes <= _LINE * onsets


def _reading(sheet: DrillSheet, own: Instrument, by: int) -> float:
    """How hard a line is to read and to play so much higher: ledger lines, strange clefs, strange registers."""
    low, high = sheet.span
    floor, roof = own.comfortable
    outside = max(0, floor - low - by) + max(0, high + by - roof)
    notes = np.array(
        [(note.pitch + by, note.spelling) for bar in sheet.bars for note in bar.notes],
        dtype=[("pitch", np.int64), ("spelling", np.int64)],
    )
    if not len(notes) or low + by < own.low or high + by > own.high:
        return 1e6 + outside
    steps, clefs = staff_steps(notes), clefs_of_instrument(sheet.program or 0, low + by)
    dear = min(
        float(ledger_cost(steps, clef).mean()) + (_OTHER_CLEF if clef != clefs[0] else 0.0) for clef in clefs[:2]
    )
    return dear + _OUTSIDE * outside + _AWAY * abs(by) / 12


def moved_example(task: DrillTask) -> DrillSheet:
    """The example in the key, the mode, the tempo, the instrument and the range that were asked."""
    example = task.example
    tonic = task.tonic if task.tonic is not None else example.key.tonic
    whole = sheet_of(toward_key(_pitched(example), Key(tonic, example.key.mode)))
    if task.mode and task.mode != example.key.mode:
        whole = in_mode(whole, task.mode)
    sheet = placed(thinned(voiced(paced(plainly_named(spelled_from(whole, tonic)), task), task)), task)
    own = instrument_of_program(sheet.program or 0)
    if task.instrument or (own.low <= sheet.span[0] and sheet.span[1] <= own.high):
        return sheet
    return placed(sheet._replace(name="PIANO", program=0), task)


def _pitched(score: Score) -> Score:
    """The piece itself; a part for percussion becomes one on a single pitched note."""
    voice = score.voices[0]
    if not voice.drums:
        return score
    pitch = _MIDDLE_C + score.key.tonic_class
    notes = {note.onset: note._replace(pitch=pitch, spelling=score.key.tonic) for note in voice.notes}
    return replace(score, voices=(Voice.of("PIANO", notes.values(), 0),))
