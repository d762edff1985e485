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
from libretto.reward.weighing import PARTS, Terms

__all__ = ["RewardFunction", "reward_function", "text_of"]

_FENCE = re.compile(r"```[a-z]*\n(.*?)(?:```|\Z)", re.DOTALL)
_HEADER, _BAR = re.compile(r"^\s*+KEY\s*+:", re.MULTILINE), re.compile(r"^\s*+@\d", re.MULTILINE)
_BRIEFS = 4_096  # contracts that are kept at hand
RewardFunction = Callable[..., list[float]]


def text_of(completion: str | Sequence[Any]) -> str:
    """The text of a completion: the last message's where there are messages, within its fence where there is one.

    Of several fences it is the last that holds a whole piece, else all that hold some of it.

    >>> text_of([{"role": "assistant", "content": "Here:\\n```\\nKEY: C major\\n```\\nDone."}])
    'KEY: C major\\n'
    >>> text_of([{"role": "assistant", "content": [{"type": "text", "text": "KEY: C major"}]}])
    'KEY: C major'
    """
    if not isinstance(completion, str):
        last = completion[-1] if completion else ""
        completion = _said(last.get("content", "") if isinstance(last, dict) else getattr(last, "content", last))
    fences = _FENCE.findall(completion)
    whole = [text for text in fences if _HEADER.search(text) and _BAR.search(text)]
    some = [text for text in fences if _HEADER.search(text) or _BAR.search(text)]
    return whole[-1] if whole else "".join(some) or (fences[0] if fences else completion)


def _said(content: Any) -> str:
    """The text of a message's content: a string, or the texts of its parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list | tuple) else ()
    texts = (part if isinstance(part, str) else part.get("text") for part in parts if isinstance(part, str | dict))
    return "".join(text for text in texts if isinstance(text, str))


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
    if part and part not in PARTS:
        raise LibrettoError(f"there is no part {part!r} of a reward; there is {', '.join(PARTS)}")
    pool = RewardPool(terms, jobs)

    def libretto_reward(
        prompts: Sequence[Any] | None = None, completions: Sequence[Any] | None = None, **columns: Any
    ) -> list[float]:
        texts = [text_of(completion) for completion in completions or ()]
        if joined:
            _check_number("prompts", prompts or (), texts)
            texts = [text_of(prompt) + text for prompt, text in zip(prompts or (), texts, strict=True)]
        briefs = columns.get("brief")
        if briefs is not None:
            _check_number("briefs", briefs, texts)
        rewards = pool(texts, None if briefs is None else [_contract(str(brief)) for brief in briefs])
        return [reward.parts[part] if part else reward.value for reward in rewards]

    libretto_reward.__name__ = f"libretto_{part}" if part else "libretto_reward"
    return libretto_reward


def _check_number(name: str, rows: Sequence[Any], texts: Sequence[str]) -> None:
    if len(rows) != len(texts):
        raise LibrettoError(f"there are {len(rows)} {name} for {len(texts)} completions; one is needed for each")
