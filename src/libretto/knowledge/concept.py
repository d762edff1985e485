"""A concept: one Markdown file that says what something is, shows it, and can find it in music.

Conventions: a file opens with TOML between two lines of ``+++``, then prose, then sections by ``## ``. Music stands in
fenced blocks marked ``libretto``. A composing concept has ``## Compose``, ``## Before`` and ``## Example``; a theory
concept ``## Challenge``, ``## Example`` and ``## Counterexample``, and in its head ``[challenge]``: what can be counted
of its challenge. What the machine measured (``[attested]`` and
``[effect]``) stands last in the head and is written by ``make concepts``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from libretto.errors import LibrettoError
from libretto.knowledge.challenge import Challenge, read_challenge

__all__ = [
    "BASES",
    "COMMONNESS",
    "FAMILIES",
    "LARGEST_CONCEPT",
    "NOTHING_ASKED",
    "Concept",
    "parse_concept",
]

BASES = ("composing", "theory")
LARGEST_CONCEPT = 60_000
#: What concepts are about, by base.
FAMILIES: dict[str, tuple[str, ...]] = {
    "composing": ("harmony", "groove", "bass", "melody", "voicing", "arranging", "form", "endings"),
    "theory": ("scales", "chords", "progressions", "cadences", "rhythm", "melody", "texture", "form", "expression"),
}
#: How much of unrelated music may show a theory concept by chance, as a share of drills.
COMMONNESS = {"rare": 0.04, "uncommon": 0.12, "some": 0.3, "often": 0.55, "usual": 0.8}

_SECTIONS = {"composing": ("Compose", "Before", "Example"), "theory": ("Challenge", "Example", "Counterexample")}
_FENCE = re.compile(r"^```libretto[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_HEAD = re.compile(r"\A\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*\n", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")
_FIELDS: dict[str, type] = {
    "title": str,
    "families": list,
    "detector": list,
    "genres": list,
    "own": str,
    "raises": list,
    "lowers": list,
    "related": list,
    "words": list,
    "level": int,
    "common": str,
    "challenge": dict,
    "attested": dict,
    "effect": dict,
}


#: The challenge of an entry that says none.
NOTHING_ASKED = Challenge()


@dataclass(frozen=True)
class Concept:
    """One idea of composing or theory, with an example of it, an example without it, and what finds it.

    ``detector`` are conditions that must all hold; ``attested`` counts songs by genre as (showing it, looked at);
    ``effect`` is how far the example moves each axis against its plain version, in spreads of real music.
    """

    name: str
    base: str
    title: str
    families: tuple[str, ...]
    about: str
    doing: str
    example: str
    plain: str
    detector: tuple[Mapping[str, Any], ...]
    genres: tuple[str, ...] = ()
    own: str = ""
    raises: tuple[str, ...] = ()
    lowers: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    level: int = 0
    common: str = ""
    challenge: Challenge = NOTHING_ASKED
    cloud: str = ""
    attested: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    effect: Mapping[str, float] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The name by which a person asks for it: base and name."""
        return f"{self.base}/{self.name}"


def parse_concept(text: str, name: str, base: str) -> Concept:
    """Read a concept's file; what is missing or unknown is an error that says so."""
    if base not in BASES:
        raise LibrettoError(f"{base!r} is no knowledge base; there are {' and '.join(BASES)}")
    if len(text) > LARGEST_CONCEPT or not _NAME.match(name):
        raise LibrettoError(
            f"a concept is a file name-with-hyphens.md of at most {LARGEST_CONCEPT:,} characters: {name}"
        )
    opening = _HEAD.match(text)
    if not opening:
        raise LibrettoError(f"{base}/{name}: a concept opens with TOML between two lines of +++")
    try:
        head = tomllib.loads(opening[1])
    except tomllib.TOMLDecodeError as error:
        raise LibrettoError(f"{base}/{name}: {error}") from None
    _check_head(head, name, base)
    about, sections = _split(text[opening.end() :])
    wanted = _SECTIONS[base]
    for heading in wanted:
        if not sections.get(heading, "").strip():
            raise LibrettoError(
                f"{base}/{name}: the section '## {heading}' is missing; there must be {', '.join(wanted)}"
            )
    plain, doing = (wanted[1], wanted[0]) if base == "composing" else (wanted[2], wanted[0])
    attested = dict(head.get("attested", {}))
    return Concept(
        name=name,
        base=base,
        title=head["title"],
        families=tuple(head["families"]),
        about=about,
        doing=sections[doing].strip(),
        example=_music(sections["Example"], name, "Example"),
        plain=_music(sections[plain], name, plain),
        detector=tuple(head["detector"]),
        **{key: tuple(head.get(key, ())) for key in ("genres", "raises", "lowers", "related", "words")},
        own=head.get("own", ""),
        level=head.get("level", 0),
        common=head.get("common", ""),
        challenge=read_challenge(head.get("challenge", {}), f"{base}/{name}"),
        cloud=attested.pop("cloud", ""),
        attested={genre: (int(counts[0]), int(counts[1])) for genre, counts in attested.items()},
        effect={axis: float(size) for axis, size in head.get("effect", {}).items()},
    )


def _check_head(head: Mapping[str, Any], name: str, base: str) -> None:
    """Refuse what a head may not say, and what it leaves out."""
    where = f"{base}/{name}"
    for key, value in head.items():
        if key not in _FIELDS:
            raise LibrettoError(f"{where}: {key!r} is no field of a concept; there are {', '.join(sorted(_FIELDS))}")
        if not isinstance(value, _FIELDS[key]):
            raise LibrettoError(f"{where}: {key} must be a {_FIELDS[key].__name__}")
    needed = ["title", "families", "detector", *(("level", "common") if base == "theory" else ("genres",))]
    for key in needed:
        if key not in head:
            raise LibrettoError(f"{where}: {key} is missing")
    for family in head["families"]:
        if family not in FAMILIES[base]:
            raise LibrettoError(f"{where}: {family!r} is no family of {base}; there are {', '.join(FAMILIES[base])}")
    if base == "theory" and (head["level"] not in (1, 2, 3) or head["common"] not in COMMONNESS):
        raise LibrettoError(f"{where}: level is 1, 2 or 3 and common is one of {', '.join(COMMONNESS)}")
    if not head["detector"] or not all(isinstance(condition.get("kind"), str) for condition in head["detector"]):
        raise LibrettoError(f"{where}: every [[detector]] needs a kind")


def _split(body: str) -> tuple[str, dict[str, str]]:
    """What stands before the first heading, and the sections by heading."""
    parts = re.split(r"^## +(.+?)[ \t]*$", body, flags=re.MULTILINE)
    return parts[0].strip(), dict(zip(parts[1::2], parts[2::2], strict=True))


def _music(section: str, name: str, heading: str) -> str:
    blocks = _FENCE.findall(section)
    if len(blocks) != 1:
        raise LibrettoError(f"{name}: '## {heading}' holds exactly one block of music (```libretto)")
    return str(blocks[0])
