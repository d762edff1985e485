"""What is played in which bar: the figure of a player, and the phrases of a tune.

A figure is chosen by the section's energy and the controls, and varied now and then. A tune is laid out in units of a
bar or a few. ``idea`` units share one rhythm and one contour and are recognized when they come back; ``answer``,
``spin`` (fragments of the idea) and ``close`` units lead on and home. The plan of a letter is the same wherever the
letter returns; from the second time on, what is not the idea varies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Stroke, fit, onsets, strokes

__all__ = ["Unit", "bass_reach", "chosen_pattern", "own_register", "own_size", "own_voicing", "units_of"]

_KNOB, _NEARLY = 0.25, 0.999  # how much knobs count beside energy; the fullest figure is not beyond the fullest section
_CHANGED, _MORE_CHANGED = 0.22, 0.3  # how often a bar has another pattern, and how much more often by the knob
_TURNED, _THINNED = 0.4, 0.6  # how often a player's own pattern has its halves exchanged, or notes left out
_CLEAR = 0.2  # how far a knob is turned before it decides which patterns are left
_DEFAULT = {
    "bass": ("R-------R-------", "R-----5-R---a---"),
    "comping": ("C-------C-------", "C---C---C---C---"),
    "pad": ("C---------------",),
    "arpeggio": ("1-2-3-4-3-2-3-4-", "1-3-2-3-4-3-2-3-"),
    "riff": ("R-----------R-R-", "R-------R---R---", "R---------------"),
    "stabs": ("............C-..", "......C-........"),
}


def _figure_of(plan: Plan, player: Player, section: Section) -> tuple[str, ...]:
    """The patterns of the figure that a player uses in a section: later figures of a chair are for fuller sections."""
    names = player.seat.figures
    if not names:
        return _DEFAULT.get(player.role, _DEFAULT["comping"])
    wish = section.energy + _KNOB * (plan.controls.density + plan.density)
    leaning = dice(plan.seed, "figure leaning", player.name, section.letter).choice((-1, 0, 0, 0, 1))
    place = min(len(names) - 1, max(0, int(wish * len(names) * _NEARLY) + leaning))
    return plan.style.figure(names[place])


def chosen_pattern(plan: Plan, player: Player, section: Section, bar: int) -> str:
    """The pattern of one bar, in the plan's meter: the section's own, another one in some bars."""
    patterns = _ordered(_figure_of(plan, player, section), plan)
    who = (player.seat.group,) if player.seat.group else (player.role, player.name)
    names = ("figure", *who, section.letter, section.kind)
    main = patterns[dice(plan.seed, *names).randrange(len(patterns))]
    change = _CHANGED + _MORE_CHANGED * plan.controls.variation + float(plan.style.setting("shape", "change", 0.0))
    place = bar - section.first
    varied = place % 4 == 3 or dice(plan.seed, *names, "change", place % 8, section.before).random() < change
    if varied and len(patterns) > 1 and change > 0:
        others = [pattern for pattern in patterns if pattern != main]
        main = others[dice(plan.seed, *names, "other", place % 8, section.before).randrange(len(others))]
    return fit(_own_pattern(plan, names, main), plan.style.meter, plan.meter)


def _ordered(patterns: Sequence[str], plan: Plan) -> list[str]:
    """The patterns that suit how busy and how off the beat the accompaniment should be."""
    wish = plan.controls.density + plan.density
    kept = sorted(patterns, key=lambda pattern: (onsets(pattern) / len(pattern), pattern))
    if len(kept) > 2 and abs(wish) > _CLEAR:
        half = max(2, len(kept) // 2)
        kept = kept[-half:] if wish > 0 else kept[:half]
    offbeats = plan.controls.offbeats
    if len(kept) > 2 and abs(offbeats) > _CLEAR:
        kept = sorted(kept, key=lambda pattern: -offbeats * _off(pattern))[: max(2, len(kept) // 2 + 1)]
    return kept


def _off(pattern: str) -> float:
    text = pattern.replace(" ", "").replace("|", "")
    beat = 3 if len(text) % 12 == 0 and len(text) % 16 else 4
    starts = [index for index, sign in enumerate(text) if sign not in ".-"]
    return sum(1 for index in starts if index % beat) / max(1, len(starts))


_SHIFTS = (-5, -3, -2, 0, 0, 2, 4, 5)
_KEPT = "adnwxlLRb"  # signs of figures whose order is their point


def own_register(plan: Plan, player: Player, low: int, high: int) -> tuple[int, int]:
    """Where the hands of this player lie: the register of the chair, a little higher or lower."""
    shifts = (0, 0, 2) if player.seat.voicing in ("power", "rooted") else _SHIFTS
    shift = dice(plan.seed, "register", player.name).choice(shifts)
    return max(player.low, low + shift), min(player.high, high + shift)


def own_size(plan: Plan, player: Player, size: int) -> int:
    """How many notes this player puts into a chord: as the chair has it, or one more or less."""
    steps = (0, 0, -1) if size > 3 else (0, 0, 1) if size == 3 else (0,)
    return size + dice(plan.seed, "size", player.name).choice(steps)


def own_voicing(plan: Plan, player: Player, kind: str) -> str:
    """How this player lays chords out: as the chair has it, or closer or wider."""
    choices = {"guitar": ("guitar", "guitar", "close", "open"), "close": ("close", "close", "open")}.get(kind, (kind,))
    return dice(plan.seed, "voicing", player.name).choice(choices)


def bass_reach(plan: Plan, player: Player) -> int:
    """How much higher than usual the bass player's hand is at home."""
    return dice(plan.seed, "bass hand", player.name).choice((0, 0, 3, 6))


