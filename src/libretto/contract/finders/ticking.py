"""Parts that go round in cycles of different lengths, counted strokes of all, and one who goes on alone after them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Scene, finders
from libretto.contract.words import number_of

__all__ = ["counted_strokes", "cycles", "going_on_alone"]

_COUNT = r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen)"
_PATTERN = r"(?:patterns?|loops?|figures?|cycles?|motifs?|motives|cells?|ostinatos?|ostinati|riffs?|phrases|sequences)"
_UNIT = (
    r"(?:eighths?|eighth[- ]notes?|quavers?|sixteenths?|sixteenth[- ]notes?|semiquavers?|beats?|quarters?|"
    r"quarter[- ]notes?|crotchets?|notes?|pulses?|steps?)"
)
_UNEQUAL = (
    r"(?:different|differing|unequal|unlike|various|varying|contrasting|uneven|odd|mismatched|prime|irregular)"
    r"(?:,? (?:and|but) [a-z]+)?"
)
_CYCLES = re.compile(
    rf"\b(?:(?:several|short|little|tiny|small|simple|interlocking|repeating|many|some) ){{0,3}}{_PATTERN}"
    rf"(?: [a-z]+ing)?,? (?:(?:that|which) (?:are|have) )?(?:all |each )?(?:of|in|with|at|having) (?:all )?"
    rf"(?:{_UNEQUAL} (?:lengths?|durations?|periods?|sizes)|(?:its|their) own lengths?)\b"
    rf"|\b(?:different|unequal|uneven|odd)(?:ly)?[- ](?:length|long|sized)(?:ed)? {_PATTERN}\b"
    rf"|\b(?:phas(?:e|ing)[- ](?:patterns?|music|loops|techniques?|shifting|shifts|figures|process(?:es)?|lines)|"
    rf"phase[- ]shifted (?:patterns|loops|figures))\b"
    r"|\b(?:(?:slowly|gradually|steadily|subtly) )?(?:drift|slip|slid|mov|go|fall|shift|com|slid|pull|wander)"
    r"(?:e|es|s|ing|ping)? (?:slowly |gradually |steadily |apart and |in and )?"
    r"out of (?:phase|sync|step|alignment|lockstep)(?: with (?:each other|one another))?"
    r"(?:,? (?:and|then|before|only to)(?: then)? (?:lock|fall|com|snap|click|slid|drift|slip|mov)(?:e|s|es|ing|ping)? "
    r"(?:back )?(?:together|into (?:phase|sync|step|alignment|place|line)|in (?:phase|sync|step))(?: again)?)?"
    r"|\bpoly-?met(?:er|re|ers|res|ric|rical)\b(?: (?:cycles?|patterns?|loops?|layers?))?"
    r"|\b(?:each|every) (?:part|voice|player|instrument|line|one|hand)(?:,? [a-z]+){0,5}? (?:its|their|his|her) own "
    r"(?:cycle|pattern|loop|cycle length|pattern length|loop length|metre|meter|clock)(?: length)?\b"
    r"|\b(?:walls?|shops?|rooms?|houses?|roomful|cabinets?|attics?|towers?)(?: ?full)? of (?:[a-z]+ ){0,2}?"
    r"(?:clocks|watches|metronomes)\b"
    r"|\b(?:several|many|dozens of|hundreds of|a hundred|two|three|four|five|six|seven|ten|different) "
    r"(?:[a-z]+ )?(?:clocks|metronomes|watches|clockworks)\b(?=[^.;!?]{0,30}\b(?:tick|beat|run|go|at different|"
    r"out of)\w*)"
)
_OF_LENGTHS = re.compile(
    rf"\b{_PATTERN} (?:that are |which are |lasting )?(?:of )?(?P<all>{_COUNT}(?:,? (?:and |or )?{_COUNT})+)[- ]"
    rf"(?P<unit>{_UNIT})\b"
)
_AGAINST = re.compile(
    rf"\b(?P<one>{_COUNT})[- ](?P<unit>{_UNIT})(?:[- ]long)? {_PATTERN}\b[^.;!?]{{0,40}}?\b(?:against|over|under|with|"
    rf"beside|above|below|while|and|versus|in|to)\b[^.;!?]{{0,40}}?\b(?P<two>{_COUNT})[- ]{_UNIT}\b"
    rf"(?:[^.;!?]{{0,30}}?\b(?P<three>{_COUNT})[- ]{_UNIT}\b)?"
)
_TICKING = re.compile(
    r"\btick(?:s|ing)? (?:away )?(?:against|with|around) (?:each other|one another)(?: like (?:an? )?)?"
)
_ALL = r"(?:all|everyone|everybody|everything|they all|they|both|the (?:whole )?(?:band|ensemble|group|orchestra))"
_HIT = (
    r"(?:strik(?:e|es|ing)|struck|toll(?:s|ing)?|chim(?:e|es|ing)|hit(?:s|ting)?|sound(?:s|ing)?|ring(?:s|"
    r"ing)?(?: out)?|"
    r"knock(?:s|ing)?|pound(?:s|ing)?|play(?:s|ing)?|hammer(?:s|ing)?(?: out)?|beat(?:s|ing)?)"
)
_STROKE = r"(?:strokes?|chimes?|hits|blows|knocks|strikes|bell strokes|hammer blows|gong strokes|chords|accents)"
_TOGETHER = r"(?:together|in unison|as one|at once|at the same time|simultaneously)"
_CLOCKS = r"(?:clocks?|bells?|church bells?|tower|chimes|belfry|hour)"
_STROKES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:(?:all )?(?:the|these|those) [a-z]+ (?:should |must |will |then )?)?{_HIT} (?:the (?:hour of "
        rf")?)?(?P<count>{_COUNT})(?: (?:o['’]clock|times))?,? {_TOGETHER}\b",
        rf"\b{_HIT} {_TOGETHER},? (?:exactly |just )?(?P<count>{_COUNT}) times\b",
        rf"\b{_TOGETHER},? (?:exactly )?(?P<count>{_COUNT}) {_STROKE}\b",
        rf"\b(?P<count>{_COUNT}) (?:[a-z]+,? ){{0,3}}?{_STROKE}(?: from (?:all|everyone|everybody|the whole "
        rf"band)| {_TOGETHER}|"
        rf" by (?:all|everyone|everybody|the whole band|the whole ensemble)| of (?:a|the) (?:[a-z]+ )?(?:clock|"
        rf"bell|gong))\b",
        rf"\b{_CLOCKS} (?:[a-z]+ ){{0,2}}?(?:strikes?|tolls?|chimes?|rings?|strike|striking|tolling|chiming) "
        rf"(?P<count>{_COUNT}|midnight|noon)\b(?! (?:bars?|notes?|beats?|measures?|chords?)\b)(?: {_TOGETHER})?",
        rf"\b{_ALL} (?:[a-z]+ )?{_HIT} (?:(?:the|a|one|one and the same) (?:same |single |big |loud )?(?:chord|note) )?"
        rf"(?P<count>{_COUNT}) times\b(?: {_TOGETHER})?",
    )
)
_ONE = (
    r"(?:(?:only |just |a |the |this )?(?:single |lone |last |small |solitary |remaining |lonely )?one"
    r"(?: of (?:them|the (?:clocks|parts|voices|players|patterns|loops|bells|machines)))?"
    r"(?: (?:lone |last |small |little |single )?(?:clock|part|voice|player|pattern|figure|loop|bell|instrument|"
    r"line|cycle|machine))?|"
    r"(?:a|the|only a|just a) (?:single|lone|last|solitary|lonely|remaining) (?:clock|part|voice|player|pattern|"
    r"figure|loop|bell|"
    r"instrument|line|cycle|machine))"
)
_ON = (
    r"(?:go(?:es|ing)? on|keep(?:s|ing)?(?: on)?|carr(?:y|ies|ying) on|continu(?:e|es|ing)|remain(?:s|ing)?|"
    r"(?:is|be) left|left|persist(?:s|ing)?|stay(?:s|ing)?|play(?:s|ing)? on|tick(?:s|ing)?(?: on| away)?|"
    r"linger(?:s|ing)?)"
)
_SOLO = r"(?:all )?(?:alone|by itself|on its own|all by itself|solo|unaccompanied)"
_ALONE = re.compile(
    rf"\b(?:then|before|until|till|while|and|leaving|after which|finally|when|but)[, ]+{_ONE}"
    rf"(?:,? (?:should|will|must|then|still|is|to|that|just|only)){{0,3}} ?(?:{_ON}(?: (?:[a-z]+ing|playing|to "
    rf"[a-z]+)(?: on| away)?)?"
    rf"(?:,? {_SOLO}| until (?:the )?(?:very )?end| to the (?:very )?end)|{_ON} (?:ticking|playing|going|"
    rf"running|beating)"
    rf"(?: on| away)?|(?:is|be) left)\b(?: {_SOLO})?"
)
_HOURS = {"midnight": 12, "noon": 12}
_NEAR_END = re.compile(
    r"\b(?:near|towards?|just before|at|by|right at|in) (?:the |its )?(?:very )?(?:end|close|finish)\b|\bfinally\b"
)
_TAIL = "last 4 bars"  # where one goes on alone
_LATE = "second half"  # where strokes are that nobody places, and those near the end
_LONGEST = 200
_MOST = 24  # strokes
_SHORTEST, _LONGEST_CYCLE = 2, 24  # units
_FINE, _COARSE = ("sixteenth", "semiquaver"), ("beat", "quarter", "crotchet")


@finders.register("cycles")
def cycles(scene: Scene) -> Iterator[Finding]:
    """Patterns of different lengths that are repeated against each other."""
    told = _told_lengths(scene)
    match = _CYCLES.search(scene.low)
    spans = [told[1]] if told else []
    spans += [match.span()] if match else []
    if not spans:
        return
    start, end = min(span[0] for span in spans), max(span[1] for span in spans)
    if end - start > _LONGEST:
        start, end = spans[0]
    what = " ".join(("cycles", *told[0])) if told else "cycles"
    who = _of_some(scene, start, end)
    place = scene.where(start, end)
    where = "" if place is None or place.text in ("end", "start") else place.where
    yield scene.finding(
        "texture", ask_value("texture", what, who, where), start, end,
        Ask("texture", what, who, where, scene.text[start:end].strip()[:_LONGEST]),
    )  # fmt: skip
    for more in (*_CYCLES.finditer(scene.low), *_TICKING.finditer(scene.low)):
        if not (start <= more.start() and more.end() <= end):
            yield scene.finding("texture", "cycles", *more.span())


def _told_lengths(scene: Scene) -> tuple[list[str], tuple[int, int]] | None:
    """The lengths of cycles that are told in numbers, in eighths or as words for a unit, and where."""
    listed, against = _OF_LENGTHS.search(scene.low), _AGAINST.search(scene.low)
    match = listed or against
    if match is None:
        return None
    groups = match.groupdict()
    counts = re.findall(_COUNT, groups["all"]) if listed else [groups["one"], groups["two"], groups["three"]]
    lengths = [number_of(count) or 0 for count in counts if count]
    scale = 2 if match["unit"].startswith(_COARSE) else 1
    lengths = [length * scale for length in lengths]
    fits = len(set(lengths)) > 1 and all(_SHORTEST <= length <= _LONGEST_CYCLE for length in lengths)
    fine = ["sixteenths"] if match["unit"].startswith(_FINE) else []
    return ([*map(str, lengths), *fine], match.span()) if fits else None


def _of_some(scene: Scene, start: int, end: int) -> str:
    """Which players have the cycles, where two or more are named right beside the words, and others are not."""
    clause = scene.clause(start)
    near = [one for one in scene.players if clause.start <= one.start < start and one.name and not one.weak]
    names = list(
        dict.fromkeys(name for one in (scene.list_back(near) if near else ()) for name in (one.name, *one.others))
    )
    some = 1 < len(names) < len(scene.roles) and all(name in scene.roles for name in names)
    close = bool(near) and start - near[-1].end <= len(" are given several short ")
    return " + ".join(names) if some and close else ""


@finders.register("counted strokes")
def counted_strokes(scene: Scene) -> Iterator[Finding]:
    """Strokes of all together that are counted: ``near the end the clocks strike twelve together``."""
    for match in (match for pattern in _STROKES for match in list(pattern.finditer(scene.low))[:1]):
        count = _HOURS.get(match["count"]) or number_of(match["count"]) or 0
        if not 1 < count <= _MOST:
            continue
        place = scene.where(*match.span())
        first = max(scene.low.rfind(mark, 0, match.start()) for mark in ".;!?") + 1
        near = _NEAR_END.search(scene.low, first, match.start())
        late = place is None or bool(near) or place.text in ("end", "last third", "second half", "outro")
        where = _LATE if late or place is None else place.where
        start = near.start() if near else match.start()
        start, end = min(start, match.start()), match.end()
        ask = Ask("strokes", str(count), "", where, scene.text[start:end].strip()[:_LONGEST])
        yield scene.finding("strokes", ask_value("strokes", str(count), "", where), start, end, ask)
        return


@finders.register("going on alone")
def going_on_alone(scene: Scene) -> Iterator[Finding]:
    """One of all, nobody says which, who goes on alone when the others have stopped."""
    match = _ALONE.search(scene.low)
    names = [name for name, role in scene.roles.items() if role not in ("drums", "bass", "percussion")]
    if match is None or len(scene.roles) < 2 or not names:
        return
    inside = [one for one in scene.players if match.start() <= one.start < match.end() and one.name and not one.weak]
    if any(not re.search(r"\bone\b", scene.low[one.start : one.end]) for one in inside):
        return  # who is named is told elsewhere
    first = names[0]
    ask = Ask("only", "", first, _TAIL, scene.text[match.start() : match.end()].strip()[:_LONGEST])
    yield scene.finding("only", ask_value("only", "", first, _TAIL), *match.span(), ask)
