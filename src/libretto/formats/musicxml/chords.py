"""Chord symbols: MusicXML ``harmony`` elements and our labels, and where in a bar they stand.

A label splits its bar into equal parts; a ``harmony`` stands at a moment. ``split_labels`` goes from moments
to parts and ``needed`` from parts to the fewest moments that read back as the same parts, so the two
agree by construction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from libretto.score.chords import NO_CHORD, is_chord, parse_chord, transpose_chord
from libretto.score.pitch import letter_name, parse_letter, spelling_range

__all__ = ["harmony_label", "harmony_xml", "needed", "split_labels"]

#: MusicXML kinds and the quality we write for them; further degrees follow where a kind lacks them.
_KINDS = {
    "major": "",
    "minor": "m",
    "augmented": "aug",
    "diminished": "dim",
    "dominant": "7",
    "major-seventh": "maj7",
    "minor-seventh": "m7",
    "diminished-seventh": "dim7",
    "augmented-seventh": "aug7",
    "half-diminished": "m7b5",
    "major-minor": "mMaj7",
    "major-sixth": "6",
    "minor-sixth": "m6",
    "dominant-ninth": "9",
    "major-ninth": "maj9",
    "minor-ninth": "m9",
    "dominant-11th": "11",
    "major-11th": "maj11",
    "minor-11th": "m11",
    "dominant-13th": "13",
    "major-13th": "maj13",
    "minor-13th": "m13",
    "suspended-second": "sus2",
    "suspended-fourth": "sus4",
    "power": "5",
    # not in the standard, or not chords of their own, but met in files
    "augmented-ninth": "aug7add9",
    "minor-major": "mMaj7",
    "diminished-minor-seventh": "m7b5",
    "Neapolitan": "",
    "Italian": "7",
    "French": "7b5",
    "German": "7",
    "Tristan": "m7b5",
    "pedal": "5",
}
_WRITTEN = {quality: kind for kind, quality in reversed(_KINDS.items())} | {"": "major", "m7b5": "half-diminished"}
_WRITTEN |= {"mMaj7": "major-minor", "7": "dominant", "5": "power"}
#: Qualities without a kind: the nearest kind and the degrees it lacks.
_BUILT = {
    "7sus4": ("suspended-fourth", ((7, 0, "add"),)),
    "69": ("major-sixth", ((9, 0, "add"),)),
    "m69": ("minor-sixth", ((9, 0, "add"),)),
    "mMaj9": ("major-minor", ((9, 0, "add"),)),
}
_SEVENTHS = ("7", "9", "11", "13")
_EXTRA = re.compile(r"(add|omit|no|)([b#+-]?)(13|11|2|3|4|5|6|7|9)|sus([24]?)")
_AFTER_ROOT = re.compile(r"((?:m?6/9)?[^/]*)(/.*)?\Z")
_ALTERED = re.compile(r"[b#+-](?=\d)")
_MOST_PARTS = 16
_NEAR = 1e-4


def harmony_label(harmony: Element, fifths: int, exact: bool) -> str | None:
    """The legal label nearest to a ``harmony`` element; None where it names no root.

    ``fifths`` moves a transposing part's chords to where they sound; ``exact`` trusts the text as written.
    """
    kind = harmony.find("kind")
    name = (kind.text or "").strip() if kind is not None else "major"
    text = kind.get("text", "") if kind is not None else ""
    if name == "none" or (harmony.find("root") is None and text.upper().replace(".", "") == "NC"):
        return NO_CHORD
    root = _letter(harmony.find("root"), "root")
    if root is None:
        return None
    bass = _letter(harmony.find("bass"), "bass")
    slash = f"/{letter_name(bass)}" if bass is not None and (bass != root or exact) else ""
    letter = letter_name(root)
    quality = _KINDS.get(name)
    choices = [text] if exact or quality is None else []
    quality = quality or ""
    degrees = [_degree(degree, quality) for degree in harmony.findall("degree")]
    choices += [_simplified(quality + "".join(degrees)), quality, ""]
    for choice in choices:
        if is_chord(letter + choice + slash):
            return transpose_chord(letter + choice + slash, fifths) if fifths else letter + choice + slash
    return letter


def _letter(element: Element | None, kind: str) -> int | None:
    """The spelling of a root or bass element."""
    if element is None:
        return None
    step = parse_letter((element.findtext(f"{kind}-step") or "").strip())
    alter = (element.findtext(f"{kind}-alter") or "0").strip()
    if step is None or not re.fullmatch(r"[+-]?\d{1,2}(\.\d{0,6})?", alter):
        return None
    return spelling_range(step + 7 * round(float(alter)))


def _degree(degree: Element, quality: str) -> str:
    """An added, altered or left-out degree as it follows a quality."""
    value = (degree.findtext("degree-value") or "").strip()
    alter = {"1": "#", "-1": "b"}.get((degree.findtext("degree-alter") or "0").strip(), "")
    kind = (degree.findtext("degree-type") or "add").strip()
    if kind == "subtract":
        return f"no{value}"
    if alter:
        return alter + value
    return value if kind == "alter" or quality.endswith(_SEVENTHS) else f"add{value}"


def _simplified(quality: str) -> str:
    """A kind with degrees as people write it."""
    return {"sus4add7": "7sus4", "6add9": "69", "m6add9": "m69", "mMaj79": "mMaj9", "aug7add9": "aug79"}.get(
        quality, quality
    )


def harmony_xml(label: str, hidden: bool = False, pretty: bool = False) -> tuple[str, str]:
    """A ``harmony`` element for a label, in two halves: an offset may stand between them.

    ``pretty`` shows alterations with real sharps and flats; such text does not read back as the same label.
    """
    shown = ' print-object="no"' if hidden else ""
    chord = parse_chord(label)
    if chord is None:
        root = "<root><root-step>C</root-step></root>"
        return f'<harmony{shown}>{root}<kind text="N.C.">none</kind>', "</harmony>\n"
    after = _AFTER_ROOT.match(label[len(letter_name(chord.root)) :])
    quality, slash = (after[1], after[2]) if after else (chord.quality, None)
    kind, degrees = _kind_of(quality)
    bass = _step_xml(chord.bass, "bass") if slash else ""
    added = "".join(
        f"<degree><degree-value>{value}</degree-value><degree-alter>{alter}</degree-alter>"
        f"<degree-type>{how}</degree-type></degree>"
        for value, alter, how in ([] if pretty else degrees)
    )
    shown_as = _ALTERED.sub(lambda found: "♭" if found[0] in "b-" else "♯", quality) if pretty else quality
    text = f"<kind text={quoteattr(shown_as)}>{escape(kind)}</kind>"
    return f"<harmony{shown}>{_step_xml(chord.root, 'root')}{text}{bass}{added}", "</harmony>\n"


def _step_xml(spelling: int, kind: str) -> str:
    name = letter_name(spelling)
    alter = name.count("#") - name.count("b")
    altered = f"<{kind}-alter>{alter}</{kind}-alter>" if alter else ""
    return f"<{kind}><{kind}-step>{name[0]}</{kind}-step>{altered}</{kind}>"


def _kind_of(quality: str) -> tuple[str, list[tuple[int, int, str]]]:
    """The kind that sounds the longest beginning of a quality, and the degrees that follow it."""
    for size in range(len(quality), -1, -1):
        head, tail = quality[:size], quality[size:]
        known = parse_chord("C" + head)
        if known is None or _EXTRA.sub("", tail).strip("(),"):
            continue
        for name in [*_WRITTEN, *_BUILT]:
            same = parse_chord("C" + name)
            if same is not None and same.classes == known.classes:
                kind, degrees = _BUILT[name] if name in _BUILT else (_WRITTEN[name], ())
                return kind, [*degrees, *_degrees(tail)]
    return "other", []


def _degrees(tail: str) -> list[tuple[int, int, str]]:
    found = []
    for word, sign, degree, suspended in _EXTRA.findall(tail):
        alter = {"b": -1, "-": -1, "#": 1, "+": 1}.get(sign, 0)
        if not degree:
            found += [(3, 0, "subtract"), (int(suspended or 4), 0, "add")]
        elif word in ("omit", "no"):
            found.append((int(degree), 0, "subtract"))
        else:
            found.append((int(degree), alter, "alter" if degree == "5" else "add"))
    return found


def split_labels(found: Sequence[tuple[Fraction, str]], carried: str | None, beats: int) -> tuple[str, ...]:
    """Equal parts of a bar from labels at moments (0 to 1), each held until the next.

    The smallest split on which every moment falls is taken, up to sixteen parts; other moments move to the
    nearest beat. ``carried`` is the label that still holds from before.
    """
    if not found:
        return (carried or NO_CHORD,)
    moments = [float(at) for at, _ in found]
    parts = next((n for n in (*range(1, _MOST_PARTS + 1), len(found)) if _falls_on(moments, n)), None)
    if parts is None:
        parts = min(max(beats, 1), _MOST_PARTS)
    slots: list[str | None] = [None] * parts
    for moment, (_, label) in zip(moments, found, strict=True):
        slots[min(parts - 1, max(0, round(moment * parts)))] = label
    labels, held = [], carried or NO_CHORD
    for slot in slots:
        held = slot or held
        labels.append(held)
    return tuple(labels)


def _falls_on(moments: Sequence[float], parts: int) -> bool:
    """Whether moments are different multiples of a part."""
    places = [round(moment * parts) for moment in moments]
    near = all(abs(moment * parts - place) < _NEAR for moment, place in zip(moments, places, strict=True))
    return near and len(set(places)) == len(places) and min(places) >= 0 and max(places) < parts


def needed(labels: Sequence[str], carried: str | None, beats: int) -> list[tuple[Fraction, str]]:
    """The fewest labels, with their moments, that ``split_labels`` reads back as those of the bar."""
    every = [(Fraction(index, len(labels)), label) for index, label in enumerate(labels)]
    changes, held = [], carried
    for moment, label in every:
        if label != held:
            changes.append((moment, label))
        held = label
    return changes if split_labels(changes, carried, beats) == tuple(labels) else every
