"""The twelve bars of a blues over the chords that were asked for, each in its place."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.score.chords import parse_chord
from libretto.score.keys import Key
from libretto.score.pitch import letter_name

__all__ = ["blues_bars", "may_be_blues", "three_of_blues", "usual_blues"]

_CHORUS = 12  # bars
_FOURTH, _FIFTH, _SECOND, _SIXTH = 5, 7, 2, 8  # semitones of a root above the tonic
_HOME = frozenset({0, _FOURTH, _FIFTH, _SECOND, _SIXTH})  # of those that have a place in a chorus
#: The places of a chorus: one, four and five; and what stands in the third line where there is a second or a sixth.
_PLACES = ["1", "1", "1", "1", "4", "4", "1", "1", "5", "4", "1", "5"]
_THIRD_LINE = slice(8, 12)


def blues_bars(asked: Sequence[str], tonic: int, bars: int) -> list[tuple[str, ...]] | None:
    """The chords of so many bars of twelve-bar blues on a tonic; None where the chords asked for do not make one.

    The piece comes home in its last bar.

    >>> [label for (label,) in blues_bars(["A7", "D7", "E7"], 9, 12)]
    ['A7', 'A7', 'A7', 'A7', 'D7', 'D7', 'A7', 'A7', 'E7', 'D7', 'A7', 'A7']
    """
    if len(asked) >= _CHORUS or not asked:
        return None
    by_root: dict[int, str] = {}
    for label in asked:
        chord = parse_chord(label)
        if chord is None:
            return None
        by_root.setdefault((chord.root_class - tonic) % 12, label)
    if 0 not in by_root or _FOURTH not in by_root or _FIFTH not in by_root:
        return None
    names = {"1": by_root[0], "4": by_root[_FOURTH], "5": by_root[_FIFTH]}
    chorus = [names[place] for place in _PLACES]
    before_five = by_root.get(_SIXTH) or by_root.get(_SECOND)
    if before_five is not None:
        chorus[_THIRD_LINE] = [before_five, names["5"], names["1"], names["5"]]
    made: list[tuple[str, ...]] = [(chorus[bar % _CHORUS],) for bar in range(bars)]
    made[-1] = (names["1"],)
    return made


def may_be_blues(asked: Sequence[str], key: Key | None) -> bool:
    """Whether chords, none or some that all have their places in it, do not speak against a blues.

    >>> may_be_blues(["E7", "A7", "B7"], Key.parse("E")), may_be_blues(["E", "B", "C#m", "A"], Key.parse("E"))
    (True, False)
    """
    if not asked or key is None:
        return not asked
    placed = blues_bars(asked, key.tonic_class, _CHORUS) is not None
    roots = {(chord.root_class - key.tonic_class) % 12 for chord in map(parse_chord, asked) if chord is not None}
    return placed and roots <= _HOME


def three_of_blues(asked: Sequence[str], key: Key | None) -> bool:
    """Whether chords are the three of a blues, sevenths or of a minor key, each told once: ``using A7, D7 and E7``.

    >>> three_of_blues(["A7", "D7", "E7"], Key.parse("A")), three_of_blues(["A7", "D7", "E7", "A7"], Key.parse("A"))
    (True, False)
    """
    blue = all(label.endswith(("7", "9", "13")) and "maj" not in label for label in asked)
    blue = blue or (key is not None and key.is_minor)
    return len(asked) == len({"1", "4", "5"}) and blue and may_be_blues(asked, key)


def usual_blues(key: Key) -> tuple[str, str, str]:
    """The three chords of a blues in a key.

    >>> usual_blues(Key.parse("F")), usual_blues(Key.parse("A minor"))
    (('F7', 'Bb7', 'C7'), ('Am7', 'Dm7', 'E7'))
    """
    quality = "m7" if key.is_minor else "7"
    return letter_name(key.tonic) + quality, letter_name(key.tonic - 1) + quality, letter_name(key.tonic + 1) + "7"
