"""Chords: comping, pads, arpeggios and stabs, with voicings that lead into each other.

Signs: ``C`` the chord, ``c`` softly, ``X`` accented, ``x`` a scratch, ``u`` its upper three notes, ``1`` to ``6`` one
note of it, ``l`` and ``L`` a low root or fifth, ``O`` and ``i`` its lowest note in octaves and the notes between (a
montuno), ``b`` root and sixth (a boogie).
"""

from __future__ import annotations

from libretto.house.compose.band import Player
from libretto.house.compose.figures import chosen_pattern, own_register, own_size, own_voicing
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.patterns import Sketch, Stroke, strokes
from libretto.house.core.tones import ChordSpan, fold
from libretto.house.core.voicing import Pitches, voice

__all__ = ["write_chords"]

_LEAST_ROOM = 14  # semitones below a tune that are enough for chords
_DOWNBEAT, _RENEWED = 4, -2  # accents
_ACCENTS = {"c": -10, "X": 8, "u": -6, "U": -6, "x": -22, "b": -2}
_SIXTH, _FIFTH, _FLAT_FIFTH = 9, 7, 6  # semitones
_OOM = 17  # semitones below its chords that a hand has for an oom
_TIED = 4  # bars that a common tone is held at most
_USUAL = (50, 74)
_FULLER, _LONGER = 0.35, 0.4  # what the knobs do
_EARLY = 8  # parts of a bar: no earlier than one is a chord anticipated
_SIZES = {"comping": 4, "pad": 4, "arpeggio": 4, "stabs": 3}
_REGISTERS = {"comping": (50, 74), "pad": (50, 76), "arpeggio": (50, 79), "stabs": (55, 79)}


class _Hands:
    """Where a chord player's hands are, and what they can hold."""

    def __init__(self, plan: Plan, player: Player, ceiling: int | None) -> None:
        self.plan, self.player = plan, player
        low, high = player.seat.register or _REGISTERS.get(player.role, _USUAL)
        self.low, self.high = own_register(plan, player, low, high)
        if ceiling is not None and ceiling >= self.low + _LEAST_ROOM and player.role in ("comping", "pad"):
            self.high = min(self.high, ceiling)  # a tune too low for chords below it has them above
        if self.high - self.low < 12:
            self.low, self.high = player.low, min(player.high, player.low + 2 * 12)
        size = own_size(plan, player, player.seat.size or _SIZES.get(player.role, 3))
        reach = max(player.polyphony, size) if player.role == "arpeggio" else player.polyphony  # one after the other
        self.size = max(1, min(reach, round(size * (1 + _FULLER * plan.controls.size))))
        self.kind = own_voicing(plan, player, player.seat.voicing or "close")
        self.last: Pitches | None = None

    def chord(self, harmony: ChordSpan) -> Pitches:
        """The voicing of a chord, led from the one before."""
        self.last = voice(harmony, self.low, self.high, self.size, self.kind, self.last)
        return self.last


def write_chords(plan: Plan, player: Player, sections: list[Section], ceiling: int | None = None) -> list[Sketch]:
    """The chords of the sections in which the player plays, below ``ceiling``, where the tune begins."""
    hands = _Hands(plan, player, ceiling)
    notes: list[Sketch] = []
    for section in sections:
        hands.last = None
        for bar in range(section.first, section.end):
            notes += _bar(plan, hands, player, section, bar)
    ties = player.role == "pad" and plan.style.setting("shape", "ties", False)
    return _tied(notes, _TIED * plan.meter.ticks) if ties else notes


def _tied(notes: list[Sketch], longest: int) -> list[Sketch]:
    """Common tones held on where a note ends as the same one begins again, up to a few bars."""
    made: list[Sketch] = []
    open_ends: dict[tuple[int, int], int] = {}
    for note in sorted(notes):
        at = open_ends.pop((note.pitch, note.onset), None)
        if at is not None and made[at].duration + note.duration <= longest:
            made[at] = made[at]._replace(duration=made[at].duration + note.duration)
        else:
            at = len(made)
            made.append(note)
        open_ends[note.pitch, note.onset + note.duration] = at
    return made


