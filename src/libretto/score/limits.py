"""How large a piece, and a text of one, may be: every bound on what comes in is stated here, and only here.

The bounds are such that whatever is read or refused takes at most five seconds of processor time and 500 MB. They lie
far above real music (the longest operas have some 100,000 notes), and they are held to before work begins that grows
with what is bounded. What single formats may hold besides is said where their bytes are read.
"""

from __future__ import annotations

__all__ = [
    "MAX_BARS",
    "MAX_CHARACTERS",
    "MAX_EXTRAS",
    "MAX_LABELS",
    "MAX_LINE",
    "MAX_LINES",
    "MAX_MARKED",
    "MAX_MENDED",
    "MAX_NOTES",
    "MAX_REPAIRS",
    "MAX_SIGNS",
    "MAX_VOICES",
]

MAX_BARS, MAX_NOTES, MAX_VOICES = 20_000, 300_000, 1_000
MAX_CHARACTERS = 24_000_000  #: of a text; a piece of the most notes takes some four million
MAX_LINES = 1_000_000  #: of a text, empty ones among them
MAX_LINE = 5_000_000  #: characters of one line; the most notes in one bar and one voice fit
MAX_EXTRAS = 100_000  #: in parentheses behind one bar line: keys, tempos, marks of the piece
MAX_LABELS = 400_000  #: chord labels of a piece, copied ones among them
MAX_MARKED = 200_000  #: words on lines that say more than notes, which take longer to read
MAX_SIGNS = 300_000  #: marks and controls of a piece; of a text, copied ones among them
MAX_MENDED = 1_500_000  #: characters of a text that is mended, which takes longer than reading
MAX_REPAIRS = 50_000  #: of one text; what needs more is something else than a piece
