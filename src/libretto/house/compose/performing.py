"""Performing: accents become velocities, straight beats are swung, lengths are articulated."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.harmony import moved_key
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.sketch import Sketch, clipped
from libretto.score import QUARTER, Note, spell

__all__ = ["performed", "swung", "within_means"]

_LOUDER = {
    "lead": 8,
    "bass": 4,
    "drums": 0,
    "percussion": -10,
    "comping": -12,
    "pad": -20,
    "arpeggio": -12,
    "counter": -6,
}


def swung(tick: int, plan: Plan) -> int:
    """Where a straight tick falls when the beat is swung; triplets stay where they are."""
    if plan.swing == 0.5:
        return tick
    unit = QUARTER // 2 if plan.style.swung_sixteenths else QUARTER
    beat, within = divmod(tick, unit)
    if within * 4 % unit:
        return tick
    middle = round(unit * plan.swing)
    quarter = within * 4 // unit
    return beat * unit + (0, middle // 2, middle, middle + (unit - middle) // 2)[quarter]


def performed(plan: Plan, player: Player, notes: list[Sketch]) -> list[Note]:
    """The notes of a part as they are played."""
    made = []
    sections = list(plan.sections)
    at = 0
    touch = float(plan.style.setting("touch", "variety", 6)) * (1 + 0.8 * plan.controls.touch)
    accent = float(plan.style.setting("touch", "accent", 4)) * (1 + 0.6 * plan.controls.touch)
    source = dice(plan.seed, "touch", player.name)
    struck, swerve = -1, 0.0
    for note in clipped(within_means(player, notes)):
        bar = note.onset // plan.meter.ticks
        while at + 1 < len(sections) and bar >= sections[at].end:
            at += 1
        loud: float = plan.loudness + note.accent
        if len(plan.players) > 1:
            loud += _LOUDER.get(player.role, -8) + player.seat.louder
        loud += _shaped(plan, sections[at], bar) + (accent if note.onset % QUARTER == 0 else -accent / 2)
        if note.onset != struck:  # notes struck together are struck alike
            struck, swerve = note.onset, source.gauss(0, touch)
        velocity = round(loud + swerve)
        start, end = swung(note.onset, plan), swung(note.onset + note.duration, plan)
        made.append((start, max(QUARTER // 8, end - start), note.pitch, max(20, min(124, velocity))))
    if not made:
        return []
    pitches = np.array([each[2] for each in made])
    spelling = [(each * 7 + 5) % 12 - 5 for each in pitches.tolist()] if player.drums else _spelled(plan, made, pitches)
    return [Note(*each, spelled) for each, spelled in zip(made, spelling, strict=True)]


def _spelled(plan: Plan, made: list[tuple[int, int, int, int]], pitches: NDArray[np.int64]) -> list[int]:
    """The spelling of every note, in the key of its section where that is another one."""
    found = np.array(spell(pitches, plan.key))
    bars = np.array([each[0] for each in made]) // plan.meter.ticks
    for section in plan.sections:
        here = (bars >= section.first) & (bars < section.end)
        if section.shift and here.any():
            found[here] = spell(pitches[here], moved_key(plan.key, section.shift))
    return [int(each) for each in found.tolist()]


def within_means(player: Player, notes: list[Sketch]) -> list[Sketch]:
    """The notes that one can play: within the range, and no more at once than the instrument has; outer notes stay."""
    if player.drums:
        return notes
    kept: list[Sketch] = []
    sounding: list[Sketch] = []
    by_time: dict[int, list[Sketch]] = {}
    for note in notes:
        by_time.setdefault(note.onset, []).append(note._replace(pitch=_folded(note.pitch, player)))
    for onset in sorted(by_time):
        struck = sorted({note.pitch: note for note in by_time[onset]}.values(), key=lambda note: note.pitch)
        if len(struck) > player.polyphony:
            struck = [struck[0], *struck[-(player.polyphony - 1) :]] if player.polyphony > 1 else struck[-1:]
        sounding = [note for note in sounding if note.onset + note.duration > onset]
        room = player.polyphony - len(struck)
        for old in sounding[: max(0, len(sounding) - room)]:
            place = kept.index(old)
            kept[place] = old._replace(duration=max(1, onset - old.onset))
        sounding = sounding[max(0, len(sounding) - room) :] + struck
        kept += struck
    return kept


def _folded(pitch: int, player: Player) -> int:
    while pitch < player.bottom:
        pitch += 12
    while pitch > player.top:
        pitch -= 12
    return pitch


def _shaped(plan: Plan, section: Section, bar: int) -> float:
    """Louder sections are louder, phrases swell and ebb, a fade fades."""
    place = (bar - section.first) % 4
    drift = float(plan.style.setting("touch", "drift", 14))
    shaped = drift * (section.energy - 0.55) + (0, 1, 2, 0)[place]
    if section.kind in ("build", "pre"):
        shaped += drift * 0.5 * (bar - section.first) / max(1, section.bars)
    if plan.ending == "fade" and section.last:
        shaped -= 30 * (bar - section.first) / max(1, section.bars)
    return shaped
