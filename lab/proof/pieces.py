"""Jobs that make and measure music, from the gallery to formats."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from lab.proof.jobs import CORPUS, GENRES, QUIET, Job, copies, one, pick, step, writes

__all__ = [
    "ACCOMPANIES",
    "DRILLS",
    "EXTENDS",
    "FILLS",
    "PIECES",
    "WISHES",
    "briefs",
    "drills",
    "fills",
    "formats",
    "gallery",
    "genres",
    "measures",
    "morphs",
    "revisions",
    "spots",
]


def gallery(music: Path) -> Iterator[Job]:
    """The pieces of examples/gallery.py."""
    for genre in GENRES:
        title = f"{genre.replace('_', ' ').title()} for the Gallery"
        text = f'title = "{title}"\ngenre = "{genre}"\nbars = 64\n'
        words = ["compose", "--contract", "asked.toml", "--genre", genre, "--seed", "1", *QUIET, "-o", "run"]
        yield one("gallery", genre, words, "run/**/*", ready=writes("asked.toml", text))


def genres(music: Path) -> Iterator[Job]:
    """Two pieces a genre."""
    for genre in GENRES:
        for seed in ("0", "7"):
            words = ["compose", "--genre", genre, "--seed", seed, *QUIET, "--json", "-o", "run"]
            yield one("genres", f"{genre}-{seed}", words, "run/**/*")


def briefs(music: Path) -> Iterator[Job]:
    """Every fifth brief."""
    texts = [each["prompt"] for each in json.loads((music / "prompts" / "briefs.json").read_text(encoding="utf-8"))]
    for number, text in list(enumerate(texts))[::5]:
        yield one("briefs", f"brief-{number:03}", ["compose", text, "--seed", "0", *QUIET, "-o", "run"], "run/**/*")


FILLS = (
    ("blues_gospel/song_1474.mid", "17-20", ""),
    ("blues_gospel/song_1470.mid", "9-12", "Bass 1,Guitar"),
    ("classical/classical_012.mid", "1-4", ""),
    ("classical/classical_032.mid", "44-47", "Utwór 1"),
    ("electronic_dance/song_0498.mid", "33-36", ""),
    ("film_tv/film_tv_018.mid", "13-16", "Flute"),
    ("film_tv/film_tv_028.mid", "30-37", ""),
    ("folk_country/song_0916.mid", "25-28", "BASS,DRUMS"),
    ("folk_country/song_0935.mid", "40-41", ""),
    ("funk_soul_rnb/song_1031.mid", "33-40", ""),
    ("funk_soul_rnb/song_1175.mid", "21-24", "Bass"),
    ("hiphop_rap/song_1396.mid", "17-20", ""),
    ("hiphop_rap/song_1390.mid", "49-52", "Piano,Bass!"),
    ("jazz/jazz_024.mid", "33-36", ""),
    ("jazz/jazz_051.mid", "9-16", "Electric Bass"),
    ("latin/song_1446.mid", "29-32", ""),
    ("metal/song_1542.mid", "41-44", "Guitar"),
    ("pop_rock/song_0085.mid", "25-28", ""),
    ("pop_rock/song_0183.mid", "50-53", "MELODY"),
    ("reggae_ska/reggae_ska_027.mid", "65-68", ""),
)
ACCOMPANIES = (
    ("jazz/jazz_024.mid", "Bass", ""),
    ("metal/song_1542.mid", "Drums", ""),
    ("classical/classical_048.mid", "Cello", "strings"),
    ("folk_country/song_0916.mid", "OBOE", "lead"),
    ("hiphop_rap/song_1396.mid", "Guitar", ""),
    ("latin/song_1453.mid", "Low", "bass"),
)
EXTENDS = (
    ("jazz/jazz_051.mid", "4", "end"),
    ("classical/classical_032.mid", "8", "end"),
    ("film_tv/film_tv_018.mid", "4", "start"),
    ("pop_rock/song_0085.mid", "4", "33"),
    ("funk_soul_rnb/song_1031.mid", "2", "end"),
    ("metal/song_1557.mid", "8", "17"),
)


def fills(music: Path) -> Iterator[Job]:
    """Bars written anew, parts written to others, songs that go on."""
    for at, (song, bars, voices) in enumerate(FILLS):
        words = ["fill", f"{CORPUS}/{song}", "--bars", bars, *(["--voices", voices] if voices else [])]
        words += ["--seed", str(at % 3), "-o", "out.libretto", *(["--json"] if at % 2 else [])]
        yield one("fills", f"fill-{at:02}-{Path(song).stem}", words, "out.libretto")
    for at, (song, voice, role) in enumerate(ACCOMPANIES):
        words = ["accompany", f"{CORPUS}/{song}", "--voice", voice, *(["--role", role] if role else [])]
        words += ["-o", "out.libretto", *(["--json"] if at % 2 else [])]
        yield one("fills", f"accompany-{at}-{Path(song).stem}", words, "out.libretto")
    for at, (song, bars, where) in enumerate(EXTENDS):
        words = ["extend", f"{CORPUS}/{song}", "--bars", bars, "--at", where]
        words += ["-o", "out.libretto", *(["--json"] if at % 2 else [])]
        yield one("fills", f"extend-{at}-{Path(song).stem}", words, "out.libretto")


DRILLS = (
    ("harmonic minor", "--key E --meter 4/4 --level 2 --bars 20"),
    ("melodic-minor-scale", "--key A --bars 8 --clef bass"),
    ("dorian-mode", "--key D --meter 3/4"),
    ("lydian-mode", "--key F --range C4-C6"),
    ("bebop-dominant-scale", "--key Bb --level 3"),
    ("alberti-bass", "--key C"),
    ("scotch-snap", "--key G --instrument violin"),
    ("tresillo", "--key Eb --tempo 90"),
    ("dotted-quarter-eighth", "--level 1 --meter 3/4"),
    ("syncopated-chain", "--level 2 --bars 12"),
    ("eighth-notes", "--level 1 --key D"),
    ("sixteenth-triplets", "--level 3"),
    ("chromatic-approach", "--key A --instrument flute"),
    ("tonal-sequence-falling", "--key B --bars 6"),
    ("suspension-chain", "--key F --level 3"),
    ("passing-tones", "--key C --seed 5"),
    ("minor-sixth-feature", "--key F# --clef alto"),
    ("twelve-eight", "--key G"),
    ("phrygian-dominant", "--key E --seed 2"),
    ("diminished-seventh-chord", "--clef tenor"),
)


def drills(music: Path) -> Iterator[Job]:
    """Drills of many concepts."""
    for at, (concept, options) in enumerate(DRILLS):
        words = ["drill", concept, *options.split(), "-o", "out.libretto", *(["--json"] if at % 2 else [])]
        yield one("drills", f"{at:02}-{concept.replace(' ', '-')}", words, "out.libretto")


PIECES = (
    ("pop", "A cheerful pop song in C major over 32 bars for flute, piano, bass and drums"),
    ("waltz", "A slow waltz in D minor over 24 bars for violin, piano and cello"),
    ("jazz", "A medium swing tune in Bb major over 32 bars for trumpet, guitar, bass and drums"),
)
WISHES = (
    ("pop", "the melody is too cheerful, and a softer ending", 0),
    ("pop", "busier drums in bars 9-16", 0),
    ("pop", "faster", 0),
    ("pop", "a bit less repetitive", 0),
    ("pop", "in E minor", 0),
    ("pop", "clarinet instead of flute", 1),
    ("pop", "the bass is too low", 0),
    ("waltz", "much brighter second half", 0),
    ("waltz", "the piano is too choppy", 0),
    ("waltz", "up a tone", 0),
    ("waltz", "a fuller ending, and make it sparkle like champagne", 0),
    ("waltz", "the melody is too jumpy", 2),
    ("waltz", "a darker bridge", 0),
    ("jazz", "richer chords in bars 9-16", 0),
    ("jazz", "the trumpet should be funkier", 0),
    ("jazz", "too loud", 0),
    ("jazz", "not slow enough", 0),
    ("jazz", "sparser guitar in the second half", 0),
    ("jazz", "legato trumpet in bars 1-8", 0),
    ("jazz", "thinner", 0),
)


def revisions(music: Path) -> Iterator[Job]:
    """Wishes, each for a fresh copy of a run; every third for the text of the piece alone."""
    for piece, brief in PIECES:
        steps = [step(piece, ["compose", brief, "--seed", "3", *QUIET, "-o", "run"], "run/best.libretto")]
        for at, (whose, wish, seed) in enumerate(WISHES):
            if whose != piece:
                continue
            name = f"{piece}-{at:02}-{re.sub('[^a-z]+', '-', wish)[:32]}"
            if at % 3 == 2:
                words = ["revise", "run/best.libretto", wish, "--seed", str(seed), "-o", f"{at}.libretto", "--json"]
                steps.append(step(name, words, f"{at}.libretto"))
            else:
                words = ["revise", f"run-{at}", wish, "--seed", str(seed), "--no-remember"]
                files = f"run-{at}/revision-1/**/*"
                steps.append(step(name, words, files, ready=copies(("run", f"run-{at}"))))
        yield Job("revisions", piece, tuple(steps))


def morphs(music: Path) -> Iterator[Job]:
    """Ways between genres and songs."""
    ways = (
        ("jazz", "metal", "--bars 54"),
        ("classical", "electronic_dance", "--bars 48 --seed 2"),
        (f"{CORPUS}/jazz/jazz_024.mid", "latin", "--bars 40"),
        ("folk_country", f"{CORPUS}/metal/song_1542.mid", "--bars 36 --seed 1"),
        (f"{CORPUS}/film_tv/film_tv_018.mid", f"{CORPUS}/funk_soul_rnb/song_1031.mid", "--bars 48"),
    )
    for at, (source, target, options) in enumerate(ways):
        words = ["morph", source, target, *options.split(), "-o", "out.libretto", "--curve", "way.svg"]
        words += ["--json"] if at % 2 else []
        yield one("morphs", f"{at}-{Path(source).stem}-{Path(target).stem}", words, "out.libretto", "way.svg")


def measures(music: Path) -> Iterator[Job]:
    """Five songs a genre, placed among real music; half of them with the genre said."""
    for at, genre in enumerate(GENRES):
        names = pick(music / "corpus" / "midi" / genre, 5)
        files = [f"{CORPUS}/{genre}/{name}" for name in names]
        said = ["--genre", genre] if at % 2 else []
        words = ["measure", "--json", "--jobs", "1", *said, *files]
        yield one("measures", genre, words, split=tuple(Path(name).stem for name in names))


def spots(music: Path) -> Iterator[Job]:
    """Faults and concepts in two songs a genre, and what one song a genre shares with others."""
    for at, genre in enumerate(GENRES):
        names = pick(music / "corpus" / "midi" / genre, 2)
        for name in names:
            file, stem = f"{CORPUS}/{genre}/{name}", f"{genre}-{Path(name).stem}"
            more = (["--strict", "--most", "40"], [], ["--most", "20"])[at % 3]
            yield one("spots", f"spot-{stem}", ["spot", file, "--json", *more])
            yield one("spots", f"detect-{stem}", ["detect", file, "--json"])
        yield one("spots", f"original-{genre}", ["original", f"{CORPUS}/{genre}/{names[0]}", "--json"])


def formats(music: Path) -> Iterator[Job]:
    """Files of all kinds to text, ten of them on to MIDI, MusicXML and ABC."""
    chosen = [f"music/midi/{name}" for name in pick(music / "midi", 12)]
    chosen += [f"music/midi/edge/{name}" for name in pick(music / "midi" / "edge", 6)]
    chosen += [f"music/scores/{name}" for name in pick(music / "scores", 8, "*.mxl")]
    chosen += [f"music/scores/{name}" for name in pick(music / "scores", 4, "*.abc")]
    for at, file in enumerate(chosen):
        name = f"{at:02}-{Path(file).name.replace(' ', '_')}"
        more = ["--compact"] if at % 4 == 1 else []
        steps = [step(name, ["convert", file, "text.libretto", *more], "text.libretto")]
        if at % 3 == 0:
            for kind in ("mid", "musicxml", "abc"):
                words = ["convert", "text.libretto", f"out.{kind}", "--json"]
                steps.append(step(f"{name}-to-{kind}", words, f"out.{kind}"))
        yield Job("formats", name, tuple(steps))
