"""Whether a name in a brief asks for a player: it may be likened to, explained, or spoken of in one place only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from libretto.contract.basses import is_of_another, low_notes
from libretto.contract.brushed import in_hand
from libretto.contract.consorts import told_by_name
from libretto.contract.imagined import imagined
from libretto.contract.instruments import Mention
from libretto.contract.places import find_places
from libretto.contract.rippling import with_arpeggios
from libretto.contract.singers import is_no_singer, sings

__all__ = ["apposed", "bracketed", "idle", "only_there", "with_leads", "without_kinds"]

_SUNG = frozenset({"singing", "vocal", "clapping", "yodelling", "yodeling"})  # what is said of what others play
_ONE_MORE = re.compile(r"(?:,|\band|\bplus|\bfeaturing)\san?\s(?:[a-z-]+,?\s){0,3}\Z", re.I)  # of a list
_TUNE_AFTER = re.compile(
    r",?\s(?:[\w-]+,?\s){0,2}"
    r"(?:melod|lines?|tunes?|themes?|motifs?|motiv|tones?|phras|quality|legato|solos?|beats?|rhythms?|grooves?|calls?|hands?\b)",
    re.I,
)
_COATED = re.compile(
    r"-(?:heavy(?= (?:drum|kit|percussion|groove|beat))|plated|colou?red|toned|like|shaped|bound|framed|hued)\b", re.I
)  # a brass-plated ship
_COUNTED_BEATS = re.compile(  # the second and third beats, every beat: places in a bar
    r"\b(?:first|second|third|fourth|last|one|two|three|four|1|2|3|4|strong|weak|main|other|off|on|every|each|all|both|few|"
    r"odd|even|between|the)\s\Z",
    re.I,
)
_WHICH = ("", "low ", "high ", "lower ", "upper ")  # strings
_OWN_STRINGS = re.compile(  # those of an instrument that was named: on its low strings, open-string drones
    r"(?:\b(?:its|their|his|her)|['’]s)\s(?:own\s)?(?:[a-z-]+,?\s){0,2}\Z|\bopen[ -]\Z|"
    r"\b(?:droning|sympathetic)\s(?:lower\s|low\s|open\s)?\Z|"
    r"\bwith (?:four|five|six|seven|eight|ten|twelve|nylon|steel|gut|wire|two|three|4|6|7|8|12) (?:[a-z]+\s)?\Z|"
    r"\b(?:across|along) (?:the|two|three|four|all) (?:[a-z]+\s)?\Z|"
    r"\b(?:guitars?|thumb|fingers?|banjo|oud|harp|cuatro|fiddle|violin|cello|bouzouki|mandolin|sitar|kora|lute|charango|ukulele)\b"
    r"[^.;]{0,70}\s(?:in|on|from) the (?:low|lower|lowest|bass|deep|upper|top|high|treble|middle|open)\s\Z",
    re.I,
)
_BRACKET = re.compile(r"\s\((?:an?\s|the\s)?(?:(?:kind|type|sort) of\s)?(?:[a-z]+[ -])?\Z", re.I)
_HIT = re.compile(r"\A(?:chord )?stabs?\Z")  # what is struck, on whatever was named
_ARTICLE = re.compile(r"\b(?:an?|the)\s\Z", re.I)
_HANDS = re.compile(
    r"\b(?:left hand|right hand|lh|thumb|pedals|lower manual|"
    r"passacaglia|chaconne|ground)\b[^.;!?]*\Z",
    re.I,
)  # grounds are somebody's own basses
_LIKE_ONE = re.compile(r"[- ](?:style|ish|sounding|flavou?red|tinged|type|evoking)\b", re.I)
_DESCRIBED = re.compile(  # a tune that somebody plays, called after another instrument
    r"\b(?:play|sing|carr|stat|spin|pick|hum|weav|float|chim|tinkl|tap|tick|unwind)"
    r"(?:s|e|es|y|ies|ing|ning|ping)?\s(?:out\s|off\s|up\s|through\s)?(?:an?|its|his|her|their|the same)\s"
    r"(?:[a-z'-]+,?\s){0,3}\Z",
    re.I,
)
_ITS_TUNE = re.compile(
    r"[- ](?:[a-z]+\s)?(?:tune|melody|lullaby|waltz|jingle|sound|tone|timbre|chime|figure|motif|theme|song|pattern|"
    r"ostinato|accompaniment|strum|call|effect)s?\b",
    re.I,
)
_ITS_FEEL = re.compile(r"[- ](?:feel|quality|flavou?r|vibe|character|timbre|colou?r)\b", re.I)
_AFTER_COLON = re.compile(r":\s(?:an?|its)\s(?:[a-z'-]+,?\s){0,3}\Z", re.I)  # celesta: a music-box figure
_ITS_WAY = re.compile(r"[- ](?:technique|tradition|idiom|fashion)\b", re.I)
_A = re.compile(r"\b(?:an?|its|some)\s(?:[a-z'-]+,?\s){0,2}\Z", re.I)
_AS_IF = re.compile(  # notes like falling rain
    r"(?<!sounds )(?<!effects )(?<!instruments )(?<!elements )(?<!textures )(?<!sources )\blike\s(?:[a-z]+\s)?\Z", re.I
)
_APPOSED = re.compile(r",\s+(?:which is |known as )?(?:an?|the|this)\s[^,.;]{0,60}\Z", re.I)
_KIND = re.compile(
    r"string|traditional|ancient|plucked|bowed|type of|kind of|form of|member of|relative of|cousin of|ancestor", re.I
)
_ELSEWHERE = re.compile(r"\b(?:trio|verse|chorus|bridge|strain|section|middle|break|coda|finale)\b", re.I)
_CLOSING = re.compile(
    r"\s*(?:this|the (?:overall|whole|entire)) (?:piece|composition|track|song|tune|music|work|arrangement)\b", re.I
)
_IN_PLACE = re.compile(
    r"\s(?:in|during|for|at|on|until|till|before|after|through)\s(?:the\s|that\s|both\s|all\s)?", re.I
)
_BEGINS = re.compile(  # a beginning of so many bars, or before somebody comes in
    r"\b(?:start|begin|open)(?:s|ing|ning)?\b[^.;!?]{0,90}\Z|\b(?:intro|introduction)\b[^.;!?]{0,60}\Z", re.I
)
_VAGUE = ("start", "end", "solo", "theme", "riff", "trio", "interlude", "head")  # words of pieces, too
_BEFORE = 60  # characters before a name that say whether it is wanted
_OF_A_KIND = ("brass", "strings", "horns", "woodwinds")  # names of kinds that a piece may be called after
_PIECE_AFTER = re.compile(
    r"\s(?:chorale|dance|fanfare|march|piece|music|trio|quartet|quintet|sextet|canzona|serenade)\b", re.I
)
_NAMED_AFTER = 2  # players of a kind that are named one by one
_SINGERS_TUNE = re.compile(r"\s(?:[a-z]+\s)?(?:melody|tune|line|part)\b", re.I)  # that somebody else may play
_LENT = re.compile(  # what would be sung is played by somebody else
    r"(?:['’]s)?\s?(?:line|melody|part|tune)?\s(?:is|are|gets|being)\s(?:carried|played|taken|given|performed|covered|"
    r"replaced) (?:by|on|to)\b",
    re.I,
)
_PLAIN = ("bass", "voices", "drums", "percussion")  # families of which a tune or a beat is their own
_THE_LEAD = re.compile(
    r"\b(?:the|and) (?:first |second )?"
    r"(?:(?P<what>lead|acoustic|electric|classical|nylon|slide|upright|clean|distorted|muted|rhythm|(?:twelve|12)-string)"
    r"(?= (?:should|will|must|can|may|then|only|play|[a-z]+(?<!s)s)\b)"
    r"(?! (?:lines|chords))|(?P<what2>arpeggio|arp|pluck)\b)",
    re.I,
)
_THE_SAX = re.compile(  # who is called by its size alone: ``alto and trumpet play the head``
    r"(?:\b(?:the|and|with|by|between)\s|(?<=[.;:!?]\s))(?P<what>alto|tenor|baritone|soprano|bari)\b(?!-)", re.I
)
_LONG = 4  # letters of a noun at least that means a player by itself
_NO_NOUN = re.compile(  # of what is played
    r"arpeggio|beats?|calls?|chords?|groove|harmonies|hits|lead|lines?|loop|melod(?:y|ies)|notes|part|pattern|rhythm|riffs?|"
    r"sample|section|solo|sounds|stabs|theme|tune|wave",
    re.I,
)
_POSSESSIVE = re.compile(r"['’]s?\Z", re.I)


_SO_LONG = re.compile(r"\bfor (?:just |only |about )?(?:\d{1,2}|[a-z]+) (?:bars|measures)\b", re.I)
_THEN = re.compile(r"[^.!?]{0,24}?\b(?:then|before|until|after which)\b", re.I)


def only_there(text: str, start: int, end: int) -> bool:
    """Whether the words around a name keep what is said of it to a place: ``no drums in the verse``."""
    after = _IN_PLACE.match(text, end)
    clause = re.split(r"[.,;:!?]", text[max(0, start - _BEFORE) : start])[-1]
    told = any(place.value not in _VAGUE for place in find_places(clause))
    told = told or bool(_SO_LONG.search(clause) and _THEN.match(text, end))
    if told or _BEGINS.search(text[:start]):
        return True
    return bool(after and any(not place.start for place in find_places(text[after.end() : after.end() + _BEFORE])))


def with_leads(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Names with *the lead* where it speaks of who is called so: ``a synth lead and a bass; the lead adds a hook``; the
    same with an arpeggio, a pluck or a pad, and with *the acoustic* and its like where guitars are told so; and
    with arpeggios that are listed."""
    made = list(mentions)
    for match in (*_THE_LEAD.finditer(text), *_THE_SAX.finditer(text)):
        what = match["what"] or match["what2"]
        word = re.compile(rf"\b{what}", re.I)
        called = next((one for one in mentions if one.end < match.start() and word.search(one.text)), None)
        start = match.end() - len(what)
        if called and not any(one.start < match.end() and start < one.end for one in mentions):
            made.append(replace(called, text=text[start : match.end()], start=start, end=match.end()))
    made += [one for last in mentions for one in _by_noun(text, last, made)]
    return with_arpeggios(text, sorted(made, key=lambda mention: mention.start))


