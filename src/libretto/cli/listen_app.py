"""The commands under ``libretto listen``, and their help."""

from __future__ import annotations

import typer

from libretto.cli.listen_make_app import make

__all__ = ["listen_app"]

listen_app = typer.Typer(name="listen", help="Test how well ears hear.", no_args_is_help=True, rich_markup_mode=None)


@listen_app.callback()
def _listen() -> None:
    """Test how well ears hear."""


listen_app.command()(make)
