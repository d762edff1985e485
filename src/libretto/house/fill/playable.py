"""A part as its instrument can play it: by octaves where it sounds well, and no more notes at once than it has."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from libretto.contract.instruments import Instrument, instrument_named, instrument_of_program
from libretto.house.core.patterns import Sketch
from libretto.score import Voice

__all__ = ["at_once", "playable", "player_of"]

_OCTAVES = (0, 12, -12, 24, -24)
_BOWED = (40, 41, 42, 43, 110)  # they play two notes at once now and then, and hold none


def player_of(voice: Voice) -> Instrument | None:
    """Who plays a voice: the instrument of its name where it has that program, else that of the program."""
    if voice.drums or voice.program is None:
        return None
    named = instrument_named(voice.name.rstrip("#0123456789 "))
    return named if named is not None and voice.program in named.programs else instrument_of_program(voice.program)


def at_once(player: Instrument, program: int) -> int:
    """How many notes an instrument holds at the same time."""
    return 1 if program in _BOWED else player.polyphony


def playable(notes: Sequence[Sketch], voice: Voice) -> list[Sketch]:
    """The notes of a part by octaves where its instrument plays, and of its chords those on top that it can hold."""
    player = player_of(voice)
    if player is None or voice.program is None or not notes:
        return list(notes)
    most = at_once(player, voice.program)
    struck: dict[int, list[Sketch]] = {}
    for note in notes:
        struck.setdefault(note.onset, []).append(note)
    kept = [note for onset in sorted(struck) for note in sorted(struck[onset], key=lambda one: -one.pitch)[:most]]
    if most == 1:
        ends = [later.onset for later in kept[1:]]
        kept = [
            note._replace(duration=min(note.duration, end - note.onset))
            for note, end in zip(kept, [*ends, kept[-1].onset + kept[-1].duration], strict=True)
        ]
    return _placed(kept, player)


def _placed(notes: list[Sketch], player: Instrument) -> list[Sketch]:
    """The notes by the octaves at which most can be played, and well; what is still outside by octaves of its own."""
    low, high = player.comfortable
    middle = median(note.pitch for note in notes)

    def price(by: int) -> tuple[int, float, int]:
        outside = sum(not player.low <= note.pitch + by <= player.high for note in notes)
        return outside, max(low - middle - by, middle + by - high, 0.0), abs(by)

    by = min(_OCTAVES, key=price)
    return [note._replace(pitch=_within(note.pitch + by, player)) for note in notes]


def _within(pitch: int, player: Instrument) -> int:
    """A pitch by octaves within the range of an instrument; as it is where no octave of it lies there."""
    if pitch < player.low:
        there = pitch + 12 * -((pitch - player.low) // 12)
    elif pitch > player.high:
        there = pitch - 12 * -((player.high - pitch) // 12)
    else:
        return pitch
    return there if player.low <= there <= player.high else pitch
