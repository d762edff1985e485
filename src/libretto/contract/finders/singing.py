"""Who sings, and where nobody else does: ``the last verse is a cappella``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.instruments import instrument_named

__all__ = ["singers_of", "unaccompanied"]

_A_CAPPELLA = re.compile(
    r"\b(?:a cappella|a capella|acapella|acappella|unaccompanied|"
    r"(?:without|with no) (?:any )?(?:instruments|accompaniment|backing))\b"
)
_LONGEST = 200


def singers_of(scene: Scene) -> list[str]:
    """The names of those who sing."""
    return [name for name in scene.roles if (own := instrument_named(name)) is not None and own.family == "voices"]


@finders.register("unaccompanied")
def unaccompanied(scene: Scene) -> Iterator[Finding]:
    """Places in which only those who sing are heard, and no player is named beside them."""
    singers = singers_of(scene)
    for match in list(_A_CAPPELLA.finditer(scene.low))[:2] if singers else ():
        clause = scene.clause(match.start())
        place = scene.where(*match.span())
        named = any(clause.start <= one.start < clause.end and one.name and not one.weak for one in scene.players)
        if place is None or place.how or named or len(singers) == len(scene.roles):
            continue
        first, last = min(match.start(), place.start), max(match.end(), place.end)
        ask = Ask("only", "", " + ".join(singers), place.text, scene.text[first:last][:_LONGEST])
        yield scene.finding("only", f"{ask.who} at {place.text}", first, last, ask)
