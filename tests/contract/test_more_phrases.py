"""More phrases that were misread: who is described, what drums are left to, styles beside pictures, stops and tempi."""

from __future__ import annotations

import pytest

from libretto.contract import read_brief


def _roles(text: str) -> list[str]:
    return [part.role for part in read_brief(text).parts]


def _asks(text: str) -> set[tuple[str, str, str, str]]:
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in read_brief(text).asks}


def test_the_second_of_two_does_not_speak_for_the_first() -> None:
    text = "Two flamenco guitars and cajon. The first guitar plays a melody with runs, the second strums the rhythm."
    assert _roles(text)[:2] == ["lead", "comping"]


def test_words_before_the_next_name_describe_it() -> None:
    assert _roles("For sax and guitar. The sax begs over arpeggiated guitar triplets.") == ["lead", "arpeggio"]


def test_sparse_drums_and_a_wall_of_sound_are_pictures() -> None:
    assert not _asks("Doom for guitar, bass and drums. The drums are sparse and heavy.")
    assert not _asks("Shoegaze for two guitars; the guitars form a hazy wall of sound.")


def test_who_leads_with_a_riff_leads() -> None:
    assert not _asks("For two guitars, bass and drums. The first guitar leads with a sparkling riff.")


def test_one_and_three_are_two_beats() -> None:
    assert ("manner", "two-beat", "Tuba", "") in _asks("For clarinet and tuba. The tuba marks one and three.")


def test_stop_time_lasts_four_bars() -> None:
    asks = _asks("A 24-bar blues for sax and piano. Stop-time in the second chorus.")
    assert ("silent", "stop", "Piano", "4 bars in chorus 2") in asks


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("A flamenco-tinged rumba for guitar", "flamenco"),
        ("A fado for voice and guitar in a dim tavern in Lisbon", "latin"),
    ],
)
def test_styles_beside_others(text: str, style: str) -> None:
    assert read_brief(text).style == style


def test_a_beginning_that_is_slow_and_something_else_speeds_up() -> None:
    asks = _asks("For violin and piano. It begins slowly and passionately and becomes faster.")
    assert ("tempo_change", "to x1.61", "", "") in asks


def test_a_place_between_and_and_a_verb_is_that_verbs() -> None:
    asks = _asks("For bandoneon and guitar. The guitar scratches dry chords and later takes a sinuous solo.")
    assert ("solo", "", "Guitar", "") in asks
    assert not [ask for ask in asks if ask[3] == "later"]


def test_what_leads_into_a_strain_has_no_tune_and_the_strain_is_what_is_louder() -> None:
    asks = _asks("A march for trumpet and snare drum. A drum break leads into the final strain, which is louder.")
    assert ("dynamics", "loud", "", "last strain") in asks
    assert not [ask for ask in asks if ask[0] == "lead"]


def test_a_shouting_end_is_no_arc_and_swells_behind_others_grow_nowhere() -> None:
    asks = _asks("Gospel for choir and organ. The organ swells behind them. Build steadily to a shouting, wild ending.")
    assert ("register", "rising", "melody", "") not in asks
    assert ("dynamics", "growing", "Organ", "") not in asks


def test_who_sings_a_motif_back_answers() -> None:
    text = "For bells and choir. The bells chime a four-note motif, the choir hums the motif back."
    assert _roles(text) == ["lead", "counter"]


def test_two_who_harmonize_in_thirds_are_asked_once() -> None:
    asks = _asks("For two guitars and bass. The two guitars harmonize the melody in thirds in the last chorus.")
    assert [ask for ask in asks if ask[0] == "doubling"] == [
        ("doubling", "Guitar in thirds", "Guitar #2", "last chorus")
    ]


def test_a_melodic_line_of_a_bass_is_its_bass() -> None:
    text = "Reggae for saxophone, bass and drums. The saxophone sings a sweet melody, the bass plays a melodic line."
    assert _roles(text)[:2] == ["lead", "bass"]


def test_of_several_with_tunes_and_strokes_the_first_has_the_tunes() -> None:
    asks = _asks("Metal for two guitars, bass and drums. The guitars play melodies and galloping riffs.")
    assert {ask[2] for ask in asks if ask[1] == "gallop"} == {"Guitar #2"}


def test_a_bass_under_a_riff_and_a_unison_with_nobody_told_double_nobody() -> None:
    asks = _asks("Hard rock for guitar, bass and drums. The guitar plays a heavy riff, the bass doubles the riff.")
    assert not [ask for ask in asks if ask[0] == "doubling"]


def test_fanfares_are_played_in_a_style() -> None:
    assert read_brief("A festive mariachi piece. The trumpets play bright fanfares.").style == "latin"
