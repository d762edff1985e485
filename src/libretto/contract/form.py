"""Form: the sections of a piece in order, or the choruses that it goes round in.

A form is letters (``AABA``), names of sections, or a name that musicians know. Which forms of choruses there are stands
in a table beside this file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from libretto.contract.words import Found, number_of, rows_of

__all__ = ["ChorusForm", "chorus_forms", "find_chorus_form", "find_form", "is_sung_again", "verse_again"]

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
    r"break(?:down)?|build(?:[- ]?up)?|"
    r"drop(?!s?\s(?:to|out|away|down|back|in|into|off|by|the)\b)|hook|outro|coda|head|solos?|theme|development|exposition|recapitulation|"
    r"trio|minuet|tag|vamp|riff|"
    r"ending(?!\s(?:in|on|with|by|the|an?|softly|quietly)\b))"
)
_TIMES = r"(?:\s?\d(?![\d-])|\s?\(?(?:x\s?[2-4]|[2-4]\s?x|twice|two times|three times)\)?)?"
_ADJECTIVE = (
    r"(?:two|2|2x|an?|the|three|3|final|double|short|long|guitar|sax|piano|big|quiet|instrumental|second|"
    r"last|first|another)"
)
_SECTION_LIST = re.compile(
    rf"\b(?:{_ADJECTIVE}\s)?{_SECTION}(?:s|es)?{_TIMES}"
    rf"(?:(?:\s{{0,2}}(?:[,\-–—→>/|+]|->|and|then|into|to|followed by|back to|,\s?(?:and|then|followed by))\s{{0,2}}|"
    rf"\s)"
    rf"(?:(?:and|then|{_ADJECTIVE})\s){{0,3}}"
    rf"{_SECTION}(?:s|es)?{_TIMES}){{1,23}}(?!\w)", re.I
)  # fmt: skip
_KINDS_ALONE = re.compile(
    rf"{_SECTION}(?:s|es)? and {_SECTION}(?:s|es)?", re.I
)  # which a piece has, as often as it may
_JOINED = re.compile(r"[,\-–—→>/|+]|\b(?:and|then|into|to|followed|back)\b", re.I)
_INNER = ("solo",)  # with which no piece begins: words that do tell of its end only
_LONG_ENOUGH = 3  # sections that are a form where nothing stands between them
# Names that speak of a section wherever they stand; others (a theme, a tag) may mean something else.
_SURE = frozenset(
    {"intro", "verse", "pre-chorus", "chorus", "post-chorus", "refrain", "bridge", "interlude", "breakdown", "build"}
    | {"drop", "hook", "solo", "outro", "coda", "head", "exposition", "development", "recapitulation", "minuet"}
)
_ONE_SECTION = re.compile(
    rf"(?:(?P<count>two|2|2x|double|three|3)\s)?(?P<name>{_SECTION})(?:s|es)?(?:\s?\(?(?P<times>x\s?[2-4]|[2-4]\s?x|"
    rf"twice|two times|three times)\)?)?",
    re.I,
)
_NAMED_FORMS = (
    (r"\bda capo aria|\bternary\b|\bABA form\b|\bthree[- ]part form", ("A", "B", "A")),
    (r"\brounded binary\b", ("A", "B", "A")),
    (r"\bbinary (?:form|structure)\b|\bin binary\b", ("A", "B")),
    (
        r"\bA[- ](?:part|section|strain)\b[^.;]{0,30}\bB[- ](?:part|section|strain)\b[^.;]{0,24}\b(?:twice|repeated)\b|"
        r"\b(?:two|2) (?:[\w-]+ )?(?:parts|tunes|sections|strains|halves|bits),? (?:and )?(?:each|both|"
        r"every one)(?: of (?:which|them))?"
        r"(?: is| are| gets?| to be)? (?:played )?(?:repeated|twice|two times|done twice)|\b(?:each|both) (?:part|half|"
        r"strain|section|tune|halves|parts|strains|sections|tunes)(?: is| are| gets?)? (?:played |done )?(?:twice|"
        r"repeated|"
        r"two times)|\brepeat (?:each|both) (?:part|half|strain|section|halves|parts|strains|sections)\b",
        ("A", "A", "B", "B"),
    ),
    (
        r"\b(?:two|2) (?:repeated|repeating|twice[- ]played) (?:[\w-]+ )?"
        r"(?:parts|tunes|sections|strains|halves|periods)\b",
        ("A", "A", "B", "B"),
    ),
    (r"\brondo\b|\b(?:three|3) parts?,? (?:that )?(?:always )?(?:coming|going|returning|comes?|goes) back (?:always )?"
     r"to the first", ("A", "B", "A", "C", "A")),
    *(
        (rf"\b(?:{n}) (?:[\w-]+ )?verses,? (?:with|and|plus) (?:a |the )?(?:(?!then)[\w-]+ )?(?:chorus|refrain)\b"
         r"(?! at)", ("verse", "chorus") * count)
        for n, count in (("two|2", 2), ("three|3", 3), ("four|4", 4))
    ),
    (r"\brondeau\b", ("A", "B", "A", "C", "A")),
    (r"\bsonata(?:-allegro)? form\b", ("exposition", "development", "recapitulation")),
    (r"\bhead[- ]solos?[- ]head\b", ("head", "solo", "head")),
    (r"\bthirty-two[- ]bar form\b|\b32[- ]bar (?:song )?form\b", ("A", "A", "B", "A")),
)  # fmt: skip
_VERSES = r"(?P<n>two|three|four|2|3|4) (?:[\w-]+ )?verses\b"
_CHORUSED = re.compile(  # verses with a chorus after each
    r"\bverse[-/ ](?:and[- ])?chorus (?:form|structure|song|format|layout)\b|"
    rf"\b{_VERSES.replace('<n>', '<after>')}[^.;!?]{{0,50}}?\b(?:chorus|refrain|hook)\b[^.;!?]{{0,24}}?"
    rf"\b(?:after|following|between) (?:each|every|them)\b|"
    rf"\b{_VERSES.replace('<n>', '<each>')},? (?:each|all|every one)(?: of (?:them|which))? (?:is |are )?"
    rf"(?:followed by|ending with|leading (?:in)?to) (?:a|the|its) (?:[\w-]+ )?(?:chorus|refrain)\b",
    re.I,
)
_BRIDGE_LATE = re.compile(
    r"\b(?:bridge|middle eight)\b[^.;!?]{0,20}\b(?:before|into|leading to) (?:the |a )?(?:final|last)", re.I
)
_ALTERNATE = re.compile(r"\b(two|three|2|3) verses,? (?:and )?(two|three|2|3) choruses\b", re.I)
_PAIR_AGAIN = re.compile(r"\brepeat(?:s|ing|ed)? (?:the |both )?verses? (?:and|/|&) (?:the )?chorus\b", re.I)
_SONATA = re.compile(r"\bsonata(?:-allegro)? form\b", re.I)  # of which a text may name some sections only
_A_SIZE = r"[A-E]['′]?\s?\(\d{1,2}(?: bars)?\)"
_SIZED = re.compile(rf"\bA['′]?\s?\(\d{{1,2}}(?: bars)?\)(?:[,\s|-]+{_A_SIZE}){{1,9}}")
_SOLID = 3  # letters in a row that are a form without being called one
_SAME_SECTION = {"introduction": "intro", "prechorus": "pre-chorus", "solos": "solo", "buildup": "build"}
_HOW_MANY = {"two": 2, "2": 2, "2x": 2, "double": 2, "three": 3, "3": 3, "twice": 2, "two times": 2, "three times": 3}
_MOST_SECTIONS = 24
_NOT_RHYTHM_AND = r"(?<!\band )(?<!& )"


def find_form(text: str) -> Found[tuple[str, ...]] | None:
    """The sections in order: letters, names, or what a named form stands for; None where nothing says.

    >>> find_form("in AABA form").value, find_form("intro, two verses, chorus and outro").value
    (('A', 'A', 'B', 'A'), ('intro', 'verse', 'verse', 'chorus', 'outro'))
    """
    sonata = _named_form(text) if _SONATA.search(text) else None
    return (
        sonata
        or _sized_form(text)
        or _lettered_form(text)
        or _chorused_form(text)
        or _listed_form(text)
        or _named_form(text)
    )


def _chorused_form(text: str) -> Found[tuple[str, ...]] | None:
    """Verses with a chorus after each, and a bridge before a last chorus where one is told."""
    match = _CHORUSED.search(text)
    if match is None:
        return None
    count = number_of(match["after"] or match["each"] or "") or 2
    late = ("bridge", "chorus") if _BRIDGE_LATE.search(text, match.start()) else ()
    return Found((*("verse", "chorus") * count, *late), match.start(), match.end(), 0, 0)


def _sized_form(text: str) -> Found[tuple[str, ...]] | None:
    """Letters with their lengths: ``A (8), B (8), A' (8)``."""
    sized = _SIZED.search(text)
    letters = tuple(re.findall(r"\b([A-E])['′]?\s?\(", sized[0])) if sized else ()
    return Found(letters, sized.start(), sized.end(), 0, 0) if sized else None


