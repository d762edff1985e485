"""Which soundfont plays: the first one of the places where one may come from.

1. the one asked for;
2. the environment: the path in ``$LIBRETTO_SOUNDFONT``;
3. the user's settings: ``soundfont = "/path/to/font.sf2"`` in ``config.toml``, which lies in ``$LIBRETTO_HOME``
   or, without that, where the system keeps a program's settings;
4. the folders in which systems keep their fonts, those that sound better first;
5. installed packages that name a package with ``.sf2`` files in their entry points ``libretto.soundfonts``;
6. the small TimGM6mb inside pretty_midi, which the extra ``audio`` brings for its sake alone and nobody imports.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from libretto.errors import FormatError, LibrettoError
from libretto.registry import plugin_folders

__all__ = ["Soundfont", "config_path", "find_soundfont", "soundfont_places"]

#: Beginnings of file names, the better sounding first.
_KNOWN = ("generaluser", "musescore_general", "fluidr3", "default-gm", "default", "timgm6mb")
_LARGEST_CONFIG = 100_000  # bytes
_CHOICE = "LIBRETTO_SOUNDFONT"
_CARRIER, _CARRIED = "pretty_midi", "TimGM6mb.sf2"


class Soundfont(NamedTuple):
    """A soundfont and why it was chosen."""

    path: Path
    why: str


def find_soundfont(asked: str | os.PathLike[str] | None = None) -> Soundfont:
    """The soundfont that will play: the first one that ``soundfont_places`` names."""
    for font in soundfont_places(asked):
        return font
    raise LibrettoError(
        "there is no soundfont: pip install 'libretto[audio]' brings a small one; or get a General MIDI .sf2 file "
        "(GeneralUser GS, FluidR3, MuseScore General; on Debian: apt install fluid-soundfont-gm) and name it in the "
        f'call or as soundfont = "..." in {config_path()}'
    )


def soundfont_places(asked: str | os.PathLike[str] | None = None) -> Iterator[Soundfont]:
    """Every soundfont there is, in the order in which they are taken; one that somebody chose and is not there is an
    error."""
    if asked is not None:
        yield _existing(Path(asked).expanduser(), "asked for")
    if os.environ.get(_CHOICE):
        yield _existing(Path(os.environ[_CHOICE]).expanduser(), f"set in ${_CHOICE}")
    configured = _configured()
    if configured is not None:
        yield _existing(configured, f"set in {config_path()}")
    yield from (Soundfont(path, "found on this system") for path in _system_fonts())
    yield from (Soundfont(path, f"comes with {path.parent.name}") for path in _plugin_fonts())
    carried = _carried()
    if carried is not None:
        yield Soundfont(carried, f"comes with {_CARRIER}")


def config_path() -> Path:
    """Where the user's settings are read from, whether the file exists or not."""
    home = os.environ.get("LIBRETTO_HOME")
    if home:
        return Path(home) / "config.toml"
    from platformdirs import user_config_path

    return user_config_path("libretto", appauthor=False) / "config.toml"


def _existing(path: Path, why: str) -> Soundfont:
    try:
        there = path.is_file()
    except (OSError, ValueError):
        there = False
    if not there:
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
    fonts = []
    for place, folder in enumerate(_usual_folders()):
        try:
            entries = sorted(folder.glob("*.[sS][fF]2"))
        except OSError:
            continue
        for path in entries:
            name = path.name.lower()
            rank = next((rank for rank, known in enumerate(_KNOWN) if name.startswith(known)), None)
            if rank is not None and path.is_file():
                fonts.append((rank, place, path))
    yield from (path for _, _, path in sorted(fonts))


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


def _plugin_fonts() -> Iterator[Path]:
    """Fonts that installed packages bring."""
    for folder in plugin_folders("libretto.soundfonts"):
        paths = (Path(str(file)) for file in folder.iterdir())
        yield from sorted(path for path in paths if path.suffix.lower() == ".sf2" and path.is_file())


def _carried() -> Path | None:
    """The font inside the one package that carries it, found without the slow import of that package."""
    try:
        spec = find_spec(_CARRIER)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / _CARRIED
    return path if path.is_file() else None