def _bar(plan: Plan, hands: _Hands, player: Player, section: Section, bar: int) -> list[Sketch]:
    start = bar * plan.meter.ticks
    pattern = chosen_pattern(plan, player, section, bar)
    made: list[Sketch] = []
    shapes: dict[int, Pitches] = {}
    for stroke in strokes(pattern, plan.meter, bar - section.first):
        tick = start + stroke.start
        harmony = plan.chord_at(tick)
        ahead = _anticipated(plan, stroke, tick, harmony)
        harmony = ahead or harmony
        if hands.kind == "rooted" and stroke.start and tick == harmony.start and stroke.sign.isdigit():
            stroke = stroke._replace(sign="1")  # nobody else has the new chord's bass
        if harmony.start not in shapes:
            shapes[harmony.start] = hands.chord(harmony)
        end = harmony.end if ahead is None else harmony.start + plan.meter.ticks // 4
        until = min(tick + _length(plan, stroke), max(end, tick + 1))
        made += _struck(stroke, tick, until - tick, shapes[harmony.start], hands, harmony)
    if player.role == "pad":
        made += _renewed(plan, hands, bar, shapes)
    return made


def _length(plan: Plan, stroke: Stroke) -> int:
    """How long a chord is held: the lengths control lets it ring on or cuts it short."""
    factor = 1 + _LONGER * plan.controls.lengths
    return max(1, int(stroke.length * factor)) if factor < 1 else stroke.length


def _anticipated(plan: Plan, stroke: Stroke, tick: int, harmony: ChordSpan) -> ChordSpan | None:
    """The next chord, where a stroke stands an eighth or less before it and rings into it."""
    following = harmony.end
    near = 0 < following - tick <= plan.meter.ticks // _EARLY and stroke.length >= following - tick
    allowed = plan.style.setting("shape", "anticipates", False) and following < plan.bars * plan.meter.ticks
    return plan.chord_at(following) if near and allowed and stroke.start and stroke.sign in "CcOi" else None


def _struck(stroke: Stroke, tick: int, length: int, shape: Pitches, hands: _Hands, chord: ChordSpan) -> list[Sketch]:
    """The notes a sign stands for."""
    sign = stroke.sign
    if sign.isdigit():
        octave, place = divmod(int(sign) - 1, len(shape))
        pitch = fold(shape[place] + 12 * octave, 0, hands.player.high)
        return [Sketch(tick, length, pitch, _DOWNBEAT if stroke.start == 0 else 0)]
    if sign in "lL":
        return [Sketch(tick, length, _low(hands, chord, fifth=sign == "L"), _DOWNBEAT)]
    if sign == "x":
        length = max(1, length // 2)
    return [Sketch(tick, length, pitch, _ACCENTS.get(sign, 0)) for pitch in _pitches(sign, shape, hands, chord)]


def _pitches(sign: str, shape: Pitches, hands: _Hands, chord: ChordSpan) -> Pitches:
    """The pitches that a sign strikes together."""
    if sign == "b":  # a boogie: root and sixth in place of the fifth
        root = shape[0] + (chord.root - shape[0]) % 12 - (0 if shape[0] % 12 == chord.root else 12)
        root += 0 if root >= hands.player.low else 12
        return (root, root + _SIXTH)
    if sign in "Oi":  # a montuno: the lowest note in octaves, or the notes between
        both = (shape[0], shape[0] + 12) if sign == "O" else shape[1:3] or shape
        return tuple(pitch for pitch in both if pitch <= hands.player.high)
    return shape[-3:] if sign in "uUx" else shape


def _low(hands: _Hands, harmony: ChordSpan, fifth: bool) -> int:
    """The low note of an oom-pah: the root, or the fifth below or above it."""
    flat = _FLAT_FIFTH in harmony.tones and _FIFTH not in harmony.tones
    tone = (harmony.root + (_FLAT_FIFTH if flat else _FIFTH)) % 12 if fifth else harmony.bass
    floor = max(hands.player.low, hands.low - _OOM)
    return floor + (tone - floor) % 12


def _renewed(plan: Plan, hands: _Hands, bar: int, shapes: dict[int, Pitches]) -> list[Sketch]:
    """Chords of a pad that begin inside the bar where its figure has no stroke."""
    made = []
    for harmony in plan.chords_of(bar)[1:]:
        if harmony.start not in shapes:
            shape = hands.chord(harmony)
            made += [Sketch(harmony.start, harmony.end - harmony.start, pitch, _RENEWED) for pitch in shape]
    return made
