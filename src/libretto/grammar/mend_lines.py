"""What the lenient reading asks of single lines and words: is it a bar, a voice, a note, a rest?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from libretto.grammar.lines import VoiceEntry, split_voices
from libretto.grammar.mend_signs import is_sign, tidy_sign
from libretto.score.chords import is_chord
from libretto.score.marks import PIECE_MARKS
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = [
    "BAR",
    "COPY",
    "EXTRA",
    "FIELD",
    "REST",
    "bar_count",
    "by_bracket",
    "clean",
    "entry_text",
    "extra",
    "fold",
    "has_tokens",
    "is_silence",
    "loose_tokens",
    "nearest_chord",
    "number_of",
    "plain",
    "sounds",
    "tidy_token",
    "voice_part",
]

# Quantifiers that never give back (*+) keep the time linear on any text.
BAR = re.compile(r"[*_#>\s-]*+(?:@\s*+|[Bb]ar\s++|[Mm]easure\s++)(\d{1,6})(?=[\s:\[(*]|\Z)[\s:*]*+(.*)\Z", re.ASCII)
COPY = re.compile(r"\s*+@\d{1,6}(-\d{1,6})?\s*+(\[[^\]]*+\]\s*+)?=\s*+@\d{1,6}", re.ASCII)
EXTRA = re.compile(rf"\(\s*+(?:[a-z-]++\s*+:[^()]*+|\|:|:\|\d*+|(?:{'|'.join(PIECE_MARKS)}))\s*+\)")
FIELD = re.compile(r"[*_#>\s-]*+(KEY|METER|TEMPO|GRID|BARS|TITLE|VOICES)[*_\s]*+:", re.IGNORECASE | re.ASCII)
_NAME = r"[A-G](?:#{1,2}|b{1,2})?-?\d"
_STRICT = re.compile(rf"{_NAME}(?:\+{_NAME})*+@[1-9]\d{{0,8}}>[1-9]\d{{0,8}}(?:\^\d{{1,3}})?\Z", re.ASCII)
_LOOSE = re.compile(
    r"(?:[xX]\+)*(?P<pitches>[A-Ga-g][#b♯♭x]*-?\d{1,2}(?:\+[A-Ga-g][#b♯♭x]*-?\d{1,2})*)(?:\+[xX])*"
    r"@(?P<onset>\d{1,9}(?:\.\d{1,9})?)>(?P<length>\d{1,9}(?:\.\d{1,9})?)(?P<velocity>\^\d{1,3})?[,;.]?\Z",
    re.ASCII,
)
REST = re.compile(r"(?:(?:[rRzZxX]|rest|REST|Rest)(?:@[\d.]++)?(?:>[\d.]++)?(?:\^\d++)?|[-–—_.]++)[,;]?\Z", re.ASCII)
_SILENT = re.compile(r"\b(?:rest|rests|resting|silent|silence|tacet|tacit|pause|pauses|nothing|none|empty)\b", re.I)
_SIGNS = (
    r"(?i:(?:notes|controls)?=|(?:cc\d{1,3}|bend|press)(?::\d{1,6})?@)\d|"
    r"(?:[pf]{1,6}|m[pf]|sfz?|r?fz|cresc|dim|ped|(?:dyn|clef|staves|octave):[^\s@]++|\"[^\"]++\")(?:/\d)?@\d"
)  # repeats, controls, and what else stands between notes
_TOKEN = re.compile(rf"@[\d.]++>|[\d#b♯♭]@[\d.]++\Z|\A(?:{_SIGNS})", re.ASCII)
_WORD = re.compile(r"\S+")
_PITCH = re.compile(r"[A-Ga-g][#b♯♭x]*-?\d", re.ASCII)
_LONGEST_LABEL = 40
_CLOSE = Fraction(1, 50)  # of a slot: 0.33 is a third


def clean(line: str) -> str:
    """A line without control characters, with plain spaces."""
    if line.isascii() and line.isprintable():
        return line
    line = line.replace("\ufeff", "").replace("\u00a0", " ").replace("\t", " ")
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200d\u2028\u2029]", "", line)


def fold(name: str) -> str:
    """What of a name is left when case, spaces and signs do not count."""
    return re.sub(r"[\W_]+", "", name).casefold()


def has_tokens(line: str) -> bool:
    """Whether something in a line says when it is played."""
    return ("@" in line or "=" in line) and any(_TOKEN.search(word[0]) for word in _WORD.finditer(line))


def sounds(body: str) -> bool:
    """Whether what follows a voice's name is meant to be played, or to be silent, rather than read."""
    words = body.split()
    return any(map(_PITCH.match, words)) or all(map(REST.match, words)) or any(map(is_sign, words))


