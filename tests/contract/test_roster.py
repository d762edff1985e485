"""The list of players that a brief asks for, and what after it adds nobody."""

import pytest

from libretto.contract import Contract


def _players(brief: str) -> list[str]:
    return [part.name for part in Contract.from_brief(brief).parts]


@pytest.mark.parametrize(
    ("brief", "players"),
    [
        (
            "Industrial rock, 24 bars. Use distorted guitar, synth bass, synthesizer and drums. The synthesizer plays "
            "a cold line.",
            ["Distorted Guitar", "Synth Bass", "Synthesizer", "Drums"],
        ),
        (
            "Trance, 32 bars. Use a synth lead, supersaw synth, synth bass and electronic drums.",
            ["Synth Lead", "Supersaw Synth", "Synth Bass", "Electronic Drums"],
        ),
        ("A Shona piece for mbira, second mbira, shaker and voice.", ["Mbira", "Mbira #2", "Shaker", "Voice"]),
        ("A theme: whistle, twangy electric guitar and trumpet, 24 bars.", ["Whistle", "Electric Guitar", "Trumpet"]),
        ("For brass band: cornet, tenor horn, euphonium and tuba.", ["Cornet", "Tenor Horn", "Euphonium", "Tuba"]),
        ("A choro for flute, mandolin and seven-string guitar.", ["Flute", "Mandolin", "Seven-String Guitar"]),
    ],
)
def test_everybody_of_a_list_plays(brief: str, players: list[str]) -> None:
    assert _players(brief) == players


@pytest.mark.parametrize(
    ("brief", "players"),
    [
        (
            "A samba for flute, violin, guitar and bass, 16 bars. The violin sweeps high in answer.",
            ["Flute", "Violin", "Guitar", "Bass"],
        ),
        ("A rag for clarinet, piano and tuba. The piano stomps an oom-pah.", ["Clarinet", "Piano", "Tuba"]),
        (
            "Grunge for electric guitar, bass and drums. The verses stay quiet with a muted guitar figure.",
            ["Electric Guitar", "Bass", "Drums"],
        ),
        (
            "Swing for trumpet, trombone, piano, double bass and drums. The drums kick the band into a shout chorus.",
            ["Trumpet", "Trombone", "Piano", "Double Bass", "Drums"],
        ),
        (
            "Power metal. Feature electric guitar, bass guitar, drums and strings. The electric guitar should play "
            "soaring leads and driving riffs.",
            ["Electric Guitar", "Bass Guitar", "Drums", "Strings"],
        ),
        (
            "A cocek for clarinet, trumpet, tuba and drums. The tuba pumps basslines and the drums rattle along.",
            ["Clarinet", "Trumpet", "Tuba", "Drums"],
        ),
        (
            "A waltz for accordion, fiddle and guitar. The fiddle plays second voice in thirds.",
            ["Accordion", "Fiddle", "Guitar"],
        ),
        (
            "Bebop for muted trumpet, alto saxophone, piano, bass and drums. Alto and trumpet interweave.",
            ["Muted Trumpet", "Alto Saxophone", "Piano", "Bass", "Drums"],
        ),
        (
            "A serenade for orchestra in D major: violins, flute, horn and cello, 24 bars.",
            ["Violin", "Flute", "Horn", "Cello"],
        ),
        ("A monk sweeps the first snow. For koto and shakuhachi.", ["Koto", "Shakuhachi"]),
    ],
)
def test_what_they_do_adds_nobody(brief: str, players: list[str]) -> None:
    assert _players(brief) == players


def test_somebody_who_comes_later_is_somebody_new() -> None:
    joined = "Post-rock for electric guitar, bass and drums. An acoustic guitar enters in the bridge."
    assert _players(joined)[-1] == "Acoustic Guitar"
    assert "Rain Sounds" in _players("Use cello and piano. Add soft rain sounds.")


def test_percussion_that_uses_something_is_one_player() -> None:
    brief = (
        "Bossa for guitar, flute, double bass and soft percussion. The percussion whispers with shaker and rim clicks."
    )
    assert _players(brief)[3:] == ["Percussion"]
    quartet = "A minuet for string quartet. The cello should give a clear and courtly bass line."
    assert len(_players(quartet)) == 4


def test_lengths_of_parts_are_not_the_length() -> None:
    assert Contract.from_brief("A jig with each part lasting 8 bars for a total of 16 bars.").bars == 16
    assert Contract.from_brief("A minuet in G. The piece should last 24 bars.").bars == 24
    assert str(Contract.from_brief("A raga centered on the note D, for sitar.").key) == "D major"
    assert Contract.from_brief("A cue in C minor that ends without a full sense of resolution.").ending == "open"


def test_rhythm_guitars_are_second_guitars_and_drums_have_no_height() -> None:
    surf = (
        "An instrumental surf piece in E minor with a very fast tempo, for lead electric guitar, rhythm electric "
        "guitar, bass and drums."
    )
    assert len(_players(surf)) == 4
    assert not Contract.from_brief(surf).asks
    cumbia = "A cumbia for accordion, flute, bass, guacharaca and tambora drums. The tambora drums add deep accents."
    assert not any(ask.kind == "register" for ask in Contract.from_brief(cumbia).asks)


def test_a_key_that_one_returns_from_stands_in_the_middle() -> None:
    brief = "An invention in B-flat major. It travels through the relative minor before returning home."
    changes = [ask.where for ask in Contract.from_brief(brief).asks if ask.kind == "key_change"]
    assert changes == ["middle"]
    assert Contract.from_brief("A shop theme in F major, 16 bars, looping seamlessly.").ending == "open"


@pytest.mark.parametrize(
    ("brief", "names", "asks"),
    [
        (
            "Sixteen bars of riffing, then an 8-bar guitar solo. Use two distorted electric guitars and drums.",
            ["Distorted Guitar", "Distorted Guitar #2", "Drums"],
            [],
        ),
        ("A sax solo in the middle. Use tenor sax, trumpet and piano.", ["Tenor Sax", "Trumpet", "Piano"], ["solo"]),
        ("Open with a sax intro. Use alto saxophone and piano.", ["Alto Saxophone", "Piano"], ["only"]),
        ("The drums begin. Use taiko drums, shakuhachi and koto.", ["Taiko Drums", "Shakuhachi", "Koto"], ["only"]),
        ("Whistling, guitar and a bell. Begin with just the whistle.", ["Whistling", "Guitar", "Bells"], ["only"]),
        ("Use a guitar and a piano. Add a slide guitar later.", ["Guitar", "Piano", "Slide Guitar"], []),
        ("Whistling, tin whistle and guitar.", ["Whistling", "Tin Whistle", "Guitar"], []),
    ],
)
def test_a_name_before_the_list_is_the_fuller_one_of_it(brief: str, names: list[str], asks: list[str]) -> None:
    contract = Contract.from_brief(brief)
    assert [part.name for part in contract.parts] == names
    assert set(asks) <= {ask.kind for ask in contract.asks}
