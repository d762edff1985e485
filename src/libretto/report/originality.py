"""What a piece shares with other songs, in a terminal."""

from __future__ import annotations

from libretto.gates import Comparison
from libretto.gates.finding import bars_in_words
from libretto.gates.originality import transposition_in_words

__all__ = ["comparison_lines"]


def comparison_lines(found: Comparison) -> list[str]:
    """The verdict, then the songs that share most, with the evidence for each."""
    if not found.songs:
        return ["there are no pitched notes to compare"]
    lines = [
        f"compared with {found.count:,} songs of {found.source}: "
        f"{'original' if found.passed else 'too much of it is found in another song'} "
        f"(most shared {found.songs[0].score:.2f}, too much is {found.ceiling:.2f})"
    ]
    for song in found.songs:
        name = song.name or f"song {song.song}" + (f" ({found.genres[song.song]})" if song.song in found.genres else "")
        lines.append(
            f"  {song.score:5.2f}  {name}: {song.matched:,} of {song.notes:,} notes "
            f"({song.share:.2f}; chance alone {song.chance:.2f}), {transposition_in_words(song.transposition)}"
        )
        if song.bars:
            there = f", its {bars_in_words(song.song_bars)}" if song.song_bars else ""
            lines.append(f"         {bars_in_words(song.bars)}{there}")
    return lines
