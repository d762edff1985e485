"""Read a brief: plain English in, everything that it asks for out, by rules and word lists alone.

What a brief says outright comes first, then what its words imply (a waltz is in three), then what musicians take for
granted. Every stretch of words that was understood is in ``heard``; everything of the last two kinds is said in
``assumed``; what is left is given back word for word in ``unread``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from libretto.contract.asks import Ask
from libretto.contract.bands import completed, may_be_joined
from libretto.contract.blues import may_be_blues
from libretto.contract.cast import Cast
from libretto.contract.character import Leanings, Style, styles
from libretto.contract.clubs import in_a_club
from libretto.contract.company import asks_of, led_as_said, note_cast, without_guests
from libretto.contract.dances import danced, led_by_strings
from libretto.contract.endings import find_ending
from libretto.contract.finders import Finding, Scene, listen
from libretto.contract.finders.players import players_spoken
from libretto.contract.form import find_chorus_form
from libretto.contract.heard import Heard, Notes, Rendering
from libretto.contract.leftover import left_over
from libretto.contract.pace import find_meters
from libretto.contract.parts import find_parts
from libretto.contract.progression import find_progressions
from libretto.contract.settled import choose_meter, choose_tempo, kind_of, style_name
from libretto.contract.shape import by_chords, meter_at_first, shape_of
from libretto.contract.sounds import voiced
from libretto.contract.spelling import spelled
from libretto.contract.stories import without_stories
from libretto.contract.temper import moods_of, note_styles, style_told, titled, without_words
from libretto.contract.tonal import choose_chords, choose_key, choose_scale, key_of_hand
from libretto.contract.tonality import find_keys
from libretto.contract.tongues import in_english
from libretto.contract.turns import in_turn
from libretto.contract.usual import as_usual
from libretto.contract.words import Found
from libretto.contract.worlds import sounds_like_jazz
from libretto.errors import TooLarge
from libretto.score.chords import parse_chord
from libretto.score.keys import Key
from libretto.score.time import Meter

__all__ = ["MAX_BRIEF", "Brief", "plain_text", "understand"]

MAX_BRIEF = 20_000  #: the longest brief that is read, in characters
_SPACES = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_ELSEWHERE = frozenset(
    {"chords", "key_change", "meter_change", "tempo_change", "title", "dedication", "range", "section_bars"}
)
_PLACED = frozenset({"enter", "leave", "silent", "only", "solo", "lead"})
_CURVES = ("growing", "fading")
_IF_PLACED = frozenset({"dynamics", "density", "feel", "articulation"})
_POINT = re.compile(r"\s*(?:[-*•–]\s|\d{1,2}[.)]\s)")  # how an item of a list begins
_OPEN_LINE = re.compile(r"[\w)\"'’”]\Z")
_SHORT_LINE = 0.7  # of the longest line: what is shorter was not broken for want of room
_AT_END = ("end", "from end")
_LEADS = "lead"  # what is heard of who has the tune: ``a tune in 3/4 for violin and piano``
_JAZZ = "jazz"  # what a style is that only its players tell
_ENDINGS = {"slower": "ritard", "ritardando": "ritard", "soft": "soft", "fading": "fade"}


@dataclass(frozen=True, slots=True)
class Brief:
    """Everything that a brief asks for, as far as it was understood."""

    title: str
    key: Key | None
    meter: Meter | None
    tempo_bpm: tuple[float, float] | None
    bars: int | None
    form: tuple[str, ...]
    chords: tuple[str, ...]
    cast: Cast
    genre: str
    style: str
    mood: tuple[str, ...]
    leanings: Leanings
    ending: str
    dedication: str
    scale: str
    asks: tuple[Ask, ...]
    heard: tuple[Heard, ...]
    assumed: tuple[str, ...]
    unread: tuple[str, ...]
    open: bool = False
    closed: bool = False
    lead_guessed: bool = False
    dotted: bool = False


def understand(text: str, rendered: Rendering | None = None) -> Brief:
    """What a brief asks for; of one in another language ``rendered`` is it in English words.

    >>> brief = understand("A waltz in D minor for flute and harp.")
    >>> str(brief.key), str(brief.meter), brief.style
    ('D minor', '3/4', 'waltz')
    """
    if len(text) > MAX_BRIEF:
        raise TooLarge(f"the brief has {len(text):,} characters; at most {MAX_BRIEF:,} are read: shorten it")
    rendered = rendered or spelled(in_english(plain_text(text)))
    text = rendered.text
    notes = Notes(text)
    title, body = titled(text)
    notes.hear("title", title, 0, body)
    whole = " " * body + text[body:]
    cast = find_parts(text, body)
    findings, ending = _listened(whole, cast, notes)
    findings = in_turn(whole, findings)
    cast = without_guests(text, body, cast, findings)
    said = without_words(whole, _of_kinds(findings, _elsewhere))
    key, scale, chords = _harmony(whole, said, findings, notes)
    names = _of_kinds(findings, lambda one: one.heard.kind in ("title", "dedication"))
    style, named = style_told(without_words(text, names), body, cast)
    style = style or _by_sound(whole)
    kind = kind_of(said, named, style)
    mood, leanings = moods_of(said, body, cast, findings, notes)
    findings, leanings = in_a_club(style, findings, leanings)
    meter = choose_meter(_counted(whole, said, findings), named, style, body, notes) or danced(text, style)
    meter = meter_at_first(meter, findings)
    tempo = choose_tempo(said, style, kind, leanings, notes)
    choruses = find_chorus_form(said, loosely=may_be_blues(chords, key))
    home = style or (styles()[choruses.style] if choruses else None)
    form, bars = shape_of(whole, said, findings, (meter, tempo, kind, choruses), notes)
    choruses, form, bars = by_chords(style, (chords, key), choruses, (form, bars), (meter, tempo))
    cast = led_as_said(cast, findings)
    notes.assumed += cast.sentences
    cast = led_by_strings(text, completed(text, body, cast, home.name if home else "", notes.assumed), style)
    note_cast(cast, notes)
    note_styles(style, named, (body, cast), notes)
    if not cast.parts:
        notes.assumed.append("No instruments are named; the style supplies them.")
    asks = asks_of(findings, cast, tempo)
    cast, asks = as_usual(style_name(style, choruses), cast, asks, notes.assumed)
    cast = voiced(text, cast, style_name(style, choruses), asks)
    key = key or key_of_hand(asks, notes)
    heard = _all_heard(notes, findings)
    return Brief(
        title=rendered.own(title or _named(findings, "title")),
        key=key,
        meter=meter,
        tempo_bpm=tempo,
        bars=bars,
        form=form,
        chords=chords,
        cast=cast,
        genre=home.genre if home else "",
        style=style_name(style, choruses),
        mood=mood,
        leanings=leanings,
        ending=ending,
        dedication=rendered.own(_named(findings, "dedication")),
        scale=scale,
        asks=asks,
        heard=tuple(_as_written(one, rendered) for one in heard),
        assumed=tuple(dict.fromkeys(notes.assumed)),
        unread=left_over(text, body, heard, rendered),
        open=may_be_joined(text, body, cast) and not any(ask.kind == "voices" for ask in asks),
        closed=cast.closed,
        lead_guessed=bool(cast.taken),
        dotted=notes.dotted,
    )


def _by_sound(whole: str) -> Style | None:
    """The style of what only sounds like it."""
    return styles()[_JAZZ] if sounds_like_jazz(whole) else None


def _of_kinds(findings: Iterable[Finding], wanted: Callable[[Finding], bool]) -> list[Heard]:
    return [finding.heard for finding in findings if wanted(finding)]


def _named(findings: Iterable[Finding], kind: str) -> str:
    """What was heard first of a kind; empty where nothing was."""
    return next((finding.heard.value for finding in findings if finding.heard.kind == kind), "")


def _harmony(
    whole: str, said: str, findings: Iterable[Finding], notes: Notes
) -> tuple[Key | None, str, tuple[str, ...]]:
    """Key, scale and chords."""
    runs = find_progressions(said)
    taken = [(run.start, run.end) for run in runs]
    moved = [(one.start, one.end) for one in _of_kinds(findings, lambda one: one.heard.kind == "key_change")]
    keys = find_keys(whole, taken) or find_keys(notes.text[: len(whole) - len(whole.lstrip())])  # ``Rock in E: ...``
    key = choose_key(said, keys, runs, moved, notes)
    scale, key = choose_scale(said, key, notes)
    return key, scale, choose_chords(runs, key, notes)


def plain_text(text: str) -> str:
    """A text on one line, without halves of characters; lines of a list are parted by semicolons."""
    text = _parted(text) if "\n" in text.strip() else text
    return _SPACES.sub(" ", re.sub(r"[\ud800-\udfff]", " ", text)).strip()


def _parted(text: str) -> str:
    """A text whose lines are a list, or stop well before others do, with a semicolon after each of these."""
    lines = text.strip().split("\n")
    longest = max(map(len, lines))
    made = []
    for line, after in pairwise([*lines, ""]):
        ends = bool(_POINT.match(after)) or len(line) < _SHORT_LINE * longest
        made.append(line.rstrip() + ";" if ends and _OPEN_LINE.search(line.rstrip()) and after.strip() else line)
    return "\n".join(made)


def _as_written(heard: Heard, rendered: Rendering | None) -> Heard:
    """What was heard, with the words and the place of the brief as it was written."""
    if rendered is None:
        return heard
    start, end = rendered.source(heard.start, heard.end)
    value = rendered.own(heard.value) if heard.kind in ("title", "dedication") else heard.value
    return replace(heard, value=value, words=rendered.original[start:end].strip(" ,.;:"), start=start, end=end)


def _listened(whole: str, cast: Cast, notes: Notes) -> tuple[list[Finding], str]:
    """What the finders hear, and how the piece ends; what is said of the end alone is the ending."""
    whole = without_stories(whole, [(one.start, one.end) for one in (*cast.spoken, *cast.left_out)])
    players = players_spoken(whole, cast.spoken)
    home = next((phrase.key for phrase in find_keys(whole) if not phrase.away), None)
    roles = {part.name: part.role for part in cast.parts}
    findings = listen(Scene(whole, players, home, roles))
    end = None if _closes_elsewhere(findings, home) else find_ending(whole)
    ending = end.value if end else ""
    kept = []
    for finding in findings:
        word = _ending_word(finding.ask)
        ending = ending or word
        kept.append(replace(finding, ask=None) if word and word == ending else finding)
    if end:
        notes.hear("ending", end.value, end.start, end.end)
        kept = [one for one in kept if not _says_the_end(one, end)]
    return kept, ending


def _closes_elsewhere(findings: Iterable[Finding], home: Key | None) -> bool:
    """Whether the last chord is told, and is none of the tonic: what is said of it is no Picardy third."""
    told = [parse_chord(one.ask.what) for one in findings if one.ask and one.ask.kind == "last_chord"]
    return home is not None and any(chord is not None and chord.root_class != home.tonic_class for chord in told)


def _ending_word(ask: Ask | None) -> str:
    """The ending that an ask for the end of the piece means; empty where it is none."""
    if ask is None or ask.kind not in ("dynamics", "tempo_change") or ask.where not in _AT_END:
        return ""
    return _ENDINGS.get(ask.what, "")


def _says_the_end(finding: Finding, end: Found[str]) -> bool:
    """Whether words for loud or soft are no more than those of an ending that is so itself: an Amen and a last stroke
    are neither."""
    own = end.value == "plagal" or (finding.ask is not None and finding.ask.where == "last 1 bars")
    return finding.heard.kind == "dynamics" and _inside(finding.heard, end) and not own


def _inside(heard: Heard, span: Found[str]) -> bool:
    return span.start <= heard.start and heard.end <= span.end


def _counted(whole: str, said: str, findings: Iterable[Finding]) -> str:
    """The words in which a meter is looked for: also those of who has the tune, where it is told nowhere else."""
    elsewhere = _of_kinds(findings, lambda one: one.heard.kind != _LEADS and _elsewhere(one))
    return said if find_meters(said) else without_words(whole, elsewhere)


def _elsewhere(finding: Finding) -> bool:
    """Whether what was found holds in a place, or is no music, so that it says nothing of the whole piece."""
    kind = finding.heard.kind
    ask = finding.ask
    placed = ask is None or bool(ask.where or ask.what in _CURVES or (kind in _IF_PLACED and ask.who))
    return kind in _ELSEWHERE or (placed and (kind in _IF_PLACED or kind in _PLACED))


def _all_heard(notes: Notes, findings: Iterable[Finding]) -> tuple[Heard, ...]:
    """Everything that was heard, by its place, each once; what finders had to assume is noted."""
    findings = list(findings)
    notes.assumed += [finding.assumed for finding in findings if finding.assumed]
    every = [*notes.heard, *(finding.heard for finding in findings)]
    once = dict.fromkeys(sorted(every, key=lambda one: (one.start, one.end, one.kind)))
    return tuple(one for one, inside in zip(once, _within(once), strict=True) if not inside)


def _within(heard: Iterable[Heard]) -> list[bool]:
    """Of each thing heard, in the order of their places, whether more words said the same of it."""
    heard = list(heard)
    reach: dict[tuple[str, str], int] = {}  # how far any of the same that began no later goes
    inside = [False] * len(heard)
    for place in sorted(range(len(heard)), key=lambda place: (heard[place].start, -heard[place].end)):
        one = heard[place]
        inside[place] = one.end <= reach.get((one.kind, one.value), -1)
        reach[one.kind, one.value] = max(one.end, reach.get((one.kind, one.value), -1))
    return inside