def _by_noun(text: str, called: Mention, others: Sequence[Mention]) -> list[Mention]:
    """Where somebody is spoken of by the last word of a name, where that alone is none: ``the bowls``."""
    words = called.text.split()
    if len(words) == 1 or called.ensemble or len(words[-1]) < _LONG or _NO_NOUN.fullmatch(words[-1]):
        return []
    spans = [match.span(1) for match in re.finditer(rf"\bthe ({re.escape(words[-1])})\b", text[called.end :], re.I)]
    spans = [(start + called.end, end + called.end) for start, end in spans]
    return [
        replace(called, text=text[start:end], start=start, end=end)
        for start, end in spans
        if not any(one.start < end and start < one.end for one in others)
    ]


def without_kinds(text: str, mentions: Sequence[Mention]) -> list[Mention]:
    """Names without those that only say of which kind the next one is: ``a music-box glockenspiel``."""
    kinds = {
        one.start
        for one, after in pairwise(mentions)
        if text[one.end : after.start] in (" ", "-")
        and not one.ensemble
        and _ARTICLE.search(text[: one.start])
        and after.name != "drone"
        and not sings(text, one, after)
    }
    kinds |= {one.start for one in mentions if _of_the_piece(text, one, mentions) or told_by_name(text, one, mentions)}
    return [mention for mention in mentions if mention.start not in kinds]


