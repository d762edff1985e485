"""Laws of contracts: texts come back the same, hostile input is refused in one line, overrides override."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libretto import Contract
from libretto.contract import contract_from_text, contract_to_json, contract_to_toml, describe, read_brief
from libretto.errors import ContractError, LibrettoError, TooLarge
from libretto.score import Key, Meter, is_chord


@contextmanager
def at_most(cpu_seconds: float) -> Iterator[None]:
    """Stop work that does not come to an end; only the processor's time counts, however busy the machine is."""

    def stop(*_: object) -> None:
        raise AssertionError(f"not done after {cpu_seconds} seconds of work")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, cpu_seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


BRIEF = (
    'Salt and "Tar": Write a brisk shanty in D dorian for accordion, fiddle and bodhrán, Dm–C–Dm–Am, 32 bars in 6/8, '
    "AABB form. The fiddle leads; the accordion strums chords. It ends with a ritardando. "
    "Use fiddle, accordion and flugelgong."
)
FIELDS = [
    *("title", "key", "meter", "tempo_bpm", "bars", "form", "chords", "parts", "drums", "genre", "style", "mood"),
    *("leanings", "ending", "dedication", "scale", "asks", "heard", "assumed", "unread", "open"),
    *("closed", "lead_guessed", "dotted"),
]


def test_the_whole_of_a_brief() -> None:
    contract = Contract.from_brief(BRIEF)
    assert contract.title == 'Salt and "Tar"'
    assert contract.key == Key.parse("D dorian")
    assert contract.meter == Meter(6, 8)
    assert contract.bars == 32
    assert contract.form == ("A", "A", "B", "B")
    assert contract.chords == ("Dm", "C", "Dm", "Am")
    assert {part.name: part.role for part in contract.parts} == {
        "Accordion": "comping",
        "Fiddle": "lead",
        "Bodhrán": "percussion",
    }
    assert contract.drums is True
    assert contract.genre == "folk_country"
    assert contract.ending == "ritard"
    assert any("flugelgong" in phrase for phrase in contract.unread)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ('"Tides"', "Tides"),
        ("“Tides”", "Tides"),
        ("**Tides**", "Tides"),
        ("'Don't Stop'", "Don't Stop"),
        ('The "Big" One', 'The "Big" One'),
        ('"The "Big" One"', 'The "Big" One'),
        ('"Salt" and "Tar"', '"Salt" and "Tar"'),
        ("Salt and “Tar”", "Salt and “Tar”"),
    ],
)
def test_quotes_around_a_title_go_and_quotes_in_it_stay(written: str, title: str) -> None:
    assert read_brief(f"{written}: a waltz in G major.").title == title


def test_the_fields_of_the_data() -> None:
    data = Contract.from_brief(BRIEF).to_dict()
    assert list(data) == FIELDS
    assert data["key"] == "D dorian"
    assert data["meter"] == "6/8"
    assert data["parts"][0] == {"name": "Accordion", "program": 21, "role": "comping"}
    assert json.loads(json.dumps(data)) == data


@pytest.mark.parametrize("write", [contract_to_toml, contract_to_json])
@pytest.mark.parametrize("brief", [BRIEF, "", "A waltz.", "Disco band in E♭ major with “quotes” \\ and a tab\t."])
def test_contracts_come_back(write: object, brief: str) -> None:
    contract = Contract.from_brief(brief)
    assert callable(write)
    assert contract_from_text(write(contract)) == contract
    assert Contract.from_dict(contract.to_dict()) == contract


@given(st.text(max_size=400))
def test_any_text_is_a_brief(text: str) -> None:
    contract = read_brief(text)
    assert all(is_chord(label) for label in contract.chords)
    assert contract_from_text(contract_to_toml(contract)) == contract
    assert contract_from_text(contract_to_json(contract)) == contract
    assert describe(contract)


