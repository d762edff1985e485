"""Names of instruments and lands in briefs, words that are moods and no styles, and who keeps to which role."""

from __future__ import annotations

import pytest

from libretto import Contract
from libretto.contract.lands import land_names


def _role(contract: Contract, name: str) -> str:
    return next(part.role for part in contract.parts if part.name == name)


@pytest.mark.parametrize(
    "players",
    ["koto and shakuhachi", "sitar and tabla", "oud and darbuka", "electric guitar, bass and drums"],
)
def test_romantic_is_a_mood_where_the_players_are_no_concert_players(players: str) -> None:
    """A romantic piece for a koto is no nocturne; it is as slow as romantic music is."""
    contract = Contract.from_brief(f"A romantic piece for {players} in D minor over 16 bars.")
    assert contract.style != "romantic"
    assert contract.tempo_bpm == (60.0, 96.0)


def test_romantic_is_a_style_in_the_concert_hall() -> None:
    """For a violin and a piano it says what kind of music is meant."""
    assert Contract.from_brief("A romantic piece for violin and piano in A minor.").style == "romantic"


@pytest.mark.parametrize(
    ("brief", "style"),
    [
        ("A Danish folk piece in D minor", "nordic"),
        ("A Mexican folk piece in D minor", "latin"),
        ("A Turkish folk piece in D minor", "arabic"),
        ("A French folk piece in D minor", "folk"),
        ("A folk piece in D minor", "folk"),
        ("An Aztec piece in D minor", "world"),
    ],
)
def test_folk_is_that_of_the_land_before_it(brief: str, style: str) -> None:
    """Folk music of a land is music of that land."""
    assert Contract.from_brief(brief).style == style


def test_lands_are_no_times_or_kinds() -> None:
    """What is known for a land is told apart from what is known for a time."""
    assert {"hungarian", "japanese", "norway"} <= land_names()
    assert not {"1950s", "baroque", "gatsby"} & land_names()


@pytest.mark.parametrize(
    ("name", "instrument"),
    [
        ("suling", "bansuri"),
        ("hosho", "shaker"),
        ("biniou", "bagpipes"),
        ("ranat ek", "marimba"),
        ("khim", "hammered dulcimer"),
        ("sopilka", "recorder"),
        ("odaiko", "taiko"),
        ("dundun", "djembe"),
        ("rumba box", "acoustic bass"),
        ("tingsha", "crotales"),
        ("five-string banjo", "banjo"),
        ("ocean drum", "ocean waves"),
        ("umuduri", "berimbau"),
    ],
)
def test_instruments_of_the_world(name: str, instrument: str) -> None:
    """Instruments that briefs name are known, each as one that sounds like it."""
    contract = Contract.from_brief(f"A piece in D minor over 24 bars. Use {name} and piano.")
    assert [part.instrument for part in contract.parts] == [instrument, "piano"]


def test_a_low_wind_is_no_bass_beside_a_kit_and_a_piano() -> None:
    """A baritone saxophone in a band without a bass has a line of its own, and a tuba the bass."""
    jazz = Contract.from_brief("A cool jazz piece for trumpet, baritone saxophone, piano and brushes.")
    assert _role(jazz, "Baritone Saxophone") == "counter"
    brass = Contract.from_brief("A march for trumpet, tuba and drums.")
    assert _role(brass, "Tuba") == "bass"
    trio = Contract.from_brief("A piece for alto saxophone, tenor saxophone and baritone saxophone.")
    assert _role(trio, "Baritone Saxophone") == "bass"


def test_what_is_built_on_a_bass_is_not_led_by_it() -> None:
    """A track is built on a bass as a house is; one that is centered around it is led by it."""
    text = "A techno track in G minor, built on a pounding bass synth, crisp hi-hats and a synthesizer riff."
    assert _role(Contract.from_brief(text), "Bass Synth") == "bass"
    led = Contract.from_brief("A funk piece in E minor centered around the bass guitar, with drums and clavinet.")
    assert _role(led, "Bass Guitar") == "lead"


def test_who_is_at_the_heart_of_a_piece_leads() -> None:
    """The heart of a piece is its tune."""
    text = "A piece in F# minor for mbira and cello. The mbira should be at the heart of the piece."
    assert _role(Contract.from_brief(text), "Mbira") == "lead"


def test_a_drone_is_that_of_who_sustains_it() -> None:
    """No other player comes in for a drone that somebody is to hold."""
    text = "A piece for didgeridoo and clapsticks. The didgeridoo should sustain a deep, breathing drone."
    assert [part.name for part in Contract.from_brief(text).parts] == ["Didgeridoo", "Clapsticks"]


def test_who_leads_is_called_as_the_brief_calls_it() -> None:
    """What is assumed speaks of a ngoni, not of a kora."""
    contract = Contract.from_brief("A piece in Eb minor, featuring the balafon, ngoni and djembe.")
    assert "Nobody is named as the lead; ngoni takes it." in contract.assumed


def test_now_and_then_is_seldom() -> None:
    """Who does something now and then is heard seldom."""
    text = "A dark ambient piece for synth pads, cello and steel drum. The steel drum should glint now and then."
    asks = [(ask.what, ask.who) for ask in Contract.from_brief(text).asks if ask.kind == "density"]
    assert asks == [("seldom", "Steel Drums")]


def test_chords_with_another_root_are_no_blues() -> None:
    """Twenty-four bars of a jump blues are no choruses where its chords have no place in them."""
    plain = Contract.from_brief("A jump blues in E major over 24 bars with the chord progression E7-A7-B7-E7.")
    assert plain.form == ("12-bar blues",)
    other = Contract.from_brief("A jump blues in E major over 24 bars with the chord progression E-B-C#m-A.")
    assert other.form == ()
    assert other.tempo_bpm == (138.0, 176.0)


def test_a_dark_world_is_no_world_music() -> None:
    """A scene is called a world, too."""
    text = "Enter a dark and brooding world with an Israeli hora in B flat minor for clarinet and accordion."
    assert Contract.from_brief(text).style == "folk"
    assert Contract.from_brief("A world music piece in C major with African drums and flutes.").style == "world"


def test_who_improvise_around_each_other_take_no_turns() -> None:
    """They play at once, and the first of them leads."""
    text = (
        "A dixieland piece for trumpet, clarinet, trombone and tuba in F# minor. The tuba should stomp out the bass "
        "line while the trumpet, clarinet and trombone improvise around each other."
    )
    contract = Contract.from_brief(text)
    assert _role(contract, "Trumpet") == "lead"
    assert not [ask for ask in contract.asks if ask.kind in ("lead", "solo")]


@pytest.mark.parametrize(
    ("brief", "tempo"),
    [
        ("A hardstyle track in C minor. Set the tempo to fast.", (145.0, 156.0)),
        ("A fast tropical house track in C minor.", (116.0, 125.0)),
        ("A fast techno track in C minor.", (138.0, 149.0)),
        ("A fast trance track in C minor.", (142.0, 153.0)),
    ],
)
def test_kinds_of_club_music_are_fast_at_their_own_speed(brief: str, tempo: tuple[float, float]) -> None:
    """Fast is beside the speed of the very kind that is named."""
    assert Contract.from_brief(brief).tempo_bpm == tempo
