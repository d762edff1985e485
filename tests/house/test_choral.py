"""Choirs that answer sing in parts, and layers enter while there is time to hear them."""

from collections import Counter

from libretto.contract import Contract
from libretto.house import compose_score
from libretto.house.compose.planning import make_plan

_GOSPEL = (
    "Write an uplifting gospel piece in A-flat major with a moderate 12/8 feel. The chords are Ab, Db, Ab, Eb7 over 16 "
    "bars. Use piano, Hammond organ, bass, and a small choir. The piano leads, the choir answers with warm harmonies."
)
_HOUSE = (
    "A deep house track in C minor at 122 BPM. The chord progression should be Cm9, Abmaj7, Fm9, Gm7, looped over 32 "
    "bars. Use electric piano, sub bass, synth plucks, and electronic drums. The layers should enter one by one."
)


def test_a_choir_that_answers_sings_in_parts() -> None:
    choir = compose_score(Contract.from_brief(_GOSPEL), 0).voice("Choir")
    sizes = Counter(int(onset) for onset in choir.array["onset"])
    assert sum(size >= 3 for size in sizes.values()) >= 0.6 * len(sizes)


def test_layers_are_all_there_before_the_middle_and_drums_come_second() -> None:
    absent = make_plan(Contract.from_brief(_HOUSE), 0).absent
    assert {name: len(bars) for name, bars in absent.items()} == {
        "Electronic Drums": 4,
        "Sub Bass": 8,
        "Synth Pluck": 12,
    }
