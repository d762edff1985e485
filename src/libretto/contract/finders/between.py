"""Who plays between the lines of another: ``fills between the organ phrases``, ``chords once each line has ended``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.cues import BEATEN
from libretto.contract.finders.scene import Finding, Player, Scene, finders

__all__ = ["between"]

_OWNER = r"(?:[\w'’-]+,? ){0,3}?"
_LINES = r"(?:phrases|lines|sentences|statements|calls|melodies|verses' lines|sung lines|vocals|breaths|words)"
_LINE = r"(?:line|phrase|melody|tune|voice|singer|vocal|vocalist|soloist|sentence|call|statement|breath|verse line)s?"
_SPACES = r"(?:gaps|spaces|silences|pauses|rests|holes|breathing spaces|breathing room|breaths)"
_STUFF = (  # what is played there
    r"(?:fills?|licks?|accents|phrases|figures?|flourish(?:es)?|runs|ornaments?|answers?|chords|stabs|hits|notes|lines|"
    r"touches|flickers|comments?|repl(?:y|ies)|responses?|arpeggios|trills|sparkles?|replies|decorations?|echoes|"
    r"interjections?|asides|bursts|swells|scales|grace notes|riffs)"
)
_SPACE = re.compile(
    r"\b(?:in )?between (?:the |each of the |each |its |his |her |their |every |all |those |these )?"
    rf"{_OWNER}{_LINES}\b(?! (?:that|which|of)\b)|"
    r"\b(?:in(?:to)?|through|during|across|over|fill(?:s|ing)?(?: up| in)?|within) (?:the |each |every |her |his |its |"
    rf"their |all |any )+{_OWNER}{_SPACES}\b(?! (?:between|around|left by|after|of|in) (?:the |each |every )?"
    r"(?:kicks?|beats?|bass|drums?|hits?|snares?|rhythm|groove|bar)\b)|"
    r"\b(?:once|when|whenever|where|wherever|as|after|each time|every time) (?:each |every |the |its |his |her |a |an )"
    rf"{_OWNER}{_LINE} (?:has |have |is |are |comes? to |takes? a )?(?:just )?"
    r"(?:finish|end|clos|rest|paus|breath|break|stop|fall|trail|die|done|over|settl|land|come)(?:ed|ing|s|es|e)?\b"
    r"(?! (?:up|in(?:to)?|apart|down on)\b)(?: (?:to (?:a |its )?(?:rest|end|close)|away|off|silent|breath))?|"
    r"\b(?:at|after|on|following|to (?:answer|close|round off)) the (?:ends?|close|tail|finish) of "
    rf"(?:each |every |the |its |her |his |their |all ){_OWNER}{_LINE}\b|"
    r"\bin (?:gentle |soft |quick |quiet |brassy |playful |sly |sweet |bright )?(?:reply|response|answer)\b"
    r"(?! to each)|"
    r"\b(?:answer|repl|respond|comment|echo|interject)(?:s|es|ies|ing|y)?(?: to| on)? (?:[\w'’-]+ ){0,4}?"
    r"with (?:[\w-]+,? )?(?:brief|short|little|small|tiny|sparse|clipped|terse|fleeting|passing),? (?:and )?"
    r"(?:[\w-]+,? ){0,2}?(?:fragments|phrases|licks|fills|comments|figures|motifs|gestures|snippets|asides|remarks|"
    r"bursts)\b|"
    r"\bwith (?:an?|its|short|sweet|soft|quick|gentle|sly|bright|brief|wry|warm|some|his|her|the odd) "
    r"(?:(?!accompan|figures|chords|arpeggios|patterns|support|harmon)[\w-]+,? (?:and )?){0,3}?"
    r"(?:reply|replies|responses?)\b"
)
_PRONOUN = re.compile(
    rf"\b(?:{_STUFF})(?: [\w-]+)? (?:in )?(?:between|around|in and out of|behind) (?:it|them|her|him)\b"
)
_AROUND = re.compile(
    rf"\b{_STUFF}(?: [\w-]+)? (?:around|in and out of|behind|between) (?:the |each |every )?{_OWNER}{_LINE}\b"
)
_PHRASES = re.compile(r"\b(?:phrases|lines|melody|tune|theme|song|voice|sings?|freely|solo)\b")
_CLAUSES = 2  # back to who is spoken of
_LONGEST = 200
_WHAT, _FILL = "between lines", "fill"
_ENDS = "phrase ends"


@finders.register("between")
def between(scene: Scene) -> Iterator[Finding]:
    """Who plays while the tune of another rests; of drums that is a fill at the ends of phrases."""
    told: set[str] = set()
    for match in _matches(scene):
        who = _who(scene, match.start())
        role = scene.roles.get(who.name, "") if who is not None else ""
        if who is None or role in ("lead", "bass") or who.name in told or _owns(scene, who, match):
            continue
        told.add(who.name)
        first, last = who.start, match.end()
        words = scene.text[first:last].strip()[:_LONGEST]
        for name in (who.name, *who.others):
            drums = role in BEATEN
            ask = Ask("drums", _FILL, name, _ENDS, words) if drums else Ask("texture", _WHAT, name, "", words)
            yield scene.finding(ask.kind, ask_value(ask.kind, ask.what, name, ask.where), first, last, ask)


def _matches(scene: Scene) -> list[re.Match[str]]:
    """Where a text speaks of what lies between lines, from left to right."""
    named = [match for pattern in (_SPACE, _AROUND) for match in pattern.finditer(scene.low)]
    pointed = [one for one in _PRONOUN.finditer(scene.low) if _PHRASES.search(_sentence(scene, one.start()))]
    return sorted([*named, *pointed], key=lambda match: match.start())


def _sentence(scene: Scene, at: int) -> str:
    """The words of a sentence up to a position."""
    return scene.low[max(scene.low.rfind(mark, 0, at) for mark in ".;!?") + 1 : at]


def _who(scene: Scene, at: int) -> Player | None:
    """Of whom a clause speaks, or the one before where it names nobody."""
    clause = scene.clause(at)
    for _ in range(_CLAUSES):
        near = [
            one for one in scene.players if clause.start <= one.start and one.end <= at and one.name and not one.weak
        ]
        if near:
            return near[0]
        before = scene.before(clause)
        if before is None or re.search(r"[.!?;]", scene.low[before.end : clause.start]):
            return None
        clause = before
    return None


def _owns(scene: Scene, who: Player, match: re.Match[str]) -> bool:
    """Whether it is that one's own phrases which are spoken of: ``the flute breathes between its phrases``."""
    own = re.search(r"\bits\b|\bhis\b|\bher\b|\btheir\b", match[0])
    others = {one.name for one in scene.players if one.name and not one.weak} - {who.name, *who.others}
    return own is not None and (not others or not _PHRASES.search(_sentence(scene, who.start)))
