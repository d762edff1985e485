"""Read a brief: plain English in, a contract out, by rules and word lists alone.

What a brief says outright comes first, then what its words imply (a waltz is in three), then what musicians take for
granted.
Everything of the last two kinds is said in ``assumed``; clauses in which nothing was understood are listed in
``unread``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from libretto.contract.character import Leanings, Style, find_moods, find_style
from libretto.contract.contract import Contract
from libretto.contract.layout import find_bars, find_ending, find_form, find_seconds
from libretto.contract.pace import find_meter, find_tempo
from libretto.contract.parts import find_parts
from libretto.contract.progression import Progression, find_progressions
from libretto.contract.tonality import KeyPhrase, find_keys, key_of_chords
from libretto.contract.words import tokens_of
from libretto.errors import TooLarge
from libretto.score.keys import Key
from libretto.score.time import Meter

__all__ = ["MAX_BRIEF", "read_brief"]

MAX_BRIEF = 20_000  #: the longest brief that is read, in characters
_TITLE = re.compile(r"\s{0,9}(?P<title>[^:.!?\n]{1,90}?)\s{0,3}:(?=\s)")
_FIELD = re.compile(
    r"(?:key|tempo|bpm|meter|time|time signature|bars|length|chords?|progression|instruments?|instrumentation|genre|"
    r"style|form)\Z",
    re.I,
)
_SPACES = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_LIST = re.compile(
    r"\b(?:use|using|feature|featuring|features|include|including|includes|incorporate|incorporating|utilize|"
    r"utilizing|employ|employing|"
    r"instruments? like(?: the)?|instrumentation:?|instruments:)\s(?P<list>[^.;:!?]{3,200})", re.I
)  # fmt: skip
_ITEM = re.compile(r",\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
_DETERMINER = re.compile(r"^(?:the|a|an|some|soft|traditional|instruments? like|such as|like|both|of)\s+", re.I)
_CUT = re.compile(r"\s(?:to|for|that|which|while|as|in|at|over|with)\s")
_MOST_UNREAD = 24


def read_brief(text: str) -> Contract:
    """The contract that a brief asks for."""
    if len(text) > MAX_BRIEF:
        raise TooLarge(f"the brief has {len(text):,} characters; at most {MAX_BRIEF:,} are read: shorten it")
    text = _SPACES.sub(" ", re.sub(r"[\ud800-\udfff]", " ", text)).strip()
    assumed: list[str] = []
    title, body = _title(text)
    said = " " * body + text[body:]
    runs = find_progressions(said)
    phrases = find_keys(said, [(run.start, run.end) for run in runs])
    key = _key(said, phrases, runs, assumed)
    chords, others = _chords(runs, key, assumed)
    cast = find_parts(text, body)
    style, _found = find_style(text, body, cast.spans)
    mood, leanings = find_moods(text, body)
    meter = _meter(said, style, _found, body, assumed)
    tempo = _tempo(said, style, leanings, assumed)
    bars = _bars(said, meter, tempo, assumed)
    assumed += cast.assumed
    if not cast.parts:
        assumed.append("No instruments are named; the style supplies them.")
    twelve = (
        re.search(r"\b(?:12|twelve)[- ]bar\b", said, re.I) is not None
        and re.search(r"\bblues\b", said, re.I) is not None
    )
    name = style.name if style else ""
    name = "blues12" if twelve and name in ("", "blues", "jazz") else name
    form = find_form(said) or (("12-bar blues",) if twelve else ())
    return Contract(
        title=title,
        key=key,
        meter=meter,
        tempo_bpm=tempo,
        bars=bars,
        form=form,
        chords=chords,
        parts=cast.parts,
        drums=cast.drums,
        genre=style.genre if style else "blues_gospel" if twelve else "",
        style=name,
        mood=mood,
        density=leanings.density,
        register=leanings.register,
        dynamics=leanings.dynamics,
        brightness=leanings.brightness,
        ending=find_ending(said),
        assumed=tuple(dict.fromkeys(assumed)),
        unread=_unread(text, body, said, others, cast.spans),
    )


def _title(text: str) -> tuple[str, int]:
    """The title before the first colon, and where the rest begins."""
    match = _TITLE.match(text)
    if not match or _FIELD.match(match["title"].strip(' "“”*#')) or len(match["title"].split()) > 12:
        return "", 0
    if not text[match.end() :].strip() or find_progressions(match["title"]) or not _titled(match["title"]):
        return "", 0
    return match["title"].strip(" \"“”'‘’*#"), match.end()


def _titled(words: str) -> bool:
    """Whether words are written as a title: most of the longer ones with capitals, or no more than two words."""
    longer = [word for word in re.findall(r"[^\W\d_][\w'’]*", words) if len(word) > 3]
    capital = sum(1 for word in longer if not word[0].islower())
    return len(words.split()) <= 2 or capital * 2 > len(longer) or not longer


def _key(text: str, phrases: list[KeyPhrase], runs: list[Progression], assumed: list[str]) -> Key | None:
    """The key named first, else the one in which the progression is at home."""
    stays = [phrase for phrase in phrases if not phrase.away] or phrases
    if stays:
        first = stays[0]
        labels = next((run.labels for run in runs if run.labels), ())
        if first.assumed.endswith("major is taken.") and "without a mode" in first.assumed and labels:
            minor = Key(first.key.tonic, "minor")
            if key_of_chords(labels) == minor:
                assumed.append(
                    f"The brief names {first.key.__str__().split()[0]} without a mode; its chords are in {minor}."
                )
                return minor
        if first.assumed.startswith("The brief asks for a") and labels:
            home = key_of_chords(labels)
            if home.is_minor == first.key.is_minor:
                assumed.append(f"No key is named; the progression is at home in {home}.")
                return home
        if first.assumed:
            assumed.append(first.assumed)
        for other in phrases:
            if other.away and other.key != first.key:
                assumed.append(
                    f"The piece is taken to be in {first.key}; a move to {other.key} is left to the composer."
                )
        return first.key
    for run in runs:
        if run.labels:
            home = key_of_chords(run.labels)
            assumed.append(f"No key is named; the progression is at home in {home}.")
            return home
    if runs:
        is_minor = any(degree.step == 0 and degree.minor and degree.of is None for degree in runs[0].degrees)
        home = Key.parse("A minor" if is_minor else "C major")
        assumed.append(f"The chords are counted in degrees and no key is named; {home} is taken.")
        return home
    return None


def _chords(runs: list[Progression], key: Key | None, assumed: list[str]) -> tuple[tuple[str, ...], list[Progression]]:
    """The labels of the first progression, letters before degrees, and the progressions that are left over."""
    if not runs:
        return (), []
    first = next((run for run in runs if run.labels), runs[0])
    labels = first.in_key(key or Key(0))
    rest = [run for run in runs if run is not first and run.labels and run.labels != labels]
    if rest:
        assumed.append("Several progressions are named; the first is the one that is checked.")
    return labels, rest


def _meter(text: str, style: Style | None, found: Iterable[object], body: int, assumed: list[str]) -> Meter | None:
    meter = find_meter(text)
    if meter is not None:
        return meter
    for one in found:
        value, start = getattr(one, "value", None), getattr(one, "start", 0)
        if isinstance(value, Style) and value.meter is not None and (start >= body or value is style):
            assumed.append(f"A {value.name} is in {value.meter}.")
            return value.meter
    return None


def _tempo(text: str, style: Style | None, leanings: Leanings, assumed: list[str]) -> tuple[float, float] | None:
    band = find_tempo(text)
    if band is not None:
        if not band.outright:
            assumed.append(f"The mood words suggest {band.low}-{band.high} quarter notes a minute.")
        return float(band.low), float(band.high)
    if style is not None:
        low, high = style.tempo
        assumed.append(f"No tempo is named; {style.name} is usually played at {low}-{high}.")
        return float(low), float(high)
    if abs(leanings.tempo) >= 0.35:
        low, high = (58, 84) if leanings.tempo < 0 else (112, 144)
        assumed.append(f"No tempo is named; the mood suggests {low}-{high}.")
        return float(low), float(high)
    return None


def _bars(text: str, meter: Meter | None, tempo: tuple[float, float] | None, assumed: list[str]) -> int | None:
    length = find_bars(text)
    if length is not None:
        assumed += [length.assumed] if length.assumed else []
        return length.bars
    seconds = find_seconds(text)
    if seconds is None:
        return None
    low, high = tempo or (100.0, 110.0)
    quarters = (meter.beats * 4 / meter.unit) if meter else 4.0
    bars = max(4, round(seconds / 60 * (low + high) / 2 / quarters / 4) * 4)
    assumed.append(f"{seconds:g} seconds at about {(low + high) / 2:g} quarter notes a minute are {bars} bars.")
    return bars


def _unread(
    text: str, body: int, said: str, others: list[Progression], spans: Iterable[tuple[int, int]]
) -> tuple[str, ...]:
    """Progressions left over, listed things that are no instrument we know, and clauses that said nothing to us."""
    unread = [text[run.start : run.end] for run in others]
    marks = list(spans)
    for match in _LIST.finditer(said):
        at, items = match.start("list"), []
        listed = _CUT.split(match["list"])[0]
        for piece in _ITEM.split(listed):
            start = said.find(piece, at)
            items.append((start, start + len(piece), piece))
            at = max(at, start + len(piece))
        known = [item for item in items if any(a < item[1] and item[0] < b for a, b in marks)]
        if not known or len(items) < 2:
            continue
        for _start, _end, piece in (item for item in items if item not in known):
            name = _DETERMINER.sub("", piece.strip())
            first = name.split()[0] if name.split() else ""
            if (
                first
                and len(name.split()) <= 3
                and not first.endswith("ing")
                and "voice" not in name
                and not _understood(name)
            ):
                unread.append(name)
    for clause in re.split(r"(?<=[.;!?])\s+", text[body:]):
        words = clause.strip(" .;!?")
        if len(words.split()) >= 3 and not _understood(words) and not find_parts(words).parts:
            unread.append(words[:160])
    return tuple(dict.fromkeys(unread))[:_MOST_UNREAD]


def _understood(words: str) -> bool:
    """Whether any of our lists or patterns has a use for these words."""
    return bool(
        find_moods(words)[0]
        or find_style(words, 0, ())[1]
        or find_tempo(words)
        or find_meter(words)
        or find_bars(words)
        or find_seconds(words)
        or find_form(words)
        or find_ending(words)
        or find_progressions(words)
        or find_keys(words)
        or len(tokens_of(words)) == 0
    )
