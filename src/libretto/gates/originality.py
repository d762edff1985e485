"""Originality: not too much of a piece may be found in another song, nor in it of what its composer was shown.

Two gates, and the comparison of a piece with every song of an index that a person asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from libretto.corpus import Cloud, Index, Overlap, index_folder, load_cloud, load_index, nearest, overlap
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates.case import Case, case_of, gates
from libretto.gates.finding import Finding, Outcome, Weight, bars_in_words
from libretto.score import Score

__all__ = [
    "CITED_CEILING",
    "EXACT_CEILING",
    "Comparison",
    "citation",
    "compare",
    "compare_many",
    "most_cited",
    "originality",
    "transposition_in_words",
]

#: From here on a piece repeats what its composer was shown, as the share of the excerpt that is found in it. A half is
#: a convention and no quantile: excerpts are few bars, and what they teach has to leave some trace.
CITED_CEILING = 0.50
#: From here on sharing with a song of a folder is copying: twice what unrelated songs share in the exact index.
EXACT_CEILING = 0.30
_JUST_BELOW = -1e-9  # a margin of exactly 0 is too much already

_INTERVALS = (
    "unison", "minor second", "major second", "minor third", "major third", "fourth", "tritone", "fifth",
    "minor sixth", "major sixth", "minor seventh", "major seventh", "octave",
)  # fmt: skip


@gates.register("originality")
def originality(case: Case) -> Outcome | None:
    """Less is shared with any one song than 1.2 times what unrelated songs share."""
    if case.copy is None:
        return None
    ceiling = case.ceiling
    margin = (ceiling - case.copy.score) / ceiling
    note = f"{case.copy.score:.2f} of it is found in one song beyond chance; {ceiling:.2f} is too much"
    if margin > 0:
        return Outcome(margin, note)
    finding = Finding(
        "originality",
        f"It follows {_song(case.copy, case)} note by note, {transposition_in_words(case.copy.transposition)}",
        "write these bars anew: other melody notes, another rhythm, another order of chords",
        Weight.COPIED,
        bars=case.copy.bars,
    )
    return Outcome(min(margin, _JUST_BELOW), note, (finding,))


@gates.register("citation")
def citation(case: Case) -> Outcome | None:
    """No more than half of any excerpt that the composer was shown is found in the piece."""
    if case.cited is None:
        return None
    name, shared = case.cited
    margin = (CITED_CEILING - shared.score) / CITED_CEILING
    note = f"{shared.score:.2f} of an excerpt that was shown is found in it; {CITED_CEILING:.2f} is too much"
    if margin > 0:
        return Outcome(margin, note)
    finding = Finding(
        "citation",
        f"It repeats what was shown as an example, '{name}', {transposition_in_words(-shared.transposition)}",
        "keep the idea and write other notes: another contour, another rhythm",
        Weight.CITED,
        bars=shared.song_bars or (),
    )
    return Outcome(min(margin, _JUST_BELOW), note, (finding,))


def most_cited(score: Score, shown: Sequence[tuple[str, Score]]) -> tuple[str, Overlap] | None:
    """Of all excerpts shown to a composer the one of which most is found in the piece."""
    piece = join_tracks([track_piece(score)], ["the piece"])
    overlaps = [(name, shared) for name, excerpt in shown if (shared := overlap(excerpt, piece)) is not None]
    return max(overlaps, key=lambda pair: pair[1].score, default=None)


def _song(copy: Overlap, case: Case) -> str:
    genre = case.cloud.genres[copy.song].replace("_", " ") if copy.song < len(case.cloud.genres) else ""
    name = f"'{copy.name}'" if copy.name else f"a real song ({genre})" if genre else "a real song"
    there = bars_in_words(copy.song_bars or ())
    return f"{name}, {there}," if there else name


def transposition_in_words(semitones: int) -> str:
    """How far something was moved, as a musician says it."""
    if semitones == 0:
        return "at the same pitch"
    octaves, rest = divmod(abs(semitones), 12)
    interval = _INTERVALS[rest] if rest or not octaves else _INTERVALS[12]
    over = f"{octaves} octaves and a " if octaves and rest else ""
    return (
        f"a{'n' if interval[0] == 'o' and not over else ''} {over}{interval} {'higher' if semitones > 0 else 'lower'}"
    )


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
    closest = tuple(nearest(score, index, songs))
    ceiling = EXACT_CEILING if source else case_of(score, cloud, genre or "").ceiling
    genres = {} if source else {song.song: cloud.genres[song.song] for song in closest if song.song < len(cloud.genres)}
    return Comparison(source or cloud.full_name, len(index), closest, ceiling, genres)


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