def _lettered_form(text: str) -> Found[tuple[str, ...]] | None:
    form: tuple[str, ...] = ()
    start = end = 0
    for match in _LETTERS.finditer(text):
        letters = re.findall(r"[A-E]", match[1])
        if not form and _has_gaps(letters):
            continue
        solid = _is_solid(match[1], letters)
        after, before = text[match.end() : match.end() + 16], text[: match.start()][-30:]
        named = bool(_FORM_WORD.match(after) or _FORM_BEFORE.search(before))
        counts = len(letters) > 1 and (named or (solid and "B" in letters))
        if form and not (solid and re.fullmatch(r"[ ,/-]{1,3}", text[end : match.start()])):
            break
        if counts or form:
            start = start if form else match.start()
            form, end = (*form, *letters), match.end()
    return Found(form[:_MOST_SECTIONS], start, end, 0, 0) if form else None


def _is_solid(words: str, letters: list[str]) -> bool:
    """Whether letters stand close together, as those of a form do that is not called one."""
    return len(words.replace("'", "").replace("′", "")) == len(letters) >= _SOLID and words.isupper()


def _has_gaps(letters: list[str]) -> bool:
    """Whether letters are chords: a form has no D without B and C."""
    return set(letters) != set("ABCDE"[: len(set(letters))])


