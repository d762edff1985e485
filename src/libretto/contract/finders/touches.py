"""Two ways to play by turns: ``alternates between plucked and bowed passages``, ``swells and recedes like a tide``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["by_turns", "waves"]

_WAYS = (
    ("articulation", "pizzicato", r"pizzicat[oi]|pizz\.?|pluck(?:ed|ing)?"),
    ("articulation", "staccato", r"staccat[oi]|detached|clipped|spiky|short,? (?:and )?(?:crisp|sharp)"),
    ("articulation", "legato", r"legato|arco|bow(?:ed|ing)|sustained|smooth"),
    ("dynamics", "soft", r"(?:very )?(?:soft|quiet|hushed|gentle|delicate|tender|whispered)"),
    ("dynamics", "loud", r"(?:very )?(?:loud|forceful|powerful|thunderous|forte|fierce|explosive)"),
)
_WAY = "|".join(rf"(?P<{{side}}{number}>{words})" for number, (_, _, words) in enumerate(_WAYS))
_WHAT = r"(?:,? (?:and )?(?!and\b|to\b|with\b)[a-z-]+){0,3}?"  # passages, strings, singing lines
_ALTERNATE = r"(?:alternat|switch|shift|mov|go|swing|chang|toggl|swap|jump|flip)(?:e|es|s|ing|ping|ate|ates|ating)?"
_BOTH = r"(?:the |an? |long,? |short,? |sharp,? |crisp,? |flowing,? |singing,? |lyrical,? )*"
_TURNS = re.compile(
    rf"\b(?:{_ALTERNATE}(?: back and forth| freely| playfully| constantly| abruptly)?(?: between| from)|alternating|"
    rf"contrast(?:s|ing)?) {_BOTH}(?:{_WAY.format(side='a')}){_WHAT},? "
    rf"(?:and|to|with|then) {_BOTH}(?:{_WAY.format(side='b')})\b"
    rf"|\b(?:{_WAY.format(side='c')}){_WHAT} (?:alternat(?:e|es|ing) with|and) "
    rf"{_BOTH}(?:{_WAY.format(side='d')}){_WHAT} (?:alternat(?:e|es|ing)\b|by turns|in turn|in alternation|take turns)"
)
_HALVES = ("first half", "second half")  # of what moves from one way to another
_SIZE, _WAVE, _LONGEST = 4, 2, 200  # bars of a turn, and of half a wave; characters of the words of an ask


@finders.register("by turns")
def by_turns(scene: Scene) -> Iterator[Finding]:
    """Every other four bars are played in one of two ways, by who is named there, or by everybody."""
    for match in list(_TURNS.finditer(scene.low))[:2]:
        ways = [_WAYS[int(name[1:])] for name, words in match.groupdict().items() if words]
        if len(set(ways)) < len(ways) or ways[0][0] != ways[-1][0]:
            continue
        start, end = match.span()
        if any(place.start < end and start < place.end for place in scene.places):
            continue  # soft verses and loud choruses have places of their own
        names = _named_before(scene, start)
        for number, (kind, what, _) in enumerate(ways, 1):
            where = _HALVES[number - 1] if " from " in f" {match[0]}" else f"turns {number} of 2 in {_SIZE}"
            yield from _of_each(scene, match, [Ask(kind, what, name, where) for name in names])


_BACK = r"(?:reced|fall|fad|ebb|subsid|die|dying|sink|shrink|retreat|diminish|relax|withdraw|flow|settl)(?:e|es|s|ing)?"
_LIKE = r"(?= (?:like|in (?:volume|intensity|dynamics|waves)|gently|softly|slowly|throughout|with)\b| ?(?:[.,;]|\Z))"
_WHO = (
    r"(?:strings|violins|cellos|pads?|brass|horns|choir|organ|orchestra|synths?|synthesizers?|accordion|harmonium|"
    r"woodwinds)\b"
)
_WAVES = re.compile(
    rf"\b(?:swell|surg|ebb)(?:s|e|es|ing)?(?: up| gently| softly| slowly)? and (?:then )?{_BACK}\b(?: away| back)?|"
    r"\b(?:dynamics|volume|intensity|music|sound|pads?|strings|chords|choir|synths?|organ|drones?)"
    rf"(?: that| which| should)? (?:gently |slowly |softly )?(?:ris|grow)(?:e|es|s|ing)? and {_BACK}\b{_LIKE}|"
    r"\b(?:occasional|gentle|soft|slow|subtle|dynamic|expressive|sweeping|dramatic|wave-?like) swells(?: and fades)?"
    r"(?= throughout|[,.;]|\Z| in (?:the )?dynamics| that)|"
    rf"\bswelling,? (?:[a-z]+ )?{_WHO}(?! that| which| (?:to|into)\b)|\b(?:string|orchestral|choral) swells\b|"
    rf"\bswells (?:of|in|on|from) (?:the |its |soft |warm |low )*{_WHO}|"
    r"\bcrescendos? and (?:decrescendos?|diminuendos?)(?= throughout| in (?:every|each)|s\b)|"
    r"\bswell(?:s|ing)?(?: gently| softly| slightly)? (?:at|towards|in|on|with) (?:the ends? of )?"
    r"(?:each|every) (?:phrase|bar|chord|note|line)"
)


@finders.register("waves")
def waves(scene: Scene) -> Iterator[Finding]:
    """What swells and recedes grows for two bars and fades for two, again and again."""
    for match in list(_WAVES.finditer(scene.low))[:1]:
        inside = [one.name for one in scene.players if match.start() <= one.start < match.end() and one.name]
        names = inside or _named_before(scene, match.end())
        for number, what in enumerate(("growing", "fading"), 1):
            yield from _of_each(
                scene, match, [Ask("dynamics", what, name, f"turns {number} of 2 in {_WAVE}") for name in names]
            )


def _of_each(scene: Scene, match: re.Match[str], asks: list[Ask]) -> Iterator[Finding]:
    """Some asks with the words for them."""
    for ask in asks:
        told = replace(ask, words=scene.text[match.start() : match.end()][:_LONGEST])
        value = ask_value(ask.kind, ask.what, ask.who, ask.where)
        yield scene.finding(ask.kind, value, match.start(), match.end(), told)


def _named_before(scene: Scene, end: int) -> list[str]:
    """Who is named in the clause of some words before their end, but for drums; nobody in particular where none is."""
    clause = scene.clause(end - 1)
    clause = (scene.before(clause) or clause) if clause.linked else clause  # ``chords that swell and recede``
    named = [one for one in scene.players if clause.start <= one.start < end and one.name and not one.weak]
    named = [one for one in named if scene.roles.get(one.name) not in BEATEN]
    names = list(dict.fromkeys(name for one in named for name in (one.name, *one.others)))
    everybody = {name for name, role in scene.roles.items() if role not in BEATEN} <= set(names)
    return [""] if everybody or not names else names
