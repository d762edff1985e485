"""Build a cloud of one's own from a folder of music: find, measure, leave out copies, assemble, keep.

Or only an index of the folder, on the spot, to compare a piece with.

The same folder gives the same bytes, whatever the number of processes and however often the run was killed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from libretto.corpus.calibrate import assemble
from libretto.corpus.gather import FileReading, PieceOf, discard, gather
from libretto.corpus.identity import Identity, duplicates, group_of
from libretto.corpus.labels import MusicFolder, Song, find_songs, shown
from libretto.corpus.overlap import Index, index_kinds
from libretto.corpus.progress import Progress
from libretto.corpus.rows import SongRow
from libretto.corpus.store import check_free, save_cloud, target_folder
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.errors import FormatError, LibrettoError
from libretto.formats import read
from libretto.score import Score

__all__ = ["Built", "Gathered", "build_cloud", "gather_songs", "index_folder", "index_pieces"]


@dataclass(frozen=True)
class Gathered:
    """One song of a corpus: what is known of it, what was measured, and its piece of the overlap index."""

    song: Song
    row: SongRow
    piece: bytes


@dataclass(frozen=True)
class Built:
    """What a build came to: the songs, the copies that were left out, what could not be read, labels without a file."""

    folder: Path
    songs: tuple[Gathered, ...]
    copies: tuple[tuple[str, str, str], ...]
    skipped: tuple[tuple[str, str], ...]
    absent: tuple[str, ...]
    measured: int

    @property
    def genres(self) -> dict[str, int]:
        """How many songs each genre has; "" are those that nobody labelled."""
        return dict(sorted(Counter(gathered.song.genre for gathered in self.songs).items()))

    def to_dict(self) -> dict[str, Any]:
        """The build as plain data."""
        return {
            "folder": str(self.folder),
            "songs": len(self.songs),
            "genres": self.genres,
            "copies": [{"file": file, "how": how, "of": first} for file, how, first in self.copies],
            "skipped": [{"file": file, "why": why} for file, why in self.skipped],
            "absent": list(self.absent),
            "measured": self.measured,
        }

    def lines(self) -> list[str]:
        """The build for a terminal."""
        genres = len(set(self.genres) - {""})
        unlabelled = self.genres.get("", 0)
        lines = [
            f"{shown(str(self.folder))}: {len(self.songs):,} songs, {genres} genres"
            + (f", {unlabelled:,} without a genre" if unlabelled else "")
        ]
        lines += [f"left out: {shown(file)}: {how} {shown(first)}" for file, how, first in self.copies]
        lines += [f"skipped: {shown(file)}: {why}" for file, why in self.skipped]
        lines += [f"labelled, but not there: {shown(file)}" for file in self.absent]
        return lines


def build_cloud(
    folder: str | os.PathLike[str],
    target: str,
    *,
    labels: str | os.PathLike[str] | None = None,
    about: str = "",
    jobs: int = 0,
    force: bool = False,
    quiet: bool = False,
) -> Built:
    """Make a cloud of the music below a folder and keep it under a name or a path.

    A run that was killed goes on where it stopped: what is finished lies in ``TARGET.partial`` until the cloud is
    complete.
    """
    place = target_folder(target)
    check_free(place, force)
    unfinished = place.with_name(f"{place.name}.partial")
    kind = index_kinds.get("exact")
    piece_of = kind.piece_of if kind else _no_piece
    built = gather_songs(find_songs(folder, labels), unfinished, piece_of, jobs=jobs, quiet=quiet)
    cloud = assemble(place.name, [one.row for one in built.songs], about=about)
    index = kind.join([one.piece for one in built.songs]) if kind else None
    save_cloud(
        place, cloud, index, [one.song for one in built.songs], source=Path(os.path.realpath(folder)), force=force
    )
    discard(unfinished)
    return replace(built, folder=place)


def gather_songs(
    there: MusicFolder, unfinished: Path, piece_of: PieceOf, *, jobs: int = 0, quiet: bool = False
) -> Built:
    """Measure the songs below a folder and leave out copies; each with its genre and group."""
    if not there.songs:
        raise FormatError(f"there is no music in {shown(str(there.folder))}")
    paths = [song.path for song in there.songs]
    gathering = gather(there.folder, paths, unfinished, piece_of, jobs=jobs, quiet=quiet)
    read = [(reading, reading.row) for reading in gathering.readings if reading.row is not None]
    skipped = [(reading.path, reading.refused) for reading in gathering.readings if reading.row is None]
    skipped = sorted([*there.skipped, *gathering.unopened, *skipped])
    if not read:
        discard(unfinished)
        path, why = skipped[0]
        raise FormatError(f"no file in {shown(str(there.folder))} can be read; {shown(path)}: {why}")
    known = {song.path: song for song in there.songs}
    marks = [_identity(known[reading.path], reading) for reading, _ in read]
    copies = duplicates(marks)
    kept = [_gathered(known[reading.path], reading, row) for reading, row in read if reading.path not in copies]
    left_out = tuple((path, how, first) for path, (how, first) in copies.items())
    return Built(there.folder, tuple(kept), left_out, tuple(skipped), there.absent, gathering.measured)


def _identity(song: Song, reading: FileReading) -> Identity:
    return Identity(song.path, reading.content, reading.music, song.artist, song.title or reading.title)


def _gathered(song: Song, reading: FileReading, measured: SongRow) -> Gathered:
    """A song with what was measured; the title inside a file is too often its maker's to group by, so its name is."""
    stem = PurePosixPath(song.path).stem
    row = replace(measured, genre=song.genre, group=group_of(song.artist, song.title or stem))
    return Gathered(replace(song, title=song.title or reading.title or stem), row, reading.piece)


def _no_piece(score: Score) -> bytes:
    """What a song adds to an index where none is made."""
    return b""


def index_pieces(pieces: Mapping[str, Score]) -> Index:
    """An exact index of pieces by name."""
    return join_tracks([track_piece(piece) for piece in pieces.values()], list(pieces))


@lru_cache(maxsize=2)
def index_folder(folder: str | os.PathLike[str], quiet: bool = False) -> Index:
    """An exact index of all music below a folder; what cannot be read is passed over."""
    there = find_songs(folder)
    pieces, names, refused = [], [], ""
    progress = Progress(len(there.songs), quiet=quiet)
    for song in there.songs:
        try:
            pieces.append(track_piece(read(Path(there.folder) / song.path)))
            names.append(song.path)
        except LibrettoError as error:
            refused = refused or f"; {shown(song.path)}: {' '.join(str(error).split())}"
        progress.step()
    if not pieces:
        raise FormatError(f"there is no music to compare with in {shown(str(folder))}{refused}")
    return join_tracks(pieces, names)
