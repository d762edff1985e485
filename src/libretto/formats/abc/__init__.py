"""ABC notation, both ways: standard 2.1 with the usual MIDI directives."""

from __future__ import annotations

from libretto.formats.abc.decorations import FLAGS, NOTE_SIGNS, SPAN_KINDS
from libretto.formats.abc.read import decode
from libretto.formats.abc.write import encode
from libretto.formats.format import Format, formats

__all__ = ["ABC", "MARKS_KEPT"]

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
    }
)

#: Dynamics in ABC are a few words, so single velocities are not written; every bar's grid is found anew.
ABC = formats.register("abc")(
    Format(name="abc", suffixes=(".abc",), decode=decode, encode=encode, loses=frozenset({"velocity", "grids"}))
)
