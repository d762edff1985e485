"""Indexes to compare a piece with: that of a cloud, or one made of a folder of music on the spot."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from libretto.corpus.labels import find_songs, shown
from libretto.corpus.overlap import Index
from libretto.corpus.progress import Progress
from libretto.corpus.store import load_index
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.errors import FormatError, LibrettoError
from libretto.formats import read

__all__ = ["index_folder", "load_index"]


@lru_cache(maxsize=2)
def index_folder(folder: str | os.PathLike[str], quiet: bool = False) -> Index:
    """An exact index of all music below a folder; what cannot be read is passed over."""
    found = find_songs(folder)
    pieces, names, refused = [], [], ""
    progress = Progress(len(found.songs), quiet=quiet)
    for song in found.songs:
        try:
            pieces.append(track_piece(read(Path(found.folder) / song.path)))
            names.append(song.path)
        except LibrettoError as error:
            refused = refused or f"; {shown(song.path)}: {' '.join(str(error).split())}"
        progress.step()
    if not pieces:
        raise FormatError(f"there is no music to compare with in {shown(str(folder))}{refused}")
    return join_tracks(pieces, names)
