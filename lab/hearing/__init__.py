"""How well recordings are written down: clips whose notes are known, ears that hear them, and how many were heard."""
