"""Prompts of a user's own for the roles of a team: a folder with one text file a role, sent as they are."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from libretto.agents.teams.team import Team, load_team
from libretto.errors import LibrettoError
from libretto.formats import read_bytes

__all__ = ["team_with", "worded"]

_SUFFIXES = (".md", ".txt")
_LARGEST = 40_000  # characters of a prompt


def team_with(name: str, prompts: str = "") -> Team:
    """The team of that name, in the words of the folder ``prompts`` where one is given."""
    team = load_team(name)
    return worded(team, prompts) if prompts else team


def worded(team: Team, folder: str | os.PathLike[str]) -> Team:
    """A team whose roles say what the files of a folder say: ``FOLDER/ROLE.md`` or ``FOLDER/TEAM/ROLE.md``.

    Roles without a file keep our words. A file that names no role is an error, so that no prompt is lost by its name.
    """
    place = Path(folder)
    if (place / team.name).is_dir():
        place = place / team.name
    if not place.is_dir():
        raise LibrettoError(f"{folder} is no folder of prompts")
    files = {path.stem: path for path in sorted(place.iterdir()) if path.is_file() and path.suffix in _SUFFIXES}
    strangers = [name for name in files if name not in team.roles]
    if strangers or not files:
        what = f"{strangers[0]!r} is no role" if strangers else "it holds no prompts"
        raise LibrettoError(
            f"{place}: {what}; files are called after {', '.join(team.roles)}, as leader.md or leader.txt"
        )
    roles = dict(team.roles)
    for name, path in files.items():
        text = read_bytes(path).decode("utf-8", "replace").strip()
        if not text or len(text) > _LARGEST:
            raise LibrettoError(f"{path} is empty or longer than {_LARGEST:,} characters")
        roles[name] = replace(roles[name], duty=text, abc="", verbatim=True)
    return replace(team, roles=roles)
