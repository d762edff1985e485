"""A request read: what somebody says about a piece as wishes, with the words that each came from.

Every phrase is understood or given back. A clause says what to do, perhaps whose and where; a clause that says only
whose or where belongs to its neighbour. Word order does not matter inside a clause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from libretto.score import Score
from libretto.tasks.revise.attaching import attach
from libretto.tasks.revise.clause import Clause
from libretto.tasks.revise.cues import Cue, Piece, Word, filler, find_cues, pieces_of, words_of
from libretto.tasks.revise.denying import without_denied
from libretto.tasks.revise.guarding import guarded
from libretto.tasks.revise.making import wishes_of
from libretto.tasks.revise.meanings import sound_meanings, without_titles
from libretto.tasks.revise.part_meanings import keep_meaning, part_meanings
from libretto.tasks.revise.quality_meanings import quality_meaning
from libretto.tasks.revise.scope import Place, Who, find_where, find_who
from libretto.tasks.revise.wish import Wish

__all__ = ["Phrase", "Request", "read_request", "read_wishes"]

#: Kinds whose longer cues hold words that are names or places elsewhere: "off the beat", "the last chord".
_HIDING = (
    "ending", "harmony", "ritardando", "jazz", "plain", "voicing", "start", "syncopation", "laid_back", "busy",
    "variety",
)  # fmt: skip
#: Kinds of wishes that come of asking for one thing, where it is not that one.
_MADE_OF = {"instrument": ("instrument", "double", "mute", "handed")}
_ARTICLE = 6  # characters of a space and a little word before a name
_LONGEST, _MOST = 2_000, 24  # characters that are read, and wishes
_IT = re.compile(r"\b(?:it|that|them|this one)\b", re.I)
_RETRACTED = re.compile(r"\b(?:wait,? no|no,? wait|scratch that|actually,? no|or rather|no,? sorry|i mean)\b", re.I)


@dataclass(frozen=True)
class Phrase:
    """A phrase that was understood: what kind of thing it says (do, where, who, keep), what, and where it stands.

    What is to be done or kept knows whose notes (none for everybody) and which bars it came to be about.
    """

    kind: str
    value: str
    words: str
    start: int
    end: int
    voices: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Request:
    """What some words about a piece were taken to mean, phrase by phrase, and word for word what was not understood."""

    wishes: tuple[Wish, ...]
    heard: tuple[Phrase, ...]
    unread: tuple[str, ...]


def read_wishes(text: str, score: Score) -> tuple[list[Wish], list[str]]:
    """The wishes in some words about a piece, and what was not understood."""
    request = read_request(text, score)
    return list(request.wishes), list(request.unread)


def read_request(text: str, score: Score) -> Request:
    """Read a request about a piece; other languages are read through their tables where there are any."""
    text = text[:_LONGEST]
    english, back = _in_english(text)
    clauses = _clauses(english, score)
    attach(clauses)
    wishes: list[Wish] = []
    heard: list[tuple[int, int, Phrase]] = []
    unread: list[tuple[int, str]] = []
    for clause in clauses:
        made, missing = wishes_of(clause, score)
        wishes += made
        unread += [(clause.start, f"{clause.said} ({why})") for why in missing]
        if not missing or made:
            heard += _phrases(clause, made)
        if not clause.asked and not clause.reason:
            unread += _whole(clause)
        elif not missing:
            unread += _left(clause)
    phrases = tuple(_placed(phrase, text, back) for _, _, phrase in sorted(heard, key=lambda row: row[:2]))
    given_back = [_back_text(said, english, text, back) for _, said in sorted(unread)]
    return Request(tuple(guarded(wishes, score)[:_MOST]), phrases, tuple(given_back))


def _in_english(text: str) -> tuple[str, object]:
    """The text in English words, and what leads back to the text itself."""
    try:
        from libretto.contract import tongues  # type: ignore[attr-defined, unused-ignore]
    except ImportError:
        return text, None
    rendered = tongues.in_english(text)
    return rendered.text, rendered


def _placed(phrase: Phrase, text: str, back: object) -> Phrase:
    """The phrase where it stands in the text as it was said."""
    source = getattr(back, "source", None)
    if source is None:
        return phrase
    start, end = source(phrase.start, phrase.end)
    return replace(phrase, words=text[start:end], start=start, end=end)


def _back_text(said: str, english: str, text: str, back: object) -> str:
    """Words that were not understood, as they were said."""
    source = getattr(back, "source", None)
    plain, _, why = said.partition(" (")
    at = english.find(plain)
    if source is None or at < 0:
        return said
    start, end = source(at, at + len(plain))
    return text[start:end] + (f" ({why}" if why else "")


def _clauses(text: str, score: Score) -> list[Clause]:
    """The clauses of a text with what stands in each, and what each asks for."""
    plain = without_titles(text)
    words = words_of(plain)
    cues, who, places = find_cues(words), find_who(plain, score), find_where(plain, score)
    clauses: list[Clause] = []
    for piece in _coordinated(pieces_of(words), words, cues, [*who, *places]):
        clause = Clause(text, words, piece.first, piece.stop, piece.sentence, piece.joined, score)
        start, end = clause.start, clause.end
        clause.cues = [cue for cue in cues if piece.first <= cue.words[0] < piece.stop]
        clause.who = [one for one in who if start <= one.start < end or (one.start < start < one.end <= end)]
        clause.places = [place for place in places if start <= place.start < end]
        _inherit(clause, clauses)
        _fill(clause)
        clauses.append(clause)
    _retract(clauses, text)
    return clauses


def _coordinated(pieces: list[Piece], words: list[Word], cues: list[Cue], named: Sequence[Who | Place]) -> list[Piece]:
    """Pieces between which "and" only joins two names or two places are one: "just piano and bass"."""
    made: list[Piece] = []
    for piece in pieces:
        last = made[-1] if made else None
        joins = last is not None and piece.joined == "and" and not words[piece.first].hard
        if last is not None and joins and _cuts_through(piece, words, cues, named):
            made[-1] = Piece(last.first, piece.stop, last.sentence, last.joined)
            continue
        if last is not None and joins and _names_both(piece, words, named):
            asks = [any(part.first <= cue.words[0] < part.stop for cue in cues) for part in (last, piece)]
            if not all(asks):
                made[-1] = Piece(last.first, piece.stop, last.sentence, last.joined)
                continue
        made.append(piece)
    return made


def _cuts_through(piece: Piece, words: list[Word], cues: list[Cue], named: Sequence[Who | Place]) -> bool:
    """Whether a cue, a name or a place goes on over the "and" with which a piece begins."""
    at = words[piece.first].start
    return any(one.start < at < one.end for one in named) or any(
        cue.words[0] < piece.first <= cue.words[-1] for cue in cues
    )


def _names_both(piece: Piece, words: list[Word], named: Sequence[Who | Place]) -> bool:
    """Whether somebody, or some place, is named right before an "and" and right after it."""
    after = words[piece.first].end
    ends = {type(one) for one in named if one.end == words[piece.first - 1].end}
    begins = {type(one) for one in named if after < one.start <= after + _ARTICLE}
    return bool(ends & begins)


def _inherit(clause: Clause, earlier: list[Clause]) -> None:
    """Let "it" be the place that stands alone right before: "the third time, play it twice"."""
    last = earlier[-1] if earlier else None
    if last is None or clause.places or clause.who or last.sentence != clause.sentence or not last.places:
        return
    opens = last.opens_with_place and clause.has("lengthen", "shorten")
    if opens or (not last.cues and not last.who and _IT.search(clause.said)):
        clause.places = list(last.places)


def _fill(clause: Clause) -> None:
    """What a clause asks for, and the words that say whose and where."""
    _unmask(clause)
    clause.asked = keep_meaning(clause)
    if clause.asked:
        clause.take(range(clause.first, clause.stop))
        return
    if _is_denied(clause) or without_denied(clause):  # what is not wanted is never done; it is given back
        return
    for meaning in (*sound_meanings, *part_meanings, quality_meaning):
        clause.asked += meaning(clause)
    for who in clause.who:
        clause.take_between(who.start, who.end)
    for place in clause.places:
        clause.take_between(place.start, place.end)


_CHANGING = re.compile(
    r"\b(?:change|alter|touch|modify|move|edit|mess|play around)\b[^.;]*\b(?:not|never)\b"
    r"|\b(?:not|never|no need to)\s+(?:to\s+)?(?:change|alter|touch|modify|edit|mess)",
    re.I,
)


def _is_denied(clause: Clause) -> bool:
    """Whether a clause says that something is not to be changed, in an order of words that no cue knows."""
    return bool(_CHANGING.search(clause.said))


def _unmask(clause: Clause) -> None:
    """Names and places that are only words of a longer cue are none."""
    long = [cue for cue in clause.cues if len(cue.words) > 1 and cue.kind in _HIDING]

    def hidden(start: int, end: int) -> bool:
        inside = {
            i for i in range(clause.first, clause.stop) if clause.words[i].start >= start and clause.words[i].end <= end
        }
        return any(inside and inside <= set(cue.words) for cue in long)

    clause.cues = [cue for cue in clause.cues if not _within_place(clause, cue)]
    clause.who = [who for who in clause.who if not hidden(who.start, who.end)]
    clause.places = [place for place in clause.places if not hidden(place.start, place.end)]


def _within_place(clause: Clause, cue: Cue) -> bool:
    """Whether the words of a cue only say which place is meant: "the second time", "the chorus straight after"."""
    start, end = clause.words[cue.words[0]].start, clause.words[cue.words[-1]].end
    around = [place for place in clause.places if place.start <= start and end <= place.end]
    return cue.kind != "mute" and any(place.end - place.start > end - start for place in around)


def _retract(clauses: list[Clause], text: str) -> None:
    """What somebody takes back in the same breath is not asked for."""
    for match in _RETRACTED.finditer(text):
        for index, clause in enumerate(clauses):
            if clause.start <= match.start() < clause.end:
                for earlier in clauses[max(0, index - 1) : index]:
                    if earlier.sentence == clause.sentence:
                        earlier.asked, earlier.reason = [], True
                clause.take_between(match.start(), match.end())
                clause.reason = True
                clause.asked = [one for one in clause.asked if one.kind != "remove"]


def _phrases(clause: Clause, made: Sequence[Wish]) -> list[tuple[int, int, Phrase]]:
    """The phrases of a clause that were understood."""
    rows: list[tuple[int, int, Phrase]] = []

    def add(kind: str, value: str, start: int, end: int) -> None:
        rows.append((start, end, Phrase(kind, value, clause.text[start:end], start, end)))

    for asked in clause.asked:
        if asked.words:
            start, end = clause.words[min(asked.words)].start, clause.words[max(asked.words)].end
            voices, spans = _scope(asked.kind, made)
            kind = "keep" if asked.kind == "keep" else "do"
            rows.append((start, end, Phrase(kind, asked.value, clause.text[start:end], start, end, voices, spans)))
    if not any(asked.kind == "keep" for asked in clause.asked):
        for who in clause.who:
            add("who", ("not " if who.excluded else "") + who.label, who.start, who.end)
        for place in clause.places:
            add("where", ("not " if place.excluded else "") + (place.value or "whole"), place.start, place.end)
    return rows


def _scope(kind: str, made: Sequence[Wish]) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """The voices and bars of the wishes that came of asking for one thing."""
    mine = [wish for wish in made if wish.quality in _MADE_OF.get(kind, (kind,))]
    voices = dict.fromkeys(name for wish in mine for name in wish.voices)
    return tuple(voices), tuple(dict.fromkeys(span for wish in mine for span in wish.where))


def _left(clause: Clause) -> list[tuple[int, str]]:
    """The words of a clause that nothing was made of, and that say something."""
    return [(start, clause.text[start:end]) for start, end in clause.left]


def _whole(clause: Clause) -> list[tuple[int, str]]:
    """A clause of which nothing was understood, unless it says nothing."""
    if all(clause.words[i].text in filler() for i in range(clause.first, clause.stop)):
        return []
    return [(clause.start, clause.said)]
