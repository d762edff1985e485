"""Where lab scripts write: into a checkout of this repository, never into an installed package."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from libretto.errors import LibrettoError
from libretto.formats import read_bytes, write_bytes

__all__ = ["ROOT", "arguments_of", "compact_json", "keep_or_compare", "package_of", "run"]

#: The checkout that this file lies in.
ROOT = Path(__file__).resolve().parents[1]


def package_of(checkout: Path) -> Path:
    """The folder of the package's sources in a checkout; a LibrettoError where it is no checkout."""
    package = checkout / "src" / "libretto"
    if not (checkout / "pyproject.toml").is_file() or not (package / "__init__.py").is_file():
        raise LibrettoError(f"{checkout} is not a checkout of this repository; name one with --checkout FOLDER")
    return package


def arguments_of(about: str, music: str, *, check: bool = True) -> argparse.ArgumentParser:
    """The parser of a script that measures shipped data from music: the music, the checkout, and ``--check``."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("music", type=Path, help=music)
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the checkout to write into (default: this one)")
    if check:
        parser.add_argument("--check", action="store_true", help="write nothing, only say whether anything differs")
    return parser


def compact_json(data: Any) -> bytes:
    """Data as the bytes of one line of JSON, as shipped gauges are kept."""
    return (json.dumps(data, separators=(",", ":")) + "\n").encode()


def keep_or_compare(fresh: bytes, target: Path, check: bool) -> None:
    """Write what was measured; with ``check`` only say whether it is what is there, and leave where it is not."""
    if not check:
        write_bytes(fresh, target, force=True)
        print(f"wrote {target}")
    elif fresh != read_bytes(target):
        raise LibrettoError(f"{target.name} differs from what this music gives; measure anew without --check")
    else:
        print(f"{target.name} is what this music gives")


def run(main: Callable[[Sequence[str]], None], arguments: Sequence[str]) -> None:
    """Run a script; what is refused ends it with one line."""
    try:
        main(arguments)
    except LibrettoError as error:
        raise SystemExit(" ".join(str(error).split())) from None
