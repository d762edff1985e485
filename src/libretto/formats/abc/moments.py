"""Marks of moments as ABC text: dynamics, hairpins, words and clefs of a voice, and the tempo's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from libretto.formats.abc.clefs import clef_text
from libretto.formats.abc.decorations import DYNAMIC, SPAN_KINDS, span_ends
from libretto.formats.abc.fields import TEMPO_WORDS
from libretto.formats.abc.text import escape
from libretto.score import Score, Voice
from libretto.score.marks import Mark

__all__ = ["first_clef", "moment_signs", "tempo_field", "tempo_words"]

_CLOSE, _CLEF, _WORDS, _DYNAMICS, _OPEN = range(5)  # the order of what stands at one moment
_Sign = tuple[int, int, str]  # where, in which order, and what is written


def moment_signs(score: Score, voice: Voice) -> list[tuple[int, str]]:
    """What is written over a voice, with the ticks where it stands, in order; an end may stand at the piece's end."""
    octaves = any(mark.kind == "clef" and mark.value[-2:-1] in ("+", "-") for mark in voice.marks)
    signs: list[_Sign] = []
    for mark in voice.marks:
        if mark.on_note or mark.tick >= score.ticks:
            continue
        if mark.kind == "clef":
            signs += _clef_signs(voice, mark, octaves)
        elif mark.kind in SPAN_KINDS:
            signs += _span_signs(mark, score.ticks)
        else:
            signs += _plain_signs(mark)
    return [(tick, text) for tick, _, text in sorted(signs)]


def _clef_signs(voice: Voice, mark: Mark, octaves: bool) -> Iterator[_Sign]:
    """A clef inside a voice; ``octaves``: one that moves the sound may stand before it, and is taken back."""
    text = _usable(voice, mark)
    if mark.tick and text:
        back = " octave=0" if octaves and "octave" not in text else ""
        yield mark.tick, _CLEF, f"[K:{text}{back}]"


def _span_signs(mark: Mark, last: int) -> Iterator[_Sign]:
    """Both ends of a stretch, the second no later than the piece's ``last`` tick."""
    for at, begins, text in span_ends(mark):
        yield min(at, last), _OPEN if begins else _CLOSE, text


def _plain_signs(mark: Mark) -> Iterator[_Sign]:
    """Words and dynamics at their moment."""
    if mark.kind == "words":
        yield mark.tick, _WORDS, f'"^{_quoted(mark.value)}"'
    elif mark.kind == "dynamics" and DYNAMIC.fullmatch(mark.value):
        yield mark.tick, _DYNAMICS, f"!{mark.value}!"


def first_clef(voice: Voice) -> str | None:
    """The clef at the beginning of a voice, as its ``V:`` field names it; None where no mark says one."""
    marks = [mark for mark in voice.marks if mark.kind == "clef" and not mark.tick and not mark.on_note]
    return _usable(voice, marks[0]) if marks else None


def _usable(voice: Voice, mark: Mark) -> str:
    """A clef as text; a percussion clef would make drums of a voice that has none."""
    return "" if mark.value == "percussion" and not voice.drums else clef_text(mark.value)


def tempo_words(score: Score) -> dict[int, list[str]]:
    """The words that go with the tempo, by tick."""
    words: dict[int, list[str]] = {}
    for mark in score.marks:
        if mark.kind == "words":
            words.setdefault(mark.tick, []).append(mark.value)
    return words


def tempo_field(words: Sequence[str], tempo: str) -> str:
    """The inside of a ``Q:`` field; ``tempo`` is empty where the words change none."""
    return " ".join((*_texts(words, bool(tempo)), *([tempo] if tempo else [])))


def _texts(words: Sequence[str], timed: bool) -> Iterator[str]:
    for text in words:
        quoted = _quoted(text)
        if not timed and any(word in quoted.lower() for word in TEMPO_WORDS):
            # A word that names a tempo would set one: its letters are written as codes.
            quoted = "".join(f"\\u{ord(sign):04x}" if sign.isascii() and sign.isalpha() else sign for sign in text)
        yield f'"{quoted}"'


def _quoted(text: str) -> str:
    return escape(text).replace("[", "\\u005b").replace("]", "\\u005d")
