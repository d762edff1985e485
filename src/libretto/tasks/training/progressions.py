"""Chord progressions by ear, answered in degrees: I IV V I, 1 4 5 1, or as chord labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

from libretto.errors import LibrettoError
from libretto.score import Key, parse_chord
from libretto.score.pitch import letter_name, pitch_class_of
from libretto.tasks.training.item import Item, Kind, Reply, Skill, kinds
from libretto.tasks.training.making import Sound, home_key, piece_of

__all__ = ["DEGREES", "Degree"]


class Degree(NamedTuple):
    """A chord of a key: its numeral, its root above the tonic on the line of fifths, its quality, and what follows."""

    numeral: str
    root: int
    quality: str
    follows: str


_MAJOR = (
    Degree("I", 0, "", "ii iii IV V V7 vi viio V/V"), Degree("ii", 2, "m", "V V7 viio"),
    Degree("iii", 4, "m", "IV vi"), Degree("IV", -1, "", "I ii V V7 viio"), Degree("V", 1, "", "I vi"),
    Degree("V7", 1, "7", "I vi"), Degree("vi", 3, "m", "ii IV V V7 V/V"), Degree("viio", 5, "dim", "I"),
    Degree("V/V", 2, "", "V V7"),
)  # fmt: skip
_MINOR = (
    Degree("i", 0, "m", "iio III iv V VI VII"), Degree("iio", 2, "dim", "V"), Degree("III", -3, "", "iv VI VII"),
    Degree("iv", -1, "m", "i iio V VII"), Degree("V", 1, "", "i VI"), Degree("VI", -4, "", "iio iv V VII"),
    Degree("VII", -2, "", "III VI"),
)  # fmt: skip
#: The chords of each mode by numeral.
DEGREES = {"major": {one.numeral: one for one in _MAJOR}, "minor": {one.numeral: one for one in _MINOR}}
_TONES = {"": ((0, 0), (4, 4), (7, 1)), "m": ((0, 0), (3, -3), (7, 1)), "dim": ((0, 0), (3, -3), (6, -6)),
          "7": ((0, 0), (4, 4), (7, 1), (10, -2))}  # fmt: skip
#: Which chord is new in which mode, on which level, in this order; what came before may be heard with it.
_ORDER = {
    1: (("V", "major"), ("IV", "major")),
    2: (("V7", "major"), ("vi", "major"), ("ii", "major"), ("V", "minor"), ("iv", "minor"), ("VI", "minor")),
    3: (("iii", "major"), ("viio", "major"), ("V/V", "major"), ("VII", "minor"), ("III", "minor"), ("iio", "minor")),
}
_DRILLS = {
    ("V", "major"): "perfect-authentic-cadence", ("IV", "major"): "one-four-five-one",
    ("V7", "major"): "dominant-seventh-chord", ("vi", "major"): "one-six-four-five",
    ("ii", "major"): "two-five-one-major", ("iio", "minor"): "two-five-one-minor",
    ("V/V", "major"): "secondary-dominant-of-five", ("iii", "major"): "one-three-four-five",
}  # fmt: skip
_LENGTHS = {1: (3, 4), 2: (4, 4), 3: (5, 5)}
_SHORTEST = 3
_MOST_CHORDS = 32  # of an answer
_BASS, _TENOR, _TOP = 41, 55, 76  # the lowest bass, and between which the upper three lie
_NUMBERS = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7}
_TOKEN = re.compile(r"(?P<numeral>[ivIV]+|[1-7])(?P<more>(?:o|°|dim|m)?7?)(?P<of>/(?:[vV]|5))?\Z")


def _name(numeral: str, mode: str) -> str:
    return f"{numeral} in {mode}"


def _skills() -> tuple[Skill, ...]:
    return tuple(
        Skill(
            _name(*new),
            level,
            f"{new[0]} among the chords of a {new[1]} key",
            _DRILLS.get(new, "four-part-progression"),
        )
        for level, rows in _ORDER.items()
        for new in rows
    )


def _known(numeral: str, mode: str) -> list[Degree]:
    """The tonic and every chord of the mode up to the new one, in the order in which they are met; at least three."""
    met = [new for rows in _ORDER.values() for new in rows if new[1] == mode]
    names = [name for name, _ in met[: max(met.index((numeral, mode)) + 1, _SHORTEST - 1)]]
    return [DEGREES[mode]["I" if mode == "major" else "i"], *(DEGREES[mode][name] for name in names)]


def _rows(known: Sequence[Degree], length: int) -> list[list[Degree]]:
    """Every row of so many chords from home to home in which each follows the one before it."""
    rows = [[known[0]]]
    for _ in range(length - 2):
        rows = [[*row, one] for row in rows for one in known if one.numeral in row[-1].follows.split()]
    return [[*row, known[0]] for row in rows if known[0].numeral in row[-1].follows.split()]


def _row(new: Degree, known: Sequence[Degree], lengths: tuple[int, int], rng: Random) -> list[Degree]:
    """A row that begins and ends at home and has the new chord in it; of three chords where there is no longer one."""
    for length in (rng.randint(*lengths), _SHORTEST):
        rows = [row for row in _rows(known, length) if new in row]
        if rows:
            return rng.choice(rows)
    raise LibrettoError(f"no row of chords has {new.numeral}")


def _label(key: Key, one: Degree) -> str:
    return f"{letter_name(key.tonic + one.root)}{one.quality}"


def _voiced(key: Key, row: Sequence[Degree]) -> list[list[tuple[int, int]]]:
    """Bass and three upper tones a chord: the bass has the root, the upper ones move as little as they can."""
    ways, before = [], None
    for one in row:
        root = key.tonic + one.root
        tones = _TONES[one.quality]
        bass = _BASS + (pitch_class_of(root) - _BASS) % 12
        upper = tones if len(tones) == 3 else (tones[0], tones[1], tones[3])  # a seventh chord without its fifth
        options = []
        for order in permutations(upper):
            low = _TENOR + (pitch_class_of(root) + order[0][0] - _TENOR) % 12
            chord = [(low, root + order[0][1])]
            for size, fifth in order[1:]:
                step = (pitch_class_of(root) + size - chord[-1][0]) % 12
                chord.append((chord[-1][0] + step, root + fifth))
            options += [
                [(pitch + shift, name) for pitch, name in chord] for shift in (0, 12) if chord[-1][0] + shift <= _TOP
            ]
        near = before or [(60, 0), (64, 4), (67, 1)]
        best = min(options, key=lambda chord: sum(abs(a[0] - b[0]) for a, b in zip(chord, near, strict=True)))
        ways.append([(bass, root), *best])
        before = best
    return ways


def _piece(key: Key, row: Sequence[Degree], level: int) -> Any:
    sounds = [Sound(2 * place, 2, *tone) for place, chord in enumerate(_voiced(key, row)) for tone in chord]
    labels = [_label(key, one) for one in row]
    bars = [
        tuple(labels[at : at + 2]) if len(labels[at : at + 2]) > 1 else (labels[at],) for at in range(0, len(labels), 2)
    ]
    return piece_of(sounds, key, level, bars=len(bars), chords=bars)


def _make(skill: Skill, rng: Random) -> dict[str, Any]:
    numeral, _, mode = skill.name.partition(" in ")
    key = home_key(skill.level, rng, mode)
    known = _known(numeral, mode)
    row = _row(DEGREES[mode][numeral], known, _LENGTHS[skill.level], rng)
    score = _piece(key, row, skill.level)
    answer = " ".join(one.numeral for one in row)
    labels = " ".join(_label(key, one) for one in row)
    return {
        "question": "Which chords are they?",
        "given": f"{len(row)} chords in {key}; the first is {row[0].numeral}. "
        f"Of {', '.join(one.numeral for one in known)}.",
        "played": score,
        "written": score,
        "answer": answer,
        "about": f"It is {answer}: {labels}.",
        "accepted": (answer, labels),
        "data": {"key": key, "row": tuple(row)},
    }


def _read(word: str, key: Key) -> Degree | None:
    """One chord of an answer: a numeral, a digit or a label."""
    mode = "minor" if key.is_minor else "major"
    chords = DEGREES[mode]
    if word in chords:
        return chords[word]
    read = _TOKEN.match(word)
    if read is not None:
        numeral = read["numeral"]
        number = int(numeral) if numeral.isdigit() else _NUMBERS.get(numeral.casefold(), 0)
        seventh = read["more"].endswith("7")
        for one in chords.values():
            own = re.match(r"[ivIV]+", one.numeral)
            same = own is not None and _NUMBERS[own[0].casefold()] == number
            if same and ("/" in one.numeral) == bool(read["of"]) and one.numeral.endswith("7") == seventh:
                return one
    chord = parse_chord(word[:1].upper() + word[1:])
    if chord is None:
        return None
    for one in chords.values():
        classes = {(pitch_class_of(key.tonic + one.root) + size) % 12 for size, _ in _TONES[one.quality]}
        if chord.root_class == pitch_class_of(key.tonic + one.root) and chord.classes == classes:
            return one
    return None


def _chords(item: Item, answer: str) -> list[Degree]:
    """The chords of an answer; refused where one is none."""
    key = item.data["key"]
    words = answer.replace(",", " ").replace("|", " ").replace(" - ", " ").split()[:_MOST_CHORDS]
    said = [(word, _read(word, key)) for word in words]
    unread = [word for word, one in said if one is None]
    if unread or not words:
        example = item.given.rpartition("Of ")[2]
        raise LibrettoError(f"{(unread or [answer])[0][:20]!r} is no chord of {key} here; there are {example}")
    return [one for _, one in said if one is not None]


def _compare(item: Item, answer: str) -> Reply:
    key, row = item.data["key"], item.data["row"]
    chords = _chords(item, answer)
    if tuple(chords) == row:
        return Reply(True, 100, (f"Right. {item.about}",))
    lines, mistakes = [item.about], Counter[str]()
    heard = ""
    for place, one in enumerate(row):
        other = chords[place] if place < len(chords) else None
        if other != one:
            lines.append(_told(key, place, one, other))
            mistakes[f"{other.numeral if other else 'nothing'} for {one.numeral}"] += 1
            heard = heard or (other.numeral if other else "")
    if len(chords) > len(row):
        lines.append(f"You named {len(chords)} chords; {len(row)} were played.")
        mistakes["too many"] = len(chords) - len(row)
    right = sum(one == other for one, other in zip(row, chords, strict=False))
    score = round(100 * right / max(len(row), len(chords)))
    instead = _name(heard, "minor" if key.is_minor else "major") if heard else ""
    return Reply(False, score, tuple(lines), instead, dict(mistakes), _piece(key, chords, item.skill.level))


def _told(key: Key, place: int, one: Degree, other: Degree | None) -> str:
    """What was another chord: both by name, with the tones that they share."""
    tones = [
        [letter_name(key.tonic + chord.root + fifth) for _, fifth in _TONES[chord.quality]]
        for chord in (one, other or one)
    ]
    own = f"{one.numeral}, {_label(key, one)} ({' '.join(tones[0])})"
    if other is None:
        return f"Chord {place + 1} is {own}; you named none."
    shared = [name for name in tones[0] if name in tones[1]]
    both = f"both have {' and '.join(shared)}" if shared else "they share no tone"
    return f"Chord {place + 1} is {own}, not {other.numeral}, {_label(key, other)} ({' '.join(tones[1])}): {both}."


kinds.register("progressions")(
    Kind("progressions", "Chords in a row: which degrees are they?", _skills(), _make, _compare)
)
