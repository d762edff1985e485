"""Wishes made of what a clause asks for: voices and bars of the piece, or why that cannot be."""

from __future__ import annotations

import re
from dataclasses import replace

from libretto.contract.instruments import instrument_named
from libretto.contract.stretches import bars_of_place
from libretto.edits.endings import last_start
from libretto.score import Score
from libretto.tasks.revise.clause import Asked, Clause
from libretto.tasks.revise.scope import Place, Who, tune_of
from libretto.tasks.revise.spots import missing_place, spans_of_place
from libretto.tasks.revise.wish import A_LITTLE, MUCH, Wish, qualities

__all__ = ["wishes_of"]

Spans = tuple[tuple[int, int], ...]
_LITTLE = re.compile(
    r"\b(?:a (?:\w+ )?(?:bit|little|tad|touch|shade|hair|notch|smidge|smidgen)|slightly|somewhat|marginally)\b", re.I
)
_MUCH = re.compile(r"\b(?:much|far|way (?!down|up|through)|a lot|very|really|considerably)\b", re.I)
_LONGEST_SAID = 200  # characters of a clause that are kept with its wishes
#: Kinds that are about the end of a piece where nobody says where.
_AT_END = ("ritardando", "ending")
_ENDING_BARS = {"held": 1, "fade": 8, "sudden": 4}
_ONE_DRUM = ("kick", "snare", "hat", "cymbal", "tom", "bass drum")
#: Kinds that are about parts by name, even where those are all that there are.
_BY_NAME = ("double", "harmony", "instrument", "keep", "mute", "remove")
_ONE_OF_MANY = {"exchange": -1, "repeat": -1, "lengthen": -1, "shorten": -1, "start": 0, "move": 0}


def wishes_of(clause: Clause, score: Score) -> tuple[list[Wish], list[str]]:
    """The wishes of a clause, and for each that cannot be why."""
    wishes: list[Wish] = []
    missing: list[str] = []
    for asked in clause.asked:
        spans, lost = _spans(_places(clause, asked), score)
        voices, nobody = _voices(clause, asked, score)
        why = lost or nobody or _reason(asked, score)
        if why:
            missing.append(why)
            continue
        spans = spans or _default(asked, score)
        chosen = _chosen(clause, asked, len(spans))
        if asked.kind in _ONE_OF_MANY:
            spans = (spans[_ONE_OF_MANY[asked.kind]],)
        said = clause.said[:_LONGEST_SAID]
        wish = Wish(asked.kind, asked.way, voices, 1, 1, _strength(clause), asked.target, said, chosen=chosen)
        wishes += _made(wish, spans, score)
    return wishes, missing


def _chosen(clause: Clause, asked: Asked, count: int) -> str:
    """What was chosen that nobody said, in words: one section of several, the kit for one of its drums."""
    if asked.kind in _ONE_OF_MANY and count > 1:
        return f"the {'last' if _ONE_OF_MANY[asked.kind] < 0 else 'first'} of {count}"
    named = [clause.text[who.start : who.end].lower() for who in clause.who if who.label == "drums"]
    if any(word in name for name in named for word in _ONE_DRUM) and asked.who is None:
        return "the drums as a whole"
    if asked.kind == "harmony" and not re.search(r"above|below|over|under|higher|lower|on top", clause.said, re.I):
        return asked.target
    return ""


def _places(clause: Clause, asked: Asked) -> list[Place]:
    """Where something is asked for; a change of key before a place is one from there on."""
    places = clause.places if asked.places is None else asked.places
    if asked.kind != "key":
        return places
    return [replace(place, value=f"from {place.bare}") if place.how == "until" else place for place in places]


def _made(wish: Wish, spans: Spans, score: Score) -> list[Wish]:
    """A wish in its bars: one a stretch for a quality; another instrument in some bars plays instead of the first."""
    if wish.quality in qualities():
        return [wish.at([span]) for span in spans]
    wish = replace(wish, strength=1.0).at(spans)
    if wish.quality == "instrument" and spans != ((score.numbers[0], score.numbers[-1]),):
        taker = _who_plays(wish.target, score, wish.voices)
        if taker and len(wish.voices) == 1:
            return [replace(wish, quality="handed", voices=(*wish.voices, taker), target=taker)]
        return [replace(wish, quality="double"), replace(wish, quality="mute", target="")]
    return [wish]


