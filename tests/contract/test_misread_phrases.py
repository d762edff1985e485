"""Phrases that sound like others: a movement is no move, a sparse walk no walk, a stop in the middle no end."""

from __future__ import annotations

from libretto.contract import Contract, read_brief


def test_a_movement_in_a_minor_key_changes_no_key() -> None:
    contract = read_brief("A string quartet movement in A minor, Andante")
    assert not [ask for ask in contract.asks if ask.kind == "key_change"]
    assert str(contract.key) == "A minor"


def test_a_sparse_walking_bass_is_neither_a_note_a_beat_nor_fewer_notes() -> None:
    contract = read_brief("A sarabande for solo lute with a noble line over a sparse walking bass")
    assert not [ask for ask in contract.asks if ask.kind in ("role", "density")]


def test_dead_stops_in_the_middle_are_no_ending() -> None:
    assert not read_brief("A waltz bass that stops dead once or twice").ending
    assert read_brief("The piece stops dead").ending == "abrupt"


def test_string_ostinatos_are_played_by_the_strings() -> None:
    contract = read_brief("For strings and horns. The horns state a heroic theme over driving string ostinatos.")
    assert [ask.who for ask in contract.asks if ask.what == "ostinato"] == ["Strings"]


def test_a_bare_number_after_tempo_is_one() -> None:
    assert read_brief("A sarabande for violin, tempo 56").tempo_bpm == (56, 56)


def test_a_lurching_rhythm_is_no_clockwork_that_runs_down() -> None:
    told = "Set a moderate, marching tempo and create a lurching, off-kilter rhythm that suggests clowns."
    assert not [ask for ask in read_brief(told).asks if ask.what == "running down"]
    told = "A waltz for music box whose tempo slowly falters like a clock running down."
    assert [ask for ask in read_brief(told).asks if ask.what == "running down"]


def test_who_accompanies_and_replies_now_and_then_is_not_seldom_there() -> None:
    quartet = "For two violins, viola and cello. The first violin has the melody, the second violin supports it with "
    asks = read_brief(f"{quartet}gentle accompanying figures and occasional replies.").asks
    assert not [ask for ask in asks if ask.what in ("seldom", "between lines")]
    asks = read_brief(f"{quartet}occasional notes.").asks
    assert [ask.what for ask in asks] == ["seldom"]


def test_chords_beside_a_tune_are_those_that_are_sustained() -> None:
    told = read_brief("For choir and organ, slow, with long sustained chords and a single melodic line.")
    assert [(ask.what, ask.who) for ask in told.asks if ask.kind == "manner"] == [("sustained", "chords")]


def test_who_answers_in_thirds_is_not_who_leads() -> None:
    told = read_brief(
        "For trumpets, violins and guitar. The trumpets lead with fanfares and the violins answer in thirds."
    )
    assert not [ask for ask in told.asks if ask.kind == "doubling"]


def test_who_adds_ornamentation_is_ornate() -> None:
    brief = "A dance in D minor for clarinet, violin and accordion. The clarinet leads, and the violin {}."
    told = {said: Contract.from_brief(brief.format(said)).asks for said in ("adds spirited ornamentation", "adds none")}
    ornate = {said: {ask.who for ask in asks if ask.what == "ornate"} for said, asks in told.items()}
    assert ornate == {"adds spirited ornamentation": {"Violin"}, "adds none": set()}
