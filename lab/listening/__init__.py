"""Listening measured and taught: suites of sounds that the package does not make, and how sure the ear may be."""
