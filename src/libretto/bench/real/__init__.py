"""Ours beside real songs: plain features that no composer of ours reads, and a classifier that tells which is which."""
