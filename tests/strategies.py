"""Random valid pieces, for laws.

``scores()`` draws a small Score that may hold anything a Score can: percussion, voices without a program or
without notes, unisons, triplets, quintuplets and starts on no grid at all, notes that ring over bar lines and
past the end, changes of meter, key, tempo and section, pickups, enharmonic spellings, grids finer than needed.
Whatever a law does not concern can be switched off by keyword, so that a failure shrinks to what matters.

    @given(scores(pickups=False))
    def test_some_law(score: Score) -> None: ...

``notes_within`` and ``voices_within`` draw further material for a given piece, and ``bar_ranges`` two bar numbers.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from libretto.score import QUARTER, WHOLE, Grid, Key, Meter, Note, Score, Voice, is_chord
from libretto.score.keys import MODES
from libretto.score.marks import CREDITS, REPEAT_MARKS, Mark, control_rows

__all__ = [
    "CHORDS",
    "DIVISIONS",
    "METERS",
    "NAMES",
    "bar_ranges",
    "keys",
    "marked_scores",
    "notes_within",
    "scores",
    "voices_within",
]

METERS = tuple(map(Meter.parse, ("4/4", "3/4", "6/8", "5/4", "7/8", "12/8", "2/2")))
DIVISIONS = (4, 8, 16, 12, 20, 28, 24, 32, 48, 64)  #: binary, triplets, quintuplets, septuplets
CHORDS = (
    *("-", "C", "Am", "F#m7b5", "Bb7", "Ebmaj7", "G/B", "Dsus4"),
    *("E7#9", "C6/9", "Cb", "A#m", "Abm6", "Dm7/G", "B+", "G#dim7"),
)
NAMES = ("BASS", "KEYS", "Drums", "Flûte 2", "1st Violin", "Gtr. (L)", "a:b", "Lead|Pad", "低音")
_SECTIONS = ("A", "B", "Verse 1", "Chorus", "Überleitung")
_TITLES = ("", "Untitled", "Étude no. 3: allegro", "[sic] % @")
_MICROS = (500_000, 400_000, 588_235, 1_000_000, 461_538)
assert all(map(is_chord, CHORDS))

T = TypeVar("T")

# Made once: building a strategy costs more than drawing from it.
_KEYS = st.builds(Key.of_signature, st.integers(-6, 6), st.sampled_from(sorted(MODES)))
_TEMPOS = st.sampled_from(_MICROS)
_PROGRAMS = st.none() | st.integers(0, 127)
_SPLIT_BARS = (("C", "G7"), ("Am", "-"), ("F", "Gsus4", "C/E"), ("D", "D", "A", "A"))
_LABELS = st.sampled_from([*((label,) for label in CHORDS), *_SPLIT_BARS])
_UP_TO_TWO = st.integers(0, 2)
_ONE_IN_FOUR = st.sampled_from((False, False, False, True))


def keys() -> SearchStrategy[Key]:
    """Keys of every mode with at most six sharps or flats."""
    return _KEYS


@st.composite
def scores(
    draw: DrawFn,
    *,
    max_voices: int = 3,
    max_bars: int = 5,
    max_notes: int = 8,
    divisions: tuple[int, ...] = DIVISIONS,
    odd_ticks: bool = True,
    pickups: bool = True,
    irregular: bool = False,
    changes: bool = True,
    inside: bool = True,
    drums: bool = True,
    respelled: bool = True,
    finer_grids: bool = True,
) -> Score:
    """A small valid Score.

    ``max_notes`` counts a voice's. ``odd_ticks`` lets notes lie on no usual grid; ``irregular`` lets bars be
    shorter than their meter (a pickup always is); ``changes`` allows more than one meter, key and tempo, and
    ``inside`` lets keys and tempi change inside a bar; ``respelled`` allows rare names such as B# or Ebb;
    ``finer_grids`` writes some bars on finer grids than they need.
    """
    lines, meters, first_bar = _bars(draw, max_bars, pickups, irregular, changes)
    names = draw(st.lists(st.sampled_from(NAMES), max_size=max_voices, unique=True))
    division = st.sampled_from(divisions)
    grids = [draw(division) for _ in lines[1:]]
    voices = [_voice(draw, name, lines, grids, max_notes, odd_ticks, drums, respelled) for name in names]
    score = Score.build(
        voices,
        bar_lines=lines,
        meters=meters,
        keys=_changes(draw, keys(), lines, changes, inside),
        tempos=_changes(draw, _TEMPOS, lines, changes, inside),
        sections=_sections(draw, lines),
        chords=[draw(_LABELS) for _ in lines[1:]],
        title=draw(st.sampled_from(_TITLES)),
        first_bar=first_bar,
    )
    if not (finer_grids and draw(st.booleans())):
        return score
    return replace(score, grids=tuple(map(_doubled, score.grids, score.bar_lines, score.bar_lines[1:])))


def _doubled(grid: Grid, start: int, end: int) -> Grid:
    fits = grid.division <= 128 and (end - start) % (WHOLE // (grid.division * 2)) == 0
    return Grid.of(grid.division * 2) if fits else grid


def _bars(
    draw: DrawFn, most: int, pickups: bool, irregular: bool, changes: bool
) -> tuple[list[int], list[tuple[int, Meter]], int]:
    """Bar lines, meters, and the number of the first bar."""
    lines, meters = [0], [(0, draw(st.sampled_from(METERS)))]
    pickup = pickups and draw(st.booleans())
    for bar in range(draw(st.integers(2 if pickup else 1, most))):
        if bar > pickup and changes and draw(_ONE_IN_FOUR):
            other = draw(st.sampled_from(METERS))
            if other != meters[-1][1]:
                meters.append((lines[-1], other))
        meter = meters[-1][1]
        beats = meter.beats
        if (pickup and bar == 0) or (irregular and draw(_ONE_IN_FOUR)):
            beats = draw(st.integers(1, meter.beats - 1))
        lines.append(lines[-1] + beats * WHOLE // meter.unit)
    return lines, meters, 0 if pickup else 1


def _changes(
    draw: DrawFn, values: SearchStrategy[T], lines: list[int], changes: bool, inside: bool
) -> list[tuple[int, T]]:
    """A value at the beginning, and now and then another later on."""
    found = [(0, draw(values))]
    spots = range(WHOLE // 8, lines[-1], WHOLE // 8) if inside else lines[1:-1]
    if not changes or not spots:
        return found
    for tick in sorted({draw(st.sampled_from(spots)) for _ in range(draw(_UP_TO_TWO))}):
        value = draw(values)
        if value != found[-1][1]:
            found.append((tick, value))
    return found


def _sections(draw: DrawFn, lines: list[int]) -> list[tuple[int, str]]:
    starts = sorted({draw(st.sampled_from(lines[:-1])) for _ in range(draw(_UP_TO_TWO))})
    return [(start, draw(st.sampled_from(_SECTIONS))) for start in starts]


def _voice(
    draw: DrawFn,
    name: str,
    lines: list[int],
    grids: list[int],
    most: int,
    odd_ticks: bool,
    drums: bool,
    respelled: bool,
) -> Voice:
    kit = drums and draw(_ONE_IN_FOUR)
    raws = draw(_raw_notes(most))
    notes = [_note(raw, lines, grids, odd_ticks, 35 if kit else 24, respelled and not kit) for raw in raws]
    return Voice.of(name, notes, draw(_PROGRAMS), kit)


class _Raw(NamedTuple):
    """What a note is made of, before it is fitted into bars."""

    bar: int
    step: int
    length: int
    pitch: int
    velocity: int
    name: int
    odd: bool


@cache
def _raw_notes(most: int) -> SearchStrategy[list[_Raw]]:
    one = st.builds(
        _Raw,
        bar=st.integers(0, 63),
        step=st.integers(0, 95),
        length=st.integers(1, 24),
        pitch=st.integers(0, 46),
        velocity=st.sampled_from((80, 64, 1, 127, 99)),
        name=st.sampled_from((0, 0, 0, 1, 2)),
        odd=st.sampled_from((False,) * 7 + (True,)),
    )
    return st.lists(one, max_size=most)


def _note(raw: _Raw, lines: list[int], grids: list[int], odd_ticks: bool, lowest: int, respelled: bool) -> Note:
    bar, odd = raw.bar % len(grids), raw.odd and odd_ticks
    # An odd note lies on a lattice of 11 ticks, which no usual division holds.
    slot = 11 if odd else WHOLE // grids[bar]
    slots = max(1, (lines[bar + 1] - lines[bar]) // slot)
    onset = lines[bar] + (raw.step * 977 if odd else raw.step) % slots * slot
    pitch = lowest + raw.pitch
    return Note(onset, raw.length * slot, pitch, raw.velocity, _spelling(pitch, raw.name if respelled else 0))


def _spelling(pitch: int, name: int) -> int:
    """The usual spelling (Eb to G#), or one twelve fifths flatter or sharper where that can be written."""
    usual = (pitch * 7 + 3) % 12 - 3
    return usual if name == 0 else usual - 12 if name == 1 or usual + 12 > 19 else usual + 12


def notes_within(score: Score, first: int, last: int) -> SearchStrategy[list[Note]]:
    """Notes that start in those bars of that piece, timed from the first of them, as a Patch wants them."""
    low, high = score.index_of(first), score.index_of(last)
    lines = [line - score.bar_lines[low] for line in score.bar_lines[low : high + 2]]
    grids = [12 if bar % 2 else 16 for bar in range(len(lines) - 1)]
    return _raw_notes(8).map(lambda raws: [_note(raw, lines, grids, True, 36, True) for raw in raws])


@st.composite
def voices_within(draw: DrawFn, score: Score) -> Voice:
    """One more voice for that piece, of a name it does not have."""
    taken = {voice.name for voice in score.voices}
    name = draw(st.sampled_from([name for name in NAMES if name not in taken]))
    notes = draw(notes_within(score, score.numbers[0], score.numbers[-1]))
    return Voice.of(name, notes, draw(_PROGRAMS))


@st.composite
def bar_ranges(draw: DrawFn, score: Score) -> tuple[int, int]:
    """The numbers of a first and a last bar of that piece."""
    first = draw(st.sampled_from(score.numbers))
    return first, draw(st.integers(first, score.numbers[-1]))


_NOTE_MARKS = st.sampled_from(
    [
        *(("staccato", ""), ("accent", ""), ("tenuto", ""), ("strong-accent", ""), ("detached-legato", "")),
        *(("lyric", "A-"), ("lyric", "2:-zing_"), ("lyric", 'don\'t "go" ~50%'), ("lyric", "Frühling ist")),
        *(("slur-start", ""), ("slur-stop", ""), ("slur-start", "2"), ("slur-stop", "2"), ("fermata", "inverted")),
        *(
            ("trill-mark", ""),
            ("tremolo", "3"),
            ("fingering", "3"),
            ("fingering", "1-2"),
            ("other-technical", "a'b/c@"),
        ),
        *(("inverted-turn", ""), ("notehead", "x"), ("glissando", "start:1"), ("harmonic", ""), ("up-bow", "")),
    ]
)
_WIDE = st.sampled_from(
    [("grace", ""), ("grace", "16/"), ("let-ring", ""), ("tied-in", ""), ("staff", "2"), ("arpeggiate", "up")]
)
_VOICE_MARKS = st.sampled_from(
    [
        *(
            ("dynamics", "mf"),
            ("dynamics", "sfz"),
            ("dynamics", "più f"),
            ("words", 'dolce e (molto) "x"'),
            ("clef", "F4"),
        ),
        *(
            ("crescendo", ""),
            ("diminuendo", ""),
            ("pedal", ""),
            ("octave-shift", "-8"),
            ("staves", "2"),
            ("dashes", ""),
        ),
    ]
)
_LASTING = ("crescendo", "diminuendo", "pedal", "octave-shift", "dashes")
_PIECE = st.sampled_from(
    [
        *(("repeat-start", ""), ("repeat-end", ""), ("repeat-end", "3"), ("segno", ""), ("fine", ""), ("da-capo", "")),
        *(("words", "Allegro (ma @ non) ~ 5%"), ("written", ""), ("swing", "2:1"), ("barline", "light-light")),
        *(("composer", "A. (B.) @ 5% & Söhne"), ("lyricist", "N.~N.")),
    ]
)


def _curve(draw: DrawFn, score: Score) -> list[tuple[int, int, int]]:
    """A controller that moves by small steps of the same length, or stands still in them."""
    start = draw(st.integers(0, score.ticks - 1))
    step = draw(st.sampled_from((0, 1, 105, 210, 2520, QUARTER, 3 * WHOLE)))
    kind, values = draw(st.sampled_from((7, 11, 128))), draw(st.lists(st.integers(0, 127), max_size=6))
    return [(start + place * step, kind, value) for place, value in enumerate(values)]


@st.composite
def marked_scores(draw: DrawFn) -> Score:
    """A piece with marks of all kinds on its notes, over its voices and over the whole, and with controls."""
    score = draw(scores())
    voices = []
    for voice in score.voices:
        marks = []
        for note in draw(st.lists(st.sampled_from(voice.notes), max_size=4)) if voice.notes else []:
            kind, value = draw(_NOTE_MARKS | _WIDE)
            marks.append(Mark(note.onset, kind, value, note.duration, note.pitch))
            if draw(_ONE_IN_FOUR) and note.duration > 1:
                at = draw(st.integers(1, note.duration - 1))
                marks.append(Mark(note.onset, "split", str(at), note.duration, note.pitch))
        for kind, value in draw(st.lists(_VOICE_MARKS, max_size=3)):
            tick = draw(st.integers(0, score.ticks - 1))
            length = draw(st.integers(0, WHOLE)) if kind in _LASTING else 0
            marks.append(Mark(tick, kind, value, length, staff=draw(_UP_TO_TWO)))
        rows = st.tuples(st.integers(0, score.ticks), st.sampled_from((1, 7, 64, 128, 129)), st.integers(0, 127))
        controls = control_rows([*draw(st.lists(rows, max_size=4)), *_curve(draw, score)])
        voices.append(replace(voice, marks=tuple(marks), controls=controls))
    signs = []
    for kind, value in draw(st.lists(_PIECE, max_size=3)):
        bar = draw(st.integers(0, score.bars - 1))
        tick = score.bar_lines[bar] if kind in REPEAT_MARKS else draw(st.integers(0, score.ticks - 1))
        signs.append(Mark(0 if kind in CREDITS else tick, kind, value))
    if draw(_ONE_IN_FOUR):
        first, stop = sorted((draw(st.integers(0, score.bars - 1)), draw(st.integers(1, score.bars))))
        start, end = score.bar_lines[first], score.bar_lines[max(stop, first + 1)]
        signs.append(Mark(start, "ending", draw(st.sampled_from(("1", "1,2"))), end - start))
    return replace(score, voices=tuple(voices), marks=tuple(signs))
