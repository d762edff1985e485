"""The frame of a contract: the empty piece that it asks for."""

from __future__ import annotations

from libretto.contract.contract import Contract
from libretto.contract.framing import framed
from libretto.score import Key, Meter, Score, Voice
from libretto.score.time import micros_of_bpm
from libretto.score.voice import unique_name

__all__ = ["frame"]

_BARS, _BPM = 16, 100.0  # of an empty piece where the contract leaves them open


def frame(contract: Contract) -> Score:
    """The empty piece of a contract; what it leaves open is C major, 4/4, 100 BPM, 16 bars and a piano.

    >>> piece = frame(Contract.from_brief("A slow waltz in D minor for flute and cello over 24 bars."))
    >>> str(piece.key), str(piece.meter), piece.bars, [voice.name for voice in piece.voices]
    ('D minor', '3/4', 24, ['Flute', 'Cello'])
    """
    voices: list[Voice] = []
    for part in contract.parts:
        name = unique_name(part.name, {voice.name for voice in voices})
        voices.append(Voice.of(name, (), part.program, part.drums))
    if contract.drums and not any(voice.drums for voice in voices):
        voices.append(Voice.of(unique_name("Drums", {voice.name for voice in voices}), (), None, True))
    slow, fast = contract.tempo_bpm or (_BPM, _BPM)
    meter = contract.meter or Meter(4, 4)
    plain = Score.build(
        voices or [Voice.of("Piano", (), 0)],
        bars=contract.bars or _BARS,
        meters=((0, meter),),
        keys=((0, contract.key or Key.parse("C major")),),
        tempos=((0, micros_of_bpm((slow + fast) / 2)),),
        title=contract.title,
    )
    return framed(plain, contract.form, contract.asks, contract.bars) if contract.asks or contract.form else plain
