"""The two knowledge bases as they lie on disk: the package's own concepts, those of other packages, and a user's.

Concepts are files ``composing/NAME.md`` and ``theory/NAME.md``. Another package brings its own under an entry point of
the group ``libretto.concepts`` that names a package or module in whose folder they lie; a user's lie under
``$LIBRETTO_HOME/knowledge``. They are read like ours, and one with a name that is there already takes its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType

from libretto.corpus import load_cloud
from libretto.corpus.store import user_clouds
from libretto.errors import LibrettoError
from libretto.knowledge.concept import BASES, FAMILIES, Concept, parse_concept
from libretto.registry import plugin_folders

__all__ = ["GROUP", "all_concepts", "check_filters", "concept_path", "find_concept", "load_concepts"]

#: The group of entry points under which other packages bring concepts.
GROUP = "libretto.concepts"


def load_concepts(folder: Traversable | Path) -> dict[str, Concept]:
    """The concepts under a folder by ``base/name``, sorted."""
    concepts = {}
    for base in BASES:
        place = folder.joinpath(base)
        if not place.is_dir():
            continue
        for file in sorted(place.iterdir(), key=lambda entry: entry.name):
            if file.name.endswith(".md"):
                concept = parse_concept(file.read_text(encoding="utf-8"), file.name[:-3], base)
                concepts[concept.key] = concept
    return concepts


@cache
def all_concepts() -> Mapping[str, Concept]:
    """Every concept by ``base/name``: ours, then those of other packages, then a user's own."""
    concepts: dict[str, Concept] = {}
    for folder in _folders():
        concepts |= load_concepts(folder)
    return MappingProxyType(dict(sorted(concepts.items())))


def concept_path(concept: Concept) -> Path:
    """The file of a concept: a user's own first, then those of other packages, then ours."""
    files_of = [Path(str(folder)) / concept.base / f"{concept.name}.md" for folder in reversed(_folders())]
    return next((path for path in files_of if path.is_file()), files_of[-1])


def _folders() -> list[Traversable | Path]:
    """Where concepts lie, each before those that may take its place."""
    return [files("libretto.knowledge"), *plugin_folders(GROUP), _own_folder()]


def check_filters(*, genre: str | None = None, family: str | None = None, base: str | None = None) -> None:
    """Refuse a genre, family or base that no concept could have."""
    known = {
        "genre": (genre, list(load_cloud().labels)),
        "family": (family, sorted({name for names in FAMILIES.values() for name in names})),
        "base": (base, list(BASES)),
    }
    for what, (asked, names) in known.items():
        if asked is not None and asked not in names:
            raise LibrettoError(f"there is no {what} {asked!r}; there are {', '.join(names)}")


def find_concept(name: str) -> Concept:
    """The concept of that name or title; ``base/name`` where both bases have one."""
    known = all_concepts()
    if name in known:
        return known[name]
    wanted = "-".join(name.lower().replace("'", "").split())
    concepts = [
        concept for concept in known.values() if concept.name == wanted or concept.title.lower() == name.lower()
    ]
    if not concepts:
        from difflib import get_close_matches

        near = get_close_matches(wanted, [concept.name for concept in known.values()], 3)
        hint = f"; near it are {', '.join(near)}" if near else "; see libretto concepts"
        raise LibrettoError(f"there is no concept {name!r}{hint}")
    return concepts[0]


def _own_folder() -> Path:
    """Where a user keeps concepts of their own."""
    return user_clouds().parent / "knowledge"
