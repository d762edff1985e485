"""A piece as the page draws it: notes, bars, voices, chords, sections and the way from seconds to ticks, as data."""

from __future__ import annotations

from typing import Any

import numpy as np

from libretto.report.energy import energies
from libretto.report.page import COLOURS
from libretto.score import QUARTER, Score, Voice
from libretto.score.general_midi import voice_name
from libretto.score.played import ways_played
from libretto.sound.mix import program_of
from libretto.sound.playback import channels_of

__all__ = ["piece_view"]

_DIGITS = 4  # of seconds


def piece_view(score: Score) -> dict[str, Any]:
    """The piece as plain data: places are ticks of the page, pitches MIDI numbers, bars their printed numbers.

    ``notes`` are columns, in the order of the note table: a note is known by its place there. ``playing`` is the order
    of play, in which the performance sounds: seconds from and to, ticks from and to.
    """
    table = score.table
    lines = list(score.bar_lines)
    ways = ways_played(score)
    return {
        "title": score.title,
        "quarter": QUARTER,
        "end": lines[-1],
        "seconds": round(ways[-1][1], _DIGITS),
        "key": str(score.key),
        "meter": str(score.meter),
        "tempo": round(score.bpm, 2),
        "bars": [
            {"number": number, "tick": tick, "chords": list(chords), "meter": str(score.meter_at(tick))}
            for number, tick, chords in zip(score.numbers, lines[:-1], score.chords, strict=True)
        ],
        "clock": _clock(score),
        "playing": [[round(one, _DIGITS), round(other, _DIGITS), here, there] for one, other, here, there in ways],
        "sections": [{"tick": tick, "name": name} for tick, name in score.sections],
        "energy": energies(score),
        "voices": [_voice(score, index) for index in range(len(score.voices))],
        "notes": {name: table[name].tolist() for name in ("voice", "onset", "duration", "pitch", "velocity")},
    }


def _clock(score: Score) -> list[list[float]]:
    """When bar lines and changes of tempo sound, were the page played from top to bottom."""
    ticks = sorted({*score.bar_lines, *(tick for tick, _ in score.tempos)})
    seconds = score.seconds_at(np.array(ticks)).tolist()
    return [[tick, round(at, _DIGITS)] for tick, at in zip(ticks, seconds, strict=True)]


def _voice(score: Score, index: int) -> dict[str, Any]:
    voice: Voice = score.voices[index]
    pitches = voice.array["pitch"]
    port, channel = channels_of(score.voices)[index]
    program = program_of(voice)
    return {
        "name": voice.name,
        "program": program,
        "instrument": voice_name(program, voice.drums),
        "drums": voice.drums,
        "colour": COLOURS[index % len(COLOURS)],
        "lowest": int(pitches.min()) if len(pitches) else None,
        "highest": int(pitches.max()) if len(pitches) else None,
        "port": port,
        "channel": channel,
        "notes": len(pitches),
    }
