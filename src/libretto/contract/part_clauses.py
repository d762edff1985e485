"""Clauses on the players: parts that are there and play, ranges, polyphony, drums.

A part is there where a voice has one of its instrument's programs, or a drum voice strikes its keys, often enough to
be heard.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.contract.check import Check, bars_text, clauses
from libretto.contract.contract import Contract
from libretto.contract.instruments import Instrument, find_instruments, instrument_of_program, instruments
from libretto.contract.parts import Part
from libretto.score.model import Score
from libretto.score.time import QUARTER
from libretto.score.voice import Voice

__all__ = ["instrument_of", "matching"]

_SLACK = 0.05
_REACH = 5  # semitones by which such a voice may pass its instrument's range
_SECTION = 4  # a voice nobody asked for may be a section of this many
_LEGATO = QUARTER // 6  # notes that overlap by no more than this are one after the other


def instrument_of(part: Part) -> Instrument:
    """The instrument that a part is played on."""
    if part.instrument in instruments:
        return instruments[part.instrument]
    return instruments["drums"] if part.program is None else instrument_of_program(part.program)


def _can_be(part: Part, voice: Voice) -> bool:
    one = instrument_of(part)
    if voice.drums:
        return bool(one.keys) and bool(np.isin(voice.array["pitch"], one.keys).any())
    if part.drums or voice.program is None:
        return not part.drums and voice.name.lower().split(" #")[0] == part.name.lower().split(" #")[0]
    return voice.program == part.program or voice.program in one.programs


def matching(contract: Contract, score: Score) -> dict[int, int]:
    """For each part by index, the voice that plays it; drum parts may share a voice, others do not."""
    found: dict[int, int] = {}
    taken: set[int] = set()
    playing = [index for index, voice in enumerate(score.voices) if len(voice.array)]
    for exact in (True, False):
        for number, part in enumerate(contract.parts):
            for index in playing:
                voice = score.voices[index]
                named = voice.name.lower() == part.name.lower() or (not voice.drums and voice.program == part.program)
                if number in found or (index in taken and not voice.drums) or (exact and not named):
                    continue
                if _can_be(part, voice):
                    found[number] = index
                    taken.add(index)
    return found


@clauses.register("parts")
def _parts(contract: Contract, score: Score) -> Check:
    if not contract.parts:
        return Check("parts", None, "no instruments were asked for")
    found = matching(contract, score)
    missing = [part.name for number, part in enumerate(contract.parts) if number not in found]
    idle = []
    for number, index in found.items():
        voice, one = score.voices[index], instrument_of(contract.parts[number])
        notes = voice.array[np.isin(voice.array["pitch"], one.keys)] if voice.drums else voice.array
        sounding = np.unique(np.searchsorted(score.bar_lines, notes["onset"], side="right"))
        enough = 1 if one.family in ("effects", "bells", "timpani") else max(1, min(4, score.bars // 8))
        if len(sounding) < enough:
            idle.append(contract.parts[number].name)
    faults = [f"not there: {', '.join(missing)}"] if missing else []
    faults += [f"hardly plays: {', '.join(idle)}"] if idle else []
    if faults:
        return Check("parts", False, "; ".join(faults))
    return Check("parts", True, f"all {len(contract.parts)} play: {', '.join(part.name for part in contract.parts)}")


def _players(contract: Contract, score: Score) -> list[tuple[Voice, Instrument, float]]:
    """Every pitched voice with its instrument, the asked one or by its program, and the share of notes it may bend.

    An asked part is held to its instrument; a voice nobody asked for may stand for a section, or a sound for another.
    """
    owner = {index: instrument_of(contract.parts[number]) for number, index in matching(contract, score).items()}
    found = []
    for index, voice in enumerate(score.voices):
        one = owner.get(index) or instrument_of_program(voice.program or 0)
        if not voice.drums and len(voice.array) and one.family != "effects":
            found.append((voice, one, 0.0 if index in owner else _SLACK))
    return found


@clauses.register("ranges")
def _ranges(contract: Contract, score: Score) -> Check:
    faults: list[str] = []
    bars: list[int] = []
    for voice, one, slack in _players(contract, score):
        reach = _REACH if slack else 0
        if slack and one.family == "synth":
            continue
        outside = (voice.array["pitch"] < one.low - reach) | (voice.array["pitch"] > one.high + reach)
        if outside.sum() > slack * len(outside):
            mine = _bars(score, voice.array[outside])
            faults.append(f"{voice.name} leaves the range of the {one.name} in {bars_text(mine)}")
            bars += mine
    if faults:
        return Check("ranges", False, "; ".join(faults), tuple(sorted(set(bars))))
    return Check("ranges", True, "every voice stays in its instrument's range")


@clauses.register("polyphony")
def _polyphony(contract: Contract, score: Score) -> Check:
    faults: list[str] = []
    bars: list[int] = []
    for voice, one, slack in _players(contract, score):
        most = max(one.polyphony, _SECTION) if slack else one.polyphony
        many = _crowded(voice.array, most)
        if len(many) > slack * len(voice.array):
            mine = _bars(score, many)
            faults.append(
                f"{voice.name} has more notes at once than the {one.name} plays ({most}) in {bars_text(mine)}"
            )
            bars += mine
    if faults:
        return Check("polyphony", False, "; ".join(faults), tuple(sorted(set(bars))))
    return Check("polyphony", True, "no voice has more notes at once than its instrument can play")


def _crowded(notes: NDArray[Any], most: int) -> NDArray[Any]:
    """The notes at whose start more than ``most`` sound; small overlaps are legato."""
    starts = np.sort(notes["onset"].astype(np.int64))
    length = np.maximum(notes["duration"].astype(np.int64) - _LEGATO, np.minimum(notes["duration"], 1))
    ends = np.sort(notes["onset"] + length)
    at = notes["onset"].astype(np.int64)
    sounding = np.searchsorted(starts, at, side="right") - np.searchsorted(ends, at, side="right")
    return notes[sounding > most]


def _bars(score: Score, notes: NDArray[Any]) -> list[int]:
    where = np.searchsorted(score.bar_lines, notes["onset"], side="right") - 1
    return [int(bar) + score.first_bar for bar in np.unique(where)]


@clauses.register("drums")
def _drums(contract: Contract, score: Score) -> Check:
    playing = [voice.name for voice in score.voices if voice.drums and len(voice.array)]
    strays = [
        voice.name for voice in score.voices if not voice.drums and len(voice.array) and _sounds_like_drums(voice.name)
    ]
    if strays:
        return Check("drums", False, f"{', '.join(strays)} is named as percussion and is not on the drum channel")
    if contract.drums is None:
        return Check("drums", None, "nothing was said about drums")
    if contract.drums:
        return Check(
            "drums",
            bool(playing),
            f"percussion in {', '.join(playing)}" if playing else "drums were asked for and none play",
        )
    return Check(
        "drums",
        not playing,
        f"no drums were asked for: {', '.join(playing)} plays" if playing else "no drums, as asked",
    )


def _sounds_like_drums(name: str) -> bool:
    mentions = find_instruments(name)
    return bool(mentions) and all(one.instrument.percussion and not one.ensemble for one in mentions)
