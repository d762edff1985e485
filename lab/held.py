"""What each format holds, measured: ``python -m lab.held`` prints the table of docs/formats.md.

A piece of ours has one kind of thing on it at a time; it is written, read back, and what is lost is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from libretto.formats import FACETS, formats, lost_in
from libretto.grammar import parse
from libretto.score import Mark, Score
from libretto.score.marks import BEND, CREDITS, PRESSURE, SUSTAIN, control_rows
from libretto.score.time import QUARTER

__all__ = ["COLUMNS", "kept", "kinds", "main", "table"]

COLUMNS = ("text", "musicxml", "abc", "midi")  #: compressed MusicXML and compact text hold what their kind holds
_BAR = 4 * QUARTER
_PIECE = parse(
    """KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: 4
VOICES: Flute[prog=73]
@1 [C]
  Flute: C5@1>4 E5@5>4 G5@9>8
@2 [G7]
  Flute: F5@1>4 D5@5>4 B4@9>8
@3 [C] (grid:32)
  Flute: E5@1>14 E5@16>1 D5@17>8 C5@25>8
@4 [C]
  Flute: C5@1>16
"""
)
_NOTES = _PIECE.voices[0].notes
_FACETS = {
    "velocity": "how hard each note is played",
    "spelling": "F# or Gb",
    "programs": "General MIDI programs, and that nobody chose one",
    "drums": "which voices are percussion",
    "names": "what voices are called",
    "tempos": "the whole tempo map, to the microsecond",
    "meters": "meter changes",
    "pickup": "that the first bar is bar 0",
    "bars": "bars shorter or longer than their meter",
    "keys": "key signatures",
    "modes": "modes: minor, dorian ...",
    "chords": "chord labels",
    "sections": "section names",
    "title": "the title",
    "grids": "the grid each bar is written on",
    "silent voices": "voices without a note",
}


def _on(*marks: tuple[int, str, str]) -> Score:
    """The piece with marks on some of its notes."""
    notes = [(_NOTES[index], kind, value) for index, kind, value in marks]
    voice = _PIECE.voices[0].with_marks(Mark(n.onset, kind, value, n.duration, n.pitch) for n, kind, value in notes)
    return replace(_PIECE, voices=(voice,))


def _over(*marks: Mark) -> Score:
    return replace(_PIECE, voices=(_PIECE.voices[0].with_marks(marks),))


def _controls(*rows: tuple[int, int, int]) -> Score:
    return replace(_PIECE, voices=(replace(_PIECE.voices[0], controls=control_rows(rows)),))


def kinds() -> Iterator[tuple[str, Score]]:
    """Every kind of thing that a Score holds beside its facets, with a piece that has it."""
    yield "lyrics", _on((0, "lyric", "A-"), (1, "lyric", "-ma-"), (2, "lyric", "-zing"))
    yield "syllables that are held", _on((0, "lyric", "Oh_"), (3, "lyric", "no"))
    yield "further verses", _on((0, "lyric", "One"), (0, "lyric", "2:Two"))
    yield "slurs", _on((0, "slur-start", ""), (2, "slur-stop", ""))
    yield (
        "staccato, accent, tenuto, marcato",
        _on((0, "staccato", ""), (1, "accent", ""), (2, "tenuto", ""), (3, "strong-accent", "")),
    )
    yield "breath marks", _on((2, "breath-mark", ""))
    yield "trills, turns, mordents", _on((0, "trill-mark", ""), (1, "turn", ""), (2, "mordent", ""))
    yield "tremolos", _on((6, "tremolo", "3"))
    yield "arpeggios", _on((10, "arpeggiate", ""))
    yield "fermatas", _on((10, "fermata", ""))
    yield "fingerings", _on((0, "fingering", "3"))
    yield "bowings", _on((0, "up-bow", ""), (1, "down-bow", ""))
    yield "grace notes as such", _on((7, "grace", "16/"))
    yield "dynamics", _over(Mark(0, "dynamics", "mf"), Mark(_BAR, "dynamics", "ff"))
    yield "hairpins", _over(Mark(0, "crescendo", "", _BAR), Mark(_BAR, "diminuendo", "", _BAR))
    yield "pedal marks", _over(Mark(0, "pedal", "", _BAR))
    yield "words over a voice", _over(Mark(0, "words", "dolce"))
    yield "clefs", _over(Mark(0, "clef", "G2"))
    yield "tempo words", replace(_PIECE, marks=(Mark(0, "words", "Allegro"),))
    credits = [Mark(0, kind, "A. Name") for kind in CREDITS]
    yield "composer, lyricist, arranger, rights", replace(_PIECE, marks=tuple(credits))
    yield (
        "repeats and endings",
        replace(
            _PIECE,
            marks=(
                *(Mark(0, "repeat-start"), Mark(_BAR, "ending", "1", _BAR), Mark(_BAR, "repeat-end")),
                Mark(2 * _BAR, "ending", "2", _BAR),
            ),
        ),
    )
    yield "da capo, segno, coda, fine", replace(_PIECE, marks=(Mark(_BAR, "fine"), Mark(3 * _BAR, "da-capo")))
    yield "lengths and ties as written", replace(_on((10, "split", str(2 * QUARTER))), marks=(Mark(0, "written"),))
    yield "controllers", _controls((0, 7, 100), (QUARTER, 11, 64), (0, SUSTAIN, 127), (_BAR, SUSTAIN, 0))
    yield "pitch bends", _controls((0, BEND, 0), (QUARTER, BEND, 400), (2 * QUARTER, BEND, 0))
    yield "pressure", _controls((0, PRESSURE, 40))


def kept(score: Score, format: str) -> bool:
    """Whether the piece comes back whole from that format, but for what the format loses of any piece."""
    always = lost_in(_PIECE, formats[format]).keys()
    played = {"velocities"} if "velocity" in formats[format].loses else set()  # made from dynamics where there are some
    return lost_in(score, formats[format]).keys() <= always | played


def table() -> str:
    """The table, in Markdown."""
    lines = [f"| what | {' | '.join(COLUMNS)} |", f"|---|{'---|' * len(COLUMNS)}"]
    for name in FACETS:
        cells = ["-" if name in formats[column].loses else "kept" for column in COLUMNS]
        lines.append(f"| {name}: {_FACETS[name]} | {' | '.join(cells)} |")
    for name, score in kinds():
        cells = ["kept" if kept(score, column) else "-" for column in COLUMNS]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table."""
    print(table(), end="")


if __name__ == "__main__":
    main()
