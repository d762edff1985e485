"""What briefs say in passing: whose bass it is, how long, how fast, who has the tune, how it sounds."""

from __future__ import annotations

import pytest

from libretto.contract import Contract, receipt
from libretto.house import compose_score


def names(text: str) -> list[str]:
    return [part.name for part in Contract.from_brief(text).parts]


def roles(text: str) -> dict[str, str]:
    return {part.name: part.role for part in Contract.from_brief(text).parts}


def asks(text: str) -> list[str]:
    return [ask.text for ask in Contract.from_brief(text).asks]


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("A rag for solo piano. The left hand strides between low bass notes and chords.", ["Piano"]),
        ("A rag for piano in F. The left hand hops from a deep bass to chords.", ["Piano"]),
        ("A sarabande for solo lute, a noble line over a sparse walking bass.", ["Lute"]),
        ("For unaccompanied cello; the bass line climbs under the tune.", ["Cello"]),
        ("A piece for harp alone with a slow low bass line beneath.", ["Harp"]),
        ("A guitar piece; the thumb keeps a steady bass going.", ["Guitar"]),
        ("For solo guitar, bass and drums in A minor.", ["Guitar", "Bass", "Drums"]),
        ("A blues for solo piano and bass.", ["Piano", "Bass"]),
        ("Jazz with a solo trumpet over a walking bass.", ["Trumpet", "Walking Bass"]),
    ],
)
def test_the_bass_of_who_plays_alone_is_its_own(text: str, players: list[str]) -> None:
    assert names(text) == players


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("For celesta and cello. The celesta should play a music-box tune.", ["Celesta", "Cello"]),
        ("For vibraphone and harp. The vibraphone plays a sad celesta melody.", ["Vibraphone", "Harp"]),
        ("For oboe and guitar. The guitar keeps a harp-style accompaniment.", ["Oboe", "Guitar"]),
        ("For oboe and piano. The piano has a music-box quality.", ["Oboe", "Piano"]),
        ("A song for piano. It has a violin melody on top.", ["Piano", "Violin"]),
        ("For harp and cello. The cello should pluck the waltz bass.", ["Harp", "Cello"]),
    ],
)
def test_what_a_tune_is_called_after_is_nobody_who_plays(text: str, players: list[str]) -> None:
    assert names(text) == players


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("House for synth bass and drum machine. The drum machine builds from a bare kick to full hats and claps.",
         ["Synth Bass", "Drum Machine"]),
        ("For bass and drums: the drums begin with the kick and add hats, shaker and handclaps.", ["Bass", "Drums"]),
        ("A house track with drum machine, claps and synth bass.", ["Drum Machine", "Claps", "Synth Bass"]),
    ],
)  # fmt: skip
def test_what_a_kit_grows_to_is_its_own(text: str, players: list[str]) -> None:
    assert names(text) == players


@pytest.mark.parametrize(
    ("text", "bars"),
    [
        ("A lament over Gm, D, Eb, Bb, Cm, Gm, A7, D, played twice for 16 bars.", 16),
        ("A pavane over Dm, A, Bb, F, played twice, 16 bars in all.", 16),
        ("The loop Am, F, C, G is heard four times, making 16 bars.", 16),
        ("Bb, Gm, Eb, F, twice through for 8 bars.", 8),
        ("A tune with an eight-bar loop played four times.", 32),
        ("An eight-bar progression, four times through.", 32),
        ("A waltz of 16 bars, repeated.", 32),
        ("A waltz of 16 bars, repeated once.", 32),
        ("A waltz, 8 bars, twice.", 16),
        ("A tune with 16 bars, repeated notes in the tune.", 16),
        ("A piece of 40 bars on a repeating seven-note cell.", 40),
        ("A piece of 24 bars over a looping 5 chord cycle.", 24),
    ],
)
def test_what_is_repeated_is_counted_once(text: str, bars: int) -> None:
    assert Contract.from_brief(text).bars == bars


