"""Model pieces of our own, written by hand: the vocabulary from which the house composes."""
