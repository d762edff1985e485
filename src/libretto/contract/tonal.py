"""Choices of key, scale and chords: of everything that a brief says of them, what is taken, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.heard import Notes
from libretto.contract.progression import Progression
from libretto.contract.scales import NATURALS, ScalePhrase, find_church_mode, find_scales, only_naturals, scales
from libretto.contract.tonality import KeyPhrase, Missing, key_of_chords
from libretto.contract.words import number_of, words_of
from libretto.score.keys import MODES, Key
from libretto.score.pitch import letter_name, parse_pitch

__all__ = ["choose_chords", "choose_key", "choose_scale", "key_of_hand"]

_MINOR_FIVE = "minor pentatonic"
_HOMES = {
    "lydian": "F",
    "dorian": "D",
    "phrygian": "E",
    "mixolydian": "G",
    "aeolian": "A",
    "locrian": "B",
    "minor": "A",
}


def choose_key(
    said: str, phrases: list[KeyPhrase], runs: list[Progression], moved: Sequence[tuple[int, int]], notes: Notes
) -> Key | None:
    """The key named first that the piece does not only move to, else the one in which the progression is at home."""
    labels = next((run.labels for run in runs if run.labels), ())
    staying = [phrase for phrase in phrases if not any(a <= phrase.start < b for a, b in moved)]
    if staying:
        return _named_key(said, staying, labels, notes)
    if labels:
        home = key_of_chords(labels)
        notes.assumed.append(_at_home_in(home))
        return home
    if runs:
        is_minor = any(degree.step == 0 and degree.minor and degree.of is None for degree in runs[0].degrees)
        home = Key.parse("A minor" if is_minor else "C major")
        notes.assumed.append(f"The chords are counted in degrees and no key is named; {home} is taken.")
        return home
    return None


def _named_key(said: str, phrases: list[KeyPhrase], labels: Sequence[str], notes: Notes) -> Key:
    """The first key that the piece does not only move to, completed by its chords or its scale where it is only half
    named."""
    first = next((phrase for phrase in phrases if not phrase.away), phrases[0])
    completed = _completed(first, labels) if labels else None
    named = _scales_meant(said, notes.text) if completed is None and first.missing is Missing.MODE else []
    completed = (Key(first.key.tonic, named[0].scale.mode), "") if named else completed
    key = completed[0] if completed else first.key
    sentence = completed[1] if completed else first.assumed
    notes.hear("key", key, first.start, first.end)
    notes.assumed += [sentence] if sentence else []
    for other in phrases:
        if other is first or other.key == first.key:
            continue
        notes.hear("key", other.key, other.start, other.end)
        said = (
            f"The piece is taken to be in {key}; a move to {other.key} is left to the composer."
            if other.away
            else f"{key} and {other.key} are both named as the key; {key} is taken, it was named first."
        )
        notes.assumed += [] if completed else [said]
    return key


def _completed(phrase: KeyPhrase, labels: Sequence[str]) -> tuple[Key, str] | None:
    """The key, with a sentence, that the chords make of one that is only half named; None where they do not."""
    home = key_of_chords(labels)
    if phrase.missing is Missing.MODE and home == Key(phrase.key.tonic, "minor"):
        return home, f"The brief names {letter_name(home.tonic)} without a mode; its chords are in {home}."
    if phrase.missing is Missing.TONIC and home.is_minor == phrase.key.is_minor:
        return home, _at_home_in(home)
    return None


def _at_home_in(home: Key) -> str:
    return f"No key is named; the progression is at home in {home}."


def choose_scale(said: str, key: Key | None, notes: Notes) -> tuple[str, Key | None]:
    """The scale that a brief names beside its key, and the key that it is written in."""
    key = key or _key_of_drone(said, notes)
    phrases = find_scales(said) if key else _scales_meant(said, notes.text)
    if not phrases:
        return _of_naturals(said, key or _church(said, notes), notes)
    phrase = phrases[0]
    said_tonic, scale = phrase.tonic, phrase.scale
    name = _in_mode(scale.name, key, said[phrase.start : phrase.end])
    tonic = said_tonic if said_tonic is not None else key.tonic if key else None
    if tonic is None:
        key = Key.parse(f"{_HOMES.get(scale.mode, 'C')} {scale.mode}")
        notes.assumed.append(f"No tonic is named for the scale; {letter_name(key.tonic)} is taken.")
    elif key is None or key.tonic != tonic or key.is_minor != Key(tonic, scale.mode).is_minor:
        key = Key(tonic, scale.mode) if said_tonic is not None else key
    notes.hear("scale", name if tonic is None else f"{letter_name(tonic)} {name}", phrase.start, phrase.end)
    notes.assumed += [scale.note] if scale.note else []
    return name, key


def _of_naturals(said: str, key: Key | None, notes: Notes) -> tuple[str, Key | None]:
    """The scale of the white keys, where a brief in C major asks for these alone; else none."""
    white = only_naturals(said) if key == Key(0) else None
    if white is None:
        return "", key
    notes.hear("scale", NATURALS, *white.span())
    return NATURALS, key


_DRONE = re.compile(  # the tone that it is on
    r"\b(?:drones?|drone note|drone tone|pedal(?: ?point| note| tone)?)(?: [a-z]+){0,3}? (?:on|of|in) "
    r"(?:an? |the )?(?:note |tone |low |deep |open )*(?-i:(?P<after>[A-G]))(?P<sign>[#b♯♭]?)(?![\w'’#])|"
    r"\b(?:an?|the|low|deep|open|long) (?-i:(?P<before>[A-G]))(?P<flat>[#b♯♭]?) (?:drone|pedal)\b",
    re.I,
)
_BRIGHT = re.compile(r"\b(?:major|joyful|bright|cheerful|happy|sunny|festive)\b", re.I)


def _key_of_drone(said: str, notes: Notes) -> Key | None:
    """The key of a piece over a drone that is told where no key is: on its tone, minor unless something bright is
    said."""
    match = _DRONE.search(said)
    if match is None:
        return None
    sign = (match["sign"] or match["flat"] or "").replace("♯", "#").replace("♭", "b")
    key = Key.parse(f"{match['after'] or match['before']}{sign} {'major' if _BRIGHT.search(said) else 'minor'}")
    notes.hear("key", key, *match.span())
    notes.assumed.append(f"No key is named; the drone is on {letter_name(key.tonic)}, so {key} is taken.")
    return key


def _in_mode(name: str, key: Key | None, words: str) -> str:
    """A pentatonic without a mode follows the key."""
    return _MINOR_FIVE if _is_bare(name, words) and key is not None and key.is_minor else name


def _is_bare(name: str, words: str) -> bool:
    """Whether a pentatonic is named without a mode."""
    return name == "major pentatonic" and "major" not in words.lower()


def _scales_meant(said: str, whole: str) -> list[ScalePhrase]:
    """The scales that a brief names where no key is; a pentatonic without a mode is minor in music that mostly has that
    (of the steppe, of the Andes, a blues, a lament), unless something bright is said."""
    meant = find_scales(said)
    if not (_says(whole, "music in minor pentatonics") and not _says(whole, "words of a major key")):
        return meant
    minor = scales()[_MINOR_FIVE]
    return [replace(one, scale=minor) if _is_bare(one.scale.name, said[one.start : one.end]) else one for one in meant]


def _says(text: str, row: str) -> bool:
    """Whether a text has one of the words of a row of the table of cues."""
    return bool(re.search(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(words_of(row))))})(?!\w)", text, re.I))


def _church(said: str, notes: Notes) -> Key | None:
    """The key of a church mode that is named without a tonic, on the note where it needs no signature."""
    mode = find_church_mode(said)
    if mode is None or mode.value not in MODES:
        return None
    key = Key.parse(f"{_HOMES.get(mode.value, 'C')} {mode.value}")
    notes.hear("scale", mode.value, mode.start, mode.end)
    notes.assumed.append(f"No tonic is named for {mode.value}; {key} is taken.")
    return key


_BARS_EACH = re.compile(  # how long every chord of a progression is held
    r"[^.;!?]{0,24}?\b(?:(?P<each>two|four|2|4) (?:full |whole )?(?:bars|measures) (?:for )?(?:each|apiece|per chord|"
    r"a chord|to each|to a chord)|"
    r"each (?:chord )?(?:lasting|held for|for|of) (?P<lasting>two|four|2|4) (?:bars|measures)|"
    r"(?:chang\w+|mov\w+|a (?:new )?chord|one chord|held) (?:only )?(?:every|for) "
    r"(?P<every>two|four|2|4) (?:bars|measures))\b",
    re.I,
)


_EACH_FOR = re.compile(  # the same, told before they are named
    r"\b(?:each|every) chord (?:is |should |to |be |(?:last|hold|held|sustain|ring|stretch|play)\w* |for |over )*"
    r"(?P<n>two|four|2|4) (?:full |whole )?(?:bars|measures)\b|"
    r"\b(?:chords?|harmon(?:y|ies)) (?:chang\w+|mov\w+|shift\w*) (?:only )?every (?P<every>two|four|2|4) "
    r"(?:bars|measures)\b",
    re.I,
)


def _held(text: str, run: Progression) -> tuple[int, int]:
    """For how many bars each chord of a progression is held, and where the words for it end; one and its own end where
    nothing is said."""
    told = _BARS_EACH.match(text, run.end)
    before = None if told else _EACH_FOR.search(text, 0, run.start)
    if before:
        return number_of(before["n"] or before["every"]) or 1, run.end
    return (number_of(told["each"] or told["every"] or told["lasting"]) or 1, told.end()) if told else (1, run.end)


def choose_chords(runs: list[Progression], key: Key | None, notes: Notes) -> tuple[str, ...]:
    """The labels of the first progression, letters before degrees, each as often as it is held for bars; those that are
    left over are not heard."""
    if not runs:
        return ()
    first = next((run for run in runs if run.labels), runs[0])
    times, end = _held(notes.text, first)
    labels = tuple(label for label in first.in_key(key or Key(0)) for _ in range(times))
    notes.hear("chords", " ".join(labels), first.start, end)
    rest = [run for run in runs if run is not first and run.labels and run.labels != labels]
    for run in runs:
        if run is not first and run not in rest:
            notes.hear("chords", " ".join(labels), run.start, run.end)
    if rest:
        notes.assumed.append("Several progressions are named; the first is the one that is checked.")
    return labels


_FIVE_FINGERS = re.compile(r"([A-G])([#b]?)(\d)-[A-G][#b]?\d")
_A_FIFTH = 7  # semitones


def key_of_hand(asks: Sequence[Ask], notes: Notes) -> Key | None:
    """The key of a piece for a hand that stays in one position, where none is named: that of its lowest note."""
    for ask in asks:
        match = _FIVE_FINGERS.fullmatch(ask.what) if ask.kind == "range" else None
        if match and _width(ask.what) == _A_FIFTH:
            key = Key.parse(f"{match[1]}{match[2]} major")
            notes.assumed.append(f"No key is named; the hand lies on {match[1]}{match[2]}, so {key} is taken.")
            return key
    return None


def _width(pitches: str) -> int:
    low, high = (parse_pitch(name) for name in pitches.split("-"))
    return high[0] - low[0] if low and high else 0
