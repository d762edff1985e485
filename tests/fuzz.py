"""Hostile files, and a harness that reads each in a child process with bounds on time and memory.

A file must be read into a Score or refused with a LibrettoError of one line, within two seconds of processor time and
500 MB. Children are forked, since a crash or a hang inside a C++ parser must not take the tests with it.

``hostile`` are files made by hand to hurt, ``mutations`` are good files with something broken, ``garbage`` is text that
is not music. ``make fuzz`` goes on for much longer, and over much more than files: ``fuzzing/corpora.py``.
"""

from __future__ import annotations

import io
import json
import os
import random
import resource
import signal
import struct
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from libretto.errors import LibrettoError
from libretto.formats import formats
from libretto.score import QUARTER, Meter, Note, Score, Voice
from libretto.score.marks import BEND, control_rows

__all__ = ["Case", "Outcome", "garbage", "hostile", "mutations", "try_all"]

SECONDS, MEGABYTES = 2.0, 500
_ADDRESS_SPACE = 1_500 << 20
_HANG_SECONDS = 30  # of processor time


class Case(NamedTuple):
    """Bytes to be read as a format, and what is wrong with them."""

    name: str
    format: str
    data: bytes


class Outcome(NamedTuple):
    """What became of a case: ``read``, ``refused``, or something that must not happen."""

    name: str
    kind: str
    text: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0

    @property
    def fault(self) -> str:
        """Why this must not happen; empty where all is well."""
        if self.kind not in ("read", "refused"):
            return f"{self.name}: {self.kind} {self.text}"
        if "\n" in self.text or (self.kind == "refused" and not self.text):
            return f"{self.name}: not one line: {self.text!r}"
        if self.seconds > SECONDS or self.megabytes > MEGABYTES:
            return f"{self.name}: {self.seconds:.2f} s, {self.megabytes:.0f} MB"
        return ""


def try_all(cases: Iterable[Case]) -> list[Outcome]:
    """Read every case, in a child process; a child that dies is replaced, and the case it died of is a fault."""
    left = list(cases)
    outcomes: list[Outcome] = []
    while left:
        found, status = _in_child(left)
        outcomes += found
        if len(found) < len(left):
            how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit {status}"
            outcomes.append(Outcome(left[len(found)].name, "crashed", how))
            left = left[len(found) + 1 :]
        else:
            left = []
    return outcomes


def _in_child(cases: list[Case]) -> tuple[list[Outcome], int]:
    """The outcomes that a forked child reported before it ended, and how it ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            with open(writer, "w", encoding="utf-8") as report:
                _bounded()
                floor = _peak_megabytes()
                for case in cases:
                    print(json.dumps(_attempt(case, floor)), file=report, flush=True)
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader, encoding="utf-8") as report:
        outcomes = [Outcome(*json.loads(line)) for line in report if line.endswith("\n")]
    return outcomes, os.waitpid(child, 0)[1]


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # a hang in C++ never comes back to a Python handler


def _attempt(case: Case, floor: float) -> Outcome:
    """Read one case. Memory is the child's new peak above where it began; 0 where an earlier case went higher."""
    signal.setitimer(signal.ITIMER_PROF, _HANG_SECONDS)
    before, started = _peak_megabytes(), time.process_time()
    try:
        score = formats[case.format].decode(case.data)
        kind, text = "read", f"{len(score.table)} notes"
    except LibrettoError as error:
        kind, text = "refused", str(error)
    except BaseException as error:
        kind, text = "raised", f"{type(error).__name__}: {error}"[:300]
    seconds = time.process_time() - started
    signal.setitimer(signal.ITIMER_PROF, 0)
    peak = _peak_megabytes()
    return Outcome(case.name, kind, text, seconds, peak - floor if peak > before else 0.0)


def _peak_megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


# Files made by hand.


def _number(value: int) -> bytes:
    parts = [value & 0x7F]
    while value := value >> 7:
        parts.append(value & 0x7F | 0x80)
    return bytes(reversed(parts))


def header(tracks: int = 1, division: int = 480, kind: int = 1) -> bytes:
    return b"MThd" + struct.pack(">IHHH", 6, kind, tracks, division)


