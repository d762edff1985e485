"""ABC notation, both ways: standard 2.1 with the usual MIDI directives."""

from __future__ import annotations

from libretto.formats.abc.decorations import FLAGS, NOTE_SIGNS, SPAN_KINDS
from libretto.formats.format import Format, formats
from libretto.score.marks import CREDITS
from libretto.score.model import Score

__all__ = ["ABC", "MARKS_KEPT"]


def _decode(data: bytes) -> Score:
    from libretto.formats.abc.read import decode  # here and below: a command imports what it uses

    return decode(data)


def _encode(score: Score) -> bytes:
    from libretto.formats.abc.write import encode

    return encode(score)


def _left_out(data: bytes, score: Score) -> dict[str, int]:
    from libretto.formats.abc.credits import left_out

    return left_out(data, score)


#: Kinds of marks that ABC holds: on notes, over voices, and of the piece. Of the values of ornaments, dynamics,
#: fingerings, clefs and bar lines it has signs only for the usual ones.
MARKS_KEPT: frozenset[str] = frozenset(
    {
        *(kind for kind, _ in NOTE_SIGNS.values()),
        *("grace", "let-ring", "lyric", "slur-start", "slur-stop", "split", "tied-in"),
        *("clef", "dynamics", "words"),
        *SPAN_KINDS,
        *FLAGS.values(),
        *("barline", "ending", "repeat-end", "repeat-start", "written"),
        *CREDITS,
    }
)

#: Dynamics in ABC are a few words, so single velocities are not written; every bar's grid is found anew.
ABC = formats.register("abc")(
    Format(
        name="abc",
        suffixes=(".abc",),
        decode=_decode,
        encode=_encode,
        loses=frozenset({"velocity", "grids"}),
        left_out=_left_out,
    )
)
