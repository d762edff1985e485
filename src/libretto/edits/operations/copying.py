"""Bars copied to other bars or voices: as they stand, by an interval, or along the chords; and moved by an interval."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from libretto.edits.operations.step import Done, Step, bars_of, flag_of, operation, rewritten, text_of, voice_names
from libretto.edits.relative import moved, root_move
from libretto.edits.spans import Notes, starts_in, stretches
from libretto.errors import LibrettoError
from libretto.grammar.shorthand import move_by_steps
from libretto.score import Chord, Key, Mark, Score, Voice, parse_chord, spell, transpose_chord
from libretto.score.bar_lists import spans_text
from libretto.score.limits import MAX_NOTES
from libretto.score.marks import follow
from libretto.score.model import in_force
from libretto.score.pitch import HIGHEST, fifths_of_semitones, pitch_class_of, spelling_range
from libretto.score.scope import Scope

__all__ = ["Interval", "interval_of"]

_INTERVAL = re.compile(r"(chords)?([+-]?\d{1,2})?(d)?\Z", re.ASCII)
_FURTHEST = 48  # semitones or steps
_MOST_COPIES = 100_000  # bars of voices: some seconds of work

Bars = Sequence[tuple[int, int]]


class Interval(NamedTuple):
    """How far notes move: along the chords or not, by semitones, or by steps of the key."""

    chords: bool = False
    by: int = 0
    steps: bool = False

    @property
    def words(self) -> str:
        """The same for a person, to be put behind a line."""
        far = f" {'up' if self.by > 0 else 'down'} {abs(self.by)} {'steps' if self.steps else 'semitones'}"
        return (", along the chords" if self.chords else "") + (f",{far}" if self.by else "")


def interval_of(step: Step, default: str = "0") -> Interval:
    """The interval that a step asks for: ``5`` semitones, ``-2d`` steps of the key, ``chords`` or ``chords-12``."""
    read = _INTERVAL.match(text_of(step, "by", default))
    if read is None or (read[1] and read[3]) or abs(int(read[2] or 0)) > _FURTHEST or not any(read.groups()):
        raise LibrettoError(f"{step['op']}: by is semitones (5), steps of the key (-2d), chords, or chords-12")
    return Interval(read[1] is not None, int(read[2] or 0), read[3] is not None)


@operation(
    "copy", "bars to voices into by chords add", '{"op":"copy","bars":"1-2","to":"3-16","voices":"Bass","by":"chords"}'
)
def _copy(score: Score, step: Step) -> Done:
    """Bars of some voices put into other bars or voices, in place of what is there, again and again where there is
    room. by: semitones (5), steps of the key (-2d), or chords: each note keeps its degree of the chord (chords-12: an
    octave lower). chords=true takes the labels along, add=true keeps what is there."""
    source = bars_of(score, step, needed=True)
    target = bars_of(score, step, "to") if step.get("to") else source
    names, interval = voice_names(score, step), interval_of(step)
    into = voice_names(score, step, "into") if step.get("into") else names
    pairs = _pairs(names, into)
    places = _places(score, source, target)
    _check_size(score, pairs, places)
    if names == into and not (interval.by or interval.chords):
        _check_apart(places, source)
    carried = flag_of(step, "chords")
    there = replace(score, chords=_labels(score, places, interval)) if carried else score
    voices = {voice.name: voice for voice in score.voices}
    if not flag_of(step, "add"):
        voices |= {name: _emptied(voices[name], stretches(score, target)) for name in into}
    for name, goal in pairs:
        voices[goal] = _joined(voices[goal], [_bar(score, there, name, goal, *place, interval) for place in places])
    made = rewritten(there, [voices[voice.name] for voice in score.voices], target)
    told = f"bars {spans_text(source)} of {_listed(names)} copied to bars {spans_text(target)}"
    told += f" of {_listed(into)}" if into != names else ""
    return Done(made, Scope(into, target, carried), f"{told}{interval.words}")


def _emptied(voice: Voice, ticks: Sequence[tuple[int, int]]) -> Voice:
    """A voice without the notes that start in some stretches, and without the marks on them."""
    bare = voice.with_notes(voice.array[~starts_in(voice.array, ticks)])
    anchors = set(zip(bare.array["onset"].tolist(), bare.array["pitch"].tolist(), strict=True))
    return bare.with_marks(mark for mark in bare.marks if not mark.on_note or (mark.tick, mark.pitch) in anchors)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _pairs(names: Sequence[str], into: Sequence[str]) -> list[tuple[str, str]]:
    """Which voice goes into which: one by one, or one into several."""
    if len(names) == len(into):
        return list(zip(names, into, strict=True))
    if len(names) == 1:
        return [(names[0], goal) for goal in into]
    raise LibrettoError(f"copy: {len(names)} voices cannot go into {len(into)}; name as many, or one")


def _numbers(spans: Bars) -> list[int]:
    return [number for first, last in spans for number in range(first, last + 1)]


def _places(score: Score, source: Bars, target: Bars) -> list[tuple[int, int]]:
    """Which bar goes into which, by index."""
    own, goal = _numbers(source), _numbers(target)
    if len(goal) % len(own):
        raise LibrettoError(
            f"copy: {len(own)} bars do not fill {len(goal)}; name {len(own)} or a multiple of it in to, not "
            f"{spans_text(target)}"
        )
    places = [(score.index_of(own[at % len(own)]), score.index_of(bar)) for at, bar in enumerate(goal)]
    for one, other in places:
        if _length(score, one) != _length(score, other):
            numbers = score.numbers
            raise LibrettoError(f"copy: bar {numbers[other]} is not as long as bar {numbers[one]}; leave it out of to")
    return places


def _check_size(score: Score, pairs: Sequence[tuple[str, str]], places: Sequence[tuple[int, int]]) -> None:
    """Refuse what would grow beyond a piece, before it does."""
    if len(pairs) * len(places) > _MOST_COPIES:
        raise LibrettoError(f"copy: at most {_MOST_COPIES:,} bars of voices are copied at once; name fewer")
    lines = score.bar_lines
    notes = len(score.table)
    for name in {name for name, _ in pairs}:
        low, high = np.searchsorted(score.voice(name).array["onset"], [lines[:-1], lines[1:]])
        count = (high - low).tolist()
        notes += sum(count[one] for one, _ in places) * sum(1 for one, _ in pairs if one == name)
    if notes > MAX_NOTES:
        raise LibrettoError(f"copy: there would be {notes:,} notes and more; a piece has at most {MAX_NOTES:,}")


def _check_apart(places: Sequence[tuple[int, int]], source: Bars) -> None:
    """Refuse a copy that would change nothing."""
    if any(one == other for one, other in places):
        raise LibrettoError(f"copy: bars {spans_text(source)} cannot be copied onto themselves; say other bars in to")


def _length(score: Score, bar: int) -> int:
    return score.bar_lines[bar + 1] - score.bar_lines[bar]


def _labels(score: Score, places: Sequence[tuple[int, int]], interval: Interval) -> tuple[tuple[str, ...], ...]:
    """The chord labels of the piece with those of the bars that are copied, moved along with them."""
    if interval.chords or interval.steps:
        raise LibrettoError("copy: labels go along with a copy as it stands or by semitones; leave chords=true out")
    labels = list(score.chords)
    for one, other in places:
        labels[other] = tuple(transpose_chord(label, fifths_of_semitones(interval.by)) for label in score.chords[one])
    return tuple(labels)


def _joined(voice: Voice, stretches: Sequence[tuple[Notes, tuple[Mark, ...]]]) -> Voice:
    """A voice with stretches of notes and their marks; what it has at the same place and pitch stays."""
    known = set(zip(voice.array["onset"].tolist(), voice.array["pitch"].tolist(), strict=True))
    fresh = []
    for notes, _ in stretches:
        keys = list(zip(notes["onset"].tolist(), notes["pitch"].tolist(), strict=True))
        first = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))  # of notes that are the same
        fresh.append(notes[[key not in known and first[key] == at for at, key in enumerate(keys)]])
    marks = tuple(mark for _, more in stretches for mark in more if (mark.tick, mark.pitch) not in known)
    return replace(voice, array=np.concatenate([voice.array, *fresh]), marks=(*voice.marks, *marks))


def _bar(
    score: Score, there: Score, name: str, goal: str, one: int, other: int, interval: Interval
) -> tuple[Notes, tuple[Mark, ...]]:
    """What a voice starts in one bar, as it stands in another."""
    voice, player = score.voice(name), there.voice(goal)
    if voice.drums != player.drums:
        raise LibrettoError(f"copy: {name} and {goal} are not both percussion; copy between voices of one kind")
    lines = score.bar_lines
    stretch = voice.between(lines[one], lines[one + 1], lines[other])
    notes = stretch.array.copy()
    by = lines[other] - lines[one]
    if not voice.drums and (interval.chords or interval.by):
        old, new = _chord_line(score, one), _chord_line(there, other)
        _move(notes, goal, interval, lambda tick: _meeting(score, there, old, new, tick - by, tick), there.key_at)
    marks = follow((mark for mark in stretch.marks if mark.on_note), stretch.array, notes)
    return notes, marks


Meeting = tuple[Chord, Key, Chord, Key]


def _chord_line(score: Score, bar: int) -> list[tuple[int, Chord | None]]:
    """The chords of a bar with the ticks at which they begin."""
    return [(start, parse_chord(label)) for start, _, label in score.chord_spans(bar)]


def _meeting(
    score: Score,
    there: Score,
    own: list[tuple[int, Chord | None]],
    goal: list[tuple[int, Chord | None]],
    before: int,
    after: int,
) -> Meeting:
    """The chord and key under a note where it comes from, and where it goes."""
    old, new = in_force(own, before), in_force(goal, after)
    if old is None or new is None:
        bare = score.numbers[score.bar_at(before if old is None else after)]
        raise LibrettoError(
            f"copy: bar {bare} has no chord to go along; set it by the operation chords, or leave by out"
        )
    return old, score.key_at(before), new, there.key_at(after)


def _move(
    notes: Notes, name: str, interval: Interval, chords: Callable[[int], Meeting], key_at: Callable[[int], Key]
) -> None:
    """Move notes by an interval, where they stand."""
    for row, tick in enumerate(notes["onset"].tolist()):
        pitch, spelling = int(notes["pitch"][row]), int(notes["spelling"][row])
        if interval.chords:
            pitch, spelling = _along(pitch, spelling, *chords(tick))
        if interval.steps:
            pitch, spelling = move_by_steps(pitch, spelling, interval.by, key_at(tick))
        elif interval.by:
            pitch, spelling = pitch + interval.by, spelling_range(spelling + fifths_of_semitones(interval.by))
        if not 0 <= pitch <= HIGHEST:
            raise LibrettoError(f"{name} would leave the pitches that there are; say a smaller interval")
        notes["pitch"][row], notes["spelling"][row] = pitch, spelling


def _along(pitch: int, spelling: int, old: Chord, home: Key, new: Chord, away: Key) -> tuple[int, int]:
    """A note as the same degree of another chord, and its name."""
    if (old, home) == (new, away):
        return pitch, spelling
    gone = moved(pitch, old, frozenset(home.classes), new, frozenset(away.classes), root_move(old, new, 0))
    name = spelling - old.root + new.root
    if pitch_class_of(name) != gone % 12:
        name = int(spell(np.array([gone]), away)[0])
    return gone, spelling_range(name)


@operation("transpose", "bars voices by", '{"op":"transpose","bars":"9-16","voices":"Flute","by":12}')
def _transpose(score: Score, step: Step) -> Done:
    """Notes moved by an interval where they are: semitones (-12) or steps of the key (2d); percussion, labels stay."""
    spans, names, interval = bars_of(score, step), voice_names(score, step), interval_of(step, "")
    if interval.chords or not interval.by:
        raise LibrettoError("transpose: by is semitones (-12) or steps of the key (2d)")
    ticks, voices = stretches(score, spans), []
    for voice in score.voices:
        mine = starts_in(voice.array, ticks)
        if voice.name in names and not voice.drums and mine.any():
            notes = voice.array.copy()
            turned = notes[mine]
            _move(turned, voice.name, interval, _nowhere, score.key_at)
            notes[mine] = turned
            voice = replace(voice, array=notes, marks=follow(voice.marks, voice.array, notes))
        voices.append(voice)
    told = f"bars {spans_text(spans)} of {_listed(names)}{interval.words}"
    return Done(rewritten(score, voices, spans), Scope(names, spans), told)


def _nowhere(tick: int) -> Meeting:
    raise LibrettoError("notes go along the chords only where they are copied")
