"""What a model reads and hears: pages from ``prompts``, and the messages of a trial with its audio.

A model meets a trial under an opaque name that is made from the seed: no file name, no number of the manifest. Its
clips are played without tags, pictures and comments, because titles give answers away.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from libretto.errors import FormatError, LibrettoError
from libretto.listen.kinds import Kind
from libretto.listen.replies import ONCE, RANGES, Fault, Form, final_line
from libretto.listen.solvers import Ruling
from libretto.models.client import Message
from libretto.tasks.prompt import fill

__all__ = [
    "CONDITIONS",
    "answer_messages",
    "bare_audio",
    "form_of",
    "opaque",
    "page",
    "prompts_digest",
    "repair_messages",
    "system_page",
    "turn",
]

#: How a model is asked: for an answer, for thoughts and an answer, for symbols.
CONDITIONS = ("cot", "logiclm", "standalone")
_MOST_ECHOED = 2_000  # characters of a reply that are shown again where it is to be mended
_OPAQUE_DIGITS = 8
_PURPOSE = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
_PAGE = ".md"
_FLAC, _RIFF, _WAVE = b"fLaC", b"RIFF", b"WAVE"
_BLOCK_HEAD = 4  # bytes: one that says which block of a FLAC file it is, and three for its size
_LAST_BLOCK, _BLOCK_KIND = 0x80, 0x7F  # the bits of that byte
_SMALLEST_FRAME = 4  # bytes of FLAC sound
_RIFF_HEAD, _CHUNK_HEAD = 12, 8  # bytes before the first chunk of a WAV file, and before what a chunk holds


def opaque(trial: str, seed: int) -> str:
    """The name under which a model meets a trial: it says nothing, not even which trial came before.

    >>> opaque("s0001", 0) != opaque("s0001", 1), len(opaque("s0001", 0))
    (True, 9)
    """
    return "t" + hashlib.sha256(f"libretto listen {seed}:{trial}".encode()).hexdigest()[:_OPAQUE_DIGITS]


def form_of(kind: Kind, name: str) -> Form:
    """The lines that are wanted for a trial of that opaque name: one a clip."""
    if kind.clips == 1:
        return Form(kind.functor, (name,))
    return Form(kind.functor, tuple(f"{name}_{number}" for number in range(1, kind.clips + 1)))


@cache
def page(name: str) -> str:
    """A page of ``prompts`` without its first line."""
    return _PURPOSE.sub("", files("libretto.listen").joinpath("prompts", f"{name}{_PAGE}").read_text(encoding="utf-8"))


@cache
def prompts_digest() -> str:
    """The sha256 of all pages: a run goes on only with the words with which it began."""
    pages = sorted(file.name for file in files("libretto.listen").joinpath("prompts").iterdir())
    text = "".join(name + page(name.removesuffix(_PAGE)) for name in pages if name.endswith(_PAGE))
    return hashlib.sha256(text.encode()).hexdigest()


def _parts(kind: Kind) -> dict[str, str]:
    """The sections of a task's page by name."""
    parts = re.findall(r"^## (\w+)\n\n(.*?)(?=^## |\Z)", page(kind.name), re.DOTALL | re.MULTILINE)
    return {name.lower(): text.strip() for name, text in parts}


def _reply_wanted(kind: Kind) -> str:
    """How an answer and nothing else is to be given: a bare sentence, or a letter behind its mark."""
    if kind.bare:
        return "\n\nor\n\n".join(final_line(kind, choice, "standalone") for choice in kind.choices)
    return f"Final Answer: X\n\nwhere X is one of: {' | '.join(map(kind.said, kind.choices))}"


def system_page(kind: Kind, condition: str, *, answer_turn: bool = False) -> str:
    """What a model is told of a kind of task before the first clip."""
    if condition not in CONDITIONS:
        raise LibrettoError(f"there is no condition {condition!r}; there are {', '.join(CONDITIONS)}")
    several = kind.clips > 1
    names = ("ID",) if not several else tuple(f"ID{number}" for number in range(1, kind.clips + 1))
    fields = _parts(kind) | {
        "choices": " | ".join(kind.said(choice) for choice in kind.choices),
        "count": "one line" if not several else f"{kind.clips} lines, one a clip",
        "lines": str(Form(kind.functor, names)),
        "identifiers": f"{' and '.join(names)} stand for the identifiers"
        if several
        else "ID stands for the identifier",
        "order": ", and keep the clips in their order" if several else "",
        "reply": _reply_wanted(kind),
        "after": "Then you are told what it says and give the answer" if answer_turn else "You are not asked for it",
    }
    return fill(page(condition), fields).strip()


