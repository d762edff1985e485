"""How an index is searched: by the way that is the quickest for the question, with the same answer by any of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from libretto.corpus.buckets import BUCKET
from libretto.corpus.choosing import Places
from libretto.corpus.spectra import Spectra, best_once
from libretto.score.table import Bools, Ints

if TYPE_CHECKING:
    from libretto.corpus.laying.counted import Counted

__all__ = ["LONGEST", "SHORT", "Search"]

SHORT, LONGEST = 128, 1024  #: beats of a query that is short; of any: longer pieces are compared in stretches
_ROOMS = (SHORT, 192, 256, 320, 384, 448, 512, 640, 768, LONGEST)  # beats for which spectra are made
_ROOMS_KEPT = 3  # spectra that are kept: each takes up to a hundred megabytes


class Search:
    """Songs of filled buckets, and the ways in which pieces are laid over them.

    The first piece is laid over them once: that is not worth transforming all songs for, nor loading a compiler. From
    the second on, code that is compiled counts where ``llvmlite`` is installed (``pip install 'libretto[fast]'``), and
    songs that were transformed serve where it is not, or where notes are so many that it would take longer.
    """

    def __init__(self, songs: Sequence[Bools]) -> None:
        self._songs, self._asked = songs, False
        self._spectra: dict[int, Spectra] = {}

    def best(self, span: int, ways: Sequence[tuple[Ints, Ints, Ints]]) -> list[Places]:
        """The best places in every song of notes, seen in several ways: the beat of each, its place, its remainder.

        ``span`` is how many beats they may take.
        """
        room = next(size for size in _ROOMS if size >= span)
        if not self._asked:
            self._asked = True
            return best_once(self._songs, BUCKET, room, ways)
        counted, notes = self._counted, max(len(beat) for beat, _, _ in ways)
        songs = counted if counted is not None and notes <= counted.most_notes else self._transformed(room)
        return [songs.best(*way) for way in ways]

    @cached_property
    def _counted(self) -> Counted | None:
        from libretto.corpus.laying.counted import counted

        return counted(self._songs)

    def _transformed(self, room: int) -> Spectra:
        """The songs' spectra with room for a query of so many beats, made once and kept while they are in use."""
        spectra = self._spectra.pop(room, None) or Spectra(self._songs, BUCKET, room)
        for unused in list(self._spectra)[: 1 - _ROOMS_KEPT]:
            del self._spectra[unused]
        self._spectra[room] = spectra
        return spectra
