"""What briefs say of who plays along: drones, strings of one's own, entries, turns, harmonies, ends for one alone."""

from __future__ import annotations

import pytest

from libretto.contract import Contract

CASES = (
    ("The accordion holds drones and jabs at the offbeats, the clarinet leads.", ("role", "drone", "Accordion", "")),
    ("A darbuka, a riq and an oud. The darbuka enters at bar 5 and the riq at bar 9.", ("enter", "", "Riq", "bar 9")),
    ("Twin fiddles in harmony play the melody over a guitar.", ("doubling", "Fiddle in thirds", "Fiddle #2", "")),
    ("An accordion tune. The fiddle shadows it a third below.", ("doubling", "melody in thirds", "Fiddle", "")),
    ("A trumpet and a piano. The trumpet states the tune, then trades two-bar phrases with the piano in bars 17-24.",
     ("lead", "", "Trumpet", "turns 1 of 2 in 2 of bars 17-24")),
    ("A guitar and a voice. It ends quietly on a long held note from the voice alone.",
     ("only", "", "Voice", "last 1 bars")),
    ("A flute and a kora. The flute sings long phrases from bar 9.", ("enter", "", "Flute", "from bar 9")),
    ("Banjo kicks it off, fiddle takes the second eight bars, mandolin the third.",
     ("lead", "", "Mandolin", "bars 17-24")),
    ("A reel for fiddle and flute. The flute joins in unison on the repeats.",
     ("doubling", "melody", "Flute", "second time")),
    ("A dance for violin and drum, starting slowly and getting faster.", ("tempo_change", "to x1.61", "", "")),
    ("A sitar and a tabla. The sitar begins with an alap of eight bars.", ("only", "", "Sitar", "first 8 bars")),
)  # fmt: skip


@pytest.mark.parametrize(("brief", "wanted"), CASES)
def test_an_ask_is_heard(brief: str, wanted: tuple[str, str, str, str]) -> None:
    asks = [(ask.kind, ask.what, ask.who, ask.where) for ask in Contract.from_brief(brief).asks]
    assert wanted in asks


@pytest.mark.parametrize(
    ("brief", "names"),
    [
        ("For flute and nylon guitar. The guitar keeps a bass on its low strings.", ["Flute", "Nylon Guitar"]),
        ("For a gadulka (fiddle) and a tambura.", ["Gadulka", "Tambura"]),
        ("For banjo and fiddle. The banjo kicks it off.", ["Banjo", "Fiddle"]),
        ("For clarinet and tuba. The tuba pumps the bass.", ["Clarinet", "Tuba"]),
    ],
)
def test_nobody_else_plays(brief: str, names: list[str]) -> None:
    assert [part.name for part in Contract.from_brief(brief).parts] == names


def test_who_has_a_drone_of_its_own_leads() -> None:
    parts = Contract.from_brief("The uilleann pipes carry the tune over their own drone, the fiddle answers.").parts
    assert parts[0].role == "lead"


def test_the_notes_of_a_scale_are_no_chords() -> None:
    assert not Contract.from_brief("A sitar piece in D, raga Bhairavi (D Eb F G A Bb C), 24 bars.").chords


def test_who_begins_together_enters_with_nobody() -> None:
    asks = Contract.from_brief("For synth lead, bass and drums. Start with kick and bass only for eight bars.").asks
    assert not [ask for ask in asks if ask.kind == "enter"]


def test_who_shares_the_tune_by_turns_leads() -> None:
    brief = "For saxophone, trumpet and piano. The saxophone and trumpet should alternate with lead melodies."
    assert [part.role for part in Contract.from_brief(brief).parts][:2] == ["lead", "lead"]
