"""The list of commands as a person reads it: in groups, each with its whole first sentence."""

from __future__ import annotations

import inspect
from typing import Any

import typer
from typer.core import TyperGroup

__all__ = ["CommandList"]

_REST = "Other commands"
_INDENT = 2


class CommandList(TyperGroup):
    """A group of commands that lists them under headings and cuts no sentence short; ``help`` is ``--help``."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the headings, and under each its commands with their first sentences."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                heading = getattr(command, "rich_help_panel", None)
                rows.setdefault(heading if isinstance(heading, str) else _REST, []).append((name, _sentence(command)))
        width = max((len(name) for group in rows.values() for name, _ in group), default=0)
        for heading, group in rows.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), said) for name, said in group], col_max=width + _INDENT)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is meant; ``help NAME`` is ``NAME --help``, ``help`` alone the list."""
        if args[0] == "help" and self.get_command(ctx, "help") is None:
            if len(args) == 1:
                typer.echo(ctx.get_help())
                ctx.exit()
            args = [*args[1:], "--help"]
        return super().resolve_command(ctx, args)


def _sentence(command: Any) -> str:
    """The first sentence of what a command says about itself."""
    first = inspect.cleandoc(command.help or command.short_help or "").split("\n\n", 1)[0]
    return " ".join(first.split()).removesuffix(".")
