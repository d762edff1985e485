"""A team more: the Markdown file beside this."""
