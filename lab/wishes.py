"""Wishes labelled by phrase, read and granted on a piece, and scored: ``python -m lab.wishes LABELS.json``.

A phrase counts as done where the reading has one of the same kind and the same value, after spelling both alike (bars
for places, voices for parts, one name of several for a change), and, for what is to be done or kept, where the piece
that comes of it is granted by measurement and nothing else has changed. It counts as given back where its words are
among those that were not understood; as wrong where the reading says something else there; as dropped otherwise. What
is labelled ``other`` is outside of what can be done: it counts as done where it is given back.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from libretto.agents import composer, run_task
from libretto.contract.places import find_places
from libretto.errors import LibrettoError
from libretto.score import QUARTER, Key, Note, Score, Voice
from libretto.tasks.revise import Request, RevisionTask, read_request, revise_task
from libretto.tasks.revise.scope import find_who, spans_of_place
from libretto.tasks.revise.task import strayed

__all__ = ["band_song", "main", "score_wish"]

_SECTIONS = ("Intro", "Verse 1", "Chorus 1", "Verse 2", "Chorus 2", "Bridge", "Chorus 3", "Outro")
_BARS = 4  # of each section
_CHORDS = {
    "Intro": ("C", "Am", "F", "G"), "Verse": ("C", "Am", "F", "G"), "Chorus": ("F", "G", "C", "Am"),
    "Bridge": ("Am", "Em", "F", "G"), "Outro": ("F", "G", "C", "C"),
}  # fmt: skip
_TONES = {"C": (60, 64, 67), "Am": (57, 60, 64), "F": (53, 57, 60), "G": (55, 59, 62), "Em": (52, 55, 59)}
_SAME = {
    "denser": "busier", "sparser": "fewer", "simpler": "fewer", "quieter": "softer", "more varied": "less repetition",
    "register lower": "lower", "register higher": "higher",
}  # fmt: skip


def band_song() -> Score:
    """A song of ours with the sections and parts that the labels speak of: flute, piano, strings, bass, drums."""
    tune: list[Note] = []
    piano: list[Note] = []
    strings: list[Note] = []
    bass: list[Note] = []
    drums: list[Note] = []
    bar, chords = 4 * QUARTER, []
    for number, label in enumerate(_SECTIONS):
        for index, chord in enumerate(_CHORDS[label.split()[0]]):
            start = (number * _BARS + index) * bar
            tones = _TONES[chord]
            chords.append((chord,))
            steps = (2, 1, 2, 0, 1, 2) if "Chorus" in label else (0, 1, 2, 1, 0, 1)
            for place, step in enumerate(steps):
                onset = start + (0, 2, 3, 4, 5, 6)[place] * QUARTER // 2
                length = QUARTER if place in (0, 5) else QUARTER // 2
                tune.append(_note(tones[step] + 12, onset, length, 84))
            for half in (0, 2):
                piano += [_note(tone, start + half * QUARTER, QUARTER, 70) for tone in tones]
                piano += [_note(tones[1], start + (half * 2 + 3) * QUARTER // 2, QUARTER // 2, 62)]
            strings += [_note(tone + 12, start, bar, 60) for tone in tones]
            low = tones[0] - 24
            bass += [_note(low, start + beat * QUARTER, QUARTER, 78) for beat in (0, 2)]
            bass += [_note(low + 7, start + 7 * QUARTER // 2, QUARTER // 2, 72)]
            drums += [
                Note(start + beat * QUARTER, QUARTER // 4, 36 if beat % 2 == 0 else 38, 90, 0) for beat in range(4)
            ]
            drums += [Note(start + eighth * QUARTER // 2, QUARTER // 4, 42, 64, 6) for eighth in range(8)]
    voices = [
        Voice.of("Melody", tune, 73), Voice.of("Piano", piano, 0), Voice.of("Strings", strings, 48),
        Voice.of("Bass", bass, 33), Voice.of("Drums", [_drum(note) for note in drums], 0, drums=True),
    ]  # fmt: skip
    sections = [(number * _BARS * bar, label) for number, label in enumerate(_SECTIONS)]
    return Score.build(voices, keys=[(0, Key.parse("C"))], sections=sections, chords=chords, title="A song")


def _note(pitch: int, onset: int, length: int, velocity: int) -> Note:
    return Note(onset, length, pitch, velocity, (pitch * 7 + 3) % 12 - 3)


def _drum(note: Note) -> Note:
    return note._replace(spelling=(note.pitch * 7 + 5) % 12 - 5)


def _voices(value: str, piece: Score) -> str:
    """A part as the voices that it means."""
    who = find_who(value, piece)
    return "+".join(sorted(who[0].names)).lower() if who and who[0].names else value


def _bars(value: str, piece: Score) -> str:
    """A place as its bars."""
    plain = value.lower().strip()
    if plain in ("whole", "all", "everything", ""):
        return "whole"
    into = plain.removeprefix("into ")
    named = find_places(into)
    if plain.startswith(("from ", "after ", "until ")):
        spans = spans_of_place(
            plain.split(" ", 1)[0] + " " + (named[0].value if named else plain.split(" ", 1)[1]), piece
        )
    else:
        spans = spans_of_place(
            ("into " if plain.startswith("into ") else "") + (named[0].value if named else into), piece
        )
    return str(spans) if spans else plain


def _spelled(kind: str, value: str, piece: Score) -> str:
    """A label or a reading spelled so that the same things are spelled the same."""
    low = value.lower().strip()
    if kind == "where":
        return _bars(low, piece)
    if kind == "who":
        return _voices(low, piece)
    if kind == "keep":
        return low if low in ("chords", "key", "tempo", "melody rhythm") else _voices(low, piece)
    low = _SAME.get(low, low)
    verb, _, rest = low.partition(" ")
    if low.startswith("add harmony"):
        return low.split(" melody")[0]
    if verb in ("remove", "mute", "add", "only"):
        return f"{'remove' if verb == 'mute' else verb} {_voices(rest, piece) if verb != 'add' else rest}"
    if verb in ("cut", "repeat", "start"):
        return f"{verb} {_bars(rest.removeprefix('with '), piece)[-9:]}"
    if verb == "move":
        what, how, where = (
            re.split(r" (before|after|at) ", rest, maxsplit=1)
            if re.search(r" (before|after|at) ", rest)
            else (rest, "", "")
        )
        return f"move {_bars(what, piece)} {how} {_bars(where, piece)}"
    if verb in ("swap", "double"):
        joint = " to " if verb == "swap" else " with "
        old, _, new = rest.partition(joint)
        return f"{verb} {_voices(old, piece)}{joint}{new}"
    if verb in ("lengthen", "shorten"):
        what, _, much = rest.partition(" by ")
        return f"{verb} {_bars(what, piece) if what != 'the piece' else 'whole'} {much}".strip()
    return low.replace(" melody", "")


def score_wish(row: dict[str, Any], piece: Score) -> list[tuple[str, dict[str, Any], str]]:
    """For every phrase of a labelled wish what became of it (done, given back, wrong, dropped), and why."""
    request = read_request(row["text"], piece)
    failed = _failed(request, piece)
    rows = []
    for label in row["phrases"]:
        rows.append((*_verdict(label, row["text"], request, piece, failed),))
    return [(verdict, label, why) for (verdict, why), label in zip(rows, row["phrases"], strict=True)]


def _failed(request: Request, piece: Score) -> list[str]:
    """What was claimed and not done, by measurement; empty where all is granted and nothing else has changed."""
    wishes = [wish for wish in request.wishes if wish.quality not in ("undo", "again")]
    if not wishes:
        return []
    try:
        run = run_task(revise_task(piece, wishes), composer("house"), rounds=3)
    except LibrettoError as error:
        return [str(error)]
    task = run.task
    if not isinstance(task, RevisionTask) or run.score is None:
        return ["no piece came"]
    if run.score.bar_lines != task.frame.score.bar_lines:
        return ["other bars"]
    lost = [wish.text for wish in wishes if not task.granted(run.score, wish)[0]]
    return [*lost, *strayed(task, run.score)]


def _verdict(label: dict[str, Any], text: str, request: Request, piece: Score, failed: list[str]) -> tuple[str, str]:
    at = text.find(label["words"])
    stop = at + len(label["words"])
    given_back = any(_share(words.partition(" (")[0], label["words"]) for words in request.unread)
    if label["kind"] == "other":
        return ("done", "") if given_back else ("dropped", "")
    wanted = _spelled(label["kind"], label["value"], piece)
    same = [phrase for phrase in request.heard if phrase.kind == label["kind"]]
    hit = [phrase for phrase in same if _spelled(phrase.kind, phrase.value, piece) == wanted]
    if hit:
        if label["kind"] in ("do", "keep") and failed:
            return "wrong", "claimed and not granted: " + "; ".join(failed)[:200]
        return "done", ""
    if given_back:
        return "given back", ""
    near = [phrase for phrase in same if phrase.start < stop and at < phrase.end]
    if near:
        return "wrong", f"read as {near[0].value!r}"
    return "dropped", f"heard: {[(p.kind, p.value) for p in request.heard]}"


def _share(unread: str, words: str) -> bool:
    one, two = (set(re.findall(r"\w+", side.lower())) for side in (unread, words))
    return bool(one and two) and 2 * len(one & two) >= min(len(one), len(two))


def main(arguments: list[str]) -> int:
    """Score a file of labelled wishes; print what is not done."""
    rows = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    piece, counts, claimed = band_song(), Counter[str](), 0
    for row in rows:
        shown = False
        request = read_request(row["text"], piece)
        for verdict, label, why in score_wish(row, piece):
            counts[verdict] += 1
            if verdict != "done":
                if not shown:
                    print(f"{row['id']} {row['text']}")
                    shown = True
                print(f"    {verdict}: {label['kind']} {label['value']!r} ({label['words']!r}) {why}")
        labelled = {_spelled("do", label["value"], piece) for label in row["phrases"] if label["kind"] == "do"}
        extra = [p.value for p in request.heard if p.kind == "do" and _spelled("do", p.value, piece) not in labelled]
        claimed += len(extra)
        if extra:
            print(f"{row['id']} reads more than is labelled: {extra}   | {row['text']}")
        if shown or extra:
            print(f"    unread: {list(request.unread)}")
    total = sum(counts.values())
    told = ", ".join(f"{counts[name]} {name}" for name in ("done", "given back", "wrong", "dropped"))
    print(f"{total} phrases: {told}; {(counts['done'] + counts['given back']) / max(1, total):.1%} done or given back; "
          f"{claimed} changes read that nobody labelled")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
