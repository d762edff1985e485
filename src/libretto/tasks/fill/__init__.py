"""Fill, accompany, extend: bars or parts of a song that are missing, and whether what is written there belongs."""