def track(events: bytes, end: bytes = b"\x00\xff\x2f\x00") -> bytes:
    return b"MTrk" + struct.pack(">I", len(events + end)) + events + end


def meta(kind: int, body: bytes, delta: int = 0) -> bytes:
    return _number(delta) + bytes((0xFF, kind)) + _number(len(body)) + body


NOTE = b"\x00\x90\x40\x40\x10\x40\x00"  # on, and off by running status


def hostile() -> Iterator[Case]:
    """Files that are huge, absurd or broken in one particular way."""
    for name, data in _hostile_midi():
        yield Case(name, "midi", data)
    for name, data in _hostile_xml():
        yield Case(name, "musicxml", data)
    for name, data in _hostile_archives():
        yield Case(name, "mxl", data)


def _hostile_midi() -> Iterator[tuple[str, bytes]]:
    yield from _many_notes()
    yield from _many_things()
    yield from _absurd_clocks()
    yield from _absurd_metas()
    yield from _broken_chunks()
    yield from _mended_slowly()


def _many_notes() -> Iterator[tuple[str, bytes]]:
    million = 1_000_000
    yield "a million notes", header() + track(b"\x00\x90\x40\x40" + b"\x05\x40\x00\x05\x40\x40" * million)
    yield (
        "a million unisons",
        header() + track(b"\x00\x90\x40\x40" + b"\x00\x40\x40" * million + b"\x01\x40\x00" * million),
    )
    yield "a million notes that never stop", header() + track(b"\x00\x90\x40\x40" + b"\x01\x40\x40" * million)
    nested = b"\x00\x90\x40\x40" + b"\x01\x40\x40" * 299_000 + b"\x01\x40\x00" * 299_000
    yield "299,000 notes at once", header() + track(nested)
    same = b"\x00\x90\x40\x40" + b"\x00\x40\x40" * 99_000 + b"\x01\x40\x00" * 99_000
    yield "99,000 lengths of one start", header(division=32_767) + track(same)
    yield (
        "notes of one tick",
        header(division=32_767) + track(b"\x00\x90\x40\x40" + b"\x01\x40\x00\x00\x40\x40" * 250_000),
    )
    yield "notes of no ticks", header() + track(b"\x00\x90\x40\x40" + b"\x00\x40\x00\x00\x40\x40" * 250_000)
    spread = b"".join(bytes((1 + i % 3, 0x90, 20 + i % 90, 64, 2, 0x80, 20 + i % 90, 0)) for i in range(290_000))
    yield "290,000 notes played freely", header(division=997) + track(spread)


def _many_things() -> Iterator[tuple[str, bytes]]:
    every = b"".join(
        bytes((0, 0xC0 | channel, program, 0, 0x90 | channel, 60, 64, 16, 0x80 | channel, 60, 0))
        for channel in range(16)
        for program in range(128)
    )
    yield "2,048 parts in a track", header() + track(every)
    yield "65,535 tracks", header(65_535) + track(NOTE) * 65_535
    yield "3,999 tracks of 2,048 parts", header(3_999) + track(every[:4_000]) * 3_999
    yield "999 tracks of one name", header(999) + track(meta(3, b"A") + NOTE) * 999
    yield "a name of 15 MB", header() + track(meta(3, b"A" * 15_000_000) + NOTE)
    yield "900 names of 15 kB", header(900) + track(meta(3, b"\xf0" * 15_000) + NOTE) * 900
    yield "a marker of 15 MB", header() + track(meta(6, b"(" * 15_000_000) + NOTE)
    yield "49,000 markers", header() + track(meta(6, b"A", 1) * 49_000 + NOTE)
    yield "a million markers", header() + track(meta(6, b"A", 1) * 1_000_000 + NOTE)
    yield (
        "49,000 tempos",
        header() + track(b"".join(meta(0x51, bytes((7, i % 256, 1)), 1) for i in range(49_000)) + NOTE),
    )
    yield "49,000 keys", header() + track(b"".join(meta(0x59, bytes((i % 7, 0)), 1) for i in range(49_000)) + NOTE)
    meters = b"".join(meta(0x58, bytes((i % 200 + 1, 2, 24, 8)), 1) for i in range(19_000))
    yield "19,000 meters", header() + track(meters + NOTE)
    yield "a million meters", header() + track(meta(0x58, b"\x04\x02\x18\x08", 1) * 1_000_000 + NOTE)
    yield "4 million empty lyrics", header() + track(meta(5, b"") * 3_900_000)
    yield "5 million controllers", header() + track(b"\x00\xb0\x07\x40" + b"\x00\x07\x41" * 5_000_000)
    yield "a system message of 15 MB", header() + track(b"\x00\xf0" + _number(15_000_000) + b"A" * 15_000_000)


