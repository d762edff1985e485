"""Lengths, forms and tempi that a brief tells in passing."""

import pytest

from libretto import Contract
from libretto.house.compose.planning import make_plan


@pytest.mark.parametrize(
    ("words", "bars"),
    [
        ("A slow 12-bar blues in E. Play through the 12 bars twice, the second time louder.", 24),
        ("A 12-bar blues in A for guitar. Repeat the 12-bar form three times.", 36),
        ("An 8-bar blues in C, go around the form four times.", 32),
        ("A pop song of 16 bars. The chord progression C-G-Am-F is played four times.", 16),
        ("The progression C-G-Am-F over 8 bars, played twice.", 16),
        ("A piece for harp in three parts, each 8 bars long.", 24),
        ("A minuet in G in two 8-bar halves, each repeated.", 32),
        ("First 8 bars quiet piano, next 8 bars add strings, last 8 bars full orchestra.", 24),
        ("Soft in the first 4 bars and loud in the last 4 bars.", None),
        ("A march with a 4-bar introduction, two 16-bar strains and a 16-bar trio.", 52),
        ("A song in ABA form, each section eight bars.", 24),
        ("Two verses of 8 bars each and a chorus.", None),
        ("A lullaby for harp, eight bars repeated with a small variation.", 16),
        ("A waltz, 48 bars: 16 bars in G major, 16 bars in E minor, and 16 bars back in G major.", 48),
        ("Intro (4 bars), A part (16 bars), B part in E flat (16 bars), and repeat of A.", 52),
        ("Two strains of 16 bars each, the first one repeated at the end.", 48),
        ("Begin with four bars of ticking hi-hats alone, then bring in the brass.", None),
        ("No pulse at first; after about eight bars a gentle beat emerges.", None),
        ("Open with a free oud solo, then a groove for 24 bars, and finish with a faster 8-bar section.", 40),
        ("A 4-bar intro, 8-bar verse, 8-bar chorus, repeat verse and chorus, and end with a 4-bar outro.", 40),
    ],
)
def test_bars_are_reckoned(words: str, bars: int | None) -> None:
    assert Contract.from_brief(words).bars == bars


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("A shanty with three verses and a rousing chorus after each.", "verse chorus verse chorus verse chorus"),
        (
            "A song with two verses, a chorus after each, and a bridge before the final chorus.",
            "verse chorus verse chorus bridge chorus",
        ),
        ("A pop song in verse-chorus form.", "verse chorus verse chorus"),
        ("Intro, verse, chorus, guitar solo, chorus, outro.", "intro verse chorus solo chorus outro"),
        ("An intro, two verses, two choruses and an outro.", "intro verse chorus verse chorus outro"),
        ("An intro, two verses and a chorus.", "intro verse verse chorus"),
    ],
)
def test_forms_of_songs(words: str, form: str) -> None:
    assert " ".join(Contract.from_brief(words).form) == form


def test_a_form_of_no_told_length_is_played_from_a_chart() -> None:
    words = "A country song in G for guitar, fiddle, bass and drums: verse, chorus, verse, chorus, bridge, chorus."
    plan = make_plan(Contract.from_brief(words), 0)
    assert plan.chart is not None
    assert [section.kind for section in plan.sections][:2] == ["verse", "chorus"]


@pytest.mark.parametrize(
    ("words", "what", "where"),
    [
        ("Start slowly and reverently, then build to a joyful, hand-clapping finish.", "to x1.82", ""),
        ("It should begin slowly and break into a fast allegro.", "x0.45", "first quarter"),
        ("It begins at a slow crawl and kicks into a fast shuffle halfway through.", "x0.45", "until second half"),
        ("The tempo starts at 80 BPM and gradually accelerates to 140 BPM.", "to x1.75", ""),
        ("It starts at 70 BPM, then jumps to 150 BPM when the fight begins.", "150", "second half"),
        ("It begins fast and furious and ends slowly.", "x0.45", "last quarter"),
        ("At 60 BPM, finishing with a fast dance.", "x2.00", "last quarter"),
    ],
)
def test_tempi_that_a_piece_passes_through(words: str, what: str, where: str) -> None:
    changes = [(ask.what, ask.where) for ask in Contract.from_brief(words).asks if ask.kind == "tempo_change"]
    assert changes == [(what, where)]


def test_slow_words_beside_fast_ones_are_no_journey() -> None:
    for words in ("It begins slowly, with lively runs of the flute.", "A slow piece with a joyful heart."):
        assert not any(ask.kind == "tempo_change" for ask in Contract.from_brief(words).asks)


