"""A music box has its tune from the first bar, and a cello beside it sings a line below."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.score import Voice

_BRIEFS = (
    "A delicate neoclassical piece in A minor, slow, Am, Em, F, E over 16 bars, for music box and cello. The music box "
    "chimes a simple melody, while the cello adds a soft line beneath.",
    "A bittersweet childhood memory in C major, slow, C, Em, F, G over 16 bars, for music box and cello. The music box "
    "has the melody, the cello an answer below.",
)


def _voice(brief: str, name: str) -> Voice:
    score = compose_score(read_brief(brief), 0)
    return next(voice for voice in score.voices if voice.name == name)


@pytest.mark.parametrize("brief", _BRIEFS)
def test_the_box_plays_at_once_and_the_cello_sings(brief: str) -> None:
    bar = 4 * 40320
    box, cello = _voice(brief, "Music Box").notes, _voice(brief, "Cello").notes
    first = {note.onset % bar: note.pitch for note in box if note.onset < bar}
    assert len(set(first.values())) > 2
    assert {note.onset // bar for note in cello} >= {6, 8, 10, 15}
    assert len(cello) > len({note.onset // bar for note in cello}) * 1.5
    assert max(note.pitch for note in cello) < max(first.values())
