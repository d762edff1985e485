"""A list of small edits as plain data, done to a piece one after the other: what a hand does in an editor.

Each is a mapping with ``op``. ``add``, ``set`` and ``delete`` are about single notes, named by their places in the
table of the piece as it was given; they are done first, all at once, so that no place moves under the next. The others
follow in their order. Bars are printed numbers, both ends included; a voice is its name, or its place from 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from libretto.edits.keys import transposed
from libretto.edits.notes import NewNote, edit_notes
from libretto.edits.parts import silenced, without
from libretto.edits.placing import copied, placed
from libretto.edits.sections import cut
from libretto.edits.spans import Notes, changed
from libretto.edits.tempo import paced
from libretto.edits.touch import louder
from libretto.errors import LibrettoError
from libretto.score import Score, Voice, add_voice, requantize, spell
from libretto.score.keys import Key
from libretto.score.pitch import HIGHEST
from libretto.score.voice import is_legal_name

__all__ = ["MOST_EDITS", "do_edits", "edit_kinds"]

#: The most edits of one list.
MOST_EDITS = 20_000
_NOTE_OPS = ("add", "set", "delete")
_SET = ("onset", "duration", "pitch", "velocity")
_SLOWEST, _FASTEST = 10, 400  # quarter notes a minute that one may set
_LONGEST_NAME, _LONGEST_TITLE = 80, 300
_FURTHEST = 48  # semitones
_USUAL_VELOCITY = 80
_MOST_CHORDS = 16  # in a bar
_DIVISIONS = (4, 8, 12, 16, 24, 32, 48, 64)

Step = Mapping[str, Any]


def do_edits(score: Score, steps: Sequence[Step]) -> tuple[Score, list[str]]:
    """The piece after some edits, and what was done, in lines; what cannot be done is an error that says why."""
    if not 1 <= len(steps) <= MOST_EDITS:
        raise LibrettoError(f"an edit has 1 to {MOST_EDITS:,} steps, not {len(steps)}")
    for step in steps:
        if not isinstance(step, Mapping) or step.get("op") not in (*_NOTE_OPS, *edit_kinds):
            raise LibrettoError(f"an edit has an op, one of {', '.join((*_NOTE_OPS, *edit_kinds))}")
    notes = [step for step in steps if step["op"] in _NOTE_OPS]
    said = _note_lines(notes)
    if notes:
        score = _with_notes(score, notes)
    for step in steps:
        if step["op"] not in _NOTE_OPS:
            score, line = edit_kinds[step["op"]](score, step)
            said.append(line)
    return score, said


def _with_notes(score: Score, steps: Sequence[Step]) -> Score:
    add = [
        NewNote(
            score.voices.index(_voice(score, step)),
            _whole(step, "onset", 0),
            _whole(step, "duration", 1),
            _whole(step, "pitch", 0, HIGHEST),
            _whole(step, "velocity", 1, HIGHEST, _USUAL_VELOCITY),
        )
        for step in steps
        if step["op"] == "add"
    ]
    change: dict[int, dict[str, int]] = {}
    for step in steps:
        if step["op"] == "set":
            wanted = {name: _whole(step, name, 0) for name in _SET if step.get(name) is not None}
            change.setdefault(_whole(step, "note", 0), {}).update(wanted)
    delete = [_whole(step, "note", 0) for step in steps if step["op"] == "delete"]
    return edit_notes(score, add=add, change=change, delete=delete)


def _note_lines(steps: Sequence[Step]) -> list[str]:
    words = {"add": "added", "set": "changed", "delete": "deleted"}
    counts = Counter(step["op"] for step in steps)
    return [f"{count} note{'s' if count > 1 else ''} {words[op]}" for op, count in sorted(counts.items())]


def _whole(step: Step, name: str, low: int, high: int = 2**40, default: int | None = None) -> int:
    value = step.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high or value != int(value):
        raise LibrettoError(f"{name}: a whole number from {low} is needed here")
    return int(value)


def _text(step: Step, name: str, most: int) -> str:
    value = step.get(name)
    if not isinstance(value, str) or len(value) > most:
        raise LibrettoError(f"{name}: a text of at most {most} characters is needed here")
    return value.strip()


def _voice(score: Score, step: Step, name: str = "voice") -> Voice:
    value = step.get(name)
    if isinstance(value, str):
        return score.voice(value)
    index = _whole(step, name, 0)
    if index >= len(score.voices):
        raise LibrettoError(f"there is no voice {index}; the piece has {len(score.voices)}")
    return score.voices[index]


def _names(score: Score, step: Step) -> list[str]:
    """The names of the voices that an edit is about; none means all."""
    values = step.get("voices") or []
    if not isinstance(values, list):
        raise LibrettoError("voices: a list of names is needed here")
    return [_voice(score, {"voice": value}).name for value in values]


def _span(score: Score, step: Step) -> tuple[int, int]:
    """The bars that an edit is about: all where none are named."""
    first = _whole(step, "first", 0, default=score.numbers[0])
    last = _whole(step, "last", 0, default=score.numbers[-1])
    if score.index_of(first) > score.index_of(last):
        raise LibrettoError(f"bars {first}-{last} run backwards")
    return first, last


def _where(score: Score, step: Step) -> str:
    """The bars and voices of an edit in words."""
    first, last = _span(score, step)
    names = _names(score, step)
    bars = "everything" if len(range(first, last + 1)) == score.bars else f"bars {first}-{last}"
    return f"{bars} of {', '.join(names)}" if names else bars


def _transpose(score: Score, step: Step) -> tuple[Score, str]:
    by = step.get("semitones")
    if isinstance(by, bool) or not isinstance(by, int) or abs(by) > _FURTHEST:
        raise LibrettoError(f"semitones: a whole number from -{_FURTHEST} to {_FURTHEST} is needed here")
    names, span = _names(score, step), _span(score, step)
    told = f"{_where(score, step)} transposed by {by:+d}"
    if not names or set(names) >= {voice.name for voice in score.voices if not voice.drums}:
        return transposed(score, by, [span]), told

    def move(voice: Voice, notes: Notes) -> Notes:
        pitch = notes["pitch"].astype(int) + by
        if len(pitch) and not (pitch.min() >= 0 and pitch.max() <= HIGHEST):
            raise LibrettoError(f"{voice.name} would leave the pitches that there are")
        notes["pitch"] = pitch
        for row, onset in enumerate(notes["onset"].tolist()):
            notes["spelling"][row] = spell(notes["pitch"][row : row + 1], score.key_at(onset))[0]
        return notes

    return changed(score, names, [span], move), told


def _move(score: Score, step: Step) -> tuple[Score, str]:
    first, last = _span(score, step)
    to = _whole(step, "to", 0)
    return placed(score, _names(score, step), first, last, to, leave=True), f"{_where(score, step)} moved to bar {to}"


def _copy(score: Score, step: Step) -> tuple[Score, str]:
    (first, last), names = _span(score, step), _names(score, step)
    to = _whole(step, "to", 0)
    told = f"{_where(score, step)} copied to bar {to}"
    return (placed(score, names, first, last, to) if names else copied(score, first, last, to)), told


def _program(score: Score, step: Step) -> tuple[Score, str]:
    voice, program = _voice(score, step), _whole(step, "program", 0, HIGHEST)
    return _swapped(score, voice, replace(voice, program=program)), f"{voice.name} plays program {program}"


def _rename(score: Score, step: Step) -> tuple[Score, str]:
    voice, name = _voice(score, step), _text(step, "name", _LONGEST_NAME)
    if not is_legal_name(name):
        raise LibrettoError("a voice's name has no commas, brackets, line breaks or control characters")
    return _swapped(score, voice, replace(voice, name=name)), f"{voice.name} is called {name}"


def _swapped(score: Score, old: Voice, new: Voice) -> Score:
    return replace(score, voices=tuple(new if voice is old else voice for voice in score.voices))


def _tempo(score: Score, step: Step) -> tuple[Score, str]:
    bpm = step.get("bpm")
    if isinstance(bpm, bool) or not isinstance(bpm, int | float) or not _SLOWEST <= bpm <= _FASTEST:
        raise LibrettoError(f"bpm: a number from {_SLOWEST} to {_FASTEST} is needed here")
    return paced(score, float(bpm), [_span(score, step)]), f"{_where(score, step)} at {bpm:g} beats a minute"


def _title(score: Score, step: Step) -> tuple[Score, str]:
    title = " ".join(
        "".join(sign if sign.isprintable() else " " for sign in _text(step, "title", _LONGEST_TITLE)).split()
    )
    return replace(score, title=title), f"called {title}" if title else "without a title"


def _remove_voice(score: Score, step: Step) -> tuple[Score, str]:
    name = _voice(score, step).name
    return without(score, [name]), f"without {name}"


def _add_voice(score: Score, step: Step) -> tuple[Score, str]:
    name, drums = _text(step, "name", _LONGEST_NAME), step.get("drums") is True
    return add_voice(score, Voice(name, _whole(step, "program", 0, HIGHEST, 0), drums)), f"with {name}"


def _louder(score: Score, step: Step) -> tuple[Score, str]:
    by = step.get("by")
    if isinstance(by, bool) or not isinstance(by, int) or abs(by) > HIGHEST:
        raise LibrettoError("by: a whole number from -127 to 127 is needed here")
    told = f"{_where(score, step)} {'louder' if by > 0 else 'softer'}"
    return louder(score, by, _names(score, step), [_span(score, step)]), told


def _silence(score: Score, step: Step) -> tuple[Score, str]:
    return silenced(score, _names(score, step), [_span(score, step)]), f"{_where(score, step)} silent"


def _cut(score: Score, step: Step) -> tuple[Score, str]:
    return cut(score, [_span(score, step)])[0], f"{_where(score, step)} cut"


def _quantize(score: Score, step: Step) -> tuple[Score, str]:
    division = _whole(step, "division", 1)
    if division not in _DIVISIONS:
        raise LibrettoError(f"division: one of {', '.join(map(str, _DIVISIONS))} is needed here")
    return requantize(score, division), f"on the nearest {division}th"


def _chords(score: Score, step: Step) -> tuple[Score, str]:
    number, labels = _whole(step, "bar", 0), step.get("chords")
    if (
        not isinstance(labels, list)
        or not 1 <= len(labels) <= _MOST_CHORDS
        or not all(isinstance(one, str) for one in labels)
    ):
        raise LibrettoError(f"chords: 1 to {_MOST_CHORDS} chord labels are needed here")
    bar = score.index_of(number)
    chords = (*score.chords[:bar], tuple(labels), *score.chords[bar + 1 :])
    return replace(score, chords=chords), f"bar {number} is {' '.join(labels)}"


def _section(score: Score, step: Step) -> tuple[Score, str]:
    number, name = _whole(step, "bar", 0), _text(step, "name", _LONGEST_NAME)
    tick = score.bar_lines[score.index_of(number)]
    kept = {place: known for place, known in score.sections if place != tick} | ({tick: name} if name else {})
    told = f"{name} begins in bar {number}" if name else f"no section begins in bar {number}"
    return replace(score, sections=tuple(sorted(kept.items()))), told


def _key(score: Score, step: Step) -> tuple[Score, str]:
    key = Key.parse(_text(step, "key", _LONGEST_NAME))
    return replace(score, keys=((0, key),)), f"written in {key}"


#: Every edit that is not about single notes, by its name.
edit_kinds: dict[str, Callable[[Score, Step], tuple[Score, str]]] = {
    "add_voice": _add_voice,
    "chords": _chords,
    "copy": _copy,
    "cut": _cut,
    "key": _key,
    "louder": _louder,
    "move": _move,
    "program": _program,
    "quantize": _quantize,
    "remove_voice": _remove_voice,
    "rename": _rename,
    "section": _section,
    "silence": _silence,
    "tempo": _tempo,
    "title": _title,
    "transpose": _transpose,
}
