"""Which environment variables hold the vendors' keys: their names; what is in them stays in them."""

from __future__ import annotations

import os

__all__ = ["KEYS", "keys_set"]

#: The variables that may hold a vendor's key, the first that is set counts; a server of one's own needs none.
KEYS: dict[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "ollama": ("OLLAMA_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
}


def keys_set(kind: str) -> tuple[str, ...]:
    """The names of the variables that are set for a vendor; one we do not list has its own name in its variable."""
    names = KEYS.get(kind, (f"{kind.upper().replace('-', '_')}_API_KEY",))
    return tuple(name for name in names if os.environ.get(name))
