"""Clauses on the players: parts that are there and play, ranges, polyphony, drums.

A part is there where a voice has a program of its instrument or of its kin, or a drum voice strikes its keys, often
enough to be heard.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from libretto.contract.cast import Part
from libretto.contract.checks.check import Check, bars_text, clauses
from libretto.contract.checks.kin import kin_of, program_words
from libretto.contract.checks.stacks import SECTION
from libretto.contract.contract import Contract
from libretto.contract.instruments import Instrument, find_instruments, instrument_of_program, instruments
from libretto.score.model import Score
from libretto.score.time import QUARTER
from libretto.score.voice import Voice

__all__ = ["instrument_of", "matching"]

_SLACK = 0.05  # the share of its notes that a voice nobody asked for may bend
_SELDOM = ("effects", "tolling", "bells", "timpani")  # families that play enough in one bar
_OFTEN, _ENOUGH = 8, 4  # others play in one bar of eight, and never need more than four
_REACH = 5  # semitones by which such a voice may pass its instrument's range
_SECTION = 4  # a voice nobody asked for may be a section of this many
_LEGATO = QUARTER // 6  # notes that overlap by no more than this are one after the other


def instrument_of(part: Part) -> Instrument:
    """The instrument that a part is played on."""
    if part.instrument in instruments:
        return instruments[part.instrument]
    return instruments["drums"] if part.program is None else instrument_of_program(part.program)


def _can_be(part: Part, voice: Voice) -> bool:
    """Whether a voice can be what a part asks for."""
    instrument = instrument_of(part)
    if voice.drums:
        return bool(instrument.keys) and bool(np.isin(voice.array["pitch"], instrument.keys).any())
    if part.drums or voice.program is None:
        return not part.drums and voice.name.lower().split(" #")[0] == part.name.lower().split(" #")[0]
    return voice.program == part.program or voice.program in kin_of(instrument)


def _named(part: Part, voice: Voice) -> bool:
    """Whether a voice says outright that it is a part, by its name."""
    return voice.name.lower() == part.name.lower()


def _sounds(part: Part, voice: Voice) -> bool:
    """Whether a voice has the very sound of a part."""
    return not voice.drums and voice.program == part.program


def _own(part: Part, voice: Voice) -> bool:
    """Whether a voice has one of the sounds that a part's instrument usually has."""
    return voice.drums or voice.program in instrument_of(part).programs


def _any(part: Part, voice: Voice) -> bool:
    """Whether a voice may be asked at all whether it can be a part."""
    return True


def matching(contract: Contract, score: Score) -> dict[int, int]:
    """For each part by index, the voice that plays it; drum parts may share a voice, others do not."""
    players: dict[int, int] = {}
    playing = [(index, voice) for index, voice in enumerate(score.voices) if len(voice.array)]
    for likely in (_named, _sounds, _own, _any):
        for number, part in enumerate(contract.parts):
            if number in players:
                continue
            taken = set(players.values())
            able = (
                index
                for index, voice in playing
                if (voice.drums or index not in taken) and likely(part, voice) and _can_be(part, voice)
            )
            first = next(able, None)
            if first is not None:
                players[number] = first
    return players


@clauses.register("parts")
def _parts(contract: Contract, score: Score) -> Check:
    if not contract.parts:
        return Check("parts", None, "no instruments were asked for")
    players = matching(contract, score)
    missing = [_wanted(part) for number, part in enumerate(contract.parts) if number not in players]
    idle = [
        contract.parts[number].name
        for number, index in players.items()
        if not _plays_enough(score, score.voices[index], instrument_of(contract.parts[number]))
    ]
    faults = [f"not there: {', '.join(missing)}"] if missing else []
    faults += [f"hardly plays: {', '.join(idle)}"] if idle else []
    if faults:
        return Check("parts", False, "; ".join(faults))
    playing = [_played(part, score.voices[players[number]]) for number, part in enumerate(contract.parts)]
    others = [voice.name for index, voice in enumerate(score.voices) if index not in players.values()]
    joined = f"; joined by {', '.join(others)}" if others else ""
    return Check("parts", True, f"all {len(contract.parts)} play: {', '.join(playing)}{joined}")


def _wanted(part: Part) -> str:
    """A part that nobody plays, with the program that it is asked on."""
    return part.name if part.drums or part.program is None else f"{part.name} ({program_words(part.program)})"


def _played(part: Part, voice: Voice) -> str:
    """A part that is played, with the program where that is another than asked."""
    other = not voice.drums and voice.program is not None and voice.program != part.program
    return f"{part.name} ({program_words(voice.program or 0)})" if other else part.name


def _plays_enough(score: Score, voice: Voice, instrument: Instrument) -> bool:
    """Whether a voice plays its instrument in as many bars as it takes to be there."""
    notes = voice.array[np.isin(voice.array["pitch"], instrument.keys)] if voice.drums else voice.array
    enough = 1 if instrument.family in _SELDOM else max(1, min(_ENOUGH, score.bars // _OFTEN))
    return len(_bars(score, notes)) >= enough


class _Player(NamedTuple):
    """A voice, the instrument it is held to, and whether the contract asks for it."""

    voice: Voice
    instrument: Instrument
    asked: bool

    @property
    def slack(self) -> float:
        """The share of its notes that may be out of what the instrument can do."""
        return 0.0 if self.asked else _SLACK


def _players(contract: Contract, score: Score) -> list[_Player]:
    """Every pitched voice with its instrument, the asked one or by its program.

    An asked part is held to its instrument; a voice nobody asked for may stand for a section, or a sound for another.
    """
    owner = {index: instrument_of(contract.parts[number]) for number, index in matching(contract, score).items()}
    players = [
        _Player(voice, owner.get(index) or instrument_of_program(voice.program or 0), index in owner)
        for index, voice in enumerate(score.voices)
        if not voice.drums and len(voice.array)
    ]
    return [player for player in players if player.instrument.family != "effects"]


@clauses.register("ranges")
def _ranges(contract: Contract, score: Score) -> Check:
    faults: list[str] = []
    bars: list[int] = []
    for player in _players(contract, score):
        voice, instrument = player.voice, player.instrument
        if instrument.family == "synth" and not player.asked:
            continue
        reach = 0 if player.asked else _REACH
        pitch = voice.array["pitch"]
        outside = (pitch < instrument.low - reach) | (pitch > instrument.high + reach)
        if outside.sum() > player.slack * len(outside):
            mine = _bars(score, voice.array[outside])
            faults.append(f"{voice.name} leaves the range of the {instrument.name} in {bars_text(mine)}")
            bars += mine
    if faults:
        return Check("ranges", False, "; ".join(faults), tuple(sorted(set(bars))))
    return Check("ranges", True, "every voice stays in its instrument's range")


@clauses.register("polyphony")
def _polyphony(contract: Contract, score: Score) -> Check:
    ranks = {ask.who for ask in contract.asks if ask.kind == "texture" and ask.what.startswith(SECTION)}
    faults: list[str] = []
    bars: list[int] = []
    for player in _players(contract, score):
        voice, instrument = player.voice, player.instrument
        several = not player.asked or voice.name in ranks
        most = max(instrument.polyphony, _SECTION) if several else instrument.polyphony
        many = _crowded(voice.array, most)
        if len(many) > player.slack * len(voice.array):
            mine = _bars(score, many)
            faults.append(
                f"{voice.name} has more notes at once than the {instrument.name} plays ({most}) in {bars_text(mine)}"
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
    """The numbers of the bars in which notes begin."""
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
    return bool(mentions) and all(mention.instrument.percussion and not mention.ensemble for mention in mentions)
