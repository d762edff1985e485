"""Words under the music (``w:`` lines), both ways: syllables on notes, and lines for the notes of a block.

Every written note takes a syllable, also one that is tied to the note before it, in the order of the text. A line
after another is the next verse.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.formats.abc.measure import AbcNote
from libretto.formats.abc.text import escape, unescape

__all__ = ["Singing", "words_line"]

_MOST_VERSES = 64
_LONGEST_LINE = 20_000
_LONGEST_SYLLABLE = 200
_TOKEN = re.compile(r"(?P<go>[|*_])|(?P<hyphen>-)|(?P<syllable>(?:\\-|\\u[0-9A-Fa-f]{4}|[^\s|*_-])+)")
_UNFIT = re.compile(r"[\x00-\x20\x7f\x85\u2028\u2029\ud800-\udfff]+")
_SIGNS = {"|": "\\u007c", "*": "\\u002a", "_": "\\u005f", "~": "\\u007e", "-": "\\-", "\t": "~", " ": "~"}


class Singing:
    """The notes of a voice that have no words yet, each with its measure, and the lines that follow them."""

    def __init__(self) -> None:
        self.notes: list[tuple[int, AbcNote]] = []
        self.lines: list[str] = []
        self._first: int | None = None  # the measure with which the block begins
        self._open: set[int] = set()  # verses whose last word goes on

    def go_on(self, text: str) -> None:
        """The last line goes on."""
        if self.lines:
            self.lines[-1] = (self.lines[-1] + " " + text)[:_LONGEST_LINE]

    def align(self, measure: int) -> None:
        """Music goes on with that measure, or is over: the words so far belong to the notes so far."""
        first = measure if self._first is None else self._first
        self._first = measure if self.lines else first
        if not self.lines:
            return
        for verse, line in enumerate(self.lines[:_MOST_VERSES], start=1):
            words = _Verse(self.notes, first, verse in self._open)
            for note, syllable in words.read(line[:_LONGEST_LINE]):
                note.add("lyric", syllable if verse == 1 else f"{verse}:{syllable}")
            self._open = self._open - {verse} | ({verse} if words.open else set())
        self.lines.clear()
        self.notes.clear()


class _Verse:
    """One line of words along its notes."""

    def __init__(self, notes: Sequence[tuple[int, AbcNote]], first: int, goes_on: bool) -> None:
        self._notes = notes
        self._at = 0
        self._measure = first
        self._sung: list[tuple[AbcNote, str]] = []
        self.open = goes_on  # whether the last syllable's word goes on

    def read(self, line: str) -> list[tuple[AbcNote, str]]:
        """The syllables of the line with their notes."""
        end = -1  # of the last syllable
        for token in _TOKEN.finditer(line):
            near = token.start() == end
            end = token.end() if token["syllable"] else -1
            if token["syllable"]:
                self._syllable(token["syllable"])
            elif token["hyphen"]:
                self._hyphen(near)
            elif token["go"] == "|":
                self._bar()
            else:
                if token["go"] == "_" and self._sung and not self.open:
                    self._change("_")
                self._pass()
        return self._sung

    def _pass(self) -> AbcNote | None:
        """The next note, which is passed; None where there is none."""
        if self._at >= len(self._notes):
            return None
        self._measure, note = self._notes[self._at]
        self._at += 1
        return note

    def _syllable(self, text: str) -> None:
        note = self._pass()
        said = _UNFIT.sub(" ", unescape(text.replace("~", " ").replace("\\-", "-"))).strip()[:_LONGEST_SYLLABLE].strip()
        if note is not None and said:
            self._sung.append((note, "-" * self.open + said))
            self.open = False

    def _hyphen(self, near: bool) -> None:
        """A hyphen after a syllable parts the word there; another one passes a note."""
        if near and self._sung and not self.open:
            self._change("-")
            self.open = True
        else:
            self._pass()

    def _change(self, sign: str) -> None:
        note, said = self._sung[-1]
        if not said.endswith(sign):
            self._sung[-1] = (note, said + sign)

    def _bar(self) -> None:
        """Go to the first note of the next measure."""
        self._measure += 1
        while self._at < len(self._notes) and self._notes[self._at][0] < self._measure:
            self._at += 1


def words_line(bars: Sequence[Sequence[str | None]], goes_on: bool) -> str:
    """A line of words for bars of written notes, each with its syllable if it has one.

    ``goes_on`` says that the line before ended inside a word.
    """
    held = "-" if goes_on else ""
    texts = []
    for bar in bars:
        words: list[str] = []
        for syllable in bar:
            if syllable is None:
                words.append(held or "*")
                continue
            last = syllable[-1:] if syllable[-1:] in ("-", "_") and len(syllable) > 1 else ""
            said = syllable[1:] if held == "-" and syllable.startswith("-") and len(syllable) > 1 else syllable
            words.append(_safe(said.removesuffix(last)) + last.replace("_", ""))
            held = last
        while words and words[-1] in ("*", "-"):
            words.pop()
        texts.append(" ".join(words))
    return ("w: " + " | ".join(texts).rstrip(" |")).rstrip()


def _safe(text: str) -> str:
    """A syllable that is read back as it is."""
    return "".join(_SIGNS.get(sign, sign) for sign in escape(text)) or "~"
