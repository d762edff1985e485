"""Every phrase of a brief is heard, or given back word for word: sentences of our own, one thing each."""

from __future__ import annotations

import pytest

from libretto.contract import Contract
from libretto.contract.brief import understand
from libretto.contract.places import find_places
from libretto.contract.scales import find_scales, scales
from libretto.contract.stretches import bars_of_place
from libretto.score import Score, Voice


def asks(text: str) -> set[str]:
    return {ask.text for ask in Contract.from_brief(text).asks}


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("Pop song, and lift it up a half step for the last chorus.", "key change: +1, last chorus"),
        ("There is a key change before the final chorus.", "key change: +2, from last chorus"),
        ("In C major. It goes to the relative minor in the bridge.", "key change: A minor, bridge"),
        ("A minuet in G major; the middle section is in E minor.", "key change: E minor, middle"),
        ("Rock in 4/4 with the bridge in 7/8.", "meter change: 7/8, bridge"),
        ("At 120 bpm, but 80 bpm in the intro.", "tempo change: 80, intro"),
        ("100 bpm, half speed in the breakdown.", "tempo change: 50, break"),
        ("A 6-bar intro for guitar.", "section bars: 6, intro"),
        ("The clarinet takes a solo in the second verse.", "solo: Clarinet, verse 2"),
        ("In the bridge, a solo for the trombone. Trombone and piano.", "solo: Trombone, bridge"),
        ("Piano and flute; the piano has the tune in the chorus.", "lead: Piano, chorus"),
        ("Bass and guitar, the bass comes in at bar 9.", "enter: Bass, bar 9"),
        ("Guitar and drums. Drums drop out in the second half.", "leave: Drums, second half"),
        ("Piano and drums, no drums in the verse.", "silent: Drums, verse"),
        ("It opens with only a harp; later strings.", "only: Harp, start"),
        ("Quiet verses for voice and guitar.", "dynamics: soft, verse"),
        ("Strings that grow louder and louder.", "dynamics: growing"),
        ("A duo for oboe and viola in canon.", "texture: canon"),
        ("Organ over a constant drone.", "texture: pedal, Organ"),
        ("Piano, nothing too difficult.", "difficulty: intermediate"),
        ("Right hand in five-finger position on G, piano.", "range: G4-D5, melody"),
        ("For small hands: piano, no stretches over a sixth.", "range: span 9"),
        ("A motet for three voices.", "voices: 3"),
        ("Folk song on guitar without flute.", "without: flute"),
        ("Jazz trio with brushes.", "drums: brushes, Drums"),
        ("Guitar tune, played behind the beat.", "feel: laid back"),
        ("Sax and drums. The drums keep a laid-back groove.", "feel: laid back, Drums"),
        ("Piano and bass. The bass plays a syncopated line.", "feel: syncopated, Bass"),
        ("Not much going on, just a harp.", "density: sparse"),
        ("The cello stays low. Cello and violin.", "register: low, Cello"),
        ("Flute over a walking bass.", "role: walking, Walking Bass"),
    ],
)
def test_asks(text: str, ask: str) -> None:
    assert ask in asks(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A track for sax with the laid-back atmosphere of the city.", "feel"),
        ("An R&B instrumental in Eb major with a slow tempo.", "tempo change"),
        ("Guitar and harmonica; the harmonica adds a layer to the melody.", "role"),
        ("Melodica and bass. The melodica sings a plaintive, echoing melody.", "role"),
        ("Violin and harpsichord. The harpsichord answers it in imitation.", "texture"),
        ("Piano. The easy mood of a late ride home.", "difficulty"),
        ("Pop in G. The melody is bouncy and easy to remember.", "difficulty"),
        ("Pop in G. The chorus is simple enough to sing along to after one listen.", "difficulty"),
    ],
)
def test_what_is_no_ask(text: str, kind: str) -> None:
    assert not [ask for ask in asks(text) if ask.startswith(kind)]


