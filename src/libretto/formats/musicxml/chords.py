"""Chord symbols: MusicXML ``harmony`` elements and our labels, both ways."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from libretto.score.chords import NO_CHORD, is_chord, parse_chord, transpose_chord
from libretto.score.pitch import letter_name, parse_letter, spelling_range

__all__ = ["harmony_label", "harmony_xml"]

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
_SHARP = 7  # fifths from a letter to its sharp


def harmony_label(harmony: Element, fifths: int, exact: bool) -> str | None:
    """The legal label nearest to a ``harmony`` element; None where it names no root.

    ``fifths`` moves a transposing part's chords to where they sound; ``exact`` trusts the text as written.
    """
    kind = harmony.find("kind")
    name, text = ((kind.text or "").strip(), kind.get("text", "")) if kind is not None else ("major", "")
    if name == "none" or (harmony.find("root") is None and text.upper().replace(".", "") == "NC"):
        return NO_CHORD
    root, bass = _letter(harmony.find("root"), "root"), _letter(harmony.find("bass"), "bass")
    if root is None:
        return None
    letter = letter_name(root)
    slash = f"/{letter_name(bass)}" if bass is not None and (bass != root or exact) else ""
    for quality in _qualities(harmony, name, text, exact):
        label = letter + quality + slash
        if is_chord(label):
            return transpose_chord(label, fifths) if fifths else label
    return letter


def _qualities(harmony: Element, kind: str, text: str, exact: bool) -> list[str]:
    """What may follow the root, the best first: the text as written, the kind with its degrees, the kind, nothing."""
    quality = _KINDS.get(kind)
    as_written = [text] if exact or quality is None else []
    quality = quality or ""
    degrees = [_degree(degree, quality) for degree in harmony.findall("degree")]
    return [*as_written, _simplified(quality + "".join(degrees)), quality, ""]


def _letter(element: Element | None, kind: str) -> int | None:
    """The spelling of a root or bass element."""
    if element is None:
        return None
    step = parse_letter((element.findtext(f"{kind}-step") or "").strip())
    alter = (element.findtext(f"{kind}-alter") or "0").strip()
    if step is None or not re.fullmatch(r"[+-]?\d{1,2}(\.\d{0,6})?", alter):
        return None
    return spelling_range(step + _SHARP * round(float(alter)))


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
        root = '<root><root-step text="">C</root-step></root>'  # the letter is asked for by the format, and not shown
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
    shown_as = _ALTERED.sub(lambda sign: "♭" if sign[0] in "b-" else "♯", quality) if pretty else quality
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
    degrees = []
    for word, sign, degree, suspended in _EXTRA.findall(tail):
        alter = {"b": -1, "-": -1, "#": 1, "+": 1}.get(sign, 0)
        if not degree:
            degrees += [(3, 0, "subtract"), (int(suspended or 4), 0, "add")]
        elif word in ("omit", "no"):
            degrees.append((int(degree), 0, "subtract"))
        else:
            degrees.append((int(degree), alter, "alter" if degree == "5" else "add"))
    return degrees
