"""A scale that only colours a piece is not its home, and who floats above arpeggios does not play them."""

import pytest

from libretto.contract import Contract
from libretto.contract.scales import find_scales


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("in Db major, colored with whole-tone scales and parallel chords", 0),
        ("with touches of whole-tone harmony", 0),
        ("occasional whole tone runs", 0),
        ("in the whole-tone scale", 1),
        ("spiced with the blues scale", 1),
    ],
)
def test_a_whole_tone_scale_that_colours_a_piece_is_no_scale_of_it(said: str, found: int) -> None:
    assert len(find_scales(said)) == found


def test_who_floats_above_arpeggios_leads() -> None:
    brief = "Feature flute, harp, and piano, with the flute floating freely above soft, rippling arpeggios."
    roles = {part.name: part.role for part in Contract.from_brief(brief).parts}
    assert (roles["Flute"], roles["Harp"]) == ("lead", "arpeggio")
    drifting = Contract.from_brief("A slow duet: clarinet drifting over gentle arpeggios from the harp, in A minor.")
    assert {part.name: part.role for part in drifting.parts} == {"Clarinet": "lead", "Harp": "arpeggio"}
    assert ("arpeggio", "Clarinet") not in {(ask.what, ask.who) for ask in drifting.asks}
