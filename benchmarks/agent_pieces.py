# ruff: noqa: E501  (texts of the grammar stand as they are sent)
"""Five briefs and how an agent makes a piece of each, call by call, with texts and operations; our own music."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["PIECES", "Made", "Stage"]

Patch = dict[str, Any]


class Stage(NamedTuple):
    """One call of ``write``: what it is for, its patches, and the bars that the agent reads before it ("" for none)."""

    message: str
    patches: list[Patch]
    read: str = ""


class Made(NamedTuple):
    """A piece: its name, its brief, and the calls that make it."""

    name: str
    brief: str
    stages: list[Stage]


def text(said: str) -> Patch:
    """A text for some bars."""
    return {"text": said.strip("\n")}


def chords(bars: str, said: str) -> Patch:
    """Chord labels, an entry a bar."""
    return {"op": "chords", "bars": bars, "chords": said.split()}


def copy(bars: str, to: str, voices: str, by: str | int | None = "chords", into: str = "") -> Patch:
    """Bars of a voice copied, along the chords unless another interval is said."""
    step: Patch = {"op": "copy", "bars": bars, "to": to, "voices": voices}
    step |= {"by": by} if by is not None else {}
    return step | ({"into": into} if into else {})


def velocity(bars: str, voices: str, *curve: int) -> Patch:
    """Velocities along a curve."""
    return {"op": "velocity", "bars": bars, "voices": voices, "curve": list(curve)}


WALTZ = Made(
    "waltz",
    "A slow waltz in D minor over 32 bars for flute, piano and cello",
    [
        Stage(
            "title, sections, chords",
            [
                {"op": "title", "title": "Slow Turn"},
                {"op": "sections", "at": {"1": "A", "9": "A 2", "17": "B", "25": "A 3"}},
                chords("1-16,25-32", "Dm Dm Gm A7 Dm Bb A7 Dm"),
                chords("17-24", "F C7 F F Bb C7 F A7"),
            ],
        ),
        Stage(
            "piano",
            [text("@1\n  Piano: D3@1>4^72 F3+A3+D4@5>3^56 F3+A3+D4@9>3^52"), copy("1", "2-32", "Piano")],
        ),
        Stage(
            "cello",
            [
                text("@1\n  Cello: D2@1>12^70\n@2\n  Cello: A2@1>8^66 D3@9>4^62"),
                copy("1-2", "3-32", "Cello"),
            ],
        ),
        Stage(
            "theme",
            [
                text("""
@1
  Flute: A4@1>4^70 D5@5>6^78 E5@11>2^70
@2
  Flute: F5@1>8^84 E5@9>2^74 D5@11>2^70
@3
  Flute: Bb5@1>6^90 A5@7>2^80 G5@9>4^76
@4
  Flute: E5@1>8^80 C#5@9>4^72
@5
  Flute: A4@1>4^70 D5@5>6^78 E5@11>2^70
@6
  Flute: F5@1>4^84 D5@5>4^76 Bb4@9>4^70
@7
  Flute: A4@1>4^72 C#5@5>4^76 E5@9>4^78
@8
  Flute: D5@1>10^74"""),
                copy("1-8", "9-16,25-32", "Flute", None),
            ],
        ),
        Stage(
            "middle",
            [
                text("""
@17
  Flute: C5@1>4^76 F5@5>4^82 A5@9>4^86
@18
  Flute: G5@1>6^84 E5@7>2^76 Bb4@9>4^74
@19
  Flute: A4@1>4^72 C5@5>4^76 F5@9>4^80
@20
  Flute: A5@1>10^88
@21
  Flute: D5@1>4^76 F5@5>4^80 Bb5@9>4^88
@22
  Flute: A5@1>2^84 G5@3>2^80 E5@5>4^78 C5@9>4^74
@23
  Flute: F5@1>8^80 A4@9>4^70
@24
  Flute: C#5@1>6^74 E5@7>2^76 G5@9>4^80"""),
            ],
            "13-20",
        ),
        Stage(
            "what the findings said: breathe in the middle, a last bar that closes",
            [
                {"op": "thin", "bars": "17-24", "voices": "Piano", "share": 0.3},
                velocity("25-32", "Piano,Cello", 62, 50),
                text(
                    "@16\n  Flute: D5@1>6^70 E5@7>2^66 F5@9>4^72\n@31\n  Flute: A4@1>6^64 C#5@7>6^60\n@32\n  Flute: D5@1>12^54"
                ),
            ],
            "29-32",
        ),
    ],
)

