"""Wishes labelled by phrase, read and granted on a piece, and scored: ``python -m lab.wishes LABELS.json``.

A phrase counts as done where the reading has one of the same kind and the same value, after spelling both alike (bars
for places, voices for parts, one name of several for a change), and, for what is to be done or kept, where the piece
that comes of it is granted by measurement and nothing else has changed. Who and where count only with their change:
the nearest ``do`` before or after them in the order of the labels has to come to be about exactly those voices, or
those bars; a change that was read without them leaves them wrong. A change whose place stands in a label of its own
("lengthen by 4 bars", "the outro") is done where it is read with that place. A phrase counts as given back where its
words are among those that were not understood; as wrong where the reading says something else there; as dropped
otherwise. What is labelled ``other`` is outside of what can be done: it counts as done where it is given back.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from libretto.agents import composer, run_task
from libretto.contract.instruments import instrument_named
from libretto.errors import LibrettoError
from libretto.score import QUARTER, Key, Note, Score, Voice
from libretto.tasks.revise import Request, RevisionTask, read_request, revise_task
from libretto.tasks.revise.request import Phrase
from libretto.tasks.revise.scope import find_where, find_who
from libretto.tasks.revise.spots import spans_of_place
from libretto.tasks.revise.task import strayed

__all__ = ["band_song", "main", "score_wish"]

_SECTIONS = ("Intro", "Verse 1", "Chorus 1", "Verse 2", "Chorus 2", "Bridge", "Chorus 3", "Outro")
_BARS = 4  # of each section
_CHORDS = {
    "Intro": ("C", "Am", "F", "G"), "Verse": ("C", "Am", "F", "G"), "Chorus": ("F", "G", "C", "Am"),
    "Bridge": ("Am", "Em", "F", "G"), "Outro": ("F", "G", "C", "C"),
}  # fmt: skip
_TONES = {"C": (60, 64, 67), "Am": (57, 60, 64), "F": (53, 57, 60), "G": (55, 59, 62), "Em": (52, 55, 59)}
_OF_BARS = ("repeat", "cut", "lengthen", "shorten", "move", "start")  # whose place is in the change itself
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
    outer = {"end": "outro", "start": "intro", "beginning": "intro", "finale": "outro"}.get(plain, plain)
    return str(sorted(_numbers(outer, piece))) if _numbers(outer, piece) else plain


def _numbers(value: str, piece: Score) -> frozenset[int]:
    """The bars, by number, that a place means; all but some where it says so."""
    plain = value.lower().strip().removesuffix(" on")
    but = re.match(r"(?:all|everything|whole) (?:but|except) (?:the )?", plain)
    if but:
        return frozenset(piece.numbers) - _numbers(plain[but.end() :], piece)
    spans = spans_of_place(plain, piece)
    if not spans:
        spans = tuple(span for place in find_where(plain, piece) for span in spans_of_place(place.value, piece))
    return frozenset(number for one, two in spans for number in range(one, two + 1))


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
        places = _bars(rest.removeprefix("with "), piece)
        return f"{verb} {places.strip('[]').split(', ')[-1]}"
    if verb == "move":
        what, how, where = (
            re.split(r" (before|after|at) ", rest, maxsplit=1)
            if re.search(r" (before|after|at) ", rest)
            else (rest, "", "")
        )
        bars = _numbers(where, piece)
        target = "end" if not bars else str(max(bars) + 1 if how == "after" else min(bars)) if how != "at" else where
        return f"move {_bars(what, piece)} before {target}"
    if verb in ("swap", "double"):
        joint = " to " if verb == "swap" else " with "
        old, _, new = rest.partition(joint)
        player = instrument_named(new.replace("fiddle", "violin"))
        called = str(player.program) if player is not None else new
        return f"{verb} {_voices(old, piece)}{joint}{called}".removesuffix(joint)
    if verb in ("lengthen", "shorten"):
        what, _, much = f" {rest}".rpartition(" by ") if " by " in f" {rest}" else (rest, "", "")
        what = what.strip() or "the piece"
        return f"{verb} {_bars(what, piece) if what != 'the piece' else 'whole'} {much}".strip()
    return low.replace(" melody", "")


def score_wish(row: dict[str, Any], piece: Score) -> list[tuple[str, dict[str, Any], str]]:
    """For every phrase of a labelled wish what became of it (done, given back, wrong, dropped), and why."""
    request = read_request(row["text"], piece)
    failed = _failed(request, piece)
    labels = row["phrases"]
    rows = []
    for place, label in enumerate(labels):
        verdict, why = _verdict(_whole_label(labels, place), row["text"], request, piece, failed)
        if label["kind"] in ("who", "where") and verdict != "given back":
            verdict, why = _belonging(labels, place, request, piece, (verdict, why))
        rows.append((verdict, label, why))
    return rows


def _near_changes(labels: list[dict[str, Any]], place: int) -> list[dict[str, Any]]:
    """The changes that stand nearest to a label, before and after it."""
    ways = (range(place - 1, -1, -1), range(place + 1, len(labels)))
    found = [next((at for at in way if labels[at]["kind"] in ("do", "keep")), None) for way in ways]
    return [_whole_label(labels, at) for at in found if at is not None]


def _whole_label(labels: list[dict[str, Any]], place: int) -> dict[str, Any]:
    """A label, with its place where that is what is made longer or shorter and has a label of its own."""
    label = labels[place]
    named = re.fullmatch(r"(lengthen|shorten|repeat|cut)((?: by .*)?)", label["value"].lower())
    if label["kind"] != "do" or not named:
        return label
    near = [other for other in labels[max(0, place - 1) : place + 2] if other["kind"] == "where"]
    return {**label, "value": f"{named[1]} {near[0]['value']}{named[2]}"} if near else label


def _belonging(
    labels: list[dict[str, Any]], place: int, request: Request, piece: Score, read: tuple[str, str]
) -> tuple[str, str]:
    """Whether a part or a place goes with the change that it is labelled with; as read where that was not read."""
    label = labels[place]
    near = [hit for change in _near_changes(labels, place) for hit in _hits(change, request, piece)]
    if not near:
        return read
    if label["kind"] == "where":
        wanted = _numbers(label["value"], piece) or frozenset(piece.numbers)
        ways = [frozenset(n for one, two in hit.spans for n in range(one, two + 1)) for hit in near]
        fine = wanted in ways or any(hit.value.split()[0] in _OF_BARS for hit in near)
    else:
        wanted_names = _voices(label["value"], piece)
        fine = any(wanted_names in ("+".join(sorted(hit.voices)).lower(), "") for hit in near)
        fine = fine or any(set(wanted_names.split("+")) <= set(re.findall(r"[\w ]+", hit.value)) for hit in near)
        fine = fine or any(name in hit.value for hit in near for name in wanted_names.split("+"))
    told = "; ".join(f"{hit.value}: {', '.join(hit.voices) or 'everyone'} {hit.spans}" for hit in near)
    return ("done", "") if fine else ("wrong", f"goes with no change: {told}")


def _hits(label: dict[str, Any], request: Request, piece: Score) -> list[Phrase]:
    """The phrases of a reading that say what a label says."""
    wanted = _spelled(label["kind"], label["value"], piece)
    same = [phrase for phrase in request.heard if phrase.kind == label["kind"]]
    spelled = [(phrase, _spelled(phrase.kind, phrase.value, piece)) for phrase in same]
    return [phrase for phrase, value in spelled if value == wanted or value.startswith(f"{wanted} with ")]


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
    same = [phrase for phrase in request.heard if phrase.kind == label["kind"]]
    if _hits(label, request, piece):
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
        known = [
            phrase
            for place, label in enumerate(row["phrases"])
            for phrase in _hits(_whole_label(row["phrases"], place), request, piece)
            if label["kind"] == "do"
        ]
        extra = [phrase.value for phrase in request.heard if phrase.kind == "do" and phrase not in known]
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
