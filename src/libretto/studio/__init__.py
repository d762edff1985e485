"""The studio: one local page to say, see, hear, pick and change; a thin server over the functions that exist."""

from libretto.studio.serving import serve_studio

__all__ = ["serve_studio"]
