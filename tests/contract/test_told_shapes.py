"""Shapes that briefs tell: rubato, a tune that goes to and fro, a climax that comes to rest, shuffles and tremors."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score

TRIO = "A Romantic piece in E flat minor, 24 bars, for violin, cello and piano. "


def asks(text: str) -> set[tuple[str, str, str, str]]:
    """What is read of a sentence about a piano trio."""
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in Contract.from_brief(TRIO + text).asks}


@pytest.mark.parametrize(
    "text",
    ["Andante with plenty of rubato.", "The tempo breathes.", "A tempo that varies like the wind.", "Play it rubato."],
)
def test_rubato(text: str) -> None:
    assert ("feel", "rubato", "", "") in asks(text)


def test_rubato_is_played_and_checked() -> None:
    contract = Contract.from_brief(TRIO + "Andante, with plenty of rubato.")
    score = compose_score(contract, 0)
    assert len(score.tempos) > 24
    assert receipt(contract, score).passed
    steady = Contract.from_brief(TRIO)
    assert any("rubato" in str(one.clause) for one in receipt(contract, compose_score(steady, 0)).failed)


@pytest.mark.parametrize(
    "text",
    [
        "The melody should pass between the violin and cello like two people longing for each other.",
        "Violin and cello trade the tender melody every four bars.",
        "The theme is tossed back and forth between the violin and the cello.",
    ],
)
def test_a_tune_that_goes_to_and_fro(text: str) -> None:
    turns = {(who, where) for kind, _, who, where in asks(text) if kind == "lead"}
    assert turns == {("Violin", "turns 1 of 2 in 4"), ("Cello", "turns 2 of 2 in 4")}


def test_a_climax_that_comes_to_rest_is_no_growing_to_the_end() -> None:
    told = asks("It builds gradually to a passionate climax before fading away.")
    assert ("dynamics", "growing", "", "until last quarter") in told
    assert ("dynamics", "growing", "", "") not in told
    assert ("dynamics", "growing", "", "") in asks("It builds to a triumphant climax and ends with a bang.")


def test_who_opens_with_a_tune_has_it_at_the_start() -> None:
    assert ("lead", "", "Cello", "start") in asks("The cello should open the piece with a fragile, childlike melody.")


def test_small_words() -> None:
    assert ("manner", "tremolo", "Violin", "") in asks("The violin adds trembling, high-pitched tension.")
    assert ("density", "seldom", "Piano", "") in asks("The piano is used sparingly.")
    assert ("tempo_change", "accelerando", "", "") in asks("The tempo gradually increases.")
    assert ("feel", "swing", "", "") in asks("Create a shuffling, two-step rhythm.")
    assert not any(kind == "density" for kind, *_ in asks("It keeps the dance floor packed."))


def test_what_begins_slow_and_becomes_fast_begins_slow() -> None:
    contract = Contract.from_brief(
        "An ecstatic qawwali in C# minor, 24 bars, for harmonium, tabla and lead vocal, with a tempo that begins slow "
        "and gradually becomes fast."
    )
    assert ("tempo_change", "to x2.20") in {(ask.kind, ask.what) for ask in contract.asks}
    score = compose_score(contract, 0)
    assert min(micros for _, micros in score.tempos) * 1.4 < score.tempos[0][1]
    assert receipt(contract, score).passed


def test_a_free_tempo_may_be_slow() -> None:
    contract = Contract.from_brief("A lament for two flutes in A minor, set to a very slow, free tempo.")
    assert contract.tempo_bpm is not None
    assert contract.tempo_bpm[1] <= 66
    assert ("feel", "rubato") in {(ask.kind, ask.what) for ask in contract.asks}


def test_lively_in_a_style_that_is_faster() -> None:
    assert Contract.from_brief("An upbeat rockabilly tune for guitar, bass and drums.").tempo_bpm == (150.0, 184.0)


def test_winds_in_the_plural_are_two_and_a_male_chorus_sings() -> None:
    def players(text: str) -> list[str]:
        return [part.name for part in Contract.from_brief(text).parts]

    assert players("A march for cornets, tuba and snare drum.") == ["Cornet", "Cornet #2", "Tuba", "Snare Drum"]
    assert players("A march for two cornets and tuba.") == ["Cornet", "Cornet #2", "Tuba"]
    assert "Male Chorus" in players("A shanty for concertina, fiddle and a male chorus.")


@pytest.mark.parametrize(
    ("said", "bars"),
    [
        ("A shuffle. Follow a 12-bar blues with E7, A7 and B7.", 24),
        ("A fast jump blues at 190 BPM, a 12-bar blues in Bb.", 36),
        ("A slow Delta blues in A using the chords A7, D7, and E7.", 24),
        ("A slow blues in A using A7, D7 and E7 over 16 bars.", 16),
        ("A blues in E, structured as a 12-bar blues.", 12),
        ("A tango in G minor, Gm-Cm-D7-Gm over 16 bars, with a brighter 8-bar section in Bb major in the middle.", 24),
        ("A waltz in D over 32 bars with an 8-bar section in B minor in the middle.", 32),
        ("Metal in E minor, Em-C-D-B played over 16 bars, followed by an 8-bar guitar solo.", 24),
    ],
)
def test_lengths_that_go_round_or_are_added(said: str, bars: int) -> None:
    assert Contract.from_brief(said).bars == bars


def test_a_solo_of_who_is_named_later_is_a_solo_in_its_bars() -> None:
    contract = Contract.from_brief(
        "Metal in E minor. Em-C-D-B over 16 bars, then an 8-bar guitar solo. Use two distorted guitars and drums."
    )
    assert [(ask.who, ask.where) for ask in contract.asks if ask.kind == "solo"] == [("Distorted Guitar", "bars 17-24")]
    assert len(contract.parts) == 3
    assert [part.name for part in Contract.from_brief("An air with an 8-bar piano solo.").parts] == ["Piano"]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("A 24-bar tango in A minor with an 8-bar contrasting section in A major.", [("A major", "8 bars in middle")]),
        ("A tango in A minor with a bright section in C major.", [("C major", "contrast")]),
        ("A waltz whose first section is in A minor.", []),
    ],
)
def test_sections_in_another_key(said: str, asked: list[tuple[str, str]]) -> None:
    contract = Contract.from_brief(said)
    assert [(ask.what, ask.where) for ask in contract.asks if ask.kind == "key_change"] == asked


def test_a_solo_is_played_in_its_bars_and_nobody_doubles_it() -> None:
    contract = Contract.from_brief(
        "Fast metal in E minor. Em-C-D-B over 16 bars, followed by an 8-bar guitar solo. Use two distorted guitars "
        "playing in harmony and drums."
    )
    score = compose_score(contract, 0)
    first, second = (next(one for one in score.voices if one.name == part.name).array for part in contract.parts[:2])
    start, end = score.bar_lines[16], score.bar_lines[23]
    solo = first[(first["onset"] >= start) & (first["onset"] < end)]
    other = second[(second["onset"] >= start) & (second["onset"] < end)]
    assert len(set(solo["onset"].tolist())) >= 5 * 7
    assert other["pitch"].mean() < solo["pitch"].mean() - 12


@pytest.mark.parametrize(
    ("said", "form", "bars"),
    [
        ("Disco: 8-bar intro, 16-bar verse, 16-bar chorus and a breakdown of 8 bars before the chorus returns.",
         ("intro", "verse", "chorus", "break", "chorus"), 64),
        ("Disco: 8-bar intro, 16-bar verse and a 16-bar chorus.", ("intro", "verse", "chorus"), 40),
        ("A 32-bar AABA ballad. Add a 4-bar piano introduction.", ("intro", "A", "A", "B", "A"), 36),
        ("A 32-bar AABA ballad, 32 bars in total including a 4-bar intro.", ("A", "A", "B", "A"), 32),
    ],
)  # fmt: skip
def test_what_comes_back_or_before_a_form(said: str, form: tuple[str, ...], bars: int) -> None:
    contract = Contract.from_brief(said)
    assert (contract.form, contract.bars) == (form, bars)


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("A song in D major with two verses and a bridge in B minor before the last chorus.", ["bridge"]),
        ("A march in F major with a quieter trio in Bb major before the main march comes back.", ["contrast"]),
        ("A jazz trio in Bb major.", []),
    ],
)
def test_a_key_is_that_of_the_section_before_it(said: str, where: list[str]) -> None:
    assert [ask.where for ask in Contract.from_brief(said).asks if ask.kind == "key_change"] == where


def test_a_piece_begins_in_the_meter_of_its_first_bars() -> None:
    said = "A folk dance that begins in 7/8 for 16 bars, switches to 9/8 for 8 bars, then goes back to 7/8 for 8 bars."
    assert str(Contract.from_brief(said).meter) == "7/8"


def test_who_is_alone_in_a_bridge_is_not_alone_after_it() -> None:
    said = (
        "Rock. After the second chorus drop to a quiet four-bar bridge with only bass and drums. Guitar, bass, drums."
    )
    asks = [ask for ask in Contract.from_brief(said).asks if ask.kind == "only"]
    assert [ask.where for ask in asks] == ["bridge"]


def test_parts_that_are_repeated_have_the_same_tune_again() -> None:
    contract = Contract.from_brief(
        "A lively English country dance in G major, AABB, each part eight bars long, for fiddle, concertina and guitar."
    )
    score = compose_score(contract, 0)
    fiddle = score.voices[0].array

    def tune(first: int) -> list[tuple[int, int]]:
        start, end = score.bar_lines[first], score.bar_lines[first + 6]
        rows = fiddle[(fiddle["onset"] >= start) & (fiddle["onset"] < end)]
        return [(int(row["onset"]) - start, int(row["pitch"])) for row in rows]

    assert tune(0) == tune(8)
    assert set(tune(24)) & set(tune(16))
    assert len(set(tune(24)) & set(tune(16))) > len(tune(16)) // 2
