"""What a draft, a call or a run cost; costs add up."""

from __future__ import annotations

from dataclasses import asdict, dataclass

__all__ = ["Cost"]


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

    def to_dict(self) -> dict[str, float]:
        """The cost as plain data."""
        return asdict(self)
