"""Attacks on a reward: what a model may write to be rewarded without making music.

Conventions: an attack takes a real piece, of which it may borrow the frame (bars, voices, ranges), examples that a
composer was shown, and chance; it gives a piece or a text, or None where it has no way. Copies are copies of the piece
itself, and whoever measures them holds them against a memory in which it is.
"""

from libretto.bench.attacks.frame import Attack, attacks
from libretto.registry import load_all

__all__ = ["Attack", "attacks"]

load_all(__name__)
