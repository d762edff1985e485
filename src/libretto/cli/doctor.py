"""The commands about the program itself: doctor (what works on this machine) and primer (the grammar on a page)."""

from __future__ import annotations

import json as jsonlib
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import typer

from libretto.about import own_version
from libretto.cli.options import Json

__all__ = ["add_to", "doctor", "primer", "run_doctor"]

#: What can be done, the package that does it, and the extra that brings it (None: always installed).
_NEEDS = (
    ("MIDI", "symusic", None),
    ("numbers", "numpy", None),
    ("command line", "typer", None),
    ("sheet music", "verovio", "notation"),
    ("PDF and PNG", "typst", "notation"),
    ("sound", "midirenderer", "audio"),
    ("sound files", "soundfile", "audio"),
    ("hearing recordings", "soundfile", "listen"),
    ("plots", "matplotlib", "plots"),
    ("quick search for copies", "llvmlite", "fast"),
    ("agents", "mcp", "mcp"),
    ("language models", "pydantic-ai-slim", "llm"),
)


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (primer, doctor):
        app.command()(command)


def primer() -> None:
    """Print the page from which a model or a newcomer learns the grammar."""
    from libretto.grammar import primer as page

    typer.echo(page(), nl=False)


def doctor(json: Json = False) -> None:
    """Say what works on this machine, and the pip line for what does not."""
    run_doctor(json)


def run_doctor(json: bool) -> None:
    """Print each capability, its package and version, or how to install it."""
    rows = [_capability(*need) for need in _NEEDS]
    broken = any(row["version"] is None and extra is None for row, (_, _, extra) in zip(rows, _NEEDS, strict=True))
    if json:
        facts: dict[str, object] = {
            "python": platform.python_version(),
            "libretto": own_version(),
            "capabilities": rows,
        }
        facts |= {"soundfont": _soundfont(), "player": _player(), "keys": _keys()}
        typer.echo(jsonlib.dumps(facts))
    else:
        typer.echo(f"libretto {own_version()} on Python {platform.python_version()} ({sys.platform})")
        for row in rows:
            state = f"{row['package']} {row['version']}" if row["version"] else f"missing: {row['install']}"
            typer.echo(f"  {'ok' if row['version'] else '--'}  {row['what']:<28} {state}")
        for what, state in (("soundfont", _soundfont()), ("player", _player())):
            typer.echo(f"  {'--' if state.startswith('missing') else 'ok'}  {what:<28} {state}")
        for vendor, names in _keys().items():
            typer.echo(f"  {'ok' if names else '--'}  {f'key of {vendor}':<28} {_key_state(vendor, names)}")
    raise typer.Exit(1 if broken else 0)


def _capability(what: str, package: str, extra: str | None) -> dict[str, str | None]:
    """What can be done, by which package, in which version, or how to install it."""
    try:
        there: str | None = version(package)
    except PackageNotFoundError:
        there = None
    install = None if there else (f"pip install 'libretto[{extra}]'" if extra else f"pip install {package}")
    return {"what": what, "package": package, "version": there, "install": install}


def _key_state(vendor: str, names: list[str]) -> str:
    if names:
        return f"{', '.join(names)} is set"
    return "none set" + ("; a local server needs none" if vendor == "ollama" else "")


def _soundfont() -> str:
    """Which soundfont plays, and why, or what is the matter with it."""
    from libretto.errors import LibrettoError
    from libretto.sound import check_soundfont, find_soundfont

    try:
        font = find_soundfont()
        problems = check_soundfont(font.path)
    except LibrettoError as error:
        return f"missing: {' '.join(str(error).split())}"
    return f"{font.path} ({font.why})" + (f", but {problems[0]}" if problems else "; notes sound at their pitch")


def _player() -> str:
    from libretto.sound.audio import find_player

    player = find_player()
    return player[0] if player else "missing: install ffplay, mpv or another player to hear `libretto play`"


def _keys() -> dict[str, list[str]]:
    """The variables that hold a key, by vendor: their names alone."""
    from libretto.models.failures import KEYS, keys_set

    return {vendor: list(keys_set(vendor)) for vendor in KEYS}
