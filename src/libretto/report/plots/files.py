"""Every picture of some clouds as files of one folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from libretto.axes import measure
from libretto.corpus.cloud import Cloud, Fingerprint
from libretto.errors import FileExists, FormatError, LibrettoError
from libretto.formats import read, write_bytes
from libretto.report.plots import draw_all
from libretto.report.plots.style import canvas

__all__ = ["MOST_PIECES", "check_plots", "write_plots"]

#: How many pieces are drawn at most: a picture holds no more.
MOST_PIECES = 12
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")


def check_plots(folder: Path, clouds: Sequence[Cloud], *, force: bool = False) -> None:
    """Refuse before any work is done: without matplotlib, or where plots lie that may not be replaced."""
    with canvas(1, 1):
        pass
    for stem in _stems(clouds):
        for path in sorted(folder.glob(f"{stem}-*.png")) if not force else ():
            raise FileExists(f"{path} exists; use --force (force=True) to replace it")


def write_plots(
    folder: Path, clouds: Sequence[Cloud], files: Sequence[Path] = (), *, force: bool = False
) -> Iterator[Path]:
    """Draw all there is to draw of every cloud, with the pieces in some files placed in it; yields each path written.

    A file that cannot be read is left out. The folder is made if it is not there.
    """
    check_plots(folder, clouds, force=force)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot make the folder {folder}: {error.strerror}") from None
    profiles = list(_profiles(files))
    for stem, cloud in zip(_stems(clouds), clouds, strict=True):
        pieces: list[tuple[str, Fingerprint]] = [(name, cloud.place(profile)) for name, profile in profiles]
        for name, data in draw_all(cloud, pieces):
            path = folder / f"{stem}-{name}.png"
            write_bytes(data, path, force=force)
            yield path


def _profiles(files: Sequence[Path]) -> Iterator[tuple[str, dict[str, float | None]]]:
    """Pieces spread evenly over the files, measured."""
    for path in files[:: max(1, -(-len(files) // MOST_PIECES))]:
        try:
            yield path.stem, measure(read(path))
        except LibrettoError:
            continue


def _stems(clouds: Sequence[Cloud]) -> list[str]:
    """The beginning of each cloud's file names: safe, and no two alike."""
    stems: list[str] = []
    for cloud in clouds:
        stem = _UNSAFE.sub("_", cloud.name)[:40] or "cloud"
        stems.append(stem if stem not in stems else f"{stem}_{len(stems) + 1}")
    return stems
