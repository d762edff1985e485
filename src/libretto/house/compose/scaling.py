"""Chords of a scale: what a progression becomes where the scale is neither major nor minor."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.contract.scales import scale_named
from libretto.score import Key, parse_chord
from libretto.score.pitch import letter_name

__all__ = ["scaled_chords", "steps_in_key"]

_TUNES_ONLY = ((0, 3, 5, 6, 7, 10), (0, 2, 3, 4, 7, 9))  # the blues scales
_FEW = 6  # notes of a scale that has no chords of its own: tunes are in it, chords in its major or minor
_FIFTHS = (0, -5, 2, -3, 4, -1, 6, 1, -4, 3, -2, 5)  # intervals on the line of fifths
#: Kinds of chords by their intervals, the plainest first.
_TONES = {"": (0, 4, 7), "m": (0, 3, 7), "sus4": (0, 5, 7), "5": (0, 7), "dim": (0, 3, 6), "aug": (0, 4, 8)}
_NEAR = (2, -2, 1, -1, 3)  # semitones to other roots


def steps_in_key(scale: str) -> tuple[int, ...]:
    """The semitones of a scale that was asked for; empty for none, or where a key says it all."""
    known = scale_named(scale) if scale else None
    return known.semitones if known is not None and known.name not in ("ionian", "aeolian") else ()


def scaled_chords(bars: Sequence[tuple[str, ...]], key: Key, steps: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """The same progression with every chord made of notes of the scale: on the same root where that has one, else on
    the nearest root that has. Scales of few notes leave chords as they are."""
    if (not steps and key.mode in ("major", "minor")) or 0 < len(steps) < _FEW or tuple(steps) in _TUNES_ONLY:
        return tuple(bars)
    steps = steps or tuple((tone - key.tonic_class) % 12 for tone in key.classes)
    scale = frozenset((key.tonic_class + step) % 12 for step in steps)
    return tuple(tuple(_in_scale(label, scale, key) for label in bar) for bar in bars)


def _in_scale(label: str, scale: frozenset[int], key: Key) -> str:
    chord = parse_chord(label)
    if chord is None or set(chord.classes) <= scale:
        return label
    same, other = ("m", "") if chord.is_minor else ("", "m")
    ways = (
        [(away, same) for away in (0, -3)] + [(0, other)] + [(away, name) for away in _NEAR for name in (same, other)]
    )
    ways += [(away, name) for away in (0, *_NEAR) for name in _TONES]
    for away, name in ways:
        root = (chord.root_class + away) % 12
        if all((root + tone) % 12 in scale for tone in _TONES[name]):
            return _spelled(root, key) + name
    return label


def _spelled(root: int, key: Key) -> str:
    """The name of a root: as the key spells it, else by its place above the tonic."""
    own = next((spelling for spelling in key.scale if spelling * 7 % 12 == root), None)
    return letter_name(own if own is not None else key.tonic + _FIFTHS[(root - key.tonic_class) % 12])
