"""Score to sound: perform, seat the voices, play in passes and windows, add up, add a room, finish, encode.

A window is a minute of starts. Each is played until its last note has died away, and laid over what follows it: the
synthesiser adds notes without one touching another, so the joins cannot be heard, and memory stays small.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.errors import LibrettoError, TooLarge, UnknownFormat
from libretto.score import Score
from libretto.score.table import Singles
from libretto.sound.encode import add_room, encoded, finished, resampled, room_for, writer
from libretto.sound.mix import StageSeat, loudnesses, program_of, seats
from libretto.sound.perform import Performance, Strip, passes
from libretto.sound.perform import perform as play_it
from libretto.sound.sf2 import PERCUSSION_BANK, prepared, read_font
from libretto.sound.soundfont import find_soundfont
from libretto.sound.synth import (
    BLOCKS_A_SECOND,
    EXPRESSION,
    FULL_SCALE,
    PAN,
    RATE,
    REVERB,
    VOLUME,
    Event,
    control,
    note_off,
    note_on,
    play,
    program_change,
    set_level,
)

__all__ = ["MAX_SECONDS", "RATES", "find_player", "mixed", "play_sound", "render_audio", "samples_of"]

MAX_SECONDS = 20 * 60
RATES = (16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
_WINDOW_SECONDS, _TAIL_SECONDS = 60, 6
_USUAL_LOUDNESS, _USUAL_LEVEL = -24.0, -6.0  # dB: of one note at full volume, and the volume that suits it
_QUIETEST, _EVENED = -24.0, 0.7  # dB of a voice, and the part that is made up for of what a font makes too loud
_CLIPPED, _STEP_DECIBELS, _MOST_DECIBELS = FULL_SCALE - 2, 8.0, 60.0  # a full sample; how much softer, and at most
_PAN_MIDDLE, _PAN_SIDE = 64, 63  # of the controller: the middle, and from there to a side
_CUT_FADE = RATE // 20  # samples over which the end of a window fades
_SETUP, _OFF, _ON = range(3)  # ranks of events in a block: keys are let go before they are struck


def render_audio(
    score: Score,
    kind: str = "wav",
    *,
    soundfont: str | os.PathLike[str] | None = None,
    perform: bool = True,
    seed: int = 0,
    rate: int = RATE,
) -> bytes:
    """The sound of a Score as the bytes of a WAV, FLAC, Ogg or MP3 file: the same bytes for the same arguments.

    ``perform=False`` plays exactly what is written; ``soundfont`` is the path of an .sf2 file (see ``find_soundfont``).
    """
    writer(kind)  # before the work, not after it
    return encoded(*samples_of(score, soundfont=soundfont, perform=perform, seed=seed, rate=rate), kind)


def samples_of(
    score: Score,
    *,
    soundfont: str | os.PathLike[str] | None = None,
    perform: bool = True,
    seed: int = 0,
    rate: int = RATE,
) -> tuple[Singles, int]:
    """The sound of a Score as rows of left and right within -1 to 1, and the rate: what ``render_audio`` encodes."""
    if rate not in RATES:
        raise UnknownFormat(f"sound has no rate of {rate}; there are {', '.join(map(str, RATES))}")
    performance = play_it(score, seed) if perform else Performance.exact(score)
    if performance.seconds > MAX_SECONDS:
        minutes = performance.seconds / 60
        raise TooLarge(f"the piece lasts {minutes:.0f} minutes; sound is made for at most {MAX_SECONDS // 60}")
    if not len(performance.notes):
        return np.zeros((int(min(score.seconds, MAX_SECONDS) * rate), 2), dtype=np.float32), rate
    sound = mixed(performance, soundfont, rate)
    add_room(sound, rate, room_for(performance))
    return finished(sound, rate), rate


def mixed(performance: Performance, soundfont: str | os.PathLike[str] | None = None, rate: int = RATE) -> Singles:
    """All voices of a performance added up, levels as the mix sets them, without the room and the last touch."""
    font = read_font(find_soundfont(soundfont).path)
    voices = performance.voices
    banks = [PERCUSSION_BANK if voice.drums else 0 for voice in voices]
    programs = [program_of(voice) for voice in voices]
    wanted: dict[tuple[int, int], set[int]] = {}
    for voice, bank, program in zip(voices, banks, programs, strict=True):
        if not voice.drums:
            wanted.setdefault((bank, program), set()).update(voice.array["pitch"].tolist())
    data = prepared(font, wanted)
    layers = {place: font.layers(*place) for place in zip(banks, programs, strict=True)}
    seated = _levelled(seats(voices), loudnesses(data, voices))
    plan = passes(
        performance,
        [layers[place] for place in zip(banks, programs, strict=True)],
        [program if voice.drums else None for voice, program in zip(voices, programs, strict=True)],
    )
    mix = np.zeros((int((performance.seconds + _TAIL_SECONDS + 1) * rate), 2), dtype=np.float32)
    for strips in plan:
        opening = [event for strip in strips for event in _opening(strip, programs[strip.voice], seated[strip.voice])]
        _add_pass(mix, data, strips, opening, rate)
    return mix


def _levelled(seated: Sequence[StageSeat], heard: Sequence[float]) -> list[StageSeat]:
    """Seats whose levels make up for what the font makes too loud or too soft, for the most part."""
    levelled = []
    for seat, loudness in zip(seated, heard, strict=True):
        level = seat.level + _USUAL_LEVEL + _EVENED * (_USUAL_LOUDNESS - loudness)
        levelled.append(seat._replace(level=max(_QUIETEST, min(0.0, level))))
    return levelled


def _opening(strip: Strip, program: int, seat: StageSeat) -> list[Event]:
    """What a channel is told before its first note."""
    channel = strip.channel
    messages = [program_change(channel, program), control(channel, PAN, _PAN_MIDDLE + _PAN_SIDE * seat.pan)]
    messages += [control(channel, REVERB, 0), *set_level(channel, VOLUME, seat.level)]
    return [Event(0, _SETUP, message) for message in messages]


def _add_pass(mix: Singles, font: bytes, strips: Sequence[Strip], opening: Sequence[Event], rate: int) -> None:
    """Play the strips window by window and add them to the mix."""
    window = _WINDOW_SECONDS * BLOCKS_A_SECOND
    cut = 0.0
    for first in range(0, max(int(strip.notes["start"].max()) for strip in strips) + 1, window):
        events, end = _events(strips, first, first + window)
        if not events:
            continue
        sound, cut = _unclipped(font, [*opening, *events], end + _TAIL_SECONDS * BLOCKS_A_SECOND, strips, cut)
        sound = resampled(sound, RATE, rate)
        start = first // BLOCKS_A_SECOND * rate
        room = mix[start : start + len(sound)]
        room += sound[: len(room)]


def _events(strips: Sequence[Strip], first: int, beyond: int) -> tuple[list[Event], int]:
    """The notes that start within a window, timed from its start, and when the last of them ends."""
    events: list[Event] = []
    end = 0
    for strip in strips:
        some: NDArray[Any] = strip.notes[(strip.notes["start"] >= first) & (strip.notes["start"] < beyond)]
        end = max(end, int(some["stop"].max(initial=first)) - first)
        for start, stop, pitch, velocity in some.tolist():
            events.append(Event(start - first, _ON, note_on(strip.channel, pitch, velocity)))
            events.append(Event(stop - first, _OFF, note_off(strip.channel, pitch)))
    return events, end


def _unclipped(
    font: bytes, events: list[Event], blocks: int, strips: Sequence[Strip], cut: float
) -> tuple[Singles, float]:
    """The sound of events, played softer until nothing clips and brought back to its level; and how much softer."""
    channels = sorted({strip.channel for strip in strips})
    while True:
        softer = [Event(0, _SETUP, message) for channel in channels for message in set_level(channel, EXPRESSION, -cut)]
        raw = play(font, softer + events, blocks)
        if cut > _MOST_DECIBELS or (int(raw.max(initial=0)) < _CLIPPED and int(raw.min(initial=0)) > -_CLIPPED):
            break
        cut += _STEP_DECIBELS
    sound = raw.astype(np.float32) * np.float32(10 ** (cut / 20) / FULL_SCALE)
    fade = min(len(sound), _CUT_FADE)
    sound[len(sound) - fade :] *= np.linspace(1, 0, fade, dtype=np.float32)[:, None]
    return sound, cut


#: Players and how they are told to play one file and end.
_PLAYERS: tuple[tuple[str, ...], ...] = (
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "error"),
    ("mpv", "--no-video", "--really-quiet"),
    ("paplay",),
    ("pw-play",),
    ("aplay", "-q"),
    ("afplay",),
    ("play", "-q"),
    ("cvlc", "--play-and-exit", "--quiet"),
)

_LONGEST_ERROR = 200  # characters


def find_player() -> tuple[str, ...] | None:
    """The command that plays a sound file here, without the file; None where there is none."""
    for command in _PLAYERS:
        if program := shutil.which(command[0]):
            return (program, *command[1:])
    return None


def play_sound(wav: bytes, player: Sequence[str] | None = None) -> None:
    """Play the bytes of a WAV file to its end; a clear error where the machine has no player or it fails."""
    command = player or find_player()
    if command is None:
        names = ", ".join(name for name, *_ in _PLAYERS)
        raise LibrettoError(f"there is no player on this machine (looked for {names}); render to a file instead")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "libretto.wav"
        path.write_bytes(wav)
        try:
            done = subprocess.run([*command, str(path)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        except OSError as error:
            raise LibrettoError(f"{command[0]} cannot be started: {error.strerror}") from None
    if done.returncode:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[-_LONGEST_ERROR:]
        raise LibrettoError(
            f"{Path(command[0]).name} could not play it{f': {said}' if said else ''}; is there a sound card?"
        )
