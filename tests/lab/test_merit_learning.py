"""Pairs whose order is known, and what is learnt from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lab.merit.bases import Base, bases_of
from lab.merit.directions import direction_of
from lab.merit.frozen import MORE
from lab.merit.learning import held_out, learnt
from lab.merit.pairs import KINDS, worse
from lab.merit.pieces import Row, fold_of, pairs_of
from lab.merit.rewriting import renewed
from lab.merit.tables import right
from libretto.formats import read
from libretto.merit.curves import the_curves
from libretto.merit.features import numbers_of
from libretto.merit.heard import Heard
from libretto.score import Score, Voice
from libretto.score.time import QUARTER
from libretto.score.voice import Note

#: Bars of each kind of pair from songs of another collection, and the share that must come out right.
_FILES, _ASKED = 10, 0.85


def piece() -> Score:
    """Sixteen bars of ours with some variety in every respect."""
    chance = np.random.default_rng(7)
    scale, names = (0, 2, 4, 5, 7, 9, 11), {0: 0, 2: 2, 4: 4, 5: -1, 7: 1, 9: 3, 11: 5}

    def line(low: int, lengths: tuple[float, ...], loud: int) -> list[Note]:
        notes, place, degree = [], 0.0, 0
        while place < 64:
            length = float(chance.choice(lengths))
            degree = int(np.clip(degree + chance.integers(-2, 3), 0, 9))
            pitch = low + 12 * (degree // 7) + scale[degree % 7]
            velocity = loud + int(8 * np.sin(place / 2)) + (6 if place % 4 == 0 else 0)
            notes.append(Note(int(place * QUARTER), int(length * QUARTER), pitch, velocity, names[pitch % 12]))
            place += length
        return notes

    voices = [
        Voice.of("Oboe", line(72, (0.5, 1.0, 1.0, 2.0), 80), 68),
        Voice.of("Cello", line(48, (1.0, 2.0), 70), 42),
    ]
    return renewed(Score.build(voices, bars=16))


@pytest.mark.parametrize("kind", [*KINDS, *MORE])
def test_each_kind_changes_the_notes_and_nothing_else(kind: str) -> None:
    sound = piece()
    spoilt = worse(sound, kind, np.random.default_rng(3))
    assert spoilt is not None
    assert [(v.name, v.program) for v in spoilt.voices] == [(v.name, v.program) for v in sound.voices]
    assert (spoilt.meters, spoilt.tempos, spoilt.keys) == (sound.meters, sound.tempos, sound.keys)
    assert spoilt.bars == sound.bars or kind == "cadence cut"
    assert spoilt.table.tobytes() != sound.table.tobytes()
    assert spoilt == worse(sound, kind, np.random.default_rng(3))


def test_writing_anew_changes_nothing_twice() -> None:
    assert renewed(renewed(piece())) == renewed(piece())


def test_a_flat_piece_cannot_be_flattened() -> None:
    flat = worse(piece(), "dynamics flattened", np.random.default_rng(0))
    assert flat is not None
    assert worse(flat, "dynamics flattened", np.random.default_rng(0)) is None


def _rows(many: int) -> list[Row]:
    """Pairs in which more of one number is better, and another is noise."""
    chance = np.random.default_rng(1)
    rows = []
    for place in range(many):
        low, high = sorted(chance.uniform(0, 1, 2).tolist())
        noise = chance.uniform(0, 1, 2).tolist()
        rows.append(
            Row(
                f"artist {place % 50}",
                "bars shuffled",
                "solo",
                "short",
                {"melody.good": high, "melody.noise": noise[0]},
                {"melody.good": low, "melody.noise": noise[1]},
            )
        )
    return rows


def test_what_makes_the_order_is_learnt() -> None:
    pairs = pairs_of(_rows(600))
    curves = learnt(pairs, np.ones(600, dtype=np.bool_), 1.0)
    rise = {name: float(np.ptp(values)) for name, values in curves.values.items()}
    assert rise["melody.good"] > 5 * rise["melody.noise"]
    assert (np.diff(curves.values["melody.good"]) > 0).all()
    better, lower = held_out(pairs, 1.0)
    assert right(better - lower) > 0.9


def test_artists_are_never_split() -> None:
    assert fold_of("somebody") == fold_of("somebody")
    assert len({fold_of(f"artist {number}") for number in range(50)}) == 5


def test_ties_count_half() -> None:
    assert right(np.array([1.0, 0.0, -1.0, 2.0])) == pytest.approx(0.625)


def test_shipped_curves_turn_only_where_they_may() -> None:
    curves = the_curves()
    led = [name for name in curves.knots if direction_of(name)]
    assert len(led) > 50
    for name in led:
        assert (np.diff(curves.values[name]) * direction_of(name) >= -1e-3).all(), name


@pytest.mark.slow
@pytest.mark.shared
def test_songs_of_another_collection_come_out_right(shared: Path) -> None:
    """Shipped curves on music that taught nothing: files beside the corpus they were learnt from."""
    margins = []
    files = sorted((shared / "midi").glob("*.mid"))[:: max(1, len(list((shared / "midi").glob("*.mid"))) // _FILES)]
    for number, path in enumerate(files):
        chance = np.random.default_rng(number)
        for base in bases_of(read(path), chance):
            margins += _margins(base, chance)
    assert len(margins) > 100
    assert right(np.array(margins)) >= _ASKED


def _margins(base: Base, chance: np.random.Generator) -> list[float]:
    curves = the_curves()
    own = sum(curves.worth(numbers_of(Heard(base.score))).values())
    kinds = [kind for kind in KINDS if kind != "cadence cut" or base.ends]
    others = [worse(base.score, kind, chance) for kind in kinds]
    return [own - sum(curves.worth(numbers_of(Heard(one))).values()) for one in others if one is not None]
