"""Claims: what the words around a name say that a part does, and how sure that is."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["LEADS", "LIKELY", "SETTLED", "WEAK", "Claim", "role_in", "without_others"]

#: How sure a claim is: it settles the role, it is likely, or it needs a verb beside it.
SETTLED, LIKELY, WEAK = 3, 2, 1
# What a sentence says a part does; stronger claims first.
_ROLE_WORDS: tuple[tuple[str, int, str], ...] = (
    ("lead", SETTLED, r"\b(?:plays?|playing) (?:an?|the|its) "
                r"(?:(?!counter|second|inner)[\w-]+,? ){0,4}(?:melody|tune)\b(?! (?:in|with|together))|"
                r"\b[a-z]+s through (?:the|its) (?:main )?(?:melody|tune|theme)\b|"
                r"\blead(?:s|ing)?\b|(?<!the )\bsoloist\b|(?:play|stat|tak|carr)(?:s|es?|ies|ing)? the head\b|"
                r"carr(?:y|ies|ying) (?:the|an?) (?:[\w-]+,? ){0,4}(?:melody|tune|theme)|"
                r"\b(?:ha(?:s|ve)|tak(?:es?|ing)|gets?|owns?|pick(?:s|ing)? up) the (?:main |lead )?"
                r"(?:melody|tune|theme)\b|"
                r"cent(?:er|re) stage|focal point|centerpiece|\bat the (?:very )?(?:heart|core) of\b|"
                r"\b(?:at|in|takes?|holds?) (?:the |its )?(?:very )?(?:cent(?:er|re)|forefront|fore)\b(?! (?:of the )?"
                r"(?:pan|stereo|channel|image|field)| frequenc)|"
                r"\b(?:at|in|to) the front of the (?:mix|music|band|piece)\b|"
     r"centrepiece|main (?:melody|theme|instrument|voice)|primary (?:instrument|voice|melody)|\btheme\b|dominant|"
     r"spotlight|foreground|central role|"
     r"\b(?:stat|announc|introduc|present|sing|float|spin|carr|chim|ring|tinkl|toll|tap|trac|blaz|blast|"
     r"proclaim|declar|sound|cry|hammer|thunder|roar|peal|deliver|twang|twinkl)(?:s|e|es|y|ies|ing|ning|ying)?\s"
     r"(?:out\s)?(?:an?|the|its|his|her)\s(?:(?!counter|harmony|chord)[\w-]+,?\s){0,4}?(?:riff|tune|melody|theme|motif|subject|"
     r"song|cantilena|line)\b|\bweav(?:es?|ing)\b(?! (?:around|above|over|in and|through|between|under|beneath|among|"
     r"beside|about|"
     r"together))(?! (?:[\w-]+,? ){0,4}(?:counter|textur|harmon|background|pad|inner|middle|accompan|arpeggi|"
     r"broken|chord|figur|pattern|obbligat|ornament|filigree|decorat|garland))|"
     r"\b(?:murmur|whisper|hum|croon|whistl|breath|sob|cry|cri|moan|wail|belt|shout|unfold|unwind|trac|tell|voic|own|"
     r"intone|chant|purr|preach|spell|blare|growl|honk|snarl|squeal|pipe|bellow|toot|bark|drawl|whine|buzz|shriek|"
     r"rasp|squawk|roar|slur|bend|bow|pluck|pick|hammer|fiddle|skirl|lilt|drone|rip|belt|warble)(?:s|es|e)?\s(?:out\s)?(?:the|its)\s(?:main\s|lead\s)?(?:melody|tune)\b|"
     r"\banswer(?:s|ing)? (?:it|him|her)self\b"),
    ("counter", SETTLED, r"\b[a-z]+s? (?:it|the (?:motif|phrase|tune|line|melody|theme|idea|hook))\sback\b|"
                   r"\bimitat(?:es?|ing)\b|\bshadow(?:s|ing)?\b|\brepl(?:y|ies|ying)\b|"
                   r"\btrail(?:s|ing)?\b(?! off)|"
                   r"\b(?:creep|steal|sneak|slip|tiptoe)(?:s|ing|ping)?\s(?:in|into)\s(?:[\w-]+,?\s){0,5}counter|"
                   r"\bdoubl(?:es?|ing) (?:the |its |their |this |that )?(?:[a-z]+ )?(?:melody|tune|theme|"
                   r"lines?|voice|it|them)\b|counter-?\s?melod\w+|\bdescants?\b|counterpoint|counter-?lines?|"
                   r"answer(?:s|ing)?\b(?! (?:itself|himself|herself|themselves|(?:its|their|his|her) own)\b)|"
                   r"respon(?:d|ds|ding|ses?)\b|interject\w*|call[- ]and[- ]response|"
     r"\bfills\b(?! (?:in|out|up)? ?(?:the |its )?(?:[a-z]+ )?(?:harmon|chords))|\binner (?:voices?|lines?|parts?)\b|"
     r"echo(?:es|ing)?\b(?!,? (?:[\w-]+,? ){0,2}(?:melod|(?:fragments?|motifs?|phrases?|notes?|calls?|figures?|"
     r"licks?|leads?)\b(?! (?:of|from|by)\b)))|punctuat\w+|"
     r"\bstabs?\b(?! (?:at|on|out|between)\b)|\baccents? (?:the|it|each|every|on|to)\b|"
     r"\b(?:add|provid|offer|giv|contribut|suppl)\w* (?:[\w-]+,? ){0,3}accents\b|intertwin\w+|"
     r"\b[a-z]+s? (?:around|between|in and out of|in between) (?:the|its|his|her|their) (?:[\w-]+ )?"
     r"(?:vocals?|voice|melody|tune|lead|singer|sung|phrases|lines?)\b|\b(?:every )?now and (?:then|again)\b|"
     r"\b(?:phrases|fills|figures|ornaments|flourishes|runs|licks|notes)\s(?:around|between|in between|behind)\s"
     r"(?:it|them|her|him)\b|"
     r"\bfrom time to time\b|\boccasional(?:ly)?\b|\bonce in a while\b|"
     r"\bevery so often\b|\bsporadic\w*|melodic highlights|harmoniz\w+|harmonis\w+|embellish\w*|\bflourish\w*"),
    ("arpeggio", SETTLED, r"arpeggi\w+|finger-?\s?pick\w*\b(?! (?:\w+ )?(?:melod|tune|theme))|"
     r"\bpicks? (?:out )?(?:the |its )?(?:chords|notes)|"
     r"broken chords|alberti|ostinato|\brolls\b(?!,? (?:eight|along|out|on|in|through))|sequenced"),
    ("comping", SETTLED, r"\b(?:jab|stab|poke|punch|hit|thump)(?:s|es|bing|ing)?\s(?:at|on|out|between)\s"
                   r"(?:the\s|every\s|all\s)?(?:[a-z]+\s){0,2}(?:off-?\s?beats?|back-?\s?beats?|beats?|chords)|"
                   r"\boom-?\s?pahs?\b|\bboom-?\s?chick|"
                   r"\bstrum\w*|(?<!from )\bscratch\w*|"
                   r"\bfill(?:s|ing)? (?:in|out|up)? ?(?:the |its )?(?:[a-z]+ )?(?:harmon|chords)|"
                   r"\bcomp(?:s|ing)\b|\bchords?\b(?! progressions?)|\bchops?\b|(?<!un)accompan\w+|\bskank\w*|"
                   r"chopping|\bvamp\w*|"
                   r"harmonic (?:support|foundation|richness|structure|base)|"
     r"rhythmic (?:support|harmony)|\bbacking\b|\bmontuno\b|power chords|harmonic and rhythmic|rhythmic and harmonic|"
                   r"\bundercurrent"),
    ("bass", SETTLED, r"\b(?:pluck|play|provid|keep|hold|suppl|thump|step|slid|puff|giv|pump|stomp|honk|blow|pound|"
                r"tread|rumbl|bounc|anchor|carr|tak|cover|handl|form|lay|offer|lend|contribut|weav|serv(?:e|es|ing) as|"
                r"act(?:s|ing)? as)(?:s|e|es|y|ies|ing)?\s(?:out\s)?"
                r"(?:an?|the|its)\s(?:[\w-]+,?\s){0,3}bass\b(?! (?:drum|clarinet))(?![- ]and[- ]chord)|"
                r"bass-?\s?lines?|walking (?:bass|lines?)|low end|"
                r"\bbass notes\b(?!,? and (?:[\w-]+,? ){0,2}chords)|low foundation|\bcontinuo\b"),
    ("pad", SETTLED, r"\b(?:hold|sustain)(?:s|ing)?\s(?:out\s)?(?:long|slow|soft|sustained|held)\w*,?\s"
               r"(?:[\w-]+,?\s){0,3}(?:chords|harmonies)\b|"
               r"\b(?:hold|sustain)(?:s|ing)?\s(?:down\s|up\s)?the\s(?:[a-z]+\s)?(?:harmon|chords)"),
    ("pad", LIKELY, r"\bpads?\b|sustain\w*(?!,? (?:[\w-]+,? ){0,2}(?:riffs?|leads?|solos?|melod))|"
               r"(?<!over a )(?<!above a )(?<!over the )(?<!over its )drone\w*|backdrop|"
               r"background|atmospher\w+|soundscapes?|\bwash(?:es)?\b|"
               r"ambien\w+|\blush\b|\bbed\b|swell\w*"),
    ("pad", LIKELY, r"\A,?\s(?:\w+ly\s)?(?:beneath|underneath|behind|below)\b|"
               r"\b(?:warmth|glow\w*|halo|haze|hush|cushion|carpet|blanket|veil|sheen)\b[^.;!?,]{0,16}\s"
               r"(?:beneath|underneath|below|behind|under (?:it|them|the))\b|"
               r"\b(?:glow|shimmer|breathe|sit|lie|rest|hover|stay|remain|linger)(?:s|es)?\s(?:\w+ly\s|\w+\sand\s\w+\s)?"
               r"(?:beneath|underneath|below|behind)\b"),
    ("lead", LIKELY, r"\bplays? (?:only |just )?(?:a few|single|lone|lonely) (?:[\w-]+,? ){0,4}notes\b|"
                r"\bsolo(?:s|ing)?\b|melod(?:y|ies|ic)|\btunes?\b|"
                r"improvis\w+(?! (?:around|with) (?:each |one an)other)|\briffs?\b|\bsings?\b|\bhook\b|"
                r"expressive lines|"
                r"\bcantilena|"
                r"\A\s(?:[a-z]+\s)?in (?:parallel |close |sweet )?(?:thirds|sixths) (?:over|above|atop|on top of)\b"),
    ("comping", LIKELY, r"\bharmon(?:y|ies|ic)\b|rhythmic|\brhythms?\b|groove|\bfoundation|backbone|supporting|"
                   r"support\b|anchor"),
    ("pad", WEAK, r"textur\w+|\blayers?\b|\bdepth\b|warmth|resonan\w+"),
)  # fmt: skip
_ROLE_PATTERNS = tuple((role, weight, re.compile(pattern, re.I)) for role, weight, pattern in _ROLE_WORDS)
_AND_A_TUNE = re.compile(
    r"\bdrones? and (?:the|its|their) (?:tune|melody)\b|"
    r"\band an? (?:[a-z\-]+,? ){0,3}(?<!counter)(?<!counter-)(?:melody|theme|tune|hook)\b",
    re.I,
)
_A_RIFF = re.compile(  # what a groove begins with, not a tune
    r"\b(?:leads?|leading) (?:off )?with (?:an?|its|the) (?:[\w-]+,? ){0,3}(?:riff|groove|pulse|bass ?line|ostinato)\b",
    re.I,
)
_LIKE_A_LEAD = re.compile(r"\bas [a-z]+ as (?:an?|the) (?:[a-z]+ )?lead\b(?: [a-z]+)?", re.I)  # and is none
_A_LEAD = re.compile(r"\b(?:an?|the)\s(?:[a-z]+\s)?lead\b(?!\s(?:line|melody|role|part|voice|instrument))", re.I)


_A_DRONE_FIRST = re.compile(  # and something else after it
    r"\bdron(?:e|es|ing)\b[^.;!?]{0,24}?\b(?:at first|first|to begin(?: with)?|to start(?: with)?|"
    r"in the (?:intro\w*|opening)),?"
    r"(?=[^.;!?]*\b(?:then|before|until|after)\b)",
    re.I,
)


class Claim(NamedTuple):
    """What a text says that a part does: how sure that is, and the role."""

    weight: int = 0
    role: str = ""


#: The claim of who has the tune.
LEADS = Claim(SETTLED, "lead")


_UNDER_IT = re.compile(  # what others play below somebody's line: floating above soft, rippling arpeggios
    r"\b(?:over|above|atop|on top of|against)\s(?!(?:its|his|her|their)\b)(?:[\w-]+,?\s){0,4}?"
    r"(?:arpeggios?|arpeggiated\s\w+|broken chords|ostinat(?:os?|i))\b",
    re.I,
)
_IN_RHYTHM = re.compile(  # who leads with rhythms or chords accompanies, where somebody else has melodies
    r"\blead(?:s|ing)? (?:the [a-z]+ )?with (?!(?:[\w-]+,? ){0,3}(?:melod(?:y|ies)|tunes?|themes?)\b)"
    r"(?:rhythmic\b|(?:[\w-]+,? ){0,4}(?:chords|montunos?|vamps?|comping|strumming)\b)",
    re.I,
)


def role_in(words: str) -> Claim:
    """The strongest role that words speak of, the earlier before the later; who has a melody besides leads."""
    if _IN_RHYTHM.search(words):
        return Claim(LIKELY, "comping")
    if _AND_A_TUNE.search(words):
        return LEADS
    words = _A_LEAD.sub(" ", _LIKE_A_LEAD.sub(" ", _A_RIFF.sub(" riff ", _A_DRONE_FIRST.sub(" ", words))))
    claims = [
        (weight, -match.start(), role) for role, weight, pattern in _ROLE_PATTERNS if (match := pattern.search(words))
    ]
    weight, _, role = max(claims, key=lambda claim: claim[:2], default=(0, 0, ""))
    return Claim(weight, role)


def without_others(words: str) -> str:
    """What is said of somebody who has one note at a time, without what others play below that.

    >>> without_others("floating freely above soft, rippling arpeggios")
    'floating freely  '
    """
    return _UNDER_IT.sub(" ", words)
