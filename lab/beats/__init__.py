"""How well beats are found: music played by made players, and what the finder makes of it (``python -m lab.beats``)."""
