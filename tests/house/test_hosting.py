"""A band plays one model piece part for part: everybody has one, chords are those asked for, and it is no disguise."""

from __future__ import annotations

import numpy as np
import pytest

from libretto.contract import Contract, receipt
from libretto.corpus import overlap
from libretto.corpus.tracks import join_tracks, track_piece
from libretto.house import compose_score, make_plan
from libretto.house.repertoire.catalogue import load_piece, piece_names
from libretto.house.repertoire.hosting import chord_likeness
from libretto.score import Key, parse_chord

BRIEFS = (
    "A disco track in F# minor, F#m C#m D E over 32 bars for bass guitar, synth and drums",
    "A rock song in E major, E A C#m B over 32 bars for electric guitar, bass guitar, drums and organ",
    "A calypso in D major, D G A D over 16 bars for steel drums, acoustic guitar and percussion",
    "A synthpop song in A major, A E F#m D over 32 bars for synth lead, electric piano, bass and drums",
    "A bluegrass tune in A major, A E D A over 32 bars for banjo, fiddle, mandolin and upright bass",
)


@pytest.fixture(autouse=True)
def no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a chart suits, the band plays from it: here none does."""
    monkeypatch.setattr("libretto.house.compose.abroad.suited_chart", lambda *_: None)


def hosted() -> list[Contract]:
    """The briefs of these for which there is a piece that the band can play whole."""
    return [contract for contract in map(Contract.from_brief, BRIEFS) if make_plan(contract, 0).hosted]


def test_some_bands_play_a_piece_whole() -> None:
    assert len(hosted()) >= 2


def test_everybody_has_a_part_of_one_piece() -> None:
    for contract in hosted():
        plan = make_plan(contract, 0)
        assert len({stretch.piece.name for stretch in plan.stretches}) == 1
        pitched = [player.name for player in plan.players if not player.drums]
        parts = [{duty.part for row in plan.duties[name] for duty in row} for name in pitched]
        assert all(parts)
        assert sum(map(len, parts)) == len(set().union(*parts)), "no two players have the same part"


def test_the_contract_is_kept() -> None:
    for contract in hosted():
        told = receipt(contract, compose_score(contract, 0))
        assert told.passed, told.failed


@pytest.mark.slow
def test_the_piece_is_no_model_in_disguise() -> None:
    names = piece_names()
    index = join_tracks([track_piece(load_piece(name).score) for name in names], list(names))
    for contract in hosted():
        shared = overlap(compose_score(contract, 0), index)
        assert shared is None or shared.score <= 0.4


def test_chords_are_as_like_as_their_tones() -> None:
    piece = load_piece(piece_names()[0])
    own = [parse_chord(labels[0]) for labels in piece.score.chords]
    assert chord_likeness(piece, own, piece.key) == pytest.approx(1.0)
    away = Key(piece.key.tonic + 6, piece.key.mode)
    assert chord_likeness(piece, own, away) < 0.7


def test_a_whole_piece_stays_in_the_players_ranges() -> None:
    for contract in hosted():
        plan = make_plan(contract, 0)
        score = compose_score(contract, 0)
        for player in plan.players:
            pitches = score.voice(player.name).array["pitch"]
            if not player.drums:
                assert np.all((pitches >= player.bottom) & (pitches <= player.top)), player.name
