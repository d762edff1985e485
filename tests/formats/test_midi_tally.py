"""Events that are only counted are those that are read, and what cannot be read is not counted."""

from __future__ import annotations

import random
from collections import Counter

from libretto.errors import FormatError
from libretto.formats import formats
from libretto.formats.midi.events import META, events_of, tally_of
from libretto.grammar import parse

_SONG = """KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 2
VOICES: LEAD[prog=65], PERC[drums]
@1 [C] (words:Allegro)
  LEAD: C4@1>4"ma" F#4@5>4 cc1@1=20,9=90 bend@3=50
  PERC: C2@1>1 C2@5>1 D2@9>1 C2@13>1
@2 [Dm7 | G7]
  LEAD: D4@1>8^99 F4@9>8
"""
_DAMAGED = 3000


def _read(data: bytes) -> tuple[list[int], Counter[int]] | str:
    try:
        events = [event for track in events_of(data).tracks for event in track.events]
    except FormatError as error:
        return str(error)
    statuses = Counter(event.status for event in events)
    return [statuses[status] for status in range(256)], Counter(event.meta for event in events if event.status == META)


def _counted(data: bytes) -> tuple[list[int], Counter[int]] | str:
    try:
        return tally_of(data)
    except FormatError as error:
        return str(error)


def test_counted_events_are_those_that_are_read_in_whole_and_damaged_files() -> None:
    song, chance = formats["midi"].encode(parse(_SONG)), random.Random(3)
    whole = _counted(song)
    assert whole == _read(song)
    assert not isinstance(whole, str)
    assert sum(whole[0]) > 20
    refused = 0
    for _ in range(_DAMAGED):
        data = bytearray(song)
        for _ in range(chance.randint(1, 3)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        damaged = bytes(data[: chance.randint(20, len(data))] if chance.random() < 0.3 else data)
        assert _counted(damaged) == _read(damaged)
        refused += isinstance(_counted(damaged), str)
    assert 0 < refused < _DAMAGED
