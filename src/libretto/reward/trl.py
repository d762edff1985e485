"""A reward function for TRL's trainers: what ``GRPOTrainer(reward_funcs=...)`` calls, batch by batch.

TRL hands over prompts, completions and every column of the dataset by name, and wants a number for each completion. A
completion is a text, or messages whose last one holds it; a text in a fence is taken out of it. A column ``brief``
says what was asked of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.reward.batch import RewardPool
from libretto.reward.weighing import Terms, reward_of

__all__ = ["RewardFunction", "reward_function", "text_of"]

_FENCE = re.compile(r"```[a-z]*\n(.*?)(?:```|\Z)", re.DOTALL)
_BRIEFS = 4_096  # contracts that are kept at hand
RewardFunction = Callable[..., list[float]]


def text_of(completion: str | Sequence[Any]) -> str:
    """The text of a completion: the last message's where there are messages, within its fence where there is one.

    >>> text_of([{"role": "assistant", "content": "Here:\\n```\\nKEY: C major\\n```\\nDone."}])
    'KEY: C major\\n'
    """
    if not isinstance(completion, str):
        last = completion[-1] if completion else ""
        content = last.get("content", "") if isinstance(last, dict) else getattr(last, "content", last)
        completion = content if isinstance(content, str) else ""
    fenced = _FENCE.search(completion)
    return fenced[1] if fenced else completion


@lru_cache(maxsize=_BRIEFS)
def _contract(brief: str) -> Contract | None:
    try:
        return Contract.from_brief(brief)
    except LibrettoError:
        return None


def reward_function(
    terms: Terms | None = None, *, jobs: int = 1, part: str = "", joined: bool = False
) -> RewardFunction:
    """A function for ``reward_funcs``; with ``part`` it gives that part alone, to be logged or weighed by itself.

    With ``joined`` a piece is its prompt and what follows: for models that are given a header and write on.
    """
    terms = terms or Terms()
    pool = RewardPool(terms, jobs)

    def libretto_reward(
        prompts: Sequence[Any] | None = None, completions: Sequence[Any] | None = None, **columns: Any
    ) -> list[float]:
        texts = [text_of(completion) for completion in completions or ()]
        if joined:
            texts = [text_of(prompt) + text for prompt, text in zip(prompts or (), texts, strict=True)]
        briefs = columns.get("brief")
        if briefs is None:
            rewards = pool(texts)
        else:
            asked = [Terms(_contract(str(b)), terms.memory, terms.shown, terms.genre, terms.depth) for b in briefs]
            rewards = [reward_of(text, own) for text, own in zip(texts, asked, strict=True)]
        return [reward.parts[part] if part else reward.value for reward in rewards]

    libretto_reward.__name__ = f"libretto_{part}" if part else "libretto_reward"
    return libretto_reward
