"""Rhythms by ear, after a bar of clicks; answered in note values (``q e e h``), in quarters, or in our text.

Values: w h q e s are a whole, a half, a quarter, an eighth and a sixteenth; ``.`` after one is a dot, ``3`` a triplet,
``r`` before one a rest. Numbers are lengths in quarters. Bar lines may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

from libretto.errors import LibrettoError
from libretto.score import QUARTER, Key, Meter, Score
from libretto.tasks.training.item import Item, Kind, Reply, Skill, kinds
from libretto.tasks.training.making import Sound, counted_in, piece_of
from libretto.tasks.training.written import as_text, is_text, text_answer

__all__ = ["VALUES", "values_of"]

Cell = tuple[Fraction, ...]  # lengths in quarters; what is negative is silent
#: Note values by letter, in quarters.
VALUES = {"w": Fraction(4), "h": Fraction(2), "q": Fraction(1), "e": Fraction(1, 2), "s": Fraction(1, 4)}
_WORDS = {"whole": "w", "half": "h", "quarter": "q", "eighth": "e", "sixteenth": "s", "crotchet": "q", "quaver": "e",
          "minim": "h", "semibreve": "w", "semiquaver": "s"}  # fmt: skip
_PITCH, _SPELLING = 67, 1  # on which a rhythm is played: G4
_KEY = Key.parse("C major")
_LENGTHS = {1: 1, 2: 2, 3: 2}  # bars
_TOKEN = re.compile(r"(r?)([whqes])(\.?)(3?)\Z")
_NUMBER = re.compile(r"(-|r)?(\d{0,2}(?:\.\d{1,3})?|\d{1,2}/\d{1,2})\Z")
_MOST = 64  # values of an answer
_TRIPLET = Fraction(2, 3)
_DOT = Fraction(3, 2)


class _Figure(NamedTuple):
    """What a skill adds: its name and level, the meter, its figures, and a drill that helps."""

    name: str
    level: int
    meter: Meter
    cells: tuple[str, ...]
    drill: str


_FOUR, _THREE, _SIX, _FIVE = Meter(4, 4), Meter(3, 4), Meter(6, 8), Meter(5, 4)
_FIGURES = (
    _Figure("quarters and halves", 1, _FOUR, ("h", "q"), "quarter-note-pulse"),
    _Figure("eighths", 1, _FOUR, ("e e",), "eighth-notes"),
    _Figure("three beats", 1, _THREE, ("h", "e e"), "rhythmic-dictation"),
    _Figure("rests", 1, _FOUR, ("rq",), "breath-rests"),
    _Figure("dotted quarters", 2, _FOUR, ("q. e",), "dotted-quarter-eighth"),
    _Figure("six eighths", 2, _SIX, ("e e e", "q e", "q."), "six-eight-time"),
    _Figure("off the beat", 2, _FOUR, ("re e",), "off-beats-only"),
    _Figure("syncopation", 2, _FOUR, ("e q e",), "short-long-short"),
    _Figure("sixteenths", 2, _FOUR, ("s s s s", "e s s", "s s e"), "sixteenth-notes"),
    _Figure("triplets", 3, _FOUR, ("e3 e3 e3",), "eighth-triplets"),
    _Figure("dotted eighths", 3, _FOUR, ("e. s",), "dotted-eighth-sixteenth"),
    _Figure("quick syncopation", 3, _FOUR, ("s e s",), "ragtime-syncopation"),
    _Figure("five beats", 3, _FIVE, ("h", "e e"), "five-four-three-two"),
    _Figure("wide triplets", 3, _FOUR, ("q3 q3 q3",), "quarter-triplets"),
)
#: What stands beside the figure of a skill: beats that everybody knows, by how the meter is counted.
_PLAIN = {False: ("q", "q", "e e"), True: ("q.", "e e e")}


def _value(token: str) -> Fraction | None:
    """The length of one value of an answer; negative for a rest; None where it is none."""
    read = _TOKEN.match(token)
    if read is not None:
        length = VALUES[read[2]] * (_DOT if read[3] else 1) * (_TRIPLET if read[4] else 1)
        return -length if read[1] else length
    number = _NUMBER.match(token)
    if number is None or number[2] in ("", "."):
        return None
    top, _, bottom = number[2].partition("/")
    if bottom and not int(bottom):
        return None
    length = Fraction(top) / (int(bottom) if bottom else 1)
    return -length if number[1] else length


def _cell(text: str) -> Cell:
    return tuple(value for token in text.split() if (value := _value(token)) is not None)


def values_of(lengths: Sequence[Fraction]) -> str:
    """Lengths in quarters as note values.

    >>> values_of([Fraction(1), Fraction(-1, 2), Fraction(1, 2)])
    'q re e'
    """
    names = {length: letter for letter, length in VALUES.items()}
    names |= {length * _DOT: f"{letter}." for length, letter in list(names.items())}
    names |= {VALUES[letter] * _TRIPLET: f"{letter}3" for letter in "hqe"}
    return " ".join(("r" if length < 0 else "") + names.get(abs(length), f"{abs(length)}") for length in lengths)


def _skills() -> tuple[Skill, ...]:
    return tuple(Skill(one.name, one.level, f"{one.name} in {one.meter}", one.drill) for one in _FIGURES)


def _bar(figure: _Figure, rng: Random) -> list[Fraction]:
    """A bar that has a figure of the skill, and plain beats around it."""
    room = Fraction(figure.meter.ticks, QUARTER)
    cells = [_cell(rng.choice(figure.cells))]
    plain = [_cell(text) for text in _PLAIN[figure.meter.is_compound]]
    more = [*plain, *(_cell(text) for text in figure.cells)]
    while (left := room - sum(abs(length) for cell in cells for length in cell)) > 0:
        cells.append(rng.choice([cell for cell in more if sum(map(abs, cell)) <= left]))
    rng.shuffle(cells)
    return [length for cell in _on_beats(cells) for length in cell]


def _on_beats(cells: list[Cell]) -> list[Cell]:
    """Figures longer than a beat first, so that they begin on strong beats; no bar begins or ends with a whole rest."""
    order = sorted(cells, key=lambda cell: -min(sum(map(abs, cell)), Fraction(2)))
    silent, sung = ([cell for cell in order if (cell[0] < 0) is rests] for rests in (True, False))
    whole = silent and len(silent[0]) > 1
    if not sung or whole:
        return sung + silent
    return [*sung[:-1], *silent, sung[-1]] if len(sung) > 1 else [*sung, *silent]


def _sounds(lengths: Sequence[Fraction]) -> list[Sound]:
    sounds, at = [], Fraction(0)
    for length in lengths:
        if length > 0:
            sounds.append(Sound(float(at), float(length), _PITCH, _SPELLING))
        at += abs(length)
    return sounds


def _make(skill: Skill, rng: Random) -> dict[str, Any]:
    figure = next(one for one in _FIGURES if one.name == skill.name)
    bars = [_bar(figure, rng) for _ in range(_LENGTHS[skill.level])]
    lengths = [length for bar in bars for length in bar]
    written = piece_of(_sounds(lengths), _KEY, skill.level, figure.meter, len(bars))
    answer = " | ".join(values_of(bar) for bar in bars)
    count = "one bar" if len(bars) == 1 else f"{len(bars)} bars"
    return {
        "question": "Which rhythm is it?",
        "given": f"{figure.meter}, {count}, after a bar of clicks. Answer in values (w h q e s, a dot, 3 for a "
        f"triplet, r for a rest), in quarters (1 0.5 0.5 2) or in text (slots of {written.grids[0]}).",
        "played": counted_in(written),
        "written": written,
        "answer": answer,
        "about": f"It is {answer}.",
        "accepted": (
            answer,
            " ".join(f"{'r' if length < 0 else ''}{abs(length)}" for length in lengths),
            as_text(written),
        ),
        "data": {"meter": figure.meter, "bars": len(bars)},
    }


def _read(item: Item, answer: str) -> Score:
    """An answer as a piece."""
    if is_text(answer):
        return text_answer(answer, item.written)
    lengths = _values(answer)
    room = Fraction(item.data["meter"].ticks * item.data["bars"], QUARTER)
    total = sum(map(abs, lengths), Fraction(0))
    if total != room:
        raise LibrettoError(f"that fills {_told(total)} quarters; {_told(room)} were played")
    return piece_of(_sounds(lengths), _KEY, item.skill.level, item.data["meter"], item.data["bars"])


def _values(answer: str) -> list[Fraction]:
    """The note values of an answer, said in letters, words or numbers."""
    words = answer.casefold().replace("|", " ").replace(",", " ").replace("-", " ").split()
    tokens: list[str] = []
    dot = ""
    for word in words:
        if word == "dotted":
            dot = "."
        elif word in ("rest", "rests") and tokens:
            tokens[-1] = f"r{tokens[-1]}"
        elif word not in ("note", "notes"):
            tokens.append(_WORDS.get(word.removesuffix("s") if len(word) > 2 else word, word) + dot)
            dot = ""
    lengths = []
    for token in tokens:
        value = _value(token)
        if not value:
            raise LibrettoError(f"{token[:20]!r} is no note value; say q e e h, or 1 0.5 0.5 2")
        lengths.append(value)
    if not 1 <= len(lengths) <= _MOST:
        raise LibrettoError(f"a rhythm has 1 to {_MOST} note values; say q e e h, or 1 0.5 0.5 2")
    return lengths


def _told(value: Fraction) -> str:
    return str(int(value)) if value.denominator == 1 else f"{float(value):.2f}"


def _within(score: Score, start: int, stop: int) -> list[tuple[int, int]]:
    return [(note.onset, note.duration) for note in score.voices[0].notes if start <= note.onset < stop]


def _compare(item: Item, answer: str) -> Reply:
    said = _read(item, answer)
    own, other = ({(note.onset, note.duration) for note in score.voices[0].notes} for score in (item.written, said))
    if own == other:
        return Reply(True, 100, (f"Right. {item.about}",))
    lines, wrong = [item.about], 0
    beat = item.data["meter"].beat
    for bar in range(item.written.bars):
        start, stop = item.written.bar_lines[bar], item.written.bar_lines[bar + 1]
        for number, at in enumerate(range(start, stop, beat), 1):
            one, two = (_within(score, at, min(stop, at + beat)) for score in (item.written, said))
            if one != two:
                wrong += 1
                lines.append(f"Bar {bar + 1}, beat {number}: {_begun(one, at)}; yours: {_begun(two, at)}.")
    score = round(100 * 2 * len(own & other) / max(1, len(own) + len(other)))
    return Reply(False, min(99, score), tuple(lines), "", {"beats": wrong}, said)


def _begun(notes: Sequence[tuple[int, int]], at: int) -> str:
    """What begins within a beat, said in values."""
    if not notes:
        return "nothing begins"
    rest = [Fraction(at - notes[0][0], QUARTER)] if notes[0][0] > at else []
    return values_of([*rest, *(Fraction(length, QUARTER) for _, length in notes)])


kinds.register("rhythms")(Kind("rhythms", "A rhythm: which note values are they?", _skills(), _make, _compare))