def _of_the_piece(text: str, mention: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether the name of a kind only says what a piece is for whose players are named: ``a brass chorale for trumpet,
    horn and tuba``."""
    if mention.name not in _OF_A_KIND or not _PIECE_AFTER.match(text, mention.end):
        return False
    family = mention.instrument.family
    return sum(one.instrument.family == family and one.start > mention.end for one in mentions) >= _NAMED_AFTER


def apposed(gap: str, last: Mention, spoken: Sequence[Mention]) -> bool:
    """Whether this name only explains the one before: ``the erhu, a two-stringed fiddle``."""
    if not _APPOSED.match(gap):
        return False
    another = re.match(r",\s+the\s+\Z", gap) or _ELSEWHERE.search(gap)  # the fiddle, the banjo: two players
    repeated = not another and sum(1 for mention in spoken if mention.name == last.name) > 1
    return repeated or bool(_KIND.search(gap))


def bracketed(text: str, last: Mention, mention: Mention) -> bool:
    """Whether a name in brackets says what the one before is like: ``a gadulka (fiddle)``."""
    inside = _BRACKET.fullmatch(text[last.end : mention.start]) and text[mention.end : mention.end + 1] == ")"
    return bool(inside) and not last.ensemble and not mention.ensemble and last.name not in _OF_A_KIND


def _played_by_others(text: str, mention: Mention, others: bool) -> bool:
    """Whether what a singer would sing is somebody else's: ``the vocal melody is carried by a synth``."""
    own = others and _POSSESSIVE.search(mention.text) and _SINGERS_TUNE.match(text, mention.end)
    return bool(own or _LENT.match(text, mention.end))


def _closes(text: str, mention: Mention) -> bool:
    """Whether a name stands in a closing sentence about the whole that names no players."""
    start = max(text.rfind(". ", 0, mention.start), text.rfind("! ", 0, mention.start))
    sentence = text[start + 1 if start >= 0 else 0 : mention.start]
    naming = re.search(r"featur|use[sd]?\b|includ|instrument", sentence, re.I)
    return start >= 0 and bool(_CLOSING.match(sentence)) and not naming


def _described(text: str, mention: Mention, before: str) -> bool:
    """Whether a name only says what another's playing is like: ``a music-box tune``, ``a harp-style accompaniment``."""
    if _LIKE_ONE.match(text, mention.end) and text[mention.end] == "-":
        return True
    if mention.ensemble or mention.instrument.family in _PLAIN:
        return False
    before = "" if before.rstrip().endswith(",") else before  # of what was said before it
    tune = (_DESCRIBED.search(before) or _AFTER_COLON.search(before)) and _ITS_TUNE.match(text, mention.end)
    return bool(tune or (_A.search(before) and _ITS_FEEL.match(text, mention.end)))


def _what_others_play(text: str, mention: Mention, before: str, others: bool) -> bool:
    """Whether a name speaks of a hand, of a stroke, or of a line or tune of somebody else."""
    if low_notes(mention.text) and _HANDS.search(text[: mention.start]):
        return True
    hit = _HIT.search(mention.text.lower())
    which, _, rest = mention.text.lower().partition("string")
    if others and rest in ("", "s") and which in _WHICH and _OWN_STRINGS.search(before + which):
        return True
    return others and (bool(hit) or is_of_another(mention, before) or _described(text, mention, before))


def _is_vocal_tune(text: str, mention: Mention, before: str) -> bool:
    """Whether a name only says that a tune is for a voice, and is not one more who sings."""
    sung = mention.text.lower() in _SUNG and _TUNE_AFTER.match(text, mention.end)
    return bool(sung) and (mention.text.lower() == "singing" or not _ONE_MORE.search(before))


def idle(text: str, mention: Mention, before: str, others: bool) -> bool:
    """Whether a name only paints: a likeness, a bass that is somebody's line, or the closing sentence about the
    mood."""
    if _is_vocal_tune(text, mention, before) or is_no_singer(text, mention, before):
        return True
    if (mention.text.lower() == "beats" and _COUNTED_BEATS.search(before)) or in_hand(text, mention.text):
        return True
    if mention.instrument.family == "voices" and _played_by_others(text, mention, others):
        return True
    if _ITS_WAY.match(text, mention.end) or (mention.instrument.family == "effects" and _AS_IF.search(before)):
        return True
    if _COATED.match(text, mention.end) or _what_others_play(text, mention, before, others):
        return True
    if imagined(text, mention, before, others):
        return True
    return others and _closes(text, mention)
