"""What a part does over a chord, told by degrees, so that it can be done over any other chord.

A pitch over a chord is a degree of the scale on its root, perhaps altered, so many octaves above the root. The same
degree over another chord is the same gesture: a third stays a third, a step into the next root stays a step.
"""

from __future__ import annotations

from functools import lru_cache

from libretto.score import Chord

__all__ = ["colours", "ladder_of", "moved", "nearest_tone", "root_move"]

_MAJOR, _MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)
_DEGREES = {0: 0, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 4, 7: 4, 8: 4, 9: 5, 10: 6, 11: 6}
_RICH = 4  # tones of a chord that takes further colours
_MINOR_THIRD, _FIFTHS = 3, (6, 8)


@lru_cache(maxsize=4096)
def ladder_of(chord: Chord, scale: frozenset[int]) -> tuple[int, ...]:
    """Seven degrees above the root of a chord, in semitones: the scale's, but for those that the chord has itself."""
    root, tones = chord.root_class, chord.intervals
    plain = list(_MINOR if _MINOR_THIRD in tones else _MAJOR)
    own = sorted((tone - root) % 12 for tone in scale)
    if 0 not in own:
        own = sorted({0, *own})
    if len(own) == len(plain):
        plain = own
    for tone in sorted(tones):
        degree = _DEGREES[tone]
        if tone in _FIFTHS and 7 in tones:  # a sixth or a sharp eleventh beside a fifth
            degree = 5 if tone == 8 else 3
        plain[degree] = tone
    return tuple(plain)


@lru_cache(maxsize=65536)
def _place(interval: int, ladder: tuple[int, ...]) -> tuple[int, int]:
    """The degree of an interval below an octave, and by how much it is altered."""
    if interval in ladder:
        return ladder.index(interval), 0
    below = [degree for degree, tone in enumerate(ladder) if tone < interval]
    degree = max(below, key=lambda degree: ladder[degree], default=0)
    return degree, interval - ladder[degree]


def moved(pitch: int, old: Chord, old_scale: frozenset[int], new: Chord, new_scale: frozenset[int], by: int) -> int:
    """A pitch over one chord as the same gesture over another, whose root lies ``by`` semitones from the first's.

    A chord tone stays one: where the new chord has no seventh or ninth, it is the nearest tone that it has. What is
    foreign to the old scale is foreign to the new one only between two of its steps.
    """
    octaves, interval = divmod(pitch - old.root_class, 12)
    degree, altered = _place(interval, ladder_of(old, old_scale))
    ladder = ladder_of(new, new_scale)
    step = ladder[degree] + altered
    if interval in old.intervals and not colours(step, new, new_scale):
        step = nearest_tone(step, new.intervals)
    elif altered and (new.root_class + step) % 12 not in new_scale:
        step = ladder[degree]
    return old.root_class + by + 12 * octaves + step


def colours(step: int, chord: Chord, scale: frozenset[int]) -> bool:
    """Whether a step above the root belongs to a chord: one of its tones or, over a chord of four and more, a tone of
    the scale that does not rub against one."""
    tone = step % 12
    if tone in chord.intervals:
        return True
    rubs = (tone - 1) % 12 in chord.intervals
    return len(chord.intervals) >= _RICH and (chord.root_class + tone) % 12 in scale and not rubs


def nearest_tone(step: int, tones: frozenset[int]) -> int:
    """The tone of a chord nearest a step above its root, the higher of two; it may lie in the next octave."""
    around = [tone + octave for tone in tones for octave in (-12, 0, 12)]
    return min(around, key=lambda tone: (abs(tone - step), -tone))


def root_move(old: Chord, new: Chord, near: int) -> int:
    """How far the root of a chord moves to become that of another, about ``near`` semitones."""
    way = (new.root_class - old.root_class) % 12
    return min((way - 24, way - 12, way, way + 12, way + 24), key=lambda move: (abs(move - near), move))
