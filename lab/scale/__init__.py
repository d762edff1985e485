"""Large collections made by varying a small one, for measuring how building and searching grow."""