def _own_pattern(plan: Plan, names: tuple[object, ...], pattern: str) -> str:
    """The pattern as this player plays it."""
    text = pattern.replace(" ", "").replace("|", "")
    source = dice(plan.seed, *names, "habit", text)
    free = float(plan.style.setting("shape", "habits", 1.0))
    if source.random() >= free:
        return text
    if any(sign.isdigit() for sign in text) and not set(text) & set("Rad"):
        return _reordered(text, source.choice(("1234", "1324", "1243", "1342", "1423", "1432")))
    half = len(text) // 2
    if len(text) in (8, 16) and not set(text) & set(_KEPT) and text[half] not in "-" and source.random() < _TURNED:
        text = text[half:] + text[:half]
    if source.random() < 0.5:
        text = _pushed(text, source.choice((1, 2)))
    if onsets(text) >= 4 and source.random() < _THINNED:
        text = _thinned(text, source.random())
    return text


def _reordered(text: str, order: str) -> str:
    """A broken chord with its inner notes in another order."""
    return text.translate(str.maketrans("1234", order))


def _pushed(text: str, early: int) -> str:
    """The pattern with its stroke in the middle of the bar a little early, as players do who lean forward."""
    middle = len(text) // 2
    if len(text) != 16 or text[middle] not in "Cc" or set(text[middle - early : middle]) - set(".-"):
        return text
    if all(at % 4 == 0 for at, sign in enumerate(text) if sign not in ".-"):
        return text  # a pulse on every beat stays one
    return text[: middle - early] + text[middle] + "-" * early + text[middle + 1 :]


def _thinned(text: str, chance: float) -> str:
    """The pattern without one of its weak strokes: what was before it rings on."""
    beat = len(text) // 4 if len(text) % 4 == 0 else 3
    weak = [at for at, sign in enumerate(text) if sign not in ".-" and at % max(1, beat) and sign not in _KEPT]
    if not weak:
        return text
    at = weak[int(chance * len(weak))]
    held = at > 0 and text[at - 1] != "."
    end = at + 1
    while end < len(text) and text[end] == "-":
        end += 1
    return text[:at] + ("-" if held else ".") * (end - at) + text[end:]


_USUAL_ENERGY, _BY_ENERGY, _KEPT_SHARE, _BY_WISH = 0.55, 0.8, 0.6, 0.7  # which cells are left, by how full they are
_SENTENCE = (("idea", 2), ("idea", 2), ("spin", 1), ("spin", 1), ("close", 2))
_PERIOD = (("idea", 2), ("answer", 2), ("idea", 2), ("close", 2))
_REPEATED = (("idea", 2), ("idea", 2), ("idea", 2), ("close", 2))
_HALF = (("idea", 2), ("close", 2))
_BLUES = (("idea", 2), ("rest", 2), ("idea", 2), ("rest", 2), ("answer", 2), ("close", 2))
_CALLS = (("idea", 2), ("rest", 2), ("idea", 2), ("close", 2))
_DEFAULT_CELLS = ("x-x-x---x-------", "x---x-x-x---x---", "..x-x-x-x-------", "x-----x-x-------", "x--x--x-x-x-x---")
_CLOSES = ("x-x-x-----------", "x---x-----------", "x-----------....", "x-x-x---........")


@dataclass(frozen=True)
class Unit:
    """A stretch of a tune: its first bar, its kind, where its rhythm falls (ticks from the start of the piece), and how
    it ends: ``open``, ``closed`` or not at all."""

    bar: int
    bars: int
    kind: str
    rhythm: tuple[Stroke, ...]
    ends: str = ""
    last_of_phrase: bool = False


