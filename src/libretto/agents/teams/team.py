"""A team: roles, what each does and which voices it owns, in which order they speak, and when they stop; one file.

Conventions: a Markdown file opens with TOML between two lines of ``+++``; a section ``## NAME`` for every role says its
duties in words, and a section ``## NAME in ABC`` what it is told beside them where the team writes ABC. ``opening`` is
gone through once, ``cycle`` at most ``reviews`` times, ``closing`` at the end. ``owns`` names kinds of voices (lead,
bass, drums, keys, guitar, strings), or ``rest`` for all that nobody else owns.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from libretto.errors import LibrettoError
from libretto.formats import read_bytes
from libretto.registry import plugin_folders

__all__ = ["DUTIES", "STOPS", "Role", "Team", "load_team", "parse_team", "team_names"]

#: What a role can do, and what can end the reviews.
DUTIES = ("plan", "words", "write", "instruments", "correct", "review", "arrange", "piece")
STOPS = ("approved", "counted", "never")
_SPEAKERS = ("order", "chosen")
_KINDS = ("lead", "bass", "drums", "keys", "guitar", "strings", "rest")
_HEAD = re.compile(r"\A(?:<!--.*?-->\s*)?\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*\n", re.MULTILINE | re.DOTALL)
_LARGEST, _MOST_ROLES, _MOST_REVIEWS, _MOST_ROUNDS = 60_000, 12, 6, 40
_USUAL_LIMIT = 6_000  # tokens of an answer
_SUFFIX, _IN_ABC = ".md", " in ABC"


@dataclass(frozen=True)
class Role:
    """One member: what it does, which voices it owns, its duties in words, and the most tokens of an answer.

    ``abc`` is said beside its duties where the team writes ABC. ``verbatim`` are duties that a user has written: they
    are sent as they are, and nothing with them.
    """

    name: str
    does: str
    duty: str
    owns: tuple[str, ...] = ()
    limit: int = _USUAL_LIMIT
    abc: str = ""
    verbatim: bool = False


@dataclass(frozen=True)
class Team:
    """Roles and the order in which they speak.

    ``bare`` shows an agent the client's words and nothing else. In ABC a manager chooses who speaks where ``speakers``
    is ``chosen``, for ``rounds`` messages at most, the client's counted.
    """

    name: str
    about: str
    roles: Mapping[str, Role]
    opening: tuple[str, ...]
    cycle: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()
    reviews: int = 1
    stop: str = "approved"
    shows: tuple[str, ...] = ("concepts", "exemplars")
    bare: bool = False
    speakers: str = "order"
    rounds: int = 0


def team_names() -> tuple[str, ...]:
    """The teams that come with the package or with installed ones."""
    return tuple(_team_files())


@cache
def _team_files() -> dict[str, Traversable]:
    """The file of every team by its name, sorted; ours first, so that nobody takes the place of one of them."""
    known: dict[str, Traversable] = {}
    for folder in (files("libretto.agents.teams"), *plugin_folders("libretto.teams")):
        for file in folder.iterdir():
            if file.name.endswith(_SUFFIX):
                known.setdefault(file.name.removesuffix(_SUFFIX), file)
    return dict(sorted(known.items()))


@cache
def load_team(name: str) -> Team:
    """The team of that name, or the one in a file; ``single`` is the plain agent alone."""
    known = "single-plain" if name == "single" else name
    if known in team_names():
        return parse_team(_team_files()[known].read_text(encoding="utf-8"), known)
    if Path(name).is_file():
        return parse_team(read_bytes(name)[:_LARGEST].decode("utf-8", "replace"), Path(name).stem)
    raise LibrettoError(f"there is no team {name!r}; there are single, {', '.join(team_names())}, or a file")


def parse_team(text: str, name: str = "team") -> Team:
    """A team from its text; one line says what is wrong with it."""
    opening = _HEAD.match(text)
    if not opening:
        raise LibrettoError(f"the team {name} does not open with TOML between lines of +++")
    try:
        head = tomllib.loads(opening[1])
    except tomllib.TOMLDecodeError as error:
        raise LibrettoError(f"the team {name}: {error}") from None
    duties = _sections(text[opening.end() :])
    rows = head.get("role", [])
    if not isinstance(rows, list) or not 1 <= len(rows) <= _MOST_ROLES:
        raise LibrettoError(f"the team {name} needs from 1 to {_MOST_ROLES} tables [[role]]")
    roles = {role.name: role for role in (_role(row, duties, name) for row in rows)}
    team = Team(
        str(head.get("name", name)), str(head.get("about", "")), roles,
        _order(head, "opening", roles, name), _order(head, "cycle", roles, name), _order(head, "closing", roles, name),
        _whole(head, "reviews", 1, name), str(head.get("stop", "approved")),
        _names(head, "shows", name, ("concepts", "exemplars")),
        head.get("bare") is True, str(head.get("speakers", "order")), _whole(head, "rounds", 0, name),
    )  # fmt: skip
    if team.speakers not in _SPEAKERS or not 0 <= team.rounds <= _MOST_ROUNDS:
        raise LibrettoError(f"the team {name}: speakers are {' or '.join(_SPEAKERS)}, rounds at most {_MOST_ROUNDS}")
    if not team.opening or not 0 <= team.reviews <= _MOST_REVIEWS or team.stop not in STOPS:
        raise LibrettoError(
            f"the team {name} needs an opening, reviews from 0 to {_MOST_REVIEWS}, and a stop of {', '.join(STOPS)}"
        )
    return team


def _sections(body: str) -> dict[str, str]:
    parts = re.split(r"^## +(.+?)[ \t]*$", body, flags=re.MULTILINE)
    return {name.strip(): duty.strip() for name, duty in zip(parts[1::2], parts[2::2], strict=True)}


def _role(row: Any, duties: Mapping[str, str], team: str) -> Role:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        raise LibrettoError(f"the team {team}: a role needs a name")
    name, does = row["name"], str(row.get("does", ""))
    owns = _names(row, "owns", team)
    if does not in DUTIES:
        raise LibrettoError(f"the team {team}: {name} does {does!r}; it can do {', '.join(DUTIES)}")
    if name not in duties:
        raise LibrettoError(f"the team {team}: there is no section '## {name}' with its duties")
    if any(kind not in _KINDS for kind in owns) or (does == "write" and not owns):
        raise LibrettoError(f"the team {team}: {name} can own {', '.join(_KINDS)}")
    return Role(
        name, does, duties[name], owns, _whole(row, "limit", _USUAL_LIMIT, team), duties.get(f"{name}{_IN_ABC}", "")
    )


def _order(head: Mapping[str, Any], field: str, roles: Mapping[str, Role], team: str) -> tuple[str, ...]:
    names = _names(head, field, team)
    for role in names:
        if role not in roles:
            raise LibrettoError(f"the team {team}: {field} names {role!r}, who is not in it")
    return names


def _whole(table: Mapping[str, Any], field: str, usual: int, team: str) -> int:
    value = table.get(field, usual)
    if type(value) is not int:
        raise LibrettoError(f"the team {team}: {field} is a whole number")
    return value


def _names(table: Mapping[str, Any], field: str, team: str, usual: tuple[str, ...] = ()) -> tuple[str, ...]:
    value = table.get(field, usual)
    if not isinstance(value, list | tuple):
        raise LibrettoError(f"the team {team}: {field} is a list of names")
    return tuple(map(str, value))
