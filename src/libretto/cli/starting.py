"""How a command starts, quickly; and how errors reach a person: one clear line, never a traceback.

Of a command that is listed here only its own file is imported, and only what that command takes is worked out. Help,
and every command that is not listed, goes through the whole app, which knows them all.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from functools import partial
from importlib import import_module
from typing import Any, NoReturn, TypeGuard

import typer

from libretto.cli.options import bare_app
from libretto.errors import LibrettoError

__all__ = ["COMMANDS", "app_for", "main"]

_REFUSED = 2
_SELDOM = (10_000, 20, 100)  # things made before circles are looked for: a command keeps most of them to its end
_PIPE_CLOSED = 141  # the usual status of a program whose reader has gone

#: The commands that stand by themselves, by the file in which they are.
COMMANDS = {
    "comparing": "diff",
    "compose": "compose contract receipt",
    "correcting": "correct",
    "editing": "edit",
    "files": "check convert show",
    "harmony": "harmony",
    "knowledge": "concept concepts detect",
    "measuring": "audit axes measure original",
    "render": "play render report",
    "revise": "revise taste",
    "rewarding": "reward",
    "spotting": "spot",
    "studio": "studio",
    "tasks": "morph submit task",
    "teaching": "drill grade lesson",
    "training": "train",
    "workspace": "blame log mcp open pieces save undo",
    "writing": "accompany extend fill transpose",
    "writing_down": "transcribe",
}
_FILES = {command: file for file, commands in COMMANDS.items() for command in commands.split()}


def app_for(words: Sequence[str]) -> typer.Typer:
    """What runs a command line: the app with the one command that the first word names, or the whole app."""
    if not words or words[0] not in _FILES:
        from libretto.cli.app import app

        return _listed(app) if list(words) in ([], ["--help"]) else app
    small = bare_app()
    import_module(f"libretto.cli.{_FILES[words[0]]}").add_to(small)
    small.registered_commands = [command for command in small.registered_commands if _name(command) == words[0]]
    small.callback()(_nothing)  # so that the command is still named
    return small


def _listed(app: typer.Typer) -> typer.Typer:
    """The app as its help lists it: what commands take is not worked out, since nobody is told."""
    small = bare_app()
    small.registered_commands = [_bare(command) for command in app.registered_commands]
    for group in app.registered_groups:
        family = copy(group.typer_instance)
        if family is not None:
            family.registered_commands = [_bare(command) for command in family.registered_commands[:1]]
            family.registered_groups = []
            small.add_typer(family, rich_help_panel=group.rich_help_panel)
    small.registered_callback = app.registered_callback
    return small


def _bare(command: Any) -> Any:
    """A command without anything that it takes."""

    def nothing() -> None:
        return None

    nothing.__name__, nothing.__doc__ = command.callback.__name__, command.callback.__doc__
    bare = copy(command)
    bare.callback = nothing
    return bare


def _name(command: Any) -> str:
    return str(command.name or command.callback.__name__)


def _nothing() -> None:
    """Nothing to do before a command."""


class _Plainly:
    """What typer asks to turn a word into a value: text, and values that are such already, need no schema.

    Typer asks pydantic for every value, which takes longer to import than many a command to run. Numbers that are
    typed, and whatever else has to be understood, still go there, so that errors read the same.
    """

    def __init__(self, descriptor: Any, otherwise: Callable[[Any], Any]) -> None:
        self._descriptor, self._otherwise = descriptor, otherwise

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of a parameter; a usage error where it is none."""
        kind = self._descriptor.annotation
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if many and kind == list[str] and isinstance(value, tuple | list) and all(map(_is_text, value)):
            return list(value)
        if not many and ((kind is str and _is_text(value)) or (kind in (bool, int, float) and type(value) is kind)):
            return value
        return self._otherwise(self._descriptor).coerce(value, param=param, ctx=ctx)


def _spare_schemas() -> None:
    """Let plain values be, where this version of typer makes a schema of each."""
    core: Any = import_module("typer.core")
    made = getattr(core, "build_runtime_param", None)
    if made is not None and not isinstance(made, partial):
        core.build_runtime_param = partial(_Plainly, otherwise=made)


def _is_text(value: Any) -> bool:
    """Whether a value is text that can be written down; a name of a file may be none."""
    return isinstance(value, str) and (value.isprintable() or value.isascii())


def main() -> None:
    """Run the command line; errors that we raise on purpose, and those of the disk, become one line and exit code 2."""
    try:
        _tidy_seldom()
        _mend_streams()
        _spare_schemas()
        app_for(sys.argv[1:])()
    except LibrettoError as error:
        _end(str(error), _REFUSED)
    except BrokenPipeError:
        _hush()
        sys.exit(_PIPE_CLOSED)
    except RecursionError:
        _end("the input is nested too deeply", _REFUSED)
    except MemoryError:
        _end("there is not enough memory for this input", _REFUSED)
    except UnicodeError as error:
        _end(f"a text cannot be written or read in its encoding ({error.reason if _coded(error) else error})", _REFUSED)
    except OSError as error:
        where = f"{str(error.filename)!a}: " if error.filename is not None else ""
        _end(f"{where}{error.strerror or error}; name another file or folder, or make room", _REFUSED)


def _tidy_seldom() -> None:
    """Look for circles of things that nobody uses less often, and not once more at the end, when all goes anyway."""
    gc.set_threshold(*_SELDOM)
    atexit.register(gc.freeze)


def _coded(error: UnicodeError) -> TypeGuard[UnicodeEncodeError | UnicodeDecodeError]:
    return isinstance(error, UnicodeEncodeError | UnicodeDecodeError)


def _end(text: str, status: int) -> NoReturn:
    """Say one line and stop; where nobody listens, only stop."""
    with suppress(OSError, ValueError, AttributeError):
        print(f"libretto: {' '.join(text.split())}", file=sys.stderr, flush=True)
    sys.exit(status)


def _mend_streams() -> None:
    """Signs that a terminal does not have are written as escapes; a stream that is closed is a silent one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (as long as we run)
        elif mode == "w" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _hush() -> None:
    """Let nothing more be written to where nobody reads: Python itself would complain at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
