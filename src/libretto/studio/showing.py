"""A piece as the page draws it: notes, bars, voices, chords, sections and the way from seconds to ticks, as data."""

from __future__ import annotations

from typing import Any

import numpy as np

from libretto.report.page import COLOURS
from libretto.score import QUARTER, Score

__all__ = ["piece_view"]


def piece_view(score: Score) -> dict[str, Any]:
    """The piece as plain data: places are ticks of the page, pitches MIDI numbers, bars their printed numbers.

    ``notes`` are columns, in the order of the note table: a note is known by its place there.
    """
    table = score.table
    columns = {name: table[name].tolist() for name in ("voice", "onset", "duration", "pitch", "velocity")}
    lines = list(score.bar_lines)
    return {
        "title": score.title,
        "quarter": QUARTER,
        "end": lines[-1],
        "seconds": round(score.seconds, 3),
        "bars": [
            {"number": number, "tick": tick, "chords": list(chords), "meter": str(score.meter_at(tick))}
            for number, tick, chords in zip(score.numbers, lines[:-1], score.chords, strict=True)
        ],
        "clock": [
            [tick, round(float(at), 4)] for tick, at in zip(lines, score.seconds_at(np.array(lines)), strict=True)
        ],
        "sections": [{"tick": tick, "name": name} for tick, name in score.sections],
        "key": str(score.key),
        "meter": str(score.meter),
        "tempo": round(score.bpm, 2),
        "voices": [
            {
                "name": voice.name,
                "program": voice.program,
                "drums": voice.drums,
                "colour": COLOURS[index % len(COLOURS)],
            }
            for index, voice in enumerate(score.voices)
        ],
        "notes": columns,
    }
