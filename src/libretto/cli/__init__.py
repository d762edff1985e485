"""The command line: ``libretto COMMAND``. A thin face: every command calls one function further left.

Exit codes: 0 fine, 1 findings (problems, differences, an audit that misses its marks), 2 bad input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from libretto.registry import lazy_names

if TYPE_CHECKING:
    from libretto.cli.app import app
    from libretto.cli.entry import main

__all__ = ["app", "main"]

__getattr__, __dir__ = lazy_names(__name__, {"app": "app", "entry": "main"})
