"""Names of instruments that ask for no player: ``begin piano``, ``bass notes``, ``harp-like``, another's stabs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from libretto.contract.choirs import is_choral_word, is_short_voice
from libretto.contract.worlds import in_jazz

__all__ = ["lead_like", "likened", "no_player", "plays_there", "struck_by_another"]

_SAID_BEFORE = {
    "bass leads": re.compile(
        r"\b(?:the|its) \Z", re.I
    ),  # what a bass does  # names, and what before them says that no player is meant: begin piano, the off-beats
    "piano": re.compile(
        r"\b(?:begin|start|end|finish|play|sing|stay|drop to|subito|mezzo|from|than|"
        r"(?<!thing )(?<!strip )(?<!strips )(?<!stripped )(?<!stripping )(?:down|back) to)"
        r"(?:s|es|ing|ning)?\s\Z",
        re.I,
    ),
    "beats": re.compile(r"\b(?:off|up|down|after|back|heart|on)-\Z", re.I),
    "harp": re.compile(r"\bsacred\s\Z", re.I),  # songs in four parts
    "congregation": re.compile(r"\bfor\s(?:an?|the|our|my|your)\s(?:[a-z-]+\s){0,2}\Z", re.I),  # whom an organ leads
    "snaps": re.compile(r"\b(?:ornaments?|cuts|rolls|graces?|grace notes|scotch|dotted|trills?)\b[^.;]{0,24}\Z", re.I),
    "double bass": re.compile(r"\bdrum(?:s|mer|ming)?\b[^.;,]{0,20}\s(?:with|in|on)\s(?:\w+\s)?\Z", re.I),
}
_SOMETHING_ELSE = {  # everyday names, and what after them says that no player is meant: a ticking beat, a chorale in F
    "ticking": re.compile(r"\s(?!clock|sounds?|noises?|and\b|in\b|of\b)[a-z]", re.I),
    "thunder": re.compile(r"\s(?:on|in|over|along|beneath|under|away|through|at|across)\b", re.I),
    "honky-tonk": (_TONK := re.compile(r"\s(?!pianos?|uprights?|keys|player|and\b|or\b|plays?|with\b)[a-z]", re.I)),
    "honky tonk": _TONK,
    "kicks": re.compile(r"\s(?:it |things |us |the \w+ )?(?:off|in|into|up|back)\b", re.I),
    "kick": re.compile(r"\s(?:it |things |us |the \w+ )?(?:off|in|into|up|back)\b", re.I),
    "stomps": re.compile(r"\s(?:on|in|along|out|its|the|an?)\b", re.I),
    "sweeps": re.compile(
        r"\s(?:the|an?|up|down|high|higher|low|in|into|over|across|through|along|upward\w*|away|past|it)\b", re.I
    ),
    "drones": re.compile(r"\s(?:on|along|away)\b", re.I),
    "soloist": re.compile(r"(?!\s(?:should |then )?(?:sing|inton|chant|call)\w*)", re.I),
    "voice": (
        _OF_IT := re.compile(  # of an instrument, or of the sea
            r"\s(?:of|from) (?:the|an?)\s(?!(?:[a-z]+\s)?(?:sing|sopran|alto|tenor|bariton|wom[ae]n|m[ae]n\b|child|"
            r"girl|boy|mother|father|narrat|choir|priest|cantor|people|crowd|lover|ghost|sailor|shepherd|friend))",
            re.I,
        )
    ),
    "voices": _OF_IT,
    "crew": re.compile(  # who sing only where that is said: the crew answers
        r"(?!\s(?:should |must |then |all |always |will )?(?:answer|respon|repl(?:y|ies)|sing|shout|roar|echo|join|"
        r"chant|bellow|chime in|comes? (?:back|in))\w*)",
        re.I,
    ),
    "chorale": re.compile(r"\s(?:in|for|prelude|setting|style|by|with|of|over)\b|\s*[,.;]", re.I),
}
_LEAD_OF = re.compile(
    r"\s(?:guitars?|vocals?|voices?|violin|sax\w*|trumpet|part|role)\b", re.I
)  # a screaming lead guitar
_HEIGHT = re.compile(
    r"\s(?:sax\w*|recorders?|flutes?|trombones?|horns?|clarinets?|viols?|guitars?|drums?|banjos?|line|clef|register|range|"
    r"voice|part)\b",
    re.I,
)
_BASSES = ("bass", "low bass")  # that may be a register
_DOWN_TO = re.compile(r"\bdown to (?:just |only |the )*\Z", re.I)  # who is left when others stop
_TO_THE_BASS = re.compile(r"\b(?:back|down|returns?|moves?|goes|sinks) (?:down )?to (?:the )?\Z", re.I)
_OF_THE_THUMB = re.compile(r"\b(?:thumb|left[- ]hand|alternating)\s\Z", re.I)  # a guitarist's own bass
_LOW_NOTES = re.compile(r"[ -](?:notes?|register|clef|range|end|side|frequenc\w+|octaves?)\b", re.I)
_STABS = frozenset(
    {"stab", "stabs", "pluck", "plucks", "beats", "thunder", "rattle", "rattles"}
)  # what a player named before them plays
_ARPEGGIOS = ("arpeggio", "arpeggios")  # likewise
_PLAYED_BY = re.compile(r"\s(?:with|in|playing|through|and its|ripples? in)\s(?:[a-z-]+,?\s){0,2}", re.I)
_MACHINES = re.compile(
    r"\b(?:synth\w*|chip\w*|\d+[- ]bit|electro\w*|techno|trance|house|edm|retro|arcade|video ?games?|acid|dance)\b",
    re.I,
)
_VERBS = frozenset({"chimes", "whistles", "drones", "sweeps", "claps", "snaps", "rattles", "stomps", "pulse", "winds"})
_HITTING = re.compile(  # what a player does who is said to play them
    r"[^.;:!?]{0,24}\b(?:should|will|(?:play|add|hit|jab|punche|strike|provide|fire|throw|deliver|keep|drop)s?)\b"
    r"[^.;:!?]{0,40}", re.I
)  # fmt: skip
_A_SUBJECT = re.compile(r"(?:\A|[.;!?,]\s)(?:and )?(?:an?|one)\s(?:[a-z-]+,?\s){0,2}\Z", re.I)
_SOUNDS = re.compile(
    r"\s(?:drops|rings|tolls|sounds|strikes|chimes|glints|floats|lets fall|marks|hums|murmurs|taps|dings|clangs|pings|"
    r"clicks|ticks|jingles|tinkles|clatters|shakes|echoes|answers)\b",
    re.I,
)
_MOSTLY = re.compile(r"horn|recorder|whistle|keyboard|celeste|hammond|moog|vibes|triangle|toms|brushes", re.I)
_ARTICLE = re.compile(r"\b(?:the|an?)\s(?:[a-z-]+\s)?\Z", re.I)
_BEFORE = 40  # characters before a name that may make it something else
_UNACCOMPANIED = ("a cappella", "acapella", "a capella")  # how singers sing who are named besides
_SINGERS = re.compile(r"\b(?:choir|chorus|voices?|singers?|satb|sopranos?|vocals?)\b", re.I)
_STOPS = re.compile(r"\sstops\b(?! (?:playing|in|at (?:bar|the)|before|after|when))", re.I)  # of an organ
_HEIGHTS = ("soprano", "sopranos", "alto", "tenor", "baritone")
_FUGUE = re.compile(r"\b(?:fugue|fughetta|fugato|invention|canon)\b", re.I)
_SUNG = re.compile(r"\b(?:choir|choral|singers?|sung|sings?|vocal|a cappella|motet|mass|satb)\b", re.I)
_LIKENING = 8  # characters after a name that may liken something to it
_FULL_OF = re.compile(  # what is done to a player, and likens nobody: a guitar soaked in tremolo
    r"\s(?:soaked|drenched|inspired|shaped)\s(?:in|with|by)\b", re.I
)
_LEAD_LIKE = re.compile(  # a player with the sound of another instrument: a theremin-like lead, a flute-like synth
    r"[-‑– ]like,?\s(?:[a-z-]+\s)?(?:leads?(?:\s(?:synth\w*|lines?|voice|melody|part))?|soloist|"
    r"synth(?:esi[sz]er)?)\b(?!\s(?:guitars?|vocals?|qualit\w+|phrasing|instruments?)\b)",
    re.I,
)
_LISTED = re.compile(  # after these a player is named, or after a comma
    r"(?:(?:\A|[,;:.]\s?)(?:and |then )?|\b(?:with|and|plus|for|by|use|using|featur(?:e|es|ing)|add|let|have|over|"
    r"under|beneath|below|above|behind)\s)(?:an?|the|one)\s(?:[a-z-]+,?\s(?:(?:and|but|yet)\s)?){0,3}?\Z",
    re.I,
)
_TAKEN = re.compile(r"\b(?:play|carr|sing|sang|provid|deliver|trac|weav|spin|offer|give|take|has\b|turn)", re.I)
_LIKE_SOUND = re.compile(
    r"\slike\s(?:[a-z-]+\s)?(?:sounds?|tones?|timbres?|quality|figures?|textures?|instruments?|arpeggios?|pads?|synths?|"
    r"effects?|chords|patterns?|melod\w+|lines?|drones?|plucks?|voices?)\b",
    re.I,
)


def no_player(text: str, words: str, start: int, end: int) -> bool:
    """Whether a name is meant as something else: ``begin piano`` is soft, ``bass notes`` are low ones."""
    before = text[max(0, start - _BEFORE) : start]
    if words in _SAID_BEFORE:
        return bool(_SAID_BEFORE[words].search(before))
    if (words.endswith(" lead") and _LEAD_OF.match(text, end)) or _is_stop(text, end):
        return True
    if words in _HEIGHTS:
        return _is_height(text, words, start, end)
    if is_choral_word(text, words, end) or (words in _UNACCOMPANIED and _SINGERS.search(text)):
        return True
    other = _SOMETHING_ELSE.get(words)
    if words.endswith(_ARPEGGIOS) and not _MACHINES.search(text):
        return True  # what anybody plays
    if words not in _BASSES:
        return other is not None and bool(other.match(text, end))
    return _is_low(text, before, end)


def _is_low(text: str, before: str, end: int) -> bool:
    """Whether a bass is low notes, where something goes, or what a thumb plays, and nobody."""
    told = _TO_THE_BASS.search(before) and not _DOWN_TO.search(before)
    return bool(_LOW_NOTES.match(text, end) or told or _OF_THE_THUMB.search(before))


def _is_stop(text: str, end: int) -> bool:
    """Whether a name is that of a stop of an organ: flute stops are drawn."""
    return bool(_STOPS.match(text, end) and re.search(r"\borgan\b", text, re.I))


def _is_height(text: str, words: str, start: int, end: int) -> bool:
    """Whether the name of a voice is a part of a fugue, or a height, and nobody who sings or blows a horn."""
    if words != "baritone" and _FUGUE.search(text) and not _SUNG.search(text):
        return True
    sings = words.startswith("soprano") or is_short_voice(text, words, start, end)
    return not (sings or _is_horn(text, end))


def _is_horn(text: str, end: int) -> bool:
    """Whether jazz calls a saxophone so, and not a register or a clef of something else."""
    return in_jazz(text) and not _HEIGHT.match(text, end)


def struck_by_another(text: str, words: str, last: int, start: int) -> bool:
    """Whether stabs or plucks are what the player named before them plays."""
    hit = words != "beats" and _HITTING.fullmatch(text, last, start)
    beside = last + 1 == start
    if words.endswith(_ARPEGGIOS):
        return bool(hit or beside or _PLAYED_BY.fullmatch(text, last, start))
    return (words in _STABS and (beside or bool(hit))) or (words in _VERBS and beside and text[last] == " ")


def likened(text: str, end: int) -> bool:
    """Whether the name only compares: ``harp-like``, ``organ-like``."""
    if _FULL_OF.match(text, end):
        return False
    after = text[end : end + _LIKENING].lower()
    if after.startswith(" like"):
        return bool(_LIKE_SOUND.match(text, end))  # a cello like two people longing plays
    return after.lstrip("-‑– ").startswith(("like", "esque", "inspired", "shaped", "soaked", "drenched"))


def lead_like(text: str, start: int, end: int) -> int:
    """Where the name of a player ends that has the sound of another instrument, 0 where it names none: a lonely
    theremin-like lead among those who play, and not a bell-like melody that the piano plays."""
    match = _LEAD_LIKE.match(text, end)
    before = re.split(r"[.;!?]\s", text[:start])[-1]
    return match.end() if match and _LISTED.search(before) and not _TAKEN.search(before) else 0


def plays_there(text: str, start: int, end: int, names: Sequence[int]) -> bool:
    """Whether an everyday name is a player by its sentence: as its subject, which sounds (``a triangle dings``), or
    beside ``names`` that begin there (``then to the horn``), where it mostly is an instrument."""
    if _A_SUBJECT.search(text[:start]) and _SOUNDS.match(text, end):
        return True
    if not _MOSTLY.fullmatch(text, start, end) or not _ARTICLE.search(text[max(0, start - _BEFORE) : start]):
        return False
    first = max(text.rfind(mark, 0, start) for mark in ".;!?")
    last = min((at for mark in ".;!?" if (at := text.find(mark, end)) >= 0), default=len(text))
    return any(first < name < last and name != start for name in names)
