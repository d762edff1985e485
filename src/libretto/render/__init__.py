"""A Score made visible and audible."""
