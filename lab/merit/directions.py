"""What may only help or only hurt: curves that must not turn, whatever the pairs say.

Pairs teach by contrast, and one kind of damage may teach against another: what loops too exactly also returns too well.
A return in order is never a fault by itself, a rub never a merit; what is wrong with a loop is told by other numbers.
"""

from __future__ import annotations

import re

__all__ = ["direction_of"]

#: Names of numbers (as patterns) of which more is never worse.
_UP = (
    r"form\..*_(stripe|goes_on|lag[248]|peak[48]|next|four)",
    r"form\.ringing_fits",
    r"harmony\.(around.*(?<!spread)|covered_least|fits_chord|chord_leads.*|chord_follows|bass_in_chord)",
    r"parts\.bass_(is_lowest|below)",
    r"dynamics\.loud_(as_before|chords|drum_keys|drum_places)",
    r"dynamics\.loud_(lead|all|least|most)_(next|two|places|bars)",
    r"ending\.end_(held.*|bass_tonic|triad|tonics|top|chord_tonic|from_dominant|from_other|cadence|together)",
    r"melody\.(lead|all|least|most)_(recovered|resolved|in_key|in_chord|long_before_rest)",
)
#: Names of numbers of which more is never better.
_DOWN = (
    r"form\.(seam_.*|bass_seam|entries)",
    r"harmony\.(rubs.*|foreign.*|mud|around_spread|covered_spread|far_roots)",
    r"parts\.odd.*",
    r"melody\.(lead|all|least|most)_(roots|strong_roots|weak_roots|octaves|wobble)",
    r"rhythm\.rhythm_(lead|all|least|most)_commonest",
)


def direction_of(name: str) -> int:
    """1 where more is never worse, -1 where more is never better, 0 where the pairs decide."""
    if any(re.fullmatch(pattern, name) for pattern in _UP):
        return 1
    return -1 if any(re.fullmatch(pattern, name) for pattern in _DOWN) else 0
