"""Compare pieces with every song of an index: what each shares with the songs most like it, and is that too much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from libretto.corpus import Cloud, Index, Overlap, index_folder, load_cloud, load_index, nearest
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates.case import case_of
from libretto.score import Score

__all__ = ["EXACT_CEILING", "Comparison", "compare", "compare_many"]

#: From here on sharing with a song of a folder is copying: twice what unrelated songs share in the exact index.
EXACT_CEILING = 0.30


@dataclass(frozen=True)
class Comparison:
    """What a piece shares with the songs most like it, the closest first; empty where it has no pitched notes.

    ``ceiling`` is the score from which it is too much, ``genres`` those of the songs that are named by number only.
    """

    source: str
    count: int
    songs: tuple[Overlap, ...]
    ceiling: float
    genres: Mapping[int, str] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether no song shares too much with the piece."""
        return not self.songs or self.songs[0].score < self.ceiling

    def name_of(self, song: Overlap) -> str:
        """What a song is called: its name, or its number and genre."""
        genre = self.genres.get(song.song)
        return song.name or f"song {song.song}" + (f" ({genre})" if genre is not None else "")

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data."""
        songs = [{**song.to_dict(), "genre": self.genres.get(song.song, "")} for song in self.songs]
        return {
            "source": self.source,
            "count": self.count,
            "passed": self.passed,
            "score": self.songs[0].score if self.songs else None,
            "ceiling": self.ceiling,
            "songs": songs,
        }


def compare(
    score: Score, index: Index, cloud: Cloud, *, genre: str | None = None, songs: int = 5, source: str = ""
) -> Comparison:
    """Compare a piece with every song of an index; the cloud says what is too much, unless there is another source."""
    found = tuple(nearest(score, index, songs))
    ceiling = EXACT_CEILING if source else case_of(score, cloud, genre or "").ceiling
    genres = {} if source else {song.song: cloud.genres[song.song] for song in found if song.song < len(cloud.genres)}
    return Comparison(source or cloud.full_name, len(index), found, ceiling, genres)


def compare_many(
    paths: Sequence[str],
    *,
    against: str | None = None,
    cloud: str = "default",
    genre: str | None = None,
    songs: int = 5,
) -> Iterator[tuple[str, Comparison | LibrettoError]]:
    """Each path with its comparison, in order; ``against`` is a folder whose music takes the place of the index."""
    home = load_cloud(cloud)
    index = index_folder(against) if against is not None else load_index(cloud)
    if index is None:
        raise LibrettoError(f"the cloud {home.name} has no index to compare with; name a folder of music instead")
    for path in paths:
        try:
            yield path, compare(read(path), index, home, genre=genre, songs=songs, source=against or "")
        except LibrettoError as error:
            yield path, LibrettoError(" ".join(str(error).split()))
