"""Morph: a piece that goes from one song or genre to another, and how far along that road each window has come."""
