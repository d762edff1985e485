from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from libretto.score import Key, Meter, Chord, parse_chord
from libretto.house.tune.themes import Theme, TuneNote
from libretto.house.arrange.relative import moved, root_move
@dataclass(frozen=True)
class Room:
    key: Key; meter: Meter; bars: int; first: int
    chord_at: Callable[[int], Chord | None]
    low: int; high: int
    height: float = 0.5
    peak: float | None = None
    last: bool = False
    scale: frozenset[int] | None = None
    kind: str = ""
    bare: bool = False
    leap: float = 0.5
    busy: float = 0.0
@dataclass(frozen=True)
class Grown:
    notes: tuple[TuneNote, ...]
    ideas: Any = None
def grow(theme, room, seed, *, other=None):
    T=room.meter.ticks; out=[]
    for rep in range(0, room.bars, theme.bars):
        for n in theme.notes:
            b=n.start//T+rep
            if b>=room.bars: continue
            bar=max(0,n.start//T)
            labels=theme.chords[bar]; i=min(len(labels)-1,(n.start%T)*len(labels)//T)
            old=parse_chord(labels[i]); new=room.chord_at(room.first*T+rep*T+max(0,n.start))
            p=n.pitch
            if old and new:
                p=moved(p,old,frozenset(theme.key.classes),new,frozenset(room.key.classes),root_move(old,new,0))
            while p<room.low: p+=12
            while p>room.high: p-=12
            out.append(TuneNote(n.start+rep*T,n.length,p,n.accent))
    return Grown(tuple(out),theme)
def again(grown, room, seed, how):
    return grow(grown.ideas, room, seed)
def answer(grown, room, seed):
    return Grown(())
def counter(grown, room, seed):
    return Grown(tuple(TuneNote(b*room.meter.ticks,room.meter.ticks,60) for b in range(room.bars)))
def sketch_theme(meter,bars,seed,kind=""): raise NotImplementedError
