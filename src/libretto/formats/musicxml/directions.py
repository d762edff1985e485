"""What stands over the notes, as it is read: tempo, dynamics, words, sections, and signs that order the play."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from libretto.formats.musicxml.lasting import LASTING, LinesReader
from libretto.formats.musicxml.notations import dynamics_of
from libretto.formats.musicxml.written import Bar, Moment, Time, number, plain
from libretto.score import legal_name
from libretto.score.time import micros_of_bpm
from libretto.score.voice import DEFAULT_VELOCITY

__all__ = ["ORDERS", "DirectionReader", "staff_of"]

_UNITS = {"breve": 8.0, "whole": 4.0, "half": 2.0, "quarter": 1.0, "eighth": 0.5, "16th": 0.25, "32nd": 0.125}
#: Velocities of the usual marks, for files that draw a mark without saying how it sounds.
_MARKS = {"pppp": 16, "ppp": 24, "pp": 36, "p": 49, "mp": 64, "mf": 80, "f": 96, "ff": 112, "fff": 124, "ffff": 127}
_FULL_VELOCITY = 90  # what 100 percent means
_SECTION = re.compile(r"(intro(duction)?|verse|(pre-?)?chorus|refrain|bridge|interlude|outro)( \w{1,3})?[.:]?\Z", re.I)
_WORDS = (
    ("da_capo", re.compile(r"(\w\. ?)?d\. ?c\.|da capo", re.I)),
    ("dal_segno", re.compile(r"d\. ?s\.|dal segno", re.I)),
    ("fine", re.compile(r"fine\.?\Z", re.I)),
    ("to_coda", re.compile(r"to coda", re.I)),
    ("coda", re.compile(r"coda\Z", re.I)),
)
_KEPT = ("damp", "eyeglasses", "other-direction", "principal-voice", "string-mute", "symbol")
_LOUDEST = 127
_MOST_DOTS = 4
#: Attributes of ``sound`` that order the play, and the signs that they are.
ORDERS = {
    "dacapo": "da_capo",
    "dalsegno": "dal_segno",
    "segno": "segno",
    "coda": "coda",
    "tocoda": "to_coda",
    "fine": "fine",
    "forward-repeat": "forward",
}
#: Words that are about the tempo wherever they stand: the usual Italian, German and French ones.
_TEMPO = re.compile(
    r"((poco|molto|più|piu|meno|assai|non|un|sempre|sehr|etwas|ziemlich|nicht( zu)?|mit|im|très|tres|assez|un peu)\W+)*"
    r"(allegr|andant|adag|larg|lent|prest|moderat|vivac|vivo|grave|rit\b|ritard|riten|rall|accel|string|a tempo"
    r"|tempo|mosso|langsam|schnell|rasch|lebhaft|mässig|mäßig|massig|bewegt|vif|modéré|doppio|l'istesso|slow|fast)",
    re.I,
)


class DirectionReader:
    """The running state of one part: how loud it plays, what was said over it, which lines are open."""

    def __init__(self, leads: bool, exact: bool) -> None:
        self.leads, self.exact = leads, exact
        self.velocity = DEFAULT_VELOCITY
        self.lines = LinesReader()
        self.moments = self.lines.moments

    def velocity_of(self, note: Element) -> int:
        """How hard a note is played: its own dynamics, else what the part has come to."""
        own = note.get("dynamics")
        return _velocity(own) if own else self.velocity

    def direction(self, element: Element, bar: Bar, at: Time) -> None:
        """Add what a direction says to the bar."""
        sound = element.find("sound")
        said = {*sound.attrib, *(child.tag for child in sound)} if sound is not None else set()
        if sound is not None:
            self.sound(sound, bar, at)
        micros = next(filter(None, map(_metronome, element.findall("direction-type/metronome"))), None)
        if micros and "tempo" not in said:
            bar.tempos.setdefault(round(at), micros)
        staff = staff_of(element)
        system = element.get("system") == "only-top" or (not self.exact and ("tempo" in said or micros is not None))
        for kind in element:
            if kind.tag == "direction-type":
                for child in kind:
                    if child.tag in LASTING:
                        self.lines.read(child, bar.index, at, staff)
                    elif child.tag == "words":
                        self._words(plain(child.text), bar, at, staff, said, system)
                    else:
                        self._drawn(child, bar, at, staff, said)

    def _drawn(self, child: Element, bar: Bar, at: Time, staff: int, said: set[str]) -> None:
        """Add what one printed sign says to the bar; what a ``sound`` beside it says counts instead of the ink."""
        if child.tag == "rehearsal":
            text = plain(child.text)
            if text:
                bar.sections.append(legal_name(text, fallback="Section", label=True))
        elif child.tag in ("segno", "coda"):
            if not said & {"dalsegno", "tocoda"}:
                setattr(bar.signs, child.tag, True)
        elif child.tag == "dynamics":
            for value in dynamics_of(child):
                self.moments.append(Moment(bar.index, at, "dynamics", value, staff))
            if "dynamics" not in said:
                self.velocity = next((_MARKS[mark.tag] for mark in child if mark.tag in _MARKS), self.velocity)

        elif child.tag in _KEPT:
            value = child.get("type", "") or plain(child.text)
            self.moments.append(Moment(bar.index, at, child.tag, value, staff))

    def _words(self, text: str, bar: Bar, at: Time, staff: int, said: set[str], system: bool) -> None:
        """Add printed words, and what they mean: the name of a section, or a sign that orders the play."""
        if not text or (self.exact and (not said.isdisjoint(ORDERS) or "swing" in said)):
            return  # words that our own writer drew for a sign
        if not self.exact:
            _read_words(text, bar)
        if self.leads and (system or (not self.exact and _TEMPO.match(text))):
            bar.words.append((at, text))
        else:
            self.moments.append(Moment(bar.index, at, "words", text, staff))

    def sound(self, element: Element, bar: Bar, at: Time) -> None:
        """Add what a sound element orders to the bar."""
        tempo, dynamics = element.get("tempo"), element.get("dynamics")
        if tempo:
            bpm = float(number(tempo, "tempo"))
            if bpm > 0:
                bar.tempos.setdefault(round(at), micros_of_bpm(bpm))
        if dynamics:
            self.velocity = _velocity(dynamics)
        swing = element.find("swing") if len(element) else None
        if swing is not None:
            parts = [(swing.findtext(name) or "").strip() for name in ("first", "second")]
            if all(re.fullmatch(r"\d{1,2}", part) for part in parts):
                bar.swings.append((at, ":".join(parts)))
        for name in element.keys() & ORDERS.keys():
            if element.get(name, "no") != "no":
                setattr(bar.signs, ORDERS[name], True)


def staff_of(element: Element) -> int:
    """The staff that something stands at, where it is not the first."""
    text = (element.findtext("staff") or "").strip()
    return int(text) if len(text) == 1 and text in "23456789" else 0


def _read_words(text: str, bar: Bar) -> None:
    """Add what printed words mean to the bar."""
    if _SECTION.match(text):
        bar.spoken.append(legal_name(text, fallback="Section", label=True))
        return
    sign = next((sign for sign, pattern in _WORDS if pattern.match(text)), None)
    if sign is not None:
        setattr(bar.signs, sign, True)


def _velocity(percent: str) -> int:
    return max(1, min(_LOUDEST, round(number(percent, "dynamics") * _FULL_VELOCITY / 100)))


def _metronome(element: Element) -> int | None:
    """Microseconds a quarter from a printed metronome mark; None where it gives no figure."""
    unit = _UNITS.get((element.findtext("beat-unit") or "").strip())
    figure = re.search(r"\d{1,4}(\.\d{1,6})?", element.findtext("per-minute") or "")
    if unit is None or figure is None or not float(figure[0]):
        return None
    dots = len(element.findall("beat-unit-dot"))
    return micros_of_bpm(float(figure[0]) * unit * (2 - 0.5 ** min(dots, _MOST_DOTS)))
