"""Which songs of a cloud show a concept, by the cloud's own labels: the detector is run over the user's files.

Only a cloud that a user built knows its songs, by title, artist and file. The package's clouds keep numbers and genres
alone, so that for them there are the counts of an entry (``attested``) and no songs. Files are untrusted: they lie
below the folder that the cloud was built from or are left out, no more than ``most`` are read, and one that cannot be
read is counted and passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from libretto.corpus.store import cloud_names, load_cloud, load_songs, load_source
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.knowledge.concept import Concept
from libretto.knowledge.detect import detect
from libretto.knowledge.sight import Sighting

__all__ = ["MOST_READ", "Attestation", "AttestingSong", "attest_in", "named_clouds"]

#: Songs of a cloud that are read at most unless it is said otherwise: some minutes of one core.
MOST_READ = 500


@dataclass(frozen=True)
class AttestingSong:
    """A song that shows a concept: its label, its file below the cloud's folder, its genre, and where it shows it."""

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
        counted = load_cloud(cloud).full_name == concept.cloud and concept.attested
        known = f" (how many, by genre: libretto concept {concept.name})" if counted else ""
        raise LibrettoError(
            f"the cloud {cloud} keeps numbers and genres, so which songs show {concept.key} cannot be said{known}; "
            "a cloud of your own music names its songs (libretto corpus build)"
        )
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
