"""Whole pieces from a contract: form, harmony, band, plan, and the players who read from it."""
