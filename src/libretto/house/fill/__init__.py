"""Bars and parts written into a song that is there."""
