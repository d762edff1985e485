"""What a piece shares with other songs, with passages to play: ours always, theirs where we have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.report.passages import passage_notes
from libretto.score import Score, played
from libretto.workspace import Workspace

if TYPE_CHECKING:
    from libretto.gates import Comparison

__all__ = ["with_known_songs", "with_own_pieces"]

_MOST_PIECES = 40  # of the workspace that are compared
_SONGS = 5
_SHOWN_BARS = 8  # of a passage that is played


def with_known_songs(score: Score) -> dict[str, Any]:
    """What a piece shares with the songs of the shipped index, whose notes are not kept and so cannot be played."""
    from libretto.report.likeness import comparison_lines
    from libretto.verbs import original

    piece = played(score)
    comparison = original(piece, songs=_SONGS)
    return {
        "passed": comparison.passed,
        "ceiling": comparison.ceiling,
        "count": comparison.count,
        "lines": comparison_lines(comparison),
        "songs": _rows(comparison, piece, {}),
    }


def with_own_pieces(workspace: Workspace, name: str, score: Score) -> list[dict[str, Any]]:
    """What a piece shares with the other pieces of its workspace: of those, both passages can be played."""
    from libretto.corpus import load_cloud
    from libretto.corpus.build import index_pieces
    from libretto.gates import compare

    others: dict[str, Score] = {}
    for other in workspace.pieces():
        if other != name and len(others) < _MOST_PIECES:
            try:
                piece = played(workspace.score(other))
            except LibrettoError:
                continue
            others |= {other: piece} if len(piece.table) else {}
    if not others or not len(score.table):
        return []
    piece = played(score)
    comparison = compare(piece, index_pieces(others), load_cloud(), songs=_SONGS, source="this workspace")
    return [row for row in _rows(comparison, piece, others) if row["score"] > 0]


def _rows(comparison: Comparison, piece: Score, others: Mapping[str, Score]) -> list[dict[str, Any]]:
    rows = []
    for song in comparison.songs:
        theirs = others.get(song.name)
        rows.append(
            {
                "name": comparison.name_of(song),
                "piece": song.name if theirs is not None else "",
                "score": song.score,
                "share": song.share,
                "matched": song.matched,
                "notes": song.notes,
                "transposition": song.transposition,
                "bars": [list(span) for span in song.bars],
                "song_bars": [list(span) for span in song.song_bars or ()],
                "passage": _passage(piece, song.bars, theirs, song.song_bars or ()),
            }
        )
    return rows


def _passage(
    piece: Score, bars: tuple[tuple[int, int], ...], theirs: Score | None, song_bars: tuple[tuple[int, int], ...]
) -> dict[str, Any] | None:
    """The first bars that match, as notes: ours, and theirs where we may play them."""
    if not bars:
        return None
    return {
        "bars": _first(bars),
        "ours": passage_notes(piece, *_first(bars)),
        "song_bars": _first(song_bars) if song_bars else None,
        "theirs": passage_notes(theirs, *_first(song_bars)) if theirs is not None and song_bars else None,
    }


def _first(bars: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    first, last = bars[0]
    return first, min(last, first + _SHOWN_BARS - 1)
