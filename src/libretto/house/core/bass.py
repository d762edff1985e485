"""The bass: a figure of the style over each chord, roots on the changes, and notes that lead into the next one.

Signs: ``R`` root, ``2`` to ``8`` degrees of the chord, ``x`` a ghost note, ``a`` and ``d`` a chromatic and a scale step
into the next chord, ``w`` a step of a walking line, ``n`` the next chord's root before its time, held over (a tumbao).
"""

from __future__ import annotations

from itertools import pairwise

from libretto.house.compose.band import Player
from libretto.house.compose.figures import bass_reach, chosen_pattern
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Harmony, Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch, strokes

__all__ = ["write_bass"]

_DEGREES = {"3": (3, 4), "5": (7, 6, 8), "6": (9, 8), "7": (10, 11, 9), "2": (2,), "4": (5,), "b": (1,), "t": (6,)}


class _Hand:
    """Where the bass player's hand is."""

    def __init__(self, plan: Plan, player: Player) -> None:
        self.plan, self.player = plan, player
        shift = round(4 * plan.controls.bass_register)
        self.low = max(player.low, (player.seat.register or (player.low, 0))[0] + shift)
        self.high = min(player.high, max(self.low + 14, (player.seat.register or (0, 52))[1] + shift))
        self.home = self.low + 5 + (bass_reach(plan, player) if self.high - self.low >= 16 else 0)
        self.last = self.home

    def near(self, tone: int, around: float | None = None) -> int:
        """The pitch of a tone nearest the hand, drawn towards the low end of the register."""
        goal = (self.last * 0.6 + self.home * 0.4) if around is None else around
        choices = [pitch for pitch in range(self.low, self.high + 1) if pitch % 12 == tone % 12]
        return min(choices or [self.low], key=lambda pitch: (abs(pitch - goal), pitch))

    def tone(self, sign: str, harmony: Harmony) -> int:
        """The pitch a sign stands for over a chord."""
        if sign in "Rxr":
            return self.near(harmony.bass)
        if sign == "8":
            root = self.near(harmony.bass)
            up, down = root + 12, root - 12
            return up if up <= min(self.high + 4, self.player.top) else down if down >= self.low else root
        if sign in _DEGREES:
            found = next((tone for tone in _DEGREES[sign] if tone in harmony.tones), _DEGREES[sign][0])
            return self.near(harmony.root + found)
        return self.near(harmony.bass)


def write_bass(plan: Plan, player: Player, sections: list[Section]) -> list[Sketch]:
    """The bass line of the sections in which the player plays."""
    hand = _Hand(plan, player)
    notes: list[Sketch] = []
    for section in sections:
        for bar in range(section.first, section.end):
            made = _bar(plan, hand, player, section, bar)
            start = bar * plan.meter.ticks
            held = bool(notes) and notes[-1].onset + notes[-1].duration > start
            if bar == section.first and not held and not any(note.onset == start for note in made):
                made.append(Sketch(start, plan.meter.ticks, hand.near(plan.chord_at(start).bass), 4))
            notes += sorted(made)
    return _one_at_a_time(notes)


def _one_at_a_time(notes: list[Sketch]) -> list[Sketch]:
    """Every note ends where the next one begins."""
    return [
        note._replace(duration=min(note.duration, max(1, then.onset - note.onset))) for note, then in pairwise(notes)
    ] + notes[-1:]


def _bar(plan: Plan, hand: _Hand, player: Player, section: Section, bar: int) -> list[Sketch]:
    start = bar * plan.meter.ticks
    pattern = chosen_pattern(plan, player, section, bar)
    made: list[Sketch] = []
    changes = {each.start for each in plan.chords_of(bar)}
    for stroke in strokes(pattern, plan.meter, bar - section.first):
        tick = start + stroke.start
        harmony = plan.chord_at(tick)
        sign = stroke.sign
        if tick in changes and sign not in "x":
            sign = "R"
        if sign == "n":  # the next chord's root before its time, held over into it
            pitch = hand.near(plan.chord_at(min(tick + stroke.length, plan.bars * plan.meter.ticks - 1)).bass)
            made.append(Sketch(tick, stroke.length + plan.meter.ticks // 2, pitch, 4))
            hand.last = pitch
            continue
        if sign in "ad":
            pitch = _approach(plan, hand, tick + stroke.length, sign, bar)
        elif sign == "w":
            pitch = _walk(plan, hand, harmony, tick, stroke.length)
        else:
            pitch = hand.tone(sign, harmony)
        accent = -26 if sign == "x" else 6 if stroke.start == 0 else 0
        length = stroke.length if sign != "x" else stroke.length // 2
        until = next((each.start for each in plan.chords_of(bar) if each.start > tick), start + plan.meter.ticks)
        made.append(Sketch(tick, max(1, min(length, until - tick)), pitch, accent))
        if sign not in "x8":  # the octave is a reach, and the hand comes back from it
            hand.last = pitch
    for each in plan.chords_of(bar):  # a chord must be heard where it begins
        if each.start == start and "n" in pattern:  # held over from the bar before
            continue
        if not any(note.onset <= each.start < note.onset + note.duration for note in made):
            late = [note.onset for note in made if each.start < note.onset < each.end]
            wide = (min(late) if late else each.end) - each.start
            if len(changes) > 1 and wide > 0:
                pitch = hand.near(each.bass)
                made.append(Sketch(each.start, wide, pitch, 0))
    return made


def _approach(plan: Plan, hand: _Hand, until: int, sign: str, bar: int) -> int:
    """A note that leads by a semitone or a scale step into the next chord's bass."""
    following = plan.chord_at(until if until < plan.bars * plan.meter.ticks else until - 1)
    target = hand.near(following.bass)
    side = dice(plan.seed, "approach", bar).choice((-1, -1, 1))
    if sign == "d":
        for step in (1, 2):
            if (target + side * step) % 12 in plan.scale_at(plan.chord_at(until - 1)):
                return _within(hand, target + side * step)
    return _within(hand, target + side)


def _walk(plan: Plan, hand: _Hand, harmony: Harmony, tick: int, length: int) -> int:
    """A step of a walking line: towards the next root, on chord tones and scale tones, never standing still."""
    scale = plan.scale_at(harmony)
    remaining = max(1, (harmony.end - tick) // max(1, length))
    following = plan.chord_at(min(harmony.end, plan.bars * plan.meter.ticks - 1))
    target = hand.near(following.bass, hand.last + (3 if hand.last < hand.home + 5 else -3))
    wanted = hand.last + (target - hand.last) / (remaining + 0.5)
    source = dice(plan.seed, "walk", tick)
    choices = [pitch for pitch in range(hand.low, hand.high + 1) if pitch != hand.last and pitch % 12 in scale]

    def price(pitch: int) -> float:
        away = abs(pitch - wanted) + 0.35 * abs(pitch - hand.last) + source.random() * 1.6
        return away + (0 if pitch % 12 in harmony.chord.classes else 1.1) + (2.5 if pitch == target else 0)

    return min(choices or [hand.last], key=price)


def _within(hand: _Hand, pitch: int) -> int:
    while pitch < hand.player.low:
        pitch += 12
    while pitch > hand.player.high:
        pitch -= 12
    return pitch
