"""Some of a section that was named before are nobody new, and who leads with long notes still leads."""

from __future__ import annotations

from libretto.contract import Contract


def test_low_strings_after_strings_are_nobody_new() -> None:
    contract = Contract.from_brief(
        "A trailer piece in D minor, 32 bars, for strings, brass and choir. It should start softly with low strings."
    )
    assert [part.name for part in contract.parts] == ["Strings", "Brass", "Choir"]


def test_a_tune_of_long_notes_is_a_tune() -> None:
    contract = Contract.from_brief(
        "A Japanese piece for koto and shakuhachi, 24 bars. The shakuhachi should breathe long notes while the "
        "koto ripples."
    )
    assert {part.name: part.role for part in contract.parts} == {"Koto": "arpeggio", "Shakuhachi": "lead"}
    assert not [ask for ask in contract.asks if (ask.kind, ask.what, ask.who) == ("role", "pad", "Shakuhachi")]


def test_who_introduces_the_theme_leads() -> None:
    contract = Contract.from_brief(
        "A trio in G minor, 24 bars, for violin, viola and cello. The viola introduces the theme."
    )
    assert next(part.role for part in contract.parts if part.name == "Viola") == "lead"
