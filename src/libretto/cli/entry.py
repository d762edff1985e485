"""The way in: nothing is imported before an interrupt can be answered with one line."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import NoReturn

__all__ = ["main"]

_INTERRUPTED = 130  # the usual status of a program that was interrupted


def main() -> None:
    """Run the command line; an interrupt, even while it starts, is one line."""
    try:
        from libretto.cli.starting import main as run

        run()
    except KeyboardInterrupt:
        _interrupted()
    except SystemExit as end:
        if end.code != _INTERRUPTED:
            raise
        _interrupted()  # typer ends without a word


def _interrupted() -> NoReturn:
    with suppress(OSError, ValueError, AttributeError):
        print("libretto: interrupted", file=sys.stderr, flush=True)
    sys.exit(_INTERRUPTED)
