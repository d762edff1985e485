"""Tunes: which notes sing over a rhythm that is decided (``telling``), and rhythms as tunes have them (``pulses``)."""

from __future__ import annotations