def _absurd_clocks() -> Iterator[tuple[str, bytes]]:
    for division in (0, 1, 2, 3, 7, 24, 32_767, 0x8000, 0xE728, 0xE250, 0xFFFF):
        yield f"division {division}", header(division=division) + track(NOTE)
    for count in (1, 7, 8, 9, 16):
        yield f"{count} huge delays", header() + track((b"\xff\xff\xff\x7f" + NOTE[1:]) * count)
    yield "a huge delay of quarters", header(division=1) + track(b"\xff\xff\xff\x7f" + NOTE[1:])
    yield "a huge length of quarters", header(division=1) + track(b"\x00\x90\x40\x40\xff\xff\xff\x7f\x40\x00")
    yield "a huge length", header(division=32_767) + track(b"\x00\x90\x40\x40\xff\xff\xff\x7f\x40\x00")
    yield "time that wraps around", header() + track(b"\xff\xff\xff\x7f\xb0\x01\x01" * 9 + NOTE)
    yield "a delay of 20 bytes", header() + track(b"\xff" * 19 + b"\x7f" + NOTE[1:])
    yield "a delay of 700 kB", header() + track(b"\xff" * 700_000)


def _absurd_metas() -> Iterator[tuple[str, bytes]]:
    for kind, bodies in (
        (0x51, (b"", b"\x00", b"\x00\x00\x00", b"\xff\xff\xff", b"\x07\xa1\x20\x00\x00")),
        (0x58, (b"", b"\x04", b"\x00\x02\x18\x08", b"\xff\xff\x00\x00", b"\x01\x06\x18\x08", b"\x04\x07\x18\x08")),
        (0x59, (b"", b"\x64\x09", b"\x80\x00", b"\x07\xff")),
        (0x2F, (b"", b"\x00" * 9)),
        (0x21, (b"", b"\xff", b"\x00" * 200)),
        (0x03, (b"", b"\xff\xfe\x00", b"\x00" * 500, b"a\nb\r\n[,]", b"\xed\xa0\x80")),
    ):
        for body in bodies:
            yield f"meta {kind:02x} {body[:6].hex()}", header() + track(meta(kind, body) + NOTE)
            yield f"meta {kind:02x} {body[:6].hex()} at the end", header() + track(NOTE + meta(kind, body), end=b"")
    yield "a bar of a 64th, far away", header() + track(meta(0x58, b"\x01\x06\x18\x08") + b"\xff\xff\x7f" + NOTE[1:])
    yield "a meter long after", header() + track(NOTE + meta(0x58, b"\x03\x02\x18\x08", 0x0FFFFFFF))
    yield "a length beyond the file", header() + track(b"\x00\xff\x03\xff\xff\xff\x7fab")


def _broken_chunks() -> Iterator[tuple[str, bytes]]:
    yield "nothing", b""
    yield "zeros", bytes(1_000_000)
    yield "a name only", b"MThd"
    yield "a header only", header()
    yield "a header of 4", b"MThd" + struct.pack(">IHH", 4, 1, 1) + track(NOTE)
    yield "a header of 100", b"MThd" + struct.pack(">IHHH", 100, 1, 1, 480) + bytes(94) + track(NOTE)
    yield "a header of 4 GB", b"MThd\xff\xff\xff\xff" + header()[8:] + track(NOTE)
    yield "a track of 4 GB", header() + b"MTrk\xff\xff\xff\xff" + NOTE
    yield "a track of 0", header() + b"MTrk\x00\x00\x00\x00" + NOTE
    yield "tracks of 0", header(1) + b"MTrk\x00\x00\x00\x00" * 1_000_000
    yield "strange chunks", header() + b"XXXX\x00\x00\x00\x00" * 500_000 + track(NOTE)
    yield "fewer tracks than said", header(65_535) + track(NOTE)
    yield "format 9", header(2, kind=9) + track(NOTE) * 2
    yield "RIFF", b"RIFF\x40\x00\x00\x00RMIDdata\x30\x00\x00\x00" + header() + track(NOTE)
    yield "title upon title", header() + b"MTrk\x00\x00\x00\x00" + b"\x00\xff\x01" * 160
    yield "headers", b"MThd" * 100_000