BOSSA = Made(
    "bossa",
    "A bossa nova in A minor for flute, guitar, bass and drums over 32 bars",
    [
        Stage(
            "sections, chords, a nylon guitar",
            [
                {"op": "sections", "at": {"1": "A", "9": "A 2", "17": "B", "25": "A 3"}},
                {"op": "program", "voices": "Guitar", "program": 24},
                chords("1-16,25-32", "Am7 Am7 D7 D7 Bm7b5 E7 Am7 E7"),
                chords("17-24", "Dm7 G7 Cmaj7 Fmaj7 Bm7b5 E7 Am7 A7"),
            ],
        ),
        Stage(
            "drums",
            [
                text("""
@1
  Drums: C2@1>2^80 F#2@1>1^52 F#2@3>1^40 C#2@4>1^60 F#2@5>1^50 F#2@7>1^42 C2@8>1^64 C#2@8>1^56 C2@9>2^80 F#2@9>1^52 F#2@11>1^40 C#2@12>1^60 F#2@13>1^50 F#2@15>1^42 C2@16>1^64
@2
  Drums: C2@1>2^80 F#2@1>1^52 C#2@3>1^60 F#2@3>1^40 F#2@5>1^50 C#2@7>1^58 F#2@7>1^42 C2@8>1^64 C2@9>2^80 F#2@9>1^52 C#2@11>1^56 F#2@11>1^40 F#2@13>1^50 C#2@14>1^60 F#2@15>1^42 C2@16>1^64"""),
                copy("1-2", "3-32", "Drums", None),
            ],
        ),
        Stage(
            "bass and guitar",
            [
                text("""
@1
  Guitar: C4+E4+G4@1>2^64 C4+E4+G4@4>3^58 C4+E4+G4@9>2^62 C4+E4+G4@12>1^54 C4+E4+G4@15>2^60
  Bass: A1@1>6^84 E2@8>1^70 E2@9>6^80 A1@16>1^70
@2
  Guitar: C4+E4+G4@3>2^60 C4+E4+G4@7>3^58 C4+E4+G4@11>2^60 C4+E4+G4@14>3^58
  Bass: A1@1>6^82 E2@8>1^70 E2@9>6^80 E2@16>1^68"""),
                copy("1-2", "3-32", "Guitar,Bass"),
            ],
        ),
        Stage(
            "tune",
            [
                text("""
@1
  Flute: E5@3>3^76 D5@6>1^68 C5@7>4^74 A4@12>5^70
@2
  Flute: C5@5>2^68 D5@7>2^72 E5@9>7^80
@3
  Flute: F#5@3>3^82 E5@6>1^72 D5@7>4^76 A4@12>5^72
@4
  Flute: C5@5>2^70 D5@7>2^74 F#5@9>7^82
@5
  Flute: F5@3>3^80 E5@6>1^70 D5@7>4^74 B4@12>5^70
@6
  Flute: G#4@5>2^68 B4@7>2^70 D5@9>4^76 E5@13>3^78
@7
  Flute: C5@1>8^74 B4@9>2^68 A4@11>6^70
@8
  Flute: B4@9>2^66 C5@11>2^70 D5@13>4^74"""),
                copy("1-8", "9-16,25-32", "Flute", None),
                text("""
@17
  Flute: A5@1>3^86 F5@4>3^78 D5@7>2^72 F5@9>6^80
@18
  Flute: G5@1>3^84 F5@4>3^76 D5@7>2^70 B4@9>6^74
@19
  Flute: E5@3>3^78 G5@6>3^82 B5@9>6^88
@20
  Flute: A5@1>6^84 G5@7>2^76 E5@9>6^76"""),
                copy("17-18", "21-22", "Flute"),
                copy("1", "23-24", "Flute", "chords"),
            ],
        ),
        Stage(
            "what the findings said: softer guitar under the tune, rise in B, an ending",
            [
                velocity("17-24", "Guitar,Bass", 58, 74),
                {"op": "silence", "bars": "32", "voices": "Drums"},
                text("@32 [Am7]\n  Flute: A4@1>16^60\n  Guitar: C4+E4+G4@1>16^50\n  Bass: A1@1>16^62"),
            ],
            "15-18",
        ),
        Stage("a little slower", [{"op": "tempo", "bpm": 120}]),
    ],
)

