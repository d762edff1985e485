"""Rewrite a loosely written text into strict grammar, noting every change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from libretto.errors import Problem, ScoreError
from libretto.grammar.lines import FIELDS, VoiceEntry, parse_bar_line, parse_grid, split_voices
from libretto.score.chords import is_chord
from libretto.score.model import is_legal_name, legal_name
from libretto.score.time import WHOLE, Grid, Meter

__all__ = ["Mender"]

_BAR = re.compile(r"[*_#>\s-]*(?:@\s*|[Bb]ar\s+|[Mm]easure\s+)(\d{1,6})(?=[\s:\[(]|\Z)[\s:]*(.*)\Z")
_COPY = re.compile(r"\s*@\d+(-\d+)?\s*(\[[^\]]*\])?\s*=\s*@\d+")
_FIELD = re.compile(r"[*_\s]*(KEY|METER|TEMPO|GRID|BARS|TITLE|VOICES)[*_\s]*:", re.IGNORECASE)
_LOOSE = re.compile(
    r"(?:[xX]\+)*(?P<pitches>[A-Ga-g][#b♯♭x]*-?\d{1,2}(?:\+[A-Ga-g][#b♯♭x]*-?\d{1,2})*)(?:\+[xX])*"
    r"@(?P<onset>\d+(?:\.\d+)?)>(?P<length>\d+(?:\.\d+)?)(?P<velocity>\^\d{1,3})?[,;.]?\Z"
)
_REST = re.compile(r"(?:(?:[rRzZxX]|rest|REST|Rest)(?:@[\d.]+)?(?:>[\d.]+)?(?:\^\d+)?|[-–—_.]+)[,;]?\Z")
_DEFAULTS = {"KEY": "C major", "METER": "4/4", "TEMPO": "120", "GRID": "16th"}


class Mender:
    """One mending of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.repairs: list[tuple[int, str]] = []
        self.origin: list[int] = []  # for each line of the result, its line in the source
        self.fields: dict[str, str] = {}
        self.title = ""
        self.voices: list[VoiceEntry] = []
        self.known: dict[str, str] = {}  # folded name -> declared name
        self.bars: list[list[tuple[int, str]]] = []  # each bar: its line, then its voices' lines
        self.spelled: list[str] = []  # declared names that hold a colon, longest first
        self.shift = 0  # 1 where slots are counted from 0

    def note(self, line: int, what: str) -> None:
        """Remember a repair."""
        self.repairs.append((line, what))

    def mend(self) -> str:
        """The strict text."""
        self._collect()
        self._mend_header()
        self.shift = self._counts_from_zero()
        if self.shift:
            self.note(1, "slots are counted from 0: each onset is one more")
        body = [line for bar in self.bars for line in self._mend_bar(bar)]
        head = [(1, f"TITLE: {self.title}")] if self.title else []
        head.append((1, " | ".join(f"{name}: {self.fields[name]}" for name in FIELDS)))
        head.append((1, "VOICES: " + ", ".join(map(_entry_text, self.voices))))
        self.origin = [number for number, _ in head + body]
        return "\n".join(line for _, line in head + body) + "\n"

    def relocate(self, problems: Sequence[Problem]) -> list[Problem]:
        """Problems of the mended text, at their lines of the source."""
        last = len(self.origin)
        return [replace(p, line=self.origin[p.line - 1]) if 0 < p.line <= last else p for p in problems]

    # what belongs to the piece

    def _collect(self) -> None:
        """Sort the lines into header, bars and what is not music."""
        voices = ""
        for number, raw in enumerate(self.text.split("\n"), start=1):
            line = _clean(raw)
            if line != raw.rstrip("\r") and line.strip() != raw.strip():
                self.note(number, "control characters or typographic spaces are replaced")
            if not line.strip() or line.strip().startswith("%"):
                continue
            bar = _BAR.match(line)
            field = _FIELD.match(line)
            if bar or _COPY.match(line):
                self.bars.append(
                    [(number, line.strip() if _COPY.match(line) else f"@{bar[1]} {bar[2]}" if bar else "")]
                )
                if bar and not line.lstrip().startswith("@"):
                    self.note(number, f"{line.strip()[:30]!r} is read as @{bar[1]}")
            elif field and not self.bars:
                if field[1].upper() == "VOICES":
                    voices = line[field.end() :].strip().strip("*")
                elif field[1].upper() == "TITLE":
                    self.title = " ".join(line[field.end() :].strip().strip("*").split())
                else:
                    self._header(line)
            elif self.bars and _is_voice_line(line):
                self.bars[-1].append((number, line.strip()))
            else:
                self.note(number, f"{line.strip()[:40]!r} is not music and is left out")
        self._declare(voices)

    def _header(self, line: str) -> None:
        for part in line.split("|"):
            name, _, value = part.strip(" *_").partition(":")
            if name.strip(" *_").upper() in FIELDS:
                self.fields.setdefault(name.strip(" *_").upper(), value.strip(" *_"))

    def _declare(self, text: str) -> None:
        """The voices, by the plain rule or, where names hold commas, by their brackets."""
        used = {_voice_part(line) for bar in self.bars for _, line in bar[1:]}
        entries = split_voices(text)
        names = {entry.name for entry in entries if isinstance(entry, VoiceEntry)}
        if text and (any(isinstance(entry, str) for entry in entries) or not used <= names | {""}):
            bracketed = [_by_bracket(part) for part in re.split(r"(?<=\])\s*,\s*", text)]
            if all(entry is not None for entry in bracketed):
                self.note(1, "voice names hold commas or brackets: split after each [...]")
                entries = [entry for entry in bracketed if entry is not None]
        for entry in entries:
            if isinstance(entry, str):
                entry = _by_bracket(entry) or VoiceEntry(entry, None, False, 80)
            self._add_voice(entry, 1)

    def _add_voice(self, entry: VoiceEntry, line: int) -> str:
        name = entry.name
        if not is_legal_name(name) or name in {voice.name for voice in self.voices}:
            name = base = legal_name(name)
            number = 2
            while name in {voice.name for voice in self.voices}:
                name, number = f"{base} #{number}", number + 1
            self.note(line, f"the voice {entry.name!r} is called {name!r}")
        self.voices.append(entry._replace(name=name))
        self.known.setdefault(entry.name, name)
        self.spelled = sorted((n for n in self.known if ":" in n), key=len, reverse=True)
        self.known.setdefault(_fold(entry.name), name)
        return name

    def _mend_header(self) -> None:
        count = sum(_bar_count(bar[0][1]) for bar in self.bars)
        first = _BAR.match(self.bars[0][0][1]) if self.bars else None
        if first and int(first[1]) == 0:
            count -= 1
        for name, default in _DEFAULTS.items():
            value = self.fields.get(name)
            if value is None or value == "?":
                self.note(1, f"{name} is missing: {default}")
                self.fields[name] = default
        if self.fields.get("BARS") != str(count):
            said = self.fields.get("BARS")
            self.note(1, f"BARS is {'missing' if said is None else said}: {count} are written")
            self.fields["BARS"] = str(count)

    # bars and tokens

    def _counts_from_zero(self) -> int:
        """1 where some onset is 0 and no onset would then leave its bar."""
        zero = False
        for bar in self.bars:
            slots = self._slots(bar[0][1])
            for _, line in bar[1:]:
                for token in line.split():
                    found = _LOOSE.match(token)
                    if found:
                        onset = Fraction(found["onset"])
                        zero |= onset < 1
                        if slots is not None and onset >= slots:
                            return 0
        return int(zero)

    def _slots(self, line: str) -> Fraction | None:
        try:
            meter = Meter.parse(self.fields["METER"])
            return Fraction(meter.ticks, self._grid(line).slot)
        except (ScoreError, KeyError):
            return None

    def _grid(self, line: str) -> Grid:
        found = re.search(r"\(\s*grid\s*:\s*(\w+)\s*\)", line)
        return parse_grid(found[1] if found else self.fields.get("GRID", "16th"))

    def _mend_bar(self, bar: list[tuple[int, str]]) -> list[tuple[int, str]]:
        number, line = bar[0]
        finer = self._finer(bar)
        head = self._mend_bar_line(number, line, finer)
        lines = [(number, head)]
        seen: set[str] = set()
        for at, text in bar[1:]:
            mended = self._mend_voice_line(at, text, finer)
            name = mended.partition(":")[0]
            if mended and name in seen:
                self.note(at, f"a second line of {name} is joined to its first")
                index = next(i for i, (_, written) in enumerate(lines) if written.partition(":")[0] == name)
                lines[index] = (lines[index][0], lines[index][1] + mended[len(name) + 1 :])
            elif mended:
                seen.add(name)
                lines.append((at, mended))
        return lines

    def _finer(self, bar: list[tuple[int, str]]) -> int:
        """By how much a bar's grid must be divided so that slots between slots become slots."""
        parts = [1]
        for _, line in bar[1:]:
            for token in line.split():
                found = _LOOSE.match(token)
                if found and ("." in found["onset"] or "." in found["length"]):
                    for value in (found["onset"], found["length"]):
                        parts.append(Fraction(value).limit_denominator(12).denominator)
        return lcm(*parts)

    def _mend_bar_line(self, number: int, line: str, finer: int) -> str:
        if _COPY.match(line):
            return line
        found = _BAR.match(line)
        bar, rest = (found[1], found[2]) if found else ("1", "")
        chords = re.match(r"\s*\[([^\]]*)\]", rest)
        tail = rest[chords.end() :] if chords else rest
        labels = chords[1] if chords else ""
        if not chords:
            word = re.match(r"\s*([^\s()]+)", rest)
            if word and is_chord(word[1]):
                labels, tail = word[1], rest[word.end() :]
            self.note(number, f"the chord of bar {bar} is written [{labels or '-'}]")
        extras = re.findall(r"\([^()]*\)", tail)
        if finer > 1:
            grid = self._grid(line)
            division = grid.division * finer
            if WHOLE % division == 0:
                extras = [e for e in extras if not re.match(r"\(\s*grid", e)]
                extras.insert(0, f"(grid:{Grid.of(division)})")
                self.note(number, f"bar {bar} has notes between slots: its grid is {division}")
        text = f"@{bar} [{' | '.join(self._label(number, label) for label in labels.split('|'))}]"
        mended = " ".join([text, *extras])
        return mended if parse_bar_line(mended) else text

    def _label(self, number: int, label: str) -> str:
        label = label.strip().replace("♯", "#").replace("♭", "b")
        if is_chord(label):
            return label
        if label.upper() in ("", "N.C.", "NC", "N", "NONE", "REST"):
            best = "-"
        else:
            best = next((label[:end] for end in range(len(label) - 1, 0, -1) if is_chord(label[:end])), "-")
        self.note(number, f"the chord {label!r} is read as {best}")
        return best

    def _mend_voice_line(self, number: int, line: str, finer: int) -> str:
        name = next((n for n in self.spelled if line.startswith(n) and line[len(n) :].lstrip()[:1] == ":"), "")
        name = name or _voice_part(line)
        body = line[line.index(name) + len(name) :].lstrip(" *:|") if name in line else line
        declared = self.known.get(name)
        if declared is None:
            declared = self.known.get(_fold(name))
            if declared is None:
                declared = self._add_voice(VoiceEntry(name, None, "drum" in name.lower(), 80), number)
                self.note(number, f"the voice {name!r} was not declared and is added")
            elif declared != name:
                self.note(number, f"the voice {name} is {declared}")
        tokens = [mended for token in body.replace("|", " ").split() if (mended := self._token(number, token, finer))]
        return f"{declared}: {' '.join(tokens)}" if tokens else ""

    def _token(self, number: int, token: str, finer: int) -> str:
        if token == "-" or _REST.match(token):
            self.note(number, f"{token!r} is not a note and is left out")
            return ""
        found = _LOOSE.match(token)
        if not found:
            return token
        onset = (Fraction(found["onset"]) + self.shift - 1) * finer + 1
        length = Fraction(found["length"]) * finer
        onset, length = onset.limit_denominator(1000), length.limit_denominator(1000)
        if abs(onset - round(onset)) < Fraction(1, 50) and abs(length - round(length)) < Fraction(1, 50):
            onset, length = Fraction(round(onset)), Fraction(round(length))
        pitches = "+".join(
            name[0].upper() + name[1:].replace("♯", "#").replace("♭", "b") for name in found["pitches"].split("+")
        )
        mended = f"{pitches}@{_plain(onset)}>{_plain(length)}{found['velocity'] or ''}"
        if pitches != found["pitches"] or token[-1] in ",;." or "x" in token.lower():
            self.note(number, f"{token!r} is read as {mended}")
        return mended


