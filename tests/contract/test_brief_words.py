"""Phrasings of our own, one thing each: what must be read, and the traps that must not be."""

from __future__ import annotations

import pytest

from libretto.contract import Contract


def read(text: str) -> Contract:
    return Contract.from_brief(text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("A piece in the key of F-sharp minor for harp.", "F# minor"),
        ("Write something in A minor with a steady pulse.", "A minor"),
        ("Let it sing in E♭ major.", "Eb major"),
        ("A reel in D dorian.", "D dorian"),
        ("The key should be C minor, and the mood grey.", "C minor"),
        ("Something in B flat major, please.", "Bb major"),
        ("Set in C♯ minor.", "C# minor"),
        ("A polka in G for accordion.", "G major"),
        ("Key: Dm. Piano.", "D minor"),
        ("in f# minor, for oboe", "F# minor"),
        ("In a minor, for viola.", "A minor"),
        ("A minor waltz for two clarinets.", "A minor"),
        ("Moving from C minor to C major, for brass quintet.", "C minor"),
        ("G-sharp major is asked for.", "Ab major"),
        ("Write it in A harmonic minor.", "A minor"),
        ("A jig in E mixolydian.", "E mixolydian"),
        ("Based on the Hijaz scale in D.", "D phrygian"),
        ("A chant in the Dorian mode on D.", "D dorian"),
        ("Make the tonality of D-flat major glow.", "Db major"),
        ("A hymn that begins in F major before modulating to D minor.", "F major"),
    ],
)
def test_keys(text: str, key: str) -> None:
    assert str(read(text).key) == key


@pytest.mark.parametrize(
    "text",
    [
        "It hurts in a minor way.",
        "A major undertaking for flute.",
        "A minor inconvenience, set to music.",
        "Plan B for a string trio.",
        "A song about vitamin C and the letter E.",
        "In A world of glass, the harp plays.",
        "Dad and Ed had a bad cab ride; a cello tells of it.",
    ],
)
def test_what_is_no_key(text: str) -> None:
    assert read(text).key is None
    assert read(text).chords == ()


@pytest.mark.parametrize(
    ("text", "chords"),
    [
        ("Loop Am7-Dm7-G7-Cmaj7 for an hour.", "Am7 Dm7 G7 Cmaj7"),
        ("The chord progression should be Em, C, G, D, spanning 24 bars.", "Em C G D"),
        ("Chords: F#m | D | A | E", "F#m D A E"),
        ("Use C Am Dm G over 16 bars.", "C Am Dm G"),
        ("A progression of Cm–Ab–Eb–Bb under the tune.", "Cm Ab Eb Bb"),
        ("The changes are Bbmaj7, Gm7, Cm7 and F7.", "Bbmaj7 Gm7 Cm7 F7"),
        ("a ii-V-I in F major", "Gm C F"),
        ("I–vi–IV–V in D major, please", "D Bm G A"),
        ("i - VI - III - VII in A minor", "Am F C G"),
        ("ii7 V7 Imaj7 in Bb major", "Cm7 F7 Bbmaj7"),
        ("V7/ii ii V7 I in C major", "A7 Dm G7 C"),
        ("bVII-IV-I in G major", "F C G"),
        ("i iv V7 i in E minor", "Em Am B7 Em"),
        ("vii°-i in a progression in D minor", "C#dim Dm"),
        ("slash chords: C/E, F, G/B, C", "C/E F G/B C"),
        ("It vamps between Dm7 and G7.", "Dm7 G7"),
        ("A C-G-Am loop for ukulele.", "C G Am"),
        ("the progression D minor, G minor, A major and D minor", "Dm Gm A Dm"),
        ("chords E-flat, B-flat, C minor", "Eb Bb Cm"),
        ("a two-five-one in C major", "Dm G C"),
        ("a 1-5-6-4 progression in E major", "E B C#m A"),
        ("over an Andalusian cadence in E minor", "Em D C B"),
        ("the standard I-IV-V progression (E7-A7-B7) in E", "E7 A7 B7"),
        ("verse and chorus on G-D-Em-C and C-G-D-G", "G D Em C"),
        ("C → Am → F → G, round and round", "C Am F G"),
        ("Dm7b5, G7(b9), Cm6 for a late-night tune", "Dm7b5 G7(b9) Cm6"),
    ],
)
def test_progressions(text: str, chords: str) -> None:
    assert " ".join(read(text).chords) == chords


@pytest.mark.parametrize(
    "text",
    [
        "A march for the veterans of World War I and II.",
        "In three movements: I, II and III.",
        "A rondo in A-B-A-C-A form for bassoon.",
        "I know I am I, said the flute.",
        "A bassoon and A clarinet.",
        "Give it a B side feel, grade A.",
    ],
)
def test_what_is_no_progression(text: str) -> None:
    assert read(text).chords == ()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("A loop of Gm-Eb-Bb-F.", "G minor"),
        ("A loop of Dm7-G7-Cmaj7.", "C major"),
        ("Chords: Am, G, F, E7.", "A minor"),
        ("a ii-V-I for piano", "C major"),
        ("i-VI-III-VII for strings", "A minor"),
    ],
)
def test_a_key_worked_out_is_said_to_be_assumed(text: str, key: str) -> None:
    contract = read(text)
    assert str(contract.key) == key
    assert any(key in sentence for sentence in contract.assumed)


