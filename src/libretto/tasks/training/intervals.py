"""Intervals by ear: one note after the other, up or down, or both at once."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from libretto.errors import LibrettoError
from libretto.score.pitch import letter_name, pitch_name
from libretto.tasks.training.item import Item, Kind, Reply, Skill, kinds
from libretto.tasks.training.making import Sound, home_key, lowest_near, piece_of, plain

__all__ = ["INTERVALS", "Interval", "interval_named", "semitones_in_words"]


class Interval(NamedTuple):
    """An interval: its short name, in words, semitones, and how far its notes lie apart on the line of fifths."""

    name: str
    words: str
    size: int
    fifths: int


INTERVALS: dict[str, Interval] = {
    row[0]: Interval(*row)
    for row in (
        ("m2", "minor second", 1, -5),
        ("M2", "major second", 2, 2),
        ("m3", "minor third", 3, -3),
        ("M3", "major third", 4, 4),
        ("P4", "perfect fourth", 5, -1),
        ("TT", "tritone", 6, 6),
        ("P5", "perfect fifth", 7, 1),
        ("m6", "minor sixth", 8, -4),
        ("M6", "major sixth", 9, 3),
        ("m7", "minor seventh", 10, -2),
        ("M7", "major seventh", 11, 5),
        ("P8", "perfect octave", 12, 0),
        ("m9", "minor ninth", 13, -5),
        ("M9", "major ninth", 14, 2),
        ("m10", "minor tenth", 15, -3),
        ("M10", "major tenth", 16, 4),
    )
}
#: On which level each interval is met, in which way, and in which order. The first level has the ladder's second to
#: fifth and the octave, upwards; the third reaches the widest leap of its level.
_ORDER = {
    1: {"up": "P5 M3 P8 M2 P4 m3 m2"},
    2: {"up": "M6 m6 m7 M7 TT", "down": "P5 m3 M2 P4 M3 m2 P8", "together": "P8 P5 M3 m3 P4"},
    3: {"up": "M9 M10 m10 m9", "down": "m6 M6 TT m7 M7", "together": "M6 m6 TT m2 M2 m7 M7"},
}
_FLATTEST, _SHARPEST = -6, 10  # Gb and A#: nobody is asked about an interval with a double accidental
_WAYS = {"up": "one note after the other, upwards", "down": "one note after the other, downwards",
         "together": "both notes at once"}  # fmt: skip
_DRILLS = {
    "m2": "minor-second-feature", "m3": "minor-third-feature", "M3": "major-third-feature",
    "P4": "perfect-fourth-feature", "TT": "tritone-feature", "P5": "perfect-fifth-feature",
    "m6": "minor-sixth-feature", "M6": "major-sixth-feature", "m7": "minor-seventh-feature",
    "P8": "perfect-octave-feature",
}  # fmt: skip
_NUMBERS = {"second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th",
            "octave": "8th", "ninth": "9th", "tenth": "10th"}  # fmt: skip
_ALONE = {"fourth": "P4", "fifth": "P5", "octave": "P8", "4th": "P4", "5th": "P5", "8th": "P8", "4": "P4", "5": "P5",
          "8": "P8", "augmented fourth": "TT", "diminished fifth": "TT", "augmented 4th": "TT", "diminished 5th": "TT",
          "a4": "TT", "d5": "TT", "aug4": "TT", "dim5": "TT", "#4": "TT", "b5": "TT", "tt": "TT", "half step": "m2",
          "semitone": "m2", "whole step": "M2", "whole tone": "M2", "tone": "M2", "step": "M2"}  # fmt: skip


def _skills() -> tuple[Skill, ...]:
    rows = []
    for level, ways in _ORDER.items():
        for way, names in ways.items():
            for name in names.split():
                helps = "harmonic-intervals" if way == "together" else "melodic-intervals"
                words = f"{INTERVALS[name].words}, {_WAYS[way]}"
                rows.append(Skill(f"{name} {way}", level, words, _DRILLS.get(name, helps)))
    return tuple(rows)


def semitones_in_words(count: int) -> str:
    """A number of semitones, said."""
    return f"{count} semitone" + ("" if count == 1 else "s")


def interval_named(text: str) -> Interval | None:
    """The interval that somebody names: ``P5``, ``perfect fifth``, ``5th``, ``7 semitones``; None where it is none.

    >>> interval_named("minor 3rd").name, interval_named("M3").name
    ('m3', 'M3')
    """
    word = text.strip()
    for way in _WAYS:
        word = word.removesuffix(f" {way}")
    if word in INTERVALS:
        return INTERVALS[word]
    said = plain(word)
    by_words = _ALONE.get(said)
    for one in INTERVALS.values():
        first, _, last = one.words.partition(" ")
        spoken = {one.words, f"{first} {_NUMBERS.get(last, last)}", f"{first[:3]} {last}", f"{one.size} semitones"}
        spoken |= {f"{first[:3]} {_NUMBERS.get(last, last)}", f"{first[:3]}{last}", f"{one.size} semitone"}
        shorts = {one.name.casefold()} if one.name[0] == "P" else set()
        if said in spoken | shorts or by_words == one.name:
            return one
    return None


def _make(skill: Skill, rng: Random) -> dict[str, Any]:
    short, _, way = skill.name.partition(" ")
    wanted = INTERVALS[short]
    key = home_key(skill.level, rng)
    degrees = key.scale if skill.level > 1 else (key.tonic,)  # first from the tonic, as the ladder has it
    readable = [name for name in degrees if _FLATTEST <= name + wanted.fifths <= _SHARPEST]
    first = rng.choice(readable or (key.tonic,))
    low = lowest_near(first, skill.level, wanted.size, rng)
    ends = [(low, first), (low + wanted.size, first + wanted.fifths)]
    if way == "down":
        ends.reverse()
    places = ((0, 4), (0, 4)) if way == "together" else ((0, 2), (2, 2))
    sounds = [Sound(at, length, *end) for (at, length), end in zip(places, ends, strict=True)]
    score = piece_of(sounds, key, skill.level)
    names = [pitch_name(*end) for end in ends]
    choices = [one for level, ways in _ORDER.items() if level <= skill.level for one in ways.get(way, "").split()]
    joined = " and ".join(names) if way == "together" else f"{names[0]} {way} to {names[1]}"
    return {
        "question": "Which interval is it?",
        "given": f"Two notes, {_WAYS[way]}; the {'lower' if way == 'together' else 'first'} is {names[0]}.",
        "played": score,
        "written": score,
        "answer": short,
        "about": f"It is a {wanted.words} ({short}): {joined}, {semitones_in_words(wanted.size)}.",
        "accepted": (short, wanted.words, semitones_in_words(wanted.size)),
        "choices": tuple(sorted(choices, key=lambda name: INTERVALS[name].size)),
        "data": {"way": way, "first": ends[0]},
    }


def _compare(item: Item, answer: str) -> Reply:
    said, wanted = interval_named(answer), INTERVALS[item.answer]
    if said is None:
        raise LibrettoError(f"{answer[:40]!r} is no interval; say it as m3, minor third or 3 semitones")
    if said == wanted:
        return Reply(True, 100, (f"Right. {item.about}",))
    pitch, spelling = item.data["first"]
    way = -1 if item.data["way"] == "down" else 1
    other = (pitch + way * said.size, spelling + way * said.fifths)
    off = said.size - wanted.size
    together = item.data["way"] == "together"
    place = (0.0, 4.0) if together else (2.0, 2.0)
    sounds = [Sound(0, 4 if together else 2, pitch, spelling), Sound(*place, *other)]
    shape = "wide" if off > 0 else "narrow"
    lines = (
        item.about,
        f"A {said.words} from {letter_name(spelling)} would have been {pitch_name(*other)}: "
        f"{semitones_in_words(abs(off))} too {shape}.",
    )
    answered = piece_of(sounds, item.written.key, item.skill.level)
    return Reply(False, 0, lines, f"{said.name} {item.data['way']}", {f"{said.name} for {wanted.name}": 1}, answered)


kinds.register("intervals")(Kind("intervals", "Two notes: how far apart are they?", _skills(), _make, _compare))