def is_silence(body: str) -> bool:
    """Whether words behind a voice's name say that it is silent, or nothing at all."""
    return not fold(body) or bool(_SILENT.search(body))


def loose_tokens(line: str) -> Iterator[re.Match[str]]:
    """The words of a line that are notes, however loosely written."""
    return filter(None, map(_LOOSE.match, line.split()))


def number_of(text: str) -> Fraction | int:
    """A number of slots as written."""
    return Fraction(text) if "." in text else int(text)


def tidy_token(token: str, shift: int, finer: int) -> str:
    """A loose token in strict form, in slots that are finer; what is still between slots stays as it is."""
    if finer == 1 and not shift and _STRICT.match(token):
        return token
    written = _LOOSE.match(token)
    if not written:
        return tidy_sign(token, shift, finer, lambda note: tidy_token(note, shift, finer))
    onset = (number_of(written["onset"]) + shift - 1) * finer + 1
    length = number_of(written["length"]) * finer
    if any(not isinstance(slots, int) and abs(slots - round(slots)) >= _CLOSE for slots in (onset, length)):
        return token
    names = (name[0].upper() + name[1:].replace("♯", "#").replace("♭", "b") for name in written["pitches"].split("+"))
    return f"{'+'.join(names)}@{round(onset)}>{round(length)}{written['velocity'] or ''}"


def extra(line: str, name: str) -> str | None:
    """What a bar line says of that name, such as its grid."""
    written = re.search(rf"\(\s*+{name}\s*+:([^()]*+)\)", line)
    return written[1].strip() if written else None


def voice_part(line: str) -> str:
    """The name before the tokens, or else before the colon."""
    name, colon, rest = line.partition(": ")
    if colon and "@" not in name and "=" not in name and (first := _WORD.search(rest)) and _TOKEN.search(first[0]):
        return name.strip("*| ").removesuffix(":").strip("*| ")
    token = next((word for word in _WORD.finditer(line) if _TOKEN.search(word[0])), None)
    head = line[: token.start()] if token else line.partition(":")[0]
    return head.strip("*| ").removesuffix(":").strip("*| ")


def by_bracket(text: str) -> VoiceEntry | None:
    """A voice whose last bracket holds its attributes, whatever its name holds."""
    name, bracket, attributes = text.strip().rpartition("[")
    if not bracket or not attributes.endswith("]"):
        return None
    read = split_voices(f"x[{attributes}")[0]
    return read._replace(name=name.strip() or "Part") if isinstance(read, VoiceEntry) else None


def entry_text(entry: VoiceEntry) -> str:
    """A voice as VOICES declares it."""
    words = ["drums"] if entry.drums else []
    words += [f"prog={entry.program}"] if entry.program is not None else []
    words += [f"vel={entry.velocity}"] if entry.velocity != DEFAULT_VELOCITY else []
    return f"{entry.name}[{', '.join(words)}]" if words else entry.name


def bar_count(line: str) -> int:
    """How many bars a bar line stands for."""
    written = re.match(r"\s*+@(\d{1,6})-(\d{1,6})", line, re.ASCII)
    return max(1, int(written[2]) - int(written[1]) + 1) if written else 1


def nearest_chord(label: str) -> str:
    """The label itself, the longest beginning of it that is a chord, or ``-``."""
    if label.upper() in ("N.C.", "NC", "N", "NONE", "REST"):
        return "-"
    ends = range(min(len(label), _LONGEST_LABEL), 0, -1)
    return next((label[:end] for end in ends if is_chord(label[:end])), "-")


def plain(text: str) -> str:
    """A line as it is compared: spacing, the space before a colon and the line's decoration do not count."""
    return "".join(text.split())
