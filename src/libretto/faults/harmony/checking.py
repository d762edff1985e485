"""Four-part writing checked: every fault with its rule, both voices, bar and beat."""

from __future__ import annotations

from collections.abc import Sequence

from libretto.faults.harmony.leaps import leap_faults
from libretto.faults.harmony.motion import motion_faults
from libretto.faults.harmony.placing import placing_faults
from libretto.faults.harmony.reading import read_lines
from libretto.faults.harmony.styles import STRICT, PartFault, is_strict
from libretto.faults.harmony.tendency import tendency_faults
from libretto.score.model import Score

__all__ = ["check_harmony"]

_FINDERS = (motion_faults, placing_faults, tendency_faults, leap_faults)


def check_harmony(score: Score, style: str = STRICT, voices: Sequence[str] = ()) -> list[PartFault]:
    """The faults of four-part writing in order of time; none where there is none.

    ``style`` is ``strict``, as harmony classes ask, or ``free``, as chorales are written. ``voices`` names the parts
    that make the four where a piece has more.
    """
    strict, lines = is_strict(style), read_lines(score, voices)
    faults = {fault for finder in _FINDERS for fault in finder(lines, strict)}
    order = {name: number for number, name in enumerate(lines.names)}
    return sorted(faults, key=lambda f: (f.bar, f.beat, f.rule, [order[name] for name in f.voices], f.heard))
