"""Many songs of filled buckets, transformed once, so that a piece is laid over all of them at once and counted exactly.

A bucket belongs to places of the beat and remainders of the pitch by a table, so a song is a row of beats by place by
remainder, and laying a piece over it, at every distance in beats and every turn of the remainders, is a correlation in
two directions: a Fourier transform over the beats and one over the remainders make it a product. Three songs travel as
one, as digits of one number: counts are whole numbers below 2^16, and what comes back is rounded to the whole number
that it is.

A single piece is laid over bucket by bucket instead (``best_once``): that takes longer than over songs that were
transformed by place and remainder, but much less than transforming them so.

Displacements count at which at least two thirds of the piece, or of the song where that is shorter, lie over the other.
Every such displacement and every turn is tried. Blocks of songs are laid at once on as many cores as there are: counts
are whole numbers, so that it does not matter which comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretto.corpus.buckets import so_many_filled
from libretto.corpus.choosing import DIGITS, Choice, Chosen, Places, Singles
from libretto.corpus.hands import hands_here
from libretto.corpus.sizes import by_size
from libretto.score.table import Bools, Floats, Ints

__all__ = ["MOST_NOTES", "Places", "Spectra", "best_once"]

#: Notes of a piece that can be counted at once: the digits keep apart up to here, with room for rounding.
MOST_NOTES = 30_000
_DIGIT = 16  # bits of each of the songs that travel as one number
_WORDS = 4  # sixteen-bit words of a number
_WHOLE = 1.5 * 2.0**52  # added to a number, it leaves the nearest whole one in its lower words
_PACKS = 5  # numbers, of three songs each, that are worked on at a time: they stay in the cache
_PACKS_ONCE = 16  # the same where songs are laid over once
_SECOND = 2.0**24  # what a count of the second of two songs counts: more than twice what any first can reach

Spectrum = NDArray[Any]


@dataclass(frozen=True, eq=False)
class _Batch:
    """Songs of one size of transforms: their numbers, lengths in beats, spectra in blocks, and how full beats are."""

    numbers: Ints
    lengths: Ints
    size: int
    blocks: tuple[Spectrum, ...] = field(repr=False)
    fullness: Spectrum = field(repr=False)


class Spectra:
    """Songs of filled buckets, ready for pieces of at most ``room`` beats; ``table`` has buckets by place and rest."""

    def __init__(self, songs: Sequence[Bools], table: Ints, room: int) -> None:
        self._table, self._count = table, len(songs)
        self._batches = [self._batch(size, numbers, songs) for size, numbers in by_size(songs, room, DIGITS).items()]

    def _batch(self, size: int, numbers: list[int], songs: Sequence[Bools]) -> _Batch:
        lengths, fullness = _fullness(size, [songs[number] for number in numbers])
        step = DIGITS * _PACKS
        blocks = [self._block(size, [songs[n] for n in numbers[at : at + step]]) for at in range(0, len(numbers), step)]
        return _Batch(np.array(numbers), lengths, size, tuple(blocks), fullness)

    def _block(self, size: int, songs: Sequence[Bools]) -> Spectrum:
        """The spectra of some songs, by place, by the frequency over remainders, by number of three songs."""
        packs = -(-len(songs) // DIGITS)
        rows = np.zeros((*self._table.shape, packs, size))
        for at, filled in enumerate(songs):
            pack, digit = divmod(at, DIGITS)
            rows[:, :, pack, : len(filled)] += np.moveaxis(filled[:, self._table], 0, 2) * 2.0 ** (_DIGIT * digit)
        return np.fft.fft(np.fft.rfft(rows, axis=3), axis=1)

    def best(self, beat: Ints, place: Ints, rest: Ints) -> Places:
        """For every song the largest share of notes that fall into filled buckets, beyond what beats so full catch.

        ``beat`` of each note counts from 0. There are at most ``MOST_NOTES`` notes.
        """
        turns, beats = self._table.shape[1], int(beat.max()) + 1
        cell = (place * turns + rest) * beats + beat
        laid = np.bincount(cell, minlength=self._table.size * beats).astype(np.float64)
        rows = laid.reshape(*self._table.shape, beats)
        parts = turns * _turning(turns).T @ rows  # by place, cosines and sines over remainders
        struck, buckets = np.bincount(beat).astype(np.float64), int(self._table.max()) + 1
        result = Places(np.zeros(self._count), *np.zeros((2, self._count), dtype=np.int64))
        used = np.flatnonzero(rows.any(axis=(1, 2))).tolist()  # places of the beat
        from concurrent.futures import ThreadPoolExecutor  # who asks once does without

        hands = hands_here()
        rooms = [np.empty((2, max(batch.blocks[0][0].size for batch in self._batches)), complex) for _ in range(hands)]
        with ThreadPoolExecutor(hands) as pool:
            chosen = []
            for batch in self._batches:  # while earlier ones are laid, the next is made ready
                query = _repeated(_transformed(parts, batch.size), batch.blocks[0].shape[2])
                caught = _caught(batch.fullness, struck, batch.size, buckets)
                choice = Choice(caught, batch.lengths, beats, len(beat))
                lay = partial(_laid, query, choice, used, rooms)
                chosen.append((batch, choice, [pool.submit(lay, *block) for block in enumerate(batch.blocks)]))
            for batch, choice, blocks in chosen:
                for column, values in zip(result, choice.places([one.result() for one in blocks]), strict=True):
                    column[batch.numbers] = values
        return result


def best_once(
    songs: Sequence[Bools], table: Ints, room: int, pieces: Sequence[tuple[Ints, Ints, Ints]]
) -> list[Places]:
    """What ``Spectra(songs, table, room).best(beat, place, rest)`` gives, for a few pieces alone."""
    laid = [_Once(table, len(songs), *piece) for piece in pieces]
    step, buckets = DIGITS * _PACKS_ONCE, int(table.max()) + 1
    sizes = sorted(by_size(songs, room, DIGITS).items(), reverse=True)
    for size, numbers in sizes:  # long transforms of a piece hold those of half as long
        for at in range(0, len(numbers), step):
            some = [songs[number] for number in numbers[at : at + step]]
            lengths, fullness = _fullness(size, some)
            spectrum = np.fft.rfft(_packed(some, size, buckets), axis=2)
            by_beat = np.ascontiguousarray(spectrum.transpose(2, 0, 1))
            for one in laid:
                one.lay(size, numbers[at : at + step], lengths, fullness, by_beat)
    return [one.result for one in laid]


class _Once:
    """A piece that is laid over songs bucket by bucket."""

    def __init__(self, table: Ints, songs: int, beat: Ints, place: Ints, rest: Ints) -> None:
        turns, self.beats, self.buckets = table.shape[1], int(beat.max()) + 1, int(table.max()) + 1
        turned = table[place, (rest + np.arange(turns)[:, None]) % turns]  # the bucket of every note, by turn
        cell = (np.arange(turns)[:, None] * self.buckets + turned) * self.beats + beat
        rows = np.bincount(cell.ravel(), minlength=turns * self.buckets * self.beats)
        self.rows = rows.reshape(turns, self.buckets, self.beats).astype(np.float64)
        self.notes, self.struck = len(beat), np.bincount(beat).astype(np.float64)
        self.result = Places(np.zeros(songs), *np.zeros((2, songs), dtype=np.int64))
        self._spectra: dict[int, Spectrum] = {}

    def spectrum(self, size: int) -> Spectrum:
        """The piece transformed, by beat, by turn, by bucket."""
        if size not in self._spectra:
            twice = self._spectra.get(2 * size)
            if twice is None:
                transformed = np.fft.rfft(self.rows, size, axis=2)
                self._spectra[size] = np.conj(transformed.transpose(2, 0, 1), order="C")
            else:
                self._spectra[size] = twice[::2]  # every other beat of it
        return self._spectra[size]

    def lay(self, size: int, numbers: list[int], lengths: Ints, fullness: Spectrum, songs: Spectrum) -> None:
        """Find the best places in some songs, which come transformed, by beat, by bucket."""
        product = np.matmul(self.spectrum(size), songs)
        counts = _words(np.ascontiguousarray(product.transpose(1, 2, 0)), size)
        choice = Choice(_caught(fullness, self.struck, size, self.buckets), lengths, self.beats, self.notes)
        for column, values in zip(self.result, choice.places([choice.of(0, counts)]), strict=True):
            column[numbers] = values


def _packed(songs: Sequence[Bools], size: int, buckets: int) -> Floats:
    """Songs by bucket, three as one number, by beat."""
    rows = np.zeros((buckets, -(-len(songs) // DIGITS), size))
    for pack in range(rows.shape[1]):
        three = songs[pack * DIGITS : (pack + 1) * DIGITS]
        words = np.zeros((max(map(len, three)), buckets, _WORDS), dtype="<u2")
        for digit, filled in enumerate(three):
            words[: len(filled), :, digit] = filled
        rows[:, pack, : len(words)] = words.view("<i8")[:, :, 0].T
    return rows


def _fullness(size: int, songs: Sequence[Bools]) -> tuple[Ints, Spectrum]:
    """The lengths of songs in beats, and how many buckets of each beat are filled, two songs as one, transformed."""
    lengths = np.array([len(song) for song in songs], dtype=np.int64)
    full = np.zeros((-(-len(songs) // 2), size))
    counts = so_many_filled(np.concatenate(songs)).astype(np.float64)
    for row, (length, end) in enumerate(zip(lengths.tolist(), np.cumsum(lengths).tolist(), strict=True)):
        full[row // 2, :length] += counts[end - length : end] * _SECOND ** (row % 2)
    return lengths, np.fft.rfft(full, axis=1)


def _caught(fullness: Spectrum, struck: Floats, size: int, buckets: int) -> Singles:
    """How many notes beats so full catch at every displacement; where songs are odd in number, one row is left over."""
    caught = np.fft.irfft(fullness * np.conj(np.fft.rfft(struck, size)), size, axis=1)
    second = np.rint(caught * (1 / _SECOND))
    caught -= second * _SECOND
    usual = np.empty((2 * len(caught), size), dtype=np.float32)
    usual[::2], usual[1::2] = np.rint(caught, out=caught), second
    usual /= buckets
    return usual


def _transformed(parts: Floats, size: int) -> Spectrum:
    """A piece, which comes by place and by cosines and sines over remainders, transformed as songs are multiplied."""
    spectrum = np.fft.rfft(parts, size, axis=2)
    np.conj(spectrum, out=spectrum)
    half, query = parts.shape[1] // 2, np.empty_like(spectrum)
    cosines, sines = spectrum[:, 1:half], 1j * spectrum[:, half + 1 :]
    query[:, 0], query[:, half] = spectrum[:, 0], spectrum[:, half]
    np.add(cosines, sines, out=query[:, 1:half])
    np.subtract(cosines, sines, out=query[:, :half:-1])
    return query


def _repeated(query: Spectrum, packs: int) -> Spectrum:
    """A piece as often as there are numbers in a block: whole rows are multiplied quicker than parts of them."""
    return np.repeat(query[:, :, None], packs, axis=2)


def _words(product: Spectrum, size: int) -> NDArray[np.uint16]:
    """What comes back of a spectrum, rounded to whole numbers, word by word."""
    sums = np.fft.irfft(product, size, axis=2)
    sums += _WHOLE
    return sums.astype("<f8", copy=False).view("<u2").reshape(*sums.shape, _WORDS)


def _counts(query: Spectrum, block: Spectrum, places: list[int], size: int, room: Spectrum) -> NDArray[np.uint16]:
    """How many notes meet, by turn, by number of three songs, by displacement, by word; at those places of the beat."""
    product, spare = (part[: block[0].size].reshape(block.shape[1:]) for part in room)
    query = query[:, :, : block.shape[2]]
    np.multiply(block[places[0]], query[places[0]], out=product)
    for place in places[1:]:
        product += np.multiply(block[place], query[place], out=spare)
    half = len(product) // 2
    forth, back = product[1:half], product[:half:-1]
    spare[0], spare[half] = product[0], product[half]
    np.add(forth, back, out=spare[1:half])
    forth -= back
    np.multiply(forth, 1j, out=spare[half + 1 :])
    np.matmul(_turning(len(product)), _numbers(spare), out=_numbers(product))
    return _words(product, size)


def _laid(
    query: Spectrum, choice: Choice, places: list[int], rooms: list[Spectrum], number: int, block: Spectrum
) -> Chosen:
    """What is chosen in the songs of a block; rooms lie ready for as many as are laid at once."""
    room = rooms.pop()
    try:
        counts = _counts(query, block, places, choice.size, room)
        return choice.of(number * DIGITS * query.shape[2], counts)
    finally:
        rooms.append(room)


def _numbers(spectrum: Spectrum) -> Floats:
    """A spectrum as a table of real numbers, a row for each frequency over remainders."""
    return spectrum.view(np.float64).reshape(len(spectrum), -1)


@cache
def _turning(turns: int) -> Floats:
    """What makes turns out of the sums and the differences of frequencies over remainders."""
    half = turns // 2
    angle = 2 * np.pi * np.arange(turns)[:, None] * np.arange(half + 1) / turns
    return np.ascontiguousarray(np.hstack([np.cos(angle), np.sin(angle[:, 1:half])]) / turns)
