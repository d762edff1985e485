"""A style more: the TOML file beside this."""
