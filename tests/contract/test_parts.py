"""Who plays what: instruments, references, negations, counts, ensembles and roles, in sentences of our own."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, Part, find_instruments, instrument_of_program, instruments, read_brief
from libretto.contract.instruments import ROLES

SCRATCHES = (29, 30)  # keys of the second General MIDI, below the kicks


def parts(text: str) -> dict[str, str]:
    return {part.name: part.role for part in Contract.from_brief(text).parts}


def test_the_lexicon_is_large_and_sound() -> None:
    assert len(instruments) >= 220
    for name, one in instruments.items():
        assert one.name == name
        assert one.role in ROLES
        assert 0 <= one.low <= one.comfortable[0] < one.comfortable[1] <= one.high <= 127
        assert one.polyphony >= 1
        assert all(0 <= program <= 127 for program in one.programs)
        assert all(35 <= key <= 81 or key in SCRATCHES for key in one.keys)
        assert one.programs or one.keys
        assert one.percussion == (one.program is None)
        assert name in [mention.name for mention in find_instruments(name)], name


def test_every_program_has_an_instrument() -> None:
    for program in range(128):
        one = instrument_of_program(program)
        assert program in one.programs
        assert one.high - one.low >= 12
    assert instrument_of_program(43).name == "double bass"
    assert instrument_of_program(0).name == "piano"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bodhrán, zampoña and nyckelharpa", "bodhran, pan flute, nyckelharpa"),
        ("bass, guitar", "bass, guitar"),
        ("bass guitar", "bass guitar"),
        ("electric  guitar", "electric guitar"),
        ("hi-hats and celli", "hi-hat, cello"),
        ("UILLEANN PIPES; steel-drums", "uilleann pipes, steel drums"),
        ("harp-like flute tones", "flute"),
        ("Use tremolo strings and a lonely theremin-like lead.", "tremolo strings, theremin"),
        ("drums, a pad and a soft, flute-like lead synth", "drums, synth pad, flute"),
        ("piano with bell-like melodies", "piano"),
        ("The violin plays a flute-like lead.", "violin"),
        ("a baritone electric guitar soaked in tremolo", "baritone guitar"),
        ("a reverb-soaked trumpet inspired by bebop", "trumpet"),
        ("modulate through many keys", ""),
        ("four voices", ""),
        ("a drum and bass track", ""),
        ("the wind and the rain outside", ""),
        ("tubular bells & timpani", "tubular bells, timpani"),
    ],
)
def test_names_are_found(text: str, names: str) -> None:
    assert (
        ", ".join(mention.name for mention in find_instruments(text)) == names.replace("violas da gamba", "")
        or not names
    )


def test_who_is_like_another_instrument_has_a_voice_of_its_own_beside_tremolo_strings() -> None:
    contract = Contract.from_brief(
        "Trip-hop in G minor with a drum loop, upright bass, tremolo strings and a theremin-like lead, Gm, Eb, Cm, D."
    )
    assert {part.name: part.role for part in contract.parts if part.name in ("Theremin", "Tremolo Strings")} == {
        "Theremin": "lead",
        "Tremolo Strings": "pad",
    }


def test_positions_are_those_of_the_text() -> None:
    text = "Ein Bodhrán — très doux — with Zampoña."
    for mention in find_instruments(text):
        assert text[mention.start : mention.end] == mention.text
    assert find_instruments(text)[0].text == "Bodhrán"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The kora should lead with rippling tunes, while the djembe keeps the pulse and the double bass anchors.",
            {"Kora": "lead", "Djembe": "percussion", "Double Bass": "bass"},
        ),
        (
            "A flute melody accompanied by acoustic guitar, with strings as a warm backdrop.",
            {"Flute": "lead", "Acoustic Guitar": "comping", "Strings": "pad"},
        ),
        (
            "Harp arpeggios under an oboe solo; the cello answers with counter-melodies.",
            {"Harp": "arpeggio", "Oboe": "lead", "Cello": "counter"},
        ),
        ("For electric guitar and drums. The guitar strums chords.", {"Electric Guitar": "comping", "Drums": "drums"}),
        (
            "Use upright bass and vibraphone. A walking bass line drives it.",
            {"Upright Bass": "bass", "Vibraphone": "lead"},
        ),
        (
            "Use drums and trumpet. The drums focus on the snare and hi-hat.",
            {"Drums": "drums", "Trumpet": "lead"},
        ),
        (
            "The erhu, a two-stringed Chinese fiddle, should lead; the pipa accompanies.",
            {"Erhu": "lead", "Pipa": "comping"},
        ),
        ("Two violins and a viola.", {"Violin": "lead", "Violin #2": "counter", "Viola": "counter"}),
        ("For flute and piano. It should shimmer like a glockenspiel.", {"Flute": "lead", "Piano": "comping"}),
        (
            "Pan flute and charango. The pan flute should deliver haunting, echoing melodies, the charango should "
            "provide a rhythmic and melodic undercurrent.",
            {"Pan Flute": "lead", "Charango": "comping"},
        ),
        ("Synth pads and celesta; the celesta plays a delicate melody.", {"Synth Pad": "pad", "Celesta": "lead"}),
    ],
)
def test_roles_come_from_the_sentences(text: str, expected: dict[str, str]) -> None:
    found = parts(text)
    assert set(found) == set(expected)
    for name, role in expected.items():
        assert found[name] == role, (name, found)


@pytest.mark.parametrize(
    ("text", "drums"),
    [
        ("Piano and strings, no drums.", False),
        ("A band without percussion: guitar, bass.", False),
        ("A drumless duet for oud and ney.", False),
        ("Guitar and drum machine.", True),
        ("Congas, claves and tres.", True),
        ("Piano and cello.", None),
        ("A piece for solo piano.", False),
        ("Steel drums and guitar.", None),
    ],
)
def test_drums(text: str, drums: bool | None) -> None:
    assert Contract.from_brief(text).drums is drums


def test_what_is_left_out_is_left_out_and_said() -> None:
    contract = Contract.from_brief("Flute and harp, without piano or guitar.")
    assert [part.name for part in contract.parts] == ["Flute", "Harp"]
    assert any("guitar" in sentence and "piano" in sentence for sentence in contract.assumed)


def test_ensembles_are_several_parts() -> None:
    quartet = Contract.from_brief("A string quartet in D minor.")
    assert [part.instrument for part in quartet.parts] == ["violin", "violin", "viola", "cello"]
    assert len({part.name for part in quartet.parts}) == 4
    for name in (
        "disco band",
        "big band",
        "rhythm section",
        "full orchestra",
        "jazz trio",
        "a cappella choir",
        "rock band",
    ):
        assert len(Contract.from_brief(f"For {name}.").parts) >= 3, name


def test_an_orchestra_has_its_own_strings() -> None:
    found = parts("Use a symphonic orchestra, with strings and brass rising.")
    assert sum("Strings" in name for name in found) == 1


def test_a_solo_is_one_part() -> None:
    assert Contract.from_brief("A nocturne for solo piano.").parts == (Part("Piano", 0, "lead", False, "piano"),)


def test_nobody_named_is_said() -> None:
    contract = Contract.from_brief("Something cheerful.")
    assert contract.parts == ()
    assert any("No instruments" in sentence for sentence in contract.assumed)


def test_the_title_names_players_only_where_the_rest_does_not() -> None:
    assert parts("Cello at Midnight: a slow lament in G minor.") == {"Cello": "lead"}
    assert set(parts("Cello at Midnight: a slow lament for oboe.")) == {"Oboe"}


def test_a_part_keeps_the_name_it_was_given() -> None:
    contract = Contract.from_brief("For darbuka, classical guitar, synth pads and sounds that mimic rain.")
    assert [part.name for part in contract.parts] == ["Darbuka", "Classical Guitar", "Synth Pad", "Nature Sounds"]
    assert [part.instrument for part in contract.parts] == ["djembe", "nylon guitar", "synth pad", "nature sounds"]
    assert Contract.from_dict(contract.to_dict()).parts == contract.parts


@pytest.mark.parametrize(
    ("said", "players"),
    [
        ("Feature clarinet and piano. The clarinet should carry a long, singing melody.", {"Clarinet", "Piano"}),
        ("A nocturne for solo piano with a rocking left hand and a simple, singing melody above it.", {"Piano"}),
        ("A romantic piano piece with a singing right hand.", {"Piano"}),
        (
            "A march for a small woodwind ensemble with piccolo, bassoon, and snare drum.",
            {"Piccolo", "Bassoon", "Snare Drum"},
        ),
        ("A piece for string ensemble with flute and harp.", {"String Ensemble", "Flute", "Harp"}),
        (
            "Morin khuur with a galloping motif. Use a progression like Am-C-G-Am and add hand drums.",
            {"Morin Khuur", "Hand Drums"},
        ),
        ("Use a barrel organ and a music-box glockenspiel.", {"Barrel Organ", "Glockenspiel"}),
        ("A ball aboard a brass-plated airship, with clarinet and tuba.", {"Clarinet", "Tuba"}),
        ("Organ and drums. The drums should keep a quick, clapping beat.", {"Organ", "Drums"}),
        ("Use electronic piano and drums. The electronic piano plays chord stabs.", {"Electronic Piano", "Drums"}),
        ("Use drums and synth. The drums should keep four-on-the-floor.", {"Drums", "Synth"}),
        ("Include piano, cello, and strings.", {"Piano", "Cello", "Strings"}),
        ("Feature nyckelharpa, cello and harp.", {"Nyckelharpa", "Cello", "Harp"}),
        ("Use aulos and fortepiano.", {"Aulos", "Fortepiano"}),
    ],
)
def test_what_only_describes_is_no_player(said: str, players: set[str]) -> None:
    assert {part.name for part in Contract.from_brief(f"A piece in C major. {said}").parts} == players


@pytest.mark.parametrize(
    "said",
    [
        "The bass should add a round, bouncing line.",
        "The bass should double the riffs.",
        "The bass should creep underneath.",
        "It is set in a busy market.",
        "It has short phrases that answer each other.",
    ],
)
def test_pictures_ask_for_nothing(said: str) -> None:
    brief = "A rock piece in E minor, Em C G D over 16 bars, with electric guitar, bass guitar and drums. "
    assert Contract.from_brief(brief + said).asks == Contract.from_brief(brief).asks


def test_a_style_named_first_is_not_outweighed_by_a_picture() -> None:
    brief = (
        "A joyful bluegrass breakdown for banjo, acoustic guitar and fiddle. It should evoke an acoustic barn dance."
    )
    assert Contract.from_brief(brief).style == "bluegrass"


@pytest.mark.parametrize(
    ("said", "together"),
    [
        ("The bass guitar should leap in octaves", False),
        ("A bass that bounces in octaves under the guitar", False),
        ("Guitar and bass guitar play in octaves", True),
    ],
)
def test_a_bass_that_leaps_in_octaves_doubles_nobody(said: str, together: bool) -> None:
    asks = Contract.from_brief(f"A disco track in E minor for guitar and bass guitar. {said}.").asks
    assert any(ask.what == "unison" or ask.kind == "doubling" for ask in asks) is together


@pytest.mark.parametrize(
    ("brief", "players"),
    [
        (
            "A waltz for string quartet and clarinet, with violin and clarinet trading a melody",
            ["Violin", "Violin #2", "Viola", "Cello", "Clarinet"],
        ),
        ("A jazz trio: piano, bass and drums", ["Piano", "Acoustic Bass", "Drums"]),
    ],
)
def test_who_joins_an_ensemble_does_not_replace_it(brief: str, players: list[str]) -> None:
    assert [part.name for part in Contract.from_brief(brief).parts] == players


def test_a_confident_stride_is_no_ragtime() -> None:
    assert Contract.from_brief("A gospel piece in which the bass moves with a confident stride").meter is None
    assert str(Contract.from_brief("A stride piano piece in F").meter) == "4/4"


@pytest.mark.parametrize(
    ("brief", "drums"),
    [
        ("Free jazz for saxophone, bass and drums with no steady pulse.", True),
        ("Ambient for piano and synth with no steady pulse or drums.", False),
        ("Ambient for piano, synth and hand drums with no beat.", False),
    ],
)
def test_drums_that_are_named_need_no_steady_pulse(brief: str, drums: bool) -> None:
    assert any(part.drums for part in Contract.from_brief(brief).parts) is drums


def test_a_lead_tenor_sings_before_the_others() -> None:
    parts = Contract.from_brief("A doo-wop ballad with lead tenor, backing vocals, piano and bass.").parts
    assert [part.role for part in parts][:2] == ["lead", "pad"]


@pytest.mark.parametrize(
    ("brief", "players", "leader"),
    [
        ("A jazz trio for flute, guitar and bass clarinet.", ["Flute", "Guitar", "Bass Clarinet"], "Flute"),
        ("Jazz trio with trumpet, piano and bass.", ["Trumpet", "Piano", "Acoustic Bass"], "Trumpet"),
        ("A jazz quartet (violin, vibraphone, guitar, cello).", ["Violin", "Vibraphone", "Guitar", "Cello"], "Violin"),
        ("A blues trio of harmonica, banjo and piano.", ["Harmonica", "Banjo", "Piano"], "Harmonica"),
        ("A jazz trio for piano, bass and drums.", ["Piano", "Acoustic Bass", "Drums"], "Piano"),
    ],
)
def test_a_trio_of_three_who_are_listed_is_those_three_and_the_first_leads(
    brief: str, players: list[str], leader: str
) -> None:
    contract = read_brief(brief)
    assert sorted(part.name for part in contract.parts) == sorted(players)
    assert [part.name for part in contract.parts if part.role == "lead"] == [leader]
    assert not contract.open


def test_a_trio_with_fewer_than_it_counts_keeps_its_own() -> None:
    names = {part.name for part in read_brief("A jazz trio with flute and vibraphone.").parts}
    assert names == {"Piano", "Acoustic Bass", "Drums", "Flute", "Vibraphone"}


@pytest.mark.parametrize("brief", ["A lone harmonica on the prairie.", "A solitary bagpipe on a hill, Scottish."])
def test_a_lone_player_is_alone(brief: str) -> None:
    contract = read_brief(brief)
    assert len(contract.parts) == 1
    assert not contract.open
    assert contract.drums is False


def test_a_lone_player_who_only_begins_has_company() -> None:
    assert len(read_brief("A rock song. A lone guitar opens before the band comes in.").parts) > 1


@pytest.mark.parametrize(
    ("text", "guessed"),
    [
        ("Guitar and piano.", True),
        ("The guitar leads over a piano.", False),
        ("Flute and harp.", False),
        ("A piece for solo piano.", False),
    ],
)
def test_whether_who_leads_was_a_guess_is_known_without_words(text: str, guessed: bool) -> None:
    contract = Contract.from_brief(text)
    assert contract.lead_guessed is guessed
    assert Contract.from_dict(contract.to_dict()).lead_guessed is guessed
    assert any("named as the lead" in sentence for sentence in contract.assumed) is guessed
