"""A Gymnasium environment: a piece is written bar by bar, and every bar earns what it adds to the reward.

The state is the text of the bars so far. An action is the text of the next bar (its voice lines, or its whole block);
with tokens in place of text, it is numbers of a vocabulary that the caller brings. An episode ends with the last bar,
or where a bar cannot be read. The rewards of an episode add up to the reward of the piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters, digits, punctuation
from typing import Any

import numpy as np

from libretto.errors import LibrettoError
from libretto.reward.reading import MOST_BARS
from libretto.reward.weighing import Reward, Terms, reward_of

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError:
    raise LibrettoError("the environment needs Gymnasium: pip install 'libretto[gym]'") from None

__all__ = ["ENV_ID", "BarsEnv", "register"]

ENV_ID = "libretto/Bars-v0"  #: the name under which ``register`` makes it known
_LETTERS = ascii_letters + digits + punctuation + " \n"
_HEADER = "KEY: C major | METER: 4/4 | TEMPO: 120 | GRID: 16th | BARS: {bars}\nVOICES: Lead[prog=73]\n"
_LONGEST_BAR, _LONGEST_TEXT = 2_000, 60_000  # characters of an action, and of a state


class BarsEnv(gymnasium.Env[str, Any]):
    """Bars so far in, the next bar out; see the module for what is rewarded.

    ``header`` is a header and voices, with ``{bars}`` where their number stands. With ``vocabulary`` an action is a
    sequence of numbers of its words, padded with -1 as one likes, which are joined without spaces.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 (as Gymnasium wants it)

    def __init__(
        self,
        bars: int = 16,
        header: str = _HEADER,
        terms: Terms | None = None,
        vocabulary: Sequence[str] | None = None,
        words: int = 64,
        render_mode: str | None = None,
    ) -> None:
        if not 1 <= bars <= MOST_BARS:
            raise LibrettoError(f"bars: {bars} is not within 1 and {MOST_BARS}, the most that are rewarded")
        self.bars, self.header, self.terms, self.render_mode = bars, header, terms, render_mode
        self.vocabulary = tuple(vocabulary) if vocabulary is not None else None
        self.observation_space = spaces.Text(_LONGEST_TEXT, min_length=0, charset=_LETTERS)
        self.action_space: spaces.Space[Any] = (
            spaces.Text(_LONGEST_BAR, min_length=0, charset=_LETTERS)
            if self.vocabulary is None
            else spaces.MultiDiscrete(np.full(words, len(self.vocabulary) + 1), start=np.full(words, -1))
        )
        self._bars: list[str] = []
        self._worth = 0.0

    @property
    def text(self) -> str:
        """The piece so far, as a text that can be read."""
        return self.header.format(bars=len(self._bars)) + "".join(self._bars)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """An empty page."""
        super().reset(seed=seed)
        self._bars, self._worth = [], 0.0
        return self.text, {"bars": 0}

    def step(self, action: Any) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Write a bar: the page, what the bar adds, whether the piece is done, whether it ran out of room."""
        self._bars.append(self._block(action))
        reward = reward_of(self.text, self.terms)
        gained, self._worth = reward.value - self._worth, reward.value
        unread = reward.parts["parses"] == 0.0
        if unread:
            self._bars.pop()
        full = len(self.text) > _LONGEST_TEXT - _LONGEST_BAR
        done = unread or len(self._bars) >= self.bars
        return self.text, float(gained), done, full and not done, self._info(reward)

    def _block(self, action: Any) -> str:
        text = action if isinstance(action, str) else self._spoken(action)
        body = text.strip("\n")
        number = len(self._bars) + 1
        if body.lstrip().startswith("@"):
            return body + "\n"
        return f"@{number} [-]\n" + (body + "\n" if body.strip() else "")

    def _spoken(self, action: Any) -> str:
        if self.vocabulary is None:
            raise LibrettoError(f"an action is the text of a bar, not {type(action).__name__}")
        words = self.vocabulary
        try:
            numbers = [int(number) for number in action]
        except (TypeError, ValueError):
            raise LibrettoError("an action is a sequence of numbers of the vocabulary's words") from None
        return "".join(words[number] for number in numbers if 0 <= number < len(words))

    def _info(self, reward: Reward) -> dict[str, Any]:
        return {"bars": len(self._bars), "value": reward.value, "parts": dict(reward.parts), "why": reward.why}

    def render(self) -> str | None:
        """The page as text."""
        return self.text if self.render_mode == "ansi" else None


def register() -> str:
    """Make the environment known to Gymnasium; its name is given back, for ``gymnasium.make``."""
    if ENV_ID not in gymnasium.registry:
        gymnasium.register(id=ENV_ID, entry_point="libretto.reward.gym:BarsEnv")
    return ENV_ID
