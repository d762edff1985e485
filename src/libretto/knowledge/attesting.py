"""Which songs of a cloud show a concept, by the cloud's own labels.

A cloud that a user built knows its songs by title, artist and file: the detector is run over the files. The package's
clouds keep numbers and genres alone: their songs have no name but the number of their row, from 1, and which rows show
a concept was found when its songs were counted (``attesting.json``, for the entries of composing). Files are untrusted:
they lie below the folder that the cloud was built from or are left out, no more than ``most`` are read, and one that
cannot be read is counted and passed over.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from libretto.corpus.store import cloud_names, load_cloud, load_songs, load_source
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.knowledge.concept import Concept
from libretto.knowledge.detect import detect
from libretto.knowledge.sight import Sighting

__all__ = ["MOST_READ", "Attestation", "AttestingSong", "attest_in", "named_clouds", "shipped_rows"]

#: Songs of a cloud that are read at most unless it is said otherwise: some minutes of one core.
MOST_READ = 500


@dataclass(frozen=True)
class AttestingSong:
    """A song that shows a concept: its label, its file below the cloud's folder, its genre, and where it shows it.

    A song of a cloud of the package is a number: it has neither file nor places.
    """

    label: str
    file: str
    genre: str
    places: tuple[Sighting, ...]


@dataclass(frozen=True)
class Attestation:
    """The songs of a cloud that show a concept, in the cloud's order; of how many read, refused and there."""

    concept: str
    cloud: str
    songs: tuple[AttestingSong, ...]
    read: int
    refused: int
    total: int

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data; places are bars by number."""
        songs = [
            {
                "label": song.label,
                "file": song.file,
                "genre": song.genre,
                "places": [place._asdict() for place in song.places],
            }
            for song in self.songs
        ]
        return {
            "concept": self.concept,
            "cloud": self.cloud,
            "read": self.read,
            "refused": self.refused,
            "total": self.total,
            "songs": songs,
        }


@lru_cache(maxsize=1)
def shipped_rows() -> Mapping[str, Mapping[str, tuple[int, ...]]]:
    """By cloud of the package (name and version) and concept: the rows of the songs that show it, from 0."""
    clouds = json.loads(files("libretto.knowledge").joinpath("attesting.json").read_text("utf-8"))
    return {name: {key: tuple(rows) for key, rows in shown.items()} for name, shown in clouds.items()}


def named_clouds() -> list[str]:
    """The clouds that know their songs and whose files are still there."""
    return [name for name in cloud_names() if load_source(name) is not None and load_songs(name)]


def attest_in(
    concept: Concept, cloud: str, *, most: int = MOST_READ, progress: Callable[[], None] | None = None
) -> Attestation:
    """The songs of a cloud that show a concept; ``progress`` is called after each file.

    A LibrettoError says so where it cannot be known: the cloud names no songs, or their folder is gone.
    """
    songs, folder = load_songs(cloud), load_source(cloud)
    if not songs:
        return _by_rows(concept, cloud)
    if folder is None:
        raise LibrettoError(
            f"the folder that the cloud {cloud} was built from is not there, so its songs cannot be read"
        )
    found: list[AttestingSong] = []
    refused = 0
    root = folder.resolve()
    for song in songs[:most]:
        path = (root / song.path).resolve()
        try:
            if not path.is_relative_to(root):
                raise LibrettoError("outside the folder of its cloud")
            places = detect(read(path), concept)
        except (LibrettoError, OSError):
            refused += 1
        else:
            if places:
                found.append(AttestingSong(song.name, song.path, song.genre, tuple(places)))
        if progress is not None:
            progress()
    looked = min(most, len(songs))
    return Attestation(concept.key, cloud, tuple(found), looked - refused, refused, len(songs))


def _by_rows(concept: Concept, name: str) -> Attestation:
    """The songs of a cloud of the package that show a concept, by the numbers of their rows."""
    cloud = load_cloud(name)
    rows = shipped_rows().get(cloud.full_name, {}).get(concept.key)
    if rows is None:
        counted = cloud.full_name == concept.cloud and concept.attested
        known = f" (how many, by genre: libretto concept {concept.name})" if counted else ""
        raise LibrettoError(
            f"the cloud {name} keeps numbers and genres, so which songs show {concept.key} cannot be said{known}; "
            "a cloud of your own music names its songs (libretto corpus build)"
        )
    songs = tuple(AttestingSong(f"song {row + 1}", "", cloud.genres[row], ()) for row in rows)
    return Attestation(concept.key, cloud.full_name, songs, len(cloud.genres), 0, len(cloud.genres))
