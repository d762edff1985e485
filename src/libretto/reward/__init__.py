"""A reward for training models: bounded numbers with parts, from texts or Scores, hard to get without making music."""

from libretto.reward.batch import RewardPool, rewards_of
from libretto.reward.memory import Memory
from libretto.reward.weighing import PARTS, Reward, Terms, reward_of, terms_of

__all__ = ["PARTS", "Memory", "Reward", "RewardPool", "Terms", "reward_of", "rewards_of", "terms_of"]
