"""What a MIDI file holds by a reader that is not ours (mido), and what of it became another file."""

from __future__ import annotations

import io
from collections import Counter, defaultdict, deque
from typing import NamedTuple

import mido

#: What marks the end of a track; it moves with the last event.
END = "end_of_track"
#: Meta events that belong to the music at the very beginning, and not to the whole piece.
BOUND = ("lyrics", "marker", "cue_marker", END)


class Heard(NamedTuple):
    """One event as mido has it: track, tick, what it is, and its bytes."""

    track: int
    tick: int
    kind: str
    channel: int
    data: bytes

    @property
    def starts(self) -> bool:
        return self.kind == "note_on" and self.data[2] > 0

    @property
    def stops(self) -> bool:
        return self.kind == "note_off" or (self.kind == "note_on" and self.data[2] == 0)


def heard(data: bytes) -> list[Heard]:
    """Every event of a file, track after track, in order."""
    events = []
    for number, track in enumerate(mido.MidiFile(file=io.BytesIO(_tracks_only(data)), clip=True).tracks):
        tick = 0
        for message in track:
            tick += message.time
            channel = getattr(message, "channel", -1) if not message.is_meta else -1
            events.append(Heard(number, tick, message.type, channel, bytes(message.bytes())))
    return events


def _tracks_only(data: bytes) -> bytes:
    """The file without chunks of other kinds, which mido does not take."""
    at = data.find(b"MThd")
    out = []
    while 0 <= at <= len(data) - 8:
        stop = at + 8 + int.from_bytes(data[at + 4 : at + 8], "big")
        if data[at : at + 4] in (b"MThd", b"MTrk"):
            out.append(data[at:stop])
        at = stop
    return b"".join(out)


def _starts(events: list[Heard]) -> list[int]:
    """For every event its own tick, for one that stops a note the tick where that note starts."""
    waiting: dict[tuple[int, int, int], deque[int]] = defaultdict(deque)
    ticks = []
    for event in events:
        tick = event.tick
        if event.starts:
            waiting[event.track, event.channel, event.data[1]].append(tick)
        elif event.stops and (queue := waiting[event.track, event.channel, event.data[1]]):
            tick = queue.popleft()
        ticks.append(tick)
    return ticks


def opened(events: list[Heard], cut: int, more: int) -> list[Heard]:
    """The events as they should be where ticks were put in: notes go with their start, what is set up first stays."""
    moved = []
    for event, start in zip(events, _starts(events), strict=True):
        note = event.starts or event.stops or event.kind == "polytouch"
        set_up = cut == 0 and event.tick == 0 and not note and event.kind not in BOUND
        moved.append(event if start < cut or set_up else event._replace(tick=event.tick + more))
    return moved


def differences(before: list[Heard], after: list[Heard]) -> tuple[list[Heard], list[Heard]]:
    """What is only in the first, and what is only in the second; all else must be there in the same order."""
    old = [event for event in before if event.kind != END]
    new = [event for event in after if event.kind != END]
    gone, more = Counter(old) - Counter(new), Counter(new) - Counter(old)
    one, other = _without(old, gone), _without(new, more)
    for track in {event.track for event in one}:
        mine, theirs = ([e for e in events if e.track == track] for events in (one, other))
        assert sorted(mine, key=lambda e: e.tick) == theirs, f"track {track} is in another order"
    return sorted(gone.elements()), sorted(more.elements())


def _without(events: list[Heard], some: Counter[Heard]) -> list[Heard]:
    left, out = Counter(some), []
    for event in events:
        if left[event]:
            left[event] -= 1
        else:
            out.append(event)
    return out
