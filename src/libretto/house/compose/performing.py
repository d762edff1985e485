"""Performing: accents become velocities, straight beats are swung, lengths are articulated."""

from __future__ import annotations

import numpy as np

from libretto.house.compose.band import Player
from libretto.house.compose.form import Section
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch, clipped
from libretto.house.core.tones import fold
from libretto.score import QUARTER, Note, spell

__all__ = ["performed"]

_SOFTEST, _LOUDEST = 20, 124  # velocities
_OTHERS_LOUDER = -8  # roles that are not named below
_USUAL_ENERGY = 0.55  # of a section that is neither loud nor soft
_GENTLE, _STRONG, _KNEE = 48, 98, 0.4  # velocities between which music is played as written, and how others go on
_SOFTER, _LOWER = 74, 1.6  # loudness below which a piece is soft, and by how much its strong notes are then softer
_JITTER = 2.5  # velocities by which chance makes a stroke louder or softer at most
_TRIPLETS = 6  # parts of a beat that stay where they are
_FADE = 30  # velocities that a section loses while it fades

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


def _swung(tick: int, plan: Plan) -> int:
    """Where a straight tick falls when the beat is swung; triplets stay where they are."""
    if plan.swing == 0.5:
        return tick
    unit = QUARTER // 2 if plan.swung_sixteenths else QUARTER
    beat, within = divmod(tick, unit)
    if within * 4 % unit and within * _TRIPLETS % unit == 0:
        return tick
    middle = round(unit * plan.swing)
    half = unit // 2
    return beat * unit + (
        within * middle // half if within <= half else middle + (within - half) * (unit - middle) // half
    )


def performed(plan: Plan, player: Player, notes: list[Sketch]) -> list[Note]:
    """The notes of a part as they are played."""
    made = []
    sections = list(plan.sections)
    at = 0
    touch = min(_JITTER, float(plan.style.setting("touch", "variety", 6)) / 4)
    accent = float(plan.style.setting("touch", "accent", 4)) * (1 + 0.6 * plan.controls.touch)
    source = dice(plan.seed, "touch", player.name)
    struck, swerve = -1, 0.0
    alone = _LOUDER["lead"]  # who plays alone has the tune, whatever it does besides
    for note in clipped(_within_means(player, notes)):
        bar = note.onset // plan.meter.ticks
        while at + 1 < len(sections) and bar >= sections[at].end:
            at += 1
        loud: float = plan.loudness + note.accent
        loud += _LOUDER.get(player.role, _OTHERS_LOUDER) - (alone if len(plan.players) == 1 else 0)
        loud += _shaped(plan, sections[at], bar) + (accent if note.onset % QUARTER == 0 else -accent / 2)
        if note.onset != struck:  # notes struck together are struck alike
            struck, swerve = note.onset, source.uniform(-touch, touch)
        velocity = round(_eased(loud, plan.loudness) + swerve)
        start, end = _swung(note.onset, plan), _swung(note.onset + note.duration, plan)
        made.append((start, max(QUARTER // 8, end - start), note.pitch, max(_SOFTEST, min(_LOUDEST, velocity))))
    if not made:
        return []
    pitches = np.array([row[2] for row in made])
    spelling = (
        [(key * 7 + 5) % 12 - 5 for key in pitches.tolist()] if player.drums else spell(pitches, plan.key).tolist()
    )
    return [Note(*row, spelled) for row, spelled in zip(made, spelling, strict=True)]


def _eased(loud: float, usual: int) -> float:
    """A loudness with room left at both ends: what is beyond loud and soft grows no further by as much. What is strong
    in a piece that is soft as a whole is not what is strong in others."""
    strong = _STRONG - _LOWER * max(0, _SOFTER - usual)
    if loud > strong:
        return strong + (loud - strong) * _KNEE
    return _GENTLE - (_GENTLE - loud) * _KNEE if loud < _GENTLE else loud


def _within_means(player: Player, notes: list[Sketch]) -> list[Sketch]:
    """The notes that one can play: within the range, and no more at once than the instrument has; outer notes stay."""
    if player.drums:
        return notes
    kept: list[Sketch] = []
    sounding: list[Sketch] = []
    by_time: dict[int, list[Sketch]] = {}
    for note in notes:
        by_time.setdefault(note.onset, []).append(note._replace(pitch=fold(note.pitch, player.bottom, player.top)))
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


def _shaped(plan: Plan, section: Section, bar: int) -> float:
    """Louder sections are louder, phrases swell and ebb, a fade fades."""
    place = (bar - section.first) % 4
    drift = float(plan.style.setting("touch", "drift", 14))
    shaped = drift * (section.energy - _USUAL_ENERGY) + (0, 1, 2, 0)[place]
    if section.kind in ("build", "pre"):
        shaped += drift * 0.5 * (bar - section.first) / max(1, section.bars)
    if plan.ending == "fade" and section.last:
        shaped -= _FADE * (bar - section.first) / max(1, section.bars)
    return shaped
