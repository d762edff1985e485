"""Chords by ear: triads and sevenths, and which of their tones lies lowest."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

from libretto.errors import LibrettoError
from libretto.score import parse_chord
from libretto.score.chords import QUALITIES
from libretto.score.pitch import letter_name, pitch_name
from libretto.tasks.training.item import Item, Kind, Reply, Skill, kinds
from libretto.tasks.training.making import Sound, home_key, lowest_near, piece_of, plain

__all__ = ["QUALITY_NAMES"]


class _Quality(NamedTuple):
    """A quality: its words, how chord labels write it, its tones on the line of fifths, and what else it is called."""

    words: str
    label: str
    fifths: tuple[int, ...]
    also: tuple[str, ...]


QUALITY_NAMES: dict[str, _Quality] = {
    row[0]: _Quality(*row)
    for row in (
        ("major", "", (0, 4, 1), ("maj",)),
        ("minor", "m", (0, -3, 1), ("min",)),
        ("diminished", "dim", (0, -3, -6), ("o",)),
        ("augmented", "aug", (0, 4, 8), ("+",)),
        ("suspended fourth", "sus4", (0, -1, 1), ("sus", "suspended", "suspended 4th", "sus 4")),
        ("dominant seventh", "7", (0, 4, 1, -2), ("dominant", "dominant 7", "dominant 7th", "dom7", "seventh")),
        ("major seventh", "maj7", (0, 4, 1, 5), ("major 7", "major 7th", "maj 7")),
        ("minor seventh", "m7", (0, -3, 1, -2), ("minor 7", "minor 7th", "min7", "min 7")),
        ("half-diminished seventh", "m7b5", (0, -3, -6, -2),
         ("half diminished", "half diminished seventh", "half diminished 7", "min7b5")),
        ("diminished seventh", "dim7", (0, -3, -6, -9), ("diminished 7", "diminished 7th", "fully diminished")),
    )
}  # fmt: skip
_POSITIONS = ("root position", "first inversion", "second inversion", "third inversion")
#: What each position is called besides, of triads and of sevenths.
_FIGURES = {
    3: (("root", "5/3", "53"), ("first", "1st", "1st inversion", "6", "6/3", "63"),
        ("second", "2nd", "2nd inversion", "6/4", "64")),
    4: (("root", "7"), ("first", "1st", "1st inversion", "6/5", "65"), ("second", "2nd", "2nd inversion", "4/3", "43"),
        ("third", "3rd", "3rd inversion", "4/2", "42")),
}  # fmt: skip
#: Which qualities and positions (0 for the root) are met on which level, in this order.
_ORDER = {
    1: (("major", 0), ("minor", 0)),
    2: (
        ("dominant seventh", 0), ("diminished", 0), ("major", 1), ("minor", 1), ("augmented", 0), ("major seventh", 0),
        ("minor seventh", 0), ("major", 2), ("minor", 2),
    ),
    3: (
        ("diminished seventh", 0), ("half-diminished seventh", 0), ("suspended fourth", 0), ("dominant seventh", 1),
        ("dominant seventh", 2), ("dominant seventh", 3), ("diminished", 1), ("minor seventh", 1), ("major seventh", 1),
    ),
}  # fmt: skip
_DRILLS = {
    "major": "major-triad", "minor": "minor-triad", "diminished": "diminished-triad", "augmented": "augmented-triad",
    "suspended fourth": "sus-four-chord", "dominant seventh": "dominant-seventh-chord",
    "major seventh": "major-seventh-chord", "minor seventh": "minor-seventh-chord",
    "half-diminished seventh": "half-diminished-chord", "diminished seventh": "diminished-seventh-chord",
}  # fmt: skip
_INVERSIONS = {1: "first-inversion", 2: "second-inversion", 3: "third-inversion-seventh"}
_TRIAD = 3
_FLATTEST, _SHARPEST = -8, 12
_TONES = ("root", "third", "fifth", "seventh")


def _name(quality: str, position: int) -> str:
    return quality if not position else f"{quality}, {_POSITIONS[position]}"


def _skills() -> tuple[Skill, ...]:
    rows = []
    for level, chords in _ORDER.items():
        for quality, position in chords:
            helps = _INVERSIONS[position] if position and len(_tones(quality)) == _TRIAD else _DRILLS[quality]
            helps = "seventh-inversions" if position and len(_tones(quality)) > _TRIAD else helps
            words = f"{quality} chord, {_POSITIONS[position]}"
            rows.append(Skill(_name(quality, position), level, words, helps))
    return tuple(rows)


def _tones(quality: str) -> tuple[int, ...]:
    """Semitones above the root."""
    return QUALITIES[QUALITY_NAMES[quality].label]


def _voiced(root: int, low: int, quality: str, position: int) -> list[tuple[int, int]]:
    """Pitches with their spellings in close position, from a lowest pitch of the right name on."""
    tones = list(zip(_tones(quality), QUALITY_NAMES[quality].fifths, strict=True))
    order = [(size, fifth) for size, fifth in tones[position:]] + [
        (size + 12, fifth) for size, fifth in tones[:position]
    ]
    return [(low + size - order[0][0], root + fifth) for size, fifth in order]


def _label(root: int, quality: str, position: int) -> str:
    bass = f"/{letter_name(root + QUALITY_NAMES[quality].fifths[position])}" if position else ""
    return f"{letter_name(root)}{QUALITY_NAMES[quality].label}{bass}"


def _make(skill: Skill, rng: Random) -> dict[str, Any]:
    quality, _, place = skill.name.partition(", ")
    position = _POSITIONS.index(place) if place else 0
    key = home_key(skill.level, rng, "minor" if quality == "minor" else "major")
    fifths = QUALITY_NAMES[quality].fifths
    readable = range(_FLATTEST - min(fifths), _SHARPEST - max(fifths) + 1)
    roots = [name for name in key.scale if name in readable] or [max(readable)]
    root = key.tonic if skill.level == 1 else rng.choice(roots)
    low = lowest_near(root + fifths[position], skill.level, 12, rng)
    chord = _voiced(root, low, quality, position)
    broken = [Sound(at, 1, *tone) for at, tone in enumerate(chord)]
    block = [Sound(4, 4, *tone) for tone in chord]
    label = _label(root, quality, position)
    written = piece_of([Sound(0, 4, *tone) for tone in chord], key, skill.level, chords=((label,),))
    names = " ".join(pitch_name(*tone) for tone in chord)
    several = skill.level > 1
    known = [_name(*one) for level, chords in _ORDER.items() if level <= skill.level for one in chords]
    return {
        "question": "Which chord is it" + (", in which position?" if several else "?"),
        "given": f"A chord, one tone after the other, then together; the lowest is {pitch_name(*chord[0])}.",
        "played": piece_of([*broken, *block], key, skill.level, bars=2),
        "written": written,
        "answer": skill.name,
        "about": f"It is {label}, {quality}, {_POSITIONS[position]}: {names}.",
        "accepted": (skill.name, label, f"{quality} {_FIGURES[len(chord)][position][-1]}"),
        "choices": tuple(known),
        "data": {"root": root, "low": chord[0], "quality": quality, "position": position},
    }


def _read(text: str, item: Item) -> tuple[str, int] | None:
    """The quality and the position that somebody names; a chord label counts by its own root."""
    said = plain(text)
    qualities = {
        plain(word): name for name, one in QUALITY_NAMES.items() for word in (name, one.label, *one.also) if word
    }
    for words, quality in sorted(qualities.items(), key=lambda pair: -len(pair[0])):
        if said == words:
            return quality, 0
        rest = said.removeprefix(f"{words} ")
        if rest == said:
            continue
        for position, others in enumerate(_FIGURES[len(_tones(quality))]):
            if rest in (_POSITIONS[position], *others):
                return quality, position
    return _labelled(text, item)


def _labelled(text: str, item: Item) -> tuple[str, int] | None:
    if text in ("M", "m"):
        return ("major" if text == "M" else "minor"), 0
    chord = parse_chord(text[:1].upper() + text[1:])
    if chord is None:
        return None
    for quality in QUALITY_NAMES:
        tones = _tones(quality)
        if chord.intervals == frozenset(tones):
            position = tones.index((chord.bass_class - chord.root_class) % 12)
            if item.data["low"][0] % 12 != chord.bass_class:
                low = pitch_name(*item.data["low"])
                raise LibrettoError(f"{text[:20]} does not stand on {low}; name a chord that does")
            return quality, position
    return None


def _compare(item: Item, answer: str) -> Reply:
    said = _read(answer, item)
    if said is None:
        raise LibrettoError(f"{answer[:40]!r} is no chord here; say it as {item.choices[-1]!r} or as a label")
    quality, position = item.data["quality"], item.data["position"]
    if said == (quality, position):
        return Reply(True, 100, (f"Right. {item.about}",))
    low, spelling = item.data["low"]
    root = spelling - QUALITY_NAMES[said[0]].fifths[said[1]]
    other = _voiced(root, low, *said)
    label = _label(root, *said)
    names = " ".join(pitch_name(*tone) for tone in other)
    lines = [item.about, f"On {pitch_name(low, spelling)}, {_name(*said)} would have been {label}: {names}."]
    if said[0] == quality:
        lines.append(f"The kind of chord is right; the lowest tone is its {_TONES[position]}.")
    elif said[1] == position and len(_tones(said[0])) == len(_tones(quality)):
        lines.append(_apart(item, other))
    answered = piece_of([Sound(0, 4, *tone) for tone in other], item.written.key, item.skill.level, chords=((label,),))
    score = 50 if said[0] == quality else 0
    mistake = f"{_name(*said)} for {item.answer}"
    return Reply(False, score, tuple(lines), _name(*said), {mistake: 1}, answered)


def _apart(item: Item, other: list[tuple[int, int]]) -> str:
    """Which tones differ, and by how much."""
    own = [(note.pitch, note.spelling) for note in item.written.voices[0].notes]
    told = [
        f"{pitch_name(*one)} instead of {pitch_name(*two)}, {abs(one[0] - two[0])} semitone"
        f"{'' if abs(one[0] - two[0]) == 1 else 's'} {'lower' if one[0] < two[0] else 'higher'}"
        for one, two in zip(own, other, strict=True)
        if one != two
    ]
    return f"What sounds differs by {'; '.join(told)}."


kinds.register("chords")(Kind("chords", "A chord: of which kind, in which position?", _skills(), _make, _compare))
