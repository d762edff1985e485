"""Tones that pull: leading notes and sevenths that are doubled, or do not go where they should.

Conventions: a chord lasts from moment to moment while its root is the same; what is no chord for certain stands
between chords and is passed over. A tone is held to its duty where it still sounds when its chord ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from libretto.faults.harmony.reading import SOPRANO, Lines, Moment, Sound
from libretto.faults.harmony.sonority import LEADING, SURE, Sonority, leading_note, resolves_to, seventh_of
from libretto.faults.harmony.styles import PartFault
from libretto.score.pitch import letter_name

__all__ = ["tendency_faults"]

_STEP, _THIRD = 2, 4  # semitones at most


def tendency_faults(lines: Lines, strict: bool) -> Iterator[PartFault]:
    """Doubled leading notes and sevenths, and those that are not resolved."""
    chords = [moment for moment in lines.moments if moment.chord is not None and None not in moment.sounds]
    for moment, after in zip(chords, [*chords[1:], None], strict=True):
        if after is None or after.tick - moment.end > lines.pulse_at(moment.tick):
            after = None
        pulls = _pulls(lines, moment, after, strict)
        if moment.on_pulse:
            yield from _doubled(lines, moment, pulls)
        if after is not None and after.chord is not None and not moment.closes:
            yield from _resolved(lines, moment, after.chord, pulls, strict)


class _Pulls(NamedTuple):
    """The tones of a chord that pull, as spellings; and whether the chord goes home after it."""

    leading: int | None
    seventh: int | None
    home: bool


def _pulls(lines: Lines, moment: Moment, after: Moment | None, strict: bool) -> _Pulls:
    """What pulls in a chord; in the free style only in one with a tritone that goes home, on the beat."""
    if moment.chord is None:
        return _Pulls(None, None, False)
    leading, seventh = leading_note(moment.chord, lines.score.key_at(moment.tick)), seventh_of(moment.chord)
    follows = after.chord if after is not None else None
    home = leading is not None and follows is not None and resolves_to(leading, follows)
    if strict or (home and moment.chord.kind in SURE and after is not None and after.on_pulse):
        return _Pulls(leading, seventh, home)
    return _Pulls(None, None, False)


def _doubled(lines: Lines, moment: Moment, pulls: _Pulls) -> Iterator[PartFault]:
    for tone, what, other in ((pulls.leading, "leading note", "root"), (pulls.seventh, "seventh", "root")):
        who = [number for number, sound in enumerate(moment.sounds) if sound is not None and sound.spelling == tone]
        if tone is not None and len(who) > 1:
            bar, beat = lines.place(moment.tick)
            names = tuple(lines.names[number] for number in who)
            heard = f"both have {letter_name(tone)}"
            yield PartFault(f"doubled {what}", bar, beat, names, heard, f"double the {other} of the chord instead")


def _resolved(lines: Lines, moment: Moment, follows: Sonority, pulls: _Pulls, strict: bool) -> Iterator[PartFault]:
    if moment.chord is None or follows.root == moment.chord.root:
        return
    for number, sound in enumerate(moment.sounds):
        after = None if sound is None else lines.after(number, sound)
        if sound is None or after is None:
            continue
        bar, beat = lines.place(sound.onset)
        heard = f"{sound.name} goes to {after.name}"
        if sound.spelling == pulls.seventh and not _falls(lines, number, sound, after, strict):
            rule, advice = "seventh not resolved", "lead it down by step"
        elif sound.spelling == pulls.leading and pulls.home and not _rises(lines, number, sound, after, strict):
            rule, advice = "leading note not resolved", f"lead it up to {letter_name(sound.spelling - LEADING)}"
        else:
            continue
        yield PartFault(rule, bar, beat, (lines.names[number],), heard, advice)


def _falls(lines: Lines, number: int, sound: Sound, after: Sound, strict: bool) -> bool:
    """Whether a seventh goes down by step; free: also after one more note, or passing upwards by step."""
    if -_STEP <= after.pitch - sound.pitch < 0:
        return True
    if strict:
        return False
    later = lines.after(number, after)
    return (after.pitch - sound.pitch <= _STEP and after.pitch > sound.pitch) or (
        later is not None and -_STEP <= later.pitch - sound.pitch < 0
    )


def _rises(lines: Lines, number: int, sound: Sound, after: Sound, strict: bool) -> bool:
    """Whether a leading note goes up by step.

    In the free style only the soprano's has to, and it may go on down by step, or fall a third to the fifth of home.
    """
    move = after.pitch - sound.pitch
    if 0 < move <= _STEP:
        return True
    return not strict and (number != SOPRANO or -_THIRD <= move < 0)