def _mended_slowly() -> Iterator[tuple[str, bytes]]:
    bad = b"\x00\x90\x40\xff"  # a velocity over 127, which symusic refuses
    yield "mended notes", header() + track(NOTE * 110_000 + bad)
    yield "mended metas", header() + track(meta(1, b"") * 195_000 + bad)
    yield "mended controllers", header() + track(b"\x00\xb0\x40\x40" + b"\x00\x40\x40" * 260_000 + bad)
    yield "mended tracks", header(3_999) + track(b"") * 3_998 + track(bad)


def _hostile_xml() -> Iterator[tuple[str, bytes]]:
    bomb = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))
    start = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">'
    yield "entity bomb", f"{start}{bomb}]><score-partwise>&e11;</score-partwise>".encode()
    yield (
        "outside entity",
        f'{start}<!ENTITY f SYSTEM "file:///dev/zero">]><score-partwise>&f;</score-partwise>'.encode(),
    )
    yield "deep", b"<score-partwise>" + b"<a>" * 400_000
    yield "deep and closed", b"<score-partwise>" + b"<a>" * 200_000 + b"</a>" * 200_000 + b"</score-partwise>"
    yield "wide", b"<score-partwise>" + b"<part/>" * 600_000 + b"</score-partwise>"
    yield "attributes", b"<score-partwise " + b" ".join(b'a%d="x"' % i for i in range(100_000)) + b"/>"
    yield "not XML", b"<" * 1_000_000
    yield "wrong encoding", b'<?xml version="1.0" encoding="utf-99"?><score-partwise/>'


def _hostile_archives() -> Iterator[tuple[str, bytes]]:
    container = b'<container><rootfiles><rootfile full-path="score.xml"/></rootfiles></container>'
    for name, files in (
        ("zip bomb", {"META-INF/container.xml": container, "score.xml": bytes(250_000_000)}),
        ("zip bomb of a container", {"META-INF/container.xml": bytes(250_000_000)}),
        ("zip of many", {f"{i}.xml": b"" for i in range(60_000)}),
        (
            "zip outside",
            {"META-INF/container.xml": container.replace(b"score", b"../../score"), "../../score.xml": b""},
        ),
        ("empty zip", {}),
    ):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for path, body in files.items():
                archive.writestr(path, body)
        yield name, buffer.getvalue()
    yield "a zip's beginning", b"PK\x03\x04" + bytes(2_000)


# Good files broken by chance.


def good_score(chance: random.Random) -> Score:
    """A piece of a few bars with all that a file may hold."""
    voices = [
        Voice.of(
            name,
            {
                (start := chance.randrange(48) * QUARTER // 4, pitch := chance.randrange(30, 90)): Note(
                    start,
                    chance.randrange(1, 9) * QUARTER // 4,
                    pitch,
                    chance.randrange(1, 128),
                    (pitch * 7 + 3) % 12 - 3,
                )
                for _ in range(30)
            }.values(),
            program=index,
            drums=name == "KIT",
        )
        for index, name in enumerate(("LEAD", "BASS", "KIT"))
    ]
    voices = [replace(voice, controls=control_rows(_faders(chance))) for voice in voices]
    meters = [(0, Meter(4, 4)), (8 * QUARTER, Meter(3, 4))]
    return Score.build(voices, meters=meters, tempos=[(0, 500_000), (QUARTER, 400_000)], sections=[(0, "A")], title="T")


def _faders(chance: random.Random) -> list[tuple[int, int, int]]:
    """Controllers that move by small steps."""
    rows = []
    for kind in chance.sample((7, 11, 64, BEND), chance.randrange(3)):
        start, step = chance.randrange(48) * QUARTER // 4, chance.choice((105, QUARTER // 8, QUARTER))
        rows += [(start + place * step, kind, chance.randrange(128)) for place in range(chance.randrange(1, 12))]
    return rows


