"""What a clause asks of parts and sections: kept, swapped, doubled, removed, silenced, added; moved, repeated, cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from libretto.tasks.revise.clause import Asked, Clause
from libretto.tasks.revise.scope import Place, Who
from libretto.tasks.revise.section_meanings import (
    length_meaning,
    move_meaning,
    repeat_meaning,
    sections_in,
    start_meaning,
)
from libretto.tasks.revise.wish import qualities

__all__ = ["keep_meaning", "part_meanings", "quality_meaning"]

Meaning = Callable[[Clause], list[Asked]]
_KEPT = (
    ("chords", re.compile(r"\b(?:chords?|harmon(?:y|ies)|chord progression|changes)\b", re.I)),
    ("key", re.compile(r"\b(?:key|tonality)\b", re.I)),
    ("tempo", re.compile(r"\b(?:tempo|speed|pace)\b", re.I)),
)
_RHYTHM = re.compile(r"\brhythm\b", re.I)
_FLIPS = {"too", "less", "fewer", "overly", "excessively"}
_DENIALS = ("not", "isn't", "aren't", "never", "no", "don't")
#: Words that nobody asks for: whoever says them wants the contrary, unless it is "more" of it.
_COMPLAINTS = {
    "mechanical", "robotic", "stiff", "plodding", "dragging", "drags", "sluggish", "shrill", "bland", "boring", "dull",
    "same", "samey", "repetitive", "monotonous", "predictable", "square", "empty", "rushed", "hurried", "hectic",
    "crowded", "notey", "thin", "weak", "choppy", "harsh", "static", "jagged", "cluttered", "rushing",
}  # fmt: skip
_OCTAVE = re.compile(r"\b(?:an?\s+)?octave\s+(?:up|down|higher|lower|above|below|under)|octaves?\b", re.I)
_ONLY_THERE = re.compile(r"\b(?:only|just)\s+(?:in|during|from|at|for|on|after|until|within)\b", re.I)
_ONWARD = ("from", "to", "into", "at", "after", "away", "on", "with")  # straight to the bridge is no feel
_CANNOT = re.compile(r"\b(?:can't|cannot|can not|couldn't|because|since i)\b", re.I)
_ELSE = re.compile(r"\b(?:everything else|the rest|all else)\b", re.I)
_WANTED = re.compile(r"\b(?:short and choppy|play|make|more|give|should be|want)\b", re.I)
_WEAK = ("out", "no", "rest", "cut", "pull", "drop")  # words that ask for silence only where nothing else is asked for
_BEFORE = 3  # words before a quality that may turn it round


def keep_meaning(clause: Clause) -> list[Asked]:
    """What is to stay as it is."""
    cues = clause.has("keep")
    if not cues:
        return []
    rhythm = clause.search(_RHYTHM)
    target, voices = "", [who for who in clause.who if not who.excluded or len(clause.who) == 1]
    named = [(name, match) for name, pattern in _KEPT if (match := clause.search(pattern))]
    if rhythm and any(len(who.names) == 1 for who in voices):
        target = "melody rhythm"
    elif named and not [who for who in voices if who.label not in ("chords", "harmony")]:
        target, voices = named[0][0], []
    elif voices:
        target = voices[0].label
        if target == "accompaniment" or clause.search(_ELSE):
            target, voices = "everything else", []
    if not target and not clause.places:
        return []
    clause.take([word for cue in cues for word in cue.words])
    for match in [*(match for _, match in named[:1] if not voices), *([rhythm] if rhythm else [])]:
        clause.take_between(match.start(), match.end())
    if not target:
        target = clause.places[0].value
    plain = [Who(who.names, who.label, who.start, who.end) for who in voices]
    return [Asked("keep", target=target, words=tuple(range(clause.first, clause.stop)), who=plain, value=target)]


def _swap(clause: Clause) -> list[Asked]:
    cues = clause.has("instrument")
    players = [who for who in clause.who if who.instrument is not None and who.instrument.program is not None]
    if not cues or not players:
        return []
    backwards = any(
        "instead" in _text(clause, cue.words)
        or "than" in _text(clause, cue.words)
        or "place" in _text(clause, cue.words)
        for cue in cues
    )
    there = [who for who in clause.who if who.names]
    new = [who for who in players if not who.names] or ([players[0]] if backwards else players[-1:])
    old = [who for who in there if who is not new[0] and len(who.names) == 1]
    if not old:
        return []
    clause.take([word for cue in cues for word in cue.words])
    clause.take([word for cue in clause.has("add", "remove") for word in cue.words])
    wanted = new[0].instrument.name if new[0].instrument else new[0].label
    value = f"swap {old[0].names[0].lower()} to {wanted}"
    return [
        Asked(
            "instrument",
            target=wanted,
            words=tuple(word for cue in cues for word in cue.words),
            who=old[:1],
            value=value,
        )
    ]


def _text(clause: Clause, words: tuple[int, ...]) -> str:
    return " ".join(clause.words[word].text for word in words)


def _double(clause: Clause) -> list[Asked]:
    cues = clause.has("double")
    old = [who for who in clause.who if len(who.names) == 1]
    new = [
        who for who in clause.who if who.instrument is not None and not who.names and who.instrument.program is not None
    ]
    if not cues or not old:
        return []
    words = [word for cue in (*cues, *clause.has("add", "instrument")) for word in cue.words]
    clause.take(words)
    octave = clause.search(_OCTAVE)
    if octave:
        clause.take_between(octave.start(), octave.end())
    away = 0 if not octave else -12 if re.search(r"(?i)lower|down|below|under", octave[0]) else 12
    target = new[0].instrument.name if new and new[0].instrument else f"{away:+d}"
    value = f"double {old[0].names[0].lower()} with {target}" if new else f"double {old[0].names[0].lower()}"
    return [Asked("double", target=target, words=tuple(words), who=old[:1], value=value)]


def _remove(clause: Clause) -> list[Asked]:
    """Parts out, in places or altogether; sections cut."""
    cues = [cue for cue in clause.has("remove", "mute") if not cue.detail]
    there = [who for who in clause.who if who.names and not (who.excluded and not _denies(clause))]
    if not cues or (clause.asked and all(_text(clause, cue.words) in _WEAK for cue in cues)):
        return []
    players = [who for who in there if who.label != "everyone"]
    absent = [who for who in clause.who if not who.names and who.instrument is not None]
    words = tuple(word for cue in cues for word in cue.words)
    if players or absent:
        clause.take(words)
        clause.take([word for cue in clause.has("loudness", "keep") for word in cue.words])
        mute = any(cue.kind == "mute" for cue in cues)
        names = [name.lower() for who in players for name in who.names]
        plain = [Who(who.names, who.label, who.start, who.end) for who in players]
        kind = "mute" if sections_in(clause) or mute else "remove"
        told = "mute" if mute else "remove"
        gone = "" if players else f"there is no {absent[0].label}"
        places = [replace(place, value=place.bare) if place.how == "from" else place for place in clause.places]
        clause.places = places
        return [Asked(kind, words=words, who=plain, value=f"{told} {', '.join(names)}", missing=gone)]
    places = sections_in(clause)
    if places and any(cue.kind == "remove" for cue in cues):
        clause.take(words)
        bare = [Place(place.bare or place.value, place.start, place.end) for place in places]
        return [Asked("cut", words=words, places=bare, everyone=True, value=f"cut {bare[0].value}")]
    return []


def _denies(clause: Clause) -> bool:
    """Whether what looks left out is what is to go: "without drums", "not the drums in the verse"."""
    return any(clause.words[word].text in ("without", "no") for cue in clause.has("remove") for word in cue.words)


def _only(clause: Clause) -> list[Asked]:
    """Who alone plays somewhere, or where alone somebody plays."""
    cues = [cue for cue in clause.has("mute") if cue.detail]
    players = [who for who in clause.who if who.names and not who.excluded]
    places = sections_in(clause)
    if not cues or not players or not places or any(cue.kind in qualities() for cue in clause.cues):
        return []
    words = tuple(word for cue in cues for word in cue.words)
    clause.take(words)
    clause.take([word for cue in clause.has("add", "instrument") for word in cue.words])
    named = tuple(dict.fromkeys(name for who in players for name in who.names))
    told = ", ".join(sorted(named)).lower()
    if _ONLY_THERE.search(clause.text, clause.start, clause.end):
        elsewhere = [replace(place, excluded=True) for place in places]
        who = [Who(named, players[0].label, players[0].start, players[0].end)]
        return [Asked("mute", words=words, who=who, places=elsewhere, value=f"{told} only {places[0].value}")]
    others = tuple(voice.name for voice in clause.score.voices if voice.name not in named)
    who = [Who(others, "everyone else", players[0].start, players[0].end)]
    return [Asked("mute", words=words, who=who, value=f"only {told}")]


def _add(clause: Clause) -> list[Asked]:
    cues = clause.has("add")
    new = [who for who in clause.who if who.instrument is not None and not who.excluded]
    absent = [who for who in new if not who.names]
    if not cues or not new or any(cue.kind in qualities() for cue in clause.cues if not set(cue.words) <= clause.used):
        return []
    plain = [
        cue
        for cue in cues
        if _text(clause, cue.words) in ("add", "bring in", "introduce", "insert", "include", "add in", "another")
    ]
    again = any(_text(clause, cue.words) in ("add", "another", "add in", "include") for cue in cues)
    chosen = absent or (new if plain and again else [])
    if not chosen:
        return []
    words = tuple(word for cue in cues for word in cue.words)
    clause.take(words)
    return [
        Asked("add", target=who.instrument.name, words=words, who=[], value=f"add {who.instrument.name}")
        for who in chosen
        if who.instrument is not None
    ]


def _plain(clause: Clause) -> list[Asked]:
    """Feel, voicing and colour: one cue says it all."""
    asked = []
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


_CALLED = {
    "mood": ("brighter", "darker"), "speed": ("faster", "slower"), "loudness": ("louder", "softer"),
    "height": ("register higher", "register lower"), "busy": ("denser", "sparser"),
    "syncopation": ("more syncopated", "less syncopated"), "length": ("legato", "staccato"),
    "leaps": ("more leaps", "smoother"), "variety": ("less repetition", "more repetition"),
    "color": ("richer chords", "plainer chords"), "fullness": ("fuller", "thinner"),
}  # fmt: skip


def quality_meaning(clause: Clause) -> list[Asked]:
    """The qualities a clause asks for and which way; each once."""
    asked: dict[str, Asked] = {}
    for cue in clause.cues:
        if cue.kind not in qualities() or set(cue.words) & clause.used or cue.kind in asked:
            continue
        if cue.kind == "fullness" and clause.asked:
            clause.take(cue.words)
            continue
        way = -cue.way if _is_turned(clause, cue.words) else cue.way
        if cue.kind == "fullness" and clause.who and all(_is_drums(clause, who) for who in clause.who):
            cue = replace(cue, kind="loudness")
        asked[cue.kind] = Asked(cue.kind, way, words=cue.words, value=_CALLED[cue.kind][0 if way > 0 else 1])
    if asked and not clause.asked and clause.search(_CANNOT):
        return []
    for one in asked.values():
        clause.take(one.words)
    if not asked and not clause.asked and any(who.names for who in clause.who):
        return _more_of(clause)
    again = [cue for cue in clause.cues if cue.kind in asked]
    clause.take([word for cue in again for word in cue.words])
    return list(asked.values())


def _more_of(clause: Clause) -> list[Asked]:
    """More or less of somebody, and nothing else said: louder or softer."""
    for index in range(clause.first, clause.stop):
        way = {"more": 1, "less": -1}.get(clause.words[index].text, 0)
        nearest = [who for who in clause.who if 0 < who.start - clause.words[index].end <= 1]
        if way and nearest:
            clause.take([index])
            return [Asked("loudness", way, words=(index,), value=_CALLED["loudness"][0 if way > 0 else 1])]
    return []


def _is_drums(clause: Clause, who: Who) -> bool:
    """Whether somebody plays nothing but percussion: lighter drums are softer ones."""
    return bool(who.names) and all(clause.score.voice(name).drums for name in who.names)


def _is_turned(clause: Clause, words: tuple[int, ...]) -> bool:
    """Whether the words before turn it round: "too loud", "not so loud", or a complaint without "more"."""
    if len(words) > 1:
        return False
    before = clause.before(words[0], _BEFORE)
    flips = sum(other in _FLIPS for other in before)
    clause.take([i for i in range(max(clause.first, words[0] - _BEFORE), words[0]) if clause.words[i].text in _FLIPS])
    denied = any(other in _DENIALS for other in before)
    word = clause.words[words[0]].text
    if not flips and denied and ("so" in before or "as" in before):
        clause.take([i for i in range(clause.first, words[0]) if clause.words[i].text in _DENIALS])
        return True
    if not flips and word in _COMPLAINTS and not clause.search(_WANTED):
        return True
    return flips % 2 == 1


part_meanings: tuple[Meaning, ...] = (
    _double, _swap, start_meaning, move_meaning, length_meaning, repeat_meaning, _plain, _remove, _only, _add,
)  # fmt: skip
