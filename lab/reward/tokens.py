"""The grammar's own tokens: a text in pieces, each of which stands for something, and back to the same text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

__all__ = ["END", "KINDS", "PAD", "START", "Vocabulary", "kind_of", "prompt_length", "split"]

PAD, START, END = "<pad>", "<start>", "<end>"
_PIECES = re.compile(
    r"KEY: [^|\n]+|METER: \S+|TEMPO: \S+|GRID: [^|\n]+|BARS: \d+|VOICES: |\w+\[prog=\d+\]"
    r"| ?\+?[A-G][#b]*-?\d+(?=[@+])|@\d+|>\d+| \[[^\]\n]*\]| \([^)\n]*\)|\n  \w+ *:|\n|\| |, |."
)


def split(text: str) -> list[str]:
    """A text in tokens; joined they are the text again.

    >>> split("@1 [D]\\n  Tune: D5@1>2")
    ['@1', ' [D]', '\\n  Tune:', ' D5', '@1', '>2']
    """
    return _PIECES.findall(text)


#: Kinds of tokens, each by what it looks like; the first that fits.
KINDS = tuple(
    re.compile(pattern)
    for pattern in (
        r"<pad>", r"<start>", r"<end>", r"KEY:", r"METER:", r"TEMPO:", r"GRID:", r"BARS:", r"VOICES:", r"\w+\[prog",
        r" ?[A-G][#b]*-?\d", r" ?\+", r"@", r">", r" \[", r" \(", r"\n  ", r"\n", r"\|", r", ", r"",
    )
)  # fmt: skip


def kind_of(token: str) -> int:
    """Which kind a token is.

    >>> kind_of(" D5") == kind_of("Bb3") != kind_of("@5")
    True
    """
    return next(number for number, pattern in enumerate(KINDS) if pattern.match(token))


def prompt_length(tokens: Sequence[str]) -> int:
    """How many tokens of a text are its header and voices: what a model is given."""
    breaks = [number for number, token in enumerate(tokens) if token.startswith("\n")]
    return breaks[1] + 1 if len(breaks) > 1 else len(tokens)


@dataclass(frozen=True)
class Vocabulary:
    """Tokens by number; the first three are padding, the start and the end."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]], least: int = 1) -> Vocabulary:
        """All tokens that texts have, the commonest first."""
        counts = Counter(token for text in texts for token in text)
        ranked = sorted((word for word, count in counts.items() if count >= least), key=lambda w: (-counts[w], w))
        return cls((PAD, START, END, *ranked))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each token."""
        return {word: number for number, word in enumerate(self.words)}

    def encode(self, tokens: Sequence[str]) -> list[int]:
        """Tokens as numbers."""
        return [self.numbers[token] for token in tokens]

    def decode(self, numbers: Iterable[int]) -> str:
        """Numbers as a text, up to the end."""
        words = []
        for number in numbers:
            word = self.words[number]
            if word == END:
                break
            if word not in (PAD, START):
                words.append(word)
        return "".join(words)
