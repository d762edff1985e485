"""The commands that read a brief and check a piece against it, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["add_contract_to", "contract", "receipt"]

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def add_contract_to(app: typer.Typer) -> None:
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
    force: Annotated[bool, typer.Option("--force", help="Replace the output if it exists.")] = False,
) -> None:
    """Say what a brief asks for: what was understood, what was assumed, and what could not be used.

    Example: libretto contract "A slow waltz in D minor for solo piano over 16 bars" -o waltz.toml
    """
    from libretto.cli.contract_commands import run_contract

    run_contract(brief, json, toml, output, force)


def receipt(
    file: Annotated[str, typer.Argument(metavar="FILE", help="MIDI, MusicXML, ABC or a text.")],
    contract: Annotated[str, typer.Option("--contract", metavar="FILE", help="The contract, TOML or JSON.")],
    json: Json = False,
) -> None:
    """Check a piece against a contract, clause by clause, with evidence; exits with 1 where one is broken.

    Example: libretto receipt waltz.mid --contract waltz.toml
    """
    from libretto.cli.contract_commands import run_receipt

    run_receipt(file, contract, json)
