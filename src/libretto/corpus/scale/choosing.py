"""One way to build a cloud of any size: a small one whole, a large one by partitions."""

from __future__ import annotations

import os
from pathlib import Path

from libretto.corpus.build import Built, build_cloud
from libretto.corpus.scale.building import IN_FULL, LargeBuild, build_large
from libretto.corpus.scale.places import is_address
from libretto.corpus.scale.plan import FILES_A_PART

__all__ = ["MANY", "build_any"]

MANY = 20_000  #: files from which on a folder is built by partitions: all of them held would take gigabytes


def build_any(
    place: str | os.PathLike[str],
    target: str,
    *,
    labels: str | os.PathLike[str] | None = None,
    about: str = "",
    workers: int = 0,
    scheduler: str = "",
    large: bool = False,
    part: int = FILES_A_PART,
    in_full: float = IN_FULL,
    force: bool = False,
    quiet: bool = False,
) -> Built | LargeBuild:
    """Make a cloud: by partitions if that is asked for, or of what is not a folder, or of very many files."""
    if not (large or scheduler or _is_large(place)):
        return build_cloud(place, target, labels=labels, about=about, jobs=workers, force=force, quiet=quiet)
    return build_large(
        place,
        target,
        labels=labels,
        about=about,
        workers=workers,
        scheduler=scheduler,
        force=force,
        quiet=quiet,
        size=part,
        in_full=in_full,
    )


def _is_large(place: str | os.PathLike[str]) -> bool:
    if is_address(os.fspath(place)) or os.path.isfile(place):
        return True
    count = 0
    for _, _, names in os.walk(Path(place)):
        count += len(names)
        if count >= MANY:
            return True
    return False
