"""What the page asks with: values of the right kind and size, or one line that says which is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from libretto.errors import LibrettoError

__all__ = ["MOST_TEXT", "asked_names", "asked_number", "asked_text", "asked_whole", "maybe_whole"]

#: The longest text that is read, in characters.
MOST_TEXT = 4_000_000
_LONGEST_NAME, _MOST_NAMES = 200, 1_000
_LARGEST = 2**53  # a page counts no further


def asked_text(data: Mapping[str, Any], name: str, most: int = _LONGEST_NAME, default: str | None = None) -> str:
    """A text of that name, no longer than so many characters; the default where it is left out."""
    value = data.get(name, default)
    if value is None and default is not None:
        value = default
    if not isinstance(value, str):
        raise LibrettoError(f"{name}: a text is needed here")
    if len(value) > most:
        raise LibrettoError(f"{name} has more than {most:,} characters")
    return value.encode("utf-8", "replace").decode()


def asked_number(data: Mapping[str, Any], name: str, low: float, high: float, default: float | None = None) -> float:
    """A number of that name between two bounds, both included; the default where it is left out."""
    value = data.get(name, default)
    if value is None and default is not None:
        value = default
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise LibrettoError(f"{name}: a number from {low:g} to {high:g} is needed here")
    return value


def asked_whole(
    data: Mapping[str, Any], name: str, low: int = 0, high: int = _LARGEST, default: int | None = None
) -> int:
    """A whole number of that name between two bounds, both included; the default where it is left out."""
    value = asked_number(data, name, low, high, default)
    if value != int(value):
        raise LibrettoError(f"{name}: a whole number is needed here")
    return int(value)


def maybe_whole(data: Mapping[str, Any], name: str, low: int, high: int) -> int | None:
    """A whole number of that name, or None where it is left out."""
    return None if data.get(name) is None else asked_whole(data, name, low, high)


def asked_names(data: Mapping[str, Any], name: str) -> list[str]:
    """A list of short texts; none where it is left out."""
    values = data.get(name)
    if values is None:
        return []
    if not isinstance(values, list) or len(values) > _MOST_NAMES:
        raise LibrettoError(f"{name}: a list of names is needed here")
    return [asked_text({name: value}, name) for value in values]
