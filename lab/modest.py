"""Compose modest briefs, few players and few bars, and count what our own gates refuse: ``python -m lab.modest``.

Nothing is tuned by these: they show whether a piece as it was asked for is held against its like.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from lab.checkout import run
from libretto.agents import composer, run_task
from libretto.corpus.forces import cell_of
from libretto.tasks import compose_task

__all__ = ["BRIEFS", "main"]

#: Ordinary wishes for few instruments or few bars; the last ones are of no genre that a cloud knows.
BRIEFS = (
    "A gentle lullaby for solo piano in F major, 16 bars",
    "A slow air for solo flute in D minor, 12 bars, 3/4",
    "A short study for solo guitar in E minor, 16 bars",
    "An unaccompanied cello prelude in G major, 24 bars",
    "A playful tune for solo clarinet, 8 bars",
    "A quiet nocturne for solo piano in C# minor, 32 bars",
    "A solo violin reel in A major, 16 bars, fast",
    "A duo for violin and cello in G major, 16 bars",
    "A bossa nova duo for flute and guitar, 24 bars",
    "A waltz for accordion and violin in A minor, 32 bars",
    "A jazz ballad for saxophone and piano, 16 bars, Eb major",
    "Two trumpets play a fanfare in Bb major, 8 bars",
    "A blues for harmonica and guitar, 12 bars in E",
    "A sad song for voice and piano in D minor, 20 bars",
    "A tango for violin and piano, 16 bars, D minor",
    "A country tune for fiddle and banjo, 16 bars in G",
    "A chamber duet for oboe and bassoon in F major, 24 bars",
    "A walking blues for double bass and piano, 12 bars in F",
    "A jazz trio for piano, bass and drums, 32 bars, medium swing",
    "A piano trio for violin, cello and piano, 24 bars, D major, minuet",
    "A folk trio: mandolin, guitar and bass, 16 bars in D",
    "A power trio of electric guitar, bass and drums, 16 bars, E minor, rock",
    "A trio for flute, viola and harp in A flat major, 20 bars",
    "A funk groove for clavinet, bass and drums, 8 bars",
    "An organ trio plays soul jazz: organ, guitar, drums, 24 bars",
    "A string quartet in C minor, 32 bars, slow",
    "A saxophone quartet in Bb major, 16 bars, lively",
    "A hymn for four voices, soprano, alto, tenor and bass, 16 bars in G major, no drums",
    "A reggae groove for guitar, organ, bass and drums, 16 bars",
    "A brass quartet chorale in E flat major, 12 bars",
    "A surf tune for two guitars, bass and drums, 24 bars in A minor",
    "A calypso for steel drums, bass and drums, 16 bars in C",
    "A lo-fi beat with electric piano, bass and drums, 8 bars",
    "An ambient piece for pads and piano, 16 bars, slow",
    "A march for piccolo, trumpet and drums, 16 bars in B flat",
    "Kora and djembe play a gentle dance in F major, 16 bars",
    "A raga-like tune for sitar and tabla, 16 bars in D",
    "A shakuhachi and koto piece in A minor, 20 bars",
    "Bagpipes and drums, 16 bars, a slow march",
    "A klezmer dance for clarinet and accordion, 24 bars in D minor",
)


def main(arguments: Sequence[str]) -> None:
    """Compose each brief with seed 0, once, and say which gates refused it."""
    refused: Counter[str] = Counter()
    passing = 0
    for brief in BRIEFS:
        best = run_task(compose_task(brief), composer("house", 0), rounds=1, seed=0).best
        verdict = best.verdict
        failed = [name for name, outcome in verdict.outcomes.items() if not outcome.passed] if verdict else ["reading"]
        refused.update(failed)
        passing += not failed
        cell = cell_of(best.score).key if best.score else "nothing"
        print(f"{'passes' if not failed else 'FAILS '} {brief} [{cell}] {', '.join(failed)}", flush=True)
        if verdict and "-v" in arguments:
            for name in failed:
                print(f"    {name}: {verdict.outcomes[name].note}")
            for finding in verdict.findings:
                print(f"    {finding.gate}: {finding.text}")
    print(f"{passing} of {len(BRIEFS)} pass; refused by " + ", ".join(f"{k} {n}" for k, n in refused.most_common()))


if __name__ == "__main__":
    run(main, sys.argv[1:])
