"""What players of instruments can do: two hands, a bass of their own, chords high up, long notes alone."""

from __future__ import annotations

from libretto.house.compose.band import Player

__all__ = [
    "BASSES",
    "BEATEN",
    "BIG_BELLS",
    "CHORDS",
    "DEEP_ENOUGH",
    "HANDS",
    "PADS",
    "RATTLES",
    "SECTIONS",
    "SELDOM",
    "SUNG",
    "SUSTAINED",
    "THUMBS",
    "deepest",
    "is_banjo",
    "is_low",
    "is_section",
    "is_small",
    "on_synthesizer",
    "two_handed",
]

#: Programs of who has two hands: pianos, organs, accordions, mallets, harp.
HANDS = frozenset((*range(12), *range(16, 22), 23, 46, 82))
#: Keys of claps, bells, shakers and claves.
RATTLES = frozenset((37, 39, 54, 56, 58, *range(67, 76), 80, 81, 82, 85))
#: Programs of drums with pitches, which beat the roots of the bass part: timpani, taiko, toms.
BEATEN = frozenset((47, 116, 117))
#: Programs that are a whole section of brass.
SECTIONS = frozenset((61, 62, 63))
#: Programs of synthesizers that hold chords.
PADS = frozenset(range(88, 104))
#: Programs of voices, alone or many.
SUNG = frozenset((52, 53, 54))
#: Programs of plucked strings with a thumb below their tune: guitars, sitar, shamisen or oud, koto.
THUMBS = frozenset((24, 25, 104, 106, 107))
#: These and strings and choirs: they sing or hold, and play no figures.
SUSTAINED = PADS | frozenset(range(48, 55))
#: Programs below whose tunes nobody else plays a bass.
BASSES = frozenset((*range(32, 40), 43, 58))
#: The program of bells as clocks and churches have them, and the manner of who is heard now and then.
BIG_BELLS, SELDOM = 14, "seldom"
#: Notes at once from which on somebody plays chords.
CHORDS = 4
#: Who is comfortable there, at A2, can play a bass.
DEEP_ENOUGH = 45
_SYNTHS, _KEYBOARD = frozenset(range(80, 88)), 8  # synthesizers, and the notes at once of those with a keyboard
_PAD_ROOT = 40  # E2
_SECTIONS, _DESKS = frozenset((44, 45, 48, 49, 50, 51)), 6  # programs of strings together, and notes at once of many
_BRASS, _MEN = 61, 5  # the program of brass together, and notes at once of as many as there are lines
_SMALL = frozenset((24, 25))  # programs of guitars and what is smaller
_BUTTONS = frozenset((21, 23))  # programs of accordions
_BANJO, _BANJO_NAME = 105, "banjo"  # its program, which lutes of many countries share, and its name
_LOW_KINDS, _LOW_UP_TO = frozenset((48, 49, 57, 58, 61)), 65  # F4, up to where they are comfortable at most
_SMALL_FROM = 52  # the lowest comfortable note of a guitar that is small lies above


def is_banjo(player: Player) -> bool:
    """Whether somebody plays a banjo, and not a lute that only sounds like one."""
    return player.program == _BANJO and _BANJO_NAME in player.name.lower()


def is_low(player: Player) -> bool:
    """Whether somebody is low brass or low strings, whose lines do not lie high on them."""
    return player.program in _LOW_KINDS and player.high <= _LOW_UP_TO


def is_small(player: Player) -> bool:
    """Whether somebody plays a mandolin, a ukulele or their kin."""
    return player.program in _SMALL and player.low > _SMALL_FROM


def deepest(player: Player) -> int:
    """The lowest note that somebody plays comfortably; accordions have buttons for their basses, pads reach the E of a
    guitar, and synthesizers sound as low as they are told to."""
    if player.program in PADS:
        return max(player.bottom, min(player.low, _PAD_ROOT))
    return player.bottom if player.program in _BUTTONS or on_synthesizer(player) else player.low


def two_handed(player: Player) -> bool:
    """Whether somebody plays a tune and chords at a time; others put chords between their phrases."""
    return player.program in HANDS | PADS or on_synthesizer(player) or is_section(player)


def is_section(player: Player) -> bool:
    """Whether somebody stands for a whole section of strings, or of brass that leads, which has tune, chords and bass
    among its desks."""
    brass = player.program == _BRASS and player.polyphony >= _MEN and player.role == "lead"
    return brass or (player.program in _SECTIONS and player.polyphony >= _DESKS)


def on_synthesizer(player: Player) -> bool:
    """Whether somebody has the keyboard of a synthesizer, which sounds as low as it is told to."""
    return player.program in _SYNTHS and player.polyphony >= _KEYBOARD
