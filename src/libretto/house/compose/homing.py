"""Minor keys that are heard as such: loops of a minor key share their chords with the relative major, and only their
dominants and their tonics tell which of the two is home."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.score import Key, parse_chord
from libretto.score.chords import Chord
from libretto.score.pitch import letter_name

__all__ = ["homed"]

Bars = Sequence[tuple[str, ...]]
_PERIOD, _PHRASE = 8, 4  # bars
_SUBTONIC, _FIFTH_UP, _RELATIVE = 10, 7, 3  # semitones above the tonic
_FIFTH = 1  # on the line of fifths
_ROOT = 2  # how much a root counts beside other tones
_OFTEN = 4  # one chord in so many is the tonic's in a piece that is at home there
_CLEARLY = 1.25  # times that the tones of home outweigh those of the relative major


def homed(bars: Bars, key: Key) -> list[tuple[str, ...]]:
    """The same progression, at home in its minor key: where it is not, it begins there, phrases turn
    home over the dominant, and then the tonic stands for the relative major's, as often as it takes."""
    made = list(bars)
    if key.mode not in ("minor", "aeolian"):
        return made
    for way in (_opened, _periods, _relatives, _phrases):
        if _at_home(made, key):
            break
        made = way(made, key)
    if len(made) > 1 and _above(parse_chord(made[-2][-1]), key) == _RELATIVE:  # nothing closes from there
        made[-2] = (*made[-2][:-1], letter_name(key.tonic + _FIFTH))
    return made


def _at_home(bars: Bars, key: Key) -> bool:
    """Whether a progression begins on the tonic or often has it, and the tonic and its fifth sound longer in it than
    those of the relative major."""
    roots = [_above(parse_chord(label), key) for labels in bars for label in labels]
    if roots[0] != 0 and roots.count(0) * _OFTEN < len(roots):
        return False
    mass = [0.0] * 12
    for labels in bars:
        for chord in filter(None, map(parse_chord, labels)):
            for tone in chord.classes:
                mass[tone] += (_ROOT if tone == chord.root_class else 1) / len(labels)
    home, away = ((key.tonic_class + step) % 12 for step in (0, _RELATIVE))
    return mass[home] + mass[(home + _FIFTH_UP) % 12] > _CLEARLY * (mass[away] + mass[(away + _FIFTH_UP) % 12])


def _turned(bars: Bars, key: Key, every: int) -> list[tuple[str, ...]]:
    """The progression with the dominant at the end of every so many bars, where it went home without one."""
    dominant = letter_name(key.tonic + _FIFTH)
    made = list(bars)
    for place in range(every - 1, len(made) - 1, every):
        last, following = parse_chord(made[place][-1]), parse_chord(made[place + 1][0])
        if _above(last, key) in (_SUBTONIC, _FIFTH_UP) and _above(following, key) == 0:
            made[place] = (*made[place][:-1], dominant)
    return made


def _opened(bars: Bars, key: Key) -> list[tuple[str, ...]]:
    """The progression with the tonic in its first bar."""
    first = parse_chord(bars[0][0])
    return [(letter_name(key.tonic) + "m",) if _above(first, key) else bars[0], *bars[1:]]


def _periods(bars: Bars, key: Key) -> list[tuple[str, ...]]:
    return _turned(bars, key, _PERIOD)


def _phrases(bars: Bars, key: Key) -> list[tuple[str, ...]]:
    return _turned(bars, key, _PHRASE)


def _relatives(bars: Bars, key: Key) -> list[tuple[str, ...]]:
    """The progression with the tonic in place of the relative major's in every other bar that has it, where the tonic
    does not stand beside it."""
    tonic = letter_name(key.tonic) + "m"
    made, seen = list(bars), 0
    for place, labels in enumerate(bars):
        if len(labels) != 1 or _above(parse_chord(labels[0]), key) != _RELATIVE:
            continue
        around = [made[other][0] for other in (place - 1, place + 1) if 0 <= other < len(made)]
        if any(_above(parse_chord(label), key) == 0 for label in around):
            continue
        seen += 1
        if seen % 2:
            made[place] = (tonic,)
    return made


def _above(chord: Chord | None, key: Key) -> int | None:
    """How many semitones a root lies above the tonic."""
    return None if chord is None else (chord.root_class - key.tonic_class) % 12
