"""A Score made visible and audible: one registry of renderings, by the kind of file."""
