"""The Gymnasium environment keeps Gymnasium's own rules, and pays what the piece is worth."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from libretto import LibrettoError
from libretto.reward import reward_of
from libretto.reward.gym import BarsEnv, register

BARS = ["  Lead: C4@1>4 E4@5>4 G4@9>4 E4@13>4", "  Lead: D4@1>4 F4@5>2 A4@7>2 D5@9>8", "  Lead: B4@1>6 G4@7>2 B3@9>8"]


@pytest.mark.filterwarnings("ignore")
def test_it_keeps_the_rules_of_gymnasium() -> None:
    check_env(BarsEnv(bars=4), skip_render_check=True)
    check_env(BarsEnv(bars=4, vocabulary=("  Lead:", " C4", "@1", ">4")), skip_render_check=True)


def test_the_rewards_of_an_episode_add_up_to_the_reward_of_the_piece() -> None:
    env = gymnasium.make(register(), bars=3)
    page, _ = env.reset(seed=1)
    total, done = 0.0, False
    for bar in BARS:
        assert not done
        page, gained, done, _, info = env.step(bar)
        total += gained
    assert done
    assert total == pytest.approx(reward_of(page).value) == pytest.approx(info["value"])
    assert page.count("\n@") == len(BARS)


def test_a_bar_that_cannot_be_read_ends_the_episode_and_is_left_out() -> None:
    env = BarsEnv(bars=3)
    env.reset()
    env.step(BARS[0])
    page, gained, done, _, info = env.step("  Lead: H9@0>0")
    assert done
    assert gained < 0.0
    assert info["why"]
    assert "H9" not in page


@pytest.mark.parametrize("bars", [0, -1, 513, 10**7])
def test_a_piece_that_no_reward_could_read_is_not_begun(bars: int) -> None:
    with pytest.raises(LibrettoError, match=f"bars: {bars} is not within 1 and 512"):
        BarsEnv(bars=bars)


def test_tokens_are_words_of_a_vocabulary() -> None:
    env = BarsEnv(bars=2, vocabulary=("  Lead:", " C4", "@1", ">4"), words=6)
    env.reset()
    page, *_ = env.step([0, 1, 2, 3, -1, -1])
    assert page.endswith("@1 [-]\n  Lead: C4@1>4\n")


@pytest.mark.parametrize(("vocabulary", "action"), [(None, None), (None, 3), (("a",), None), (("a",), ["x"])])
def test_an_action_that_is_none_is_refused_in_a_line(vocabulary: tuple[str, ...] | None, action: Any) -> None:
    env = BarsEnv(bars=2, vocabulary=vocabulary)
    env.reset()
    with pytest.raises(LibrettoError, match="an action is"):
        env.step(action)
    assert env.text.count("@") == 0
