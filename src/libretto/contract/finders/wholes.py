"""What is told as a whole, and which other findings then say no more than a part of it."""

from __future__ import annotations

from collections.abc import Callable

from libretto.contract.finders.scene import Finding

__all__ = ["COMING", "WHOLES", "of_calm"]

#: Kinds that tell when somebody plays.
COMING = ("enter", "leave", "silent", "only")
_WEAKER = ("counter", "silent", "pad")  # what nobody is who leads, or comes in
_PLAYED = (*COMING, "lead", "solo", "section_bars")
_TOUCH = ("dynamics", "articulation")
_TALK = ("call and response", "counter")  # what who plays between the lines does anyway
_CALMS = ("slow to fast to calm", "fading, last quarter")  # what is heard of such a piece
_ON = ("manner", "lead", "role", *COMING)  # kinds of who goes on


def _of_arch(finding: Finding, whole: Finding) -> bool:
    """Whether words say of touch and loudness no more than that it grows and comes to rest, or changes by turns."""
    heard, other = finding.heard, whole.heard
    return heard.kind in _TOUCH and heard.start < other.end and other.start < heard.end


def _of_journey(finding: Finding, whole: Finding) -> bool:
    """Whether words say of the tempo no more than that the piece goes from one to another."""
    heard, other = finding.heard, whole.heard
    told = max(other.end, other.start + len(whole.ask.words) if whole.ask else 0)
    return heard.kind == "tempo_change" and heard.start < told and other.start < heard.end


def of_calm(finding: Finding, whole: Finding) -> bool:
    """Whether words say of tempo and loudness no more than a piece that grows fast and comes to rest has anyway."""
    return finding.heard.value not in _CALMS and (_of_journey(finding, whole) or _of_arch(finding, whole))


def _of_hand_over(finding: Finding, whole: Finding) -> bool:
    """Whether words say no more than that somebody leads up to or from where the tune is handed over, or there."""
    lead = finding.ask is not None and finding.ask.kind == "lead"
    return lead and finding.heard.start < whole.heard.end and whole.heard.start < finding.heard.end


def _of_telling(finding: Finding, whole: Finding) -> bool:
    """Whether words say who plays in a stretch of which that is told already."""
    heard, other = finding.heard, whole.heard
    answers = finding.ask is not None and finding.ask.kind == "role" and finding.ask.what in _WEAKER
    return (heard.kind in _PLAYED or answers) and heard.start < other.end and other.start < heard.end


def _of_keeping(finding: Finding, whole: Finding) -> bool:
    """Whether words say of somebody's coming no more than that it is kept for a place, or that two sing there."""
    heard, other = finding.heard, whole.heard
    same = finding.ask and whole.ask and finding.ask.who in (whole.ask.who, whole.ask.what.removesuffix(" in thirds"))
    there = same and heard.kind in (*COMING, "dynamics")
    return bool(there) and heard.start < other.end and other.start < heard.end


def _of_numbered(finding: Finding, whole: Finding) -> bool:
    """Whether words say of somebody's coming no more than what is told of the bars in which it comes."""
    heard, other = finding.heard, whole.heard
    told = {finding.ask.who} <= set(whole.ask.who.split(" + ")) if finding.ask and whole.ask else False
    return told and heard.kind in COMING and heard.start < other.end and other.start < heard.end


def _of_climb(finding: Finding, whole: Finding) -> bool:
    """Whether words say of how high a line lies no more than from where it climbs."""
    heard, other = finding.heard, whole.heard
    return heard.kind == "register" and heard.start < other.end and other.start < heard.end


def _of_going(finding: Finding, whole: Finding) -> bool:
    """Whether words say of somebody's coming or playing alone no more than in which order players go."""
    heard, other = finding.heard, whole.heard
    going = whole.ask is not None and whole.ask.kind == "leave" and heard.kind in COMING
    return going and heard.start < other.end and other.start < heard.end


def _of_steps(finding: Finding, whole: Finding) -> bool:
    """Whether words say of tempo, key or loudness no more than that they go step by step."""
    heard, other = finding.heard, whole.heard
    said = heard.kind in ("tempo_change", "key_change", "register", "meter_change", *_TOUCH)
    return said and heard.start < other.end and other.start < heard.end


def _of_canon(finding: Finding, whole: Finding) -> bool:
    """Whether words say no more than a part of a canon whose distance is told, or of a row of entries."""
    heard, other = finding.heard, whole.heard
    said = heard.kind in (*COMING, "lead", "texture", "section_bars")
    return said and heard.start < other.end and other.start < heard.end


def _of_going_on(finding: Finding, whole: Finding) -> bool:
    """Whether words say of how somebody plays no more than that one goes on alone."""
    heard, other = finding.heard, whole.heard
    return heard.kind in _ON and heard.start < other.end and other.start < heard.end


def _of_room(finding: Finding, whole: Finding) -> bool:
    """Whether words say of how much is played no more than that there is room for words."""
    heard, other = finding.heard, whole.heard
    return heard.kind == "density" and heard.start < other.end and other.start < heard.end


def _of_the_spaces(finding: Finding, whole: Finding) -> bool:
    """Whether words say in general what who plays between the lines of another does."""
    ask = finding.ask
    talk = ask is not None and ask.kind in ("texture", "role") and ask.what in _TALK
    return talk and finding.heard.start < whole.heard.end and whole.heard.start < finding.heard.end


def _counted_in(finding: Finding, whole: Finding) -> bool:
    """Whether words count the parts into which somebody divides, and nobody who plays."""
    counts = finding.ask is not None and finding.ask.kind == "voices"
    parts = counts and whole.ask is not None and whole.ask.what == "harmonized"
    return parts and finding.heard.start < whole.heard.end and whole.heard.start < finding.heard.end


#: What is told as a whole, by finders, and which other findings then say no more than a part of it.
WHOLES: tuple[tuple[tuple[str, ...], Callable[[Finding, Finding], bool]], ...] = (
    (("between",), _of_the_spaces),
    (("cued",), _counted_in),
    (("arches", "by turns", "waves", "passing by", "murmuring"), _of_arch),
    (
        (
            "slow beginnings",
            "after something slow",
            "fast finishes",
            "numbered journeys",
            "slowing down",
            "running down",
            "fermatas",
        ),
        _of_journey,
    ),
    (("one by one",), _of_going),
    (("canons",), _of_canon),
    (("steps",), _of_steps),
    (("arcs", "peaks"), _of_climb),
    (("handing", "subjects", "sections of somebody"), _of_hand_over),
    (("telling", "uniting"), _of_telling),
    (("numbered",), _of_numbered),
    (("kept", "duets"), _of_keeping),
    (("going on alone",), _of_going_on),
    (("room for words",), _of_room),
)
