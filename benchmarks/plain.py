"""Plain re-statements, to measure against: a MIDI encoder and a text reader as one would write them first.

They follow the published grammar (fixed sixteenth grid, no velocities, no percussion) with mido, fractions and loops.
"""

from __future__ import annotations

import io
import re
from fractions import Fraction

NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
TOKEN = re.compile(r"^([A-G][#b]*-?\d+(?:\+[A-G][#b]*-?\d+)*)@(\d+)>(\d+)(?:\^(\d+))?$")
STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


def encode(data: bytes) -> str:
    """MIDI bytes to text on a sixteenth grid."""
    import mido

    song = mido.MidiFile(file=io.BytesIO(data), clip=True)
    bars: dict[int, dict[int, list[str]]] = {}
    for index, track in enumerate(song.tracks):
        now, sounding = 0, {}
        for message in track:
            now += message.time
            if message.type == "note_on" and message.velocity and message.channel != 9:
                sounding.setdefault(message.note, []).append(now)
            elif message.type in ("note_off", "note_on") and sounding.get(message.note):
                start = sounding[message.note].pop(0)
                slot = round(Fraction(start, song.ticks_per_beat) * 4)
                length = max(1, round(Fraction(now - start, song.ticks_per_beat) * 4))
                name = f"{NAMES[message.note % 12]}{message.note // 12 - 1}"
                bars.setdefault(slot // 16, {}).setdefault(index, []).append(f"{name}@{slot % 16 + 1}>{length}")
    lines = []
    for bar in range(max(bars, default=0) + 1):
        lines.append(f"@{bar + 1} [-]")
        lines += [f"  Part{voice}: {' '.join(tokens)}" for voice, tokens in sorted(bars.get(bar, {}).items())]
    return "\n".join(lines)


def parse(text: str) -> list[dict[str, object]]:
    """Text to a list of notes, one dictionary each."""
    notes: list[dict[str, object]] = []
    grid, default, bar = 16, 16, 0
    for line in text.split("\n"):
        if line.startswith("KEY"):
            default = int(re.search(r"GRID: (\d+)", line)[1])
        elif line.startswith("@"):
            bar = int(re.match(r"@(\d+)", line)[1])
            found = re.search(r"\(grid:(\d+)t?\)", line)
            grid = int(found[1]) if found else default
        elif line.startswith("  "):
            voice, _, body = line.partition(":")
            for token in body.split():
                found = TOKEN.match(token)
                if not found:
                    continue
                for name in found[1].split("+"):
                    letter, accidentals, octave = re.match(r"([A-G])([#b]*)(-?\d+)", name).groups()
                    pitch = 12 * (int(octave) + 1) + STEPS[letter] + accidentals.count("#") - accidentals.count("b")
                    start = Fraction(int(found[2]) - 1, grid) * 4
                    length = Fraction(int(found[3]), grid) * 4
                    notes.append({"voice": voice.strip(), "bar": bar, "start": start, "length": length, "pitch": pitch})
    return notes
