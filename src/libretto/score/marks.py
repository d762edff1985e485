"""Signs on notes and over them: what a musician reads besides pitch and length, and what a player's controls do.

A ``Mark`` belongs to one note of a voice (a staccato dot, a syllable, the beginning of a slur), to a moment of a voice
(a dynamic, a hairpin, a pedal, a word), or to the whole piece (a repeat sign, a tempo word). A mark on a note is tied
to it by start, pitch and length, so that of two notes at one time each keeps its own.

Controllers, pitch bend and pressure come in thousands, so that they are rows of an array: ``CONTROL``.

==============  =====================================================================================================
kind on notes   value
==============  =====================================================================================================
lyric           a syllable; ``2:`` before it is its verse, ``-`` at an end says that the word goes on there, ``_`` at
                the end that the syllable is held
slur-start      number of the slur where several are open at once, else empty; likewise slur-stop
split           ticks from the start of the note at which it is written as two notes tied (inside a bar)
let-ring        a tie that leads to no note; tied-in is one that comes from none
grace           how it is drawn: the value (``16``), ``/`` for a stroke, ``after`` where it follows its note
staff           on which staff of its part the note stands
fingering       which finger
(others)        articulations, ornaments and playing techniques, named as MusicXML names them
==============  =====================================================================================================

Kinds over a voice: dynamics, crescendo, diminuendo, pedal, words, clef, staves, octave-shift, dashes ... Kinds over
the piece: see ``PIECE_MARKS``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.errors import ScoreError
from libretto.score.table import frozen

__all__ = [
    "ARTICULATIONS",
    "BEND",
    "CONTROL",
    "CONTROLLERS",
    "CREDITS",
    "MAX_MARKS",
    "MOMENT",
    "NOTE_MARKS",
    "ORNAMENTS",
    "PIECE_MARKS",
    "PRESSURE",
    "REPEAT_MARKS",
    "SUSTAIN",
    "VOICE_MARKS",
    "WIDE_MARKS",
    "Mark",
    "check_marks",
    "control_rows",
    "controls_of",
    "counted",
    "credits_of",
    "follow",
    "no_controls",
    "shift_marks",
    "sorted_controls",
    "still_there",
]

MOMENT = -1  #: the pitch of a mark that belongs to no note
MAX_MARKS = 400_000  #: of one voice
CONTROL = np.dtype([("tick", "<i8"), ("kind", "<i2"), ("value", "<i4")])
CONTROLLERS = 128  #: kinds below are MIDI controllers of that number
BEND, PRESSURE = 128, 129  #: kinds of controls that are no controllers; a bend is from -8192 to 8191, 0 where it rests
SUSTAIN = 64  #: the controller of the sustain pedal
_LOWEST_BEND, _HIGHEST = -8192, 16383
_KIND_BITS, _ROOM = 8, 63  # that a kind of control needs; of a number that controls are ordered by
#: Marks that order the play; each stands on the bar line where its bar begins.
REPEAT_MARKS = (
    "repeat-start",
    "repeat-end",  # value: how often the passage is played, where it is not twice
    "ending",  # value: its numbers, 1 or 1,2; length: the bars under its bracket, in ticks
    "segno",
    "coda",
    "to-coda",
    "fine",
    "da-capo",
    "dal-segno",
    "movement",  # a movement begins: nothing leads back across it
)
#: Whose a piece is: names, and who has the rights; each stands at the very beginning.
CREDITS = ("arranger", "composer", "lyricist", "rights")
#: All marks of a whole piece: those, words that go with the tempo, swing (value: the long part of two, 2:1), that
#: lengths inside bars are written as they stand (no ties but where a note is split), and how a bar line is drawn.
PIECE_MARKS = (*REPEAT_MARKS, *CREDITS, "words", "swing", "written", "barline")
#: Marks of a note that all notes of a chord share.
WIDE_MARKS = ("arpeggiate", "cue", "grace", "let-ring", "split", "staff", "tied-in")
_ARTICULATIONS = (
    "accent breath-mark caesura detached-legato doit falloff other-articulation plop scoop soft-accent spiccato "
    "staccatissimo staccato stress strong-accent tenuto unstress"
)
_ORNAMENTS = (
    "accidental-mark delayed-inverted-turn delayed-turn haydn inverted-mordent inverted-turn inverted-vertical-turn "
    "mordent other-ornament schleifer shake tremolo trill-mark turn vertical-turn wavy-line"
)
_TECHNIQUES = (
    "arrow bend brass-bend double-tongue down-bow fingering fingernails flip fret golpe half-muted hammer-on handbell "
    "harmon-mute harmonic heel hole open open-string other-technical pluck pull-off smear snap-pizzicato stopped "
    "string tap thumb-position toe triple-tongue up-bow"
)
_OTHERS = (
    "arpeggiate cue fermata glissando grace let-ring lyric non-arpeggiate notehead other-notation slide slur-start "
    "slur-stop split staff tied-in"
)
_OVER_VOICES = (
    "bracket clef crescendo damp dashes diminuendo dynamics eyeglasses harp-pedals octave-shift other-direction pedal "
    "percussion principal-voice rehearsal scordatura staves string-mute symbol words"
)
#: All kinds that stand on notes, with those of them that say how a note is struck and those that adorn it.
ARTICULATIONS, ORNAMENTS = frozenset(_ARTICULATIONS.split()), frozenset(_ORNAMENTS.split())
NOTE_MARKS = ARTICULATIONS | ORNAMENTS | frozenset(f"{_TECHNIQUES} {_OTHERS}".split())
#: All kinds that stand over a voice; those of notes may stand there, too, as a fermata does over a rest.
VOICE_MARKS = frozenset(_OVER_VOICES.split()) | NOTE_MARKS
_BAD_VALUE = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]|\A\s|\s\Z")
_LONGEST_VALUE = 500


class Mark(NamedTuple):
    """One sign: where, what kind, what it says, how long it lasts (on a note: the note's length), the note's pitch."""

    tick: int
    kind: str
    value: str = ""
    length: int = 0
    pitch: int = MOMENT
    staff: int = 0

    @property
    def on_note(self) -> bool:
        """Whether it belongs to a note."""
        return self.pitch != MOMENT


def check_marks(marks: Iterable[Mark], owner: str, piece: bool = False) -> tuple[Mark, ...]:
    """Marks of a voice, or of a piece, in canonical order, or a ScoreError that says which cannot be."""
    ordered = tuple(sorted(marks))
    if len(ordered) > MAX_MARKS:
        raise ScoreError(f"{owner} has more than {MAX_MARKS:,} marks")
    for mark in ordered:
        if mark.kind not in (PIECE_MARKS if piece else NOTE_MARKS if mark.on_note else VOICE_MARKS):
            raise ScoreError(f"{mark.kind!r} of {owner} is no kind of mark that can stand there")
        if mark.tick < 0 or mark.length < 0:
            raise ScoreError(f"a mark of {owner} stands before the piece or has no length: {mark.kind}")
        if mark.value and (len(mark.value) > _LONGEST_VALUE or _BAD_VALUE.search(mark.value)):
            raise ScoreError(f"{mark.kind} of {owner} says something that no line can hold")
    return ordered


def no_controls() -> NDArray[Any]:
    """Controls of a voice that has none."""
    return frozen(np.empty(0, CONTROL))


def control_rows(rows: Iterable[tuple[int, int, int]]) -> NDArray[Any]:
    """Controls from (tick, kind, value) rows."""
    return sorted_controls(np.array(list(rows), dtype=CONTROL))


def sorted_controls(controls: NDArray[Any]) -> NDArray[Any]:
    """Controls in order of time; of one kind at one time in the order given. A ScoreError where one cannot be."""
    return controls_of(controls["tick"], controls["kind"], controls["value"])


def controls_of(
    tick: NDArray[Any], kind: NDArray[Any], value: NDArray[Any], voice: NDArray[Any] | None = None
) -> NDArray[Any]:
    """The same from columns, which stay as they are; where voices are given, it is by voice first."""
    bad = (tick < 0) | (kind < 0) | (kind > PRESSURE) | (value < _LOWEST_BEND) | (value > _HIGHEST)
    if bad.any():
        first = int(np.argmax(bad))
        raise ScoreError(f"no control is {(int(tick[first]), int(kind[first]), int(value[first]))}")
    key = (tick << _KIND_BITS) | kind
    bits = int(key.max(initial=0)).bit_length()
    if voice is not None and bits + int(voice.max(initial=0)).bit_length() < _ROOM:
        key, voice = (voice << bits) | key, None
    order: Any = slice(None)
    if voice is not None:
        order = np.lexsort((key, voice))
    elif (key[1:] < key[:-1]).any():
        order = np.argsort(key, kind="stable")  # quick, as every voice is a few runs in order
    rows = np.empty(len(key), CONTROL)
    rows["tick"], rows["kind"], rows["value"] = tick[order], kind[order], value[order]
    return frozen(rows)


def shift_marks(marks: Iterable[Mark], ticks: int, start: int, end: int) -> list[Mark]:
    """The marks that begin from ``start`` to before ``end``, moved by so many ticks; whose a piece is stands still."""
    inside = (mark for mark in marks if start <= mark.tick < end)
    return [mark._replace(tick=mark.tick + ticks) for mark in inside if mark.kind not in CREDITS]


def credits_of(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """The marks that say whose a piece is: they hold for all of it, whichever bars are taken, and in any order."""
    return tuple(mark for mark in marks if mark.kind in CREDITS)


def still_there(marks: Sequence[Mark], notes: NDArray[Any]) -> tuple[Mark, ...]:
    """The marks whose notes are among those; marks of moments stay."""
    if not marks:
        return ()
    there = set(_anchors(notes))
    return tuple(mark for mark in marks if not mark.on_note or (mark.tick, mark.pitch, mark.length) in there)


def counted(marks: Iterable[Mark]) -> dict[str, int]:
    """How many marks there are of each kind, by name of the kind."""
    counts: dict[str, int] = {}
    for mark in marks:
        counts[mark.kind] = counts.get(mark.kind, 0) + 1
    return dict(sorted(counts.items()))


def follow(marks: Iterable[Mark], old: NDArray[Any], new: NDArray[Any]) -> tuple[Mark, ...]:
    """The marks on the same notes after these changed; row by row ``new`` is what became of ``old``."""
    marks = tuple(marks)
    if not any(mark.on_note for mark in marks):
        return marks
    became: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for was, now in zip(_anchors(old), _anchors(new), strict=True):
        became.setdefault(was, now)
    moved = []
    for mark in marks:
        if not mark.on_note:
            moved.append(mark)
        elif (place := became.get((mark.tick, mark.pitch, mark.length))) is not None:
            moved.append(mark._replace(tick=place[0], pitch=place[1], length=place[2]))
    return tuple(moved)


def _anchors(notes: NDArray[Any]) -> Iterable[tuple[int, int, int]]:
    """Start, pitch and length of each note: what ties a mark to it."""
    return zip(*(notes[name].tolist() for name in ("onset", "pitch", "duration")), strict=True)
