"""Putting the edits of a Score into the MIDI file it came from; ``libretto.formats.midi.splice`` is the way in.

``pairs`` says which events each note of a Score is, ``aligning`` where bars were put in, ``plan`` holds what is to be
done to the events, and the other files each decide one kind of change.
"""

__all__: list[str] = []
