"""Keys in prose: named in the usual ways, or worked out from a progression, and never the article.

``A minor`` at the head of a sentence is a key only before a word for a piece; ``a minor key`` is a wish for the mode.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from libretto.contract.words import words_of
from libretto.score.chords import Chord, parse_chord
from libretto.score.keys import MODES, Key
from libretto.score.pitch import parse_letter, pitch_class_of

__all__ = ["KeyPhrase", "find_keys", "key_of_chords"]

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
    rf"\b[Ii]n (?P<letter>[A-G]){_SIGN}(?P<minor>m)?(?=\s*(?:[.,;:!?)|]|\Z|\s(?:with|at|for|over|using|and|that|"
    rf"featuring|on|by|"
    r"about|of|to|played|spanning|arranged)\b))"
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
_PIECES = words_of("pieces after a key")
_WISH = re.compile(
    r"\b(?:a|an|in|the|dark|sad|bright|some)?\s?(?P<mode>minor|major) (?:key|mode|tonality|scale)\b", re.I
)
_AWAY = re.compile(
    r"(?:modulat\w+|shift\w*|moving|moves?|chang\w+|transition\w*|ending|ends?|finish\w*|resolv\w+|turn\w*|not|then)\s"
    r"(?:[a-z]+\s){0,3}\Z",
    re.I,
)


@dataclass(frozen=True, slots=True)
class KeyPhrase:
    """A key in a text: the key, its place, what had to be assumed, and whether the text moves there later."""

    key: Key
    start: int
    end: int
    assumed: str = ""
    away: bool = False


def find_keys(text: str, taken: Sequence[tuple[int, int]] = ()) -> list[KeyPhrase]:
    """The keys that a text names, in order; ``taken`` are stretches that mean something else.

    >>> [str(phrase.key) for phrase in find_keys("A waltz in the key of F-sharp minor, not in a minor way.")]
    ['F# minor']
    """
    found = [phrase for match in _FULL.finditer(text) if (phrase := _full(text, match))]
    found += [phrase for match in _BARE.finditer(text) if (phrase := _bare(text, match))]
    found += [phrase for match in _IN.finditer(text) if (phrase := _bare(text, match))]
    found += [phrase for match in _MODE_ON.finditer(text) if (phrase := _full(text, match))]
    free = [one for one in found if not any(a < one.end and one.start < b for a, b in taken)]
    kept: list[KeyPhrase] = []
    for one in sorted(free, key=lambda phrase: (phrase.start, -phrase.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    if not kept:
        kept = [_wished(match) for match in _WISH.finditer(text)][:1]
    return kept


def _spelling(match: re.Match[str]) -> int | None:
    sign = (match["sign"] or "").lower()
    accidental = "#" if sign in ("#", "♯") or "sharp" in sign else "b" if sign else ""
    return parse_letter(match["letter"].upper() + accidental)


def _full(text: str, match: re.Match[str]) -> KeyPhrase | None:
    tonic = _spelling(match)
    before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 40]
    small = match["letter"].islower()
    if small and not _BEFORE_SMALL.search(before):
        return None
    if match["letter"] in "Aa" and not match["sign"] and not _is_key(before, after, small):
        return None
    word = match["mode"].lower()
    mode = {"maj": "major", "min": "minor"}.get(word, word)
    if tonic is None or mode not in MODES:
        return None
    key, said = _practical(tonic, mode)
    if match["kind"] and match["kind"].strip().lower() != "natural":
        said = said or f"{match['kind'].strip().lower()} minor is written as {key}; its raised notes are accidentals."
    if re.match(r"[ -]dominant", after, re.I):
        said = said or f"Phrygian dominant is written as {key}; its major third is an accidental."
    return KeyPhrase(key, match.start(), match.end(), said, _moves(before))


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
    if tonic is None or (small and not match["sign"] and not _AFTER_KEY.match(rest)):
        return None
    word = re.match(
        r"[ \-‑](major|minor|maj\b|min\b|dorian|phrygian|lydian|mixolydian|aeolian|locrian|ionian)", rest, re.I
    )
    if word:
        return None  # the full pattern reads it
    if _HIJAZ.search(text[max(0, match.start() - 40) : match.start()]):
        key, _ = _practical(tonic, "phrygian")
        return KeyPhrase(
            key, match.start(), match.end(), f"Hijaz is written as {key}; its major third is an accidental."
        )
    key, said = _practical(tonic, "minor" if match["minor"] else "major")
    said = said or (
        "" if match["minor"] else f"The brief names {key.__str__().split()[0]} without a mode; {key} is taken."
    )
    return KeyPhrase(key, match.start(), match.end(), said, _moves(text[: match.start()][-40:]))


def _practical(tonic: int, mode: str) -> tuple[Key, str]:
    """The key, respelled where its signature would need more than seven sharps or flats."""
    key = Key(tonic, mode)
    moved = key
    while moved.signature > 7:
        moved = Key(moved.tonic - 12, mode)
    while moved.signature < -7:
        moved = Key(moved.tonic + 12, mode)
    return moved, "" if moved == key else f"{key} is written as {moved}."


def _wished(match: re.Match[str]) -> KeyPhrase:
    mode = match["mode"].lower()
    key = Key.parse("A minor" if mode == "minor" else "C major")
    return KeyPhrase(
        key, match.start(), match.end(), f"The brief asks for a {mode} key and names none; {key} is taken."
    )


def key_of_chords(labels: Sequence[str]) -> Key:
    """The key in which a progression is most at home: its notes fit, and it begins or ends there.

    >>> str(key_of_chords(["Gm", "Eb", "Bb", "F"])), str(key_of_chords(["Dm7", "G7", "Cmaj7", "Am7"]))
    ('G minor', 'C major')
    """
    chords = [chord for label in labels if (chord := parse_chord(label))]
    if not chords:
        return Key(0)
    tonics = {chord.root for chord in chords}
    candidates = [_practical(tonic, mode)[0] for tonic in sorted(tonics, key=abs) for mode in ("major", "minor")]
    return max(candidates, key=lambda key: _fit(key, chords))


def _fit(key: Key, chords: Sequence[Chord]) -> float:
    scale = {pitch_class_of(step) for step in key.scale}
    home = pitch_class_of(key.tonic)
    total = 0.0
    for chord in chords:
        root = pitch_class_of(chord.root)
        dominant = key.is_minor and (root - home) % 12 in (7, 11)
        allowed = scale | {(home + 11) % 12} if dominant else scale
        total += len(chord.classes & allowed) / len(chord.classes)
        if not chord.classes <= allowed:
            total -= 0.15
    total /= len(chords)
    third = (home + (3 if key.is_minor else 4)) % 12
    for chord, worth in ((chords[0], 0.22), (chords[-1], 0.12)):
        if pitch_class_of(chord.root) == home and third in chord.classes:
            total += worth
    for one, two in itertools.pairwise(chords):
        falls = (pitch_class_of(one.root) - home) % 12 == 7 and pitch_class_of(two.root) == home
        if falls and third in two.classes and (home + 11) % 12 in one.classes:
            total += 0.16
            break
    return total
