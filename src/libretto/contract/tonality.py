"""Keys in prose: named in the usual ways, or worked out from a progression, and never the article.

``A minor`` at the head of a sentence is a key only before a word for a piece; ``a minor key`` is a wish for the mode.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from libretto.contract.scales import only_naturals
from libretto.contract.words import words_of
from libretto.score.chords import Chord, parse_chord
from libretto.score.keys import MODES, Key
from libretto.score.pitch import letter_name, parse_letter

__all__ = ["KeyPhrase", "Missing", "find_keys", "key_of_chords"]

_SIGN = r"(?P<sign>[#♯b♭]|[ \-‑]?(?:sharp|flat)(?![a-z]))?"
_MODE = r"(?P<mode>major|minor|maj|min|ionian|dorian|phrygian|lydian|mixolydian|aeolian|locrian)"
_FULL = re.compile(
    rf"(?<![\w#♯♭])(?P<letter>[A-Ga-g]){_SIGN}[ \-‑]?(?P<kind>harmonic |melodic |natural )?{_MODE}(?![a-z0-9])",
    re.IGNORECASE,
)
_MODE_ON = re.compile(
    rf"\b(?P<kind>){_MODE}(?: mode| scale)? (?:on|of|in) (?P<letter>[A-G]){_SIGN}(?![\w#♯♭])", re.IGNORECASE
)
_BARE = re.compile(
    rf"\b(?:key of|key is|key:|key should be|key will be|in the key|tonality of|"
    rf"tonic)\s*:?\s*(?P<letter>[A-Ga-g]){_SIGN}"
    r"(?P<minor>m)?(?![\w#♯♭])",
    re.IGNORECASE,
)
_IN = re.compile(
    rf"\b[Ii]n (?P<letter>[A-G]){_SIGN}(?P<minor>m)?(?=\s*(?:[.,;:!?()|]|\Z|\s(?:with|at|for|over|using|and|that|"
    rf"featuring|on|by|about|of|to|played|spanning|arranged|in (?:\d|an? |"
    r"the (?:style|manner|spirit|vein|tempo)|slow|fast|free|three|four|waltz|swing|common|cut))\b))"
)
_CENTRED = re.compile(
    rf"\b(?:[Cc]ent(?:ered|red|ering|ring|ers|res)|[Rr]evolv(?:es|ing)) (?:on|around|about) "
    rf"(?:the )?(?:note |tone |pitch )?(?P<letter>[A-G]){_SIGN}(?P<minor>m)?(?![\w#♯♭])"
    r"(?![ \-‑](?:major|minor|maj\b|min\b|[a-z]*ian\b|[A-Z]))"
)
_PITCHED_IN = re.compile(  # how an instrument is built: two trumpets in B flat
    r"\b(?:trumpets?|clarinets?|horns?|cornets?|flugelhorns?|sax(?:ophone)?s?|whistles?|recorders?|harmonicas?) in \Z",
    re.I,
)
_SCALE_OF = re.compile(  # the notes of a scale begin with its own
    rf"\bscale (?:of |on )?\(?(?P<letter>[A-G]){_SIGN}(?P<minor>)(?=,? [A-G][#♯b♭]?,? [A-G][#♯b♭]?,? [A-G])"
)
_DROPPED = re.compile(
    r"\b(?:in (?:a )?)?(?P<minor>[Dd])rop(?:ped)?[ -](?P<letter>[A-Ga-g])(?P<sign>[#♯b♭])?(?: tuning)?(?![\w#♯♭])"
)
_ALONE = re.compile(
    r"(?:\A|(?<=[.;!?,] ))(?P<letter>[A-G])(?P<sign>[#♯♭]|b|[ \-‑](?:sharp|flat)(?![a-z]))(?P<minor>m)?"
    r"(?=\s*(?:[.;!?]|\Z)|,?\s(?:please|if you|would be|is fine)\b)"
)
_HIJAZ = re.compile(r"\b(?:hijaz|freygish|hicaz|phrygian dominant)\b", re.I)
_BEFORE_SMALL = re.compile(
    r"(?:\bin|key of|key is|key:|key should be|key will be|set in|to)\s+(?:the key of\s+)?\Z", re.I
)
_AFTER_KEY = re.compile(
    r"\s*(?:[.,;:!?()|]|\Z|(?:with|at|for|over|using|and|featuring|on|by|in|that|as|about|played|spanning|arranged|"
    r"key|tonality)\b)",
    re.I,
)
_MODE_AFTER = re.compile(
    r"[ \-‑](major|minor|maj\b|min\b|dorian|phrygian|lydian|mixolydian|aeolian|locrian|ionian)", re.I
)
_PIECES = words_of("pieces after a key")
_WISH = re.compile(
    r"\b(?:a|an|in|the|dark|sad|bright|some)?\s?(?P<mode>minor|major) (?:key|mode|tonality|scale)\b", re.I
)
_AWAY = re.compile(
    r"\b(?:modulat\w+|shift\w*|moving|moves?|chang\w+|transition\w*|ending|ends?|finish\w*|resolv\w+|turn\w*|not|then)\s"
    r"(?:[a-z]+\s){0,3}\Z",
    re.I,
)
_AROUND = 40  # characters before and after a key that say how it is meant
_MOST_SIGNS = 7  # sharps or flats of a signature that is written
_CIRCLE = 12  # fifths until the same note comes again under another name

# How well a progression fits a key: the mean share of its chords' notes that belong, and what speaks for or against it.
_STRANGE = 0.15  # off for every chord with a note from outside
_OPENS, _CLOSES = 0.22, 0.12  # for the tonic chord at the beginning, at the end
_FALLS = 0.16  # for a dominant that falls home anywhere
_DOMINANT, _LEADING = 7, 11  # semitones above the tonic
_MINOR_THIRD, _MAJOR_THIRD, _MINOR_SEVENTH = 3, 4, 10


class Missing(Enum):
    """What the words leave out of a key, so that something had to be taken for it."""

    NOTHING = "nothing"
    MODE = "mode"
    TONIC = "tonic"


@dataclass(frozen=True, slots=True)
class KeyPhrase:
    """A key in a text: its place, what had to be assumed, whether the text moves there later, and what is missing."""

    key: Key
    start: int
    end: int
    assumed: str = ""
    away: bool = False
    missing: Missing = Missing.NOTHING


def find_keys(text: str, taken: Sequence[tuple[int, int]] = ()) -> list[KeyPhrase]:
    """The keys that a text names, in order; ``taken`` are stretches that mean something else.

    >>> [str(phrase.key) for phrase in find_keys("A waltz in the key of F-sharp minor, not in a minor way.")]
    ['F# minor']
    """
    readers = (
        (_FULL, _full),
        (_BARE, _bare),
        (_DROPPED, _bare),
        (_IN, _bare),
        (_CENTRED, _bare),
        (_SCALE_OF, _bare),
        (_ALONE, _bare),
        (_MODE_ON, _full),
    )
    phrases = [phrase for pattern, read in readers for match in pattern.finditer(text) if (phrase := read(text, match))]
    free = [phrase for phrase in phrases if not _means_another(text, phrase, taken)]
    kept: list[KeyPhrase] = []
    for phrase in sorted(free, key=lambda phrase: (phrase.start, -phrase.end)):
        if not kept or phrase.start >= kept[-1].end:
            kept.append(phrase)
    return kept or [_wished(match) for match in _WISH.finditer(text)][:1] or _white(text)


def _means_another(text: str, phrase: KeyPhrase, taken: Sequence[tuple[int, int]]) -> bool:
    """Whether the name of a key stands in words that mean something else, or says how an instrument is built."""
    inside = any(first < phrase.end and phrase.start < last for first, last in taken)
    chord = re.match(r"[ -](?:[a-z]+th )?chord\b", text[phrase.end :])
    return inside or bool(chord or _PITCHED_IN.search(text[: phrase.start + len("in ")]))


def _spelling(match: re.Match[str]) -> int | None:
    sign = (match["sign"] or "").lower()
    accidental = "#" if sign in ("#", "♯") or "sharp" in sign else "b" if sign else ""
    return parse_letter(match["letter"].upper() + accidental)


def _full(text: str, match: re.Match[str]) -> KeyPhrase | None:
    tonic = _spelling(match)
    before, after = text[max(0, match.start() - _AROUND) : match.start()], text[match.end() : match.end() + _AROUND]
    small = match["letter"].islower()
    if small and match["letter"] == "a" and not _BEFORE_SMALL.search(before):
        return None
    if match["letter"] in "Aa" and not match["sign"] and not _is_key(before, after, small):
        return None
    word = match["mode"].lower()
    mode = {"maj": "major", "min": "minor"}.get(word, word)
    if tonic is None or mode not in MODES:
        return None
    key, respelled = _practical(tonic, mode)
    assumed = respelled or _written_plainly(key, (match["kind"] or "").strip().lower(), after)
    return KeyPhrase(key, match.start(), match.end(), assumed, _moves(before))


def _written_plainly(key: Key, kind: str, after: str) -> str:
    """A sentence on how a scale is written that no signature has; empty where the key says it all."""
    if kind not in ("", "natural"):
        return f"{kind} minor is written as {key}; its raised notes are accidentals."
    if key.mode == "phrygian" and re.match(r"[ -]dominant", after, re.I):
        return f"Phrygian dominant is written as {key}; its major third is an accidental."
    return ""


def _moves(before: str) -> bool:
    """Whether the words before a key speak of going there from somewhere else."""
    if before.lower().endswith("from "):
        return False
    return bool(_AWAY.search(before)) or re.search(r"\bfrom\b[^.;]{0,30}\bto\s\Z", before, re.I) is not None


def _is_key(before: str, after: str, small: bool) -> bool:
    """Whether ``A minor`` names a key here, and is not an article before an adjective."""
    heads = not before.strip() or before.rstrip()[-1] in ".:!?\n"
    follows = bool(_AFTER_KEY.match(after))
    word = re.match(r"[ \-]([A-Za-z]+)", after)
    if word and word[1].lower() in ("key", "mode", "tonality", "scale") and (small or heads):
        return False
    if small:
        return follows
    return not heads or follows or bool(word and word[1].lower() in _PIECES)


def _bare(text: str, match: re.Match[str]) -> KeyPhrase | None:
    tonic = _spelling(match)
    small = match["letter"].islower()
    rest = text[match.end() : match.end() + 30]
    if tonic is None or (small and not match["sign"] and not _AFTER_KEY.match(rest)) or _MODE_AFTER.match(rest):
        return None  # with a mode after it the full pattern reads it
    before = text[max(0, match.start() - _AROUND) : match.start()]
    if _HIJAZ.search(before):
        key, _ = _practical(tonic, "phrygian")
        return KeyPhrase(
            key, match.start(), match.end(), f"Hijaz is written as {key}; its major third is an accidental."
        )
    key, respelled = _practical(tonic, "minor" if match["minor"] else "major")
    if respelled or match["minor"]:
        return KeyPhrase(key, match.start(), match.end(), respelled, _moves(before))
    assumed = f"The brief names {letter_name(key.tonic)} without a mode; {key} is taken."
    return KeyPhrase(key, match.start(), match.end(), assumed, _moves(before), Missing.MODE)


def _practical(tonic: int, mode: str) -> tuple[Key, str]:
    """The key, respelled where its signature would need more than seven sharps or flats."""
    key = Key(tonic, mode)
    moved = key
    while moved.signature > _MOST_SIGNS:
        moved = Key(moved.tonic - _CIRCLE, mode)
    while moved.signature < -_MOST_SIGNS:
        moved = Key(moved.tonic + _CIRCLE, mode)
    return moved, "" if moved == key else f"{key} is written as {moved}."


def _white(text: str) -> list[KeyPhrase]:
    """The key of the white keys, where a text asks for these alone."""
    match = only_naturals(text)
    said = "Nothing but white keys: C major is taken."
    return [KeyPhrase(Key(0), match.start(), match.end(), said, missing=Missing.TONIC)] if match else []


def _wished(match: re.Match[str]) -> KeyPhrase:
    mode = match["mode"].lower()
    key = Key.parse("A minor" if mode == "minor" else "C major")
    assumed = f"The brief asks for a {mode} key and names none; {key} is taken."
    return KeyPhrase(key, match.start(), match.end(), assumed, missing=Missing.TONIC)


def key_of_chords(labels: Sequence[str]) -> Key:
    """The key in which a progression is most at home: its notes fit, and it begins or ends there.

    >>> str(key_of_chords(["Gm", "Eb", "Bb", "F"])), str(key_of_chords(["Dm7", "G7", "Cmaj7", "Am7"]))
    ('G minor', 'C major')
    """
    chords = [chord for label in labels if (chord := parse_chord(label))]
    if not chords:
        return Key(0)
    tonics = {chords[0].root} if _is_vamp(chords) else {chord.root for chord in chords}
    candidates = [_practical(tonic, mode)[0] for tonic in sorted(tonics, key=abs) for mode in ("major", "minor")]
    return max(candidates, key=lambda key: _fit(key, chords))


def _is_vamp(chords: Sequence[Chord]) -> bool:
    """Whether two chords go back and forth, from the first of them, which is no dominant of the other."""
    first, *others = dict.fromkeys(chords)
    sevenths = [chord.is_major and _MINOR_SEVENTH in chord.intervals for chord in (first, *others)]
    return len(others) == 1 and sevenths != [True, False]


def _fit(key: Key, chords: Sequence[Chord]) -> float:
    """How well a progression fits a key."""
    total = 0.0
    for chord in chords:
        allowed = _allowed(key, chord)
        total += len(chord.classes & allowed) / len(chord.classes)
        if not chord.classes <= allowed:
            total -= _STRANGE
    total /= len(chords)
    for chord, worth in ((chords[0], _OPENS), (chords[-1], _CLOSES)):
        if _is_tonic(key, chord):
            total += worth
    if any(_falls_home(key, one, two) for one, two in itertools.pairwise(chords)):
        total += _FALLS
    return total


def _allowed(key: Key, chord: Chord) -> frozenset[int]:
    """The pitch classes that a chord may have in a key: its scale, and the leading note in dominants of minor."""
    dominant = key.is_minor and (chord.root_class - key.tonic_class) % 12 in (_DOMINANT, _LEADING)
    return frozenset(key.classes) | ({_leading_class(key)} if dominant else set())


def _is_tonic(key: Key, chord: Chord) -> bool:
    third = (key.tonic_class + (_MINOR_THIRD if key.is_minor else _MAJOR_THIRD)) % 12
    return chord.root_class == key.tonic_class and third in chord.classes


def _falls_home(key: Key, one: Chord, two: Chord) -> bool:
    dominant = (one.root_class - key.tonic_class) % 12 == _DOMINANT and _leading_class(key) in one.classes
    return dominant and _is_tonic(key, two)


def _leading_class(key: Key) -> int:
    return (key.tonic_class + _LEADING) % 12
