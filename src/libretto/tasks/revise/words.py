"""Words to wishes: "the melody is too cheerful, and a darker bridge" as data, by a lexicon and a few rules, no model.

A clause says a quality ("busier", "too loud"), perhaps whose ("the bass") and where ("the bridge", "bars 9-16"). What
is not understood is handed back, never guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from libretto.contract.instruments import find_instruments, instrument_of_program
from libretto.contract.tonality import find_keys
from libretto.score import Score
from libretto.tasks.fill.role_fit import role_of
from libretto.tasks.revise.wish import Wish, qualities

__all__ = ["read_wishes"]

_LONGEST, _MOST = 2_000, 12
_CLAUSE = re.compile(r"[.;,!?\n]+|\bbut\b|\bwhile\b|\bthen\b")
_WORD = re.compile(r"[a-z][a-z'#-]*|\d+")
#: Words that nobody asks for: whoever says them wants the contrary, unless it is "more" of it.
_COMPLAINTS = {
    "mechanical", "robotic", "stiff", "plodding", "dragging", "drags", "sluggish", "shrill", "bland", "boring", "dull",
    "same", "samey", "repetitive", "monotonous", "predictable", "square", "empty", "rushed", "hurried", "hectic",
    "crowded", "notey", "thin", "weak", "choppy", "harsh", "static", "jagged",
}  # fmt: skip
_FLIPS = {"too", "less", "fewer", "overly", "excessively"}
_LITTLE = re.compile(r"\b(?:a bit|a little|slightly|somewhat)\b")
_MUCH = re.compile(r"\b(?:much|far|way|a lot|very|really)\b")
_BARS = re.compile(r"\b(?:bars?|measures?)\s+(\d{1,5})(?:\s*(?:-|–|to|through|and)\s*(\d{1,5}))?")
_STEPS = {
    "half step": 1, "semitone": 1, "whole step": 2, "tone": 2, "step": 2, "minor third": 3, "third": 4, "fourth": 5,
    "fifth": 7,
}  # fmt: skip
_MOVE = re.compile(rf"\b(up|down)\s+(?:by\s+)?(?:a\s+|an\s+|one\s+)?({'|'.join(_STEPS)})\b")
_SWAP = re.compile(
    r"\binstead of\b|\breplace\b|\bswap\b|\bplay(?:ed)?\b.*\b(?:on|by)\b|\bgive\b|\bswitch\b|\bchange\b.*\bto\b"
)
_ROLES = {
    **dict.fromkeys(("melody", "tune", "lead", "theme", "hook", "solo"), "lead"),
    **dict.fromkeys(("bass", "bassline"), "bass"),
    **dict.fromkeys(("drums", "beat", "percussion", "kit", "drummer"), "drums"),
    **dict.fromkeys(("chords", "harmony", "harmonies", "accompaniment", "comping", "backing"), "chords"),
}
_PLACES = {
    **dict.fromkeys(("opening", "beginning", "start", "intro"), "first"),
    **dict.fromkeys(("ending", "end", "outro", "coda", "finish"), "last"),
}
_PARTS = (
    "intro",
    "verse",
    "chorus",
    "refrain",
    "bridge",
    "solo",
    "break",
    "interlude",
    "drop",
    "build",
    "head",
    "outro",
    "coda",
)


@dataclass(frozen=True)
class _Scope:
    voices: tuple[str, ...] | None
    spans: tuple[tuple[int, int], ...]
    missing: str = ""


def read_wishes(text: str, score: Score) -> tuple[list[Wish], list[str]]:
    """The wishes in some words about a piece, and the clauses that were not understood."""
    wishes: list[Wish] = []
    unread: list[str] = []
    carried: tuple[str, ...] | None = None
    for clause in _clauses(text[:_LONGEST].lower()):
        found, scope = _qualities(clause), _scope(clause, score)
        if carried and found and scope.voices is None:
            scope = _Scope(carried, scope.spans, scope.missing)
        special = _special(clause, score, scope)
        carried = scope.voices if not found and not special else None
        if scope.missing:
            unread.append(f"{clause} ({scope.missing})")
            continue
        if special:
            wishes += special
        elif found:
            wishes += [
                Wish(quality, way, _voices(quality, scope, score), first, last, _strength(clause), said=clause)
                for quality, way in found
                for first, last in scope.spans
            ]
        elif len(_WORD.findall(clause)) > 1 or not scope.voices:
            unread.append(clause)
    return wishes[:_MOST], unread


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
    return [
        re.sub(r"^(?:and|also|please|a|the|make|i want|i'd like)\s+", "", each.strip())
        for each in pieces
        if each.strip(" -")
    ]


def _qualities(clause: str) -> list[tuple[str, int]]:
    """The qualities a clause asks for and which way; each once."""
    words = _WORD.findall(clause)
    found: dict[str, int] = {}
    amount = re.search(r"\b(more|many|fewer|less) notes\b", clause)
    if amount:
        many = amount[1] == "more" or (amount[1] == "many" and "too many" not in clause)
        found["busy"] = 1 if many else -1
    for index, word in enumerate(words):
        for quality in qualities().values():
            way = 1 if word in quality.more else -1 if word in quality.less else 0
            if not way or quality.name in found:
                continue
            before = words[max(0, index - 3) : index]
            flips = sum(each in _FLIPS for each in before)
            denied = any(each in ("not", "isn't", "aren't", "never", "no") for each in before)
            if denied and "so" in before and not flips:
                flips = 1
            if word in _COMPLAINTS and not flips and "more" not in before:
                flips = 1
            found[quality.name] = way * (-1 if flips % 2 else 1)
            break
    return list(found.items())


def _strength(clause: str) -> float:
    return 0.5 if _LITTLE.search(clause) else 1.5 if _MUCH.search(clause) else 1.0


def _scope(clause: str, score: Score) -> _Scope:
    """Whose and where: voices None where nobody is named."""
    words = _WORD.findall(clause)
    spans, missing = _spans(clause, words, score)
    voices = []
    for voice in score.voices:
        role = role_of(voice)
        names = {*_WORD.findall(voice.name.lower())}
        if voice.program is not None and not voice.drums:
            names |= {*_WORD.findall(instrument_of_program(voice.program).name)}
        names -= {"electric", "acoustic", "lead", "solo", "section", "ensemble"}
        if role == "bass":
            names &= {"bass", "contrabass", "double"}
        named = any(word in names or word.rstrip("s") in names for word in words)
        if named or any(_plays(role, _ROLES[word]) for word in words if word in _ROLES and not _place(word, clause)):
            voices.append(voice.name)
    if not voices and any(_ROLES.get(word) == "lead" for word in words) and not _place("solo", clause):
        voices = [_top(score)] if _top(score) else []
    return _Scope(tuple(voices) or None, spans, missing)


def _place(word: str, clause: str) -> bool:
    """Whether a word that may be a part is a place here: "in the solo"."""
    return word == "solo" and bool(re.search(r"\b(?:in|during) the solo\b", clause))


def _plays(role: str, wanted: str) -> bool:
    return role == wanted or (wanted == "chords" and role in ("keys", "guitar", "strings"))


def _top(score: Score) -> str:
    """The voice that sounds highest, and mostly one note at a time, where nobody is called the lead."""
    best = [
        (float(voice.array["pitch"].mean()), voice.name)
        for voice in score.voices
        if len(voice.array) and not voice.drums and len(set(voice.array["onset"].tolist())) > 0.7 * len(voice.array)
    ]
    return max(best)[1] if best else ""


def _spans(clause: str, words: list[str], score: Score) -> tuple[tuple[tuple[int, int], ...], str]:
    low, high = score.numbers[0], score.numbers[-1]
    bars = [(int(one), int(two or one)) for one, two in _BARS.findall(clause)]
    if bars:
        if any(not low <= a <= b <= high for a, b in bars):
            return ((low, high),), f"the piece has bars {low}-{high}"
        return tuple(bars), ""
    half = (low + high) // 2
    if "first half" in clause:
        return ((low, half),), ""
    if "second half" in clause:
        return ((half + 1, high),), ""
    sections = _sections(score)
    for word in words:
        mine = [span for label, span in sections if word in _WORD.findall(label.lower())]
        if mine and word in (*_PARTS, *(label.lower() for label, _ in sections)):
            return tuple(mine), ""
    for word in words:
        if word in _PLACES:
            few = (low, min(high, low + 3)) if _PLACES[word] == "first" else (max(low, high - 3), high)
            return (few,), ""
    absent = [word for word in words if word in _PARTS and word not in _ROLES]
    if absent:
        there = ", ".join(dict.fromkeys(label for label, _ in sections)) or "none"
        return ((low, high),), f"there is no {absent[0]}; sections: {there}"
    return ((low, high),), ""


def _sections(score: Score) -> list[tuple[str, tuple[int, int]]]:
    starts = [(tick, label) for tick, label in score.sections]
    found = []
    for index, (tick, label) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else score.ticks
        inside = [n for n, line in zip(score.numbers, score.bar_lines, strict=False) if tick <= line < end]
        if inside:
            found.append((label, (inside[0], inside[-1])))
    return found


def _voices(quality: str, scope: _Scope, score: Score) -> tuple[str, ...]:
    """Whose notes change: the mode and the tempo belong to everybody."""
    if quality == "speed" or scope.voices is None:
        return ()
    if quality == "mood":
        return tuple(voice.name for voice in score.voices if not voice.drums)
    return scope.voices


def _special(clause: str, score: Score, scope: _Scope) -> list[Wish]:
    """Wishes that name what they want: a key, a move, another instrument."""
    low, high = score.numbers[0], score.numbers[-1]
    move = _MOVE.search(clause)
    if move and scope.voices is None:
        steps = _STEPS[move[2]] * (1 if move[1] == "up" else -1)
        return [Wish("key", 1 if steps > 0 else -1, (), low, high, target=f"{steps:+d}", said=clause)]
    swap = _SWAP.search(clause)
    mentions = [each for each in find_instruments(f"for {clause}") if not each.ensemble] if swap else []
    if mentions:
        wanted = mentions[0] if "instead of" in clause else mentions[-1]
        others = _scope(clause.replace(wanted.text, " "), score).voices
        if others and len(others) == 1 and wanted.instrument.program is not None:
            return [Wish("instrument", 1, others, low, high, target=wanted.instrument.name, said=clause)]
    keys = find_keys(clause)
    if keys and not [name for name, _ in _qualities(clause) if name != "mood"]:
        return [Wish("key", 1, (), low, high, target=str(keys[0].key), said=clause)]
    return []
