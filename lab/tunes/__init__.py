"""Teaching the model of tunes: reading collections, two ways of learning, what comes out beside what real tunes do."""

from __future__ import annotations
