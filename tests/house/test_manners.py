"""Manners: what a brief asks of how a part is played, from the words to the notes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from libretto.contract import Contract, receipt
from libretto.contract.asks import Ask
from libretto.contract.checks.manners import MANNERS, Played, manner_share
from libretto.errors import LibrettoError
from libretto.house import compose_score
from libretto.house.asks.doing import done
from libretto.house.charts.crying import CRIES, WHISTLES
from libretto.house.charts.manners import figure_for, manner_figures, read_figures
from libretto.score import QUARTER, Meter

FOUR = Meter.parse("4/4")
BAND = "A bluegrass piece in G major, G C D G over 16 bars, for banjo, fiddle, acoustic guitar and upright bass. "


def asked(text: str) -> set[tuple[str, str]]:
    """The manners that a brief asks for: who and how."""
    return {(ask.who, ask.what) for ask in Contract.from_brief(text).asks if ask.kind == "manner"}


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("The banjo should fire off rapid rolling patterns.", ("Banjo", "rolls")),
        ("The acoustic guitar should strum along.", ("Acoustic Guitar", "strums")),
        ("The upright bass should push steady eighth notes.", ("Upright Bass", "eighths")),
        ("The fiddle should spin out sixteenth notes.", ("Fiddle", "sixteenths")),
        ("The acoustic guitar should chop on two and four.", ("Acoustic Guitar", "chops")),
        ("The fiddle should hold long sustained notes.", ("Fiddle", "sustained")),
    ],
)
def test_words_ask_for_manners_of_somebody(said: str, found: tuple[str, str]) -> None:
    assert found in asked(BAND + said)


@pytest.mark.parametrize(
    "said",
    [
        "It should evoke rolling hills.",
        "The fiddle has a sustained sense of longing.",
        "No strumming, please.",
    ],
)
def test_other_words_ask_for_none(said: str) -> None:
    assert asked(BAND + said) == set()


def test_drums_have_no_manners() -> None:
    assert asked("A rock song with electric guitar, bass and drums. The drums play steady eighth notes.") == set()


@pytest.mark.parametrize("said", ["The banjo should play rolling patterns.", "The banjo should hold sustained chords."])
def test_a_piece_keeps_the_manner_that_it_was_asked_for(said: str) -> None:
    contract = Contract.from_brief(BAND + said)
    kept = [
        check for check in receipt(contract, compose_score(contract, 0)).checks if check.clause.startswith("manner")
    ]
    assert [check.passed for check in kept] == [True]


def test_manners_exclude_each_other() -> None:
    """What is held does not run, and a piece for one fails the clause of the other."""
    contract = Contract.from_brief(BAND + "The banjo should hold sustained chords.")
    score = compose_score(contract, 0)
    other = Contract.from_brief(BAND + "The banjo should play rolling patterns.")
    assert any(check.clause.startswith("manner") and check.passed is False for check in receipt(other, score).checks)


def test_a_piece_without_a_chart_is_played_as_asked() -> None:
    plain = Contract.from_brief("A folk tune in D major for flute and guitar, 16 bars.")
    score = compose_score(plain, 0)
    for what in ("eighths", "sustained", "off-beats"):
        contract = replace(plain, asks=(Ask("manner", what, "Guitar"),))
        checks = [check for check in receipt(contract, done(contract, score, 0)).checks if "manner" in check.clause]
        assert [check.passed for check in checks] == [True], what


def test_every_manner_is_written() -> None:
    assert set(manner_figures()) | {CRIES, WHISTLES} == set(MANNERS)  # these two are made of the tune itself
    assert all(any(figure.meter == FOUR for figure in figures) for figures in manner_figures().values())


def test_bars_are_heard() -> None:
    eighths = [Played(place * QUARTER // 2, QUARTER // 2, 60 + place) for place in range(8)]
    held = [Played(0, 4 * QUARTER, pitch) for pitch in (60, 64, 67)]
    assert manner_share("eighths", [eighths, held], FOUR) == 0.5
    assert manner_share("sustained", [eighths, held], FOUR) == 0.5
    assert manner_share("off-beats", [eighths], FOUR) == 1.0
    assert manner_share("off-beats", [held], FOUR) == 0.0
    assert manner_share("rolls", [], FOUR) == 0.0


def test_figures_are_found_by_part_meter_and_speed() -> None:
    quick, slow = figure_for(["rolls"], "chords", FOUR, 180), figure_for(["rolls"], "chords", FOUR, 90)
    assert [figure and figure.unit for figure in (quick, slow)] == [8, 16]
    assert figure_for(["rolls"], "bass", FOUR, 90) is None
    assert figure_for(["montuno"], "chords", Meter.parse("3/4"), 90) is None


def test_a_file_that_is_no_manner_says_so_in_a_line() -> None:
    with pytest.raises(LibrettoError, match="the manner odd cannot be read"):
        read_figures("odd", '[[figures]]\npart = "chords"\nmeter = "4/4"\nunit = 8\nlow = ["C:9"]\nmid = []\nhigh = []')


@pytest.mark.parametrize("meter", ["3/4", "4/4"])
def test_a_strummed_boom_chick_is_a_boom_chick(meter: str) -> None:
    """Who strums a boom-chick-chick has basses and chords all through, not strokes on strong beats only."""
    contract = Contract.from_brief(
        f"A country piece in {meter} in A major, A, A7, D, E7 over 16 bars, for fiddle, acoustic guitar and bass. "
        "The acoustic guitar should strum a plain boom-chick."
    )
    score = compose_score(contract, 0)
    assert not [clause.clause for clause in receipt(contract, score).failed if "manner" in clause.clause]
    guitar = next(voice for voice in score.voices if voice.name == "Acoustic Guitar")
    bars = [[n for n in guitar.array if score.bar_at(int(n["onset"])) == bar] for bar in range(15)]
    full = [len({int(n["onset"]) for n in bar}) >= 3 and len(bar) >= 6 for bar in bars]
    assert sum(full) >= 12


def test_an_oom_pah_in_two_quarters_is_one_and_a_chart_keeps_its_own() -> None:
    eighth = QUARTER // 2
    bar = [
        Played(0, eighth, 36),
        *(Played(eighth, eighth, pitch) for pitch in (55, 60, 64)),
        Played(2 * eighth, eighth, 43),
        *(Played(3 * eighth, eighth, pitch) for pitch in (55, 60, 64)),
    ]
    assert manner_share("two-beat", [bar], Meter(2, 4)) == 1.0


def test_horns_stab_together() -> None:
    brief = (
        "Funk in E minor, 16 bars, Em7, A7, for bass, guitar, drums, trumpet and trombone. The horns play sharp stabs."
    )
    score = compose_score(Contract.from_brief(brief), 0)
    one, two = (score.voice(name).array["onset"].tolist() for name in ("Trumpet", "Trombone"))
    assert len(set(one) & set(two)) > len(set(one)) / 2


def test_guitars_in_thirds_play_a_riff_as_one() -> None:
    brief = "Heavy metal in E minor, Em-C-D-B over 24 bars, for two distorted electric guitars in harmony and drums."
    score = compose_score(Contract.from_brief(brief), 0)
    first = [voice for voice in score.voices if voice.name.startswith("Distorted")]
    bars = [
        [(int(n["onset"]), int(n["pitch"])) for n in voice.array if n["onset"] < score.bar_lines[1]] for voice in first
    ]
    assert bars[0] == bars[1]


def test_a_harp_that_is_told_to_break_chords_does() -> None:
    brief = "A lullaby in Bb minor, Bbm, Gb, Ab over 36 bars, for harp, flute and pads. The harp plays arpeggios."
    score = compose_score(Contract.from_brief(brief), 0)
    harp = score.voice("Harp").array
    assert len(harp) > 6 * score.bars


@pytest.mark.parametrize("said", ["a creeping chromatic motif", "a sneaking chromatic bass line"])
def test_what_should_creep_goes_by_half_tones(said: str) -> None:
    contract = Contract.from_brief(f"A spy theme in D minor with {said}, Dm Gm A Dm over 16 bars, for flute and bass.")
    checks = receipt(contract, compose_score(contract, 0)).checks
    assert [check.passed for check in checks if check.clause.startswith("manner: creep")] == [True]
