"""Libretto: compose, measure, edit and learn symbolic music."""
