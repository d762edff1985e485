"""What tries to hurt the program: damaged input of every class, and commands that are stopped at any moment."""
