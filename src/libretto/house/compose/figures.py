"""Which figure a player plays in a bar: by the section's energy and the controls, varied now and then."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.habits import own_pattern
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import fit, onsets

__all__ = ["chosen_pattern", "figure_of"]

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
        others = [each for each in patterns if each != main]
        main = others[dice(plan.seed, *names, "other", place % 8, section.before).randrange(len(others))]
    return fit(own_pattern(plan, names, main), plan.style.meter, plan.meter)


def _ordered(patterns: Sequence[str], plan: Plan) -> list[str]:
    """The patterns that suit how busy and how off the beat the accompaniment should be."""
    wish = plan.controls.density + plan.density
    found = sorted(patterns, key=lambda each: (onsets(each) / len(each), each))
    if len(found) > 2 and abs(wish) > 0.2:
        half = max(2, len(found) // 2)
        found = found[-half:] if wish > 0 else found[:half]
    if len(found) > 2 and abs(plan.controls.offbeats) > 0.2:
        found = sorted(found, key=lambda each: -plan.controls.offbeats * _off(each))[: max(2, len(found) // 2 + 1)]
    return found


def _off(pattern: str) -> float:
    text = pattern.replace(" ", "").replace("|", "")
    beat = 3 if len(text) % 12 == 0 and len(text) % 16 else 4
    starts = [index for index, sign in enumerate(text) if sign not in ".-"]
    return sum(1 for index in starts if index % beat) / max(1, len(starts))
