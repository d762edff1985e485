"""How the second strain of a tune lies beside the first: ``two strains, the second sitting higher``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from libretto.contract.asks import Ask
from libretto.contract.finders.scene import Finding, Scene, finders

__all__ = ["second_strain"]

_STRAINS = re.compile(r"\b(?:strains|halves|sections|parts|tunes|periods)\b")
_SECOND = re.compile(
    r"\b(?:the |its )?(?:second|other|latter|b)(?: (?:one|strain|half|section|part|tune|of them|of the two))?,? "
    r"(?:(?:should|must|will|to|is|be|being|that|which) ){0,2}"
    r"(?:sit|l[iy]|set|go|pitch|climb|ris|reach|mov|play|sound|written|tak|lift|soar|hover)"
    r"(?:s|e|es|ed|ing|ting|en)? (?:(?:a|an|it|up|the|tune|little|bit|third|fourth|fifth|octave|much|noticeably) ){0,4}"
    r"(?P<what>higher|high|up|lower|low|down)\b"
)
_LETTERS = re.compile(r"\bstrain|\brepeated\b|\bbinary\b|\baabb\b")
_LOW = ("lower", "low", "down")


@finders.register("second strain")
def second_strain(scene: Scene) -> Iterator[Finding]:
    """The register of a second strain, where a brief speaks of two."""
    for match in list(_SECOND.finditer(scene.low))[:2]:
        strains = _STRAINS.search(scene.low, 0, match.end()) or "strain" in match[0]
        if strains:
            where = "B" if _LETTERS.search(scene.low) else "second half"
            what = "low" if match["what"] in _LOW else "high"
            ask = Ask("register", what, "melody", where, scene.text[match.start() : match.end()][:200])
            yield scene.finding("register", f"melody {what} at {where}", match.start(), match.end(), ask)
