"""Two melodies in the light of each other: what one threshold hides is no difference, what all ears hear is one."""

from __future__ import annotations

from libretto.hearing.reading import Reading
from libretto.listen.kinds import kinds
from libretto.listen.together import heard_together

TUNE = (60, 62, 64, 64, 67, 60)
MOVED = tuple(pitch + 5 for pitch in TUNE)


def without(line: tuple[int, ...], place: int) -> tuple[int, ...]:
    return line[:place] + line[place + 1 :]


def answers(task: str, one: Reading, two: Reading) -> tuple[str | None, str | None]:
    """What the solver says of the readings as they are, and heard together."""
    kind = kinds[task]
    together = heard_together(kind, [one, two])
    return kind.solve(one.values, two.values).answer, kind.solve(*(reading.values for reading in together)).answer


def test_a_note_that_some_ear_hears_is_no_difference() -> None:
    first = Reading(TUNE, (TUNE, without(TUNE, 3)))
    second = Reading(without(MOVED, 3), (MOVED, without(MOVED, 3)))
    assert answers("transposition", first, second) == ("no", "yes")
    assert answers("pitch_shift", first, second) == ("no", "yes")


def test_what_every_ear_hears_stays_a_difference() -> None:
    odd = (*TUNE[:4], 68, 60)
    assert answers("oddball", Reading(TUNE, (TUNE, without(TUNE, 3))), Reading(odd, (odd, without(odd, 3)))) == (
        "no",
        "no",
    )
    missing = Reading(without(MOVED, 3), (without(MOVED, 3),))
    assert answers("transposition", Reading(TUNE, (TUNE,)), missing) == ("no", "no")


def test_what_agrees_and_other_tasks_stay_as_they_are() -> None:
    same = [Reading(TUNE, (without(TUNE, 0),)), Reading(MOVED, (without(MOVED, 0),))]
    assert heard_together(kinds["transposition"], same) == same
    alone = [Reading((60, 64, 60), ((60, 62, 64),))]
    assert heard_together(kinds["contour"], alone) == alone
    drums = [Reading((101, 205), ((101,),)), Reading((101,), ((101, 205),))]
    assert heard_together(kinds["rhythm_match"], drums) == drums


def test_of_hearings_that_agree_the_commoner_one_is_taken() -> None:
    shorter = without(TUNE, 3)
    first = Reading(TUNE, (shorter, TUNE, TUNE))
    second = Reading((61, 62), (shorter, TUNE, TUNE))
    one, two = heard_together(kinds["oddball"], [first, second])
    assert one.values == two.values == TUNE