def _plain(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def _clean(line: str) -> str:
    line = line.replace("\ufeff", "").replace("\u00a0", " ").replace("\t", " ")
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200d\u2028\u2029]", "", line)


def _fold(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _is_voice_line(line: str) -> bool:
    return bool(re.search(r":\s*(?:$|=\d|[-–—]\s*$|.*@\S*>)", line))


def _voice_part(line: str) -> str:
    """The name before the colon that the tokens follow."""
    first = re.search(r"\S+@[\d.]+>|=\d+|$", line)
    head = line[: first.start()] if first else line
    return head.rstrip().rstrip("-–—").rstrip().removesuffix(":").rstrip().strip("*| ").removesuffix(":").rstrip()


def _by_bracket(text: str) -> VoiceEntry | None:
    """A voice whose last bracket holds its attributes, whatever its name holds."""
    found = re.match(r"(.*?)\s*\[((?:prog=\d{1,3}|drums|vel=\d{1,3}|[,\s])*)\]\Z", text.strip(), re.DOTALL)
    if not found:
        return None
    read = split_voices(f"x[{found[2]}]")[0]
    return read._replace(name=found[1] or "Part") if isinstance(read, VoiceEntry) else None


def _entry_text(entry: VoiceEntry) -> str:
    words = ["drums"] if entry.drums else []
    words += [f"prog={entry.program}"] if entry.program is not None else []
    words += [f"vel={entry.velocity}"] if entry.velocity != 80 else []
    return f"{entry.name}[{', '.join(words)}]" if words else entry.name


def _bar_count(line: str) -> int:
    found = re.match(r"\s*@(\d+)-(\d+)", line)
    return max(1, int(found[2]) - int(found[1]) + 1) if found else 1
