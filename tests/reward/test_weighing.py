"""The reward is bounded, has its parts, and is the same for the same piece."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pieces import NIGHT_BUS, night_bus, waltz
from strategies import scores

from libretto import LibrettoError, Score, notate, reward_of, terms_of
from libretto.reward import PARTS, Memory
from libretto.reward.glance import Glance
from libretto.reward.memory import turns_of
from libretto.reward.numbers import numbers_of
from libretto.reward.reading import MOST_BARS, MOST_CHARACTERS, read_piece
from libretto.reward.standards import standards_from
from libretto.score import take_bars

#: What the tests' own pieces are held against: nothing, so that the package's memory decides no test.
NEW = terms_of(memory=Memory.of(()))


def test_music_is_worth_more_than_nothing_and_less_than_one() -> None:
    for piece in (night_bus(), waltz()):
        reward = reward_of(piece, NEW)
        assert 0.0 < reward.value < 1.0
        assert tuple(reward.parts) == PARTS
        assert reward.value == pytest.approx(math.prod(reward.parts.values()), abs=1e-4)


def test_a_text_and_its_score_are_worth_the_same() -> None:
    assert reward_of(NIGHT_BUS, NEW) == reward_of(night_bus(), NEW) == reward_of(notate(night_bus()), NEW)


def test_labels_and_names_change_nothing() -> None:
    renamed = NIGHT_BUS.replace("TITLE: Night Bus", "TITLE: Worth a thousand").replace("[Gm7]", "[Cmaj7]")
    assert renamed != NIGHT_BUS
    assert reward_of(renamed, NEW) == reward_of(NIGHT_BUS, NEW)


def test_what_cannot_be_read_is_below_all_that_can_and_nearly_right_is_better() -> None:
    nothing = reward_of("la la la", NEW)
    nearly = reward_of(NIGHT_BUS.replace("D5@1>6^92", "H5@1>6"), NEW)
    assert -1.0 <= nothing.value < nearly.value < 0.0 < reward_of(NIGHT_BUS, NEW).value
    assert nothing.why
    assert nothing.parts["parses"] == 0.0


def test_endless_texts_are_refused_before_they_are_read() -> None:
    endless = NIGHT_BUS.replace("BARS: 16", f"BARS: {MOST_BARS + 1}")
    assert "bars" in read_piece(endless).why
    assert "characters" in read_piece("C" * (MOST_CHARACTERS + 1)).why


def test_silence_is_worth_nothing() -> None:
    head = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 4th | BARS: 1\nVOICES: A\n@1 [C]\n"
    assert reward_of(head, NEW).value == 0.0
    assert reward_of(head + "A: C4@1>4", NEW).value == 0.0


def test_percussion_alone_and_a_single_bar_are_worth_little() -> None:
    drums = replace(night_bus(), voices=tuple(voice for voice in night_bus().voices if voice.drums))
    assert reward_of(drums, NEW).value == 0.0
    bar = take_bars(night_bus(), 1, 1)
    assert reward_of(bar, NEW).value < 0.2 * reward_of(night_bus(), NEW).value
    assert reward_of(take_bars(night_bus(), 1, 4), terms_of("4 bars", memory=Memory.of(()))).margins["brevity"] == 0.0


def test_a_copy_of_what_is_remembered_or_was_shown_is_worth_next_to_nothing() -> None:
    free = reward_of(waltz(), NEW)
    remembered = reward_of(waltz(), terms_of(memory=Memory.of([waltz()])))
    shown = reward_of(waltz(), terms_of(memory=Memory.of(()), shown=[waltz()]))
    assert remembered.value == shown.value < 0.01 * free.value
    assert remembered.parts["originality"] < 0.01 < free.parts["originality"] == 1.0


def test_clauses_that_are_not_kept_cost() -> None:
    kept = reward_of(waltz(), terms_of("A waltz for accordion and violin in A minor, 32 bars", memory=Memory.of(())))
    other = reward_of(waltz(), terms_of("A march for brass in E major, 12 bars", memory=Memory.of(())))
    assert other.parts["clauses"] < kept.parts["clauses"]
    assert other.value < kept.value


def test_depth_is_quick_or_full() -> None:
    with pytest.raises(ValueError, match="depth"):
        terms_of(depth="deep")
    full = reward_of(night_bus(), terms_of(memory=Memory.of(()), depth="full"))
    assert 0.0 < full.value < 1.0
    assert {"degeneracy", "order", "parts", "originality", "ordering"} <= set(full.margins)


@settings(max_examples=25)
@given(scores())
def test_any_score_gets_a_bounded_number(score: Score) -> None:
    reward = reward_of(score, NEW)
    assert -1.0 <= reward.value <= 1.0
    assert all(0.0 <= part <= 1.0 for part in reward.parts.values())
    assert all(math.isfinite(margin) for margin in reward.margins.values())


@settings(max_examples=25)
@given(st.text(max_size=300))
def test_any_text_gets_a_bounded_number(text: str) -> None:
    assert -1.0 <= reward_of(text, NEW).value <= 1.0


def test_a_damaged_memory_is_refused() -> None:
    data = Memory.of([waltz()]).to_bytes()
    assert Memory.from_bytes(data).to_bytes() == data
    for wrong in (b"", data[:-1], b"X" + data[1:], data[:20] + data[-4:] + data[20:-4]):
        with pytest.raises(LibrettoError):
            Memory.from_bytes(wrong)


def test_five_versions_of_a_song_are_remembered_as_one() -> None:
    song, other = turns_of(waltz()), turns_of(night_bus())
    assert len(song) > 8
    lone = Memory.of_turns([song, other])
    assert len(set(song.tolist()) - set(lone.marks.tolist())) == 0
    assert Memory.of_turns([song, song[1:], other, song, song[:-1], song]).marks.tolist() == lone.marks.tolist()


def test_a_turn_that_many_songs_have_is_nobodys() -> None:
    rng, common = np.random.default_rng(1), np.arange(1, 4, dtype=np.uint32)
    songs = [np.concatenate((common, np.sort(rng.integers(10, 2**32, 30, dtype=np.uint32)))) for _ in range(4)]
    assert not set(common.tolist()) & set(Memory.of_turns(songs).marks.tolist())
    assert set(common.tolist()) <= set(Memory.of_turns(songs[:3]).marks.tolist())


def test_what_is_worth_next_to_nothing_is_still_worth_more_or_less() -> None:
    worst = [reward_of(piece, terms_of(memory=Memory.of([piece]))).value for piece in (waltz(), night_bus())]
    assert all(0.0 < value < 1e-3 for value in worst)
    assert worst[0] != worst[1]


def test_standards_without_excerpts_are_read_and_lots_of_curves_add_up() -> None:
    text = files("libretto.reward").joinpath("standards.json").read_text(encoding="utf-8")
    data, numbers = json.loads(text), numbers_of(Glance(waltz()))
    both, bare = standards_from(data), standards_from({**data, "excerpts": {}})
    only = standards_from({**data, "sense": data["excerpts"], "excerpts": {}})
    assert both.sense(numbers) == pytest.approx(bare.sense(numbers) + only.sense(numbers))
