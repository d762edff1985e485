"""Stages of a piece that is played: a hushed beginning is thin, a hesitant one has rests, a climax is carried."""

import numpy as np
import pytest

from libretto.contract import read_brief
from libretto.house.compose.composer import compose_score
from libretto.score import Score
from libretto.score.time import bpm_of_micros

_GRUNGE = (
    "A brooding grunge song in D minor using Dm-F-C-G over 16 bars for distorted electric guitar, bass, clean guitar "
    "and drums. The first 8 bars should be quiet and murky, and the last 8 should explode into a loud chorus."
)


def _notes(score: Score, first: int, last: int) -> np.ndarray:
    return score.table[(score.table["bar"] >= first - 1) & (score.table["bar"] < last)]


def test_a_quiet_half_is_thin_and_the_loud_half_is_not() -> None:
    score = compose_score(read_brief(_GRUNGE), 0)
    soft, loud = _notes(score, 1, 8), _notes(score, 9, 16)
    assert len(soft) * 2 < len(loud)
    assert len(np.unique(_notes(score, 1, 4)["voice"])) < len(np.unique(loud["voice"]))
    assert soft["velocity"].mean() + 20 < loud["velocity"].mean()


def test_a_beginning_that_hesitates_has_silences_and_one_player() -> None:
    score = compose_score(read_brief("A flamenco piece. Begin with hesitation and silence, then let it grow."), 0)
    opening = _notes(score, 1, 4)
    assert 0 < len(opening) <= 16
    assert len(np.unique(opening["voice"])) == 1
    assert len(np.unique(opening["bar"])) < 4


def test_who_carries_a_climax_has_the_tune_there() -> None:
    brief = "A western theme for whistle, guitar, trumpet and drums. Let the trumpet rise to a sweeping climax."
    asks = {(ask.kind, ask.who, ask.where) for ask in read_brief(brief).asks}
    assert {("lead", "Trumpet", "second half"), ("register", "Trumpet", "second half")} <= asks


@pytest.mark.parametrize(
    "words", ["Build it around the chord progression Em7-A7.", "It evokes a crowded 1930s ballroom."]
)
def test_what_a_piece_is_built_on_does_not_grow(words: str) -> None:
    asks = read_brief(f"A funk track for bass, guitar and drums. {words}").asks
    assert not [ask for ask in asks if ask.kind in ("dynamics", "density")]


def test_what_speeds_up_towards_the_end_is_faster_there_by_a_third() -> None:
    score = compose_score(read_brief("A Balkan dance for trumpet and tuba, 16 bars. Speed up toward the end."), 0)
    tempos = [
        bpm_of_micros(micros) for tick, micros in score.tempos if tick < score.bar_lines[-2]
    ]  # the last bar lands
    assert max(tempos) >= 1.25 * tempos[0]
    assert tempos == sorted(tempos)
