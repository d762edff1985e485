"""Teaching the networks of the ear: what they are taught with, how lessons sound, and the lessons themselves."""