_WORDS = (
    "in A minor a the C-G-Am 16 bars Am F and flute guitar no drums waltz 3/4 slow tempo 120 bpm ii-V-I AABA verse "
    "chorus , . : - – ♭ # string quartet leads melody without solo key of E intro two violins fade out 12-bar blues I"
)


@given(st.lists(st.sampled_from(_WORDS.split()), max_size=60))
def test_any_jumble_of_our_words_is_read(words: list[str]) -> None:
    contract = read_brief(" ".join(words))
    assert contract_from_text(contract_to_toml(contract)) == contract


@pytest.mark.parametrize(
    "text",
    [
        "A" * 19_000,
        "A " * 9_000,
        "C-" * 9_000,
        "I-V-" * 4_000,
        "intro, verse, " * 1_300,
        "no piano or " * 1_500,
        "4-bar " * 3_000,
        "A-B-A-" * 3_000,
        "violin, " * 2_300,
        "in the key of " * 1_300,
        "((((" * 4_500,
        "♭♯–—’“" * 3_000,
        "one-two-three-" * 1_300,
        "120-" * 4_500,
        "accompanied by " * 1_200,
        "\u202e\u0000\ud800 a\u0301\u0301\u0301" * 2_000,
        "a" + "\u0301" * 15_000,
        "1" * 19_000 + " bars",
        "9" * 19_000 + "/4",
    ],
)
def test_no_text_takes_long(text: str) -> None:
    with at_most(cpu_seconds=20):
        contract = read_brief(text)
    assert contract_from_text(contract_to_json(contract)) == contract


def test_too_much_is_refused() -> None:
    with pytest.raises(TooLarge, match="at most 20,000"):
        read_brief("la " * 400_000)
    with pytest.raises(TooLarge, match="200,000"):
        contract_from_text("x" * 1_000_000)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bars = ", "line 1, at the end"),
        ("title = 1 2", "line 1, column 11"),
        ('title = "x"\nbars = "many"', "line 2: bars"),
        ('title = "x"\n\nkey = "H minor"', "line 3: key"),
        ('{"bars": 4,\n "genre": "opera"}', "line 2: genre"),
        ('{"bars": }', "line 1, column 10"),
        ("[1]", "line 1"),
        ("tempo_bpm = [100]", "line 1: tempo_bpm"),
        ("tempo_bpm = [100, 90]", "tempo_bpm"),
        ('chords = ["H7"]', "chords"),
        ('meter = "3/5"', "meter"),
        ("wombat = 1", "wombat"),
        ('[[parts]]\nname = "Oboe"\nprogram = 400', "line 1: parts"),
        ('[[parts]]\nname = "Oboe"\nprogram = 68\nrole = "boss"', "parts"),
        ("bars = 0", "bars"),
        ("bars = true", "bars"),
        ("[leanings]\ndensity = 2.0", "leanings"),
        ("[leanings]\nspice = 1.0", "leanings"),
        ("{" * 20_000, "line 1"),
        ('{"a":' * 30_000, "nested"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, words: str) -> None:
    with pytest.raises(LibrettoError) as caught:
        contract_from_text(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_overrides() -> None:
    merged = Contract.from_brief(BRIEF).merge(genre="jazz", bars=8, key="E minor", tempo=100, meter="4/4")
    assert (merged.genre, merged.bars, str(merged.key), merged.tempo_bpm, str(merged.meter)) == (
        "jazz", 8, "E minor", (100, 100), "4/4",
    )  # fmt: skip
    assert merged.parts == Contract.from_brief(BRIEF).parts
    assert merged.merge() == merged
    assert merged.merge(tempo=(90, 95), key=Key.parse("C major"), meter=Meter(3, 4)).tempo_bpm == (90, 95)
    with pytest.raises(ContractError, match="genre"):
        merged.merge(genre="opera")


def test_nothing_is_read_out_of_nothing() -> None:
    empty = read_brief("")
    assert empty.key is empty.meter is empty.tempo_bpm is empty.bars is empty.drums is None
    assert empty.parts == empty.chords == empty.form == empty.mood == empty.unread == ()
