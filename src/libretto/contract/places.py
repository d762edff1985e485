"""Places: where in a piece something is wanted, as words that a person would use, and the bars that they mean.

A place is a text: "" is the whole piece; "start", "middle", "end", "first half", "second half"; a kind of section
("chorus": all of them; "verse 2", "last chorus": one); "bars 9-12", "bar 9"; "from", "after", "until" or "before" in
front of any of these ("from last chorus"; "before" is the section that leads there); several joined by " + ". Beside
these there are "2 bars before last chorus", "2 bars in middle", "1 bars closing bridge", "from bar 5 until bar 9",
"outside chorus or solo", "contrast" (the bridge, or what stands for one), "section ends", "phrase ends", "later",
"second time", "last time", "last strain", "entry 2 of 4", "exit 2 of 4" for those who come in or go one by one, "round
2 of 3" for who has solos, "part 2 of 5" of a story, and "turns 1 of 2 in 4" for those who have four bars by turns.
``find_places`` reads them from plain English, ``contract.stretches`` says which bars of a piece they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from libretto.contract.words import Found, number_of

__all__ = ["SECTION_KINDS", "find_places", "section_kind"]

#: What sections are called, with the other words for each.
SECTION_KINDS: dict[str, tuple[str, ...]] = {
    "intro": ("introduction", "intro", "prelude"),
    "verse": ("verse", "strophe", "stanza"),
    "pre-chorus": ("pre-chorus", "pre chorus", "prechorus"),
    "chorus": ("chorus", "choruses", "refrain", "hook"),
    "bridge": ("bridge", "middle eight", "middle 8"),
    "solo": ("solo section", "solo"),
    "break": ("breakdown", "break"),
    "build": ("build-up", "build up", "buildup", "build"),
    "drop": ("drop",),
    "interlude": ("interlude", "instrumental"),
    "head": ("head",),
    "theme": ("theme",),
    "riff": ("riff",),
    "trio": ("trio",),
    "exposition": ("exposition",),
    "development": ("development",),
    "recapitulation": ("recapitulation", "recap"),
    "vamp": ("vamp",),
    "tag": ("tag",),
    "outro": ("outro", "coda"),
}
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5}
_LAST = ("last", "final", "closing")
_MOST_DIGITS, _MOST_PLACES = 5, 16
_KIND_OF = {name: kind for kind, names in SECTION_KINDS.items() for name in names}
_NAMES = "|".join(re.escape(name) for name in sorted(_KIND_OF, key=len, reverse=True))
_COUNTED = "|".join((*_ORDINALS, *_LAST))
_WHOLE = (  # what calls a whole piece so
    r"instrumental (?:(?:in|for|with|at|that|featuring|using|over|breaks?|solos?|hook|passage)\b|"
    r"(?:[a-z-]+ ){1,3}(?:piece|track|song|tune|number|cue)\b)"
)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    number = rf"\d{{1,{_MOST_DIGITS}}}"
    sources = (
        ("bars", rf"\b(?:bars?|measures?)\s+(?P<one>{number})"
                 rf"(?:\s*(?P<to>-|–|—|to|through|until|and)\s*(?:(?:bar|measure)\s+)?(?P<two>{number}))?"),
        ("inner bars", rf"\b(?:first|opening)\s+(?P<count>two|four|eight|2|4|8)\s+(?:bars|measures)\s+(?:of|in)\s+"
                       rf"(?:the\s+)?(?:(?P<nth>{_COUNTED})\s+)?(?P<name>{_NAMES})(?P<number>)\b"),
        ("edge bars", r"\b(?P<which>first|last|final|opening|closing)\s+"
                      r"(?P<count>(?:[a-z]+(?:-[a-z]+)?|\d{1,3})(?=\s+(?:bars|measures)\b)|"
                      r"(?:four|eight|sixteen|4|8|16)(?=\s*(?:[,.;!?]|\Z|up\b|down\b|is\b|are\b|should\b)))"
                      r"(?:\s+(?:bars|measures)\b)?"),
        ("one bar", r"\b(?:the\s+)?(?:very\s+)?(?:last|final|closing)\s+"
                    r"(?:bar|measure)\b(?!\s+(?:line|of (?:each|every|the (?:verse|chorus|bridge|phrase))))"),
        ("at", r"(?:(?<=\bin )|(?<=enters )|(?<=enter )|(?<=joins )|(?<=join )|(?<=[.;,] ))at\s+"
               r"(?P<one>\d{1,2})(?P<to>)(?P<two>)(?=\s*(?:[.;,]|\Z|(?!bpm|am|pm|a\.m|percent|or so|to the)[a-z]))"),
        ("list bars", r"(?:(?<=- )|(?<=[.;] )|(?<=\) ))(?P<one>\d{1,3})(?P<to>\s?[-–]\s?)(?P<two>\d{1,3})(?=:)"),
        ("next bars", r"\b(?P<which>second|next|third|fourth)\s+(?:set of\s+)?(?P<count>four|eight|sixteen|4|8|16)\b"
                      r"(?!\s*(?:times|notes|-))(?:\s+(?:bars|measures)\b)?"),
        ("middle bars", r"\b(?:the\s+)?(?:middle|central)\s+(?P<count>[a-z]+|\d{1,2})(?=\s+(?:bars|measures)\b)"
                        r"\s+(?:bars|measures)\b"),
        ("first half", r"(?:(?<=tune )|(?<=melody )|(?<=theme )|(?<=lead ))first"
                       r"(?=,? (?:while|before|then|and|over|with)\b|[,.;])"),
        ("variation", rf"\b(?P<nth>{_COUNTED})\s+variation\b"),
        ("nth phrase", r"\b(?:the\s+)?(?P<nth>first|second|third|fourth)\s+(?:phrase|line)\b"),
        ("last phrase", r"\b(?:final|last|closing)\s+(?:phrase|line)\b"),
        ("last time", r"\b(?:the\s+)?(?:opening|beginning|first (?:part|section|theme|tune|idea)|theme|tune|melody)\s+"
                      r"(?:then\s+|finally\s+)?(?=(?:returns|comes back|reappears|is heard again)\b)|"
                      r"\b(?:the\s+)?(?:return|reprise|repeat) of (?:the\s+)?(?:A|first|opening|main|initial)\b"
                      r"(?:\s+(?:section|part|theme|tune|melody|idea))?"),
        ("last quarter", r"\b(?:return(?:s|ing)?|com(?:es|ing) back|goes back) to (?:the|its) "
                         r"(?:(?:opening|first|main|original|initial|quiet|slow)\s)?(?:theme|tune|melody|idea)\b"),
        ("last strain", r"\b(?:last|final)\s+(?:section|strain)\b"),
        ("half", r"\b(?P<which>first|second|last|final|latter)\s+(?:half|part|section)\b|"
                 r"\b(?:half|mid)\s?-?way(?: through)?\b|(?:(?<=enter )|(?<=enters )|(?<=come in )|(?<=comes in )|"
                 r"(?<=join )|(?<=joins ))(?:only )?late\b(?! (?:night|at night|in the (?:bar|beat)|on the beat))"),
        ("share", r"\b(?:(?P<three>three[- ]quarters|two[- ]thirds)|(?:a|one) (?P<one>quarter|third)) (?:of the way )?"
                  r"(?:through|in|into it)\b(?! the (?:bar|beat))|"
                  r"\b(?:the )?(?P<which>last|final|closing|first|opening) (?P<part>quarter|third)\b"
                  r"(?! (?:of (?:the|each|every) (?:bar|beat)|note|beat|verse|chorus))"),
        ("last third", r"(?:(?<=\bat )|(?<=\bin )|(?<=\bfor ))the (?:very )?(?:climax|peak|culmination)\b"),
        ("second theme", r"\b(?:second(?:ary)?|contrasting)\s+(?:theme|subject)\b"),
        ("outside verse", r"\bbetween\s+(?:the\s+|all\s+)?(?:verses|stanzas|strophes)\b"
                          r"(?!\s+and\s+(?:the\s+)?(?:chorus|refrain|hook|bridge))"),
        ("section", rf"\b(?:(?P<nth>{_COUNTED})\s+)?(?!{_WHOLE})(?P<name>{_NAMES})s?"
                    rf"(?:\s+(?P<number>(?!(?:8|12|16|24|32)\b)\d{{1,2}}|one|two|three|four)"
                    rf"(?!\s?(?:bar|meas|\d)))?\b"),
        ("nth letter", rf"\b(?P<nth>{_COUNTED}|First|Second|Third|Last|Final)\s+(?P<letter>[A-H])\b(?!\s?[#b]|"
                       rf"\s(?:major|minor|chord))"),
        ("letter", r"\b(?:the\s+)?(?P<letter>[A-H])(?:\s+|-)(?:section|part)s?\b|"
                   r"\b(?:section|part)\s+(?P<after>[A-H])\b|\b(?i:for|(?<![a-z] )in)\s(?P<colon>[A-H])(?=:)"),
        ("start", r"\b(?:the\s+)?(?:beginning|start|opening)\b|\bat first\b|\bto (?:begin|start) with\b"),
        ("end", r"\b(?:the\s+)?(?:very\s+)?(?:end|ending|close(?!\s+(?:harmon|thirds|sixths|to|by|position|together|"
                r"imitation|canon|voic|intervals|behind|up|at hand))|finish)\b|"
                r"\bthe (?:very )?(?:last|final|closing) (?:lines?|words?|moments?|notes|seconds|phrases|"
                r"(?:few )?(?:bars|measures)(?! (?:of|before|in)\b)|few (?:notes|lines))\b"),
        ("middle", r"\b(?:the\s+)?(?:middle|central)(?:\s+(?:section|part|bit))\b|\b(?:the\s+)?(?:part|"
                   r"section)\s+(?:central|middle)\b|"
                   r"\b(?:the\s+)?middle\b(?![\s-]+(?:east\w*|ages?\b|earth)|\s+(?:[A-Ga-g]\b|register|range|octave|voices?|strings?|"
                   r"of the keyboard))"),
        ("contrast", r"\b(?:an?|one)\s(?:[a-z-]+,?\s){0,3}?contrasting\s(?:[a-z-]+\s)?(?:section|passage|episode|part|"
                     r"middle|interlude)\b|\b(?:an?|one)\s(?:[a-z-]+,?\s){1,3}?(?<!string )(?<!horn )(?<!brass )"
                     r"(?<!rhythm )(?<!wind )(?<!woodwind )(?<!percussion )(?<!reed )(?<!vocal )(?<!sax )(?<!solo )"
                     r"(?:section|passage|episode)\b(?=,? (?:where|in which|when|(?:with|of) (?:only|just)))"),
    )  # fmt: skip
    return tuple((name, re.compile(source, 0 if name.endswith("letter") else re.I)) for name, source in sources)


_THE_NEXT = re.compile(  # variation, of which one was told before
    r"\bthe (?P<nth>second|third|fourth|fifth|last|final)(?= (?:one )?(?:is|has|goes|brings|turns|features|slows)\b)"
)


def find_places(text: str) -> list[Found[str]]:
    """The places that a text names, from left to right, none overlapping; a "from" before one is not part of it.

    >>> [place.value for place in find_places("softer in the last chorus and in bars 9 to 12, verse 2 louder")]
    ['last chorus', 'bars 9-12', 'verse 2']
    """
    return list(_found(text))


@lru_cache(maxsize=8)  # many readers ask of the same brief
def _found(text: str) -> tuple[Found[str], ...]:
    """What ``find_places`` answers."""
    places: list[Found[str]] = []
    for name, pattern in _patterns():
        for match in pattern.finditer(text):
            if any(place.start < match.end() and match.start() < place.end for place in places):
                continue
            value = "" if _names_a_player(text, match) or _is_a_tune(text, match) else _meaning(name, match)
            if value:
                places.append(Found(value, match.start(), match.end(), 0, 0))
    if any(place.value.startswith("variation") for place in places):
        places += [
            Found(f"variation {_ORDINALS[match['nth']]}" if match["nth"] in _ORDINALS else "last variation",
                  match.start(), match.end(), 0, 0)
            for match in _THE_NEXT.finditer(text)
        ]  # fmt: skip
    return tuple(sorted(places, key=lambda place: place.start)[:_MOST_PLACES])


_SOLO = re.compile(r"solos?\Z", re.I)
_SOLO_WHO = re.compile(
    r"\s(?:violin|viola|cello|fiddle|flute|oboe|clarinet|bassoon|trumpet|horn|trombone|saxophone|sax|guitar|piano|voice|"
    r"harp|organ|banjo|mandolin|soprano|tenor|alto|whistle|recorder|accordion|bass)\b(?!\s(?:solo|section))",
    re.I,
)
_CHORUS, _SHOUT = re.compile(r"chorus\Z", re.I), re.compile(r"\b(?:shout|stop[- ]time)\s\Z", re.I)
_PLAYER = re.compile(r"(?:\A|\b(?:for|a|an|one|by|with|of|on|my|only|unaccompanied)\s|[,;:(]\s*)\Z", re.I)
_HOOK = re.compile(r"\A(?:hook|riff|vamp)s?\Z", re.I)
_THEME = re.compile(r"\A(?:theme|head|riff|hook)s?\Z", re.I)
_TAKES_OVER = re.compile(
    r"\b(?:tak(?:es?|ing)|hand(?:s|ing)?|pass(?:es|ing)?)\s(?:it\s)?over\s(?:the|its|that)\s(?:main\s)?\Z", re.I
)
_SO_MANY = re.compile(
    r"\b(?:take|play|blow|improvise|solo|get|ha|for)(?:s|ve)?\s(?:for\s)?(?:an?|one|two|three|another|\d)\s(?:[a-z]+\s)?\Z",
    re.I,
)
_BREAKING = re.compile(r"breaks\s(?:into|in|out|off|free|down|up|through|away|loose)\b", re.I)
_IN_THE = re.compile(
    r"\b(?:in|at|on|during|for|from|after|until|before|into|throughout|through|by)\s(?:the|each|every|its)"
    r"(?:\s(?:big|main|whole))?\s\Z",
    re.I,
)


def _names_a_player(text: str, match: re.Match[str]) -> bool:
    """Whether "solo" says how somebody plays ("for solo flute") and not where ("in the solo")."""
    if _CHORUS.search(match[0]) and _SHOUT.search(text[: match.start()]):
        return True  # a way to play, told beside its place
    if not _SOLO.search(match[0]):
        return False
    alone = _SOLO_WHO.match(text, match.end()) and match[0].lower() == "solo"
    return bool(_PLAYER.search(text[: match.start()])) or bool(alone)


def _is_a_tune(text: str, match: re.Match[str]) -> bool:
    """Whether a hook is what somebody plays ("a small hook") and not where ("in the hook"), or a break what it does
    ("the first breaks into a run")."""
    if _THEME.search(match[0]) and _TAKES_OVER.search(text[: match.start()]):
        return True
    breaks = match[0].lower().endswith("breaks") and _BREAKING.match(text, match.end() - len("breaks"))
    if _CHORUS.search(match[0].removesuffix("es")) and _SO_MANY.search(text[: match.start()]):
        return True  # ``solos for two choruses``: once or twice through the changes
    return bool(breaks) or (bool(_HOOK.search(match[0])) and not _IN_THE.search(text[: match.start()]))


def _meaning(name: str, match: re.Match[str]) -> str:
    """The place that a match of that pattern names; empty where it is none."""
    group = {key: value or "" for key, value in match.groupdict().items()}
    return _MEANT[name](group) if name in _MEANT else name


def _bars_meant(group: dict[str, str]) -> str:
    apart = group["two"] and group["to"].lower() == "and" and int(group["two"]) != int(group["one"]) + 1
    if apart:
        return f"bar {group['one']} + bar {group['two']}"  # two bars, and not all between them
    return f"bars {group['one']}-{group['two']}" if group["two"] else f"bar {group['one']}"


def _inner_meant(group: dict[str, str]) -> str:
    return f"{number_of(group['count'])} bars in {_section_meant(group)}"


def _middle_meant(group: dict[str, str]) -> str:
    count = number_of(group["count"])
    return f"{count} bars in middle" if count else ""


def _half_meant(group: dict[str, str]) -> str:
    return "first half" if group["which"].lower() == "first" else "second half"


def _share_meant(group: dict[str, str]) -> str:
    """What is left of a piece three quarters of the way through it, and its first or last third or quarter."""
    if group["three"]:
        return "last quarter" if group["three"].lower().endswith("quarters") else "last third"
    if group["one"]:
        return f"after first {group['one'].lower()}"
    side = "first" if group["which"].lower() in ("first", "opening") else "last"
    return f"{side} {group['part'].lower()}"


def _letter_meant(group: dict[str, str]) -> str:
    nth = group["nth"].lower()
    return f"last {group['letter']}" if nth in _LAST else f"{group['letter']} {_ORDINALS[nth]}"


def _edge_meant(group: dict[str, str]) -> str:
    count = number_of(group["count"])
    side = "first" if group["which"].lower() in ("first", "opening") else "last"
    return f"{side} {count} bars" if count else ""


def _next_meant(group: dict[str, str]) -> str:
    """The second, third or fourth so many bars: ``the second eight`` are bars 9 to 16."""
    before = {"first": 0, "third": 2, "fourth": 3}.get(group["which"].lower(), 1)
    count = number_of(group["count"]) or 0
    return f"bars {before * count + 1}-{(before + 1) * count}"


def _section_meant(group: dict[str, str]) -> str:
    kind, nth = _KIND_OF[group["name"].lower()], group["nth"].lower()
    if nth in _LAST:
        return f"last {kind}"
    count = _ORDINALS.get(nth) or number_of(group["number"])
    return f"{kind} {count}" if count else kind


#: What a match of a pattern names, from its groups; patterns that are not listed are called as what they name.
_MEANT: Mapping[str, Callable[[dict[str, str]], str]] = {
    "bars": _bars_meant,
    "at": _bars_meant,
    "list bars": _bars_meant,
    "one bar": lambda group: "last 1 bars",
    "inner bars": _inner_meant,
    "edge bars": _edge_meant,
    "next bars": _next_meant,
    "middle bars": _middle_meant,
    "variation": lambda group: _section_meant({"name": "verse", "number": "", **group}).replace("verse", "variation"),
    "nth phrase": lambda group: _next_meant({"which": group["nth"], "count": "4"}),
    "last phrase": lambda group: "last 4 bars",
    "half": _half_meant,
    "share": _share_meant,
    "nth letter": _letter_meant,
    "letter": lambda group: group["letter"] or group["after"] or group["colon"],
    "second theme": lambda group: "B",
    "section": _section_meant,
}


def section_kind(label: str) -> str:
    """What a section is by its label: a kind, or the label's own letter or words in lower case without a number.

    >>> section_kind("Verse 2"), section_kind("Refrain"), section_kind("A'"), section_kind("Storm 1")
    ('verse', 'chorus', 'A', 'storm')
    """
    plain = re.sub(r"[\s\d'′]+\Z", "", label.strip())
    if re.fullmatch(r"[A-Z]", plain):
        return plain
    low = plain.lower()
    return _KIND_OF.get(low) or next((_KIND_OF[name] for name in _KIND_OF if low.startswith(name)), low)
