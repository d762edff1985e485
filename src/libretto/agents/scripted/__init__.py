"""Scripts in a model's place: replies from a file, or from a pretend model that composes with the house."""
