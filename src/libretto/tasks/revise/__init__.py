"""Revise: what a person wants changed, read from words, granted in some bars, the rest as it was."""
