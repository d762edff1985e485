"""A model piece more: the ABC file beside this."""
