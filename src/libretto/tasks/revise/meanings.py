"""What a clause asks for, by its cues and by whom and what it names: the more particular meanings first."""

from __future__ import annotations

import re
from collections.abc import Callable

from libretto.contract.tonality import Missing, find_keys
from libretto.contract.words import number_of
from libretto.score.keys import MODES
from libretto.score.pitch import letter_name
from libretto.tasks.revise.clause import Asked, Clause, flat

__all__ = ["bars_said", "sound_meanings", "without_titles"]

Meaning = Callable[[Clause], list[Asked]]
_NUMBER = r"(?:\d{1,4}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|sixteen|couple of)"
_STEPS = {
    "half step": 1, "halfstep": 1, "semitone": 1, "half tone": 1, "halftone": 1, "minor second": 1, "half-step": 1,
    "half-tone": 1, "whole step": 2, "wholestep": 2, "whole-step": 2, "whole tone": 2, "whole-tone": 2,
    "wholetone": 2, "major second": 2,
    "tone": 2, "step": 2, "minor third": 3, "third": 4, "major third": 4, "perfect fourth": 5, "fourth": 5,
    "tritone": 6, "perfect fifth": 7, "fifth": 7, "minor sixth": 8, "major sixth": 9, "sixth": 9, "minor seventh": 10,
}  # fmt: skip
_INTERVAL = re.compile(
    rf"\b(?:by\s+)?(?:(?P<count>{_NUMBER})\s+)?(?P<name>{'|'.join(sorted(_STEPS, key=len, reverse=True))}|octave)s?\b",
    re.I,
)
_UP = re.compile(r"\b(?:up|higher|raise[sd]?|above|upwards?|lift(?:ed)?|rise[sn]?)\b", re.I)
_DOWN = re.compile(r"\b(?:down|lower(?:ed)?|below|downwards?|drop(?:ped)?|deeper|descend)\b", re.I)
_TO_KEY = re.compile(
    r"\b(?:(?:transpose[sd]?|modulate[sd]?|change[sd]?|move[sd]?|go|put|shift(?:ed)?|take|bring|sing|key|sit|be|play|have|set|do)\b[^.;,]*?\s)?"
    r"(?:to|into|in)\s+(?:the\s+key\s+of\s+)?(?P<letter>[A-Ga-g])(?P<sign>\s?-?flat|\s?-?sharp|[b#♭♯])?(?=$|[\s.,;!?])(?!\s+(?:major|minor|bit|way|section|part))"
)  # fmt: skip
_MOVING = re.compile(
    r"\s*(?:transpose|modulate|change|move|go|put|shift|take|bring|sing|key|sit|be|play|have|set|do)", re.I
)
_MODE = re.compile(rf"\b(?:in(?:to)?\s+)?(?:a\s+|the\s+)?(?P<mode>{'|'.join(MODES)})(?:\s+(?:key|mode|scale))?\b", re.I)
_TEMPO = re.compile(
    r"\b(?:(?:at|to)\s+)?(?:(?:a\s+)?(?:tempo|bpm|speed|metronome)\s*(?:of|to|at|is|should be|=|:)?\s*"
    r"(?P<one>\d{2,3})(?:\s*bpm)?|"
    r"(?P<two>\d{2,3})\s*(?:bpm|beats (?:per|a) minute|quarters? (?:notes? )?(?:per|a) minute))\b", re.I
)  # fmt: skip
_SCALED = re.compile(
    r"\b(?:(?P<twice>twice (?:as fast|the (?:tempo|speed))|double(?: the)? (?:tempo|speed|time))|"
    r"half (?:as fast|the (?:tempo|speed)|(?:tempo|speed|time))|twice as slow)\b", re.I
)  # fmt: skip
_BARS = re.compile(
    rf"\b(?:by\s+)?(?P<count>{_NUMBER})\s+(?:more\s+|extra\s+|additional\s+|fewer\s+|less\s+)?(?:bars?|measures?)\b(?!\s*\d)",
    re.I,
)
_HALF = re.compile(
    r"\b(?:by\s+|in\s+|to\s+)?(?:a\s+)?(?:half(?:\s+(?:as|the|its)\s+(?:long|length))?|halve|twice(?:\s+as\s+long)?|double)\b",
    re.I,
)
_TITLE = re.compile(
    r"\b(?:title[d]?|call(?:ed)?(?:\s+it)?|name[d]?(?:\s+it)?|rename(?:\s+it)?(?:\s+to)?)\b[\s:]*(?:it|is|to|of|as|the\s+\w+)?\s*"
    r"(?:[«\"“'‘](?P<quoted>[^»\"”'’]{1,120})[»\"”'’]|(?P<plain>[A-ZÀ-Þ0-9][^,.;!?\n]{0,100}))"
)
_SECOND_TO = re.compile(
    r"\b(?:a\s+)?(?:second|another|other)\b|\b(?:above|below|over|under)\s+the\s+(?:first|other|original)\b", re.I
)
_LAST_SOUND = re.compile(
    r"\b(?:(?:hold|holds|held|hang|ring|rings|ringing|sustain|sustained|linger|prolong|dwell|fermata|pause|long)\b[^.;,]{0,30}?"
    r"\b(?:last|final|closing|end)\s+(?:chord|note|bar|one|tone)|(?:last|final|closing)\s+(?:chord|note|tone)\b[^.;,]{0,30}?"
    r"\b(?:hold|holds|held|hang|ring|rings|ringing|sustain|sustained|linger|lingers|hang|hangs|long|longer))\b", re.I
)  # fmt: skip
#: How far a sign goes on the line of fifths, by how it begins.
_SIGNS = {"f": -7, "b": -7, "♭": -7, "s": 7, "#": 7, "♯": 7}
_BLANK = "§"  # stands for a character of a title: no word, no end of a sentence
_GRADUAL = re.compile(
    r"\b(?:gradually|little by little|bit by bit|slowly but surely|more and more|steadily|progressively)\b", re.I
)
_EVEN_PACE = ("speed up", "slow down", "slow up", "speeds up", "slows down")  # little by little only near an end
_FASTEST, _SLOWEST = 400, 20  # quarters a minute that anybody means


