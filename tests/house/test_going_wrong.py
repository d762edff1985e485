"""A tune that comes back with one more wrong note each time, and works that run down."""

from __future__ import annotations

from itertools import pairwise

import pytest
from told import heard_and_done

from libretto.contract import Contract
from libretto.contract.checks.faltering import statements
from libretto.house.compose.composer import compose_score

WRONG, DOWN, WAVES = "texture: wrong notes", "tempo change: running down", "tempo change: in waves"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("An unsettling horror miniature for music box, celesta and low strings. The tempo should be slow, with a "
         "nursery tune that comes back each time with one more wrong note. The rhythm should falter like a spring "
         "winding down.", [WRONG, DOWN]),
        ("A folk waltz in G major for fiddle and accordion; every time the tune returns there is another sour note in "
         "it.", [WRONG]),
        ("Jazz ballad in F for tenor sax, piano, bass and brushes, 32 bars: the melody repeats, with one more false "
         "note at each repeat.", [WRONG]),
        ("A march in B flat major for brass band over the chords Bb, Eb, F7, Bb. With each return one more of its "
         "notes is wrong.", [WRONG]),
        ("Solo piano, A minor, 6/8: a lullaby that gets a little more wrong each time, until the music box runs down.",
         [WRONG, DOWN]),
        ("Circus music for barrel organ and tuba in C major with more and more wrong notes.", [WRONG]),
        ("A toy piano piece in D major, a clockwork toy that slowly winds down.", [DOWN]),
        ("An electronic track for synth and drums in E minor: near the end the music runs down like a robot whose "
         "battery dies.", [DOWN + ", last quarter"]),
        ("String quartet in C minor: the pulse stutters and falters throughout.", [DOWN]),
        ("A polka for clarinet and accordion in G that slows down in fits and starts.", [DOWN]),
        ("A fairground waltz in C sharp minor for calliope, music box and tuba, C#m-G#7-A-G#7. The tempo should "
         "waver, slowing down and speeding up as if the machine were failing. The melody should sound sweet at first "
         "and wrong by the end.", [WAVES, WRONG]),
        ("A lullaby in F for celesta and strings whose tune gradually turns sour.", [WRONG]),
        ("A tipsy waltz in G for accordion and tuba with a wobbling tempo.", [WAVES]),
        ("A carousel running down: waltz in 3/4 for celesta and strings in A major, the carousel is slowly running "
         "down.", [DOWN]),
    ],
)  # fmt: skip
def test_it_is_heard_and_done(text: str, asks: list[str]) -> None:
    heard_and_done(text, asks)


@pytest.mark.parametrize(
    "text",
    [
        "A theme in A minor for oboe and strings that wavers between hope and despair, at a steady tempo.",
        "A funny polka in C major for tuba and clarinet with a few wrong notes.",
        "A winding melody for oboe over strings in D minor, down a winding road.",
        "Music to wind down after work, for piano in F major.",
        "A cheerful tune for flute about a boy running down the hill with a toy.",
        "Each time the tune comes back it is one step higher, for violin and piano in G.",
        "A lullaby for music box in C major, slowing down at the end.",
    ],
)
def test_other_wrongs_and_downs_are_not(text: str) -> None:
    assert not {ask.what for ask in Contract.from_brief(text).asks} & {"wrong notes", "running down"}


def test_nothing_but_the_wrong_notes_is_changed() -> None:
    text = (
        "A nursery tune for music box and strings in C minor, 3/4, that comes back with one more wrong note each time."
    )
    score = compose_score(Contract.from_brief(text), 0)
    told = statements(score, 0)
    lines = [line for _, line in told]
    wrong = [
        {place for place, pair in enumerate(zip(lines[0], line, strict=True)) if pair[0] != pair[1]} for line in lines
    ]
    assert len(told) >= 4
    assert all(one < two for one, two in pairwise(wrong))
    assert all(abs(one[1] - two[1]) in (0, 1) for line in lines for one, two in zip(lines[0], line, strict=True))