def test_two_repeated_strains_are_aabb_and_the_second_may_lie_higher() -> None:
    text = "A tune for fiddle, two repeated eight-bar strains over 32 bars with the second sitting higher."
    assert Contract.from_brief(text).form == ("A", "A", "B", "B")
    assert asks(text) == ["register: high, melody, B"]
    text = "A tune for flute in two halves, the second climbing a bit lower."
    assert asks(text) == ["register: low, melody, second half"]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("A country waltz in A at an easy tempo for fiddle.", 84, 112),
        ("A waltz at an easy gait for fiddle.", 84, 112),
        ("A cue in 3/4 with a tiptoeing moderate tempo.", 84, 116),
        ("A rag at a not-too-fast march tempo for piano.", 84, 116),
        ("A tango with a firm marching tempo in 4/4.", 100, 120),
        ("A romance at a flowing tempo.", 72, 108),
        ("A tune at a dancing tempo for flute.", 104, 132),
        ("A grave sarabande in slow 3/4 time.", 50, 76),
    ],
)
def test_words_of_gait_are_a_tempo(text: str, low: int, high: int) -> None:
    contract = Contract.from_brief(text)
    assert contract.tempo_bpm is not None
    assert low <= contract.tempo_bpm[0] <= contract.tempo_bpm[1] <= high
    assert not any(ask.kind == "difficulty" for ask in contract.asks)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("For electric guitar, organ and drums: the guitar states an angular riff, the organ shadows it in harmony "
         "before breaking into a solo of its own.", {"Electric Guitar": "lead", "Organ": "counter", "Drums": "drums"}),
        ("For flute and oboe. The oboe announces the theme, the flute trails it.",
         {"Flute": "counter", "Oboe": "lead"}),
        ("For kora and balafon. The kora weaves a rippling ostinato, the balafon replies.",
         {"Kora": "lead", "Balafon": "counter"}),
        ("For trombone, bass guitar and drums. The bass should lead with a deep riff, the trombone should float a "
         "mournful melody.", {"Trombone": "lead", "Bass Guitar": "bass", "Drums": "drums"}),
        ("For celesta and bassoon. The celesta has the tune, the bassoon creeps in with a clumsy countermelody.",
         {"Celesta": "lead", "Bassoon": "counter"}),
        ("For synth pad and flugelhorn. The pad should hold long, shifting chords, the flugelhorn answers.",
         {"Synth Pad": "pad", "Flugelhorn": "lead"}),
        ("For electric piano and synth bass. The electric piano plays stabs and a short hook.",
         {"Electric Piano": "lead", "Synth Bass": "bass"}),
        ("For harp and cello. The harp sings the tune, the cello should pluck a hesitant waltz bass.",
         {"Harp": "lead", "Cello": "bass"}),
    ],
)  # fmt: skip
def test_who_states_the_tune_leads_and_who_shadows_it_does_not(text: str, told: dict[str, str]) -> None:
    assert roles(text) == told


def test_the_guitar_is_no_bass_guitar_and_a_solo_is_nobody_s_harmony() -> None:
    text = "Reggae for electric guitar, bass guitar and drums. The guitar should chop the offbeats."
    assert not any("Bass" in ask for ask in asks(text))
    text = "For guitar, organ and drums. The organ shadows it in harmony before breaking into a solo of its own."
    assert "solo: Organ" in asks(text)


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("For synth pad and muted flugelhorn.", 59),
        ("For harp and a flugelhorn with a harmon mute.", 59),
        ("For piano and trumpet (muted).", 59),
        ("For piano and muted cornet.", 59),
        ("For harp and cello. The cello plucks the bass.", 45),
        ("For harp and pizzicato cello.", 45),
        ("For harp and cello. The cello sings.", 42),
    ],
)
def test_a_mute_and_a_plucked_string_are_heard(text: str, program: int) -> None:
    assert Contract.from_brief(text).parts[1].program == program


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("House for synth bass and drum machine. The drum machine should build from a bare kick to hats and claps.",
         "drums: layers: kick, hats, claps, Drum Machine"),
        ("Techno for synth bass and drums. The drums begin with nothing but the kick, then hats, then the snare.",
         "drums: layers: kick, hats, claps, Drums"),
        ("For synth and drum machine. The beat opens from a lone kick drum and adds claps before the hats.",
         "drums: layers: kick, claps, hats, Drum Machine"),
        ("For piano and drums. The tune stops dead once or twice.",
         "silent: stop, 1 bars before second half + 1 bars before end"),
        ("For harp and cello; the cello plucks a waltz bass that stops short twice.",
         "silent: stop, 1 bars before second half + 1 bars before end"),
        ("For piano and drums. The drums halt once.", "silent: stop, Drums, 1 bars before second half"),
        ("For oboe and guitar. The guitar starts bare.", "only: Guitar, start"),
    ],
)  # fmt: skip
def test_layers_and_stops_are_asked_for(text: str, ask: str) -> None:
    assert [one for one in asks(text) if not one.startswith("dynamics")] == [ask]


@pytest.mark.parametrize(
    ("plain", "more"),
    [
        (
            "House in A minor for electric piano, synth bass and drum machine, 16 bars, Am, F, C, G.",
            "The drum machine builds from a bare kick to full hats and claps.",
        ),
        (
            "A waltz in C minor for celesta, bassoon and cello, 24 bars, Cm, Fm, G7, Cm.",
            "The cello plucks a waltz bass that stops dead once or twice.",
        ),
    ],
)
def test_layers_and_stops_are_done_and_checked(plain: str, more: str) -> None:
    contract = Contract.from_brief(f"{plain} {more}")
    without = compose_score(Contract.from_brief(plain), 0)
    for score, kept in ((compose_score(contract, 0), True), (without, False)):
        told = [one for one in receipt(contract, score).checks if "layers" in one.clause or "stop" in one.clause]
        assert [one.passed for one in told] == [kept]
