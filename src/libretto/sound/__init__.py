"""Sound: a Score performed, mixed and written as WAV, FLAC, Ogg or MP3 (needs ``pip install 'libretto[audio]'``)."""

from libretto.sound.audio import MAX_SECONDS, RATES, render_audio, samples_of
from libretto.sound.check import check_soundfont
from libretto.sound.encode import KINDS
from libretto.sound.perform import Performance, perform
from libretto.sound.soundfont import Soundfont, find_soundfont

__all__ = [
    "KINDS",
    "MAX_SECONDS",
    "RATES",
    "Performance",
    "Soundfont",
    "check_soundfont",
    "find_soundfont",
    "perform",
    "render_audio",
    "samples_of",
]
