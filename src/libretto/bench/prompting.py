"""Prompts for composers in numbers, in the manner of self-instruct: seeds, generation, filtering, deduplication.

A few seeds that people wrote stand at the beginning. New ones come from a model that is shown some of the pool, or from
our own grammar. What is no brief (too short, too long, no music in it, a song to be sung) is left out, and so is what
is too like one that is there already: more than 0.7 by ROUGE-L, as self-instruct has it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from libretto.agents.briefing import brief_by_grammar
from libretto.agents.model.desk import page
from libretto.agents.session import Asked
from libretto.contract import Contract
from libretto.errors import LibrettoError
from libretto.models.client import Message
from libretto.models.ledger import Ledger

__all__ = ["ALIKE", "PromptSet", "attributes_of", "likeness", "make_prompts", "prompts_json", "why_not"]

#: From this likeness (ROUGE-L, F) on two prompts count as one.
ALIKE = 0.7
_FEWEST_WORDS, _MOST_WORDS, _MOST_SIGNS = 6, 140, 1_200
_FEWEST_HEARD = 2  # attributes that a brief must name
_SHOWN, _OWN = 8, 6  # examples on a page, and how many of them at most were seeds: six and two in self-instruct
_AT_ONCE = 8  # prompts that a model is asked for in one call
_TRIES = 40  # candidates of the grammar for every prompt that is wanted
_MOST_CALLS = 5  # times as many calls as there would be if every line were good
_MOST_PROMPTS = 2_000
_LIMIT = 4_000  # tokens of a reply
_ITEM = re.compile(r"^\s*(?:[-*]|\d{1,3}[.)])\s+")
_SUNG = re.compile(r"\b(lyrics?|vocals?|singer|sung|rapper|image|video|in the style of [A-Z])", re.IGNORECASE)
_FULL = "Each names key, tempo, chords, number of bars and instruments."
_BARE = "Each names a genre and a feeling, and leaves key, chords, length and band open."


@dataclass
class PromptSet:
    """Prompts with their attributes, where each came from, and how many candidates were left out for which reason."""

    prompts: list[dict[str, object]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def _words_of(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return re.findall(r"[a-z0-9#]+", text.lower())


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """ROUGE-L between two lists of words: the F of their longest common subsequence.

    >>> likeness("a b c d".split(), "a x c d".split())
    0.75
    """
    if not one or not other:
        return 0.0
    places: dict[str, int] = {}
    for index, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << index
    row = 0  # the bits of the row of the table in which the length grows
    for word in other:
        grown = row | places.get(word, 0)
        row = grown & ~(grown - ((row << 1) | 1))
    return 2 * row.bit_count() / (len(one) + len(other))


def attributes_of(text: str) -> dict[str, str]:
    """What a prompt asks for outright, by name of attribute, as a contract reads it."""
    named: dict[str, list[str]] = {}
    for line in Contract.from_brief(text).heard:
        kind, _, value = line.partition(": ")
        named.setdefault(kind, []).append(value.rpartition(' ("')[0] or value)
    return {kind: ", ".join(dict.fromkeys(values)) for kind, values in named.items()}


def why_not(text: str) -> str:
    """Why a line is no prompt for a composer; empty where it is one."""
    words = _words_of(text)
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or len(text) > _MOST_SIGNS:
        return "too short or too long"
    if _SUNG.search(text):
        return "not for instruments, or after somebody"
    if not text.isprintable():
        return "signs that are no text"
    try:
        heard = attributes_of(text)
    except LibrettoError:
        return "no brief"
    return "" if len([kind for kind in heard if kind != "title"]) >= _FEWEST_HEARD else "asks for too little"


def make_prompts(
    count: int,
    seeds: Sequence[str],
    *,
    ledger: Ledger | None = None,
    abridged: int = 0,
    seed: int = 0,
    with_seeds: bool = False,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> PromptSet:
    """So many prompts, ``abridged`` of them with little said; by a model behind a ledger, or by our own grammar.

    ``with_seeds`` counts the seeds among them. The same seed gives the same prompts.
    """
    if not 1 <= count <= _MOST_PROMPTS or not 0 <= abridged <= count:
        raise LibrettoError(f"1 to {_MOST_PROMPTS:,} prompts can be made, and as many of them abridged at most")
    made = PromptSet()
    pool = [_words_of(text) for text in seeds]
    if with_seeds:
        made.prompts += [_row(text, "seed", False) for text in seeds[:count]]
    for bare in (False, True):
        wanted = min(count, len(made.prompts) + abridged) if bare else count - abridged
        source = _by_model(ledger, seeds, made, bare, seed) if ledger else _by_grammar(bare, seed, count)
        while len(made.prompts) < wanted:
            text = next(source, None)
            if text is None:
                raise LibrettoError(
                    f"only {len(made.prompts)} of {count} prompts passed the filters; more seeds may help"
                )
            words = _words_of(text)
            reason = why_not(text) or _alike(words, pool)
            if reason:
                made.left_out[reason] += 1
                continue
            pool.append(words)
            made.prompts.append(_row(text, "model" if ledger else "grammar", bare))
            step(len(made.prompts), count)
    return made


def _alike(words: Sequence[str], pool: Sequence[Sequence[str]]) -> str:
    """Why a prompt is none for being too like one of a pool; empty where it is not."""
    return "too like another" if any(likeness(words, other) > ALIKE for other in pool) else ""


def _row(text: str, source: str, bare: bool) -> dict[str, object]:
    return {"prompt": text, "source": source, "abridged": bare, "attributes": attributes_of(text)}


def _by_grammar(bare: bool, seed: int, count: int) -> Iterator[str]:
    for number in range(count * _TRIES):
        yield brief_by_grammar(f"{seed} {bare} {number}", abridged=bare).text


def _by_model(ledger: Ledger, seeds: Sequence[str], made: PromptSet, bare: bool, seed: int) -> Iterator[str]:
    """Lines of a model that is shown some seeds and some of its own, call after call."""
    dice = Random(f"prompts {seed} {bare}")
    for call in range(_MOST_PROMPTS * _MOST_CALLS // _AT_ONCE):
        own = [str(row["prompt"]) for row in made.prompts if row["source"] == "model"]
        shown = dice.sample(list(seeds), min(_OWN, len(seeds)))
        shown += dice.sample(own, min(_SHOWN - len(shown), len(own)))
        text = page("prompts", examples="\n".join(shown), count=str(_AT_ONCE), fullness=_BARE if bare else _FULL)
        asked = Asked(kind="prompts", brief=f"{seed} {bare} {call}", voices=("abridged",) if bare else ())
        before = len(made.prompts)
        reply = ledger.ask([Message("user", text)], limit=_LIMIT, purpose=f"prompts {call + 1}", asked=asked)
        for line in reply.text.splitlines()[: 4 * _AT_ONCE]:
            if ":" in line:
                yield _ITEM.sub("", line).strip().strip("`*")
        if len(made.prompts) == before and call >= _MOST_CALLS:
            return


def prompts_json(made: PromptSet) -> bytes:
    """The prompts as a JSON list, as ``bench teams --briefs`` and ``study make --briefs`` read it."""
    return (json.dumps(made.prompts, ensure_ascii=False, indent=1) + "\n").encode()