def units_of(plan: Plan, section: Section, solo: bool = False) -> list[Unit]:
    """The units of a section's tune."""
    layout = _layout(plan, section, solo)
    if len(plan.players) == 1 and plan.players[0].polyphony < 3:  # who plays all alone gives the answer too
        layout = [("answer" if kind == "rest" else kind, bars) for kind, bars in layout]
    made: list[Unit] = []
    bar = section.first
    count = len(layout)
    for number, (kind, bars) in enumerate(layout):
        following = layout[number + 1][0] if number + 1 < count else ""
        ends = "closed" if kind == "close" and number == count - 1 else "open" if kind in ("close", "answer") else ""
        rhythm = _rhythm(plan, section, kind, bar, bars, number, solo)
        closing = kind in ("close", "answer") or following == "rest"
        made.append(Unit(bar, bars, kind, rhythm, ends, closing))
        bar += bars
    return made


def _layout(plan: Plan, section: Section, solo: bool) -> list[tuple[str, int]]:
    """Units that fill a section: phrases of eight, of four, and what is left."""
    wanted = plan.style.setting("melody", "phrases", ["sentence", "period", "repeated"])
    shapes = {"sentence": _SENTENCE, "period": _PERIOD, "repeated": _REPEATED, "calls": _CALLS}
    chosen = shapes[wanted[dice(plan.seed, "phrase", section.letter).randrange(len(wanted))]]
    layout: list[tuple[str, int]] = []
    left = section.bars
    while left:
        if section.bars % 12 in (0, 4) and plan.style.setting("melody", "blues", False) and left >= 12:
            layout += (
                _BLUES if not solo else (("spin", 2), ("spin", 2), ("spin", 2), ("spin", 2), ("spin", 2), ("close", 2))
            )
            left -= 12
        elif left >= 8:
            layout += chosen
            left -= 8
        elif left >= 4:
            layout += _HALF
            left -= 4
        else:
            layout.append(("close", left))
            left = 0
    filled = plan.bare or all(player.role in ("lead", "counter") for player in plan.players)  # nobody plays on
    return [("answer" if kind == "rest" and filled else kind, bars) for kind, bars in layout]


def _rhythm(
    plan: Plan, section: Section, kind: str, bar: int, bars: int, number: int, solo: bool
) -> tuple[Stroke, ...]:
    """Where the notes of a unit fall."""
    if kind == "rest":
        return ()
    rhythm: list[Stroke] = []
    for place in range(bars):
        pattern = _cell(plan, section, kind, place, bars, number, solo)
        start = (bar + place) * plan.meter.ticks
        rhythm += [stroke._replace(start=stroke.start + start) for stroke in strokes(pattern, plan.meter)]
    return tuple(rhythm)


def _cell(plan: Plan, section: Section, kind: str, place: int, bars: int, number: int, solo: bool) -> str:
    """The rhythm of one bar, by what the unit is for."""
    style, seed = plan.style, plan.seed
    again = min(section.before, 2) if plan.controls.variation > -0.5 else 0
    if kind == "close" and place == bars - 1:
        closes = style.setting("melody", "closes", _CLOSES)
        chosen = closes[dice(seed, "close", section.letter, number, again).randrange(len(closes))]
    else:
        name = "solo" if solo and "solo" in style.data["melody"] else "cells"
        cells = _ranked(style.setting("melody", name, _DEFAULT_CELLS), plan, section)
        if kind == "idea":
            names: tuple[object, ...] = ("idea", section.letter, place)
        elif kind == "spin" and not solo:
            names = ("idea", section.letter, 0)
        else:
            names = (kind, section.letter, number, place, again)
        if solo:
            names = ("solo", section.first, number, place)
        chosen = cells[min(len(cells) - 1, int(len(cells) * dice(seed, *names).random() ** 1.1))]
    return fit(chosen, style.meter, plan.meter)


def _ranked(cells: Sequence[str], plan: Plan, section: Section) -> list[str]:
    """The cells that suit how busy and how off the beat the tune should be: about half of them."""
    wish = plan.controls.density + plan.density + (section.energy - _USUAL_ENERGY) * _BY_ENERGY
    shift = plan.controls.offbeats
    ordered = sorted(cells, key=lambda cell: (onsets(cell) / max(1, len(cell)), cell))
    keep = max(3, round(len(ordered) * _KEPT_SHARE))
    start = round((len(ordered) - keep) * min(1.0, max(0.0, 0.5 + wish * _BY_WISH)))
    chosen = ordered[start : start + keep]
    if shift:
        chosen = sorted(chosen, key=lambda cell: -shift * _offbeats(cell))[
            : max(2, round(keep * (1 - 0.5 * abs(shift))))
        ]
    return chosen


def _offbeats(cell: str) -> float:
    """Which part of a cell's notes starts off the beat."""
    text = cell.replace(" ", "").replace("|", "")
    beat = 4 if len(text) % 4 == 0 else 3
    starts = [index for index, sign in enumerate(text) if sign not in ".-"]
    return sum(1 for index in starts if index % beat) / max(1, len(starts))
