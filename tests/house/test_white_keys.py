"""Pieces for the white keys alone have no others, in any hand."""

import pytest

from libretto import compose
from libretto.contract import read_brief


@pytest.mark.parametrize(
    "brief",
    [
        "A beginner piano piece in C position, no black keys, 16 bars.",
        "A waltz in C major, white keys only, for accordion.",
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_white_keys_alone_are_played(brief: str, seed: int) -> None:
    score = compose(brief, seed=seed).score
    assert {note.pitch % 12 for voice in score.voices for note in voice.notes} <= {0, 2, 4, 5, 7, 9, 11}


def test_white_keys_are_a_scale_where_they_are_all_there_is() -> None:
    assert read_brief("A piece in C major on white keys only.").scale == "naturals"
    assert not read_brief("A piece in C major that starts on white keys.").scale
    assert not read_brief("A piece in G major.").scale
