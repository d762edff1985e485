"""The vendors' keys: which environment variables hold them; what is in them stays in them, and in nothing we say."""

from __future__ import annotations

import os
import re

__all__ = ["KEYS", "keys_set", "scrub", "without_key"]

#: The variables that may hold a vendor's key, the first that is set counts; a server of one's own needs none.
KEYS: dict[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "ollama": ("OLLAMA_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
}
_LONGEST = 160  # characters of a line from outside
_LEAST_SECRET = 8  # characters; what is shorter is no key, and may be a word
_STARS, _DOTS = "***", "..."
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)S?$")
_SECRET = re.compile(r"\b(?:(?:sk|pk|gsk|xai|key)[-_]|AIza|Bearer )[A-Za-z0-9*._-]{8,}")
_CREDENTIALS = re.compile(r"//[^/@\s]+@")


def keys_set(kind: str) -> tuple[str, ...]:
    """The names of the variables that are set for a vendor; one we do not list has its own name in its variable."""
    names = KEYS.get(kind, (f"{kind.upper().replace('-', '_')}_API_KEY",))
    return tuple(name for name in names if os.environ.get(name))


def scrub(text: str) -> str:
    """A text from outside as one short line without anything that is, or looks like, a key."""
    for variable, value in os.environ.items():
        if _SECRET_NAME.search(variable):
            text = _hidden(text, value)
    text = _SECRET.sub(_STARS, _CREDENTIALS.sub(f"//{_STARS}@", text))
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - len(_DOTS)] + _DOTS


def without_key(text: str, kind: str) -> str:
    """A text without a vendor's key, should it have come back in it."""
    for variable in keys_set(kind):
        text = _hidden(text, os.environ[variable])
    return text


def _hidden(text: str, secret: str) -> str:
    return text.replace(secret, _STARS) if len(secret) >= _LEAST_SECRET else text
