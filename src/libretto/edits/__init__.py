"""Edits of a piece by what musicians call them: keys, parts, sections, tempo, touch, feel, register, colour, endings.

Every function takes a Score and gives another. ``spans`` are stretches of bars by number, both ends included; None is
the whole piece and no stretch at all is none of it. ``names`` are names of voices; none given means every voice. Notes
belong to the bar in which they start: what starts outside the spans stays as it is, note for note.
"""