def _count(text: str | None) -> int:
    words = (text or "a").strip().lower()
    return 2 if words == "couple of" else 1 if words in ("a", "an") else number_of(words) or 1


def _history(clause: Clause) -> list[Asked]:
    for kind in ("undo", "again"):
        for cue in clause.has(kind):
            if clause.who or any(other.kind == "keep" for other in clause.cues):
                return []
            clause.take(range(clause.first, clause.stop))
            return [Asked(kind, words=cue.words, everyone=True, value="undo" if kind == "undo" else "more of the same")]
    return []


def _title(clause: Clause) -> list[Asked]:
    match = _TITLE.search(clause.text, clause.start)
    if match is None or match.start() > clause.end or not clause.has("title"):
        return []
    title = (match["quoted"] or match["plain"]).strip()
    words = clause.take_between(match.start(), match.end())
    return [Asked("title", target=title, words=words, everyone=True, places=[], value=f"title {title}")]


def without_titles(text: str) -> str:
    """The text, as long as it was, without the titles that it gives: their words ask for nothing."""
    for match in _TITLE.finditer(text):
        group = "quoted" if match["quoted"] else "plain"
        text = text[: match.start(group)] + _BLANK * len(match[group]) + text[match.end(group) :]
    return text


def _ending(clause: Clause) -> list[Asked]:
    asked = []
    for cue in clause.has("ending"):
        if cue.detail == "fade" and any(
            place.value not in ("", "end", "outro", "last outro") for place in clause.places
        ):
            clause.take(cue.words)
            asked.append(Asked("diminuendo", words=cue.words, value="diminuendo"))
            continue
        clause.take(cue.words)
        asked.append(
            Asked("ending", target=cue.detail, words=cue.words, places=[], value=f"change ending {cue.detail}")
        )
    held = clause.search(_LAST_SOUND)
    words = clause.take_between(held.start(), held.end()) if held else ()
    if not asked and held:
        asked = [Asked("ending", target="held", words=words, places=[], value="change ending held")]
    return asked[:1]


