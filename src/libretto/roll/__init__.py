"""Piano rolls and their kin, as SVG built from strings: one piece, two compared, three side by side, a curve."""

from __future__ import annotations

from libretto.roll.curve import morph_curve
from libretto.roll.roll import roll_pair, roll_png, roll_svg, roll_triptych
from libretto.roll.system import Mark

__all__ = ["Mark", "morph_curve", "roll_pair", "roll_png", "roll_svg", "roll_triptych"]
