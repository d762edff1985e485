"""Tunes: which notes sing over a rhythm that is decided (``telling``)."""

from __future__ import annotations
