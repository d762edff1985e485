"""Drill: one voice that practises one concept, and the grade of a learner's answer to it."""
