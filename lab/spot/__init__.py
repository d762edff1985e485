"""How the ear that spots faults is taught: lessons, trees, levels. ``python -m lab.spot.training MUSIC``."""
