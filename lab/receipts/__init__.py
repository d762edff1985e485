"""Receipts held against damage: a piece damaged in one clause has to lose that clause and no other."""
