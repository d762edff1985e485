"""Many at once are the same as one by one."""

from __future__ import annotations

from pieces import NIGHT_BUS, night_bus

from libretto.reward import RewardPool, reward_of, rewards_of


def test_processes_give_the_same_in_the_same_order() -> None:
    pieces = [NIGHT_BUS, "no music", night_bus(), ""] * 5
    alone = [reward_of(piece) for piece in pieces]
    assert rewards_of(pieces, jobs=2) == alone
    with RewardPool(jobs=2) as pool:
        assert pool(pieces) == pool(pieces) == alone
