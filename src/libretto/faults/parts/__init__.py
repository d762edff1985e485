"""Parts against each other: how each voice sits in what the others play."""
