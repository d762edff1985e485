"""Files in and out: the only place in ``formats`` that touches a disk.

Inputs are bounded in size; outputs are written beside their target and moved into place, so a reader sees the old
file or the new one, and an existing file is replaced only when that was asked for. A link is followed: what it points
to is replaced, not the link. Devices and pipes are written to directly.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from libretto.errors import ContractError, FileExists, FormatError, GrammarError, ScoreError, TooLarge, UnknownFormat
from libretto.formats.edited import Edited, edited_bytes
from libretto.formats.format import Format, formats
from libretto.notation.grids import check_grid, on_grid
from libretto.score import Score

__all__ = [
    "check_target",
    "decode_anew",
    "format_of",
    "is_leftover",
    "named",
    "read",
    "read_bytes",
    "unread_in_files",
    "write",
    "write_bytes",
    "write_edited",
]

MAX_BYTES = 64_000_000
_PART = ".part"  # what a file is called, behind a dot, until it is whole


def format_of(path: str | os.PathLike[str]) -> Format:
    """The format that goes with a file's suffix."""
    suffix = Path(path).suffix.lower()
    for format in formats.values():
        if suffix in format.suffixes:
            return format
    known = " ".join(sorted(suffix for format in formats.values() for suffix in format.suffixes))
    raise UnknownFormat(f"no format goes with {Path(path).name!r}; the suffixes are {known}")


def _chosen(path: str | os.PathLike[str], name: str | None) -> Format:
    """The format of that name or, without one, by the suffix."""
    if name is not None and name not in formats:
        raise UnknownFormat(f"there is no format {name!r}; there are {', '.join(formats)}")
    return formats[name] if name is not None else format_of(path)


def _shown(path: str | os.PathLike[str]) -> str:
    """A path as one line."""
    text = str(path)
    return text if text.isprintable() else ascii(text)


def read(path: str | os.PathLike[str], *, format: str | None = None, grid: str = "exact", beats: bool = False) -> Score:
    """Read any file we know into a Score; ``format`` names one where the suffix does not.

    ``grid`` is how played music is written down: ``exact``, ``paper`` or ``score`` (``libretto.notation.grids``). With
    ``beats`` the beats, bars and tempo of a MIDI file are found anew from its notes.
    """
    check_grid(grid)
    data = read_bytes(path)
    chosen = _chosen(path, format)
    with named(path):
        return on_grid(decode_anew(chosen, data) if beats else chosen.decode(data), grid)


@contextmanager
def named(path: str | os.PathLike[str]) -> Iterator[None]:
    """Put a file's name before an error about it that does not say it."""
    try:
        yield
    except GrammarError as error:
        raise GrammarError(error.problems, error.where or _shown(path)) from None
    except (ContractError, FormatError, ScoreError) as error:
        text, name = str(error), _shown(path)
        raise type(error)(text if name in text else f"{name}: {text}") from None


def decode_anew(format: Format, data: bytes) -> Score:
    """The piece in the bytes of a MIDI file, with beats, bars and tempo found anew; other formats are refused."""
    if format.name != "midi":
        raise FormatError("beats are found in MIDI files")
    from libretto.formats.midi.beats import decode_free

    return decode_free(data, beats=True)[0]


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a file, or of standard input for ``-``; at most 64 MB."""
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read {_shown(path)}: {_why(error)}") from None
    if len(data) > MAX_BYTES:
        raise TooLarge(f"{_shown(path)} has more than {MAX_BYTES:,} bytes")
    return data


def write(score: Score, path: str | os.PathLike[str], *, format: str | None = None, force: bool = False) -> None:
    """Write a Score to a file, atomically; an existing file is kept unless ``force``."""
    write_bytes(_chosen(path, format).encode(score), path, force=force)


def write_edited(
    score: Score,
    source: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    force: bool = False,
) -> Edited:
    """Write a Score that was made from the file ``source``: into a copy of that file, wherever it can be spliced.

    Returns what was kept of the file and what was lost; ``format`` names one of ``path`` where the suffix does not.
    """
    made = edited_bytes(read_bytes(source), format_of(source), score, _chosen(path, format))
    write_bytes(made.data, path, force=force)
    return made


def unread_in_files(*paths: str | os.PathLike[str]) -> dict[str, int]:
    """What files hold that no Score of them does, the more of each kind; nothing where all have the same bytes.

    Names that are no files (versions of a workspace, say) hold what their Scores hold.
    """
    files = [(read_bytes(path), format_of(path)) for path in paths if Path(path).is_file()]
    unread: dict[str, int] = {}
    for data, format in files if len({data for data, _ in files}) > 1 else []:
        for name, count in (format.left_out(data, format.decode(data)) if format.left_out else {}).items():
            unread[name] = max(count, unread.get(name, 0))
    return unread


def write_bytes(data: bytes, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Put bytes into a file whole or not at all; ``-`` is standard output."""
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise FormatError(f"cannot write {_shown(path)}: it is a folder")
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _write_whole(data, target, force)
    except FileExistsError:
        raise FileExists(f"{_shown(path)} exists; use --force (force=True) to replace it") from None
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot write {_shown(path)}: {_why(error)}") from None


def check_target(path: str | os.PathLike[str], *, force: bool = False) -> None:
    """Refuse a file that could not be written, before the work that it is for."""
    try:
        target = Path(os.path.realpath(path))
        if str(path) == "-" or (target.exists() and not target.is_file() and not target.is_dir()):
            return
        if target.is_dir():
            raise FormatError(f"cannot write {_shown(path)}: it is a folder")
        if target.exists() and not force:
            raise FileExists(f"{_shown(path)} exists; use --force (force=True) to replace it")
        _check_folder(target.parent)
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot write {_shown(path)}: {_why(error)}") from None


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise OSError(None, f"there is no folder {_shown(folder)}; make it first")
    if not os.access(folder, os.W_OK):
        raise OSError(None, f"nothing may be written in {_shown(folder)}; name another folder")


def is_leftover(path: str | os.PathLike[str]) -> bool:
    """Whether a file was never whole: a process that was killed left it beside the one that it was to become."""
    name = Path(path).name
    return name.startswith(".") and name.endswith(_PART)


def _why(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _write_whole(data: bytes, target: Path, force: bool) -> None:
    """Write beside the target, then move into place; nothing is left behind where that fails."""
    import tempfile  # most commands only read

    if not force and target.exists():
        raise FileExistsError
    _check_folder(target.parent)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=_PART)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        if force:
            os.replace(temporary, target)
        else:
            _place(temporary, target)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _place(temporary: str, target: Path) -> None:
    """Move into place unless something is there: by a hard link, which cannot race, where the disk has them."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise
    except OSError:
        if target.exists():
            raise FileExistsError from None
        os.replace(temporary, target)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
