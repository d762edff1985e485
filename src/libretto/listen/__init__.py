"""Listening."""
