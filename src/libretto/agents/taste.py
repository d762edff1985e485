"""Taste: what a person has asked for again and again, in a file that they can read, edit and switch off.

::

    on = true            # false, and nothing of this is used

    [asked]              # how often; delete a line to have it forgotten
    mood = { more = 0, less = 3 }

What was asked for at least twice more often than its contrary leans every later composition a little that way.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from libretto.errors import LibrettoError
from libretto.formats import read_bytes, write_bytes
from libretto.tasks import Wish, qualities

__all__ = ["Taste", "load_taste", "remember", "taste_path"]

_OFTEN = 2
_HEAD = """# What you have asked for when pieces were revised. Read it, edit it, delete lines; nothing else is kept.
# on = false switches it off; without the file nothing is known of your taste.
"""


@dataclass(frozen=True)
class Taste:
    """How often more and less of each quality was asked for, and whether that is to be used."""

    on: bool = True
    asked: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def leanings(self) -> dict[str, int]:
        """Each quality that was asked for clearly more often one way: 1 for more, -1 for less; none where it is off."""
        if not self.on:
            return {}
        ways = {name: more - less for name, (more, less) in sorted(self.asked.items())}
        return {name: 1 if way > 0 else -1 for name, way in ways.items() if abs(way) >= _OFTEN}

    @property
    def words(self) -> list[str]:
        """The leanings as a musician says them."""
        return [qualities()[name].called[0 if way > 0 else 1] for name, way in self.leanings.items()]


def taste_path() -> Path:
    """Where the file lies: in ``$LIBRETTO_HOME``, or where the system keeps a program's settings."""
    home = os.environ.get("LIBRETTO_HOME")
    if home:
        return Path(home) / "taste.toml"
    import platformdirs

    return Path(platformdirs.user_config_dir("libretto")) / "taste.toml"


def load_taste(path: str | os.PathLike[str] | None = None) -> Taste:
    """The taste in a file; an empty one where there is none."""
    file = Path(path) if path is not None else taste_path()
    if not file.is_file():
        return Taste()
    try:
        data = tomllib.loads(read_bytes(file).decode("utf-8"))
        rows = data.get("asked", {})
        asked = {
            str(name): (int(row.get("more", 0)), int(row.get("less", 0)))
            for name, row in rows.items()
            if name in qualities()
        }
        return Taste(bool(data.get("on", True)), asked)
    except (ValueError, AttributeError, TypeError) as error:
        raise LibrettoError(f"{file} cannot be read: {error}; mend it or delete it") from None


def remember(wishes: Sequence[Wish], path: str | os.PathLike[str] | None = None) -> Path | None:
    """Count wishes in the file and say where it is; nothing is written where it is switched off."""
    file = Path(path) if path is not None else taste_path()
    taste = load_taste(file)
    seen = {(wish.quality, wish.way) for wish in wishes if wish.quality in qualities()}
    if not taste.on or not seen:
        return None
    asked = dict(taste.asked)
    for name, way in sorted(seen):
        more, less = asked.get(name, (0, 0))
        asked[name] = (more + (way > 0), less + (way < 0))
    rows = [f"{name} = {{ more = {more}, less = {less} }}" for name, (more, less) in sorted(asked.items())]
    file.parent.mkdir(parents=True, exist_ok=True)
    write_bytes("\n".join([_HEAD, "on = true", "", "[asked]", *rows, ""]).encode(), file, force=True)
    return file
