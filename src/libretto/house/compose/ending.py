"""Endings that are meant: the last bar is one chord, struck together and held, as the style closes."""

from __future__ import annotations

from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.drums import DRUM_KEYS
from libretto.house.core.patterns import Sketch
from libretto.house.core.voicing import voice
from libretto.score import QUARTER
from libretto.score.pitch import pitch_class_of

__all__ = ["close", "tempo_map", "write_effect"]


def close(plan: Plan, player: Player, notes: list[Sketch]) -> list[Sketch]:
    """A part with the last bar of the piece replaced by what the ending asks of it."""
    start = (plan.bars - 1) * plan.meter.ticks
    kept = [
        note if note.onset + note.duration <= start else note._replace(duration=max(1, start - note.onset))
        for note in notes
        if note.onset < start
    ]
    if not kept and not player.alone and player.role not in ("lead", "bass"):
        return kept
    held = plan.meter.ticks if plan.ending not in ("button", "stop") else min(plan.meter.ticks, QUARTER)
    return kept + _last(plan, player, kept, start, held)


def _last(plan: Plan, player: Player, kept: list[Sketch], start: int, held: int) -> list[Sketch]:
    harmony = plan.chords_of(plan.bars - 1)[-1]
    if player.drums:
        if player.role == "percussion":
            keys = sorted({note.pitch for note in kept})[:1]
            return [Sketch(start, QUARTER // 2, key, 4) for key in keys]
        drums = plan.style.setting("ending", "drums", ["kick", "crash"])
        return [Sketch(start, QUARTER, DRUM_KEYS[drum], 6) for drum in drums]
    if player.role == "bass":
        lows = [note.pitch for note in kept] or [player.low + 5]
        middle = sorted(lows)[len(lows) // 2]
        pitch = min(_of_tone(harmony.root, player), key=lambda each: (abs(each - middle + 3), each))
        return [Sketch(start, held, pitch, 2)]
    if player.role in ("lead", "counter", "riff") or player.polyphony == 1:
        late = [note.pitch for note in kept if note.onset >= start - plan.meter.ticks] or [each.pitch for each in kept]
        before = (max(late) if player.alone else kept[-1].pitch) if kept else (player.low + player.high) // 2
        tonic = (pitch_class_of(plan.key.tonic) + plan.sections[-1].shift) % 12
        tones = {tonic} if player.role == "lead" else set(harmony.chord.classes)
        choices = [pitch for tone in tones for pitch in _of_tone(tone, player)]
        top = [Sketch(start, held, min(choices, key=lambda each: (abs(each - before), each)), 2)]
        if not player.alone or player.polyphony < 3:
            return top
        low = max(player.low, 36)
        under = voice(harmony, low, min(top[0].pitch - 3, low + 24), min(4, player.polyphony - 1), "rooted")
        return top + [Sketch(start, held, pitch, -4) for pitch in under if pitch < top[0].pitch - 2]
    low, high = player.seat.register or (50, 76)
    low, high = max(player.low, low), min(player.high, high)
    size = max(1, min(player.polyphony, player.seat.size or 4))
    if not plan.has_bass and player.polyphony >= 4 and player.bottom <= 48:  # nobody else has the root
        shape = voice(harmony, max(player.bottom, 40), high, max(3, size), "rooted")
    else:
        shape = voice(harmony, low, high, size, player.seat.voicing or "close")
    return [Sketch(start, held, pitch, 0) for pitch in shape]


def _of_tone(tone: int, player: Player) -> list[int]:
    return [pitch for pitch in range(player.low, player.high + 1) if pitch % 12 == tone] or [player.low]


def tempo_map(plan: Plan) -> list[tuple[int, float]]:
    """Ticks and quarter notes a minute: steady, and slower into a ritard at the end."""
    changes = [(0, plan.tempo)]
    if plan.ending == "ritard" and plan.bars >= 4:
        start = (plan.bars - 2) * plan.meter.ticks
        half = plan.meter.ticks // 2
        for step, factor in enumerate((0.94, 0.86, 0.74)):
            changes.append((start + step * half, round(plan.tempo * factor, 1)))
    return changes


_EVERY, _LASTS, _SOFTER = 8, 4, -18


def write_effect(plan: Plan, player: Player) -> list[Sketch]:
    """One long soft sound where a section begins, and again every eight bars of a long one."""
    ticks = plan.meter.ticks
    tonic = pitch_class_of(plan.key.tonic)
    pitch = min(range(player.low, player.high + 1), key=lambda each: ((each - tonic) % 12 != 0, abs(each - 60)))
    notes = []
    for section in plan.sections:
        for bar in range(section.first, section.end, _EVERY):
            lasts = min(_LASTS, section.end - bar)
            notes.append(Sketch(bar * ticks, lasts * ticks, pitch, _SOFTER))
    return notes
