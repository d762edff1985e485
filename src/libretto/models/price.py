"""What calls to models cost: before they are made, by a stated rule, and after, by the tokens that were counted.

Tokens of a text are counted by the rule in ``libretto.models.cost``; sound counts 32 tokens for every second that its
bytes would last as 16-bit mono at 16 kHz. Prices are those that the installed ``genai-prices`` ships; nothing is
fetched. A model that is not in its table, and every server of one's own, has no known price, and that is said rather
than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from libretto.models.client import Request
from libretto.models.cost import tokens_of
from libretto.models.reach import elsewhere

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

__all__ = ["Expected", "expected", "known_models", "money_of", "price_told"]

_SOUND_BYTES_A_SECOND, _SOUND_TOKENS_A_SECOND = 32_000, 32
_CENTS = 8  # digits of a dollar that are kept: a token may cost millionths of one


@dataclass(frozen=True)
class Expected:
    """What some calls are expected to cost: calls, tokens in, at most so many out, and money, None where unknown."""

    calls: int
    tokens_in: int
    most_tokens_out: int
    money: float | None = None
    model: str = ""

    def __add__(self, other: Expected) -> Expected:
        """Both together; of unknown price where either is."""
        money = None if self.money is None or other.money is None else self.money + other.money
        return Expected(
            self.calls + other.calls, self.tokens_in + other.tokens_in, self.most_tokens_out + other.most_tokens_out,
            money, self.model if self.model == other.model else "",
        )  # fmt: skip

    def to_dict(self) -> dict[str, object]:
        """The expectation as plain data."""
        return {
            "model": self.model, "calls": self.calls, "tokens_in": self.tokens_in,
            "most_tokens_out": self.most_tokens_out, "most_money": self.money,
        }  # fmt: skip

    def __str__(self) -> str:
        calls = f"{self.calls} call{'' if self.calls == 1 else 's'}"
        price = "price unknown" if self.money is None else f"up to ${self.money:.4f}"
        return f"{calls}, about {self.tokens_in:,} tokens in, up to {self.most_tokens_out:,} out, {price}"


def expected(asked: Sequence[Request | tuple[int, int]], model: str, base_url: str = "") -> Expected:
    """What requests will cost, given whole or as (tokens of the prompt, limit of the reply).

    >>> print(expected([(1_000, 2_000), (2_000, 2_000)], "ollama:qwen3"))
    2 calls, about 3,000 tokens in, up to 4,000 out, price unknown
    """
    kind, _, name = model.partition(":")
    if kind == "vendor":
        kind, _, name = name.partition(":")
    calls = [(_prompt(call), call.limit) if isinstance(call, Request) else call for call in asked]
    money: float | None = 0.0
    for prompt, limit in calls:
        one = None if elsewhere(kind, base_url) else money_of(kind, name, prompt, limit)
        money = None if money is None or one is None else money + one
    return Expected(len(calls), sum(prompt for prompt, _ in calls), sum(limit for _, limit in calls), money, model)


def money_of(kind: str, model: str, tokens_in: int, tokens_out: int) -> float | None:
    """The price in dollars of so many tokens of a vendor's model; None where it is not known."""
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    usage = Usage(input_tokens=tokens_in, output_tokens=tokens_out)
    try:
        return round(float(calc_price(usage, model, provider_id=kind).total_price), _CENTS)
    except (LookupError, ValueError):
        return None


def price_told(response: ModelResponse) -> float | None:
    """The price by all that the vendor counted, cheaper tokens from its cache included; None where it is not known."""
    try:
        return round(float(response.cost().total_price), _CENTS)
    except (AssertionError, LookupError, ValueError):
        return None


def _prompt(request: Request) -> int:
    sound = sum(len(audio) for message in request.messages for audio in message.audio)
    text = sum(tokens_of(message.text) for message in request.messages)
    return text + sound * _SOUND_TOKENS_A_SECOND // _SOUND_BYTES_A_SECOND


_FAMILIES = {"anthropic": "claude", "google": "gemini", "openai": "gpt"}  # what a vendor calls models that write
_OTHER_TRADES = (
    *("audio", "realtime", "image", "embed", "tts", "transcribe", "search", "instruct", "live", "robotics", "omni"),
    *("preview", "oss", "chat", "computer", "codex", "vision", "exp", "thinking"),
)
_MOST_NAMES = 12


def known_models(vendor: str) -> list[str]:
    """Names of a vendor's models that write texts and whose price is known, the later first; none where nobody knows.

    >>> known_models("nobody")
    []
    """
    try:
        from genai_prices.data import providers
    except ImportError:
        return []
    family = _FAMILIES.get(vendor)
    names = [str(model.id) for known in providers if known.id == vendor for model in known.models]
    fit = [
        name for name in names if family and name.startswith(family) and not any(part in name for part in _OTHER_TRADES)
    ]
    return [f"{vendor}:{name}" for name in sorted(fit, key=_by_number, reverse=True)[:_MOST_NAMES]]


def _by_number(name: str) -> tuple[list[float], int]:
    """How late a model is, by the numbers of its name; of one number the shorter name first."""
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", name)], -len(name)
