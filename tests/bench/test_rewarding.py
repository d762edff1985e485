"""Attacks are what they say, and none of them is worth what music is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from libretto import Score, parse, played
from libretto.bench.attacks import attacks
from libretto.bench.rewarding import bench_reward, rewarding_dict, rewarding_lines, rewarding_passed
from libretto.errors import LibrettoError
from libretto.reward import Memory, reward_of, terms_of

NIGHT_BUS = Path(__file__).parents[2] / "examples" / "night_bus.libretto"
SONG = played(parse(NIGHT_BUS.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", list(attacks))
def test_an_attack_is_worth_less_than_the_piece_it_was_made_of(name: str) -> None:
    made = attacks[name](SONG, [SONG], np.random.default_rng(1))
    assert made is not None
    free, known = terms_of(memory=Memory.of(())), terms_of(memory=Memory.of([SONG]), shown=[SONG])
    assert reward_of(made, known).value < reward_of(SONG, free).value


def test_attacks_keep_the_frame() -> None:
    for name in attacks:
        made = attacks[name](SONG, [SONG], np.random.default_rng(2))
        if isinstance(made, Score) and name != "a bar and no more":
            assert made.bars == SONG.bars, name
            assert [voice.name for voice in made.voices] == [voice.name for voice in SONG.voices], name


def test_too_little_music_is_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(LibrettoError, match="too little music"):
        bench_reward([str(tmp_path)])


@pytest.mark.slow
@pytest.mark.shared
def test_attacks_come_out_below_real_music(shared: Path) -> None:
    result = bench_reward([str(shared / "corpus" / "midi")], 60)
    assert rewarding_passed(result), "\n".join(rewarding_lines(result))
    assert rewarding_dict(result)["real"] == result.real
