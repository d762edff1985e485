"""What a draft, a call or a run cost, and how large a text is for a model; costs add up.

Tokens are counted by one stated rule, so that no vendor's tokenizer is needed.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

__all__ = ["RULE", "Cost", "tokens_of"]

#: The rule, in words.
RULE = "up to four letters, up to three digits and every other sign are a token each; spaces are free"
_TOKEN = re.compile(r"[A-Za-z]{1,4}|[0-9]{1,3}|[^\sA-Za-z0-9]")


@dataclass(frozen=True)
class Cost:
    """What a draft cost: seconds, and for models tokens and money."""

    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    money: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.seconds + other.seconds,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.money + other.money,
        )

    @property
    def tokens(self) -> int:
        """Tokens in and out together."""
        return self.tokens_in + self.tokens_out

    def to_dict(self) -> dict[str, float]:
        """The cost as plain data."""
        return asdict(self)


def tokens_of(text: str) -> int:
    """How many tokens a text has by the rule.

    >>> tokens_of("LEAD: C4@1>16")
    8
    """
    return sum(1 for _ in _TOKEN.finditer(text))
