"""How the reward was learnt, and whether it teaches: rows measured, curves and memory made, a small model tuned by it."""
