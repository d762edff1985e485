"""Which soundfont plays: the one asked for, the user's own choice, one of the system, or the small one of a wheel.

The user's choice is the line ``soundfont = "/path/to/font.sf2"`` in ``config.toml``, which lies in ``$LIBRETTO_HOME``
or, without that, where the system keeps a program's settings.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from libretto.errors import FormatError, LibrettoError

__all__ = ["Soundfont", "config_path", "find_soundfont"]

#: Beginnings of file names, the better sounding first.
_KNOWN = ("generaluser", "musescore_general", "fluidr3", "default-gm", "default", "timgm6mb")
_LARGEST_CONFIG = 100_000


class Soundfont(NamedTuple):
    """A soundfont and why it was chosen."""

    path: Path
    why: str


def find_soundfont(asked: str | os.PathLike[str] | None = None) -> Soundfont:
    """The soundfont that will play: ``asked``, else the configured one, else a system font, else TimGM6mb."""
    if asked is not None:
        return _existing(Path(asked).expanduser(), "asked for")
    configured = _configured()
    if configured is not None:
        return _existing(configured, f"set in {config_path()}")
    for path in _system_fonts():
        return Soundfont(path, "found on this system")
    bundled = _bundled()
    if bundled is not None:
        return Soundfont(bundled, "comes with pretty_midi")
    raise LibrettoError(
        "there is no soundfont: pip install 'libretto[audio]' brings a small one; or get a General MIDI .sf2 file "
        "(GeneralUser GS, FluidR3, MuseScore General; on Debian: apt install fluid-soundfont-gm) and name it in the "
        f'call or as soundfont = "..." in {config_path()}'
    )


def config_path() -> Path:
    """Where the user's settings are read from, whether the file exists or not."""
    home = os.environ.get("LIBRETTO_HOME")
    if home:
        return Path(home) / "config.toml"
    from platformdirs import user_config_path

    return user_config_path("libretto", appauthor=False) / "config.toml"


def _existing(path: Path, why: str) -> Soundfont:
    try:
        found = path.is_file()
    except (OSError, ValueError):
        found = False
    if not found:
        raise FormatError(f"there is no soundfont {str(path)!r} ({why}); give the path of an .sf2 file")
    return Soundfont(path, why)


def _configured() -> Path | None:
    """The path in the settings; a relative one counts from the settings' own folder."""
    import tomllib

    path = config_path()
    try:
        with open(path, "rb") as file:
            text = file.read(_LARGEST_CONFIG)
        value = tomllib.loads(text.decode()).get("soundfont")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read {path}: {error}") from None
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise FormatError(f"soundfont in {path} must be the path of an .sf2 file in quotes")
    return path.parent / Path(value).expanduser()


def _system_fonts() -> Iterator[Path]:
    """Fonts in the usual places, those that sound better first."""
    found = []
    for place, folder in enumerate(_usual_folders()):
        try:
            entries = sorted(folder.glob("*.[sS][fF]2"))
        except OSError:
            continue
        for path in entries:
            name = path.name.lower()
            rank = next((rank for rank, known in enumerate(_KNOWN) if name.startswith(known)), None)
            if rank is not None and path.is_file():
                found.append((rank, place, path))
    yield from (path for _, _, path in sorted(found))


def _usual_folders() -> list[Path]:
    home = Path.home()
    if sys.platform == "win32":
        programs = [os.environ.get(name) for name in ("ProgramFiles", "ProgramFiles(x86)")]
        music = [
            Path(folder) / app / "sound" for folder in programs if folder for app in ("MuseScore 4", "MuseScore 3")
        ]
        return [Path("C:/soundfonts"), *music, *_musescore(home)]
    if sys.platform == "darwin":
        banks = "Library/Audio/Sounds/Banks"
        brewed = [Path("/opt/homebrew/share/soundfonts"), Path("/usr/local/share/soundfonts")]
        fluid = [Path("/opt/homebrew/share/fluid-synth/sf2"), Path("/usr/local/share/fluid-synth/sf2")]
        return [home / banks, Path("/", banks), *brewed, *fluid, *_musescore(home)]
    own = [home / ".local/share/soundfonts", home / ".local/share/sounds/sf2", home / ".sounds/sf2"]
    shared = [
        "/usr/share/sounds/sf2",
        "/usr/share/soundfonts",
        "/usr/local/share/soundfonts",
        "/usr/local/share/sounds/sf2",
    ]
    return [*own, *map(Path, shared), *_musescore(home)]


def _musescore(home: Path) -> list[Path]:
    return [home / "Documents" / version / "SoundFonts" for version in ("MuseScore4", "MuseScore3")]


def _bundled() -> Path | None:
    """The font inside the pretty_midi wheel, found without the slow import of that package."""
    try:
        spec = find_spec("pretty_midi")
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "TimGM6mb.sf2"
    return path if path.is_file() else None
