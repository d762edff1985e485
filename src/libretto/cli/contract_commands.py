"""What the contract commands do: read, call, print."""

from __future__ import annotations

import json as jsonlib
import sys

import typer

from libretto.cli.commands import read_score
from libretto.contract import contract_from_text, contract_to_json, contract_to_toml, describe, read_brief
from libretto.contract import receipt as check
from libretto.errors import FormatError
from libretto.formats import read_bytes, write_bytes

__all__ = ["run_contract", "run_receipt"]


def _text(path: str) -> str:
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise FormatError(f"{path} is not UTF-8 text") from None


def run_contract(brief: str, json: bool, toml: bool, output: str | None, force: bool) -> None:
    """Read a brief and print or write its contract."""
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
    found = check(contract_from_text(_text(path)), read_score(file))
    typer.echo(jsonlib.dumps(found.to_dict(), ensure_ascii=False) if json else "\n".join(found.lines))
    if not found.passed:
        raise typer.Exit(1)
