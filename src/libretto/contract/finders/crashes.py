"""What falls into music: ``a sudden silence when a shoe falls`` is a blow of everybody, a bar of nothing, and a soft
going on; what is mostly soft is soft as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["mostly_soft", "sudden_silences"]

_WHEN = r"(?:when|as|after|because|the moment|at the moment|once)\b"
_SUDDEN = (
    r"(?:sudden|abrupt|shocked|startled|stunned|dead|total|complete|deathly|awkward|frozen|terrified|instant|horrified)"
)
_NOTHING = r"(?:silence|pause|stop|hush|stillness|halt)"
_ALL = (
    r"(?:everything|everyone|everybody|all|all of them|"
    r"the (?:whole )?(?:music|band|march|dance|party|parade|procession|piece|thing))"
)
_BREAKS = r"(?:stops?|freezes?|falls silent|goes (?:silent|quiet)|halts?)(?: dead| cold| short)?"
_SILENCE = re.compile(
    rf"\b(?:an? |the |one )?{_SUDDEN}(?:,? (?:and )?[a-z]+)? {_NOTHING} "
    rf"(?:{_WHEN}[^.;!?,]{{3,60}}|(?:follows|falls)\b)|"
    rf"\b{_ALL} (?:should |must )?(?:suddenly |abruptly |instantly )?{_BREAKS} {_WHEN}[^.;!?,]{{3,60}}|"
    r"\bwhen (?:an? |the )[^.;!?,]{3,50}, (?:there (?:is|should be) |comes )?(?:an? )?"
    rf"(?:(?:{_SUDDEN} )+{_NOTHING}|{_ALL} (?:should |must )?(?:suddenly |abruptly |instantly )?{_BREAKS})\b"
)
_LOUD_AGAIN = re.compile(
    r"[^!?]{0,80}\b(?:explod|erupt|burst|louder than|fortissimo|full (?:band|force|blast)|tutti|storm)"
)
_THIN = re.compile(
    r"[^!?]{0,120}\b(?:survivors?|stragglers?|the few|those (?:who are )?left|what is left|timid\w*|"
    r"tiptoe\w*|caut\w+|nervous\w*|gingerly|hesitant\w*|limp\w*|creep\w*)\b"
)
_SOFT = (
    r"(?:very |extremely |really |super |ever so )?(?:soft(?:ly)?|quiet(?:ly)?|hushed|pianissimo|whispered|"
    r"in a whisper|under (?:its|their) breath)"
)
_MOSTLY = re.compile(
    rf"\b(?:the )?dynamics?,? (?:should |must |is |are |be |stay |remain |kept? |to |mostly |mainly |largely |very )*"
    rf"(?:\b{_SOFT})\b|"
    rf"\b(?:mostly|mainly|largely|chiefly|for the most part|nearly always|almost always|nearly all) {_SOFT}\b|"
    rf"\b{_SOFT},? (?:for the most part|almost throughout|nearly throughout|most of the (?:time|way)|throughout)\b"
)
_AT = "last quarter"  # where what falls does so, of which nobody says where
_FEW = 2  # players of whom none waits
_EDGES = ("start", "end")
_LONGEST = 200


@finders.register("sudden silences")
def sudden_silences(scene: Scene) -> Iterator[Finding]:
    """A blow, a bar in which nobody plays, and how it goes on."""
    for match in list(_SILENCE.finditer(scene.low))[:1]:
        near = scene.where(*match.span())
        at = near.text if near and near.text not in _EDGES and not near.how else _AT
        after = f"after 1 bars in {at}"
        asks = [Ask("silent", "crash", "", f"1 bars before {at}"), Ask("silent", "", "", f"1 bars in {at}")]
        if not _LOUD_AGAIN.match(scene.low, match.end()):
            asks.append(Ask("dynamics", "soft", "", after))
        leads = [name for name, role in scene.roles.items() if role == "lead"]
        if _THIN.match(scene.low, match.end()) and len(scene.roles) > _FEW:
            asks += [Ask("silent", "", name, f"2 bars in {after}") for name in leads[:1]]
        for ask in asks:
            told = Ask(ask.kind, ask.what, ask.who, ask.where, scene.text[match.start() : match.end()][:_LONGEST])
            yield scene.finding(ask.kind, ask_value(ask.kind, ask.what, ask.who, ask.where), *match.span(), told)


@finders.register("mostly soft")
def mostly_soft(scene: Scene) -> Iterator[Finding]:
    """A piece that is soft as a whole."""
    for match in list(_MOSTLY.finditer(scene.low))[:1]:
        near = scene.where(*match.span())
        if near is None:
            ask = Ask("dynamics", "soft", "", "", scene.text[match.start() : match.end()][:_LONGEST])
            yield scene.finding("dynamics", "soft", *match.span(), ask)
