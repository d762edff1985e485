"""What comes from afar, passes close by and is gone, as briefs tell of it: a story that is a shape of music."""

from __future__ import annotations

import re

__all__ = ["PASSES"]

_FAR = r"(?:distan(?:t|ce)|afar|far (?:away|off)|horizon|nearer|closer|approach\w*)"
_HERE = (
    r"(?:pass(?:es|ing)?|thunder(?:s|ing)?|march(?:es|ing)?|rid(?:es?|ing)|rush(?:es|ing)?|roll(?:s|ing)?|sweep(?:s|ing)?|"
    r"gallop(?:s|ing)?|com(?:es?|ing)|goes|go(?:es|ing)?|stream(?:s|ing)?) "
    r"(?:very |right |directly )?(?:close|by|past|in front|over ?head|through|near)"
)
_GONE = (
    r"(?:fad|disappear|vanish|reced|dwindl|melt|di(?=es|e |ed|ing)|dissolv|sink|trail|drift|retreat)(?:es|s|e|ing|ed)?"
)
#: Words for what comes, passes and is gone.
PASSES = re.compile(rf"\b{_FAR}\b[^.!?]{{0,80}}?\b{_HERE}\b[^.!?]{{0,80}}?\b{_GONE}\b[^.!?]{{0,60}}?(?=[.!?]|\Z)")
