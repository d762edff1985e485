"""What players can reach: ranges, hand positions, spans, registers, and how many parts there are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.cued import ask_value
from libretto.contract.finders.scene import Finding, Player, Scene, finders
from libretto.contract.instruments import find_instruments
from libretto.contract.words import number_of
from libretto.score.pitch import parse_pitch, pitch_name

__all__ = ["ranges", "registers", "voices"]

_NOTE = r"(?:(?:middle|low|high)\s)?[a-g](?:#|b|♯|♭|\ssharp|\sflat)?(?:[0-8]|'{1,3})?"
_POSITION = re.compile(
    rf"(?:stay\w*\s|keep\w*\s)?(?:in\s)?(?:the\s|a\s|an\s|one\s)?(?:(?:five|5)[- ](?:finger|"
    rf"note)[- ](?:hand\s)?(?:position|pattern|range)|"
    rf"(?P<bare>[a-g])[- ]position|hand\sposition)(?:\s(?:on|in|of|at|from)\s(?P<note>{_NOTE}))?(?!\w)"
)
_BETWEEN = re.compile(
    rf"(?:(?:range|compass|ambitus|tessitura|notes?|pitches|everything|only|voices?|singers?)\s?(?:is|of|from|"
    rf"between|within|:)?\s?|from\s|between\s|within\s|in the range\s(?:of\s)?)"
    rf"(?P<low>{_NOTE})\s?(?:-|–|to|and|up to|until)\s?(?P<high>{_NOTE})(?!\w)"
)
_PLAIN = re.compile(
    r"(?<![\w–-])(?P<low>[a-g][#b]?[1-6])\s?(?:-|–|to)\s?(?P<high>[a-g][#b]?[2-6])(?!\w|\s?[-–,|]\s?[a-g][#b]?\d?\b)"
)
_INTERVALS = {"octave": 12, "seventh": 11, "sixth": 9, "fifth": 7, "ninth": 14, "tenth": 16, "fourth": 5}
_INTERVAL = "|".join(_INTERVALS)
_SPAN = re.compile(
    rf"(?:no|without|never|not|doesn't|does not|don't|nothing|avoid)\s(?:\w+\s){{0,3}}?(?:(?:over|more than|"
    rf"bigger than|wider than|larger than|beyond|"
    rf"greater than|above|exceed\w*|past|further than|stretch\w* (?:over|beyond|more than)|open\w* (?:over|"
    rf"more than))\s(?:what\s|that\s)?)"
    rf"(?:an|a|one|the)?\s?(?P<step>{_INTERVAL})(?!\w)"
)
_WITHIN = re.compile(
    rf"(?:within|stay\w* in|at most|maximum|max|inside|no more than|range of|span of)\s(?:an|a|one|"
    rf"the)\s(?:single\s)?(?P<step>{_INTERVAL})(?!\w)(?!\s(?:above|below|up|down))"
)
_LIMIT = re.compile(
    r"(?:nothing|no notes?|not|never|don't|doesn't|do not|can't|cannot|can not|won't|mustn't|shouldn't|should not|no)\s"
    r"(?:(?:goes|going|go|get|gets|sing|play|manage|reach|anything|to|any|much|comfortably|really|notes|be|is)\s){0,3}"
    r"(?P<way>above|higher than|over|beyond|higher|below|lower than|under|lower)"
    r"\s(?:than\s)?(?:a\s|the\s)?(?P<note>(?:middle\s|low\s|high\s|top\s)?[a-g](?:#|b|\ssharp|\sflat)?(?:[0-8]|"
    r"'{1,3})?)(?!\w)"
    r"(?:\s(?:or|and|nor)\s(?P<other>above|over|below|under)\s(?:the\s)?(?P<second>(?:middle\s|low\s|high\s|top\s)?[a-g]"
    r"(?:#|b|\ssharp|\sflat)?(?:[0-8]|'{1,3})?)(?!\w))?"
)
_UPWARDS = ("above", "higher than", "over", "beyond", "higher")
_LOWEST, _HIGHEST = "C1", "C8"
_SMALL = re.compile(
    r"(?<!\w)(?:small|little|tiny|short)\s(?:hands|fingers)|no (?:big|wide|large) (?:stretches|jumps|leaps|"
    r"reaches)(?!\w)"
)
_COUNT = r"(?:two|three|four|five|six|seven|eight|[2-8])"
_VOICES = re.compile(
    rf"(?<![\w-])(?:(?P<letters>ssaattbb|ssatb|satb|ssaa|ssa|sab|ttbb)(?=\W|\Z)|(?P<part>{_COUNT})[- ](?:part|voice|"
    rf"voiced)(?![- ](?:form|structure|suite|"
    rf"song form|series|story|piece in)|\w)|"
    rf"(?:(?:in|for|with)\s)?(?P<many>{_COUNT})\s(?:independent\s|equal\s|separate\s|real\s|melodic\s|singing\s|"
    rf"human\s|different\s)?(?:voices|lines)(?!\w)|"
    rf"(?:(?:for|in|with)\s)?(?P<parts>{_COUNT})\s(?:vocal\s|voice\s)?parts(?=\s*[,.;]|\Z|\s(?:for|in)\b))"
)
_HIGH = (
    r"(?:very |really |quite |super |stay(?:s|ing)? |sit(?:s|ting)? |play(?:s|ing)? |sing(?:s|ing)? |keep(?:s)? |"
    r"up |way |in (?:the |a |its )?){0,3}(?:high(?:er|est)?(?: up| register| range| notes| octaves?| pitched)?|"
    r"up high|upper (?:register|range|octaves?)|acute(?: register)?|register acute|top (?:register|octave|"
    r"of (?:its|the) range)|sky high|high in (?:its|the|their) range|(?:right |way |far )?up (?:in the (?:clouds|"
    r"sky|air|heavens|stratosphere|rafters|gods)|at the top(?: of (?:its|the) (?:range|keyboard|neck|register))?)|"
    r"(?:about |around )?high up|top end(?: of (?:its|the) (?:range|keyboard))?|(?:at|near) the top of (?:its|the|"
    r"their) (?:range|register|keyboard|neck|voice)|(?:upper|top) (?:half|end|part) of (?:its|the|their) (?:range|"
    r"keyboard|register|voice)|(?:above|over) everything else in pitch|"
    r"(?:leap|jump|lift|climb|mov|go|rise|shoot)(?:s|es|e|ing)? (?:right )?up (?:by )?an octave|"
    r"(?:(?:ris(?:es?|ing)|climb(?:s|ing)?|soar(?:s|ing)?|mov(?:es?|ing)|lift(?:s|ing)?|reach(?:es|ing)?|"
    r"go(?:es|ing)?) (?:up )?(?:in|up)?to (?:its |the |a )?)?(?:singing|tenor|upper|high|highest|top|soprano|bright) "
    r"register|"
    r"soar(?:s|ing)?(?= (?:in|at|for|during|from|into|by|through)\b)|"
    r"(?:ris(?:es?|ing)|climb(?:s|ing)?|build(?:s|ing)?) to a (?:\w+ )?(?:cry|scream|wail|shout|howl))"
)
_LOW = (
    r"(?:very |really |quite |super |stay(?:s|ing)? |sit(?:s|ting)? |play(?:s|ing)? |sing(?:s|ing)? |keep(?:s)? |"
    r"down |way |in (?:the |a |its )?){0,3}(?:low(?:er|est)?(?: down| register| range| notes| octaves?| pitched)?|"
    r"down low|deep(?:er)?|bottom (?:register|octave|of (?:its|the) range)|grave register|register grave|"
    r"(?:right |way |far )?down (?:in (?:its|the|their) (?:boots|depths|basement|cellar|low end)|"
    r"at the bottom(?: of (?:its|the) (?:range|keyboard|register|neck))?)|down in the (?:depths|basement|cellar)|"
    r"bottom end(?: of (?:its|the) (?:range|keyboard))?|lower (?:half|end|part) of (?:its|the) (?:range|keyboard)|"
    r"drop tuned|down tuned|detuned(?= (?:[a-z]+ )?(?:guitars?|bass))|tuned (?:down|low)|"
    r"low in (?:its|the|their) range)"
)
_REGISTERS = tuple(
    (
        what,
        re.compile(
            r"(?<![\w-])(?<!second )(?<!third )(?<!fourth )(?<!fifth )(?<!sixth )(?<!step )(?<!tone )"
            rf"(?:{words.replace(' ', '[ -]')})(?![\w-])(?! (?:energy|tempo|speed|volume|end|key|fi|school|"
            rf"spirits|quality|level|intensity|contrast|drama|[a-g](?![\w'])|c(?!\w)|time|house|tech\w*|trance|dub\w*|"
            rf"seas?|oceans?|space|waters?|forests?|woods|jungle|nights?|sleep|meditation|relaxation|breath\w*|blue|"
            rf"yearning|longing|sorrow|grief|emotion\w*|feelings?|passion|sadness|melancholy|reverence|love|devotion|"
            rf"tenderness|sense|peace|calm|nostalgia|reflection|thought|mystery|regret|pain|joy|affection|expression))"
        ),
    )
    for what, words in (("high", _HIGH), ("low", _LOW))
)
_IMITATES = re.compile(
    r"\b(?:imitat|answer|echo|repeat|cop(?:y|i)|respond)\w*\b[^.;!?]{0,24}\b(?:an? |one )(?:octave|\w+) \Z"
)
_TRAPS = re.compile(r"(?:note|tone|drone|pedal|run|lick|fill|scale|flourish|stab|hit|rumble|accent)(?:s|es)?\b")
_ITS = re.compile(r"(?:\b(?:its|their|his|her)|['’]s)\s\Z")
_NEAR, _FAR = 32, 70  # characters between a player and what is said of its register, without a verb and with one
_RISING = re.compile(r"(?:leap|jump|lift|climb|soar|ris|shoot|reach)")
_HANGS, _TUNE = re.compile(r"(?:leap|jump|lift|climb|soar|ris|shoot|reach|mov|go)ing\b"), "melody"
_DOUBLED = re.compile(r"\b(?:doubl|shadow|follow|mirror)(?:es?|s|ing)\b")  # then an octave is that of a doubling
_RETURNS = re.compile(r"\b(?:returns?|comes? back|is back|repeats?)\b")
_AT_FIRST = re.compile(
    r"\b(?:begin|start|open)(?:s|ning|ing)?(?: out| off)?(?: very| quite| almost)? (?:\w+,? and |\w+, )?\Z"
)
_MIDDLE = 4  # the octave of a note named without one
_FIFTH = 7
_MOST = 60
_SMALL_SPAN = 12


@finders.register("ranges")
def ranges(scene: Scene) -> Iterator[Finding]:
    """Pitches and intervals that nobody, or one part, may exceed."""
    for match in _POSITION.finditer(scene.low):
        low = _pitch(match["note"] or match["bare"] or "c")
        if low:
            above = (low[0] + _FIFTH, low[1] + 1)
            yield from _range(scene, match, f"{pitch_name(*low)}-{pitch_name(*above)}")
    for pattern in (_BETWEEN, _PLAIN):
        for match in pattern.finditer(scene.low):
            low, high = _pitch(match["low"]), _pitch(match["high"])
            if low and high and low[0] < high[0] and _octaves_told(match):
                yield from _range(scene, match, f"{pitch_name(*low)}-{pitch_name(*high)}")
    for pattern in (_SPAN, _WITHIN):
        for match in pattern.finditer(scene.low):
            within = "compass" if match[0].startswith("range") else "span"
            yield from _range(scene, match, f"{within} {_INTERVALS[match['step']]}")
    yield from _limits(scene)
    for match in _SMALL.finditer(scene.low):
        yield from _range(scene, match, f"span {_SMALL_SPAN}", "Small hands: nothing wider than an octave.")


def _limits(scene: Scene) -> Iterator[Finding]:
    """``Nothing above high G``."""
    for match in _LIMIT.finditer(scene.low):
        above = match["way"] in _UPWARDS
        note = _at_edge(scene, match, above)
        other = _pitch(match["second"]) if match["second"] else None
        if note:
            name = pitch_name(*note)
            beyond = pitch_name(*other) if other and (match["other"] in _UPWARDS) != above else ""
            what = f"{beyond or _LOWEST}-{name}" if above else f"{name}-{beyond or _HIGHEST}"
            yield from _range(scene, match, what)


def _at_edge(scene: Scene, match: re.Match[str], above: bool) -> tuple[int, int] | None:
    """The pitch that is a limit: where its octave is not said, the outermost that the player is at ease with."""
    note = _pitch(match["note"])
    names = [player.name for player in scene.who(*match.span()) if player.name] or list(scene.roles)
    known = find_instruments(names[0]) if len(names) == 1 else []
    if note is None or not known or re.search(r"[0-8']|middle", match["note"]):
        return note
    low, high = known[0].members[0][0].comfortable
    inside = [tone for tone in range(low, high + 1) if (tone - note[0]) % 12 == 0]
    return (inside[-1 if above else 0], note[1]) if inside else note


def _octaves_told(match: re.Match[str]) -> bool:
    """Whether both ends of a range are pitches and not only letters."""
    return all(re.search(r"[0-8']|middle|low|high", match[name]) for name in ("low", "high"))


def _range(scene: Scene, match: re.Match[str], what: str, assumed: str = "") -> Iterator[Finding]:
    players = [player for player in scene.who(*match.span()) if player.name]
    who = players[0].name if players else ""
    start = min([match.start(), *(player.start for player in players[:1])])
    end = max([match.end(), *(player.end for player in players[:1])])
    value = f"{who}: {what}" if who else what
    yield scene.finding("range", value, start, end, Ask("range", what, who, "", scene.text[start:end][:200]), assumed)


def _pitch(words: str) -> tuple[int, int] | None:
    """A pitch and its spelling from words: ``c4``, ``c''``, ``middle c``; a bare letter is near middle C."""
    text = words.replace(" sharp", "#").replace(" flat", "b").replace("♯", "#").replace("♭", "b")
    octave = _MIDDLE
    for word, moved in (("middle ", 0), ("low ", -1), ("high ", 1), ("top ", 1)):
        if text.startswith(word):
            text, octave = text.removeprefix(word), octave + moved
    marks = text.count("'")
    if marks:
        text, octave = text.rstrip("'"), _MIDDLE - 1 + marks
    if not text[-1].isdigit():
        text = f"{text}{octave}"
    return parse_pitch(text[0].upper() + text[1:])


@finders.register("voices")
def voices(scene: Scene) -> Iterator[Finding]:
    """How many parts there are."""
    for match in list(_VOICES.finditer(scene.low))[:1]:
        count = number_of(match["part"] or match["many"] or match["parts"] or "") or len(match["letters"] or "")
        ask = Ask("voices", str(count), "", "", scene.text[match.start() : match.end()])
        yield scene.finding("voices", str(count), match.start(), match.end(), ask)


@finders.register("registers")
def registers(scene: Scene) -> Iterator[Finding]:
    """Who plays high or low."""
    for what, pattern in _REGISTERS:
        for count, match in enumerate(pattern.finditer(scene.low)):
            if count >= _MOST:
                break
            start, end = match.span()
            players = (
                [] if _DOUBLED.search(scene.low, scene.clause(start).start, start) else _described(scene, start, end)
            )
            if not players or _of_strings(scene, start, end) or _IMITATES.search(scene.low[:start]):
                continue
            if _TRAPS.match(scene.low, end + 1) or _inside(players[0].start, players[0].end, start, end):
                continue
            where = _there(scene, start, end)
            first, last = min(start, players[0].start), max(end, players[0].end)
            ask = Ask("register", what, players[0].name, where, scene.text[first:last][:200])
            yield scene.finding("register", ask_value("register", what, players[0].name, where), first, last, ask)


def _of_strings(scene: Scene, start: int, end: int) -> bool:
    """Whether words speak of strings of an instrument: ``on its low strings``."""
    played = any(one.start <= end + 1 < one.end and not one.weak for one in scene.players)
    return scene.low.startswith(" strings", end) and (
        bool(_ITS.search(scene.low[max(0, start - _NEAR) : start])) or not played
    )


def _described(scene: Scene, start: int, end: int) -> list[Player]:
    """Who is said to be high or low: named right after the words, else around them."""
    next_to = [one for one in scene.players if one.start == end + 1 and not one.weak]
    rises = _RISING.match(scene.low, start)
    near = next_to or [player for player in scene.who(start, end, _FAR if rises else _NEAR) if player.name]
    return _of_whom(scene, start, near) if not near or near[0].weak else near


def _of_whom(scene: Scene, start: int, near: list[Player]) -> list[Player]:
    """Whose tune is said to be high or low, or who rises in a clause that hangs on its own: ``the cello has the bass,
    rising into its singing register``."""
    hung = not near and _HANGS.match(scene.low, start)
    own = near and near[0].name == _TUNE and near[0].end <= start
    first = max(scene.low.rfind(mark, 0, start) for mark in ".;!?:") + 1 if hung else scene.clause(start).start
    named = [one for one in scene.players if first <= one.start and one.end <= start and one.name and not one.weak]
    return [one._replace(start=start, end=start) for one in named[-1:]] or near if hung or own else near


def _there(scene: Scene, start: int, end: int) -> str:
    """The place of some words, if no *and* parts them."""
    if not _RISING.match(scene.low, start) and _AT_FIRST.search(scene.low, max(0, start - _NEAR), start):
        return "start"
    place = scene.where(start, end)
    if place and place.start < start and _RETURNS.search(scene.low, place.end, start):
        return "second half" if place.text == "middle" else f"after {place.text}"
    return place.where if place and " and " not in scene.low[end : place.start] else ""


def _inside(first: int, last: int, start: int, end: int) -> bool:
    """Whether the words are part of a player's own name: a low whistle."""
    return first <= start and end <= last