def _said(clause: Clause, words: tuple[int, ...]) -> str:
    return " ".join(clause.words[word].text for word in words)


def _near_end(clause: Clause) -> bool:
    """Whether a clause speaks of an ending, of what leads somewhere, or of no place."""
    words = ("end", "outro", "last", "into")
    return not clause.places or any(word in place.value for place in clause.places for word in words)


def _ramps(clause: Clause) -> list[Asked]:
    asked = []
    for cue in clause.has("ritardando", "accelerando", "crescendo", "diminuendo"):
        if set(cue.words) <= clause.used:
            continue
        clause.take(cue.words)
        way = 1 if cue.kind == "accelerando" else -1
        if _said(clause, cue.words) in _EVEN_PACE and not clause.search(_GRADUAL) and not _near_end(clause):
            asked.append(Asked("speed", way, words=cue.words, value="faster" if way > 0 else "slower"))
        else:
            asked.append(Asked(cue.kind, words=cue.words, value=cue.kind))
    gradual = clause.search(_GRADUAL)
    names = {
        ("speed", -1): "ritardando",
        ("speed", 1): "accelerando",
        ("loudness", 1): "crescendo",
        ("loudness", -1): "diminuendo",
    }
    if gradual:
        clause.take_between(gradual.start(), gradual.end())
        for cue in clause.has("speed", "loudness"):
            if not set(cue.words) <= clause.used:
                clause.take(cue.words)
                kind = names[cue.kind, cue.way]
                asked.append(Asked(kind, words=cue.words, value=kind))
    return asked[:1]


def _tempo(clause: Clause) -> list[Asked]:
    scaled = clause.search(_SCALED)
    if scaled:
        words = clause.take_between(scaled.start(), scaled.end())
        clause.take_cues("tempo", "speed", "double")
        bpm = round(clause.score.bpm * (2 if scaled["twice"] else 0.5))
        return [Asked("tempo", target=str(bpm), words=words, everyone=True, value=f"tempo {bpm}")]
    match = clause.search(_TEMPO)
    bpm = int(match["one"] or match["two"]) if match else 0
    if match is None or not _SLOWEST <= bpm <= _FASTEST:
        return []
    words = clause.take_between(match.start(), match.end())
    clause.take_cues("tempo")
    return [Asked("tempo", target=str(bpm), words=words, everyone=True, value=f"tempo {bpm}")]


def _harmony(clause: Clause) -> list[Asked]:
    cues = clause.has("harmony")
    above = re.compile(r"\b(?:above|over|higher|on top|upper|descant)\b", re.I)
    below = re.compile(r"\b(?:below|under|underneath|beneath|lower)\b", re.I)
    sixth = re.compile(r"\bsixths?\b", re.I)
    if not cues or (all(cue.words == (cue.words[0],) for cue in cues) and not clause.has("add")):
        return []
    side = "below" if clause.search(below) and not clause.search(above) else "above"
    interval = ("sixth " if clause.search(sixth) else "third ") + side
    for pattern in (above, below, sixth, _SECOND_TO):
        if match := clause.search(pattern):
            clause.take_between(match.start(), match.end())
    taken = [*flat(cues), *flat(clause.has("add"))]
    clause.take(taken)
    leader = [who for who in clause.who if len(who.names) == 1]
    return [Asked("harmony", target=interval, words=tuple(sorted(taken)), who=leader, value=f"add harmony {side}")]


