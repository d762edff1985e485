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


def moment_signs(score: Score, voice: Voice) -> list[tuple[int, str]]:
    """What is written over a voice, with the ticks where it stands, in order; an end may stand at the piece's end."""
    octaves = any(mark.kind == "clef" and mark.value[-2:-1] in ("+", "-") for mark in voice.marks)
    signs: list[tuple[int, int, str]] = []
    for mark in voice.marks:
        if mark.on_note or mark.tick >= score.ticks:
            continue
        if mark.kind == "clef" and mark.tick:
            text = _usable(voice, mark)
            back = " octave=0" if octaves and text and "octave" not in text else ""
            signs += [(mark.tick, _CLEF, f"[K:{text}{back}]")] * bool(text)
        elif mark.kind == "words":
            signs.append((mark.tick, _WORDS, f'"^{_quoted(mark.value)}"'))
        elif mark.kind == "dynamics" and DYNAMIC.fullmatch(mark.value):
            signs.append((mark.tick, _DYNAMICS, f"!{mark.value}!"))
        elif mark.kind in SPAN_KINDS:
            signs += [(min(at, score.ticks), _OPEN if begins else _CLOSE, text) for at, begins, text in span_ends(mark)]
    return [(tick, text) for tick, _, text in sorted(signs)]


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
