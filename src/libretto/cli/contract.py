"""The commands that read a brief and check a piece against it, and their help."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import Annotated

import typer

from libretto.cli.files import read_score
from libretto.cli.options import Force, Json
from libretto.errors import FormatError

__all__ = ["add_to", "contract", "receipt", "run_contract", "run_receipt"]


def add_to(app: typer.Typer) -> None:
    """Put the commands among those of an app."""
    for command in (contract, receipt):
        app.command()(command)


def contract(
    brief: Annotated[str, typer.Argument(metavar="BRIEF", help="The brief in words, @FILE, or - for standard input.")],
    json: Json = False,
    toml: Annotated[bool, typer.Option("--toml", help="Print TOML, to be changed by hand.")] = False,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the contract: .json, else TOML.")
    ] = None,
    force: Force = False,
) -> None:
    """Say what a brief asks for: what was understood, what was assumed, and what could not be used.

    Example: libretto contract "A slow waltz in D minor for solo piano over 16 bars" -o waltz.toml
    """
    run_contract(brief, json, toml, output, force)


def receipt(
    file: Annotated[str, typer.Argument(metavar="FILE", help="MIDI, MusicXML, ABC or a text.")],
    contract: Annotated[str, typer.Option("--contract", metavar="FILE", help="The contract, TOML or JSON.")],
    json: Json = False,
) -> None:
    """Check a piece against a contract, clause by clause, with evidence; exits with 1 where one is broken.

    Example: libretto receipt waltz.mid --contract waltz.toml
    """
    run_receipt(file, contract, json)


def _text(path: str) -> str:
    from libretto.formats import read_bytes

    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError(f"{path} is not UTF-8 text") from None


def run_contract(brief: str, json: bool, toml: bool, output: str | None, force: bool) -> None:
    """Read a brief and print or write its contract."""
    from libretto.contract import contract_to_json, contract_to_toml, describe, read_brief
    from libretto.formats import write_bytes

    text = _text(brief.removeprefix("@")) if brief == "-" or brief.startswith("@") else brief
    contract = read_brief(text)
    if output is not None:
        written = contract_to_json(contract) if json or output.endswith(".json") else contract_to_toml(contract)
        write_bytes(written.encode("utf-8"), output, force=force)
        print(f"libretto: wrote {output}", file=sys.stderr)
    elif json:
        typer.echo(contract_to_json(contract), nl=False)
    elif toml:
        typer.echo(contract_to_toml(contract), nl=False)
    else:
        typer.echo("\n".join(describe(contract)))


def run_receipt(file: str, path: str, json: bool) -> None:
    """Check a piece against a contract and print the receipt."""
    from libretto.contract import contract_from_text
    from libretto.contract import receipt as receipt_of

    kept = receipt_of(contract_from_text(_text(path)), read_score(file))
    typer.echo(jsonlib.dumps(kept.to_dict(), ensure_ascii=False) if json else "\n".join(kept.lines))
    if not kept.passed:
        raise typer.Exit(1)
