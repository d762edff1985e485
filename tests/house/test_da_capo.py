"""Da capo: the first part comes back at the end, varied a little, and the piece ends with it."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, read_brief, receipt
from libretto.house import compose_score
from libretto.house.charts.da_capo import brought_back


def _comes_back(contract: Contract) -> bool:
    return any(ask.kind == "reprise" for ask in contract.asks)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("A short piece in ABA da capo form for flute and piano in G major", "A B A"),
        ("Baroque aria for oboe and harpsichord, da capo", "A B A"),
        ("A minuet and trio for string quartet", "A B A"),
        ("Minuet, D.C. al Fine, 32 bars, for piano", "A B A"),
        ("A tune for fiddle and guitar, first part, second part, then D.C.", "A B A"),
        ("Waltz for accordion, then back to the top and end there", "A B A"),
        ("Rock song: verse, chorus, bridge, da capo al coda", "verse chorus bridge verse coda"),
        ("A jig for tin whistle, AABB, D.C. al fine", "A A B B A"),
    ],
)
def test_the_first_part_comes_back(text: str, form: str) -> None:
    contract = read_brief(text)
    assert _comes_back(contract)
    assert " ".join(contract.form) == form


@pytest.mark.parametrize(
    "text",
    [
        "A march, no da capo, for brass band",
        "Washington D.C. at night, jazz for sax quartet",
        "Minuet for piano trio in G",
        "A piece in ABA form for flute and piano",
        "A loop that goes back to the beginning",
    ],
)
def test_what_is_no_da_capo(text: str) -> None:
    assert not _comes_back(read_brief(text))


def test_a_minuet_and_trio_for_a_quartet_gives_the_trio_to_nobody() -> None:
    assert not any(ask.kind == "lead" for ask in read_brief("A minuet and trio for string quartet").asks)


@pytest.mark.parametrize(
    "text",
    [
        "A short piece in ABA da capo form for flute and piano in G major",
        "A minuet and trio for string quartet, 32 bars",
        "A samba in 7/8, da capo, for flute and guitar",
    ],
)
def test_the_tune_is_heard_again_and_ends_the_piece(text: str) -> None:
    contract = read_brief(text)
    kept = receipt(contract, compose_score(contract))
    assert kept.passed
    assert any(check.clause.startswith("reprise") and check.passed for check in kept.checks)


def test_sections_that_do_not_return_stay() -> None:
    assert brought_back((), ()) == ((), ())
