"""What model pieces decide of a new piece: its sections, its chords, its band, and who does what where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from libretto.contract import Contract
from libretto.contract.blues import blues_bars, usual_blues
from libretto.contract.form import chorus_forms
from libretto.contract.framing import form_of, sizes_of
from libretto.contract.instruments import instrument_of_program, instruments
from libretto.errors import LibrettoError
from libretto.house.compose.asking import (
    absent_of,
    leads_of,
    runs_of,
    skeleton,
    with_roles,
    with_voices,
)
from libretto.house.compose.band import Player, player_of_program, seat_band
from libretto.house.compose.harmony import asked_chords, closed_chords, plan_chords, steered_chords
from libretto.house.compose.homing import homed
from libretto.house.compose.hosted import (
    KEPT_WITH_CHORDS,
    MOST_KEPT,
    Modelled,
    ending_of,
    hosted,
    short_fifths,
    sounding,
)
from libretto.house.core.controls import Controls
from libretto.house.core.dice import dice
from libretto.house.core.style import Style
from libretto.house.repertoire.casting import Duties, assign
from libretto.house.repertoire.catalogue import Wanted, suited, with_beat
from libretto.house.repertoire.hosting import kept_share
from libretto.house.repertoire.layout import Stretch, behind, lay_out, looped, sections_of
from libretto.house.repertoire.piece import DRUMMING, Piece, Scene
from libretto.house.repertoire.shaping import cut_at, handed_over, last_biggest
from libretto.score import Chord, Key, Meter, parse_chord, transpose_chord

__all__ = ["Modelled", "blues_of", "model"]

_SEATS = {"answer": "counter", "double": "counter", "drone": "pad"}
_TAKE_TURNS = 3  # pieces that begin in turn where chords were asked for
_TRIES = 5  # progressions that are tried until a piece is not too much like its model
_APART = 7_919  # seeds of different tries never meet
_PERIOD = 8  # bars
_IN_FOURS, _IN_TWOS = 0.5, 0.65  # how often chords come round after four bars; and, beyond that, after two
_STILL = 4.0  # what a scene over one chord costs that another section should take its chords from
_OWN_CHORDS = 0.25  # how often a piece has the progressions of its style and not those of a model


def model(
    contract: Contract,
    style: Style,
    key: Key,
    meter: Meter,
    tempo: float,
    bars: int,
    seed: int,
    controls: Controls,
    named: bool,
) -> Modelled:
    """A new piece after model pieces."""
    wanted = _wanted(contract, style, key, meter, tempo, bars)
    pieces = _by_chords(suited(wanted, seed), style, contract.chords, key, seed)
    if not pieces:
        raise LibrettoError("there are no model pieces; the house composes after those in house/repertoire/pieces")
    own = _own_band(pieces[0], contract.drums)
    players = seat_band(contract.parts, contract.drums, named, [player for player, _ in own])
    if contract.chords and not (contract.form or contract.asks or contract.scale):
        whole = hosted(contract, style, key, bars, seed, wanted, players)
        if whole is not None:
            return whole
    ways: list[tuple[float, int, Modelled]] = []
    for take in range(_TRIES):
        turned = [*pieces[take:], *pieces[:take]] if contract.chords else pieces
        shared, made = _after(contract, style, key, wanted, turned, players, bars, seed, take, controls)
        ways.append((shared, take, made))
        if shared <= (MOST_KEPT if contract.chords else KEPT_WITH_CHORDS):
            break
    return min(ways, key=lambda way: way[:2])[2]


def _after(
    contract: Contract,
    style: Style,
    key: Key,
    wanted: Wanted,
    pieces: Sequence[Piece],
    players: Sequence[Player],
    bars: int,
    seed: int,
    take: int,
    controls: Controls,
) -> tuple[float, Modelled]:
    """A new piece after the first of some model pieces, and the share of it that would be one of them note for note."""
    main = pieces[0]
    form = form_of(contract.form, contract.asks, contract.bars)
    laid = lay_out(pieces, bars, form, seed, sizes_of(form, contract.asks))
    laid = last_biggest(laid) if form else laid
    own = _own_band(main, contract.drums)
    players = [sounding(player, contract, main.programs) for player in players]
    players = with_roles(with_voices(players, contract.asks, len(contract.parts)), contract.asks)
    written = {} if contract.parts else {player.name: part for player, (_, part) in zip(players, own, strict=False)}
    beat = with_beat(wanted, seed)
    lenders = [*pieces, *([beat] if beat else [])]
    stretches, duties = _cast(contract, players, laid, lenders, written)
    chords = _chords(contract, style, key, laid, pieces, seed + take * _APART, controls)
    made = Modelled(
        stretches=stretches,
        chords=tuple(chords),
        players=tuple(players),
        duties=duties,
        sources=tuple(_tellers(pieces, style)),
        ending=contract.ending or ending_of(main, wanted.tempo),
    )
    return kept_share(stretches, duties, chords, key), made


def _cast(
    contract: Contract,
    players: Sequence[Player],
    stretches: tuple[Stretch, ...],
    lenders: Sequence[Piece],
    written: Mapping[str, str],
) -> tuple[tuple[Stretch, ...], Duties]:
    """Who does what where, with the stretches cut where somebody was asked to lead or to be silent."""
    if not contract.asks:
        return stretches, assign(players, stretches, lenders, written)
    names = [player.name for player in players]
    sections = [(section.first, section.name) for section in sections_of(stretches)]
    bones = skeleton(sections, stretches[-1].section.end)
    leads, absent = leads_of(contract, bones, names), absent_of(contract, bones, names)
    edges = {first for first, _, _ in runs_of(leads, bones.bars)}
    stretches = cut_at(stretches, sorted(edges))
    duties = assign(players, stretches, lenders, written)
    by_stretch = {
        number: leads[stretch.section.first]
        for number, stretch in enumerate(stretches)
        if stretch.section.first in leads
    }
    away = {
        name: {number for number, stretch in enumerate(stretches) if stretch.section.first in bars}
        for name, bars in absent.items()
    }
    return stretches, handed_over(duties, players, by_stretch, away)


def _by_chords(pieces: Sequence[Piece], style: Style, asked: Sequence[str], key: Key, seed: int) -> list[Piece]:
    """The same pieces, those first whose own chords are most like a progression that was asked for: what was written
    over such chords has least to be changed. Seeds next to each other begin with different ones."""
    if not asked:
        return list(pieces)
    loop = [parse_chord(label) for label in asked]
    own = [piece for piece in pieces if piece.styles[0] == style.name]
    ordered = sorted(own, key=lambda piece: (-_likeness(piece, loop, key), piece.name))
    turn = seed % min(_TAKE_TURNS, len(ordered)) if ordered else 0
    others = [piece for piece in pieces if piece not in own]
    return [*ordered[turn:_TAKE_TURNS], *ordered[:turn], *ordered[_TAKE_TURNS:], *others]


def _likeness(piece: Piece, loop: Sequence[Chord | None], key: Key) -> float:
    """How many tones the chords of a piece share with a progression, bar by bar in its best scenes, in one key."""
    shift = key.tonic_class - piece.key.tonic_class
    shares = []
    for scene in piece.scenes:
        told = 0.0
        for place, bar in enumerate(range(scene.first, scene.end)):
            chord, wanted = parse_chord(piece.score.chords[bar][0]), loop[place % len(loop)]
            if chord is not None and wanted is not None:
                moved = {(tone + shift) % 12 for tone in chord.classes}
                told += len(moved & wanted.classes) / max(len(moved), len(wanted.classes))
        shares.append(told / scene.bars)
    best = sorted(shares)[-2:]
    return sum(best) / len(best)


def _tellers(pieces: Sequence[Piece], style: Style) -> list[Piece]:
    """The pieces whose themes tunes are made after: those of the style, others where it has one alone."""
    mine = [piece for piece in pieces if style.name in piece.styles]
    return mine if len(mine) > 1 else list(pieces)


def _wanted(contract: Contract, style: Style, key: Key, meter: Meter, tempo: float, bars: int = 0) -> Wanted:
    """What a contract wants of model pieces."""
    families = tuple(
        instruments[part.instrument].family
        if part.instrument in instruments
        else instrument_of_program(part.program or 0).family
        for part in contract.parts
        if not part.drums
    )
    drums = contract.drums
    if drums is None and contract.parts:
        drums = any(part.drums for part in contract.parts)
    return Wanted(style.name, meter, key.is_minor, contract.mood, families, drums, len(families), tempo, bars)


def _own_band(piece: Piece, drums: bool | None) -> list[tuple[Player, str]]:
    """The band of a model piece, each player with the part that it has there."""
    players = []
    for part, roles in piece.roles.items():
        if roles[0] in DRUMMING:
            if drums is not False:
                players.append((player_of_program(roles[0].title(), roles[0], None), part))
            continue
        program = piece.score.voice(part).program or 0
        role = "lead" if "lead" in roles[:2] and roles[0] in ("lead", "answer", "counter", "double") else roles[0]
        name = instrument_of_program(program).name.title()
        players.append((player_of_program(name, _SEATS.get(role, role), program), part))
    return players


def _chords(
    contract: Contract,
    style: Style,
    key: Key,
    stretches: Sequence[Stretch],
    pieces: Sequence[Piece],
    seed: int,
    controls: Controls,
) -> list[tuple[str, ...]]:
    """The chords of every bar: those asked for, a model's, or the style's own."""
    sections = [stretch.section for stretch in stretches]
    bars = sections[-1].end
    if contract.chords:
        return blues_of(contract, key, bars) or asked_chords(contract.chords, bars, key, style)
    lenders = [piece for piece in pieces if piece.key.is_minor == key.is_minor]
    if not lenders or dice(seed, "own chords").random() < _OWN_CHORDS:
        return homed(plan_chords(style, key, sections, seed, controls), key)
    by_letter: dict[str, tuple[Piece, Scene]] = {}
    made: list[tuple[str, ...]] = []
    for stretch in stretches:
        letter = stretch.section.letter
        if letter not in by_letter:
            by_letter[letter] = _lender(stretch, lenders, seed)
        piece, scene = by_letter[letter]
        if stretch.section.last and scene.end != piece.bars:
            scene = piece.scenes[-1]
        fifths = short_fifths(key.tonic - piece.key.tonic)
        for bar in looped(behind(scene, stretch.section.bars, stretch.section.last), _round(seed, letter)):
            made.append(tuple(transpose_chord(label, fifths) for label in piece.score.chords[bar]))
    return homed(closed_chords(steered_chords(made, seed, controls), key, style), key)


def blues_of(contract: Contract, key: Key, bars: int) -> list[tuple[str, ...]] | None:
    """The chords asked for, or the usual ones, in the places of a blues; None where none was asked for."""
    in_choruses = contract.form and contract.form[0] in chorus_forms()
    return blues_bars(contract.chords or usual_blues(key), key.tonic_class, bars) if in_choruses else None


def _round(seed: int, letter: str) -> int:
    """After how many bars the chords of a section come round again; 0 where they do not."""
    chance = dice(seed, "round", letter).random()
    return _PERIOD // 2 if chance < _IN_FOURS else 2 if chance < _IN_TWOS else 0


def _lender(stretch: Stretch, pieces: Sequence[Piece], seed: int) -> tuple[Piece, Scene]:
    """A scene of a model whose chords a section takes: of its kind, as long, and not the one it is made after."""

    def price(pair: tuple[Piece, Scene]) -> tuple[float, str, int]:
        piece, scene = pair
        away = 1.0 * (scene.kind != stretch.scene.kind) + 0.1 * abs(scene.bars - stretch.section.bars)
        away += 1.5 * (piece is stretch.piece) + 0.5 * (scene.bars < _PERIOD // 2)
        away += _STILL * (len(set(piece.score.chords[scene.first : scene.end])) == 1)
        return away + 1.5 * dice(seed, "lender", piece.name, stretch.section.letter).random(), piece.name, scene.first

    return min(((piece, scene) for piece in pieces for scene in piece.scenes), key=price)