def turn(kind: Kind, name: str, audio: Sequence[bytes]) -> Message:
    """The message that plays the clips of a trial."""
    form = form_of(kind, name)
    clips = ", ".join(f"clip {number}: {name}" for number, name in enumerate(form.identifiers, 1))
    return Message("user", f"Identifier of {clips}.", tuple(audio))


def answer_messages(kind: Kind, lines: str, ruling: Ruling) -> list[Message]:
    """What follows in the conversation: the lines as they were read, what the solver says of them, the question."""
    decided = f"{ruling.why}: {kind.said(ruling.answer)}" if ruling.answer else f"{ruling.why}: nothing can be decided"
    if kind.functor == "rhythm" and kind.clips == 1:
        decided = ruling.why  # a count is all that this one says; which class it is, is the question
    fields = _parts(kind) | {"ruling": decided, "reply": _reply_wanted(kind)}
    return [Message("assistant", lines), Message("user", fill(page("answer"), fields).strip())]


def repair_messages(kind: Kind, name: str, prior: str, fault: Fault) -> list[Message]:
    """The fix-only request: what was written, what is wrong with it, what is wanted. It plays no audio."""
    low, high = RANGES[kind.functor]
    shown = prior if len(prior) <= _MOST_ECHOED else prior[:_MOST_ECHOED] + " ..."
    fields = {
        "prior": shown,
        "error": str(fault),
        "lines": str(form_of(kind, name)),
        "low": str(low),
        "high": str(high),
        "rules": ", each at most once" if kind.functor in ONCE else "",
    }
    return [Message("user", fill(page("repair"), fields).strip())]


def bare_audio(data: bytes) -> bytes:
    """A FLAC or WAV file with its sound and what is needed to play it, and nothing else; other files are refused."""
    if data.startswith(_FLAC):
        return _bare_flac(data)
    if data.startswith(_RIFF) and data[:_RIFF_HEAD].endswith(_WAVE):
        return _bare_wav(data)
    raise FormatError("only FLAC and WAV clips can be played to a model")


def _bare_flac(data: bytes) -> bytes:
    """The first block, which says how to decode, marked as the last one; then the frames."""
    at, first, last = len(_FLAC), b"", False
    while not last:
        head = data[at : at + _BLOCK_HEAD]
        size = int.from_bytes(head[1:], "big")
        end = at + _BLOCK_HEAD + size
        if len(head) < _BLOCK_HEAD or end > len(data):
            raise FormatError("a FLAC clip ends within its head")
        if head[0] & _BLOCK_KIND == 0:
            first = bytes([_LAST_BLOCK]) + head[1:] + data[at + _BLOCK_HEAD : end]
        last = bool(head[0] & _LAST_BLOCK)
        at = end
    if not first or len(data) - at < _SMALLEST_FRAME:
        raise FormatError("a FLAC clip has no sound")
    return _FLAC + first + data[at:]


def _bare_wav(data: bytes) -> bytes:
    """The chunks ``fmt`` and ``data``."""
    at, kept = _RIFF_HEAD, b""
    while at + _CHUNK_HEAD <= len(data):
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + _CHUNK_HEAD], "little")
        body = data[at + _CHUNK_HEAD : at + _CHUNK_HEAD + size]
        if name in (b"fmt ", b"data"):
            kept += name + len(body).to_bytes(4, "little") + body + b"\0" * (len(body) % 2)
        at += _CHUNK_HEAD + size + size % 2
    if b"data" not in kept or b"fmt " not in kept:
        raise FormatError("a WAV clip has no sound")
    return _RIFF + (len(_WAVE + kept)).to_bytes(4, "little") + _WAVE + kept
