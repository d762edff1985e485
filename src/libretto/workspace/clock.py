"""The clock, for whoever faces a person or an agent; nothing else in a workspace looks at it."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["now"]


def now() -> str:
    """The time as versions write it: ISO 8601, in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
