"""What a piece shares with other songs, in lines for a terminal: sums, places, and the passages side by side."""

from __future__ import annotations

from libretto.corpus import Overlap
from libretto.corpus.copying import WHOLE
from libretto.gates import Comparison
from libretto.gates.finding import bars_in_words
from libretto.gates.originality import likeness_in_words, transposition_in_words

__all__ = ["comparison_lines"]

_PASSAGE = 60  # characters of a bar that is shown beside another


def comparison_lines(comparison: Comparison) -> list[str]:
    """The verdict and how sure it is, then the songs that share most, with sums and places; the first side by side."""
    if not comparison.songs:
        return ["there are no pitched notes to compare"]
    closest = comparison.songs[0]
    verdict = "original" if comparison.passed else f"too much is shared; it {likeness_in_words(closest)} another song"
    if comparison.passed and comparison.ceiling > 1:
        verdict = "original as far as can be told: so few notes are found in some song by chance"
    lines = [
        f"compared with {comparison.count:,} songs of {comparison.source}: {verdict} "
        f"(most beyond chance {closest.score:.2f}, too much is {comparison.ceiling:.2f})"
    ]
    if rates := _rates(comparison):
        lines.append(f"  {rates} were called too like a song of another artist")
    for song in comparison.songs:
        about = "about " if song.estimated else ""
        lines.append(
            f"  {song.score:5.2f}  {comparison.name_of(song)}: {about}{song.matched:,} of {song.notes:,} notes shared "
            f"({song.share:.2f}) = {song.expected:,} expected by chance ({song.chance:.2f}) + {song.beyond:,} beyond "
            f"({song.score:.2f}), {transposition_in_words(song.transposition)}"
        )
        if song.bars:
            there = f", its {bars_in_words(song.song_bars)}" if song.song_bars else ""
            lines.append(f"         {bars_in_words(song.bars)}{there}")
    return lines + _passage_lines(closest)


def _rates(comparison: Comparison) -> str:
    """How many of the real pieces of this kind, and of whole songs, were called copies; empty where nobody counted."""
    nouns = {comparison.kind: f"excerpts for a {comparison.kind}", WHOLE: WHOLE}
    counts = [(noun, *comparison.alarms[kind]) for kind, noun in nouns.items() if kind in comparison.alarms]
    return " and ".join(f"{wrong} of {of:,} real {noun}" for noun, wrong, of in counts if of)


def _passage_lines(song: Overlap) -> list[str]:
    """The passages that match, side by side."""
    if not song.passages:
        return []
    ours = [f"bar {passage.bar}: {_cut(passage.ours)}" for passage in song.passages]
    width = max(map(len, ours))
    theirs = [
        f"bar {passage.song_bar}" + (f": {_cut(passage.theirs)}" if passage.theirs else "") for passage in song.passages
    ]
    lines = [
        "  this piece beside the closest song"
        + ("" if not song.estimated else ", whose notes cannot be shown: its sketch keeps none")
    ]
    return lines + [f"    {mine:<{width}} | {other}" for mine, other in zip(ours, theirs, strict=True)]


def _cut(text: str) -> str:
    return text if len(text) <= _PASSAGE else text[: _PASSAGE - 1] + "…"