@pytest.mark.parametrize(
    ("words", "chords"),
    [
        ("A folk jam built on a simple A-D progression.", ("A", "D")),
        ("The song moves back and forth from Am to F.", ("Am", "F")),
        ("Each chord lasts two bars: Dm, Bb, F, C.", ("Dm", "Dm", "Bb", "Bb", "F", "F", "C", "C")),
        ("In A-B form.", ()),
        ("Built around a Dmaj9 chord that slowly shifts to Gmaj7 and back.", ("Dmaj9", "Gmaj7")),
        ("The verses sit on E and A.", ("E", "A")),
        ("One chord throughout (Am).", ("Am", "Am")),
        ("End on a plagal cadence, Bb-F.", ()),
        ("Chug on E for two bars, then A for two and B for one.", ("E", "E", "A", "A", "B")),
        ("Verse on G-D-Em-C; the bridge goes to E flat: Ebmaj7-Ab7-Bb-G7.", ("G", "D", "Em", "C")),
    ],
)
def test_chords_told_in_passing(words: str, chords: tuple[str, ...]) -> None:
    assert Contract.from_brief(words).chords == chords


@pytest.mark.parametrize(
    ("words", "key"),
    [("A song that alternates between A and D.", "A major"), ("A vamp on G7 and C.", "C major")],
)
def test_two_chords_are_at_home_on_the_first(words: str, key: str) -> None:
    assert str(Contract.from_brief(words).key) == key


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("Swing in C: C Am | Dm G7 | Em A7 | Dm G7.", ("C", "Am")),
        ("A jazz tune in F over I-vi-ii-V, two chords per bar.", ("F", "Dm")),
        ("A pop song in C: C | Am | F | G.", ("C",)),
    ],
)
def test_two_chords_a_bar(words: str, wanted: tuple[str, ...]) -> None:
    assert make_plan(Contract.from_brief(words), 0).chords[0] == wanted


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("Piano in the first verse and modulate up a whole step for the last chorus.", ("+2", "last chorus")),
        ("In B minor. The last chorus lifts a half step.", ("+1", "last chorus")),
        ("In 6/8 with a key change up a half step for the final chorus.", ("+1", "last chorus")),
        ("A-E-D-E, Bm-D-A-E in the chorus. Modulate to B major for the last chorus.", ("B major", "last chorus")),
        ("16 bars in G major, 16 bars in E minor, and 16 bars back in G major.", ("E minor", "bars 17-32")),
        ("In C major. The melody rises a third and drops a fifth.", None),
    ],
)
def test_where_the_key_changes(words: str, wanted: tuple[str, str] | None) -> None:
    asks = Contract.from_brief(words).asks
    assert next(((ask.what, ask.where) for ask in asks if ask.kind == "key_change"), None) == wanted
    assert not any(ask.kind == "meter_change" for ask in asks)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("A piano piece. The middle section should be a bit more agitated.", [("loud", "middle")]),
        ("A calm piano piece with a stormy middle section.", [("loud", "middle")]),
        ("A march for brass with a tender bridge.", [("soft", "bridge")]),
        ("The second half should be more intense.", [("loud", "second half")]),
        ("An intense Middle Eastern piece for oud.", []),
    ],
)
def test_moods_of_a_part_are_heard_there(words: str, wanted: list[tuple[str, str]]) -> None:
    contract = Contract.from_brief(words)
    assert [(ask.what, ask.where) for ask in contract.asks if ask.kind == "dynamics" and ask.where] == wanted
    assert not {"agitated", "stormy", "tender"} & set(contract.mood)


@pytest.mark.parametrize(
    ("brief", "bars"),
    [
        ("Dubstep. 16 bars of build-up with the lead in front, then 16 bars where the bass does all the talking.", 32),
        (
            "For koto, flute. The koto plays 8 bars alone, the flute joins for 16 bars, then the koto alone for 8.",
            32,
        ),
        ("A funk groove. The horns only come in at bar 17. After that let it cook for another 16 bars.", 32),
        ("A Balkan dance. Make the tune 16 bars long and repeat it three times.", 48),
        ("A 32-bar song. The bass has 4 bars alone, then 4 bars with drums.", 32),
    ],
)
def test_stretches_one_after_the_other_are_reckoned(brief: str, bars: int) -> None:
    assert Contract.from_brief(brief).bars == bars