BLUES = Made(
    "blues",
    "A 12-bar blues in E major for electric guitar, organ, bass and drums over 24 bars",
    [
        Stage("chords", [chords("1-24", "E7 A7 E7 E7 A7 A7 E7 E7 B7 A7 E7 B7")]),
        Stage(
            "drums and bass",
            [
                text("""
@1 (grid:12t)
  Bass: E1@1>3^88 G#1@4>3^80 B1@7>3^82 C#2@10>3^80
  Drums: C2@1>1^96 D#3@1>1^70 D#3@3>1^56 D2@4>1^92 D#3@4>1^70 D#3@6>1^56 C2@7>1^90 D#3@7>1^70 D#3@9>1^56 D2@10>1^92 D#3@10>1^70 D#3@12>1^58"""),
                copy("1", "2-24", "Bass"),
                copy("1", "2-24", "Drums", None),
            ],
        ),
        Stage(
            "organ",
            [
                text("@1\n  Organ: G#3+B3+D4@3>1^66 G#3+B3+D4@6>4^60\n@2\n  Organ: C#4+E4+G4@3>1^66 C#4+E4+G4@6>4^60"),
                copy("1", "3-24", "Organ"),
            ],
        ),
        Stage(
            "a riff and its answers",
            [
                text("""
@1
  Electric Guitar: E4@3>1^84 G4@4>2^92 G#4@6>1^80 B4@7>3^94 C#5@10>1^82 B4@12>1^78
@2
  Electric Guitar: E4@3>1^84 G4@4>2^92 A4@6>1^80 C#5@7>3^94 E5@10>3^86
@3
  Electric Guitar: D5@1>2^90 B4@3>1^80 G#4@4>3^84 E4@9>4^82"""),
                copy("1-3", "5-7,13-15,17-19", "Electric Guitar", None),
                text("""
@9
  Electric Guitar: F#5@1>2^96 D#5@3>1^84 B4@4>2^86 A4@6>1^80 B4@7>6^88
@10
  Electric Guitar: E5@1>2^94 C#5@3>1^82 A4@4>2^84 G4@6>1^80 A4@7>6^86
@11
  Electric Guitar: G#4@1>2^84 B4@3>1^80 D5@4>2^88 B4@6>1^80 G#4@7>2^82 E4@9>4^84
@12
  Electric Guitar: B3@4>2^78 D#4@6>1^80 F#4@7>2^84 A4@9>4^88"""),
                copy("9-12", "21-24", "Electric Guitar", None),
            ],
        ),
        Stage(
            "what the findings said: build the second chorus, close on the tonic",
            [
                velocity("13-24", "Organ", 58, 84),
                velocity("13-24", "Drums", 74, 92),
                text("""
@24 [E7]
  Electric Guitar: E4@1>2^90 G4@3>1^84 G#4@4>9^92
  Organ: G#3+B3+D4@1>12^80
  Bass: E1@1>12^92
  Drums: C2@1>3^104 C#3@1>12^96"""),
            ],
            "11-14",
        ),
        Stage(
            "the organ waits in the first four bars",
            [{"op": "silence", "bars": "1-4", "voices": "Organ"}],
        ),
    ],
)

MINUET = Made(
    "minuet",
    "A minuet in G major for string quartet over 32 bars",
    [
        Stage(
            "title, sections, chords",
            [
                {"op": "title", "title": "Minuet"},
                {"op": "sections", "at": {"1": "Minuet", "17": "Trio", "25": "Minuet again"}},
                chords("1-8", "G G C G D7 G D D7"),
                chords("9-16,25-32", "G G C G D7 G D7 G"),
                chords("17-24", "Em Am D7 G Em Am B7 Em"),
            ],
        ),
        Stage(
            "cello and viola",
            [
                text("""
@1
  Viola: B3@1>4^62 D4@5>4^56 D4@9>4^54
  Cello: G2@1>8^70 B2@9>4^62
@2
  Viola: B3@1>4^62 D4@5>4^56 B3@9>4^54
  Cello: G2@1>4^70 D3@5>4^60 G2@9>4^60"""),
                copy("1-2", "3-32", "Viola,Cello"),
            ],
        ),
        Stage(
            "theme",
            [
                text("""
@1
  Violin: D5@1>4^78 G4@5>2^68 A4@7>2^70 B4@9>2^72 C5@11>2^74
@2
  Violin: D5@1>4^80 G4@5>4^70 G4@9>4^68
@3
  Violin: E5@1>4^82 C5@5>2^72 D5@7>2^74 E5@9>2^76 F#5@11>2^78
@4
  Violin: G5@1>4^86 G4@5>4^70 G4@9>4^68
@5
  Violin: C5@1>4^76 D5@5>2^72 C5@7>2^70 B4@9>2^68 A4@11>2^66
@6
  Violin: B4@1>4^74 C5@5>2^70 B4@7>2^68 A4@9>2^66 G4@11>2^64
@7
  Violin: F#4@1>4^70 G4@5>2^66 A4@7>2^68 B4@9>2^70 G4@11>2^66
@8
  Violin: A4@1>12^72"""),
                copy("1-6", "9-14,25-30", "Violin", None),
                text("@15\n  Violin: A4@1>4^72 B4@5>2^68 A4@7>2^68 G4@9>2^66 F#4@11>2^66\n@16\n  Violin: G4@1>12^70"),
                copy("15-16", "31-32", "Violin", None),
            ],
        ),
        Stage(
            "second violin a third and a sixth below, trio",
            [
                copy("1-16", "1-16", "Violin", "-2d", "Violin #2"),
                copy("1-8", "25-32", "Violin #2", None),
                text("""
@17
  Violin: B4@1>8^70 E5@9>4^74
@18
  Violin: C5@1>8^72 A4@9>4^68
@19
  Violin: F#4@1>4^66 A4@5>4^70 C5@9>4^74
@20
  Violin: B4@1>12^72"""),
                copy("17-20", "21-24", "Violin"),
                copy("17-24", "17-24", "Violin", "-5d", "Violin #2"),
            ],
            "1-8",
        ),
        Stage(
            "what the findings said: the trio softer, the end broader",
            [
                velocity("17-24", "Violin,Violin #2,Viola,Cello", 56, 66, 54),
                {"op": "thin", "bars": "17-24", "voices": "Viola", "share": 0.34},
                text("""
@32
  Violin: G4@1>12^76
  Violin #2: D4@1>12^70
  Viola: B3@1>12^66
  Cello: G2@1>12^74"""),
            ],
            "17-24",
        ),
        Stage("broader at the end", [{"op": "tempo", "bpm": 92, "bars": "31-32"}]),
    ],
)

