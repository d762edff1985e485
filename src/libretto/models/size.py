"""How large a text is for a model, by one stated rule; no vendor's tokenizer is needed."""

from __future__ import annotations

import re

__all__ = ["RULE", "tokens_of"]

#: The rule, in words.
RULE = "up to four letters, up to three digits and every other sign are a token each; spaces are free"
_TOKEN = re.compile(r"[A-Za-z]{1,4}|[0-9]{1,3}|[^\sA-Za-z0-9]")


def tokens_of(text: str) -> int:
    """How many tokens a text has by the rule.

    >>> tokens_of("LEAD: C4@1>16")
    8
    """
    return sum(1 for _ in _TOKEN.finditer(text))