@pytest.mark.parametrize(
    ("text", "bars"),
    [
        ("over 16 bars", 16),
        ("a 32-bar song", 32),
        ("spanning 24 measures", 24),
        ("exactly eight bars of music", 8),
        ("thirty-two bars, no more", 32),
        ("one hundred and twenty bars", 120),
        ("a slow 12-bar blues", 24),
        ("a blues on a 12-bar progression", 24),
        ("a 12-bar blues over 36 bars", 36),
        ("a 12-bar blues, three choruses", 36),
        ("a four-bar progression repeated eight times", 32),
        ("an 8-bar intro, a 16-bar verse and an 8-bar outro", 32),
        ("a 4-bar intro; 40 bars in total", 40),
        ("Bars: 20", 20),
        ("16 to 24 bars", 24),
        ("a simple 16-bar melody", 16),
        ("every 4 bars the drums fill", None),
        ("the first eight bars are quiet", None),
        ("a two-bar riff", None),
        ("bars 9-16 are loud", None),
        ("in bars and pubs all night", None),
        ("8-bit sounds", None),
    ],
)
def test_bars(text: str, bars: int | None) -> None:
    assert read(f"A tune for piano, {text}.").bars == bars


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("at 120 BPM", 120, 120),
        ("between 90 and 100 bpm", 90, 100),
        ("around 96 bpm", 91, 101),
        ("tempo: 72", 72, 72),
        ("with a largo tempo", 42, 60),
        ("a moderately fast tempo", 112, 132),
        ("a slow to moderate tempo", 56, 116),
        ("allegro, but with fast runs", 120, 156),
        ("a brisk tempo and a slow fade", 116, 144),
        ("not too fast", 88, 116),
        ("The tempo should be very slow, with quick arpeggios", 44, 60),
    ],
)
def test_tempo(text: str, low: float, high: float) -> None:
    assert read(f"A tune for piano, {text}.").tempo_bpm == (low, high)


@pytest.mark.parametrize(
    ("text", "meter"),
    [
        ("in 3/4", "3/4"),
        ("in waltz time", "3/4"),
        ("a waltz", "3/4"),
        ("a 6/8 sway", "6/8"),
        ("in five", "5/4"),
        ("in cut time", "2/2"),
        ("in common time", "4/4"),
        ("a jig", "6/8"),
        ("in 7/8", "7/8"),
        ("with C6/9 chords", "None"),
        ("in three parts", "None"),
        ("in five minutes", "None"),
    ],
)
def test_meter(text: str, meter: str) -> None:
    assert str(read(f"A tune for piano, {text}.").meter) == meter


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("AABA", "A A B A"),
        ("in A-B-A form", "A B A"),
        ("verse-chorus-bridge", "verse chorus bridge"),
        ("ternary form", "A B A"),
        ("a rondo", "A B A C A"),
        ("intro, verse, chorus, outro", "intro verse chorus outro"),
        ("an intro, two verses and a chorus", "intro verse verse chorus"),
        ("a 12-bar blues", "12-bar blues"),
        ("for a guitar trio with chorus pedal", ""),
        ("under the bridge", ""),
    ],
)
def test_form(text: str, form: str) -> None:
    assert " ".join(read(f"Something for piano, {text}.").form) == form


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("It fades out.", "fade"),
        ("It ends with a ritardando.", "ritard"),
        ("End abruptly.", "abrupt"),
        ("A Picardy third closes it.", "picardy"),
        ("The final chord is held.", "held"),
        ("It ends.", ""),
    ],
)
def test_ending(text: str, ending: str) -> None:
    assert read(f"A prelude for lute. {text}").ending == ending


@pytest.mark.parametrize(
    ("text", "genre", "style"),
    [
        ("A bossa nova for guitar", "latin", "bossa"),
        ("A bebop tune", "jazz", "bebop"),
        ("A chiptune level theme", "electronic_dance", "chiptune"),
        ("A lo-fi hip hop beat", "hiphop_rap", "lofi"),
        ("An Argentine tango", "latin", "tango"),
        ("A roots reggae groove", "reggae_ska", "reggae"),
        ("A thrash metal assault", "metal", "metal"),
        ("An R&B slow jam", "funk_soul_rnb", "rnb"),
        ("A Motown soul song", "funk_soul_rnb", "soul"),
        ("A delta blues", "blues_gospel", "blues"),
        ("A baroque fugue", "classical", "baroque"),
        ("A film score for a chase", "film_tv", "cinematic"),
        ("A bluegrass breakdown", "folk_country", "bluegrass"),
        ("An indie rock song", "pop_rock", "rock"),
        ("A synthwave drive", "electronic_dance", "synthwave"),
        ("A lullaby with French horn", "classical", "lullaby"),
        ("Music", "", ""),
    ],
)
def test_genre_and_style(text: str, genre: str, style: str) -> None:
    contract = read(text)
    assert (contract.genre, contract.style) == (genre, style)


def test_moods_lean() -> None:
    calm = read("A calm, sparse and soft piece for piano, low register.")
    assert calm.dynamics < -0.3
    assert calm.density < -0.3
    assert calm.register < -0.1
    wild = read("A furious, aggressive, dense and loud piece for piano.")
    assert wild.dynamics > 0.5
    assert wild.density > 0.5
    assert read("A happy, sunny tune.").brightness > 0.4 > read("A dark, ominous tune.").brightness
    assert read("A happy, sunny tune.").mood == ("happy", "sunny")
