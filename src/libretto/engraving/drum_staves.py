"""Staves of drums have no key signature, also where the key changes: the engraver gives a new one to all staves."""

from __future__ import annotations

import re

__all__ = ["has_drums_under_new_keys", "with_no_signs_over_drums"]

_SIGN_OF_DRUMS, _PART = "<sign>percussion</sign>", "<part id="
_STAFF = re.compile(r'<staffDef\b[^>]*\bn="(\d+)"[^>]*>(.*?)</staffDef>', re.DOTALL)
_LATER_KEY = re.compile(
    r"(?P<before><scoreDef\b[^>]*>(?:(?!<staffGrp|</scoreDef>).)*?)(?P<key><keySig\b[^>]*/>)"
    r"(?P<after>(?:(?!<staffGrp|</scoreDef>).)*)</scoreDef>",
    re.DOTALL,
)
_NO_IDS = re.compile(r' xml:id="[^"]*"')


def has_drums_under_new_keys(document: str) -> bool:
    """Whether a document of MusicXML has a staff of drums and a key that comes later."""
    return _SIGN_OF_DRUMS in document and document.count("<key") > document.count(_PART)


def with_no_signs_over_drums(mei: str) -> str:
    """The document with key signatures that come later for the staves of pitches alone, as the first ones are."""
    staves = [(number, 'shape="perc"' in inside) for number, inside in _STAFF.findall(mei)]
    pitched = [number for number, drums in staves if not drums]
    if len(pitched) in (0, len(staves)):
        return mei

    def apart(match: re.Match[str]) -> str:
        own = "".join(f'<staffDef n="{number}">{match["key"]}</staffDef>' for number in pitched)
        return f"{match['before']}{match['after']}<staffGrp>{_NO_IDS.sub('', own)}</staffGrp></scoreDef>"

    return _LATER_KEY.sub(apart, mei)
