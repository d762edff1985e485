"""The catalogue of model pieces: every file that there is, and those that suit a brief."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import log2

from libretto.contract.instruments import instrument_of_program
from libretto.house.core.dice import dice
from libretto.house.core.style import load_style, style_names
from libretto.house.repertoire.meters import in_meter
from libretto.house.repertoire.piece import Piece
from libretto.house.repertoire.reading import read_piece
from libretto.registry import named_files, plugin_folders
from libretto.score import Key, Meter

__all__ = ["Card", "Wanted", "index", "load_piece", "near_pieces", "piece_files", "piece_names", "suited", "with_beat"]

_SUFFIX = ".abc"
_OWN, _FIRST, _KIN, _GENRE, _FAR = 3.0, 1.5, 1.6, 0.8, 0.0  # how well a piece suits a style
_BY_MOOD, _BY_FORCES, _BY_MODE, _BY_DRUMS, _BY_SIZE, _BY_TEMPO = 0.35, 1.2, 0.8, 0.7, 0.25, 1.0
_LONG, _WHOLE, _TOO_SHORT = (
    32,
    24,
    2.0,
)  # longer pieces are made after pieces with sections of their own, not after short ones
_BENT = 2.2  # what it costs to be written in another meter
_ABOUT, _GOOD = 1.6, 5  # pieces that suit about as well as the best, and how many of them take turns
_MOST = 6  # pieces that one new piece looks at


@dataclass(frozen=True)
class Wanted:
    """What a brief wants of a model piece."""

    style: str
    meter: Meter
    minor: bool
    mood: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    drums: bool | None = None
    size: int = 0  # pitched players; 0 where that is open
    tempo: float = 0.0  # quarters a minute; 0 where that is open
    bars: int = 0  # 0 where that is open


@dataclass(frozen=True)
class Card:
    """What the catalogue knows of a piece without reading its music."""

    name: str
    styles: tuple[str, ...]
    mood: tuple[str, ...]
    meter: Meter
    minor: bool
    drums: bool
    programs: tuple[int, ...]
    tempo: float
    parts: int  # how many there are, drums and all
    bars: int


def piece_files() -> Iterator[tuple[str, Traversable]]:
    """Every model piece with its file: our own, then those of packages with an entry point `libretto.pieces`."""
    own = files("libretto.house").joinpath("repertoire", "pieces")
    return named_files(_SUFFIX, own, *plugin_folders("libretto.pieces"))


@cache
def _by_name() -> dict[str, Traversable]:
    """The files of all pieces; of two with one name the first."""
    return dict(reversed(list(piece_files())))


def piece_names() -> tuple[str, ...]:
    """Every model piece that there is."""
    return tuple(sorted(_by_name()))


@cache
def load_piece(name: str) -> Piece:
    """The model piece of that name."""
    return read_piece(name, _by_name()[name].read_text(encoding="utf-8"))


@cache
def index() -> tuple[Card, ...]:
    """A card for every piece, read from the head of its file."""
    return tuple(_card(name, file.read_text(encoding="utf-8")) for name, file in sorted(_by_name().items()))


def _card(name: str, text: str) -> Card:
    said: dict[str, str] = {}
    programs = []
    parts: set[str] = set()
    bars = 0
    for line in text.splitlines():
        for head in ("%%styles", "%%mood", "M:", "K:", "Q:"):
            if line.startswith(head):
                said.setdefault(head, line[len(head) :].strip())
        if line.startswith("%%plan"):
            parts |= {word.split("=")[0] for word in line.rpartition("|")[2].split()}
            bars += int(line.split("|")[3])
        if line.startswith("%%MIDI program"):
            programs.append(int(line.split()[-1]))
    key = Key.parse(_long_key(said.get("K:", "C")))
    return Card(
        name,
        tuple(said.get("%%styles", "").split()),
        tuple(said.get("%%mood", "").lower().replace(",", " ").split()),
        Meter.parse({"C": "4/4", "C|": "2/2"}.get(said.get("M:", "4/4"), said.get("M:", "4/4"))),
        key.is_minor,
        "%%beat" in text,
        tuple(programs),
        float(said.get("Q:", "1/4=100").split("=")[-1]),
        len(parts),
        bars,
    )


_MODES = {"m": "minor", "min": "minor", "dor": "dorian", "mix": "mixolydian", "phr": "phrygian", "lyd": "lydian",
          "aeo": "minor", "loc": "locrian", "maj": "major", "": "major", "ion": "major"}  # fmt: skip


def _long_key(text: str) -> str:
    """A key as our own grammar writes it, from ABC's: ``Am``, ``D dorian``, ``Bbmix``."""
    word = text.split("clef")[0].strip()
    size = 2 if len(word) > 1 and word[1] in "#b" else 1
    mode = word[size:].strip().lower()
    return f"{word[:size]} {_MODES.get(mode if mode == 'm' else mode[:3], 'major')}"


