"""Two ways to play by turns: ``alternates between pizzicato and legato passages``, ``soft and loud by turns``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["by_turns"]

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
_BOTH = r"(?:the |a |an )?"
_TURNS = re.compile(
    rf"\b(?:{_ALTERNATE}(?: back and forth| freely| playfully| constantly| abruptly)?(?: between| from)|alternating|"
    rf"contrast(?:s|ing)?) {_BOTH}(?:{_WAY.format(side='a')}){_WHAT},? "
    rf"(?:and|to|with|then) {_BOTH}(?:{_WAY.format(side='b')})\b"
    rf"|\b(?:{_WAY.format(side='c')}){_WHAT} (?:alternat(?:e|es|ing) with|and) "
    rf"{_BOTH}(?:{_WAY.format(side='d')}){_WHAT} (?:alternat(?:e|es|ing)\b|by turns|in turn|in alternation|take turns)"
)
_SIZE, _LONGEST = 4, 200  # bars of a turn; characters of the words of an ask


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
        clause = scene.clause(start)
        named = [one for one in scene.players if clause.start <= one.start < start and one.name and not one.weak]
        named = [one for one in named if scene.roles.get(one.name) not in BEATEN]
        names = list(dict.fromkeys(name for one in named for name in (one.name, *one.others))) or [""]
        for number, (kind, what, _) in enumerate(ways, 1):
            where = f"turns {number} of 2 in {_SIZE}"
            for name in names:
                ask = Ask(kind, what, name, where, scene.text[start:end][:_LONGEST])
                yield scene.finding(kind, ask_value(kind, what, name, where), start, end, ask)
