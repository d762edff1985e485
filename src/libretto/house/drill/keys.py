"""Another key: the same music from another tonic, and in another mode degree by degree."""

from __future__ import annotations

from collections.abc import Callable

from libretto.house.drill.sheet import Measure, Sheet, spelled
from libretto.score import Key, Note, Score, parse_chord, transpose
from libretto.score.chords import QUALITIES, Chord, transpose_chord
from libretto.score.pitch import letter_name, pitch_class_of, spelling_range

__all__ = ["in_mode", "spelled_from", "toward_key"]

_MOST_ACCIDENTALS = 6


def toward_key(score: Score, key: Key) -> Score:
    """The piece moved to the tonic of a key by the shortest way."""
    apart = (pitch_class_of(key.tonic) - pitch_class_of(score.key.tonic)) % 12
    return transpose(score, apart - 12 if apart > 6 else apart)


def spelled_from(sheet: Sheet, tonic: int) -> Sheet:
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
    home = pitch_class_of(key.tonic)
    return [(pitch_class_of(each) - home) % 12 for each in key.scale]


def in_mode(sheet: Sheet, mode: str) -> Sheet:
    """The sheet with every degree as another mode has it; altered degrees stay as far altered."""
    old = sheet.bars[0].key
    if old.mode == mode:
        return sheet
    return sheet.with_bars([_turned(bar, Key(bar.key.tonic, mode)) for bar in sheet.bars])


def _turned(bar: Measure, key: Key) -> Measure:
    old, new = _steps(bar.key), _steps(key)
    home = pitch_class_of(key.tonic)

    def moved(pitch: int) -> int:
        above = (pitch - home) % 12
        degree = max(index for index, step in enumerate(old) if step <= above)
        altered = above - old[degree]
        return pitch - above + new[degree] + altered

    leading = key.is_minor and any(_dominant(label, home) for label in bar.labels)

    def raised(pitch: int) -> int:
        found = moved(pitch)
        return found + 1 if leading and (found - home) % 12 == 10 else found

    notes = tuple(note._replace(pitch=(to := raised(note.pitch)), spelling=spelled(to, key)) for note in bar.notes)
    return bar._replace(notes=_distinct(notes), labels=tuple(_label(each, raised, key) for each in bar.labels), key=key)


def _distinct(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    return tuple({(note.onset, note.pitch): note for note in notes}.values())


def _tones(chord: Chord) -> frozenset[int]:
    """The semitones of a chord above its root."""
    return frozenset((each - pitch_class_of(chord.root)) % 12 for each in chord.classes)


def _dominant(label: str, home: int) -> bool:
    chord = parse_chord(label)
    return chord is not None and (pitch_class_of(chord.root) - home) % 12 in (7, 11) and 4 in _tones(chord)


def _label(label: str, moved: Callable[[int], int], key: Key) -> str:
    """The chord's name in the other mode; none where it has no plain one."""
    chord = parse_chord(label)
    if chord is None:
        return "-"
    root = moved(60 + pitch_class_of(chord.root))
    tones = frozenset((moved(60 + (pitch_class_of(chord.root) + tone) % 12) - root) % 12 for tone in _tones(chord))
    for name, found in QUALITIES.items():
        if frozenset(tone % 12 for tone in found) == tones:
            return f"{letter_name(spelled(root, key))}{name}"
    return "-"
