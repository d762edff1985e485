"""Takes: candidates for the next version of a piece, kept until somebody keeps one as a version or drops it.

A take is one file, ``.libretto/studio/takes/ID.json``, and its text lies with the other texts by its digest. It knows
the version that it was made from: where the piece went on meanwhile, keeping it is refused as any stale write.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from libretto.errors import LibrettoError
from libretto.formats import read_bytes, write_bytes
from libretto.grammar import notate, parse
from libretto.score import Score
from libretto.workspace.disk import keep_text, text_of
from libretto.workspace.versions import Version, check_name
from libretto.workspace.workspace import Workspace

__all__ = ["MOST_TAKES", "Take", "add_take", "drop_take", "find_take", "keep_take", "take_score", "take_text"]

#: Takes that are kept; the oldest go first.
MOST_TAKES = 200
_ID = re.compile(r"[0-9a-f]{16}\Z")
_ID_BYTES = 8


@dataclass(frozen=True)
class Take:
    """A candidate: which piece and version it was made from, what kind of change it is, who made it, its proof.

    ``proof`` says what stayed; ``bars`` and ``voices`` what was to change. ``about`` is kept beside the version.
    """

    id: str
    piece: str
    base: int
    kind: str
    what: str
    by: str
    digest: str
    proof: str = ""
    bars: tuple[int, int] | None = None
    voices: tuple[str, ...] = ()
    passed: bool = True
    findings: tuple[str, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The take as plain data."""
        return asdict(self)


def add_take(
    workspace: Workspace,
    score: Score,
    *,
    piece: str,
    base: int,
    kind: str,
    what: str,
    by: str,
    proof: str = "",
    bars: tuple[int, int] | None = None,
    voices: tuple[str, ...] = (),
    passed: bool = True,
    findings: tuple[str, ...] = (),
    about: Mapping[str, str] | None = None,
) -> Take:
    """Keep a candidate for the version after ``base``."""
    digest = keep_text(workspace.folder, notate(score))
    known = workspace.version(check_name(piece), base)
    number = secrets.token_hex(_ID_BYTES)
    take = Take(number, piece, known.number, kind, what, by, digest, proof, bars, voices, passed, findings, about or {})
    folder = _folder(workspace)
    folder.mkdir(parents=True, exist_ok=True)
    write_bytes(json.dumps(take.to_dict(), ensure_ascii=True).encode(), folder / f"{number}.json", force=True)
    _forget(folder)
    return take


def find_take(workspace: Workspace, number: str) -> Take:
    """A take by its number."""
    path = _path(workspace, number)
    if not path.is_file():
        raise LibrettoError("there is no such take; it was dropped, or is too long ago")
    try:
        data = json.loads(read_bytes(path))
        data["bars"] = tuple(map(int, data["bars"])) if data.get("bars") else None
        data["voices"], data["findings"] = tuple(map(str, data["voices"])), tuple(map(str, data["findings"]))
        data["about"] = {str(name): str(value) for name, value in data["about"].items()}
        take = Take(**data)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise LibrettoError("this take is damaged; make it anew") from None
    if take.id != number:
        raise LibrettoError("this take is damaged; make it anew")
    return take


def take_text(workspace: Workspace, take: Take) -> str:
    """The canonical text of a take."""
    return text_of(workspace.folder, take.digest)


def take_score(workspace: Workspace, take: Take) -> Score:
    """The music of a take."""
    return parse(take_text(workspace, take))


def keep_take(
    workspace: Workspace, number: str, *, author: str, time: str, base: int | None = None
) -> tuple[Take, Version]:
    """Make a take the next version of its piece; refused where the piece went on since it was made.

    ``base`` is the version that the writer knew: the take's own where it is left out.
    """
    take = find_take(workspace, number)
    known = take.base if base is None else base
    about = {**take.about, **({"kept": take.proof} if take.proof else {})}
    if known != take.base and workspace.version(take.piece).digest != workspace.version(take.piece, take.base).digest:
        known = take.base  # made from other music than there is now: stale, whatever the writer knew
    version = workspace.save(
        take.piece,
        take_score(workspace, take),
        author=take.by if author == take.by else f"{author}, {take.by}",
        time=time,
        message=take.what,
        base=known,
        about=about or None,
    )
    return take, version


def drop_take(workspace: Workspace, number: str) -> None:
    """Forget a take; nothing happens where there is none."""
    _path(workspace, number).unlink(missing_ok=True)


def _folder(workspace: Workspace) -> Path:
    return workspace.folder / "studio" / "takes"


def _path(workspace: Workspace, number: str) -> Path:
    if not _ID.match(number):
        raise LibrettoError("this is not the number of a take")
    return _folder(workspace) / f"{number}.json"


def _forget(folder: Path) -> None:
    files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
    for path in files[:-MOST_TAKES]:
        path.unlink(missing_ok=True)
