"""One thing of every kind that libretto takes from other packages."""
