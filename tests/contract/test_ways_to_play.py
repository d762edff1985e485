"""Ways to play that are told in passing: stabs of horns, off-beats that are pumped, tremolo, ornaments, two feet."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief


def _asks(text: str) -> set[tuple[str, str, str]]:
    return {(ask.kind, ask.what, ask.who) for ask in read_brief(text).asks}


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("Funk for bass and a horn section. The horns punch out sharp stabs.", ("manner", "stabs", "Trumpet")),
        ("A horo for trumpets and tuba. The tuba should pump the offbeat rhythm.", ("manner", "off-beats", "Tuba")),
        ("Greek folk for bouzouki and guitar. The bouzouki leads with bright, tremolo-laden melodies.",
         ("manner", "tremolo", "Bouzouki")),
        ("Folk for guitar and violin. The guitar has a fingerpicked foundation.", ("manner", "rolls", "Guitar")),
        ("Metal for two distorted guitars and double-kick drums.", ("drums", "double kick", "Drums")),
        ("Metal for guitar, bass and drums with a fast, galloping rhythm.", ("manner", "gallop", "chords")),
        ("A flowing piece with a steady pulse and a bright mandolin in G major.", ("manner", "pulse", "chords")),
        ("Use a trumpet, with a rhythm like pounding hooves and a fast tempo.", ("manner", "gallop", "bass")),
        ("A violin tune at a tempo that's as even as wheels on the rails.", ("manner", "pulse", "bass")),
        ("A chase. Use synths and drums with a pulsing sixteenth-note bass.", ("manner", "sixteenths", "bass")),
        ("A spy theme, using a creeping chromatic motif. Use vibraphone and trumpet.", ("manner", "creep", "")),
        ("Noir for sax, bass and drums with a chromatically descending bass line.", ("manner", "creep", "bass")),
        ("For bassoon and harp. The bassoon should sneak about with a chromatic tiptoe figure.",
         ("manner", "creep", "Bassoon")),
        ("A minuet for harpsichord. The melody should be adorned with trills and small turns.",
         ("density", "ornate", "melody")),
        ("For solo cello and piano. The melody should begin deep in the low register and climb gradually.",
         ("register", "rising", "melody")),
        ("For panpipes, charango and bombo. The bombo keeps a deep, steady pulse.", ("manner", "pulse", "Bombo")),
        ("For cello, accordion and bass drum. The bass drum tolls like guns.", ("manner", "tolls", "Bass Drum")),
        ("For solo duduk, with long phrases and generous pauses between them.", ("density", "pauses", "Duduk")),
        ("Blues for guitar and drums. The guitar plays bluesy bends.", ("articulation", "slides", "Guitar")),
        ("A waltz for mandolin and guitar. The mandolin should tremolo the melody.", ("manner", "tremolo", "Mandolin")),
        ("For trombone and piano. The trombone slides between notes.", ("articulation", "slides", "Trombone")),
        ("Bossa for flute, guitar and upright bass. The upright bass should keep a gentle, steady pulse.",
         ("manner", "steady", "Upright Bass")),
        ("Rock for guitar, bass and drums. The bass provides a solid foundation.", ("manner", "steady", "Bass")),
        ("Jazz for sax, piano and double bass. The double bass anchors the harmony.",
         ("manner", "steady", "Double Bass")),
        ("Dub for bass guitar and melodica. The bass guitar should throb with a steady pulse.",
         ("manner", "pulse", "Bass Guitar")),
        ("Techno for synth lead and synth bass. The synth bass plays a pulsing bassline.",
         ("manner", "pulse", "Synth Bass")),
        ("Soul for piano and bass guitar. The bass guitar should wander melodically between the roots.",
         ("manner", "melodic", "Bass Guitar")),
        ("Rock for guitar, fretless bass and drums. The fretless bass plays nimble, melodic lines.",
         ("manner", "melodic", "Fretless Bass")),
        ("For guitar, bass guitar and drums. The bass guitar should be as busy as a lead instrument.",
         ("manner", "melodic", "Bass Guitar")),
        ("Jungle for pads and sub bass. The sub bass should move at half the speed.",
         ("manner", "sustained", "Sub Bass")),
        ("Pop for guitar, electric bass and drums. The electric bass plays long, low notes.",
         ("manner", "sustained", "Electric Bass")),
        ("Mariachi for trumpet, guitar and guitarrón. The guitarrón should pluck a deep, full bass in octaves.",
         ("manner", "octaves", "Guitarron")),
        ("Swing for guitar and violin. The guitar strums a driving rhythm with quick, virtuosic runs.",
         ("solo", "", "Guitar")),
        ("Rock for electric guitar, organ and drums. The guitar leads with bold, memorable riffs and a soaring solo "
         "section.", ("solo", "", "Electric Guitar")),
        ("For cello alone, with implied harmonies and careful ornamentation.", ("density", "ornate", "melody")),
        ("For flute, zither and gong. The gong should mark the ends of phrases.", ("silent", "", "Gong")),
    ],
)  # fmt: skip
def test_how_somebody_plays(text: str, ask: tuple[str, str, str]) -> None:
    assert ask in _asks(text)


@pytest.mark.parametrize(
    ("text", "kind", "what"),
    [
        (
            "For electric guitar and drums. The guitar glides over the groove where the road bends.",
            "articulation",
            "slides",
        ),
        ("For voice and piano. The piano comps gently and should take a solo in the middle.", "dynamics", "soft"),
        ("Doom for guitar, bass and drums. The guitar plays massive sustained riffs.", "role", "pad"),
        ("For slide guitar and bass. The slide guitar bends its notes.", "articulation", "slides"),  # by nature
        ("Jazz for sax, bass and drums, with off-beat accents in the drums.", "manner", "off-beats"),
        ("For violin and piano, in an ornate baroque hall.", "density", "ornate"),
        ("For ney and santur. The ney has long notes with subtle ornaments.", "density", "ornate"),
        ("For double bass and drums, with a double bass solo.", "drums", "double kick"),
        ("A song of galloping horses for violin and piano.", "manner", "gallop"),
        ("Ambient without a steady pulse, for synth pads and cello.", "manner", "pulse"),
        ("Folk for violin, with a melody like a distant train.", "manner", "pulse"),
        (
            "For fiddle and banjo. The banjo should provide a pattern that recalls the sound of hoofbeats.",
            "manner",
            "gallop",
        ),
        ("For flute, guitar and bass. The flute keeps a gentle, steady pulse.", "manner", "steady"),
        ("For violin and bass. The violin should wander melodically over the hills.", "manner", "melodic"),
        ("Rock for guitar and bass, like a dog that roams between the houses.", "manner", "melodic"),
        ("For trumpet and guitarrón. The guitarrón plucks a full bass in octaves.", "texture", "unison"),
        ("Blues for chromatic harmonica and guitar, with a warm melody.", "manner", "creep"),
        ("For strings, with rich chromatic harmonies and a creeping mist.", "manner", "creep"),
        ("Swing for guitar and violin. The guitar supplies la pompe rhythm with quick runs.", "manner", "sixteenths"),
        ("For violin and piano. The violin has the tune, with virtuosic runs.", "solo", ""),
        ("For fiddle, guitar and bass. The guitar has bass runs and strummed chords.", "register", "rising"),
    ],
)
def test_what_is_no_way_to_play(text: str, kind: str, what: str) -> None:
    assert not [ask for ask in _asks(text) if ask[:2] == (kind, what)]


def test_two_of_a_kind_who_chase_each_other_have_no_turns() -> None:
    for text in ("For two violins and harpsichord, who imitate and chase each other.",):
        assert not [ask for ask in read_brief(text).asks if ask.where.startswith("turns")]


def test_sections_of_a_band_trade() -> None:
    asks = _asks("Swing for a big band. The big band should trade riffs between its sections.")
    assert {("lead", "", "Alto Sax"), ("lead", "", "Trumpet")} <= asks


def test_who_opens_over_a_drone_has_it() -> None:
    text = "For sitar, tabla and tanpura drone. The sitar opens with a slow alap over the drone, then the tabla enters."
    assert ("only", "", "Sitar + Tanpura Drone") in _asks(text)


@pytest.mark.parametrize("rhythm", ["a shuffling rhythm", "a swinging rhythm", "a boogie rhythm"])
def test_a_shuffle_like_a_train_is_a_shuffle(rhythm: str) -> None:
    """Its bass walks on as shuffles do, and repeats no tone on every beat."""
    contract = read_brief(f"A 12-bar blues in A with {rhythm} that imitates the wheels of a train, for piano.")
    assert not any((ask.kind, ask.what) == ("manner", "pulse") for ask in contract.asks)
