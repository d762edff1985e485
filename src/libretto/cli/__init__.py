"""The command line: ``libretto COMMAND``. A thin face: every command calls one function further left.

Exit codes: 0 fine, 1 findings (problems, differences, an audit that misses its marks), 2 bad input.
"""

from __future__ import annotations

from libretto.cli.app import app, main

__all__ = ["app", "main"]
