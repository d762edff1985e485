"""Digests of what the program does, so that two versions of it can be compared: ``python -m lab.proof``."""
