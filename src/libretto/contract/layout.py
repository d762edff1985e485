"""How long, in what sections, and how it ends: bars, form and ending in prose.

A number of bars counts for the whole piece unless its words speak of a part of it: a four-bar intro, every eight bars,
the last two bars. Where only lengths of sections are given they add up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from libretto.contract.words import number_of

__all__ = ["Length", "find_bars", "find_ending", "find_form", "find_seconds"]

_DIGIT = "one|two|three|four|five|six|seven|eight|nine"
_TEEN = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_NUMBER = (
    rf"(?:\d{{1,4}}|(?:(?:{_TENS})(?:[- ](?:{_DIGIT}))?"
    rf"|(?:a |one |two )?hundred(?:(?: and)? (?:{_TENS}))?(?:[- ](?:two|four|six|eight))?|{_DIGIT}|{_TEEN}))"
)
_BARS = re.compile(
    rf"(?<![\w./])(?P<first>{_NUMBER})(?:\s?(?:-|–|to|or)\s?(?P<second>{_NUMBER}))?[ \-‑–]{{0,2}}(?:bars?|measures?)\b",
    re.I,
)
_FIELD = re.compile(r"\b(?:bars|measures|length)\s{0,2}[:=]\s{0,2}(\d{1,4})\b(?!\s?(?:s|min|sec))", re.I)
_TOTAL_AFTER = re.compile(r"\s(?:in total|in all|total|long|overall|altogether|in length)\b", re.I)
_CHORUSES = re.compile(rf"(?P<n>{_NUMBER})\s(?:[a-z]+\s)?choruses", re.I)
_PART_BEFORE = re.compile(
    r"(?:every|each|first|last|final|opening|closing|another|after|per|next|in the|for the|previous|in bar|within|"
    r"groups of|units of|phrases of)"
    r"\s+(?:an? )?\Z",
    re.I,
)
_PART_AFTER = re.compile(
    r"(?:[ \-](?:[a-z\-]+ ){0,2}?)(?:phrases?|intro(?:duction)?|outro|verses?|chorus(?:es)?|bridge|solos?|loops?|"
    r"riffs?|sections?|breaks?|"
    r"breakdown|build(?:[- ]?up)?|fills?|motifs?|drop|coda|pre-?chorus|interlude|vamp|tag|turnaround|patterns?|hook|"
    r"ostinato|trade|trades|progression|"
    r"cycle|groove|refrain|ending|strains?|themes?|periods?|units?|segments?|melody|blocks?|lines?|ideas?)\b", re.I
)  # fmt: skip
_LONG_AFTER = re.compile(r"[ \-](?:[a-z\-]+ ){0,2}?(?:melody|theme|progression|groove|pattern|tune|piece)\b", re.I)
_SECTION_AFTER = re.compile(
    r"(?:[ \-](?:[a-z\-]+ ){0,2}?)(?:intro(?:duction)?|outro|verses?|chorus(?:es)?|bridge|solo|interlude|breakdown|"
    r"drop|coda|pre-?chorus|"
    r"refrain|build(?:[- ]?up)?|ending|hook)\b", re.I
)  # fmt: skip
_TWELVE = re.compile(
    r"[ \-](?:[a-z\-]+ ){0,2}?(?:blues|pattern|structure|form|shuffle|sequence|progression|cycle)", re.I
)
_TIMES = re.compile(
    rf"(?:repeat(?:ed|s|ing)?|played|looped|loops?|cycled|heard)\s+(?P<times>{_NUMBER}|twice)(?:\s+times)?|"
    rf"(?:x|×)\s?(?P<x>\d{{1,2}})\b",
    re.I,
)
_TOTAL_BEFORE = re.compile(
    r"(?:over|spanning|spans?|across|lasting|lasts?|total(?:ing)?(?: of)?|length of|long|length:|in|within|"
    r"throughout|about|around|exactly|be)\s*"
    r"(?:an? |about |around |exactly |roughly |approximately |the course of )?\Z",
    re.I,
)
_SECONDS = re.compile(
    rf"(?<![\w.])(?P<n>\d{{1,3}}(?:\.\d)?|{_NUMBER}|an?|half an?)[ \-](?P<half>and a half )?(?P<unit>minutes?|min|"
    rf"seconds?|secs?)\b"
    r"(?! (?:mark|in))",
    re.I,
)
_LETTERS = re.compile(r"(?<![\w])(A[ABCDE'′]{1,9}|A(?:[-–—/ ]?[ABCDE]['′]?){1,9})(?![\w#♯♭'’])")
_FORM_WORD = re.compile(
    r"[\"'”’)]?[ \-](?:song )?(?:form|structure|pattern|format|layout|section|rondo|song|tune|standard)|[\"'”’)]?,? 32",
    re.I,
)
_FORM_BEFORE = re.compile(
    r"(?:form|structure|structured|format|pattern)(?:ed)?(?: is| of| as| should be|:| in)?(?: an?| the)?\s?[\"'“‘(]?\Z",
    re.I,
)
_SECTION = (
    r"(?:intro(?:duction)?|verse|pre-?\s?chorus|post-?\s?chorus|chorus|refrain|bridge|middle eight|"
    r"instrumental(?: break)?|interlude|"
    r"break(?:down)?|build(?:[- ]?up)?|drop|hook|outro|coda|head|solos?|theme|development|exposition|recapitulation|"
    r"trio|minuet|tag|vamp|"
    r"ending)"
)
_SECTION_LIST = re.compile(
    rf"\b(?:(?:two|2|an?|the|three|final|double|short|guitar|sax|piano|big|quiet|instrumental)\s)?{_SECTION}(?:s|"
    rf"es)?(?:\s?\d)?"
    rf"(?:\s{{0,2}}(?:[,\-–—→>/|+]|->|and|then|into|to|followed by|back to|,\s?(?:and|then|followed by))\s{{0,2}}"
    rf"(?:(?:and|then|an?|the|two|2|three|3|final|double|short|guitar|sax|piano|big|quiet|second|last|"
    rf"instrumental)\s){{0,3}}"
    rf"{_SECTION}(?:s|es)?(?:\s?\d)?){{1,15}}\b", re.I
)  # fmt: skip
_SURE = frozenset(
    {
        "intro",
        "verse",
        "pre-chorus",
        "chorus",
        "refrain",
        "bridge",
        "outro",
        "coda",
        "exposition",
        "development",
        "head",
    }
    | {"recapitulation", "drop", "hook", "minuet", "trio", "solo", "breakdown", "build", "interlude", "post-chorus"}
) - {"trio"}
_ONE_SECTION = re.compile(rf"(?:(?P<count>two|2|double|three|3)\s)?(?:[a-z]+\s)?(?P<name>{_SECTION})(?:s|es)?", re.I)
_NAMED_FORMS = (
    (r"\bda capo aria|\bternary\b|\bABA form\b|\bthree[- ]part form", ("A", "B", "A")),
    (r"\brounded binary\b", ("A", "B", "A")),
    (r"\bbinary (?:form|structure)\b|\bin binary\b", ("A", "B")),
    (r"\brondo\b", ("A", "B", "A", "C", "A")),
    (r"\bsonata(?:-allegro)? form\b", ("exposition", "development", "recapitulation")),
    (r"\bminuet and trio\b", ("minuet", "trio", "minuet")),
    (r"\bhead[- ]solos?[- ]head\b", ("head", "solo", "head")),
    (r"\bthirty-two[- ]bar form\b|\b32[- ]bar (?:song )?form\b", ("A", "A", "B", "A")),
    (r"\bverse[- ]chorus (?:form|structure|song)\b", ("verse", "chorus", "verse", "chorus")),
)  # fmt: skip
_ENDINGS = (
    ("fade", r"\bfad(?:e|es|ing)(?:[- ](?:out|away|into silence|to nothing|to silence))|\bfade[- ]?out|gradual fade|"
             r"dies away|dying away|morendo|fades? (?:at|in) the end"),
    ("ritard", r"\britard\w*|\brallentando|\brall\.|\brit\.|slow(?:s|ing)? (?:down )?(?:at|towards|toward|near|"
               r"in) the (?:very )?(?:end|close)|slow(?:s|ing)? down to (?:a|the)"),
    ("picardy", r"\bpicardy|tierce de picardie"),
    ("plagal", r"\bplagal|amen cadence|amen ending"),
    ("deceptive", r"\bdeceptive (?:cadence|ending)"),
    ("open", r"\bhalf cadence|unresolved|cliffhanger|open[- ]ended|ends? on (?:the|a) dominant|hanging chord|"
             r"open ending"),
    ("abrupt", r"\babrupt(?:ly)?(?: ending| end| stop)?|sudden(?:ly)? (?:stop|end)s?|ends? (?:abruptly|suddenly)|"
               r"hard stop|button ending|cold ending|stinger"),
    ("held", r"\bfermata|(?:held|sustained|long) (?:final|last|closing) (?:chord|note)|final (?:chord|"
             r"note) (?:is )?(?:held|sustained|ringing|rings)|(?:hold|let) the (?:final|last) (?:chord|note)"),
    ("big", r"\b(?:big|grand|triumphant|explosive|powerful|climactic|dramatic|epic) (?:finale|finish|ending|"
            r"conclusion|final chord)|ends? with a bang|ends? triumphantly"),
    ("soft", r"\b(?:soft|quiet|gentle|peaceful|calm|delicate) (?:ending|close|conclusion)|ends? (?:softly|quietly|"
             r"gently|peacefully|calmly)"),
    ("cadence", r"\b(?:perfect|authentic|full|final) cadence|resolv(?:e|es|ing) (?:to|on|back to) the tonic|"
                r"ends? on the tonic|strong cadence"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Length:
    """How many bars a brief asks for, and what had to be assumed for it."""

    bars: int
    assumed: str = ""


def find_bars(text: str) -> Length | None:
    """The number of bars of the whole piece, or None where nothing says it.

    >>> find_bars("a four-bar intro, thirty-two bars in all").bars, find_bars("every 4 bars")
    (32, None)
    """
    field = _FIELD.search(text)
    if field and 0 < int(field[1]) <= 2_000:
        return Length(int(field[1]))
    whole: list[tuple[int, int, str]] = []
    sections: list[int] = []
    loops: list[tuple[int, int]] = []
    for match in _BARS.finditer(text):
        count = number_of(match["first"])
        if not count or count > 2_000:
            continue
        before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 40]
        said = ""
        if match["second"] and (second := number_of(match["second"])):
            count, said = (
                max(count, second),
                f"Between {min(count, second)} and {max(count, second)} bars: the longer is taken.",
            )
        if _SECTION_AFTER.match(after) and not _TOTAL_BEFORE.search(before):
            sections.append(count)
        elif count == 12 and _TWELVE.match(after):
            many = _CHORUSES.search(text)
            rounds = (number_of(many["n"]) or 1) if many else 1
            said = "" if many else "A twelve-bar form is played once, 12 bars, as nothing says how often."
            whole.append((2, count * rounds, said))
        elif count >= 12 and _LONG_AFTER.match(after) and not _PART_BEFORE.search(before):
            whole.append((3, count, said))
        elif _PART_BEFORE.search(before) or _PART_AFTER.match(after):
            loops.append((match.end(), count))
        else:
            whole.append((0 if _TOTAL_BEFORE.search(before) or _TOTAL_AFTER.match(after) else 1, count, said))
    times = _TIMES.search(text)
    repeats = _repeats(times)
    if times and repeats and (loops or whole):
        at = [count for _, count in loops] or [whole[0][1]]
        if not whole or not loops:
            return Length(at[0] * repeats, f"{at[0]} bars played {repeats} times make {at[0] * repeats}.")
    if whole:
        best = min(whole, key=lambda one: one[0])
        return Length(best[1], best[2])
    if len(sections) > 1:
        return Length(sum(sections), f"The sections named add up to {sum(sections)} bars.")
    return None


def _repeats(times: re.Match[str] | None) -> int:
    if times is None:
        return 0
    word = times["times"] or times["x"] or ""
    count = 2 if word.lower() == "twice" else number_of(word) or 0
    return count if 1 < count <= 64 else 0


def find_seconds(text: str) -> float | None:
    """How long the piece should last, in seconds, where the brief says so."""
    total = 0.0
    for match in _SECONDS.finditer(text):
        word = match["n"].lower()
        number = 1.0 if word in ("a", "an") else 0.5 if word.startswith("half") else None
        if number is None:
            number = float(word) if word[0].isdigit() else float(number_of(word) or 0)
        number += 0.5 if match["half"] else 0
        total += number * (60 if match["unit"].lower().startswith("min") else 1)
        if not re.match(r"(?: and)? \d", text[match.end() : match.end() + 8]):
            break
    return total if 5 <= total <= 3_600 else None


def find_form(text: str) -> tuple[str, ...]:
    """The sections in order: letters, names, or what a named form stands for; empty where nothing says.

    >>> find_form("in AABA form"), find_form("intro, two verses, chorus and outro")
    (('A', 'A', 'B', 'A'), ('intro', 'verse', 'verse', 'chorus', 'outro'))
    """
    for match in _LETTERS.finditer(text):
        letters = re.findall(r"[A-E]", match[1])
        solid = len(match[1].replace("'", "").replace("′", "")) == len(letters) and len(letters) >= 3
        named = _FORM_WORD.match(text[match.end() : match.end() + 16]) or _FORM_BEFORE.search(
            text[: match.start()][-30:]
        )
        if ("B" in letters or named) and (named or (solid and match[1].isupper())) and len(letters) > 1:
            return tuple(letters)
    longest = max(_SECTION_LIST.finditer(text), key=lambda match: len(match[0]), default=None)
    if longest is not None:
        names = _sections(longest[0])
        if len(set(names)) > 1 and sum(name in _SURE for name in set(names)) > 1:
            return names
    for pattern, form in _NAMED_FORMS:
        if re.search(pattern, text, re.IGNORECASE):
            return form
    return ()


def _sections(text: str) -> tuple[str, ...]:
    names: list[str] = []
    for match in _ONE_SECTION.finditer(text):
        name = re.sub(r"[\s-]+", "-", match["name"].lower())
        name = {"introduction": "intro", "prechorus": "pre-chorus", "solos": "solo", "buildup": "build"}.get(name, name)
        count = {"two": 2, "2": 2, "double": 2, "three": 3, "3": 3}.get((match["count"] or "").lower(), 1)
        names += [name] * count
    return tuple(names[:24])


def find_ending(text: str) -> str:
    """How the piece should end, in one word; empty where nothing says."""
    for word, pattern in _ENDINGS:
        if re.search(pattern, text, re.IGNORECASE):
            return word
    return ""
