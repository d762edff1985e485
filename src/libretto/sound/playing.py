"""Play a sound with whatever player the machine has."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from libretto.errors import LibrettoError

__all__ = ["find_player", "play_sound"]

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
