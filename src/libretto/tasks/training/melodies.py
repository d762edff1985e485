"""Melodies by ear: short dictation after the tonic chord, answered in letters, in degrees or in our text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise
from random import Random
from typing import Any, NamedTuple

import numpy as np

from libretto.errors import LibrettoError
from libretto.score import QUARTER, Key, Note, Score
from libretto.score.keys import spell
from libretto.score.pitch import (
    FLATTEST,
    SHARPEST,
    letter_name,
    parse_letter,
    parse_pitch,
    pitch_class_of,
    pitch_name,
)
from libretto.tasks.training.intervals import semitones_in_words
from libretto.tasks.training.item import Item, Kind, Reply, Skill, kinds
from libretto.tasks.training.making import Sound, home_key, lowest_near, piece_of, with_home
from libretto.tasks.training.written import as_text, is_text, text_answer

__all__ = ["Told", "notes_named"]


class _Way(NamedTuple):
    """How the melodies of a skill go: level, mode, moves along the scale, rungs they lie between, rhythms, drill."""

    name: str
    level: int
    mode: str
    moves: tuple[int, ...]
    low: int
    high: int
    rhythms: tuple[tuple[float, ...], ...]
    drill: str
    leading: bool = False


_EVEN4, _EVEN5 = (1, 1, 1, 1), (1, 1, 1, 1, 4)
_LIVELY = ((1.5, 0.5, 1, 1, 1, 1, 2), (0.5, 0.5, 1, 1, 1, 1, 1, 2), (1, 0.5, 0.5, 1, 1, 2, 2))
_LIVELIER = (
    (1.5, 0.5, 0.5, 0.5, 1, 1, 1, 2),
    (0.5, 0.5, 1, 0.5, 0.5, 1, 1.5, 0.5, 2),
    (1, 0.5, 0.5, 1.5, 0.5, 1, 1, 2),
)
_STRAIGHT6 = ((1, 1, 1, 1, 2, 2), (1, 1, 2, 1, 1, 2))
#: The first level keeps to five notes, the second to an octave, the third to an octave with livelier rhythms, as the
#: ladder of drills has it for reading at sight.
_WAYS = (
    _Way("steps", 1, "major", (-1, 1), 0, 4, (_EVEN4,), "conjunct-motion"),
    _Way("steps and repeated notes", 1, "major", (-1, 0, 1), 0, 4, (_EVEN5,), "melodic-dictation"),
    _Way("thirds", 1, "major", (-2, -1, 1, 2), 0, 4, (_EVEN4, _EVEN5), "broken-triad"),
    _Way("an octave", 2, "major", (-2, -1, 1, 2), 0, 7, _STRAIGHT6, "range-of-an-octave"),
    _Way("fourths and fifths", 2, "major", (-4, -3, -1, 1, 3, 4), 0, 7, _STRAIGHT6, "disjunct-motion"),
    _Way("minor", 2, "minor", (-2, -1, 1, 2), 0, 7, _STRAIGHT6, "natural-minor-scale"),
    _Way("with eighths", 2, "major", (-2, -1, 1, 2), 0, 7, _LIVELY, "melodic-dictation"),
    _Way("sixths and sevenths", 3, "major", (-5, -2, -1, 1, 2, 5, 6), -2, 8, _LIVELY, "disjunct-motion"),
    _Way("harmonic minor", 3, "minor", (-2, -1, 1, 2, 3), -1, 7, _LIVELIER, "harmonic-minor-scale", True),
    _Way("lively rhythms", 3, "major", (-4, -2, -1, 1, 2, 3), -2, 8, _LIVELIER, "rhythmic-dictation"),
)
_TRIAD = (0, 2, 4)  # rungs on which a melody begins
_RESTS, _NEAR = (0, 2, 7), 2  # rungs on which a melody ends, and how near the note before it is
_SEVENTHS = {-1, 6}  # rungs of the leading note
_WIDE = 3  # steps from which a move is a leap, after which the line turns back
_LEADING, _LEADING_FIFTHS = 11, 5
_MOST = 64  # notes of an answer
_TRIES = 200  # lines of which the first is taken that does as the skill says
_DEGREE = re.compile(r"([#b]?)([1-8])(['.,]?)\Z")


def _skills() -> tuple[Skill, ...]:
    return tuple(Skill(one.name, one.level, f"{one.name}, {one.mode}", one.drill) for one in _WAYS)


def _line(way: _Way, count: int, rng: Random) -> list[int]:
    """Rungs of the scale, of which the first row is taken that shows what the skill is about and comes to a close."""
    for _ in range(_TRIES):
        row = _walk(way, count, rng)
        if _shows(way, row):
            return row
    return [*([0, 1, 2, 1] * count)[: count - 1], 0]


def _walk(way: _Way, count: int, rng: Random) -> list[int]:
    """A row from a tone of the tonic chord by the moves of a skill; a leap is followed by a step back."""
    row = [rng.choice([rung for rung in _TRIAD if way.low <= rung <= way.high])]
    last = 0
    while len(row) < count:
        moves = [move for move in way.moves if way.low <= row[-1] + move <= way.high]
        back = [move for move in moves if move * last < 0 and abs(move) == 1]
        last = rng.choice(back if back and abs(last) >= _WIDE else moves)
        row.append(row[-1] + last)
    return row


def _shows(way: _Way, row: Sequence[int]) -> bool:
    """Whether a row has the widest move of its skill (and repeated notes, or the leading note), and ends at rest."""
    sizes = {abs(b - a) for a, b in pairwise(row)}
    wanted = {max(abs(move) for move in way.moves)} | ({0} if 0 in way.moves else set())
    closes = row[-1] in _RESTS and abs(row[-1] - row[-2]) <= _NEAR
    return closes and wanted <= sizes and (not way.leading or bool(_SEVENTHS & set(row)))


def _pitched(row: Sequence[int], key: Key, base: int, leading: bool) -> list[tuple[int, int]]:
    """The rungs as pitches with spellings; in harmonic minor the seventh is raised."""
    steps = [(pitch_class_of(name) - key.tonic_class) % 12 for name in key.scale]
    tones = []
    for rung in row:
        octave, place = divmod(rung, len(steps))
        size, name = steps[place], key.scale[place]
        if leading and place == len(steps) - 1:
            size, name = _LEADING, key.tonic + _LEADING_FIFTHS
        tones.append((base + 12 * octave + size, name))
    return tones


def _degree(spelling: int, key: Key) -> str:
    """A note as a degree of the scale, with a sign where it is raised or lowered."""
    for number, name in enumerate(key.scale, 1):
        alter = spelling - name
        if alter in (-7, 0, 7):
            return {-7: "b", 0: "", 7: "#"}[alter] + str(number)
    return letter_name(spelling)


def _make(skill: Skill, rng: Random) -> dict[str, Any]:
    way = next(one for one in _WAYS if one.name == skill.name)
    key = home_key(skill.level, rng, way.mode)
    lengths = rng.choice(way.rhythms)
    base = lowest_near(key.tonic, 1, 12, rng)
    row = _pitched(_line(way, len(lengths), rng), key, base, way.leading)
    starts = accumulate(lengths[:-1], initial=0.0)
    sounds = [Sound(at, length, *tone) for at, length, tone in zip(starts, lengths, row, strict=True)]
    written = piece_of(sounds, key, skill.level)
    letters = " ".join(letter_name(name) for _, name in row)
    degrees = " ".join(_degree(name, key) for _, name in row)
    slot = written.grids[0]
    return {
        "question": "Which notes are they?",
        "given": f"{len(row)} notes in {key}, after its tonic chord; the first is {pitch_name(*row[0])}. "
        f"Answer in letters (C D E), in degrees (1 2 3) or in text (slots of {slot}).",
        "played": with_home(written),
        "written": written,
        "answer": letters,
        "about": f"It is {' '.join(pitch_name(*tone) for tone in row)}, in degrees {degrees}.",
        "accepted": (letters, degrees, as_text(written)),
        "data": {"key": key},
    }


class Told(NamedTuple):
    """A note of an answer: its pitch class, its spelling, and its pitch where an octave was named."""

    tone: int
    spelling: int
    pitch: int | None = None


def notes_named(answer: str, key: Key) -> list[Told]:
    """The notes that somebody names: letters with or without octaves, or degrees of a key.

    >>> [letter_name(note.spelling) for note in notes_named("1 3 #4 5", Key.parse("D major"))]
    ['D', 'F#', 'G#', 'A']
    """
    words = answer.replace("|", " ").replace(",", " ").split()
    if len(words) > _MOST:
        raise LibrettoError(f"an answer has at most {_MOST} notes")
    return [_note(word, key) for word in words]


def _note(word: str, key: Key) -> Told:
    degree = _DEGREE.match(word)
    if degree is not None:
        name = key.scale[(int(degree[2]) - 1) % len(key.scale)] + {"#": 7, "b": -7, "": 0}[degree[1]]
        return Told(pitch_class_of(name), name)
    plain = word[:1].upper() + word[1:]
    whole = parse_pitch(plain)
    if whole is not None:
        return Told(whole[0] % 12, whole[1], whole[0])
    letter = parse_letter(plain)
    if letter is None:
        raise LibrettoError(f"{word[:20]!r} is no note; say letters (C D E), degrees (1 2 3) or text (C4@1>1)")
    return Told(pitch_class_of(letter), letter)


def _paired(own: Sequence[Note], said: Sequence[Told]) -> list[tuple[int | None, int | None]]:
    """The notes of both in order, each beside the one it stands for; as few as may be stand alone or beside another."""
    cost = np.zeros((len(own) + 1, len(said) + 1))
    cost[:, 0], cost[0, :] = np.arange(len(own) + 1), np.arange(len(said) + 1)
    for i, note in enumerate(own, 1):
        for j, told in enumerate(said, 1):
            same = cost[i - 1, j - 1] + (not _same(note, told))
            cost[i, j] = min(same, cost[i - 1, j] + 1, cost[i, j - 1] + 1)
    pairs: list[tuple[int | None, int | None]] = []
    i, j = len(own), len(said)
    while i or j:
        if i and j and cost[i, j] == cost[i - 1, j - 1] + (not _same(own[i - 1], said[j - 1])):
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif i and cost[i, j] == cost[i - 1, j] + 1:
            i -= 1
            pairs.append((i, None))
        else:
            j -= 1
            pairs.append((None, j))
    return pairs[::-1]


def _same(note: Note, told: Told) -> bool:
    return note.pitch == told.pitch if told.pitch is not None else note.pitch % 12 == told.tone


def _compare(item: Item, answer: str) -> Reply:
    own = item.written.voices[0].notes
    key = item.data["key"]
    text = text_answer(answer, item.written) if is_text(answer) else None
    said = (
        [Told(note.pitch % 12, note.spelling, note.pitch) for note in text.voices[0].notes]
        if text
        else notes_named(answer, key)
    )
    if not said:
        raise LibrettoError("no note is named; say letters (C D E), degrees (1 2 3) or text (C4@1>1)")
    lines, mistakes, right = [item.about], dict[str, int](), 0
    for one, two in _paired(own, said):
        fault, line = _fault(own, said, one, two)
        right += not fault
        if fault:
            lines.append(line)
            mistakes[fault] = mistakes.get(fault, 0) + 1
    if text is not None and not mistakes:
        late = [
            (a, b)
            for a, b in zip(own, text.voices[0].notes, strict=True)
            if (a.onset, a.duration) != (b.onset, b.duration)
        ]
        lines += [f"{a.name} begins or ends elsewhere: heard {as_text(item.written)}." for a, _ in late[:1]]
        mistakes |= {"rhythm": len(late)} if late else {}
        right -= len(late)
    if not mistakes:
        return Reply(True, 100, (f"Right. {item.about}",))
    score = min(99, round(100 * max(0, right) / max(len(own), len(said))))
    return Reply(False, score, tuple(lines), "", mistakes, text or _answered(item, said))


def _fault(own: Sequence[Note], said: Sequence[Told], one: int | None, two: int | None) -> tuple[str, str]:
    """What is wrong about a pair of notes, and in words; empty where they are the same."""
    if one is None and two is not None:
        return "too many", f"{letter_name(said[two].spelling)} is too many after note {_before(own, two)}."
    if one is None:
        return "", ""
    note = own[one]
    if two is None:
        return "missing", f"Note {one + 1}, {note.name}, is missing in your answer."
    told = said[two]
    if _same(note, told):
        return "", ""
    off = told.pitch - note.pitch if told.pitch is not None else (told.tone - note.pitch + 6) % 12 - 6
    name = letter_name(told.spelling) if told.pitch is None else pitch_name(told.pitch, told.spelling)
    way = "high" if off > 0 else "low"
    return "wrong note", f"Note {one + 1} is {note.name}; you wrote {name}, {semitones_in_words(abs(off))} too {way}."


def _before(own: Sequence[Note], place: int) -> int:
    return min(len(own), max(1, place))


def _answered(item: Item, said: Sequence[Told]) -> Score:
    """An answer without places as it would sound: in the rhythm of what was heard, each note near the one before it."""
    own = item.written.voices[0].notes
    sounds, near = [], own[0].pitch
    for place, told in enumerate(said[: len(own)]):
        pitch = told.pitch if told.pitch is not None else near + (told.tone - near + 6) % 12 - 6
        note = own[place]
        spelling = (
            told.spelling
            if FLATTEST <= told.spelling <= SHARPEST
            else int(spell(np.array([pitch]), item.data["key"])[0])
        )
        sounds.append(Sound(note.onset / QUARTER, note.duration / QUARTER, pitch, spelling))
        near = pitch
    return piece_of(sounds, item.data["key"], item.skill.level, bars=item.written.bars)


kinds.register("melodies")(Kind("melodies", "A short melody: which notes are they?", _skills(), _make, _compare))
