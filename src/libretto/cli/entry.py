"""The way in: nothing is imported before an interrupt can be answered with one line."""

from __future__ import annotations

import _thread
import sys
from contextlib import suppress
from typing import Any, NoReturn

__all__ = ["main"]

_INTERRUPTED = 130  # the usual status of a program that was interrupted


def main() -> None:
    """Run the command line; an interrupt, even while it starts, is one line."""
    sys.unraisablehook = _unheard
    try:
        from libretto.cli.starting import main as run

        run()
    except KeyboardInterrupt:
        _interrupted()
    except SystemExit as end:
        if end.code != _INTERRUPTED:
            raise
        _interrupted()  # typer ends without a word


def _unheard(what: Any) -> None:
    """An interrupt that came while Python tidied up, where it can only be noted, comes again a moment later."""
    if issubclass(what.exc_type, KeyboardInterrupt):
        _thread.interrupt_main()
    else:
        sys.__unraisablehook__(what)


def _interrupted() -> NoReturn:
    with suppress(OSError, ValueError, AttributeError):
        print("libretto: interrupted", file=sys.stderr, flush=True)
    sys.exit(_INTERRUPTED)
