"""How the reward was learnt, and whether it teaches: rows measured, curves made, a small model tuned by it."""
