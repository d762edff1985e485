"""Call and response: who takes turns with whom is heard by bars and by halves of bars."""

from __future__ import annotations

from libretto.contract import Contract
from libretto.contract.checks.turns import most_turns
from libretto.house import compose_score
from libretto.score import QUARTER

BAR = 4 * QUARTER


def turns(one: list[int], two: list[int]) -> int:
    score = compose_score(Contract.from_brief("A folk piece in C major, 4/4, C F G C over 8 bars, piano"), 0)
    return most_turns(score, [one, two], list(range(8)))


def test_turns_are_heard_by_bars_and_by_halves() -> None:
    eighths = [place * QUARTER // 2 for place in range(64)]
    by_bars = ([tick for tick in eighths if tick // BAR % 2 == 0], [tick for tick in eighths if tick // BAR % 2])
    assert turns(*by_bars) == 7
    # one goes on softly, a note where it had four, while the other answers in the second half of every bar
    answers = [tick for tick in eighths if tick % BAR >= BAR // 2]
    calls = [tick for tick in eighths if tick % BAR < BAR // 2 or tick % BAR == BAR // 2]
    assert turns(calls, answers) == 15


def test_a_tune_over_steady_chords_takes_no_turns() -> None:
    eighths = [place * QUARTER // 2 for place in range(64)]
    assert turns(eighths, eighths[::2]) == 0
    assert turns(eighths, eighths) == 0


def test_roots_and_fifths_in_a_steady_pulse_are_no_repeated_tone() -> None:
    told = Contract.from_brief(
        "For flute and double bass. The double bass should alternate roots and fifths in a steady pulse."
    )
    assert [ask.what for ask in told.asks if ask.kind == "manner"] == ["two-beat"]
