"""Teaching the ear for parts against each other."""
