"""A concept more: the Markdown file in the folder beside this, as under ``$LIBRETTO_HOME/knowledge``."""
