"""What is said of a piece, subject by subject: what is weak there and what is strong, in a musician's words."""
