"""What a clause asks of parts and sections: kept, swapped, doubled, removed, silenced, added; moved, repeated, cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from libretto.tasks.revise.clause import Asked, Clause, flat
from libretto.tasks.revise.cues import Cue
from libretto.tasks.revise.scope import Place, Who
from libretto.tasks.revise.section_meanings import (
    exchange_meaning,
    length_meaning,
    move_meaning,
    plain_section,
    repeat_meaning,
    sections_in,
    start_meaning,
)
from libretto.tasks.revise.wish import qualities

__all__ = ["keep_meaning", "part_meanings"]

Meaning = Callable[[Clause], list[Asked]]
_KEPT = (
    ("chords", re.compile(r"\b(?:chords?|harmon(?:y|ies)|chord progression|changes)\b", re.I)),
    ("key", re.compile(r"\b(?:key|tonality)\b", re.I)),
    ("tempo", re.compile(r"\b(?:tempo|speed|pace)\b", re.I)),
)
_NO_VOICES = ("chords", "everything else", "key", "rhythm", "tempo")
#: To keep or stay may also go with how something is to be: "stays quiet", "keep it simple", "leave the chord held".
_STAYING = ("keep", "keeps", "stay", "stays", "remain", "remains", "leave", "let")
_TURNED = re.compile(r"\b(?:instead|than|place)\b")  # the new one is named first
_LOWER = re.compile(r"lower|down|below|under", re.I)
_BESIDES = {"add", "another", "add in", "include", "stack", "layer"}
_RHYTHM = re.compile(r"\brhythm\b", re.I)
_OCTAVE = re.compile(r"\b(?:an?\s+)?octave\s+(?:up|down|higher|lower|above|below|under)|octaves?\b", re.I)
_ONLY_FOR = re.compile(
    r"\b(?:only|just)\s+(?:in|on|for|with|by)\s+(?:the\s+)?(?:\w+)\W*\Z", re.I
)  # whose, not who alone
_ONLY_THERE = re.compile(r"\b(?:only|just)\s+(?:in|during|from|at|for|on|after|until|within)\b", re.I)
_ONWARD = ("from", "to", "into", "at", "after", "away", "on", "with")  # straight to the bridge is no feel
_ELSE = re.compile(r"\b(?:everything else|the rest|all else)\b", re.I)
_REST_IS = re.compile(
    r"\b(?:everything else|the rest|all else|the others?)\b[^.;,]*\b(?:same|alone|unchanged|untouched|equal|"
    r"as (?:it|they|is)|fine|stays?|keep|remain)", re.I
)  # fmt: skip
_ALL_BUT = re.compile(
    r"\b(?:everything|everyone|everybody|every (?:part|instrument)|anything|the (?:rest|others)|"
    r"all(?: of it| the (?:rest|others|parts|instruments))?)\s+"
    r"(?:but|except|besides|apart from|other than|save|aside from)(?:\s+for)?\b", re.I
)  # fmt: skip
_WEAK = {"out", "no", "rest", "cut", "pull", "drop"}  # words that ask for silence only where nothing else is asked for


def keep_meaning(clause: Clause) -> list[Asked]:
    """What is to stay as it is."""
    cues = clause.has("keep")
    if clause.search(_REST_IS):
        clause.who = []
        whole = tuple(range(clause.first, clause.stop))
        return [Asked("keep", target="everything else", words=whole, who=[], value="everything else")]
    if cues and _stays_like(clause, cues):
        return []
    voices = [who for who in clause.who if not who.excluded or len(clause.who) == 1]
    target = _kept(clause, voices) if cues else ""
    if not target:
        return []
    plain = [] if target in _NO_VOICES else [Who(who.names, who.label, who.start, who.end) for who in voices]
    return [Asked("keep", target=target, words=tuple(range(clause.first, clause.stop)), who=plain, value=target)]


def _stays_like(clause: Clause, cues: list[Cue]) -> bool:
    """Whether a clause says how something is to stay, which is a wish: after whom or what, "quiet", "straight"."""
    if any(_text(clause, cue.words) not in _STAYING for cue in cues):
        return False
    named = min((one.end for one in (*clause.who, *clause.places)), default=clause.words[cues[0].words[-1]].end)
    like = [
        cue for cue in clause.has(*qualities(), "straight", "swing", "laid_back", "voicing", "mute") if not cue.detail
    ]
    if any(clause.words[cue.words[0]].start >= named for cue in like) or clause.has("ending"):
        clause.take(flat(cues))
        return True
    return False


def _kept(clause: Clause, voices: list[Who]) -> str:
    """What stays: the rhythm of a part, chords, key or tempo, everything else, a part, or a place."""
    parts = [who for who in voices if who.label not in ("chords", "harmony")]
    named = next((name for name, pattern in _KEPT if clause.search(pattern)), "")
    if clause.search(_RHYTHM) and any(len(who.names) == 1 for who in voices):
        return "melody rhythm"
    if clause.search(_RHYTHM) and not parts:
        return "rhythm"
    if named and not parts:
        return named
    if clause.search(_ELSE) or any(who.label == "accompaniment" for who in voices):
        return "everything else"
    if voices:
        return voices[0].label
    return clause.places[0].value if clause.places else ""


def _swap(clause: Clause) -> list[Asked]:
    cues = clause.has("instrument")
    pair = _old_and_new(clause, any(_TURNED.search(_text(clause, cue.words)) for cue in cues)) if cues else None
    if pair is None:
        return []
    old, wanted = pair
    clause.take(flat(cues))
    clause.take_cues("add", "remove")
    value = f"swap {old.names[0].lower()} to {wanted}"
    return [Asked("instrument", target=wanted, words=flat(cues), who=[old], value=value)]


def _old_and_new(clause: Clause, backwards: bool) -> tuple[Who, str] | None:
    """Who gives way in a swap, and to which instrument: one that does not play yet, else the last or first named."""
    players = [who for who in clause.who if who.instrument is not None and who.instrument.program is not None]
    absent = [who for who in players if not who.names]
    new = (absent or (players[:1] if backwards else players[-1:]))[:1]
    old = [who for who in clause.who if len(who.names) == 1 and who not in new]
    if not new or not old or new[0].instrument is None:
        return None
    return old[0], new[0].instrument.name


def _text(clause: Clause, words: tuple[int, ...]) -> str:
    return " ".join(clause.words[word].text for word in words)


def _double(clause: Clause) -> list[Asked]:
    cues = clause.has("double")
    old = [who for who in clause.who if len(who.names) == 1]
    if not cues or not old:
        return []
    later = [who for who in old if who.start > clause.words[cues[0].words[0]].start]
    leader = (later or old)[0]
    target = _doubling(clause, leader)
    words = (*flat(cues), *clause.take_cues("add", "instrument"))
    clause.take(words)
    told = f"double {leader.names[0].lower()}" + (f" with {target}" if target[0] not in "+-" else "")
    return [Asked("double", target=target, words=words, who=[leader], value=told)]


def _doubling(clause: Clause, leader: Who) -> str:
    """Who goes with a part: an instrument, or itself so many semitones away."""
    octave = clause.search(_OCTAVE)
    if octave:
        clause.take_between(octave.start(), octave.end())
    others = [who for who in clause.who if who is not leader and who.instrument is not None and not who.excluded]
    players = [who.instrument for who in sorted(others, key=lambda who: bool(who.names)) if who.instrument is not None]
    if players and players[0].program is not None:
        return players[0].name
    away = 0 if not octave else -12 if _LOWER.search(octave[0]) else 12
    return f"{away:+d}"


def _remove(clause: Clause) -> list[Asked]:
    """Parts out, in places or altogether; sections cut."""
    cues = [cue for cue in clause.has("remove", "mute") if not cue.detail]
    if not cues or (clause.asked and {_text(clause, cue.words) for cue in cues} <= _WEAK):
        return []
    kinds = {cue.kind for cue in cues}
    if any(who.label != "everyone" for who in clause.who):
        return _parts_out(clause, flat(cues), "mute" in kinds)
    places = sections_in(clause)
    if not places or kinds == {"mute"}:
        return []
    clause.take(flat(cues))
    bare = [plain_section(place, clause.score) for place in places]
    return [Asked("cut", words=flat(cues), places=bare, everyone=True, value=f"cut {bare[0].value}")]


def _parts_out(clause: Clause, words: tuple[int, ...], mute: bool) -> list[Asked]:
    """Parts that are silent in places, or go; or one that is not there."""
    if clause.search(_ALL_BUT) and any(who.excluded and who.names for who in clause.who):
        return _others_out(clause, words)
    meant = [who for who in clause.who if _denies(clause) or not who.excluded]
    players = [who for who in meant if who.names and who.label != "everyone"]
    absent = [who.label for who in meant if not who.names]
    if not players and not absent:
        return []
    clause.take(words)
    clause.take_cues("loudness", "keep")
    clause.places = list(map(_in_place, clause.places))
    names = ", ".join(_names_of(players)).lower()
    plain = list(map(_named, players))
    kind = "mute" if sections_in(clause) or mute else "remove"
    gone = "" if players else f"there is no {absent[0]}"
    return [Asked(kind, words=words, who=plain, value=f"{'mute' if mute else 'remove'} {names}", missing=gone)]


def _others_out(clause: Clause, words: tuple[int, ...]) -> list[Asked]:
    """Everybody out but those that are left out of it: altogether, or in places."""
    spared = [who for who in clause.who if who.excluded and who.names]
    named = _names_of(spared)
    match = clause.search(_ALL_BUT)
    clause.take((*words, *(clause.take_between(match.start(), match.end()) if match else ())))
    clause.places = [_in_place(place) for place in clause.places if place.value]
    others = tuple(voice.name for voice in clause.score.voices if voice.name not in named)
    first = spared[0]
    who = Who(others, "everyone else", first.start, first.end)
    kind = "mute" if sections_in(clause) else "remove"
    clause.who = [who]
    return [Asked(kind, words=words, who=[who], value=f"only {', '.join(sorted(named)).lower()}")]


def _named(who: Who) -> Who:
    """Somebody who is meant, also where the words deny them."""
    return replace(who, excluded=False)


def _names_of(players: list[Who]) -> tuple[str, ...]:
    """The voices of some players, each once."""
    return tuple(dict.fromkeys(name for who in players for name in who.names))


def _in_place(place: Place) -> Place:
    """What is taken from a verse is taken out in it."""
    return replace(place, value=place.bare) if place.how == "from" else place


def _denies(clause: Clause) -> bool:
    """Whether what looks left out is what is to go: "without drums", "not the drums in the verse"."""
    return any(clause.words[word].text in ("without", "no") for cue in clause.has("remove") for word in cue.words)


def _only(clause: Clause) -> list[Asked]:
    """Who alone plays somewhere, or where alone somebody plays."""
    cues = [cue for cue in clause.has("mute") if cue.detail]
    players, places = [who for who in clause.who if who.names and not who.excluded], sections_in(clause)
    others_asked = {cue.kind for cue in clause.cues} - {"mute", "add", "instrument", "remove"}
    if not (cues and players) or others_asked & qualities().keys() or clause.asked:
        return []
    if (not places and others_asked) or _ONLY_FOR.fullmatch(clause.said.strip()):
        return []
    clause.take(flat(cues))
    clause.take_cues("add", "instrument")
    named = _names_of(players)
    told, first = ", ".join(sorted(named)).lower(), players[0]
    if places and clause.search(_ONLY_THERE):
        elsewhere = [replace(place, excluded=True) for place in places]
        who = Who(named, first.label, first.start, first.end)
        return [Asked("mute", words=flat(cues), who=[who], places=elsewhere, value=f"{told} only {places[0].value}")]
    others = tuple(voice.name for voice in clause.score.voices if voice.name not in named)
    who = Who(others, "everyone else", first.start, first.end)
    return [Asked("mute" if places else "remove", words=flat(cues), who=[who], value=f"only {told}")]


def _add(clause: Clause) -> list[Asked]:
    """Instruments that come: who does not play yet, or who is said to come besides."""
    cues = clause.has("add")
    if not cues or clause.has(*qualities()):
        return []
    new = [(who.instrument.name, who.names) for who in clause.who if who.instrument is not None and not who.excluded]
    names = [name for name, voices in new if not voices]
    if not names and {_text(clause, cue.words) for cue in cues} & _BESIDES:
        names = [name for name, _ in new]
    clause.take(flat(cues) if names else ())
    return [Asked("add", target=name, words=flat(cues), who=[], value=f"add {name}") for name in names]


def _plain(clause: Clause) -> list[Asked]:
    """Feel, voicing and colour: one cue says it all."""
    asked: list[Asked] = []
    names = {"jazz": "reharmonise jazz", "plain": "plainer chords", "laid_back": "laid back"}
    for cue in clause.has("straight", "swing", "laid_back", "voicing", "sevenths", "jazz", "plain"):
        after = clause.words[cue.words[-1] + 1].text if cue.words[-1] + 1 < clause.stop else ""
        if set(cue.words) & clause.used or (cue.kind == "straight" and after in _ONWARD):
            continue
        if asked:
            clause.take(cue.words if cue.kind == asked[0].kind else ())
            continue
        clause.take(cue.words)
        clause.take(
            [
                word
                for other in clause.has("add", "syncopation", "color")
                for word in other.words
                if other.kind == "add" or set(other.words) & set(cue.words)
            ]
        )
        value = f"voicing {cue.detail}" if cue.kind == "voicing" else names.get(cue.kind, cue.kind)
        asked.append(Asked(cue.kind, target=cue.detail, words=cue.words, value=value))
    return asked


part_meanings: tuple[Meaning, ...] = (
    exchange_meaning, _double, _swap, start_meaning, move_meaning, length_meaning, repeat_meaning, _plain, _remove,
    _only, _add,
)  # fmt: skip
