"""Which figure a player plays in a bar: by the section's energy and the controls, varied now and then."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import fit, onsets

__all__ = ["bass_reach", "chosen_pattern", "figure_of", "own_pattern", "own_register", "own_size", "own_voicing"]

_CLEAR = 0.2  # how far a knob is turned before it decides which patterns are left
_DEFAULT = {
    "bass": ("R-------R-------", "R-----5-R---a---"),
    "comping": ("C-------C-------", "C---C---C---C---"),
    "pad": ("C---------------",),
    "arpeggio": ("1-2-3-4-3-2-3-4-", "1-3-2-3-4-3-2-3-"),
    "riff": ("R-----------R-R-", "R-------R---R---", "R---------------"),
    "stabs": ("............C-..", "......C-........"),
}


def figure_of(plan: Plan, player: Player, section: Section) -> tuple[str, ...]:
    """The patterns of the figure that a player uses in a section: later figures of a chair are for fuller sections."""
    names = player.seat.figures
    if not names:
        return _DEFAULT.get(player.role, _DEFAULT["comping"])
    wish = section.energy + 0.25 * (plan.controls.density + plan.density)
    leaning = dice(plan.seed, "figure leaning", player.name, section.letter).choice((-1, 0, 0, 0, 1))
    place = min(len(names) - 1, max(0, int(wish * len(names) * 0.999) + leaning))
    return plan.style.figure(names[place])


def chosen_pattern(plan: Plan, player: Player, section: Section, bar: int) -> str:
    """The pattern of one bar, in the plan's meter: the section's own, another one in some bars."""
    patterns = _ordered(figure_of(plan, player, section), plan)
    who = (player.seat.group,) if player.seat.group else (player.role, player.name)
    names = ("figure", *who, section.letter, section.kind)
    main = patterns[dice(plan.seed, *names).randrange(len(patterns))]
    change = 0.22 + 0.3 * plan.controls.variation + float(plan.style.setting("shape", "change", 0.0))
    place = bar - section.first
    varied = place % 4 == 3 or dice(plan.seed, *names, "change", place % 8, section.before).random() < change
    if varied and len(patterns) > 1 and change > 0:
        others = [pattern for pattern in patterns if pattern != main]
        main = others[dice(plan.seed, *names, "other", place % 8, section.before).randrange(len(others))]
    return fit(own_pattern(plan, names, main), plan.style.meter, plan.meter)


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


def own_pattern(plan: Plan, names: tuple[object, ...], pattern: str) -> str:
    """The pattern as this player plays it."""
    text = pattern.replace(" ", "").replace("|", "")
    source = dice(plan.seed, *names, "habit", text)
    free = float(plan.style.setting("shape", "habits", 1.0))
    if source.random() >= free:
        return text
    if any(sign.isdigit() for sign in text) and not set(text) & set("Rad"):
        return _reordered(text, source.choice(("1234", "1324", "1243", "1342", "1423", "1432")))
    half = len(text) // 2
    if len(text) in (8, 16) and not set(text) & set(_KEPT) and text[half] not in "-" and source.random() < 0.4:
        text = text[half:] + text[:half]
    if source.random() < 0.5:
        text = _pushed(text, source.choice((1, 2)))
    if onsets(text) >= 4 and source.random() < 0.6:
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
