"""Endings that are meant: the last bar is one chord, struck together and held, as the style closes."""

from __future__ import annotations

from libretto.house.compose.band import Player
from libretto.house.compose.plan import Plan
from libretto.house.core.drums import DRUM_KEYS
from libretto.house.core.patterns import Sketch
from libretto.house.core.tones import pitches_of
from libretto.house.core.voicing import voice
from libretto.score import QUARTER

__all__ = ["close", "tempo_map", "write_effect"]

_MEANT, _STRUCK, _CRASHED = 2, 4, 6  # accents
_HOME, _BELOW = 5, 3  # semitones: where a bass is at home above its lowest note, and how far below itself it ends
_CLEAR = 3  # semitones between the last note of a tune and the chord under it
_REGISTER = (50, 76)  # of chords whose chair names none
_LOWEST_ALONE, _LOWEST_ROOT, _DEEP = 36, 40, 48  # who plays as deep as C3 can have the root, down to E2
_BROADER = (0.94, 0.86, 0.74)  # the tempo of a ritard, by half bars
_EVERY, _LASTS, _SOFTER = 8, 4, -18  # bars from sound to sound, bars that it lasts, and its accent
_MIDDLE = 60


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
    """What a player strikes in the last bar, by what the part is."""
    if player.drums:
        return _last_strokes(plan, player, kept, start)
    if player.role == "bass":
        return [Sketch(start, held, _last_bass(plan, player, kept), _MEANT)]
    if player.role in ("lead", "counter", "riff") or player.polyphony == 1:
        return _last_of_line(plan, player, kept, start, held)
    return [Sketch(start, held, pitch, 0) for pitch in _last_chord(plan, player)]


def _last_strokes(plan: Plan, player: Player, kept: list[Sketch], start: int) -> list[Sketch]:
    """The last stroke of a kit, or of the lowest drum of hand percussion."""
    if player.role == "percussion":
        keys = sorted({note.pitch for note in kept})[:1]
        return [Sketch(start, QUARTER // 2, key, _STRUCK) for key in keys]
    return [
        Sketch(start, QUARTER, DRUM_KEYS[drum], _CRASHED)
        for drum in plan.style.setting("ending", "drums", ["kick", "crash"])
    ]


def _last_bass(plan: Plan, player: Player, kept: list[Sketch]) -> int:
    """The last root, a little below where the bass has played."""
    lows = sorted(note.pitch for note in kept) or [player.low + _HOME]
    middle = lows[len(lows) // 2] - _BELOW
    roots = _of_tone(plan.chords_of(plan.bars - 1)[-1].root, player)
    return min(roots, key=lambda pitch: (abs(pitch - middle), pitch))


def _last_of_line(plan: Plan, player: Player, kept: list[Sketch], start: int, held: int) -> list[Sketch]:
    """The last note of a line, the tonic for who leads, near where it was; who is alone plays the chord under it."""
    chord = plan.chords_of(plan.bars - 1)[-1]
    late = [note.pitch for note in kept if note.onset >= start - plan.meter.ticks] or [note.pitch for note in kept]
    before = (max(late) if player.alone else kept[-1].pitch) if kept else (player.low + player.high) // 2
    tonic = (plan.key.tonic_class + plan.sections[-1].shift) % 12
    tones = {tonic} if player.role == "lead" else set(chord.chord.classes)
    choices = [pitch for tone in tones for pitch in _of_tone(tone, player)]
    top = min(choices, key=lambda pitch: (abs(pitch - before), pitch))
    notes = [Sketch(start, held, top, _MEANT)]
    if player.alone and player.polyphony >= 3:
        low = max(player.low, _LOWEST_ALONE)
        under = voice(chord, low, min(top - _CLEAR, low + 2 * 12), min(4, player.polyphony - 1), "rooted")
        notes += [Sketch(start, held, pitch, -_STRUCK) for pitch in under if pitch <= top - _CLEAR]
    return notes


def _last_chord(plan: Plan, player: Player) -> tuple[int, ...]:
    """The last chord of who plays chords, with its root where nobody else has it."""
    chord = plan.chords_of(plan.bars - 1)[-1]
    low, high = player.seat.register or _REGISTER
    low, high = max(player.low, low), min(player.high, high)
    size = max(1, min(player.polyphony, player.seat.size or 4))
    if not plan.has_bass and player.polyphony >= 4 and player.bottom <= _DEEP:
        return voice(chord, max(player.bottom, _LOWEST_ROOT), high, max(3, size), "rooted")
    return voice(chord, low, high, size, player.seat.voicing or "close")


def _of_tone(tone: int, player: Player) -> list[int]:
    """The pitches of a tone that a player has; the lowest of all where there are none."""
    return pitches_of(tone, player.low, player.high) or [player.low]


def tempo_map(plan: Plan) -> list[tuple[int, float]]:
    """Ticks and quarter notes a minute: steady, and slower into a ritard at the end."""
    changes = [(0, plan.tempo)]
    if plan.ending == "ritard" and plan.bars >= 4:
        start = (plan.bars - 2) * plan.meter.ticks
        half = plan.meter.ticks // 2
        for step, factor in enumerate(_BROADER):
            changes.append((start + step * half, round(plan.tempo * factor, 1)))
    return changes


def write_effect(plan: Plan, player: Player) -> list[Sketch]:
    """One long soft sound where a section begins, and again every eight bars of a long one."""
    ticks = plan.meter.ticks
    tonic = plan.key.tonic_class
    pitch = min(range(player.low, player.high + 1), key=lambda pitch: (pitch % 12 != tonic, abs(pitch - _MIDDLE)))
    notes = []
    for section in plan.sections:
        for bar in range(section.first, section.end, _EVERY):
            lasts = min(_LASTS, section.end - bar)
            notes.append(Sketch(bar * ticks, lasts * ticks, pitch, _SOFTER))
    return notes
