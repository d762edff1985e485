"""Guests and those who come later: who is named with a place, who takes over, who answers without a dialogue."""

from __future__ import annotations

from libretto.contract import read_brief


def _asks(text: str) -> set[tuple[str, str, str, str]]:
    return {(ask.kind, ask.what, ask.who, ask.where) for ask in read_brief(text).asks}


def _roles(text: str) -> dict[str, str]:
    return {part.name: part.role for part in read_brief(text).parts}


def test_who_is_named_first_with_a_place_plays_there() -> None:
    asks = _asks(
        "A western. A whistle states the theme, a female voice soars wordlessly in the second half, and church bells "
        "toll at the start and at the end."
    )
    assert ("enter", "", "Voice", "second half") in asks
    assert ("silent", "", "Church Bell", "outside start or end") in asks


def test_who_was_named_before_is_no_guest() -> None:
    asks = _asks("For flute and piano. A flute sings in the second half of each phrase.")
    assert not [ask for ask in asks if ask[0] == "enter"]


def test_who_takes_over_has_the_second_half() -> None:
    text = (
        "For guitar, trumpet and drums. The guitar plays a twangy, lonely theme, the trumpet takes over for the duel."
    )
    assert ("lead", "", "Trumpet", "second half") in _asks(text)
    assert _roles(text)["Guitar"] == "lead"


def test_a_leader_who_is_answered_holds_no_strict_dialogue() -> None:
    assert not _asks("For flute and clarinet. The flute leads, the clarinet answers and accompanies.")


def test_the_second_is_a_chorus_that_is_taken() -> None:
    asks = _asks(
        "A 24-bar blues for guitar and harmonica. The guitar leads the first chorus, the harmonica takes the second."
    )
    assert ("lead", "", "Harmonica", "chorus 2") in asks


def test_bars_are_added_and_the_key_turns_with_them() -> None:
    contract = read_brief("A march in F minor, 16 bars, turning into a joyful strut in F major for another 16 bars.")
    assert contract.bars == 32
    assert ("key_change", "F major", "", "second half") in {(a.kind, a.what, a.who, a.where) for a in contract.asks}


def test_a_minuet_and_trio_has_no_form_that_no_chart_knows() -> None:
    contract = read_brief("A minuet and trio for flute and cello. The flute takes the trio.")
    assert not contract.form
    assert ("lead", "", "Flute", "trio") in _asks("A minuet and trio for violin and flute. The flute takes the trio.")


def test_a_break_where_everyone_stops_is_that_bar() -> None:
    asks = _asks("Funk for bass, clavinet and drums. There is a break in bar 16 where everyone stops except the bass.")
    assert ("only", "", "Bass", "bar 16") in asks


def test_what_is_low_by_nature_leaves_the_bass_to_the_bass() -> None:
    assert _roles("Soul for trumpet, baritone saxophone, bass and drums.")["Baritone Saxophone"] == "counter"


def test_pipes_have_their_own_drone_and_fills_are_fills() -> None:
    assert not _asks("For bagpipes and fiddle. The bagpipes carry a bold melody over a drone.")
    asks = _asks("For guitar and voice. The guitar strums the rhythm and plays picado fills.")
    assert asks == {("manner", "strums", "Guitar", "")}


def test_a_bloom_leads_to_a_bar_and_what_dies_away_does_so_at_the_end() -> None:
    asks = _asks("For organ. The music should bloom to fortissimo in bar 13 and die away to nothing.")
    assert asks == {("dynamics", "growing", "", "until bar 13")}


def test_who_is_heard_only_twice_is_silent_elsewhere() -> None:
    asks = _asks("For cello and bugle. The bugle is heard only twice, in bars 9-10 and at the very end.")
    assert ("silent", "", "Bugle", "outside bars 9-10 or end") in asks


def test_a_chord_is_no_style() -> None:
    assert not read_brief("A mournful piece for cello and strings. The progression is Bbm, Gb, Ebm, F.").style


def test_piano_two_is_the_second_of_two() -> None:
    asks = _asks("For two pianos. Piano one repeats a pattern; piano two enters after eight bars.")
    assert {ask[2] for ask in asks if ask[0] == "enter"} == {"Piano #2"}


def test_a_beat_that_cuts_out_in_a_bar_is_silent_there() -> None:
    assert ("silent", "", "drums", "bar 8") in _asks("Drill for piano and hi-hats. The beat should cut out in bar 8.")


def test_sticks_that_are_picked_up_quicken_nothing_and_swells_that_recede_come_again() -> None:
    asks = _asks("Jazz for sax and drums. The drummer plays brushes until the bridge, where he picks up sticks.")
    assert not [ask for ask in asks if ask[0] == "tempo_change"]
    asks = _asks("For cello and strings. The strings hold quiet chords that swell and recede.")
    told = sorted(ask[1:] for ask in asks if ask[0] == "dynamics")
    assert told == [("fading", "Strings", "turns 2 of 2 in 2"), ("growing", "Strings", "turns 1 of 2 in 2")]


def test_a_rhythm_guitar_is_called_so_and_a_last_section_is_one() -> None:
    asks = _asks("Rock for rhythm guitar, lead guitar and drums. The drums are alone before the last section.")
    assert not [ask for ask in asks if ask[:2] == ("role", "comping")]
    assert ("only", "", "Drums", "before last strain") in asks


def test_verse_and_chorus_are_kinds_of_sections_and_no_form_of_two() -> None:
    assert not read_brief("A pop song with verse and chorus over 32 bars for voice and guitar.").form
    assert read_brief("Intro, verse, chorus, verse, chorus.").form == ("intro", "verse", "chorus", "verse", "chorus")
