"""Originality: not too much of a piece may be found in another song, nor in it of what its composer was shown."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.corpus import Overlap, overlap
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.gates.case import Case
from libretto.gates.finding import Finding, Outcome, bars_in_words
from libretto.gates.gate import gates
from libretto.score import Score

__all__ = ["CITED_CEILING", "citation", "most_cited", "originality", "transposition_in_words"]

#: From here on a piece repeats what its composer was shown, as the share of the excerpt that is found in it.
CITED_CEILING = 0.50

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
        30.0,
        bars=case.copy.bars,
    )
    return Outcome(min(margin, -1e-9), note, (finding,))


@gates.register("citation")
def citation(case: Case) -> Outcome | None:
    """No more than half of any excerpt that the composer was shown is found in the piece."""
    if case.cited is None:
        return None
    name, found = case.cited
    margin = (CITED_CEILING - found.score) / CITED_CEILING
    note = f"{found.score:.2f} of an excerpt that was shown is found in it; {CITED_CEILING:.2f} is too much"
    if margin > 0:
        return Outcome(margin, note)
    finding = Finding(
        "citation",
        f"It repeats what was shown as an example, '{name}', {transposition_in_words(-found.transposition)}",
        "keep the idea and write other notes: another contour, another rhythm",
        29.0,
        bars=found.song_bars or (),
    )
    return Outcome(min(margin, -1e-9), note, (finding,))


def most_cited(score: Score, shown: Sequence[tuple[str, Score]]) -> tuple[str, Overlap] | None:
    """Of all excerpts shown to a composer the one of which most is found in the piece."""
    piece = join_tracks([track_piece(score)], ["the piece"])
    found = [(name, each) for name, excerpt in shown if (each := overlap(excerpt, piece)) is not None]
    return max(found, key=lambda pair: pair[1].score, default=None)


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
