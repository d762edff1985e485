"""A text in English words, by the table of its language, with the place in the original of every word."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from libretto.contract.progression import find_progressions
from libretto.contract.tongues.detection import language_of
from libretto.contract.tongues.order import CONNECTORS, GAP, UNKNOWN, Piece, in_english_order
from libretto.contract.tongues.tables import ENGLISH, METER, NUMBER, Entry, Language, languages
from libretto.contract.tongues.text import Word, is_joint, words_of_text

__all__ = ["Rendered", "in_english"]

_REACH = 14  # words after the first part of a phrase in which its second part is looked for
_SHORTEST_PART, _LONGEST_COMPOUND = 3, 48  # letters
_LOOSE = frozenset({"function", "opening", "verbs"})  # groups whose words are no parts of compounds
_QUOTED = re.compile(r'«[^«»\n]{1,120}»|„[^„“”\n]{1,120}[“”]|“[^“”\n]{1,120}”|"[^"\n]{1,120}"|»[^«»\n]{1,120}«')
_MARKED = re.compile(r"(?<![^\W_])([A-Ha-h])(is|es|s)?(['’]{1,4})(?![^\W_'’])")
_SENTENCE = re.compile(r"(?:\A|[.!?:\n])[\s\"«„“¡¿(]*\Z")
_STOP = re.compile(r"[.;:!?\n]")
_MIDDLE_OCTAVE = 3  # of a note without a mark: c' is C4
_BEFORE = 8  # characters before a word in which a sentence may begin


@dataclass(frozen=True)
class Rendered:
    """A text in English words: the language it was in, and where its words come from."""

    text: str
    language: str
    original: str
    pieces: tuple[Piece, ...] = ()
    starts: tuple[int, ...] = ()

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original that a stretch of the rendering comes from.

        >>> rendered = in_english("Eine traurige Ballade")
        >>> rendered.text, rendered.original[slice(*rendered.source(2, 5))]
        ('A sad ballad', 'traurige')
        """
        start, end = max(0, min(start, len(self.text))), max(0, min(end, len(self.text)))
        if not self.pieces:
            return start, end
        first = max(0, bisect_right(self.starts, start) - 1)
        last = max(first, bisect_right(self.starts, max(start, end - 1)) - 1)
        spans = [self._span(at, start, end) for at in range(first, last + 1)]
        return min(one for one, _ in spans), max(two for _, two in spans)

    def _span(self, at: int, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original of as much of a piece as lies between two places."""
        piece = self.pieces[at]
        if not piece.same:
            return piece.start, piece.end
        low, high = (min(max(place - self.starts[at], 0), len(piece.text)) for place in (start, end))
        return piece.start + low, piece.start + max(low, high)

    def own(self, words: str) -> str:
        """Words of the rendering as the person said them; words that are not in it stay as they are."""
        if not self.pieces or not words.strip():
            return words
        at = self.text.find(words)
        if at < 0 and len(self.text.lower()) == len(self.text):
            at = self.text.lower().find(words.lower())
        return words if at < 0 else self.original[slice(*self.source(at, at + len(words)))]


def in_english(text: str) -> Rendered:
    """A text in the English words that its language's table has for it; English and unknown texts as they are.

    What stands in quotes, chord progressions and words that the table does not know stay as they are.
    """
    words = words_of_text(text)
    quotes = [match.span() for match in _QUOTED.finditer(text)]
    quoted = _mask(text, quotes)
    code = language_of([word for word in words if not quoted[word.start]])
    if code == ENGLISH:
        return Rendered(text, ENGLISH, text)
    language = languages()[code]
    kept = _mask(text, quotes + [(run.start, run.end) for run in find_progressions(text)])
    pieces = in_english_order(_pieces(text, words, kept, language), language)
    return _joined(text, code, [piece for piece in pieces if piece.text])


def _joined(text: str, code: str, pieces: Sequence[Piece]) -> Rendered:
    starts, at = [], 0
    for piece in pieces:
        starts.append(at)
        at += len(piece.text)
    return Rendered("".join(piece.text for piece in pieces), code, text, tuple(pieces), tuple(starts))


def _mask(text: str, spans: Sequence[tuple[int, int]]) -> bytearray:
    """For every place of a text whether it lies in one of the stretches."""
    mask = bytearray(len(text))
    for start, end in spans:
        mask[start:end] = b"\x01" * (end - start)
    return mask


def _pieces(text: str, words: list[Word], kept: bytearray, language: Language) -> list[Piece]:
    """The text cut into phrases, unknown words, and what stands between them."""
    marked = _marked(text) if language.pitches else {}
    matcher = _Matcher(text, words, [bool(kept[word.start]) for word in words], language)
    pieces: list[Piece] = []
    at = place = 0
    while at < len(words):
        word = words[at]
        pieces.append(Piece(text[place : word.start], place, word.start, GAP, same=True))
        if word.start in marked:
            piece, at = marked[word.start], at + 1
        else:
            piece, at = matcher.piece(at)
        pieces.append(piece)
        place = piece.end
    pieces.append(Piece(text[place:], place, len(text), GAP, same=True))
    return _spaced(pieces)


def _marked(text: str) -> dict[int, Piece]:
    """Pitches with marks for their octave, such as c' and fis'', by where they stand."""
    pieces = {}
    for match in _MARKED.finditer(text):
        letter = {"B": "Bb", "H": "B"}.get(match[1].upper(), match[1].upper())
        sign = {None: "", "is": "#"}.get(match[2], "b")
        pitch = f"{letter}{sign}{_MIDDLE_OCTAVE + len(match[3])}"
        pieces[match.start()] = Piece(pitch, match.start(), match.end(), "pitches")
    return pieces


def _spaced(pieces: list[Piece]) -> list[Piece]:
    """Phrases parted by a space where an apostrophe or a hyphen joined them, and no space left around what is gone."""
    spaced: list[Piece] = []
    for at, piece in enumerate(pieces):
        inside = piece.group == GAP and 0 < at < len(pieces) - 1
        gap = _gap(piece, pieces[at - 1], pieces[at + 1]) if inside else piece
        gone = inside and not gap.text.strip() and not (pieces[at - 1].text and pieces[at + 1].text)
        if gone and (not pieces[at + 1].text or not spaced or spaced[-1].group == GAP):
            continue
        if gap.text:
            spaced.append(gap)
    return spaced


def _gap(piece: Piece, before: Piece, after: Piece) -> Piece:
    """What stands between two pieces: a space for a joint between two phrases, or after one that is elided."""
    joins = piece.text.strip() and is_joint(piece.text) and not (before.same or after.same)
    elided = piece.text in ("'", "’") and not before.same
    return Piece(" ", piece.start, piece.end, GAP) if joins or elided else piece


class _Matcher:
    """Finds the longest phrase of a language at every word of a text."""

    def __init__(self, text: str, words: list[Word], kept: list[bool], language: Language) -> None:
        self.text, self.words, self.kept, self.language = text, words, kept, language
        self.longest = language.longest
        self.tails: dict[int, tuple[int, str]] = {}  # second parts that are waited for: last word, English

    def piece(self, at: int) -> tuple[Piece, int]:
        """The phrase or word at a place, and the place after it."""
        word = self.words[at]
        if self.kept[at]:
            return self._as_it_is(word), at + 1
        if at in self.tails:
            last, english = self.tails.pop(at)
            return Piece(english, word.start, self.words[last].end, "particles"), last + 1
        for count in range(self._most(at), 0, -1):
            found = self._phrase(at, count)
            if found:
                return found, at + count
        english = _compound(word.plain, self.language)
        if english:
            return Piece(self._cased(english, word), word.start, word.end, "compounds"), at + 1
        return self._as_it_is(word), at + 1

    def _as_it_is(self, word: Word) -> Piece:
        return Piece(self.text[word.start : word.end], word.start, word.end, UNKNOWN, same=True)

    def _most(self, at: int) -> int:
        """How many words from here on could be one phrase."""
        most = 1
        while most < self.longest and at + most < len(self.words):
            one, two = self.words[at + most - 1], self.words[at + most]
            if self.kept[at + most] or at + most in self.tails or not is_joint(self.text[one.end : two.start]):
                break
            most += 1
        return most

    def _phrase(self, at: int, count: int) -> Piece | None:
        """The phrase of so many words that stands here."""
        words = self.words[at : at + count]
        said, accented = tuple(word.plain for word in words), tuple(word.exact for word in words)
        for entry in self.language.parted.get(accented, ()):
            tail = self._tail(at + count, entry)
            if tail is not None:
                self.tails[tail] = (tail + len(entry.tail) - 1, entry.late)
                return self._rendered(entry.english, words, entry.group)
        entry_here, numbers = self._entry(accented, said)
        if entry_here is None:
            return None
        english = entry_here.english
        for number in numbers:
            english = english.replace(METER if "/" in number else NUMBER, number, 1)
        return self._rendered(english, words, entry_here.group)

    def _entry(self, accented: tuple[str, ...], said: tuple[str, ...]) -> tuple[Entry | None, list[str]]:
        """The entry for words with their accents, without them, or with numbers in them; and those numbers."""
        entry = self.language.accented.get(accented) or self.language.phrases.get(said)
        numbers = [word for word in said if word[0].isdigit()]
        if entry is not None or not numbers:
            return entry, []
        shape = tuple(word if word not in numbers else METER if "/" in word else NUMBER for word in said)
        return self.language.phrases.get(shape), numbers

    def _rendered(self, english: str, words: Sequence[Word], group: str) -> Piece:
        return Piece(self._cased(english, words[0]), words[0].start, words[-1].end, group)

    def _cased(self, english: str, word: Word) -> str:
        """English with a capital where the word has one at the head of a sentence."""
        if not english or not self.text[word.start].isupper():
            return english
        heads = _SENTENCE.search(self.text[max(0, word.start - _BEFORE) : word.start])
        heads = heads if word.start <= _BEFORE or (heads and heads[0].strip()) else None
        return english[0].upper() + english[1:] if heads else english

    def _tail(self, at: int, entry: Entry) -> int | None:
        """Where the second part of a phrase begins, in the same clause and not far; None where it does not come.

        A particle that is a word of its own as well counts only at the end of a clause.
        """
        tail = entry.tail
        particle = not (entry.english and entry.late) and tail in self.language.phrases
        for place in range(at, min(at + _REACH, len(self.words) - len(tail) + 1)):
            if _STOP.search(self.text, self.words[place - 1].end, self.words[place].start):
                return None
            if self.words[place].plain != tail[0] or (particle and not self._closes(place + len(tail))):
                continue
            if tuple(word.plain for word in self.words[place : place + len(tail)]) == tail:
                return place if place not in self.tails and not self.kept[place] else None
        return None

    def _closes(self, at: int) -> bool:
        """Whether a clause ends before the word at a place."""
        if at >= len(self.words):
            return True
        following = self.language.phrases.get((self.words[at].plain,))
        gap = self.text[self.words[at - 1].end : self.words[at].start]
        return not is_joint(gap) or bool(following and following.english in CONNECTORS)


def _compound(word: str, language: Language) -> str:
    """A compound in English, its two parts both known; empty where it is none."""
    if not language.links or not 2 * _SHORTEST_PART <= len(word) <= _LONGEST_COMPOUND:
        return ""
    for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
        last = language.phrases.get((word[cut:],))
        if last is None or last.group in _LOOSE or not last.english:
            continue
        for link in language.links:
            first = language.phrases.get((word[: cut - len(link)],)) if word[:cut].endswith(link) else None
            if first and first.english and first.group not in _LOOSE and cut - len(link) >= _SHORTEST_PART:
                return f"{first.english} {last.english}"
    return ""