def _listed_form(text: str) -> Found[tuple[str, ...]] | None:
    lists = [match for match in _SECTION_LIST.finditer(text) if not _KINDS_ALONE.fullmatch(match[0])]
    longest = max(lists, key=lambda match: len(match[0]), default=None)
    names = _sections(_ALTERNATE.sub(_by_turns, longest[0])) if longest else ()
    if longest is None or len(set(names) & _SURE) < 2 or names[0] in _INNER:
        return None
    if len(names) < _LONG_ENOUGH and not _JOINED.search(longest[0].replace("pre-", "").replace("post-", "")):
        return None
    names = verse_again(names) or names if is_sung_again(text, names) else names
    return Found(names, longest.start(), longest.end(), 0, 0)


def verse_again(names: tuple[str, ...]) -> tuple[str, ...]:
    """Sections with their verse and chorus once more; none where there are no such.

    >>> verse_again(("intro", "verse", "chorus"))
    ('intro', 'verse', 'chorus', 'verse', 'chorus')
    """
    pair = ("verse", "chorus")
    at = next((place for place in range(len(names)) if names[place : place + 2] == pair), -1)
    return (*names[: at + 2], *pair, *names[at + 2 :]) if at >= 0 else ()


def is_sung_again(text: str, names: tuple[str, ...]) -> bool:
    """Whether verse and chorus are told to be repeated: ``intro, verse, chorus, repeat verse and chorus``."""
    return names.count("chorus") == 1 and bool(_PAIR_AGAIN.search(text))


def _by_turns(match: re.Match[str]) -> str:
    """Verses and as many choruses, told by their numbers, one after the other."""
    count = number_of(match[1]) or 2
    return ", ".join(["verse, chorus"] * count) if match[1].lower() == match[2].lower() else match[0]


def _named_form(text: str) -> Found[tuple[str, ...]] | None:
    for pattern, form in _NAMED_FORMS:
        match = re.search(pattern, text, re.IGNORECASE)
        if match:
            return Found(form, match.start(), match.end(), 0, 0)
    return None


def _sections(text: str) -> tuple[str, ...]:
    names: list[str] = []
    for match in _ONE_SECTION.finditer(text):
        name = re.sub(r"[\s-]+", "-", match["name"].lower())
        times = re.sub(r"[x\s]+(?=\d)|(?<=\d)[x\s]+", "", (match["count"] or match["times"] or "").lower())
        names += [_SAME_SECTION.get(name, name)] * _HOW_MANY.get(times, 1)
    return tuple(names[:_MOST_SECTIONS])


@dataclass(frozen=True, slots=True)
class ChorusForm:
    """A form that is choruses of so many bars, played over and over: the style that is written in it, which styles it
    takes the place of, and how many bars may be left over after the last chorus."""

    name: str
    style: str
    instead_of: frozenset[str]
    bars: int
    left_over: frozenset[int]
    words: tuple[re.Pattern[str], ...]
    looser: tuple[re.Pattern[str], ...] = ()

    def place(self, text: str) -> tuple[int, int]:
        """Where a text names it."""
        match = self.words[0].search(text) or (self.looser[0].search(text) if self.looser else None)
        return match.span() if match else (0, 0)


@cache
def chorus_forms() -> dict[str, ChorusForm]:
    """Every form of choruses by its name."""
    table = {}
    for name, style, instead_of, bars, left_over, words, looser in rows_of("forms.txt"):
        table[name] = ChorusForm(
            name,
            style,
            frozenset(_listed(instead_of)),
            int(bars),
            frozenset(map(int, _listed(left_over))),
            tuple(map(_any_of, words.split(";"))),
            tuple(re.compile(_NOT_RHYTHM_AND + _any_of(group).pattern, re.I) for group in looser.split(";")),
        )
    return table


def _any_of(cell: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, _listed(cell)))})\b", re.I)


def _listed(cell: str) -> list[str]:
    return [word.strip() for word in cell.split(",") if word.strip()]


def find_chorus_form(text: str, *, loosely: bool = False) -> ChorusForm | None:
    """The form of choruses that a text names, or None; ``loosely`` where its chords do not speak against one.

    >>> form = find_chorus_form("a twelve-bar tune with the blues")
    >>> form.bars if form else None
    12
    """
    forms = chorus_forms().values()
    named = next((form for form in forms if all(pattern.search(text) for pattern in form.words)), None)
    if named or not loosely:
        return named
    return next((form for form in forms if all(pattern.search(text) for pattern in form.looser)), None)
