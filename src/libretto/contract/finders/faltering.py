"""What goes wrong little by little: a tune with one more wrong note every time, and works that run down."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["running_down", "wavering", "wrong_notes"]

_WRONG = r"(?:wrong|false|sour|mistaken|bad|stray|misplaced|incorrect|off[- ]key|out[- ]of[- ]tune|sickly|crooked)"
_NOTE = rf"{_WRONG}(?:,? (?:and )?{_WRONG})? (?:notes?|pitch(?:es)?|tones?|keys?)"
_TIME = r"(?:time|return|repeat|repetition|round|pass|statement|appearance|recurrence|verse|go|reprise|turn|playing)"
_EACH = rf"(?:(?:each|every) (?:new |later |successive )?{_TIME}|with (?:each|every) {_TIME}|at (?:each|every) {_TIME})"
_MORE = (
    r"(?:(?:just |exactly )?(?:one|another|a further|an additional|an extra|a new|one extra|one new|one further)"
    r"(?: more| further| extra| additional| new)?|more|yet another)"
)
_WORSE = (
    r"(?:a (?:little|bit|shade) |slightly |more and more |steadily |ever |increasingly )?(?:more )?"
    r"(?:wrong|out of tune|sour(?:er)?|off[- ]key|false|mistuned|corrupted|distorted|crooked|damaged)"
)
_TUNE = r"(?:tune|melody|theme|song|lullaby|waltz|refrain|phrase)"
_SOUR = r"(?:wrong|sour|false|off[- ]key|out[- ]of[- ]tune|mistuned|crooked|rotten)"
_SLOWLY = r"(?:slowly |gradually |steadily |ever |little by little |increasingly |more and more )"
_WRONG_NOTES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b{_EACH}[^.;!?]{{0,60}}?\b{_MORE} {_NOTE}\b",
        rf"\b{_MORE} {_NOTE}[^.;!?]{{0,30}}?\b{_EACH}\b",
        rf"\bmore and more {_NOTE}\b",
        rf"\b(?:comes? back|returns?|repeats?|is repeated|is heard again|recurs?|comes? "
        rf"round)[^.;!?]{{0,40}}?\b{_MORE} {_NOTE}\b",
        rf"\b{_MORE} of (?:its|the) notes (?:is|are|goes|go|turns?|comes out) {_WRONG}[^.;!?]{{0,20}}?\b{_EACH}\b",
        rf"\b{_EACH},? (?:[a-z]+ ){{0,6}}?{_MORE} of (?:its|the) notes (?:is|are|goes|go|turns?|comes out) {_WRONG}\b",
        rf"\b(?:tune|melody|theme|it|song|phrase|music|lullaby|waltz|that|which)\b[^.;!?]{{0,40}}? "
        rf"(?:is|gets?|goes|grows?|becomes?|sounds?|comes? back|returns?|turns?) {_WORSE} {_EACH}\b",
        rf"\b{_TUNE}\b[^.;!?]{{0,60}}? (?:and|but|yet|then|to) (?:[a-z]+ ){{0,3}}?{_SOUR} "
        r"(?:by|at|in|towards?|near) the (?:very )?(?:end|close|finish)\b",
        rf"\b{_TUNE}\b[^.;!?]{{0,60}}? (?:curdl(?:es?|ing)|(?:turn|go|grow|becom)(?:s|es|e|ing)? {_SLOWLY}+{_SOUR}|"
        rf"{_SLOWLY}(?:turn|go|grow|becom)(?:s|es|e|ing)? {_SOUR})\b",
        rf"\b{_EACH},? (?:it |the (?:tune|melody|theme) )(?:is|gets?|goes|grows?|becomes?|sounds?|comes? back|"
        rf"returns?) {_WORSE}\b",
    )
)
_WORKS = (
    r"(?:springs?|music(?:al)?[- ]?box(?:es)?|clock ?works?|clocks?|toys?|carousels?|merry[- ]go[- ]rounds?|"
    r"automat(?:on|a)|mechanism|"
    r"barrel organ|gramophone|phonograph|record[- ]player|turntable|wind[- ]?up [a-z]+|machine(?:ry)?|"
    r"batter(?:y|ies)|tape|robots?|"
    r"spinning top|metronome|engine|motor|pendulum|jack-in-the-box|dolls?|music)"
)
_DOWN = (
    r"(?:(?:wind|winds|winding|wound|run|runs|running|ran) down(?! (?:the|a|an|my|your|his|her|their|our|into|"
    r"to the|from|some|by|after|with|on|at|before)\b)|"
    r"(?:running|runs?|winding) out(?: of (?:power|spring|steam|wind|breath))?(?! (?:the|a|an|my|into|to)\b)|"
    r"giv(?:es?|ing) out|los(?:es?|ing) (?:its |all )?(?:power|charge|tension|spring)|(?:is |are )?dying|"
    r"stutter(?:s|ing)? to (?:a )?"
    r"(?:halt|stop|standstill)|grind(?:s|ing)? to (?:a )?(?:halt|stop|standstill)|falter(?:s|ing)?|"
    r"slow(?:s|ing)?(?: down)? in (?:fits and starts|jerks|steps|stages))"
)
_FALTERS = r"(?:falter|stumbl|stutter|hesitat|limp|lurch|sputter|splutter|stagger)(?:e|es|s|ing)?"
_RUNNING = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:the )?(?:rhythm|tempo|beat|pulse|time|pace|tune|melody|music|theme) "
        rf"(?:(?!an? |its )[a-z]+ ){{0,3}}?{_FALTERS}\b"
        r"(?! (?:rhythm|beat|groove|gait|met(?:er|re)|step|pulse)s?\b)"
        rf"(?:[^.;!?,]{{0,24}}?\b{_WORKS}(?: [a-z]+ing)?(?: that (?:is|are))? {_DOWN})?",
        rf"\b{_WORKS}(?:['’]s)?(?: (?:that|which))?(?: (?:is|are|should|must|slowly|gradually|finally|then|"
        rf"gets?|starts? to|begins? to|whose|"
        rf"spring|power|battery|has been|left to)){{0,5}} {_DOWN}\b",
        rf"\b(?:wind|run)(?:s|ning|ing)? down(?:[, ]+[a-z]+){{0,3}}? (?:like|as) (?:an? |the )?(?:[a-z]+ "
        rf"){{0,3}}?{_WORKS}\b",
        r"\bslow(?:s|ing)?(?: down)? in (?:fits and starts|jerks|jerky steps)\b",
        r"\b(?:stumbl|stutter|limp|lurch|sputter|jerk)(?:e|es|s|ing)? to (?:a )?(?:halt|stop|standstill)\b",
    )
)
_FASTER = r"(?:speed(?:s|ing)? up|quicken(?:s|ing)?|hurr(?:y|ies|ying)|rush(?:es|ing)?|accelerat(?:es?|ing))"
_SLOWER = r"(?:slow(?:s|ing)?(?: down)?|drag(?:s|ging)?|sag(?:s|ging)?|slacken(?:s|ing)?|drooping|dragging)"
_WAVERING = re.compile(
    r"\b(?:tempo|pace|speed|pulse|time|beat|machine|carousel|mechanism)\b(?: [a-z]+){0,3}? "
    r"(?:waver|wobbl|fluctuat|vacillat|see-?saw)(?:s|es|e|ing)?\b|"
    r"\b(?:wavering|wobbling|wobbly|fluctuating|unstable|seasick|drunken),? (?:[a-z]+ )?(?:tempo|pace|pulse|speed)\b|"
    rf"\b{_FASTER} and {_SLOWER} (?:again )?(?:by turns|at (?:random|will)|as (?:if|though)|like (?:an? |the )?"
    rf"(?:[a-z]+ ){{0,2}}?{_WORKS})|"
    rf"\b{_SLOWER} and {_FASTER} (?:again )?(?:by turns|at (?:random|will)|as (?:if|though)|like (?:an? |the )?"
    rf"(?:[a-z]+ ){{0,2}}?{_WORKS})"
)
_LATE = re.compile(
    r"\b(?:near|towards?|at|by|in) (?:the |its )?(?:very )?(?:end|close|finish|last|final)\b|\bfinally\b"
)
_END = "last quarter"
_LONGEST = 200


@finders.register("wrong notes")
def wrong_notes(scene: Scene) -> Iterator[Finding]:
    """A tune that comes back with one more wrong note every time."""
    for match in list(filter(None, (pattern.search(scene.low) for pattern in _WRONG_NOTES)))[:1]:
        ask = Ask("texture", "wrong notes", "", "", scene.text[match.start() : match.end()].strip()[:_LONGEST])
        yield scene.finding("texture", ask_value("texture", "wrong notes", "", ""), *match.span(), ask)


@finders.register("wavering")
def wavering(scene: Scene) -> Iterator[Finding]:
    """A tempo that wavers all through, as that of a machine does that fails."""
    for match in list(filter(None, (_WAVERING.search(scene.low),)))[:1]:
        stop = re.compile(r"[.;!?]|\Z").search(scene.low, match.end())
        end = stop.start() if stop else match.end()
        ask = Ask("tempo_change", "in waves", "", "", scene.text[match.start() : end].strip()[:_LONGEST])
        yield scene.finding("tempo_change", ask_value("tempo_change", "in waves", "", ""), match.start(), end, ask)


@finders.register("running down")
def running_down(scene: Scene) -> Iterator[Finding]:
    """A tempo that falters and slows down, as works do whose spring runs down; near the end where that is told."""
    for match in list(filter(None, (pattern.search(scene.low) for pattern in _RUNNING)))[:1]:
        first = max(scene.low.rfind(mark, 0, match.start()) for mark in ".;!?") + 1
        stop = re.compile(r"[.;!?]|\Z").search(scene.low, match.end())
        place = scene.where(*match.span())
        late = _LATE.search(scene.low, first, stop.start() if stop else match.end())
        where = _END if late else "" if place is None or place.text in ("start", "end") else place.where
        ask = Ask("tempo_change", "running down", "", where, scene.text[match.start() : match.end()].strip()[:_LONGEST])
        yield scene.finding("tempo_change", ask_value("tempo_change", "running down", "", where), *match.span(), ask)
