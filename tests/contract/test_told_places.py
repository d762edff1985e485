"""Places and players as sentences tell them: entries without a verb, what comes back, who is left or changes place."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief
from libretto.contract.stretches import bars_of_place
from libretto.house.compose.asking import skeleton


def _asks(text: str) -> set[tuple[str, str, str, str]]:
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in read_brief(text).asks}


def test_an_entry_without_a_verb_goes_on_with_the_one_before() -> None:
    asks = _asks("For string quartet. The viola joins in bar 5, the second violin in bar 9, the first in bar 13.")
    assert {("enter", "", "Viola", "bar 5"), ("enter", "", "Violin #2", "bar 9")} <= asks


def test_who_join_in_unison_were_there_before() -> None:
    asks = _asks("For dizi and erhu. Both finally join in unison for the last eight bars, growing louder.")
    assert not [ask for ask in asks if ask[0] == "enter"]
    assert ("dynamics", "growing", "", "last 8 bars") in asks


def test_who_returns_after_another_had_the_tune_does_not_enter() -> None:
    asks = _asks(
        "For lap steel and vibraphone. The lap steel leads, the vibraphone takes over the theme for the middle eight "
        "before the lap steel returns."
    )
    assert ("lead", "", "Vibraphone", "bridge") in asks
    assert not [ask for ask in asks if ask[0] == "enter"]


def test_who_is_left_is_named_after_only() -> None:
    asks = _asks("For guitar, voice and drums. In the bridge the guitar stops and only the voice and drums remain.")
    assert ("only", "", "Voice + Drums", "bridge") in asks


def test_a_participle_describes_the_next_player() -> None:
    asks = _asks("The horns announce a bold theme over galloping low strings.")
    assert ("manner", "gallop", "Low Strings", "") in asks


def test_a_nocturne_turns_nowhere_and_its_middle_is_in_another_key() -> None:
    contract = read_brief("A nocturne in Ab major for piano. The middle part grows stormy in F minor.")
    assert str(contract.key) == "Ab major"
    brighter = read_brief("For string quartet in D minor. The middle section turns brighter, in F major.")
    assert ("key_change", "F major", "middle") in {(ask.kind, ask.what, ask.where) for ask in brighter.asks}


def test_an_opening_that_returns_softly_is_soft_the_last_time() -> None:
    assert ("dynamics", "soft", "", "last time") in _asks("For piano. Then the opening returns even more softly.")


def test_two_who_trade_places_have_the_tune_by_turns() -> None:
    asks = _asks("For fiddle and steel guitar. The fiddle leads, the steel guitar answers; then they trade places.")
    assert ("lead", "", "Steel Guitar", "second half") in asks


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("It builds to a sudden, proud finish.", "abrupt"),
        ("It comes to a screeching halt.", "abrupt"),
        ("A pause, then one dry chord.", "abrupt"),
        ("No resolution at the end.", "open"),
        ("The piece should fade like a light in the mist.", "fade"),
    ],
)
def test_endings(text: str, ending: str) -> None:
    assert read_brief(text).ending == ending


def test_a_tempo_word_with_a_number_is_that_number() -> None:
    assert read_brief("A gavotte, allegro 132, for flute.").tempo_bpm == (132, 132)


def test_a_processional_pace_is_no_march() -> None:
    assert read_brief("A Celtic ritual at a slow, processional pace for harp.").style == "celtic"


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("For trumpet and guitar. The trumpet murmurs the melody, the guitar weaves rolling arpeggios.", "Trumpet"),
        ("For flute and cello. The flute dances along, the cello imitates the theme.", "Flute"),
    ],
)
def test_who_leads(text: str, lead: str) -> None:
    assert [part.name for part in read_brief(text).parts if part.role == "lead"] == [lead]


def test_figures_in_unison_are_those_of_who_plays_them_and_a_kick_begins_nothing() -> None:
    asks = _asks(
        "Soul for horns and saxophone. The horns blast unison figures and the saxophone preaches over the top."
    )
    assert not [ask for ask in asks if ask[0] in ("texture", "doubling") and "Sax" in ask[2]]
    asks = _asks("Techno for drum machine and synth. The drum machine hammers a relentless kick with off-beat hats.")
    assert not [ask for ask in asks if ask[0] == "only"]


def test_who_drops_to_something_makes_no_section() -> None:
    assert not read_brief("Punk for guitar and drums. In the bridge, the guitar drops to palm-muted chugs.").form


def test_bars_of_a_solo_lie_in_the_middle_and_what_follows_comes_after_them() -> None:
    asks = _asks("For sax, trumpet and piano. The sax solos for sixteen bars, then the trumpet and sax trade fours.")
    assert ("solo", "", "Sax", "16 bars in middle") in asks
    assert not [ask for ask in asks if "first 16" in ask[3]]


def test_a_refrain_only_a_solo_fiddle_and_bars_to_itself() -> None:
    asks = _asks(
        "For voice, guitar and piano. A piano joins for the refrain only. The guitar has the last two bars to itself."
    )
    assert {("silent", "", "Piano", "outside chorus"), ("only", "", "Guitar", "last 2 bars")} <= asks
    asks = _asks("For fiddle and guitar. It swells, then thins out to the solo fiddle.")
    assert ("only", "", "Fiddle", "end") in asks
    assert not [ask for ask in asks if ask[0] in ("leave", "density")]


def test_a_participle_goes_on_with_who_was_named() -> None:
    asks = _asks("For clarinet and piano. The clarinet is the cat, stalking in staccato notes.")
    assert ("articulation", "staccato", "Clarinet", "") in asks


def test_a_second_verse_of_a_piece_without_one_is_its_second_section() -> None:
    piece = skeleton([(0, "Intro"), (4, "Theme"), (12, "Bridge"), (20, "Outro")], 24)
    assert bars_of_place("verse 2", piece) == ((13, 20),)