def _interval(clause: Clause) -> list[Asked]:
    match = clause.search(_INTERVAL)
    up, down = clause.search(_UP), clause.search(_DOWN)
    if match is None or (not up and not down) or clause.has("double"):
        return []
    words = set(clause.take_between(match.start(), match.end()))
    if any(asked.kind == "harmony" for asked in clause.asked):
        return []
    way = 1 if up and (not down or up.start() < down.start()) else -1
    for side in (_UP if way > 0 else _DOWN).finditer(clause.text, clause.start, clause.end):
        words.update(clause.take_between(side.start(), side.end()))
    clause.take_cues("key", "height", "move", "remove")
    clause.take(flat([cue for cue in clause.has("loudness") if set(cue.words) & words]))
    return [_by_interval(match, way, tuple(sorted(words)))]


def _by_interval(match: re.Match[str], way: int, words: tuple[int, ...]) -> Asked:
    """Octaves, or another key."""
    name, count, direction = match["name"].lower(), _count(match["count"]), "up" if way > 0 else "down"
    if name == "octave":
        told = f"octave {direction}" + (f" {count}" if count > 1 else "")
        return Asked("octave", way, f"{way * count:+d}", words, value=told)
    steps = _STEPS[name] * count
    return Asked("key", way, f"{way * steps:+d}", words, value=f"transpose {direction} {steps}")


def _key(clause: Clause) -> list[Asked]:
    keys = [key for key in find_keys(clause.said) if not key.assumed and key.missing is Missing.NOTHING]
    if keys:
        start = clause.start + keys[0].start
        words = clause.take_between(start, clause.start + keys[0].end)
        clause.take_cues("key", "mood", "move", "add")
        return [Asked("key", target=str(keys[0].key), words=words, everyone=True, value=f"transpose to {keys[0].key}")]
    match = _TO_KEY.search(clause.text, clause.start, clause.end)
    if match is None or not _is_key(clause, match):
        return []
    sign = _SIGNS.get((match["sign"] or "").strip(" -")[:1].lower(), 0)
    tonic = "FCGDAEB".index(match["letter"].upper()) - 1 + sign
    mode = "minor" if clause.score.key.is_minor else "major"
    words = clause.take_between(match.start(), match.end())
    clause.take_cues("key", "move", "add", "instrument")
    target = f"{letter_name(tonic)} {mode}"
    return [Asked("key", target=target, words=words, everyone=True, value=f"transpose to {target}")]


def _is_key(clause: Clause, match: re.Match[str]) -> bool:
    """Whether a letter after "in" or "to" is a key: with a sign, after a verb of moving, or where keys are named."""
    if match["sign"] or clause.has("key"):
        return True
    return match["letter"].isupper() and _MOVING.match(match[0]) is not None


def _mode(clause: Clause) -> list[Asked]:
    match = clause.search(_MODE)
    if match is None or any(clause.words[word].start == match.start("mode") for word in clause.used):
        return []
    words = clause.take_between(match.start(), match.end())
    clause.take([word for cue in clause.has("mood", "key") for word in cue.words if word in words])
    mode = match["mode"].lower()
    return [Asked("mode", -1 if mode == "minor" else 1, mode, words, value=mode)]


def bars_said(clause: Clause, length: int) -> tuple[int, str]:
    """How many bars a clause says, or the half of some; none where it says nothing of the kind."""
    match = clause.search(_BARS)
    if match:
        clause.take_between(match.start(), match.end())
        count = _count(match["count"])
        return count, f"{count} bars" if count != 1 else "1 bar"
    half = clause.search(_HALF)
    if half:
        clause.take_between(half.start(), half.end())
        twice = half[0].lower().strip().startswith(("twice", "double"))
        return (length, "twice") if twice else (max(1, length // 2), "half")
    return 0, ""


#: What is looked for in a clause, in this order; each takes the words that it makes something of.
sound_meanings: tuple[Meaning, ...] = (_history, _title, _ending, _ramps, _tempo, _harmony, _interval, _key, _mode)
