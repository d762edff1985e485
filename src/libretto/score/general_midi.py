"""General MIDI: what the 128 programs and the percussion keys are called."""

from __future__ import annotations

__all__ = ["DRUM_KEYS", "PROGRAMS", "guess_program", "voice_name"]

PROGRAMS: tuple[str, ...] = tuple(
    """Grand Piano, Bright Piano, Electric Grand, Honky-tonk Piano, Electric Piano, FM Electric Piano, Harpsichord,
    Clavinet,
    Celesta, Glockenspiel, Music Box, Vibraphone, Marimba, Xylophone, Tubular Bells, Dulcimer,
    Drawbar Organ, Percussive Organ, Rock Organ, Church Organ, Reed Organ, Accordion, Harmonica, Bandoneon,
    Nylon Guitar, Steel Guitar, Jazz Guitar, Clean Guitar, Muted Guitar, Overdriven Guitar, Distortion Guitar,
    Guitar Harmonics,
    Acoustic Bass, Finger Bass, Picked Bass, Fretless Bass, Slap Bass, Slap Bass 2, Synth Bass, Synth Bass 2,
    Violin, Viola, Cello, Contrabass, Tremolo Strings, Pizzicato Strings, Harp, Timpani,
    Strings, Slow Strings, Synth Strings, Synth Strings 2, Choir Aahs, Voice Oohs, Synth Voice, Orchestra Hit,
    Trumpet, Trombone, Tuba, Muted Trumpet, French Horn, Brass Section, Synth Brass, Synth Brass 2,
    Soprano Sax, Alto Sax, Tenor Sax, Baritone Sax, Oboe, English Horn, Bassoon, Clarinet,
    Piccolo, Flute, Recorder, Pan Flute, Bottle, Shakuhachi, Whistle, Ocarina,
    Square Lead, Saw Lead, Calliope Lead, Chiff Lead, Charang Lead, Voice Lead, Fifths Lead, Bass Lead,
    New Age Pad, Warm Pad, Polysynth Pad, Choir Pad, Bowed Pad, Metal Pad, Halo Pad, Sweep Pad,
    Rain, Soundtrack, Crystal, Atmosphere, Brightness, Goblins, Echoes, Sci-fi,
    Sitar, Banjo, Shamisen, Koto, Kalimba, Bagpipe, Fiddle, Shanai,
    Tinkle Bell, Agogo, Steel Drums, Woodblock, Taiko, Melodic Tom, Synth Drum, Reverse Cymbal,
    Fret Noise, Breath Noise, Seashore, Bird, Telephone, Helicopter, Applause, Gunshot""".replace("\n    ", " ").split(
        ", "
    )
)

#: The keys of a General MIDI drum kit.
DRUM_KEYS: dict[int, str] = {
    35: "acoustic kick", 36: "kick", 37: "side stick", 38: "snare", 39: "clap", 40: "electric snare",
    41: "low floor tom", 42: "closed hat", 43: "high floor tom", 44: "pedal hat", 45: "low tom", 46: "open hat",
    47: "low-mid tom", 48: "high-mid tom", 49: "crash", 50: "high tom", 51: "ride", 52: "china", 53: "ride bell",
    54: "tambourine", 55: "splash", 56: "cowbell", 57: "crash 2", 58: "vibraslap", 59: "ride 2", 60: "high bongo",
    61: "low bongo", 62: "mute high conga", 63: "open high conga", 64: "low conga", 65: "high timbale",
    66: "low timbale", 67: "high agogo", 68: "low agogo", 69: "cabasa", 70: "maracas", 71: "short whistle",
    72: "long whistle", 73: "short guiro", 74: "long guiro", 75: "claves", 76: "high woodblock",
    77: "low woodblock", 78: "mute cuica", 79: "open cuica", 80: "mute triangle", 81: "open triangle",
}  # fmt: skip

# Words in a voice's name and the program that a listener would expect; the first that fits is taken.
_HINTS: tuple[tuple[str, int], ...] = (
    ("upright", 32), ("contrabass", 43), ("bassoon", 70), ("bass", 33), ("accordion", 21), ("violin", 40),
    ("viola", 41), ("cello", 42), ("string", 48), ("organ", 16), ("horn", 60), ("trumpet", 56), ("trombone", 57),
    ("tuba", 58), ("brass", 61), ("sax", 65), ("clarinet", 71), ("oboe", 68), ("flute", 73), ("choir", 52),
    ("vox", 52), ("voice", 52), ("vocal", 52), ("pad", 89), ("synth", 81), ("distort", 30), ("nylon", 24),
    ("guitar", 25), ("gtr", 27), ("harp", 46), ("marimba", 12), ("vibes", 11), ("bell", 14), ("banjo", 105),
    ("fiddle", 110),
)  # fmt: skip


def voice_name(program: int | None, drums: bool) -> str:
    """What to call a part that has no name."""
    return "Drums" if drums else PROGRAMS[program or 0]


def guess_program(name: str) -> int:
    """A program for a voice that nobody gave one, from its name; a piano otherwise."""
    lowered = name.lower()
    return next((program for word, program in _HINTS if word in lowered), 0)
