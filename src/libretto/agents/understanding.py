"""What words about a piece mean, asked of a model: for what the lexicon does not know; read strictly, never guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.agents.asked import Asked
from libretto.agents.model.pages import page
from libretto.grammar.mend_lines import fold
from libretto.models.client import Message
from libretto.models.ledger import Ledger
from libretto.score import Score
from libretto.tasks import Wish, qualities

__all__ = ["ask_wishes", "wishes_in"]

_WISH = re.compile(
    r"^[*\-\s`]*WISH +([a-z]+) +(more|less) +voices +(.{1,200}?) +bars +(\d{1,5})(?: *- *(\d{1,5}))?[\s`.]*$"
)
_MOST_LINES, _MOST_WISHES = 60, 8


def ask_wishes(ledger: Ledger, words: Sequence[str], piece: Score) -> list[Wish]:
    """The wishes that a model reads from words; none where it says nothing that can be read."""
    said = "; ".join(words)
    text = page(
        "wishes",
        qualities=", ".join(f"{each.name} ({each.called[0]}; less: {each.called[1]})" for each in qualities().values()),
        bars=str(piece.bars),
        voices=", ".join(voice.name for voice in piece.voices),
        sections=", ".join(f"{label} from bar {_bar(piece, tick)}" for tick, label in piece.sections) or "none",
        words=said,
    )
    asked: dict[str, object] = dict(Asked(kind="review", role="wishes", base=piece))
    reply = ledger.ask([Message("user", text)], limit=400, purpose="wishes", asked=asked, temperature=0.0)
    return wishes_in(reply.text, piece, said)


def _bar(piece: Score, tick: int) -> int:
    return max(number for number, line in zip(piece.numbers, piece.bar_lines, strict=False) if line <= tick)


def wishes_in(text: str, piece: Score, said: str = "") -> list[Wish]:
    """The wishes in a reply that speak of bars and voices the piece has; all other lines are left out."""
    names = {fold(voice.name): voice.name for voice in piece.voices}
    found = []
    for line in text[:20_000].splitlines()[:_MOST_LINES]:
        match = _WISH.match(line)
        if not match or match[1] not in qualities():
            continue
        first, last = int(match[4]), int(match[5] or match[4])
        voices = [] if fold(match[3]) == "all" else [names.get(fold(each), "") for each in match[3].split(",")]
        if not piece.numbers[0] <= first <= last <= piece.numbers[-1] or "" in voices:
            continue
        found.append(Wish(match[1], 1 if match[2] == "more" else -1, tuple(voices), first, last, said=said[:200]))
    return found[:_MOST_WISHES]
