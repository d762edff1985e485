"""Players who are only imagined: likened to, or left room for.

*Like a choir of angels*, *as though a band went by*, *imitating bagpipes and drums*, *so that a rapper could perform
over it*: none of them plays.
"""

from __future__ import annotations

import re

from libretto.contract.instruments import Mention

__all__ = ["imagined"]

_WORD = (  # what may stand between a likeness and what is likened to; what comes after *with* or *on* plays
    r"(?:(?!(?:with|by|on|for|using|over|under|through|from|via|featuring|while|and|or|but|to|in|is|are)\b)[\w'’-]+\s)"
)
_DO = r"(?!(?:add|use|featur|includ|bring|put|let|give|have|keep|set|make)(?:e|ing)?\b)"  # of which a brief tells next
_LIST = rf"(?:{_WORD}{{1,6}}(?:and|or)\s{_DO}{_WORD}{{0,2}})?"
_LIKENED = re.compile(
    r"\b(?:(?:mimic|imitat|resembl|recall|conjur)\w*(?:\sup)?|evok\w+|reminiscent of|inspired by|similar to|"
    r"remind\w*\s(?:[a-z]+\s){0,2}of|"
    r"(?<!would )(?<!['’]d )(?<!\bi )(?<!something )(?<!elements )(?<!-)"
    r"(?<!progression )(?<!chords )(?<!changes )(?:(?<![,;:] )like|like(?=\s(?:an?|the)\s)))\s"
    rf"{_LIST}{_WORD}{{0,4}}\Z|"
    rf"\b(?:mimic|imitat)\w*\s(?:{_WORD}{{0,3}}[a-z]+,\s){{1,2}}{_LIST}{_WORD}{{0,3}}\Z|"
    rf"\bas (?:if|though)\s{_LIST}{_WORD}{{0,6}}\Z|"
    rf"\bthe way\s(?:an?|the|some)\s{_WORD}{{0,3}}\Z",
    re.I,
)
_INSTRUMENTS = re.compile(  # instruments like the koto do play, and so do the low strings that are listed after it
    r"instruments?\W+(?:\w+\W+){0,4}\Z|"
    r"instruments?\slike\s(?:(?!(?:should|must|will|to|that|sound\w*|like)\b)[\w'’-]+,?\s){0,12}\Z",
    re.I,
)
_IN_STYLE = re.compile(rf"\bin the (?:style|manner|fashion) of\s{_WORD}{{0,3}}\Z", re.I)
_PICTURED = re.compile(r"\b(?:imagin|pictur)\w*\b[^.;:!?]*\Z|\bthink(?:ing)? of\s[^.;:!?,]*\Z", re.I)
_DOES = re.compile(r"\s(?:then\s)?(?!is\b|as\b|was\b)[a-z]+s\b", re.I)
_AND = re.compile(rf"(?:,|\b(?:and|or))\s{_WORD}{{0,2}}\Z", re.I)
_ROOM = re.compile(
    r"\b(?:spaces?|room|gaps?|pockets?|backing(?: track)?|(?:left|kept|leaves?|keeps?|stays?) (?:\w+ )?"
    r"(?:open|free|clear))\b[^.;:!?,]{0,40}\bfor\s(?:[\w'’-]+\s){0,3}\Z",
    re.I,
)
_THAT = re.compile(r"\b(?:so(?: that)?|which|that|where)\s(?:[\w'’-]+\s){0,3}\Z", re.I)
_MIGHT = re.compile(r"\s(?:could|can|might|may|would)\b", re.I)
_FOR = re.compile(r"\bfor\s(?:an?|the|any|some)\s(?:[\w'’-]+\s){0,2}\Z", re.I)
_OVER_IT = re.compile(r"\sto\s[^.;:!?,]{0,30}\b(?:over|on|on top|along)\b(?!\s(?!it\b|this\b|top\b)\w)", re.I)
_PEOPLE = re.compile(r"\b(?:rapper|singer|vocalist|mc)s?\Z", re.I)
_SUNG = re.compile(r"\A(?:[a-z ]*singing|clapping|chanting|cheering)\Z", re.I)


def imagined(text: str, mention: Mention, before: str, others: bool) -> bool:
    """Whether a name is only somebody whom others sound like, or who might come: ``room for a singer``."""
    if mention.instrument.family == "voices" and _may_come(text, mention, before):
        return True
    if _INSTRUMENTS.search(before):
        return False
    if _LIKENED.search(before) and not (_AND.search(before) and _DOES.match(text, mention.end)):
        return True
    crowd = mention.ensemble or _SUNG.match(mention.text)
    return others and bool(_IN_STYLE.search(before) or (crowd and _PICTURED.search(before)))


def _may_come(text: str, mention: Mention, before: str) -> bool:
    """Whether somebody who would sing has only room left, or could sing over what is played."""
    if _ROOM.search(before):
        return True
    might = _THAT.search(before) and _MIGHT.match(text, mention.end)
    over = _FOR.search(before) and _OVER_IT.match(text, mention.end)
    return bool(_PEOPLE.search(mention.text) and (might or over))
