"""Colours of chords: how players of jazz and its kin, and of old music, voice a seventh chord where somebody else has
its root, and how a choir sings in four parts and leans on its amen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from libretto.house.compose.plan import Plan
from libretto.house.core.line import ladder
from libretto.house.core.tones import ChordSpan
from libretto.house.core.voicing import Pitches

__all__ = ["HIGHEST", "amen", "four_parts", "leaning", "over_bass", "reaching", "rootless", "with_ninth"]

HIGHEST = 120  #: of all pitches
_NINTH = 2  # semitones above the root
_CLEAR = (52, 71)  # E3 to B4: where four notes close together are heard apart
_OPENED = 5  # semitones by which a chord that is opened for a hand may reach further down
_FOURTH, _LOW_SIXTH = 5, 8  # semitones above the root
_APART, _BASS_VOICE = 3, 60  # semitones between voices at least, and how high the lowest of a choir sings
_THIRDS, _FIFTHS, _SEVENTHS = (4, 3, 5), (6, 7, 8), (10, 11)  # beside a major third a minor one is a sharp ninth
_FLAT_NINTH, _SHARP_NINTH = 1, 3  # which a chord may have in place of the usual one
_TRIAD, _FIFTH = (3, 4), 7  # thirds and the fifth of triads that may have a ninth
_THREE = 3  # tones of a triad
_SEVENTH_CHORD = 3  # above the root: more than these are a ninth chord and its kin


def with_ninth(
    plan: Plan,
    span: ChordSpan,
    low: int,
    high: int,
    before: Sequence[int] | None,
    ceiling: int = HIGHEST,
    *,
    triads: bool = False,
    fits: Callable[[Pitches], bool] | None = None,
) -> Pitches | None:
    """A seventh chord without its root, as pianists stack it: third, fifth, seventh and ninth, or the upper two below
    the others, whichever is nearer to the chord ``before``, and a triad (``triads``) as third, fifth and ninth; None
    where it is neither or neither chord nor scale has such a ninth. Where a hand has to hold it (``fits``) it may be
    opened."""
    ninth = _ninth_of(span)
    stacks = _stacks(span, ninth, triads)
    if not stacks or (span.root + ninth) % 12 not in plan.scale_at(span):
        return None
    low = max(low, _CLEAR[0])
    usual, high = (low + high) / 2, min(ceiling, max(high, _CLEAR[1]))
    ways = [
        tuple(span.root + tone + 12 * octave for tone in stack)
        for stack in stacks
        for octave in range(2, 7)
        if low <= span.root + stack[0] + 12 * octave and span.root + stack[-1] + 12 * octave <= high
    ]
    if fits is not None:
        opened = [tuple(sorted((*way[:-2], way[-2] - 12, way[-1]))) for way in ways]
        ways = [way for way in (*ways, *opened) if way[0] >= low - _OPENED and fits(way)]
    middle = sum(before) / len(before) if before else usual
    return min(ways, key=lambda way: (abs(sum(way) / len(way) - middle), way), default=None)


def rootless(plan: Plan, span: ChordSpan, below: Sequence[int], pitch: int) -> list[int]:
    """The tones of a triad below one that leads, with a ninth in place of the root of a major chord and a seventh in
    place of that of a minor one, where the scale has it and it rubs with none of the others."""
    step = _NINTH if _TRIAD[1] in span.tones else -_NINTH
    made = list(below)
    triad = len(span.chord.classes) <= _THREE
    for place, tone in enumerate(below):
        other = tone + step
        clear = all(abs(other - one) > 1 for one in (*below, pitch) if one != tone)
        if triad and tone % 12 == span.root and other % 12 in plan.scale_at(span) and clear:
            made[place] = other
    return sorted(made)


def _ninth_of(span: ChordSpan) -> int:
    """The ninth of a chord, in semitones above its root: its own where that is flat or sharp."""
    if _FLAT_NINTH in span.tones:
        return _FLAT_NINTH
    return _SHARP_NINTH if {_SHARP_NINTH, max(_TRIAD)} <= {*span.tones} else _NINTH


def _stacks(span: ChordSpan, ninth: int, triads: bool) -> tuple[tuple[int, ...], ...]:
    """The ways to stack a chord with its ninth and without its root, in semitones above that; none where it has no
    third and fifth, or no seventh and is not to be one of the ``triads``."""
    tones = [next((tone for tone in kind if tone in span.tones), None) for kind in (_THIRDS, _FIFTHS, _SEVENTHS)]
    third, fifth, seventh = (int(tone or 0) for tone in tones)
    if None not in tones:
        return ((third, fifth, seventh, ninth + 12), (seventh, ninth + 12, third + 12, fifth + 12))
    if not triads or set(span.tones) != {0, third, fifth} or third not in _TRIAD or fifth != _FIFTH:
        return ()
    close = (third, fifth, _NINTH + 12)
    return (close,) if third == min(_TRIAD) else (close, (fifth, _NINTH + 12, third + 12))


class _Upper(NamedTuple):
    """What is left of a chord above its bass: its root, which is not played, its bass, and the tones above the root."""

    root: int
    bass: int
    tones: tuple[int, ...]


def over_bass(plan: Plan, span: ChordSpan, *, plain: bool) -> ChordSpan | _Upper:
    """A seventh chord without its root: third, fifth and seventh, as a right hand plays it over a figured bass
    (``plain``), and one with a ninth or a thirteenth where somebody else plays the bass; any other chord as it is."""
    upper = tuple(tone for tone in span.tones if tone)
    sevenths = set(_SEVENTHS) & set(upper) and set(_THIRDS) & set(upper)
    rich = len(upper) > _SEVENTH_CHORD and any(player.role == "bass" for player in plan.players)
    return _Upper(span.root, span.bass, upper) if sevenths and (rich or (plain and len(upper) > 2)) else span


def amen(plan: Plan, span: ChordSpan) -> frozenset[int]:
    """The chord a fourth above another, over the same root: major over major, and what the key has over minor."""
    minor = min(_THIRDS) in span.tones and (span.root + _LOW_SIXTH) % 12 in plan.scale
    return frozenset((span.root + tone) % 12 for tone in (0, _FOURTH, _LOW_SIXTH if minor else _LOW_SIXTH + 1))


def leaning(plan: Plan, span: ChordSpan, voiced: Sequence[int]) -> list[int]:
    """A chord as it is voiced, moved to its amen: every tone goes up to the next one that the amen has, or stays."""
    classes = amen(plan, span)
    return sorted({next(tone for tone in range(pitch, pitch + 12) if tone % 12 in classes) for pitch in voiced})


def reaching(plan: Plan, span: ChordSpan, voiced: Sequence[int]) -> list[int]:
    """A chord as it is voiced, with its top note on the step above: a fourth for a third, a ninth for a root."""
    rungs = ladder(plan.scale_at(span), voiced[-1] + 1, voiced[-1] + 3)
    return [*voiced[:-1], *rungs[:1]] if rungs else list(voiced)


def four_parts(classes: frozenset[int], root: int, pitch: int, low: int) -> list[int]:
    """The three voices that a choir sings below one: two close to it, and a bass on the root in its own register."""
    upper = [tone for tone in ladder(classes, pitch - 12, pitch - _APART) if tone >= low][-2:]
    if not upper:
        return []
    deep = [tone for tone in range(low, min(_BASS_VOICE, upper[0] - _APART) + 1) if tone % 12 == root]
    return [*deep[-1:], *upper]
