from __future__ import annotations
from dataclasses import dataclass
from libretto.score import Key, Meter
@dataclass(frozen=True)
class TuneNote:
    start: int
    length: int
    pitch: int
    accent: int = 0
@dataclass(frozen=True)
class Theme:
    name: str
    meter: Meter
    key: Key
    bars: int
    notes: tuple[TuneNote, ...]
    chords: tuple[tuple[str, ...], ...]
    kind: str = ""