SYNTH = Made(
    "synth",
    "A synth pop song in C minor for synth lead, electric piano, synth pad, synth bass and drums over 32 bars, with a verse and a chorus",
    [
        Stage(
            "chords, sounds",
            [
                chords("1-32", "Cm Ab Eb Bb"),
                {"op": "program", "voices": "Synth Pad", "program": 90},
            ],
        ),
        Stage(
            "drums",
            [
                text("""
@1
  Drums: C2@1>1^104 F#2@1>1^60 F#2@3>1^50 C2@5>1^100 D2@5>1^96 F#2@5>1^60 F#2@7>1^50 C2@9>1^104 F#2@9>1^60 F#2@11>1^50 C2@13>1^100 D2@13>1^98 F#2@13>1^60 A#2@15>2^64"""),
                copy("1", "2-32", "Drums", None),
                text("@8\n  Drums: =1 D2@11>1^80 D2@15>1^88 D2@16>1^94\n@16\n  Drums: =8\n@24\n  Drums: =8"),
            ],
        ),
        Stage(
            "bass and pad",
            [
                text("""
@1
  Synth Pad: C4+Eb4+G4@1>16^58
  Synth Bass: C2@1>1^92 C2@3>1^80 C2@5>1^88 C3@7>1^84 C2@9>1^90 C2@11>1^80 G2@13>1^86 C3@15>1^84"""),
                copy("1", "2-32", "Synth Pad,Synth Bass"),
            ],
        ),
        Stage(
            "verse",
            [
                text("""
@1
  Synth Lead: G4@3>2^78 G4@5>2^76 F4@7>2^74 Eb4@9>4^80 C4@13>3^72
@2
  Synth Lead: Eb4@3>2^76 Eb4@5>2^74 F4@7>2^76 Eb4@9>6^80
@3
  Synth Lead: G4@3>2^78 G4@5>2^76 Bb4@7>2^84 G4@9>4^80 F4@13>3^76
@4
  Synth Lead: F4@3>2^76 D4@5>2^72 F4@7>2^76 D4@9>6^74"""),
                copy("1-4", "5-16", "Synth Lead", None),
            ],
        ),
        Stage(
            "chorus",
            [
                text("""
@17
  Synth Lead: C5@1>3^96 Eb5@4>3^100 G5@7>6^104 F5@13>4^96
@18
  Synth Lead: Eb5@1>3^96 C5@4>3^92 Ab4@7>8^94
@19
  Synth Lead: Bb4@1>3^92 Eb5@4>3^98 G5@7>6^104 F5@13>4^96
@20
  Synth Lead: D5@1>3^94 F5@4>3^98 Bb5@7>8^106"""),
                copy("17-20", "21-32", "Synth Lead", None),
                copy("17-32", "17-32", "Synth Lead", -12, "Electric Piano"),
            ],
        ),
        Stage(
            "what the findings said: the pad pulses in the chorus, the verse lighter, an end",
            [
                text("@17\n  Synth Pad: C4+Eb4+G4@1>3^66 C4+Eb4+G4@4>3^60 C4+Eb4+G4@7>10^64"),
                copy("17", "18-32", "Synth Pad"),
                velocity("9-16", "Synth Bass", 78, 96),
                {"op": "thin", "bars": "1-8", "voices": "Synth Bass", "share": 0.4},
                text("""
@32 [Cm]
  Synth Lead: C5@1>16^90
  Electric Piano: C4@1>16^84
  Synth Pad: C4+Eb4+G4@1>16^60
  Synth Bass: C2@1>16^92
  Drums: C2@1>2^108 C#3@1>16^100"""),
            ],
            "15-18",
        ),
    ],
)

#: The five pieces.
PIECES = (WALTZ, BOSSA, BLUES, MINUET, SYNTH)
