"""Performing: accents become velocities, straight beats are swung, lengths are articulated."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from libretto.house.compose.band import CHORDAL, Player
from libretto.house.compose.form import Section
from libretto.house.compose.harmony import moved_key
from libretto.house.compose.plan import Plan
from libretto.house.core.dice import dice
from libretto.house.core.patterns import Sketch, clipped
from libretto.house.core.tones import ChordSpan, fold, pitches_of
from libretto.score import QUARTER, Note, spell

__all__ = ["audible", "performed", "swung", "within_means"]

_SOFTEST, _LOUDEST = 20, 124  # velocities
_OTHERS_LOUDER = -8  # roles that are not named below
_USUAL_ENERGY = 0.55  # of a section that is neither loud nor soft
_JITTER = 2.5  # velocities by which chance makes a stroke louder or softer at most
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


def swung(tick: int, plan: Plan) -> int:
    """Where a straight tick falls when the beat is swung; triplets stay where they are."""
    if plan.swing == 0.5:
        return tick
    unit = QUARTER // 2 if plan.swung_sixteenths else QUARTER
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
    touch = min(_JITTER, float(plan.style.setting("touch", "variety", 6)) / 4)
    accent = float(plan.style.setting("touch", "accent", 4)) * (1 + 0.6 * plan.controls.touch)
    source = dice(plan.seed, "touch", player.name)
    struck, swerve = -1, 0.0
    for note in clipped(within_means(player, notes)):
        bar = note.onset // plan.meter.ticks
        while at + 1 < len(sections) and bar >= sections[at].end:
            at += 1
        loud: float = plan.loudness + note.accent
        if len(plan.players) > 1:
            loud += _LOUDER.get(player.role, _OTHERS_LOUDER) + player.seat.louder
        loud += _shaped(plan, sections[at], bar) + (accent if note.onset % QUARTER == 0 else -accent / 2)
        if note.onset != struck:  # notes struck together are struck alike
            struck, swerve = note.onset, source.uniform(-touch, touch)
        velocity = round(loud + swerve)
        start, end = swung(note.onset, plan), swung(note.onset + note.duration, plan)
        made.append((start, max(QUARTER // 8, end - start), note.pitch, max(_SOFTEST, min(_LOUDEST, velocity))))
    if not made:
        return []
    pitches = np.array([row[2] for row in made])
    spelling = [(key * 7 + 5) % 12 - 5 for key in pitches.tolist()] if player.drums else _spelled(plan, made, pitches)
    return [Note(*row, spelled) for row, spelled in zip(made, spelling, strict=True)]


def _spelled(plan: Plan, made: list[tuple[int, int, int, int]], pitches: NDArray[np.int64]) -> list[int]:
    """The spelling of every note, in the key of its section where that is another one."""
    spellings = np.array(spell(pitches, plan.key))
    bars = np.array([row[0] for row in made]) // plan.meter.ticks
    for section in plan.sections:
        here = (bars >= section.first) & (bars < section.end)
        if section.shift and here.any():
            spellings[here] = spell(pitches[here], moved_key(plan.key, section.shift))
    return [int(spelling) for spelling in spellings.tolist()]


def within_means(player: Player, notes: list[Sketch]) -> list[Sketch]:
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


_BEND = 5  # a note is bent no further than a fourth
_ADDED_SOFTER, _DIVIDED_SOFTER = 4, 2
_TENTH, _CLEAR = 16, 48  # semitones that a hand spans; and C3, below which an inner note blurs
_RINGS = 8 * QUARTER  # how far back notes are looked for that still sound
_ORDER = {"comping": 0, "arpeggio": 1, "pad": 2, "stabs": 3, "lead": 5, "counter": 4, "riff": 6, "bass": 7}

Parts = dict[str, list[Sketch]]


def audible(plan: Plan, parts: Parts) -> Parts:
    """The same parts, with what is missing of a chord put where it fits best."""
    players = sorted((one for one in plan.players if not one.drums), key=lambda one: _ORDER.get(one.role, len(_ORDER)))
    made = {player.name: sorted(parts[player.name]) for player in players}
    for harmony in plan.harmony[:-1]:
        for tone in _missing(harmony, made):
            for player in players:
                changed = _with(tone, harmony, player, made[player.name])
                if changed is not None:
                    made[player.name] = changed
                    break
    return parts | made


def _within(notes: list[Sketch], harmony: ChordSpan) -> list[int]:
    """The places of the notes that begin while a chord holds."""
    first = bisect_left(notes, (harmony.start,))
    last = bisect_left(notes, (harmony.end,))
    return list(range(first, last))


def _missing(harmony: ChordSpan, made: Parts) -> list[int]:
    """Which of root and third nobody plays while a chord holds."""
    heard = set()
    for notes in made.values():
        for index in range(max(0, bisect_left(notes, (harmony.start - _RINGS,))), bisect_left(notes, (harmony.end,))):
            if notes[index].onset + notes[index].duration > harmony.start:
                heard.add(notes[index].pitch % 12)
    return [tone for tone in ((harmony.root + harmony.third) % 12, harmony.root) if tone not in heard]


def _with(tone: int, harmony: ChordSpan, player: Player, notes: list[Sketch]) -> list[Sketch] | None:
    """A part that plays the tone while the chord holds; None where it cannot without harm."""
    places = _within(notes, harmony)
    if not places:
        return None
    if player.role in CHORDAL or player.alone:
        added = _added(tone, player, notes, places)
        if added is not None:
            return sorted([*notes, added])
    if player.role == "bass":
        return None
    return _bent(tone, harmony, player, notes, places) or _divided(tone, player, notes, places)


def _added(tone: int, player: Player, notes: list[Sketch], places: list[int]) -> Sketch | None:
    """A note more in a chord that has room for it: within a tenth of its lowest note and below its highest."""
    for index in places:
        here = notes[index]
        struck = {note.pitch for note in notes if note.onset == here.onset}
        sounding = sum(1 for note in notes if note.onset <= here.onset < note.onset + note.duration)
        pitch = _room_for(tone, struck, player) if sounding < player.polyphony else None
        if pitch is not None:
            return Sketch(here.onset, here.duration, pitch, here.accent - _ADDED_SOFTER)
    return None


def _room_for(tone: int, struck: set[int], player: Player) -> int | None:
    """Where in a chord a tone may be added: as high as it goes below the top and out of the mud, else above."""
    low, high = min(struck), max(struck)
    choices = pitches_of(tone, max(player.low, high - _TENTH), min(player.high, low + _TENTH))
    choices = [pitch for pitch in choices if pitch not in struck]
    below = [pitch for pitch in choices if pitch < high and (pitch >= _CLEAR or pitch < low - 4)]
    return max(below) if below else min(choices, default=None)


def _bent(tone: int, harmony: ChordSpan, player: Player, notes: list[Sketch], places: list[int]) -> list[Sketch] | None:
    """The part with its weakest note moved to the tone, if one lies near and is not needed itself."""
    needed = {harmony.root, (harmony.root + harmony.third) % 12}
    alone = {
        index
        for index in places
        if notes[index].pitch % 12 in needed
        and sum(notes[other].pitch % 12 == notes[index].pitch % 12 for other in places) < 2
    }
    best: tuple[int, int, int] | None = None
    for index in places:
        if index in alone:
            continue
        choices = pitches_of(tone, player.low, player.high)
        near = min(choices, key=lambda pitch: abs(pitch - notes[index].pitch), default=None)
        if near is None or abs(near - notes[index].pitch) > _BEND:
            continue
        strong = int(notes[index].onset % QUARTER == 0) + int(notes[index].duration > QUARTER)
        price = (strong * 3 + abs(near - notes[index].pitch), index, near)
        best = price if best is None or price < best else best
    if best is None:
        return None
    changed = list(notes)
    changed[best[1]] = notes[best[1]]._replace(pitch=best[2])
    return changed


def _divided(tone: int, player: Player, notes: list[Sketch], places: list[int]) -> list[Sketch] | None:
    """The part with its longest note divided, the second half on the tone."""
    longest = max(places, key=lambda index: (notes[index].duration, -index))
    note = notes[longest]
    half = note.duration // 2 // (QUARTER // 4) * (QUARTER // 4)
    choices = pitches_of(tone, player.low, player.high)
    if half < QUARTER // 4 or not choices:
        return None
    pitch = min(choices, key=lambda choice: abs(choice - note.pitch))
    second = Sketch(note.onset + half, note.duration - half, pitch, note.accent - _DIVIDED_SOFTER)
    return sorted([*notes[:longest], note._replace(duration=half), second, *notes[longest + 1 :]])
