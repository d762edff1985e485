"""Reading a model piece: the directives of its file, and everything that is wrong with it at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from libretto.errors import LibrettoError
from libretto.formats.abc.read import decode
from libretto.house.core.patterns import DRUM_KEYS
from libretto.house.repertoire.piece import DRUMMING, ROLES, Piece, Scene
from libretto.score import Meter

__all__ = ["ENDINGS", "read_piece"]

#: How a model piece may end.
ENDINGS = ("cadence", "button", "tag", "fade", "turnaround", "held")
_DIRECTIVE = re.compile(r"^%%(styles|mood|ending|swing|swing16|plan|groove|beat)\s+(.*)$")
_VOICE = re.compile(r"^V:\s*([A-Za-z][A-Za-z0-9_]*)((?!.*nm=).*)$")
_TIMES = re.compile(r"^(.+)\*(\d{1,2})$")
_PATTERN = re.compile(r"^[xXoO.\-]+$")
_MOST_ENERGY = 10
_PLAN = 6  # fields of a section
_EVEN = 1 / 2


def read_piece(name: str, text: str) -> Piece:
    """The model piece in a text; LibrettoError with every problem that its directives have."""
    said = _directives(text)
    problems: list[str] = []
    score = decode(_plain(text).encode())
    scenes = _scenes(said.get("plan", []), problems)
    patterns = _patterns(said.get("groove", []), score.meter, problems)
    beats = _beats(said.get("beat", []), patterns, problems)
    named = {voice.name for voice in score.voices}
    problems += _contradictions(scenes, named, beats, score.bars)
    ending = " ".join(said.get("ending", [])).strip()
    if ending not in ENDINGS:
        problems.append(f"%%ending is {ending!r}; it may be {', '.join(ENDINGS)}")
    if problems:
        raise LibrettoError(f"the model piece {name}: " + "; ".join(problems))
    sixteenths = "swing16" in said
    swing = said.get("swing16") or said.get("swing") or ["0.5"]
    return Piece(
        name=name,
        styles=tuple(" ".join(said.get("styles", [])).split()),
        mood=tuple(re.split(r"[,\s]+", " ".join(said.get("mood", [])).strip().lower())),
        ending=ending,
        swing=_share(swing[-1]),
        swung_sixteenths=sixteenths,
        score=score,
        scenes=scenes,
        patterns=patterns,
        beats=beats,
    )


def _plain(text: str) -> str:
    """The music alone, with every voice named as its line calls it."""
    lines: list[str] = []
    seen: set[str] = set()
    for line in text.splitlines():
        voice = _VOICE.match(line)
        if voice and voice[1] not in seen:
            seen.add(voice[1])
            line = f'V:{voice[1]} nm="{voice[1]}"{voice[2]}'
        if not _DIRECTIVE.match(line):
            lines.append(line)
    return "\n".join(lines) + "\n"


def _directives(text: str) -> dict[str, list[str]]:
    """What each directive says, in order."""
    said: dict[str, list[str]] = {}
    for line in text.splitlines():
        match = _DIRECTIVE.match(line.strip())
        if match:
            said.setdefault(match[1], []).append(match[2].strip())
    return said


def _share(text: str) -> float:
    """Where the second half of a beat falls, written 0.667 or 2/3."""
    first, _, second = text.partition("/")
    try:
        value = float(first) / float(second) if second else float(first)
    except (ValueError, ZeroDivisionError):
        raise LibrettoError(f"{text!r} is no swing; write 1/2, 3/5 or 2/3") from None
    return min(0.75, max(_EVEN, value))


def _scenes(lines: Iterable[str], problems: list[str]) -> tuple[Scene, ...]:
    scenes: list[Scene] = []
    first = 0
    for line in lines:
        fields = [part.strip() for part in line.split("|")]
        if len(fields) != _PLAN or not fields[3].isdigit() or not re.fullmatch(r"\d+(\.\d+)?", fields[4]):
            problems.append(f"%%plan {line!r} is not: name | kind | letter | bars | energy 0 to 10 | Part=role ...")
            continue
        roles = dict(pair.split("=", 1) for pair in fields[5].split() if "=" in pair)
        problems += [f"%%plan {fields[0]}: no role {role!r}" for role in roles.values() if role not in ROLES]
        energy = min(1.0, float(fields[4]) / _MOST_ENERGY)
        scenes.append(Scene(fields[0], fields[1], fields[2], first, int(fields[3]), energy, roles))
        first += int(fields[3])
    return tuple(scenes)


def _patterns(lines: Iterable[str], meter: Meter, problems: list[str]) -> dict[str, dict[str, str]]:
    """Grooves by name; every pattern of one groove has one bar of even slots."""
    grooves: dict[str, dict[str, str]] = {}
    for line in lines:
        name, *pairs = line.split()
        groove: dict[str, str] = {}
        for pair in pairs:
            drum, _, pattern = pair.partition("=")
            if drum not in DRUM_KEYS or not _PATTERN.match(pattern):
                problems.append(f"%%groove {name}: {pair!r} is not drum=pattern")
            elif (meter.ticks * 2) % len(pattern):
                problems.append(f"%%groove {name}: {drum} has {len(pattern)} slots, which do not divide the bar")
            else:
                groove[drum] = pattern
        grooves[name] = groove
    return grooves


def _beats(lines: Iterable[str], grooves: Mapping[str, object], problems: list[str]) -> dict[str, tuple[str, ...]]:
    """The groove of every bar, by drummer."""
    beats: dict[str, list[str]] = {}
    for line in lines:
        part, *names = line.split()
        for name in names:
            times = _TIMES.match(name)
            plain, count = (times[1], int(times[2])) if times else (name, 1)
            if plain == "|":
                continue
            if plain != "-" and plain not in grooves:
                problems.append(f"%%beat {part}: no groove {plain!r}")
            beats.setdefault(part, []).extend(["" if plain == "-" else plain] * count)
    return {part: tuple(names) for part, names in beats.items()}


def _contradictions(
    scenes: tuple[Scene, ...], voices: set[str], beats: Mapping[str, tuple[str, ...]], bars: int
) -> list[str]:
    """Where plan, voices and beats do not agree."""
    problems = []
    planned = sum(scene.bars for scene in scenes)
    if planned != bars:
        problems.append(f"the plan has {planned} bars and the music {bars}")
    for part, names in beats.items():
        if len(names) != bars:
            problems.append(f"%%beat {part} has {len(names)} bars and the music {bars}")
    for scene in scenes:
        for part, role in scene.roles.items():
            known = beats if role in DRUMMING else voices
            if part not in known:
                problems.append(f"%%plan {scene.name}: there is no part {part!r} with {role}")
    return problems
