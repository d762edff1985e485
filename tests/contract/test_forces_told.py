"""Who plays where a brief says who is all there is: basses that players have, counted lists, who leads, who sings."""

import pytest

from libretto.contract import Contract


def _roles(brief: str) -> dict[str, str]:
    return {part.name: part.role for part in Contract.from_brief(brief).parts}


@pytest.mark.parametrize(
    ("brief", "players"),
    [
        ("Feature the kora as the sole instrument. It weaves a circling bass pattern under bright runs.", ["Kora"]),
        ("A study with the classical guitar as the only instrument. The thumb keeps a steady bass.", ["Guitar"]),
        ("A calm song in C. The only instrument is a harp. A deep bass line carries the tune.", ["Harp"]),
        (
            "The piano is the only instrument at the start, then bass and drums join.",
            ["Piano", "Bass", "Drums"],
        ),
        ("The track has piano, drums and synth. It should offer a deep bass.", ["Piano", "Drums", "Synth", "Bass"]),
    ],
)
def test_the_sole_instrument_plays_its_own_bass(brief: str, players: list[str]) -> None:
    assert [name.split()[-1] for name in _roles(brief)] == players


@pytest.mark.parametrize("said", ["offers a clear, buoyant bass", "should lend a firm bass", "serves as the bass"])
def test_who_is_said_to_give_the_bass_has_it(said: str) -> None:
    roles = _roles(f"A piece for first violin, second violin, viola and cello. The cello {said}.")
    assert roles["Cello"] == "bass"
    assert len(roles) == 4


@pytest.mark.parametrize(
    ("brief", "count"),
    [
        ("Minuet: It has three voices: violin, viola and cello. A lively bass runs below it all.", 3),
        ("Groove: It has three voices: piano, upright bass and drums. The guitar should answer.", 3),
        ("Calm: It has three instruments: oud, ney and darbuka. Add a cello in the second half.", 4),
        ("Calm: It has oud, ney and darbuka. A cello answers.", 4),
    ],
)
def test_nobody_is_added_to_those_who_are_counted(brief: str, count: int) -> None:
    assert len(_roles(brief)) == count


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("set to a tempo that starts heavy and becomes relentless", ["slow to fast"]),
        ("The pace is steady at first, then turns frantic", ["accelerando"]),
        ("It goes from a lazy pace to a wild tempo", ["slow to fast"]),
        ("The beat starts as a lazy, swaying groove but then gets wild by the end", ["slow to fast"]),
        ("The tempo should be steady, with a driving bass", []),
        ("The tempo is steady and the drums become driving in the chorus", []),
    ],
)
def test_a_tempo_becomes_something_faster(said: str, changes: list[str]) -> None:
    asks = Contract.from_brief(f"A dark piece in C minor for flute and harp. {said}.").asks
    assert [ask.what for ask in asks if ask.kind == "tempo_change"] == changes


def _asks(brief: str) -> set[tuple[str, str, str, str]]:
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in Contract.from_brief(brief).asks}


@pytest.mark.parametrize(
    ("said", "ask"),
    [
        ("The cello sings a long melody in its upper register.", ("register", "high", "Cello", "")),
        (
            "The cello plays a plain bass, rising into its singing register at the end.",
            ("register", "high", "Cello", "end"),
        ),
        ("The piano unfolds in wide, rolling left-hand figures.", ("manner", "wide", "Piano", "")),
        ("The piano has sweeping arpeggios in the left hand.", ("manner", "wide", "Piano", "")),
    ],
)
def test_a_register_and_a_hand_are_those_of_who_is_told(said: str, ask: tuple[str, str, str, str]) -> None:
    assert ask in _asks(f"A romantic nocturne in Db for piano and cello. {said}")


def test_who_is_at_the_center_leads_and_who_answers_in_fragments_does_not() -> None:
    said = "The Wurlitzer is at the center, playing lush chords. The muted guitar answers with brief fragments."
    roles = _roles(f"A neo-soul piece with Wurlitzer piano, bass guitar, drums and muted guitar. {said}")
    assert (roles["Wurlitzer Piano"], roles["Muted Guitar"]) == ("lead", "counter")


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("The backing singers add warm harmonies in the chorus.", "chorus"),
        ("The backing singers sing in three parts.", ""),
        ("The strings add a harmony under the backing singers.", None),
        ("The backing singers chant in unison, with no harmony.", None),
    ],
)
def test_many_who_sing_harmonies_are_heard(said: str, where: str | None) -> None:
    asks = _asks(f"A soul song for voice, piano, drums, strings and backing singers. {said}")
    assert {ask[3] for ask in asks if ask[1] == "harmonized"} == ({where} if where is not None else set())


def test_a_vocal_group_has_the_tune_over_horns_and_answers_itself() -> None:
    brief = "A soul piece with bass guitar, horns and vocal group. The horns punctuate with stabs; the vocal group "
    brief += "trades call-and-response harmonies."
    assert _roles(brief)["Vocal Group"] == "lead"
    assert ("texture", "call and response", "Vocal Group", "") in _asks(brief)


@pytest.mark.parametrize("said", ["A country-tinged piece", "A country-flavored tune", "A country-inflected song"])
def test_what_is_tinged_with_a_style_is_of_it(said: str) -> None:
    assert (
        Contract.from_brief(f"{said} in D that rolls through the dark, for snare and pedal steel.").style == "country"
    )


@pytest.mark.parametrize(
    ("brief", "players"),
    [
        ("A calm song in D performed entirely on a single handpan. A soft bass pattern runs below.", ["Handpan"]),
        ("A song in G. Use just one guitar, with a bass line under its melody.", ["Guitar"]),
        ("A song in D. Use just a piano, then the bass joins in the second verse.", ["Piano", "Bass"]),
        ("A song in D. Use only a piano for eight bars; the bass enters at bar 9.", ["Piano", "Bass"]),
        ("For solo piano in C minor, slow; a bass line descends under a sad tune.", ["Piano"]),
    ],
)
def test_a_bass_of_who_is_alone_is_nobody_unless_it_comes_in(brief: str, players: list[str]) -> None:
    assert list(_roles(brief)) == players
