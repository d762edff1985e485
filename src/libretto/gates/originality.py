"""Originality: not too much of a piece is found in another song, nor its tune or bass in what its composer was shown.

Two gates, and the comparison of a piece with every song of an index that a person asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from libretto.corpus import Cloud, Index, Overlap, load_cloud, load_index, nearest, overlap
from libretto.corpus.forces import forces_of
from libretto.corpus.overlap import telling_notes
from libretto.errors import LibrettoError
from libretto.formats import read
from libretto.gates.case import Case, case_of, check_genre, gates
from libretto.gates.finding import Finding, Outcome, Weight, bars_in_words
from libretto.score import Score

__all__ = [
    "CITED_CEILING",
    "EXACT_CEILING",
    "Comparison",
    "citation",
    "compare",
    "compare_many",
    "found_in",
    "likeness_in_words",
    "originality",
    "sums_in_words",
    "transposition_in_words",
]

#: From here on a drill repeats the example that it was shown, as the share of the example that is found in it. A half
#: is a convention and no quantile: an example is few bars, and what it teaches has to leave some trace.
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
    """Less is shared with any one song, beyond what chance gives, than unrelated songs of as many notes share."""
    if case.copy is None:
        return None
    ceiling, copy = case.ceiling, case.copy
    margin = (ceiling - copy.score) / ceiling
    note = f"with the closest song {sums_in_words(copy)}; {ceiling:.2f} beyond chance is too much"
    if margin > 0:
        return Outcome(margin, note)
    finding = Finding(
        "originality",
        f"It {likeness_in_words(copy)} {_song(copy, case)} {transposition_in_words(copy.transposition)}: "
        f"{sums_in_words(copy)}",
        "write these bars anew: other melody notes, another rhythm, another order of chords",
        Weight.COPIED,
        bars=copy.bars,
    )
    return Outcome(min(margin, _JUST_BELOW), note, (finding,))


def likeness_in_words(shared: Overlap) -> str:
    """How alike a piece and a song are: it follows only what it follows in nearly every note."""
    return "follows nearly note by note" if shared.nearly_all else "resembles"


def sums_in_words(shared: Overlap) -> str:
    """What is shared, in shares of the piece that add up."""
    about = "about " if shared.estimated else ""
    return f"{about}{shared.share:.2f} shared ({shared.chance:.2f} expected by chance, {shared.score:.2f} beyond)"


@gates.register("citation")
def citation(case: Case) -> Outcome | None:
    """The tune and the bass are the composer's own: no passage of either is taken from what was shown."""
    cited = case.cited
    if cited is None:
        return None
    margin = (cited.ceiling - cited.bits) / cited.ceiling
    note = (
        f"{cited.notes} notes of the {cited.what} of '{cited.name}' are found in {cited.voice}; they tell "
        f"{cited.bits:.0f} bits, and {cited.ceiling:.0f} is too much"
    )
    if margin > 0:
        return Outcome(margin, note)
    finding = Finding(
        "citation",
        f"{cited.voice} takes {cited.notes} notes of the {cited.what} that was shown, '{cited.name}', "
        f"{cited.shown_voice}, {bars_in_words(cited.shown_bars)}, {transposition_in_words(cited.transposition)}",
        "keep the idea and write other notes: another contour, another rhythm",
        Weight.CITED,
        bars=cited.bars,
        voice=cited.voice,
    )
    return Outcome(min(margin, _JUST_BELOW), note, (finding,))


def found_in(score: Score, example: Score) -> float:
    """How much of an example is found in a piece beyond chance, wherever and however high: 0 is new, 1 is all of it."""
    from libretto.corpus.tracks import join_tracks, track_piece  # only drills ask for it

    shared = overlap(example, join_tracks([track_piece(score)], ["the piece"]))
    return shared.score / (1 - shared.chance) if shared is not None else 0.0


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
    ``alarms`` says for each kind of real pieces how many were called copies of another artist's song, and of how many;
    ``kind`` is which of them the piece is.
    """

    source: str
    count: int
    songs: tuple[Overlap, ...]
    ceiling: float
    genres: Mapping[int, str] = field(default_factory=dict)
    alarms: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    kind: str = ""

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
            "kind": self.kind,
            "alarms": {kind: list(counts) for kind, counts in self.alarms.items()},
        }


def compare(
    score: Score, index: Index, cloud: Cloud, *, genre: str | None = None, songs: int = 5, source: str = ""
) -> Comparison:
    """Compare a piece with every song of an index; the cloud says what is too much, unless there is another source."""
    closest = tuple(nearest(score, index, songs))
    if source:
        return Comparison(source, len(index), closest, EXACT_CEILING)
    check_genre(cloud, genre)
    copying = cloud.gauges.copying if cloud.gauges else None
    ceiling = copying.ceiling(telling_notes(score)) if copying else case_of(score, cloud, genre or "").ceiling
    same = len(index) == len(cloud.genres)  # rows of a large cloud stand for many songs
    genres = {song.song: cloud.genres[song.song] for song in closest if same}
    alarms = copying.alarms if copying else {}
    return Comparison(cloud.full_name, len(index), closest, ceiling, genres, alarms, forces_of(score).size)


def _index_of_folder(folder: str) -> Index:
    from libretto.corpus.build import index_folder  # slow to import, and seldom asked for

    return index_folder(folder)


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
    index = load_index(cloud) if against is None else _index_of_folder(against)
    if index is None:
        raise LibrettoError(f"the cloud {home.name} has no index to compare with; name a folder of music instead")
    for path in paths:
        try:
            yield path, compare(read(path), index, home, genre=genre, songs=songs, source=against or "")
        except LibrettoError as error:
            yield path, LibrettoError(" ".join(str(error).split()))
