"""What briefs say of who leads, doubles, rests and plays alone is heard in the notes."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score
from libretto.score import Score


def played_bars(score: Score, name: str) -> set[int]:
    index = next(number for number, voice in enumerate(score.voices) if voice.name == name)
    return {int(bar) + 1 for bar in np.unique(score.table["bar"][score.table["voice"] == index])}


@pytest.mark.parametrize(
    "said",
    [
        "The accordion leads, the violin takes over the melody halfway through",
        "The violin plays alone for the first four bars",
        "The violin only plays in bars 17 to 24",
        "Everyone stops for one bar before bar 17",
        "The violin doubles the melody an octave above and the accordion leads",
        "The piano plays chords on every beat",
        "The double bass alternates root and fifth",
    ],
)
def test_a_tango_does_what_it_is_told(said: str) -> None:
    text = f"A tango in G minor for accordion, violin, piano and double bass, Gm-Cm-D7-Gm, 32 bars. {said}."
    contract = Contract.from_brief(text)
    assert contract.asks
    assert not [check for check in receipt(contract, compose_score(contract, 1)).failed if ":" in check.clause]


def test_drums_that_rest_for_two_bars_play_in_all_others() -> None:
    contract = Contract.from_brief(
        "A rock song for guitar, bass and drums, 32 bars. The drums drop out in bars 9 and 10."
    )
    bars = played_bars(compose_score(contract, 1), "Drums")
    assert not bars & {9, 10}
    assert len(bars) > 20


def test_a_song_has_the_sections_that_are_spoken_of() -> None:
    contract = Contract.from_brief("A rock song for guitar, piano and drums, C-G-Am-F. The second verse is only piano.")
    score = compose_score(contract, 1)
    assert "verse 2" in [name for _, name in score.sections]
    assert not [check.clause for check in receipt(contract, score).failed if check.clause.startswith("only")]


def test_a_chart_that_has_a_solo_is_played_as_it_was_written() -> None:
    contract = Contract.from_brief(
        "A jazz waltz in G major for piano trio. The bass takes a solo, then the theme returns."
    )
    score = compose_score(contract, 0)
    names = [name for _, name in score.sections]
    assert "Solo" in names
    assert not any("verse" in name for name in names)


def test_who_trade_phrases_rest_while_the_other_plays() -> None:
    brief = "A 16-bar bossa in C for flute, clarinet, guitar, bass and drums. Flute and clarinet trade phrases."
    score = compose_score(Contract.from_brief(brief), 0)
    flute, clarinet = played_bars(score, "Flute"), played_bars(score, "Clarinet")
    assert not flute & clarinet
    assert {(bar - 1) // 2 % 2 for bar in flute} == {0}
    assert {(bar - 1) // 2 for bar in flute | clarinet} == set(range(8))


def test_who_shares_a_tune_without_trading_may_accompany() -> None:
    brief = "A 16-bar waltz in C for flute, clarinet and piano. The melody passes between flute and clarinet."
    score = compose_score(Contract.from_brief(brief), 0)
    assert len(played_bars(score, "Flute")) > 8


def test_pipes_that_drone_first_play_nothing_else_there() -> None:
    brief = (
        "A Scottish march with bagpipes, snare drum, fiddle and low whistle. Open with 8 bars of drums and a pipe "
        "drone, followed by a proud 16-bar melody. A softer middle part for the low whistle should bring a touch of "
        "sorrow before the pipes return."
    )
    score = compose_score(Contract.from_brief(brief), 0)
    pipes = next(voice for voice in score.voices if voice.name == "Bagpipes").array
    assert len(set(pipes["pitch"][pipes["onset"] < score.bar_lines[8]])) == 1
    assert not played_bars(score, "Bagpipes") & set(range(25, 33))
    assert played_bars(score, "Bagpipes") >= {*range(9, 25), *range(33, 41)}


def test_the_only_lead_over_chords_is_accompanied() -> None:
    score = compose_score(Contract.from_brief("A slow waltz with a solo violin lead over Gm-Cm-Eb-D."), 0)
    assert len(score.voices) > 1
    alone = compose_score(Contract.from_brief("A slow waltz for solo violin, Gm-Cm-Eb-D."), 0)
    assert len(alone.voices) == 1
