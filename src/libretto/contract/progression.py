"""Chord progressions in prose: letters or degrees, however they are joined, and never the article.

A progression is a run of at least three chords (two where the words around them speak of chords), joined by dashes,
commas, bars, arrows, spaces, *to* or *and*. Letters that name a form (``A-B-A form``) or a key are not chords.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from libretto.contract.degrees import Degree, read_degree
from libretto.contract.numerals import Progression, by_name, numbered, staying
from libretto.score.chords import parse_chord

__all__ = ["Progression", "chord_named", "find_progressions"]

_ACCIDENTAL = r"(?:[#♯b♭]|[ \-‑]?(?:sharp|flat)(?![a-z]))?"
_LETTER = re.compile(
    rf"(?<![\w#♯♭])(?P<root>[A-G]{_ACCIDENTAL})"
    r"(?:(?P<long>[ \-‑](?:major|minor|maj|min|diminished|augmented|dominant|half-diminished)"
    r"(?:[ \-‑]?(?:7th|9th|6th|7|9|6|sixth|seventh|ninth))?(?![a-z0-9])|[ \-‑](?:7th|9th|seventh|ninth)(?![a-z]))"
    r"|(?P<short>[A-Za-z0-9#♯♭b+°øΔ()]{0,14}(?:/9)?))"
    r"(?P<bass>/[A-G][#♯b♭]?)?(?![\w#♯♭°øΔ])"
)
_ROMAN = re.compile(
    r"(?<![\w#♭♯/.'’])(?P<text>[b#♭♯]?(?:VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i)"
    r"(?:[°øo+Δ]|maj|dim|aug|sus|add|m|M|[0-9]){0,4}(?:/[b#♭♯]?(?:VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i)(?![\w]))?)"
    r"(?![\w°øΔ'’])"
)
_GAP = re.compile(
    r"\s{0,3}(?:[-‐‑–—,|>→;/:]|->|=>|\|\||\.\.\.|…|⟶)?\s{0,3}(?:(?:and|to|then|and then|back to|"
    r",)\s{1,3})?(?:\|\s?)?\Z",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"(?:progression|chords?|changes|vamp(?:ing|s)?|alternat\w+|sequence|harmon(?:y|ies)|turnaround|loop(?:ing|s)?|"
    r"cadence|"
    r"(?:mov|sway|rock|shift|swing|oscillat)\w*(?: back and forth)? (?:between|from)|back and forth|"
    r"(?:sit|stay|rest|hover|dwell)\w* on|"
    r"follow(?:s|ing)?|cycl\w+)\b[^.]{0,60}\Z",
    re.IGNORECASE,
)
_SPOKEN = re.compile(r"\s(?:chord )?(?:progression|chords|changes|vamp|sequence|loop|turnaround)\b", re.IGNORECASE)
_FORM = re.compile(
    r"\s{0,2}[-\"'”’)]?\s?(?:form|structure|section|pattern|song form|layout|format|rondo)", re.IGNORECASE
)
_IN_KEY = re.compile(
    r"(?:\bin|key of|key is|key:|set in|key should be|key will be|tonality of)\s+(?:the key of\s+)?\Z", re.I
)
_COUNTED = re.compile(
    r"(?:movements?|parts?|acts?|chapters?|volumes?|war|levels?|scenes?|phases?|opus|stages?)\s*\Z", re.I
)
_TURNS = re.compile(r"\bturnarounds?\s?(?:on|of|is|:|with|using|through|goes)\s\Z", re.I)  # the last two bars
_CADENCES = re.compile(  # the last two chords
    r"\b(?:end|finish|clos|conclud|resolv)(?:s|e|es|ing)? (?:on|with|in|by) (?:an? |the )?(?:[a-z]+ )?"
    r"(?:cadence|amen)\b[^.;!?]{0,12}\Z|"
    r"\b(?:end|finish|clos|conclud)(?:s|e|es|ing)? (?:on|with|in|by) (?:an? |the )?"
    r"(?:(?:typical|usual|classic|simple|plain|clear|firm|strong|final) )*\Z",
    re.I,
)
_CLOSE = re.compile(r" (?:ending|close|finish)\b", re.I)
_JOINS = re.compile(r",?\s(?:and|then|and then)\s", re.I)
_OF_A_PART = re.compile(  # words after chords that say which part of a piece has them
    r"\s(?:in|for|on|during)\s(?:the|every|each|its)\s(?:[a-z]+\s)?(?:chorus|verse|bridge|refrain|b (?:part|section)|"
    r"second|middle|trio|pre|hook|drop)",
    re.I,
)
_QUALITY_WORDS = {
    "major": "", "maj": "", "minor": "m", "min": "m", "diminished": "dim", "augmented": "aug", "dominant": "",
    "half-diminished": "m7b5",
}  # fmt: skip
_FOR_A, _A_LETTER = (
    re.compile(r"(?:\b(?:for|in|part|section|strain)|[.;!?])\s[A-H]:\Z", re.I),
    12,
)  # a section: ``for B: G F C G``
_TOWARDS_END = re.compile(r"\s(?:towards?|at|near|for|to|until) the (?:very )?(?:end|close|last|final|ending)\b", re.I)
_PAIR = 2
_BARE, _IN = re.compile(r"[A-G][#b]?m?"), re.compile(r"\bin(?: the key of)? \Z", re.I)
_LONGEST = 64  # chords of one progression
_WIDEST_NAME = 32  # characters of the name of a chord
_WIDEST_GAP = 16  # characters between two chords of it
_BEFORE = 90  # characters before it that say what it is
_NOTES = 5  # of a scale at least
_SCALE_BEFORE = re.compile(
    r"\b(?:raga|raag|scale|mode|freygish|hijaz\w*|phrygian|dorian|lydian|mixolydian|aeolian|locrian|"
    r"pentatonic|hexatonic|octatonic|major|minor|dominant|maqam|makam|notes?|tones?|tuning)\b[^.()]{0,40}[(:]\s*\Z|"
    r"\b(?:scale|mode|raga|raag|pitch set|tones)\s\Z|"
    r"\b(?:pitches|notes|tones|pitch set|pitch collection)\b[^.()]{0,30}\b(?:to|of|are|is|only|use[sd]?)\s\Z",
    re.I,
)
_NOTES_OF = re.compile(  # the bouzouki drones on D and A
    r"\b(?:dron(?:es?|ing)|pedals?|pedal (?:notes|points?)|open strings|tuned|gongs|bells|kettles)"
    r"\s(?:(?:on|of|to|in|at|are|is)\s)?(?:the\s)?(?:notes?\s)?\Z",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Chord:
    start: int
    end: int
    label: str
    spelled: bool
    degree: Degree | None = None


def find_progressions(text: str) -> list[Progression]:
    """The progressions of a text in order; labels are legal chord labels.

    >>> [p.labels for p in find_progressions("A song over Am7–Dm7–G7–C7, in A.")]
    [('Am7', 'Dm7', 'G7', 'C7')]
    """
    parts = [_without_key(part) for run in _runs(text, _letter_chords(text)) for part in _parted(text, run)]
    parts = [part for part in parts if not _is_scale(text, part)]
    progressions = [progression for part in parts if (progression := _letters(text, part))]
    for run in _runs(text, _roman_chords(text)):
        if _is_counted(text, run):
            degrees = tuple(chord.degree for chord in run if chord.degree)
            progressions.append(Progression(run[0].start, run[-1].end, (), degrees))
    progressions = numbered(text) + _beside(staying(text), progressions)
    progressions = [
        one for one in progressions if not _closes_only(text[max(0, one.start - _BEFORE) : one.start], text[one.end :])
    ]
    return sorted(progressions or by_name(text), key=lambda progression: progression.start)


def _closes_only(before: str, after: str) -> bool:
    """Whether the words around some chords say that these are a turnaround, or the last cadence."""
    return bool(_TURNS.search(before) or _CADENCES.search(before) or _CLOSE.match(after))


def _beside(kept: list[Progression], others: list[Progression]) -> list[Progression]:
    """Some progressions, and others that do not stand in their words."""
    apart = [one for one in others if not any(one.start < two.end and two.start < one.end for two in kept)]
    return kept + apart


def _is_scale(text: str, run: list[_Chord]) -> bool:
    """Whether letters are the notes of a scale that was named, ``raga Bhairavi (D Eb F G A Bb C)``, or of drones."""
    plain = all(chord.label and len(chord.label.rstrip("#b")) == 1 for chord in run)
    before = _before(text, run)
    scale = len(run) >= _NOTES and _SCALE_BEFORE.search(before)
    return plain and bool(scale or _NOTES_OF.search(before))


def _letter_chords(text: str) -> list[_Chord]:
    chords = []
    for match in _LETTER.finditer(text):
        closing = match[0].find(")") if match[0].count(")") > match[0].count("(") else len(match[0])
        if closing < len(match[0]):  # the bracket closes the sentence's, not the chord's
            match = _LETTER.match(text, match.start(), match.start() + closing) or match
        label = None if _FOR_A.search(text[: match.end() + 1][-_A_LETTER:]) else _label(match)
        if label is not None:
            chords.append(_Chord(match.start(), match.end(), label, bool(match["long"])))
    return chords


def _label(match: re.Match[str]) -> str | None:
    """The legal label of a match, or None where there is none."""
    root = match["root"].replace("♯", "#").replace("♭", "b")
    root = root[0] + ("#" if "sharp" in root else "b" if "flat" in root else root[1:])
    bass = (match["bass"] or "").replace("♯", "#").replace("♭", "b")
    quality = _long(match["long"]) if match["long"] else (match["short"] or "").replace("♯", "#").replace("♭", "b")
    for tried in (quality, quality.replace("(", "").replace(")", ""), quality.lower()):
        if parse_chord(root + tried + bass):
            return root + tried + bass
    return None


def _long(words: str) -> str:
    """``minor seventh`` as ``m7``."""
    parts = re.split(r"[ \-‑]", words.strip(" -‑"))
    if words.strip(" -‑").startswith("half"):
        return "m7b5"
    quality = _QUALITY_WORDS.get(re.sub(r"\d.*", "", parts[0]), "")
    number = re.search(r"7|9|6|sixth|seventh|ninth", words)
    if not number:
        return quality
    digit = {"sixth": "6", "seventh": "7", "ninth": "9"}.get(number[0], number[0])
    return ("maj" if parts[0].startswith("maj") and digit != "6" else quality) + digit


def _roman_chords(text: str) -> list[_Chord]:
    chords = []
    for match in _ROMAN.finditer(text):
        degree = read_degree(match["text"])
        if degree is not None:
            chords.append(_Chord(match.start(), match.end(), match["text"], False, degree))
    return chords


def chord_named(text: str) -> tuple[str, int]:
    """The chord with whose name a text begins, and how many characters that has; empty where it begins with none.

    >>> chord_named("Cm(maj7) held"), chord_named("F major chord"), chord_named("a bell")
    (('Cm(maj7)', 8), ('F', 7), ('', 0))
    """
    first = next(iter(_letter_chords(text[:_WIDEST_NAME])), None)
    return (first.label, first.end) if first is not None and first.start == 0 else ("", 0)


def _runs(text: str, chords: list[_Chord]) -> list[list[_Chord]]:
    """Neighbouring chords that only a joint separates."""
    runs: list[list[_Chord]] = []
    for chord in chords:
        last = runs[-1][-1] if runs else None
        if last and chord.start - last.end <= _WIDEST_GAP and _GAP.match(text[last.end : chord.start]):
            runs[-1].append(chord)
        else:
            runs.append([chord])
    return runs


def _parted(text: str, run: list[_Chord]) -> list[list[_Chord]]:
    """``G-D-Em-C and C-G-D-G`` as the two progressions it is."""
    for at in range(3, len(run) - 2):
        before, joint = text[run[0].start : run[at - 1].end], text[run[at - 1].end : run[at].start]
        dashed = joint.strip().lower() == "and" and "," not in before and re.search(r"[-–—|]", before)
        ends = "then" in joint.lower() and _TOWARDS_END.match(text, run[-1].end)
        if dashed or ends or (_JOINS.fullmatch(joint) and _OF_A_PART.match(text, run[-1].end)):
            return [run[:at], *_parted(text, run[at:])]
    return [run]


def _without_key(run: list[_Chord]) -> list[_Chord]:
    """A run without the key before it: of *A minor, Am F C G* the first is none of the chords."""
    first, *rest = run
    return rest if first.spelled and len(rest) > 2 and not any(chord.spelled for chord in rest) else run


def _letters(text: str, run: list[_Chord]) -> Progression | None:
    """A run of letters as a progression, or None where it is a key, a form or a turn of speech."""
    if (run[0].spelled and _IN_KEY.search(_before(text, run))) or _is_key_before(text, run):
        run = run[1:]
    while run and _is_article(text, run):
        run = run[1:]
    if not 2 <= len(run) <= _LONGEST or _is_form(text, run) or (len(run) == 2 and not _is_pair(text, run)):
        return None
    return Progression(run[0].start, run[-1].end, tuple(chord.label for chord in run))


def _is_key_before(text: str, run: list[_Chord]) -> bool:
    """Whether the first of some letters is the key of what follows: ``in E, E7 A7 E7 B7``."""
    gaps = [text[one.end : two.start] for one, two in pairwise(run)]
    if len(run) > _PAIR and ":" in gaps[0] and not any(":" in gap for gap in gaps[1:]):
        return True
    if len(run) <= _PAIR or not _BARE.fullmatch(run[0].label) or not _IN.search(_before(text, run)):
        return False
    return "," in gaps[0] and (run[1].label.startswith(run[0].label) or not any("," in gap for gap in gaps[1:]))


def _before(text: str, run: list[_Chord]) -> str:
    return text[max(0, run[0].start - _BEFORE) : run[0].start]


def _is_form(text: str, run: list[_Chord]) -> bool:
    """Whether letters name sections: ``A-B-A form``."""
    sections = run[0].label == "A" and {chord.label for chord in run} <= set("ABCD")
    return sections and bool(_FORM.match(text[run[-1].end : run[-1].end + 20]))


_RICH = re.compile(r"(?:6|7|9|11|13)\Z")  # ends of chords that can be nothing else


def _is_pair(text: str, run: list[_Chord]) -> bool:
    """Whether two chords are a progression: the words speak of chords, or both are more than letters and are joined."""
    if _SPEAKS.search(_before(text, run)) or _SPOKEN.match(text, run[-1].end):
        return True
    first, second = run
    more = all(len(chord.label.rstrip("#b")) > 1 and not chord.spelled for chord in run)
    rich = all(_RICH.search(chord.label) for chord in run)
    return more and (rich or text[first.end : second.start].strip() != "")


def _is_article(text: str, run: list[_Chord]) -> bool:
    """Whether the run opens with the word A: ``A C-G-Am loop``."""
    first = run[0]
    alone = text[first.start : first.end] == "A" and text[first.end : first.end + 1] == " "
    joined = len(run) > 1 and text[first.end : run[1].start].strip() == ""
    rest = text[run[1].end : run[-1].start] if len(run) > 2 else ""
    opens = not text[: first.start].rstrip() or text[: first.start].rstrip()[-1] in ".:!?"
    return alone and (len(run) == 1 or (joined and opens and any(mark in rest for mark in "-–—,|")))


def _is_counted(text: str, run: list[_Chord]) -> bool:
    """Whether Roman numerals count chords and not wars or movements."""
    before = _before(text, run)
    if _COUNTED.search(before) or len(run) > _LONGEST:
        return False
    joined = text[run[0].start : run[-1].end]
    speaks = bool(_SPEAKS.search(before)) or bool(
        re.match(r"\s{0,2}(?:progression|chord|vamp|cadence|turn|change|loop)", text[run[-1].end :][:20])
    )
    if len(run) < 2:
        return False
    if len(run) == 2:
        return speaks or (re.search(r"[-–—]", joined) is not None and "and" not in joined)
    return speaks or " and " not in joined
