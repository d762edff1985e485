"""Morphs: the figures of two songs over new chords, handed over part by part."""
