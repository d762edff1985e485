"""Who opens, who is kept for a place, who is alone with whom, and who has the last word."""

import pytest

from libretto.contract import Contract

_BAND = "A rock ballad with electric piano, guitar, organ, tenor sax, bass and drums. "


def _asks(words: str, band: str = _BAND) -> set[tuple[str, str, str]]:
    return {(ask.kind, ask.who, ask.where) for ask in Contract.from_brief(band + words).asks}


@pytest.mark.parametrize(
    ("words", "ask"),
    [
        ("Finish quietly on the organ.", ("only", "Organ", "end")),
        ("The sax has the last word.", ("only", "Tenor Sax", "last 2 bars")),
        ("End on a single guitar note.", ("only", "Guitar", "last 1 bars")),
        ("At the end everything falls away to the organ.", ("only", "Organ", "end")),
        ("In the bridge everything drops away to just bass and drums.", ("only", "Bass + Drums", "bridge")),
        ("Break it down to bass and drums in the middle.", ("only", "Bass + Drums", "8 bars in middle")),
        ("The organ plays the bridge alone with the drums.", ("only", "Organ + Drums", "bridge")),
        ("The sax plays the first verse with just the bass underneath.", ("only", "Tenor Sax + Bass", "verse 1")),
        ("Save the sax for the last chorus.", ("enter", "Tenor Sax", "last chorus")),
        ("Hold the drums back until the chorus.", ("enter", "Drums", "chorus")),
        ("The drums only show up in the chorus.", ("silent", "Drums", "outside chorus")),
        ("The drums slam in at the second verse.", ("enter", "Drums", "verse 2")),
        ("The sax waits until the second verse to come in.", ("silent", "Tenor Sax", "until verse 2")),
        ("The guitar plays the riff alone twice before the band kicks in.", ("only", "Guitar", "start")),
        ("The guitar kicks things off before the drums and bass come crashing in.", ("only", "Guitar", "start")),
        ("The drums kick it off, then the bass, then the guitar.", ("enter", "Guitar", "entry 3 of 3")),
        ("The song should build from a single organ to a huge finish.", ("only", "Organ", "start")),
        ("The choir comes in near the end.", ("enter", "Choir", "last quarter")),
        ("The drums go half-time in the bridge.", ("drums", "Drums", "bridge")),
        ("Sax solo after the second chorus, then only the organ plays.", ("only", "Organ", "end")),
    ],
)
def test_what_is_asked(words: str, ask: tuple[str, str, str]) -> None:
    assert ask in _asks(words)


@pytest.mark.parametrize(
    "words",
    [
        "The sax soars and the band ends on a high note.",
        "Keep the bass simple until the chorus.",
        "The sax cries out in the bridge.",
        "It builds from a whisper to a roar.",
        "Everyone shouts the last chorus together before it stops cold.",
    ],
)
def test_what_nobody_asked_for(words: str) -> None:
    assert not {kind for kind, _, _ in _asks(words)} & {"only", "enter", "leave", "silent"}


@pytest.mark.parametrize(
    ("words", "asks"),
    [
        ("He sings first, she answers.", {("texture", "Tenor + Soprano", "")}),
        (
            "She sings the first verse, he sings the second, and they join for the chorus.",
            {("lead", "Soprano", "verse 1"), ("lead", "Tenor", "verse 2"), ("doubling", "Soprano", "chorus")},
        ),
    ],
)
def test_duets(words: str, asks: set[tuple[str, str, str]]) -> None:
    assert asks <= _asks(words, "A musical duet for tenor and soprano with piano. ")


@pytest.mark.parametrize(
    ("brief", "names"),
    [
        ("A rock song with guitar and bass. The guitar takes a solo after the chorus.", ["Guitar", "Bass", "Drums"]),
        ("A rock song, just guitar and bass.", ["Guitar", "Bass"]),
        ("An R&B jam with Rhodes, bass, drums and a soft vocal line.", ["Rhodes", "Bass", "Drums", "Voice"]),
        ("Slow music in which the violin plays a lyrical vocal line over the piano.", ["Violin", "Piano"]),
    ],
)
def test_who_is_there(brief: str, names: list[str]) -> None:
    assert [part.name for part in Contract.from_brief(brief).parts] == names


@pytest.mark.parametrize(
    ("brief", "slow"),
    [
        ("A Broadway ballad for voice and piano.", True),
        ("The Ballad of Black Bart: an outlaw country song with banjo.", False),
        ("An upbeat ballad with guitar.", False),
    ],
)
def test_ballads_are_slow(brief: str, slow: bool) -> None:
    tempo = Contract.from_brief(brief).tempo_bpm
    assert tempo is not None
    assert (tempo[1] <= 84) is slow


def test_an_amen_ends_a_hymn() -> None:
    assert Contract.from_brief("A gospel hymn for organ. End with a slow Amen.").ending == "plagal"
    assert not Contract.from_brief("A gospel hymn for organ and choir. The choir shouts amen in the chorus.").ending