@cache
def _kin(style: str) -> tuple[Collection[str], Collection[str]]:
    """The styles that are parents, children or sisters of a style, and those of its genre."""
    mine = load_style(style).data
    parent = str(mine.get("parent", ""))
    kin, genre = set(), set()
    for name in style_names():
        data = load_style(name).data
        if name == parent or data.get("parent") in (style, parent or style) or name in mine.get("sisters", {}).values():
            kin.add(name)
        if data.get("genre") == mine.get("genre"):
            genre.add(name)
    return kin, genre


def suited(wanted: Wanted, seed: int) -> list[Piece]:
    """Model pieces for a brief, the best suited first; seeds next to each other begin with different ones.

    Of pieces that suit about as well as the best, the seed says which comes first. Pieces in another meter are brought
    into the one asked for where no kin has it. None where there are no pieces.
    """
    kin, genre = _kin(wanted.style)
    scored = []
    for card in index():
        near = _near(card, wanted.style, kin, genre) - (_BENT if card.meter != wanted.meter else 0.0)
        scored.append((-near - _fit(card, wanted), card.name))
    scored.sort()
    good = [name for price, name in scored if price <= scored[0][0] + _ABOUT][:_GOOD]
    turn = seed % len(good) if good else 0
    rest = [name for _, name in scored[: len(good) + _MOST] if name not in good]
    rest.sort(key=lambda name: dice(seed, "piece", name).random())
    return [in_meter(load_piece(name), wanted.meter) for name in [*good[turn:], *good[:turn], *rest][:_MOST]]


def near_pieces(wanted: Wanted, parts: range) -> list[tuple[float, Piece]]:
    """Model pieces in a meter and a mode, of a style or its kin, with so many parts; each with how near it is by style,
    mood and tempo."""
    kin, genre = _kin(wanted.style)
    bare = replace(wanted, families=(), size=0)
    made = []
    for card in index():
        near = _near(card, wanted.style, kin, genre)
        fits = card.meter == wanted.meter and card.minor == wanted.minor and card.parts in parts
        if near >= _KIN and fits:
            made.append((near + _fit(card, bare), load_piece(card.name)))
    return made


def with_beat(wanted: Wanted, seed: int) -> Piece | None:
    """A model piece with drums in that style, its kin or its genre; None where nobody drums in that meter."""
    cards = [card for card in index() if card.drums]
    kin, genre = _kin(wanted.style)

    def price(card: Card) -> tuple[float, str]:
        near = _near(card, wanted.style, kin, genre) - (_BENT if card.meter != wanted.meter else 0.0)
        return -near - dice(seed, "beat", card.name).random(), card.name

    return in_meter(load_piece(min(cards, key=price).name), wanted.meter) if cards else None


def _near(card: Card, style: str, kin: Collection[str], genre: Collection[str]) -> float:
    if style in card.styles:
        return _OWN + (_FIRST if card.styles[0] == style else 0.0)
    if any(name in kin for name in card.styles[:2]):
        return _KIN
    return _GENRE if card.styles and card.styles[0] in genre else _FAR


def _fit(card: Card, wanted: Wanted) -> float:
    """How well mood, mode, drums and players agree."""
    price = _BY_MOOD * len(set(card.mood) & set(wanted.mood)) + _BY_MODE * (card.minor == wanted.minor)
    if wanted.drums is not None:
        price += _BY_DRUMS * (card.drums == wanted.drums)
    families = [instrument_of_program(program).family for program in card.programs]
    if wanted.families:
        rest = list(families)
        shared = 0
        for family in wanted.families:
            if family in rest:
                rest.remove(family)
                shared += 1
        price += _BY_FORCES * shared / len(wanted.families)
    if wanted.tempo:
        price -= _BY_TEMPO * abs(log2(wanted.tempo / card.tempo))
    if wanted.bars > _LONG and card.bars < _WHOLE:
        price -= _TOO_SHORT
    if wanted.size:
        price -= _BY_SIZE * abs(len(families) - wanted.size)
    return price