def _who_plays(instrument: str, score: Score, others: tuple[str, ...]) -> str:
    """The voice that plays an instrument already, not one of ``others``; empty where nobody does."""
    player = instrument_named(instrument)
    programs = player.programs if player is not None else ()
    mine = [voice for voice in score.voices if not voice.drums and voice.program in programs]
    named = [voice.name for voice in mine if voice.name not in others]
    return named[0] if named else ""


def _reason(asked: Asked, score: Score) -> str:
    """Why something cannot be: a player or a place is not there."""
    if asked.absent:
        return f"there is no {asked.absent}"
    return missing_place(asked.missing, score) if asked.missing else ""


def _default(asked: Asked, score: Score) -> Spans:
    """The bars of what names none: the end for an ending, else all."""
    if asked.kind == "ending":
        count = max(1, min(_ENDING_BARS[asked.target], score.bars // 4))
        last, first = last_start(score), score.bars - count
        if last >= 0:
            first = min(first, score.bar_at(last))  # behind the last chord there may be silence
        return ((score.numbers[first], score.numbers[-1]),)
    if asked.kind in _AT_END:
        return bars_of_place("end", score)
    return ((score.numbers[0], score.numbers[-1]),)


def _spans(places: list[Place], score: Score) -> tuple[Spans, str]:
    """The bars that places mean, and what is not there."""
    gone = [place for place in places if place.excluded]
    meant = [place for place in places if place not in gone]
    meant = [place for place in meant if place.value] or meant
    for place in (*meant, *gone):
        if not spans_of_place(place.value, score):
            return (), missing_place(place.bare or place.value, score)
    if len(meant) == 1 and not gone:
        return spans_of_place(meant[0].value, score), ""
    if [place.how for place in meant] == ["from", "until"] and not gone:  # from one place until another
        return _runs(_bars(meant[:1], score) & _bars(meant[1:], score)), ""
    inside = _bars(meant, score) if meant or not gone else set(score.numbers)
    return _runs(inside - _bars(gone, score)), ""


def _runs(bars: set[int]) -> Spans:
    """Bars by number as stretches."""
    runs: list[tuple[int, int]] = []
    for number in sorted(bars):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return tuple(runs)


def _bars(places: list[Place], score: Score) -> set[int]:
    spans = [span for place in places for span in spans_of_place(place.value, score)]
    return {number for one, two in spans for number in range(one, two + 1)}


def _voices(clause: Clause, asked: Asked, score: Score) -> tuple[tuple[str, ...], str]:
    """The names of the voices that are meant; none for everybody; and who is not there."""
    if asked.kind in ("add", "title", "undo", "again", "speed") or (asked.everyone and asked.kind != "keep"):
        return (), ""
    who = clause.who if asked.who is None else asked.who
    named = list(dict.fromkeys(name for one in who if not one.excluded for name in one.names))
    absent = _absent(who, named)
    if absent and asked.kind not in ("instrument", "double", "harmony"):
        return (), f"there is no {absent}; the parts are {', '.join(voice.name for voice in score.voices)}"
    if asked.kind in ("harmony", "double") and not named:
        tune = tune_of(score)
        return ((tune,), "") if tune else ((), "there is no tune")
    return _but(named, clause, asked, score), ""


def _but(named: list[str], clause: Clause, asked: Asked, score: Score) -> tuple[str, ...]:
    """The voices without those that a clause leaves out; none for everybody."""
    everyone = [voice.name for voice in score.voices]
    left_out = _left_out(clause)
    if left_out and asked.kind != "keep":
        named = [name for name in named or everyone if name not in left_out]
    if asked.kind == "mood" and named:
        return tuple(name for name in everyone if not score.voice(name).drums)
    if len(named) == len(everyone) and asked.kind not in _BY_NAME:
        return ()
    return tuple(named)


def _left_out(clause: Clause) -> set[str]:
    return {name for one in clause.who if one.excluded for name in one.names}


def _absent(who: list[Who], named: list[str]) -> str:
    """Who is named and not in the piece, where nobody is who is."""
    return next((one.label for one in who if not one.names and not one.excluded), "") if not named else ""


def _strength(clause: Clause) -> float:
    """How much of a change is wanted; what these are called again is in ``Wish.text``."""
    return A_LITTLE if clause.search(_LITTLE) else MUCH if clause.search(_MUCH) else 1.0
