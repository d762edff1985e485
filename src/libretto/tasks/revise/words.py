"""Words to wishes: "the melody is too cheerful, and a darker bridge" as data, by a lexicon and a few rules, no model.

A clause says a quality ("busier", "too loud"), perhaps whose ("the bass") and where ("the bridge", "bars 9-16"). What
is not understood is handed back, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace

from libretto.contract.instruments import find_instruments
from libretto.contract.tonality import find_keys
from libretto.contract.tongues import in_english
from libretto.score import Score
from libretto.tasks.revise.wish import A_LITTLE, MUCH, WORD, Scope, Wish, qualities, scope_of

__all__ = ["read_wishes"]

_LONGEST, _MOST = 2_000, 12  # characters that are read, and wishes
_CLAUSE = re.compile(r"[.;,!?\n]+|\bbut\b|\bwhile\b|\bthen\b")
#: Words that nobody asks for: whoever says them wants the contrary, unless it is "more" of it.
_COMPLAINTS = {
    "mechanical", "robotic", "stiff", "plodding", "dragging", "drags", "sluggish", "shrill", "bland", "boring", "dull",
    "same", "samey", "repetitive", "monotonous", "predictable", "square", "empty", "rushed", "hurried", "hectic",
    "crowded", "notey", "thin", "weak", "choppy", "harsh", "static", "jagged",
}  # fmt: skip
_FLIPS = {"too", "less", "fewer", "overly", "excessively"}
_LITTLE = re.compile(r"\b(?:a bit|a little|slightly|somewhat)\b")
_MUCH = re.compile(r"\b(?:much|far|way|a lot|very|really)\b")
_STEPS = {
    "half step": 1, "semitone": 1, "whole step": 2, "tone": 2, "step": 2, "minor third": 3, "third": 4, "fourth": 5,
    "fifth": 7,
}  # fmt: skip
_MOVE = re.compile(rf"\b(up|down)\s+(?:by\s+)?(?:a\s+|an\s+|one\s+)?({'|'.join(_STEPS)})\b")
_SWAP = re.compile(
    r"\binstead of\b|\breplace\b|\bswap\b|\bplay(?:ed)?\b.*\b(?:on|by)\b|\bgive\b|\bswitch\b|\bchange\b.*\bto\b"
)
_POLITE = re.compile(r"^(?:and|also|please|a|the|make|i want|i'd like)\s+")
_AMOUNT = re.compile(r"\b(more|many|fewer|less) notes\b")
_DENIALS = ("not", "isn't", "aren't", "never", "no")
_BEFORE = 3  # words before a quality that may turn it round


def read_wishes(text: str, score: Score) -> tuple[list[Wish], list[str]]:
    """The wishes in some words about a piece, and the clauses that were not understood."""
    wishes: list[Wish] = []
    unread: list[str] = []
    carried: tuple[str, ...] | None = None  # voices that a clause names whose wish the next one says
    rendered = in_english(text[:_LONGEST])
    for clause in _clauses(rendered.text.lower()):
        asked, scope = _qualities(clause), scope_of(clause, score)
        if carried and asked and scope.voices is None:
            scope = scope._replace(voices=carried)
        special = _special(clause, score, scope)
        carried = scope.voices if not asked and not special else None
        if scope.missing:
            unread.append(f"{clause} ({scope.missing})")
        elif special or asked:
            wishes += special or _wishes(clause, asked, scope, score)
        elif len(WORD.findall(clause)) > 1 or not scope.voices:
            unread.append(clause)
    said = [replace(wish, said=rendered.own(wish.said)) for wish in wishes[:_MOST]]
    return said, [rendered.own(clause) for clause in unread]


def _wishes(clause: str, asked: list[tuple[str, int]], scope: Scope, score: Score) -> list[Wish]:
    """A wish for every quality that a clause asks for, in all of the bars it names."""
    return [
        Wish(quality, way, _voices(quality, scope, score), first, last, _strength(clause), said=clause)
        for quality, way in asked
        for first, last in scope.spans
    ]


def _clauses(text: str) -> list[str]:
    """The text cut where a new wish may begin; "and" cuts where both sides say something."""
    pieces = []
    for part in _CLAUSE.split(text):
        joined = ""
        for piece in re.split(r"\band\b", part):
            joined = f"{joined} and {piece}".strip() if joined and not _qualities(joined) else piece.strip()
            if _qualities(joined) or _MOVE.search(joined) or _SWAP.search(joined):
                pieces.append(joined)
                joined = ""
        if joined:
            pieces.append(joined)
    return [_POLITE.sub("", piece.strip()) for piece in pieces if piece.strip(" -")]


def _qualities(clause: str) -> list[tuple[str, int]]:
    """The qualities a clause asks for and which way; each once."""
    words = WORD.findall(clause)
    asked: dict[str, int] = {}
    amount = _AMOUNT.search(clause)
    if amount:
        many = amount[1] == "more" or (amount[1] == "many" and "too many" not in clause)
        asked["busy"] = 1 if many else -1
    for index, word in enumerate(words):
        name, way = _meaning(word, asked)
        if way:
            asked[name] = -way if _is_turned(word, words[max(0, index - _BEFORE) : index]) else way
    return list(asked.items())


def _meaning(word: str, asked: Container[str]) -> tuple[str, int]:
    """The first quality that a word is for and was not asked for before, and whether it is more (1) or less (-1)."""
    for quality in qualities().values():
        way = 1 if word in quality.more else -1 if word in quality.less else 0
        if way and quality.name not in asked:
            return quality.name, way
    return "", 0


def _is_turned(word: str, before: list[str]) -> bool:
    """Whether the words before one turn it round: "too loud", "not so loud", or a complaint without "more"."""
    flips = sum(other in _FLIPS for other in before)
    denied = any(other in _DENIALS for other in before)
    if not flips and ((denied and "so" in before) or (word in _COMPLAINTS and "more" not in before)):
        return True
    return flips % 2 == 1


def _strength(clause: str) -> float:
    """How much of a change is wanted; what these are called again is in ``Wish.text``."""
    return A_LITTLE if _LITTLE.search(clause) else MUCH if _MUCH.search(clause) else 1.0


def _voices(quality: str, scope: Scope, score: Score) -> tuple[str, ...]:
    """Whose notes change: the mode and the tempo belong to everybody."""
    if quality == "speed" or scope.voices is None:
        return ()
    if quality == "mood":
        return tuple(voice.name for voice in score.voices if not voice.drums)
    return scope.voices


def _special(clause: str, score: Score, scope: Scope) -> list[Wish]:
    """Wishes that name what they want: a key, a move, another instrument."""
    wish = _move(clause, score, scope) or _swap(clause, score) or _key(clause, score)
    return [wish] if wish else []


def _move(clause: str, score: Score, scope: Scope) -> Wish | None:
    """A wish for the whole piece higher or lower by an interval."""
    move = _MOVE.search(clause)
    if move is None or scope.voices is not None:
        return None
    steps = _STEPS[move[2]] * (1 if move[1] == "up" else -1)
    way = 1 if steps > 0 else -1
    return Wish("key", way, (), score.numbers[0], score.numbers[-1], target=f"{steps:+d}", said=clause)


def _swap(clause: str, score: Score) -> Wish | None:
    """A wish for another instrument in place of that of one voice."""
    if not _SWAP.search(clause):
        return None
    mentions = [mention for mention in find_instruments(f"for {clause}") if not mention.ensemble]
    if not mentions:
        return None
    wanted = mentions[0] if "instead of" in clause else mentions[-1]
    others = scope_of(clause.replace(wanted.text, " "), score).voices
    if not others or len(others) != 1 or wanted.instrument.program is None:
        return None
    name = wanted.instrument.name
    return Wish("instrument", 1, others, score.numbers[0], score.numbers[-1], target=name, said=clause)


def _key(clause: str, score: Score) -> Wish | None:
    """A wish for a key, where the clause asks for nothing else but a mood."""
    keys = find_keys(clause)
    if not keys or any(name != "mood" for name, _ in _qualities(clause)):
        return None
    return Wish("key", 1, (), score.numbers[0], score.numbers[-1], target=str(keys[0].key), said=clause)
