"""Who is silent or goes, in places or altogether, who alone plays, and which sections are cut, as a clause asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from libretto.tasks.revise.clause import Asked, Clause, flat, words_at
from libretto.tasks.revise.scope import Place, Who
from libretto.tasks.revise.section_meanings import plain_section, sections_in
from libretto.tasks.revise.solos import hands_a_solo
from libretto.tasks.revise.wish import qualities

__all__ = ["only_meaning", "remove_meaning"]

_ONLY_THERE = re.compile(r"\b(?:only|just)\s+(?:in|during|from|at|for|on|after|until|within)\b", re.I)
_ONLY_FOR = re.compile(r"(?:only|just)\s+(?:in|on|for|with|by)\s+(?:the\s+)?\w+\W*", re.I)  # whose, not who alone
_ALL_BUT = re.compile(
    r"\b(?:everything|everyone|everybody|every (?:part|instrument)|anything|the (?:rest|others)|"
    r"all(?: of it| the (?:rest|others|parts|instruments))?)\s+"
    r"(?:but|except|besides|apart from|other than|save|aside from)(?:\s+for)?\b", re.I
)  # fmt: skip
_WEAK = {"out", "no", "rest", "cut", "pull", "drop"}  # words that ask for silence only where nothing else is asked for


def remove_meaning(clause: Clause) -> list[Asked]:
    """Parts out, in places or altogether; sections cut."""
    cues = [cue for cue in clause.has("remove", "mute") if not cue.detail]
    if not cues or (clause.asked and {words_at(clause, cue.words) for cue in cues} <= _WEAK):
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
    if clause.search(_ALL_BUT) and _spared(clause):
        return _others_out(clause, words)
    meant = [who for who in clause.who if _denies(clause) or not who.excluded]
    players = [who for who in meant if who.names and who.label != "everyone"]
    absent = [who.label for who in meant if not who.names]
    if not players and not absent:
        return []
    return [_out(clause, words, mute, players, "" if players else absent[0])]


def _out(clause: Clause, words: tuple[int, ...], mute: bool, players: list[Who], absent: str) -> Asked:
    """Those players out, in the places that a clause names or altogether; ``absent`` is who is not there at all."""
    clause.take(words)
    clause.take_cues("loudness", "keep")
    clause.places = list(map(_in_place, clause.places))
    names = ", ".join(_names_of(players)).lower()
    plain = list(map(_named, players))
    kind = "mute" if sections_in(clause) or mute else "remove"
    return Asked(kind, words=words, who=plain, value=f"{'mute' if mute else 'remove'} {names}", absent=absent)


def _others_out(clause: Clause, words: tuple[int, ...]) -> list[Asked]:
    """Everybody out but those that are left out of it: altogether, or in places."""
    spared = _spared(clause)
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


def _spared(clause: Clause) -> list[Who]:
    """The players that a clause leaves out of what it asks for."""
    return [who for who in clause.who if who.excluded and who.names]


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


def only_meaning(clause: Clause) -> list[Asked]:
    """Who alone plays somewhere, or where alone somebody plays."""
    handed = hands_a_solo(clause.said)
    cues = [cue for cue in clause.has("mute") if cue.detail and not (handed and words_at(clause, cue.words) == "solo")]
    players, places = [who for who in clause.who if who.names and not who.excluded], sections_in(clause)
    if not (cues and players) or _asks_for_more(clause, places) or _ONLY_FOR.fullmatch(clause.said.strip()):
        return []
    clause.take(flat(cues))
    clause.take_cues("add", "instrument")
    return [_alone(clause, flat(cues), players, places)]


def _asks_for_more(clause: Clause, places: Sequence[Place]) -> bool:
    """Whether "only" goes with another wish: one already understood, a quality, or anything where no place is named."""
    others = {cue.kind for cue in clause.cues} - {"mute", "add", "instrument", "remove"}
    return bool(clause.asked or others & qualities().keys() or (others and not places))


def _alone(clause: Clause, words: tuple[int, ...], players: list[Who], places: Sequence[Place]) -> Asked:
    """Silence for those players everywhere else, where they play "only in" a place; otherwise for everyone else."""
    named = _names_of(players)
    told, first = ", ".join(sorted(named)).lower(), players[0]
    if places and clause.search(_ONLY_THERE):
        elsewhere = [replace(place, excluded=True) for place in places]
        who = Who(named, first.label, first.start, first.end)
        return Asked("mute", words=words, who=[who], places=elsewhere, value=f"{told} only {places[0].value}")
    others = tuple(voice.name for voice in clause.score.voices if voice.name not in named)
    who = Who(others, "everyone else", first.start, first.end)
    return Asked("mute" if places else "remove", words=words, who=[who], value=f"only {told}")
