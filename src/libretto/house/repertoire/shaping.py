"""Stretches shaped by what was asked: cut where somebody else leads, the last chorus biggest, tunes handed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from libretto.contract.places import section_kind
from libretto.house.compose.band import EFFECT, Player
from libretto.house.repertoire.casting import HARMONY, Duties, Duty
from libretto.house.repertoire.layout import Stretch

__all__ = ["cut_at", "handed_over", "last_biggest"]

_TOP, _PLAIN = "chorus", "verse"  # the kinds of sections that a song has its peak in, and that it tells in
_RISE = 0.2  # energy that a chorus has more than a verse, and the last one more than others
_CHORDS, _TWO_HANDS = 4, 6  # notes at once for chords, and for a tune and chords


def last_biggest(stretches: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """The same, choruses fuller than verses, and the last of several fuller than all else; sections are what they are
    called, whatever scene of a model stands behind them."""
    kinds: list[str] = []
    for stretch in stretches:
        kinds.append(kinds[-1] if stretch.goes_on and kinds else section_kind(stretch.section.name))
    begun = [number for number, kind in enumerate(kinds) if kind == _TOP and not stretches[number].goes_on]
    if len(begun) < 2:
        return tuple(stretches)
    most = min(1.0, max(stretch.section.energy for stretch in stretches) + _RISE)
    verses = max((one.section.energy for one, kind in zip(stretches, kinds, strict=True) if kind == _PLAIN), default=0)
    made = []
    for number, (stretch, kind) in enumerate(zip(stretches, kinds, strict=True)):
        energy = min(stretch.section.energy, most - _RISE)  # where nothing can be fuller, others are less so
        if kind == _TOP:
            energy = most if number >= begun[-1] else min(max(energy, verses + _RISE), most - _RISE)
        made.append(replace(stretch, section=replace(stretch.section, energy=energy)))
    return tuple(made)


def cut_at(stretches: Sequence[Stretch], bars: Sequence[int]) -> tuple[Stretch, ...]:
    """The same stretches, with a new one of the same section from each of those bars (from 0) on."""
    made: list[Stretch] = []
    for stretch in stretches:
        section = stretch.section
        edges = [section.first, *sorted({bar for bar in bars if section.first < bar < section.end}), section.end]
        for number, (start, end) in enumerate(pairwise(edges)):
            part = replace(section, first=start, bars=end - start, last=section.last and end == section.end)
            behind_it = stretch.bars[start - section.first : end - section.first]
            made.append(replace(stretch, section=part, bars=behind_it, goes_on=stretch.goes_on or number > 0))
    return tuple(made)


def handed_over(
    duties: Duties, players: Sequence[Player], leads: Mapping[int, str], absent: Mapping[str, set[int]]
) -> Duties:
    """The same duties, with the tune of some stretches given to who was asked to lead there; who had it does what that
    player did, if it can, else goes along. Who is silent in a stretch leads nothing in it."""
    made = {name: list(rows) for name, rows in duties.items()}
    by_name = {player.name: player for player in players}
    for number in range(max((len(rows) for rows in made.values()), default=0)):
        leader = _leader(made, number)
        away = leader is not None and number in absent.get(leader, set())
        wanted = leads.get(number) or (_deputy(made, players, absent, number) if away else None)
        if wanted is None or wanted == leader or wanted not in by_name:
            continue
        had = made[leader][number] if leader else ()
        made[wanted][number], rest = _exchanged(made[wanted][number], had, by_name[wanted], by_name.get(leader or ""))
        if leader is not None:
            made[leader][number] = rest
    return made


def _leader(duties: Duties, number: int) -> str | None:
    """Who has the tune of a stretch."""
    return next((name for name, rows in duties.items() if _has(rows[number], "lead")), None)


def _exchanged(
    mine: Sequence[Duty], had: Sequence[Duty], player: Player, leader: Player | None
) -> tuple[tuple[Duty, ...], tuple[Duty, ...]]:
    """What who takes the tune over does from now on, and what is left to who had it."""
    tune = next((duty for duty in had if duty.role == "lead"), Duty("lead"))
    both = [duty for duty in mine if duty.role in (*HARMONY, "bass")]
    keeps = both if player.polyphony >= _TWO_HANDS else []
    rest = [duty for duty in had if duty.role != "lead"]
    able = leader is not None and leader.polyphony >= _CHORDS
    taken = [duty for duty in mine if duty not in keeps and (able or duty.role not in HARMONY)]
    return (tune, *keeps), (*rest, *taken) or (Duty("counter"),)


def _has(row: Sequence[Duty], role: str) -> bool:
    return any(duty.role == role for duty in row)


def _deputy(duties: Duties, players: Sequence[Player], absent: Mapping[str, set[int]], number: int) -> str | None:
    """Who leads a stretch in which its leader is silent: who has a second voice, else whoever plays highest."""
    able = [
        player
        for player in players
        if not player.drums and player.role != EFFECT and number not in absent.get(player.name, set())
    ]
    able.sort(
        key=lambda player: (player.role == "bass", not _has(duties[player.name][number], "counter"), -player.high)
    )
    return able[0].name if able else None