def test_what_is_said_of_an_unnamed_lead_is_not_said_of_the_bass() -> None:
    text = "Techno for synth bass and drums. The bass should pulse, the lead should introduce a motif."
    assert {part.name: part.role for part in Contract.from_brief(text).parts}["Synth Bass"] == "bass"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("verse chorus verse chorus bridge chorus", "verse chorus verse chorus bridge chorus"),
        ("AABA AABA", "A A B A A A B A"),
        ("Riff, bridge, breakdown, riff.", "riff bridge breakdown riff"),
        ("intro, verse twice, chorus", "intro verse verse chorus"),
        ("powerful riffs and solos", ""),
        ("a sax solo in the bridge", ""),
    ],
)
def test_forms(text: str, form: str) -> None:
    assert " ".join(Contract.from_brief(text).form) == form


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A warm pad and a violin.", ["Warm Pad", "Violin"]),
        ("Begin piano. For string orchestra.", ["String Orchestra"]),
        ("The bass notes of the harp ring on.", ["Harp"]),
        ("Bagpipes with their drone.", ["Bagpipes"]),
        ("Jazz ballad with brushes, saxophone.", ["Brushes", "Saxophone", "Piano", "Acoustic Bass"]),
        ("A jazz ballad for saxophone.", ["Saxophone"]),
        ("Jazz, solo saxophone.", ["Saxophone"]),
        ("A jazz quartet: trumpet, piano, double bass and drums.", ["Piano", "Double Bass", "Drums", "Trumpet"]),
        ("A jazz quartet in which the piano solos.", ["Tenor Sax", "Piano", "Acoustic Bass", "Drums"]),
    ],
)
def test_who_plays(text: str, names: list[str]) -> None:
    assert [part.name for part in Contract.from_brief(text).parts] == names


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("A waltz that smells of wet dogs.", "smells of wet dogs"),
        ("Piano, recorded on an old cassette.", "recorded on an old cassette"),
        ("Techno, no melody.", "no melody"),
        ("For piano, nothing gloomy.", "nothing gloomy"),
    ],
)
def test_what_is_not_understood_is_given_back(text: str, phrase: str) -> None:
    contract = Contract.from_brief(text)
    assert phrase in contract.unread
    assert contract.heard


def test_nothing_understood() -> None:
    assert Contract.from_brief("Like the attic of my aunt, you know.").understood_nothing
    assert not Contract.from_brief("A waltz.").understood_nothing


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Fast, piano, very slow.", "'Fast' and 'very slow' contradict"),
        ("Flute in C major and F# minor.", "both named as the key"),
        ("A harp piece in lydian.", "F lydian is taken"),
        ("Oud in maqam bayati on D.", "neutral second"),
        ("A jig for fiddle.", "dotted quarters"),
        ("A hymn for organ.", "16 bars"),
    ],
)
def test_what_is_assumed_is_said(text: str, words: str) -> None:
    assert any(words in sentence for sentence in Contract.from_brief(text).assumed)


@pytest.mark.parametrize(
    ("text", "title", "dedication"),
    [
        ("Call it Salt and Tar. A shanty.", "Salt and Tar", ""),
        ('A waltz titled "The Long Way Home" for my son Jonas.', "The Long Way Home", "Jonas"),
        ("A lullaby for Ida.", "", "Ida"),
        ("Piano piece dedicated to Mrs Wren.", "", "Mrs Wren"),
        ("A nocturne for Piano.", "", ""),
        ("Bossa nova: guitar and flute.", "", ""),
    ],
)
def test_names(text: str, title: str, dedication: str) -> None:
    contract = Contract.from_brief(text)
    assert (contract.title, contract.dedication) == (title, dedication)


def test_heard_words_stand_where_they_say() -> None:
    text = "A slow tango in D minor, violin leads, drums out in the last chorus, soft ending, with a smell of rain"
    brief = understand(text)
    assert {"tempo", "style", "key", "lead", "leave", "ending"} <= {one.kind for one in brief.heard}
    for one in brief.heard:
        assert one.words in text[one.start : one.end]
    assert brief.unread == ("with a smell of rain",)


def test_scales_have_a_tonic_and_steps() -> None:
    assert all(scale.semitones[0] == 0 for scale in scales().values())
    assert [(one.scale.name, one.tonic) for one in find_scales("A blues scale tune in E blues scale, Hijaz on D")] == [
        ("blues", None),
        ("blues", 4),
        ("hijaz", 2),
    ]
    contract = Contract.from_brief("Guitar in E minor pentatonic.")
    assert (str(contract.key), contract.scale) == ("E minor", "minor pentatonic")


def test_before_is_the_section_that_leads_there() -> None:
    sections = ((0, "Verse"), (4 * 4 * 40320, "Bridge"), (8 * 4 * 40320, "Chorus"))
    piece = Score.build([Voice.of("Flute", (), 73)], bars=12, sections=sections)
    assert bars_of_place("before chorus", piece) == ((5, 8),)
    assert [place.value for place in find_places("on the second A, at first")] == ["A 2", "start"]


@pytest.mark.parametrize(
    ("brief", "key", "scale"),
    [
        ("A contemplative Mongolian piece built on an A pentatonic scale.", "A minor", "minor pentatonic"),
        ("A Chinese lament for erhu in D pentatonic.", "D minor", "minor pentatonic"),
        ("A joyful Mongolian dance in A pentatonic.", "A major", "major pentatonic"),
        ("A Chinese garden in D pentatonic for guzheng.", "D major", "major pentatonic"),
        ("A bluesy tune in G major on a pentatonic scale.", "G major", "major pentatonic"),
    ],
)
def test_a_pentatonic_without_a_mode_is_minor_where_its_music_mostly_is(brief: str, key: str, scale: str) -> None:
    contract = Contract.from_brief(brief)
    assert (str(contract.key), contract.scale) == (key, scale)