def mutations(data: bytes, format: str, chance: random.Random, count: int, name: str = "mutant") -> Iterator[Case]:
    """The same file, cut off, flipped, shortened, lengthened, overwritten or shuffled somewhere."""
    for index in range(count):
        yield Case(f"{name} {index}", format, _mutated(bytearray(data), chance))


def _mutated(data: bytearray, chance: random.Random) -> bytes:
    way = chance.randrange(7)
    if way == 0:
        return bytes(data[: chance.randrange(len(data) + 1)])
    for _ in range(chance.choice((1, 1, 2, 8, 40))):
        size = len(data)
        if not size:
            break
        at = chance.randrange(size if chance.random() < 0.7 else min(size, 60))
        some = chance.randrange(1, 9)
        if way in (1, 2):
            data[at] ^= 1 << chance.randrange(8)
        elif way == 3:
            del data[at : at + some]
        elif way == 4:
            data[at:at] = chance.randbytes(some)
        elif way == 5:
            data[at] = chance.choice((0, 255, 127, 128, 0xF0, 0xF7, 0x2F, 0xF8, 10, 60))
        else:
            other = chance.randrange(size)
            data[at:at] = data[other : other + some * 20]
    return bytes(data)


_TOKENS = (
    *("@1", "@0", "@99999", "@1-8 = @9-16", "[C]", "[Am | F]", "[-]", "[", "]", "|", "=9", "=9+5d", "(grid:12t)"),
    *("(grid:0)", "(meter:99/1)", "(tempo:1e9)", "(section:((", "C4@1>1", "C4+E4@1>99999999999", "C99@1>1", "^999"),
    *(
        "notes=1+2",
        "controls=1",
        "cc7@1=100,5=90,80",
        "bend:768@1=-96,5=160,9",
        "cc11:97@0=1,1",
        "cc7@1=1,999999999=1,1",
    ),
    *("KEY: C major", "METER: 4/4", "TEMPO: 0", "GRID: 16th", "BARS: 999999999", "VOICES: A, B[prog=5], C[drums]"),
    *(
        "  A:",
        "  B: =1",
        "X:1",
        "K:G",
        "M:6/8",
        "L:1/8",
        "abc|",
        "(3abc",
        "z4",
        "[CEG]",
        "{ab}",
        "|:",
        ":|",
        "V:2",
        "^^c,,",
    ),
    *(
        '"Am"',
        "\n",
        "\n",
        "\n",
        " ",
        "\t",
        "%",
        "\u2028",
        "\x00",
        "é",
        "w: la",
        "9" * 400,
        "(" * 300,
        "-",
        "~",
        "C" * 500,
    ),
)


def garbage(format: str, chance: random.Random, count: int) -> Iterator[Case]:
    """Text made of the pieces of our grammar and of ABC, in no order."""
    for index in range(count):
        pieces = chance.choices(_TOKENS, k=chance.choice((1, 5, 40, 400)))
        yield Case(f"garbage {format} {index}", format, chance.choice(("", " ")).join(pieces).encode())


def _written(chance: random.Random) -> Iterator[tuple[str, str, bytes]]:
    """A good piece in every format that there is."""
    score = good_score(chance)
    for name in formats:
        yield f"written {name}", name, formats[name].encode(score)


def _found(folder: Path) -> Iterator[tuple[str, str, bytes]]:
    """Good files of a folder, in a fixed order."""
    suffixes = {suffix: format.name for format in formats.values() for suffix in format.suffixes}
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in suffixes and path.is_file() and path.stat().st_size < 200_000:
            yield path.name, suffixes[path.suffix.lower()], path.read_bytes()


def batches(seed: int, folder: Path | None = None, each: int = 40) -> Iterator[list[Case]]:
    """Mutants without end: of pieces that we write and, if there is a folder, of its files."""
    chance = random.Random(seed)
    files = list(_found(folder)) if folder and folder.is_dir() else []
    while True:
        sources = [*_written(chance), *chance.sample(files, min(4, len(files)))]
        yield [case for name, format, data in sources for case in mutations(data, format, chance, each, name)]
        yield [case for format in ("text", "abc") if format in formats for case in garbage(format, chance, each)]
