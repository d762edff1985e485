"""Every model piece keeps the form that the house reads, and every style has some to compose after."""

from __future__ import annotations

import pytest

from libretto.contract.instruments import instrument_of_program
from libretto.errors import LibrettoError
from libretto.house import load_style, style_names
from libretto.house.repertoire.catalogue import index, load_piece, piece_files, piece_names
from libretto.house.repertoire.piece import DRUMMING
from libretto.house.repertoire.reading import read_piece

_ENOUGH = 3
_LENGTHS = range(16, 49)


@pytest.mark.parametrize("name", piece_names())
def test_a_model_piece_is_whole(name: str) -> None:
    piece = load_piece(name)
    assert piece.bars in _LENGTHS
    assert piece.styles
    assert set(piece.styles) <= set(style_names())
    assert len(piece.score.meters) == 1, "no bar is cut short"
    assert piece.score.first_bar == 1
    assert all(labels and labels != ("-",) for labels in piece.score.chords), "every bar has its chord"
    assert len(piece.scenes) >= 3
    assert any(scene.who("lead") for scene in piece.scenes)
    assert len({tuple(sorted(scene.roles.items())) for scene in piece.scenes}) > 1, "roles change between sections"


@pytest.mark.parametrize("name", piece_names())
def test_a_model_piece_can_be_played(name: str) -> None:
    piece = load_piece(name)
    ticks = piece.meter.ticks
    for voice in piece.score.voices:
        instrument = instrument_of_program(voice.program or 0)
        assert voice.array["pitch"].min() >= instrument.low, voice.name
        assert voice.array["pitch"].max() <= instrument.high, voice.name
        for scene in piece.scenes:
            onsets = voice.array["onset"]
            here = ((onsets >= scene.first * ticks) & (onsets < scene.end * ticks)).sum()
            assert here or voice.name not in scene.roles, f"{voice.name} has a role in {scene.name} and no note"


def test_every_style_has_model_pieces() -> None:
    few = {}
    for style in style_names():
        meter = load_style(style).meter
        mine = [card.name for card in index() if style in card.styles and card.meter == meter]
        if len(mine) < _ENOUGH:
            few[style] = len(mine)
    assert not few


def test_cards_say_what_the_pieces_say() -> None:
    for card in index():
        piece = load_piece(card.name)
        assert (card.styles, card.mood, card.meter) == (piece.styles, piece.mood, piece.meter)
        assert card.minor == piece.key.is_minor
        assert card.drums == any(roles[0] in DRUMMING for roles in piece.roles.values())


def test_what_is_wrong_with_a_piece_is_said_at_once() -> None:
    _, file = next(piece_files())
    text = file.read_text(encoding="utf-8")
    broken = text.replace("%%ending", "%%ending no", 1) + "%%groove wrong gong=x...\n%%beat Nobody wrong\n"
    with pytest.raises(LibrettoError) as caught:
        read_piece("broken", broken)
    assert all(word in str(caught.value) for word in ("ending", "gong", "Nobody"))
