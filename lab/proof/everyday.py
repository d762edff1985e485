"""Jobs that walk the everyday commands: reading, knowledge, contracts, workspaces, tasks, models, composing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from lab.proof.jobs import CORPUS, QUIET, VERSIONS, Step, pick, step, swaps, writes

__all__ = [
    "BROKEN",
    "BUS",
    "BUS_READY",
    "CHAT",
    "SCRIPT_REPLY",
    "WALTZ",
    "composing",
    "contracts",
    "knowledge",
    "models",
    "reading",
    "songs",
    "tasks",
    "workspace",
]

BUS = """TITLE: Small Bus
KEY: G minor | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 8
VOICES: SAX[prog=66], KEYS[prog=4], BASS[prog=33], DRUMS[drums]
@1 [Gm7] (section:Verse)
  SAX: Bb4@1>6^90 A4@7>2 G4@9>6
  KEYS: F3+Bb3+D4@3>2^64 F3+Bb3+D4@8>3
  BASS: G1@1>3^92 G1@7>1 D2@8>2 F2@13>2 D2@15>2
  DRUMS: C2@1>1 F#2@3>1 D2@5>1 F#2@7>1 C2@9>1 F#2@11>1 D2@13>1 F#2@15>1
@2 [Cm7]
  SAX: Eb4@3>2 F4@5>2 G4@7>6
  KEYS: Eb3+Bb3+D4@3>2 Eb3+Bb3+D4@8>3
  BASS: C2@1>3 C2@7>1 G2@8>2 Bb2@13>2 G2@15>2
  DRUMS: =1
@3 [Am7b5]
  SAX: C5@1>4 A4@5>4 Eb4@9>8
  KEYS: Eb3+G3+C4@3>2 Eb3+G3+C4@8>3
  BASS: A1@1>3 A1@7>1 Eb2@8>2 G2@13>2 Eb2@15>2
  DRUMS: =1
@4 [D7]
  SAX: D5@1>4 C5@5>4 F#4@9>8
  KEYS: F#3+A3+C4@3>2 F#3+A3+C4@8>3
  BASS: D2@1>3 D2@7>1 A2@8>2 C3@13>2 A2@15>2
  DRUMS: =1
@5 [Gm7] (section:Chorus)
  SAX: D5@1>6 Bb4@7>2 G4@9>6
  KEYS: =1
  BASS: =1
  DRUMS: =1
@6 [Ebmaj7]
  SAX: G4@3>2 Bb4@5>2 D5@7>6
  KEYS: D3+G3+Bb3@3>2 D3+G3+Bb3@8>3
  BASS: Eb2@1>3 Eb2@7>1 Bb1@8>2 D2@13>2 Bb1@15>2
  DRUMS: =1
@7 [D7]
  SAX: C5@1>4 A4@5>4 F#4@9>8
  KEYS: =4
  BASS: =4
  DRUMS: =1
@8 [Gm]
  SAX: G4@1>16
  KEYS: D3+G3+Bb3@1>16
  BASS: G1@1>16
  DRUMS: C2@1>1
"""
BROKEN = """KEY: G minor | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 3
VOICES: SAX[prog=66], BASS[prog=33]
@1 [Gm7]
  SAX: H4@1>2 Bb4@40>2
  BAS: G1@1>3
@2 [Xm]
  SAX: Bb4@1>
  BASS: G1@15>9
"""
CHAT = """Sure! Here is your piece:

```
KEY: G minor | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 2
VOICES: SAX[prog=66], BASS[prog=33]
@1 [Gm7]
  SAX: bb4@1>4, A4@5>4, g4@9>8
  bass: G1@1>16
@2 [Gm]
  SAX: G4@1>16
  BASS: G1@1>16
```
Enjoy!
"""
BUS_READY = writes("bus.libretto", BUS)
WALTZ = "A slow waltz in D minor over 8 bars for piano and violin"
SCRIPT_REPLY = "Here it is.\n" + BUS.split("\n", 1)[1] + "\n---\nno music at all\n"


def reading() -> Iterator[Step]:
    """Reading, checking, comparing and converting."""
    yield step("show", "show bus.libretto", ready=BUS_READY)
    yield step("show-voice", "show bus.libretto --bars 3-4 --voice BASS")
    yield step("show-json", "show bus.libretto --bars 2 --json")
    yield step("show-midi", f"show {CORPUS}/jazz/jazz_024.mid --bars 9-10")
    yield step("check", "check bus.libretto")
    yield step("check-json", "check bus.libretto broken.libretto --json", ready=writes("broken.libretto", BROKEN))
    yield step("check-broken", "check broken.libretto")
    yield step("check-stdin", "check -", stdin=BROKEN)
    yield step("check-lenient", "check chat.libretto --lenient --json", ready=writes("chat.libretto", CHAT))
    yield step("convert-lenient", "convert chat.libretto chat.mid --lenient", "chat.mid")
    yield step("convert-lenient-text", "convert chat.libretto - --to text --lenient")
    yield step("convert-stdout", "convert bus.libretto - --to abc")
    yield step("convert-stdin", "convert - - --from text --to musicxml", stdin=BUS)
    yield step("convert-compact", "convert bus.libretto compact.libretto --compact --json", "compact.libretto")
    yield step("convert-exists", "convert bus.libretto compact.libretto")
    other = swaps("bus.libretto", "other.libretto", r"(?m)^(  SAX: )D5@1>6 Bb4@7>2", r"\1F5@1>4 D5@5>4")
    yield step("diff", "diff bus.libretto other.libretto", ready=other)
    yield step("diff-json", "diff bus.libretto other.libretto --json")
    yield step("diff-same", "diff bus.libretto compact.libretto")
    yield step("diff-midi", f"diff {CORPUS}/jazz/jazz_024.mid {CORPUS}/jazz/jazz_051.mid")
    edge = "c-major-scale corrupt-file-extra-byte empty not-a-midi-file vlq-4-byte multichannel-chords-1"
    files = [f"music/midi/edge/test-{name}.mid" for name in edge.split()]
    yield step("audit", ["audit", *files, f"{CORPUS}/classical/classical_048.mid", "--jobs", "1"])
    yield step("audit-json", "audit bus.libretto chat.mid music/scores/nott_00.abc --jobs 1 --json")
    yield step("primer", "primer")
    yield step("axes", "axes")
    yield step("axes-json", "axes --json")
    yield step("axes-markdown", "axes --markdown")
    yield step("measure", "measure bus.libretto --genre funk_soul_rnb --jobs 1")
    yield step("measure-paper", "measure bus.libretto --cloud paper314 --no-original --jobs 1 --json")
    yield step("original", "original bus.libretto --songs 3")
    yield step("original-against", "original bus.libretto --against songs --json", ready=songs(4))
    yield step("spot", "spot other.libretto --strict --most 50")
    yield step("spot-midi", f"spot {CORPUS}/jazz/jazz_024.mid --bars 1-40 --kind clash --kind wrong-bass")
    for kind in ("clash", "out-of-key", "crossing", "meter", "range", "wrong-bass"):
        words = f"spot --plant {kind} --seed 3 {CORPUS}/folk_country/song_0916.mid -o {kind}.libretto"
        yield step(f"spot-plant-{kind}", words, f"{kind}.libretto")
    yield step("spot-planted", "spot clash.libretto --json")
    yield step("spot-secret", "spot --plant clash --subtle --secret bus.libretto -o faulty.mid", "faulty.mid")
    yield step("doctor", "doctor", wash=VERSIONS)
    yield step("doctor-json", "doctor --json", wash=VERSIONS)


def songs(count: int) -> Callable[[Path], None]:
    """What makes a small folder of songs in two genres."""

    def ready(folder: Path) -> None:
        for genre in ("jazz", "classical"):
            (folder / "songs" / genre).mkdir(parents=True)
            for name in pick(folder / CORPUS / genre, count):
                shutil.copyfile(folder / CORPUS / genre / name, folder / "songs" / genre / name)

    return ready


def knowledge() -> Iterator[Step]:
    """Concepts and where they are heard."""
    yield step("concepts", "concepts make the bass less boring --genre funk_soul_rnb")
    yield step("concepts-json", "concepts cadence that surprises --base theory --json --limit 4")
    yield step("concepts-all", "concepts")
    yield step("concepts-level", "concepts --level 1 --family rhythm")
    yield step("concepts-none", "concepts qwertz uiop")
    yield step("concept", "concept walking-bass")
    yield step("concept-json", "concept theory/harmonic-minor-scale --json")
    yield step("concept-check", "concept walking-bass --check")
    yield step("concept-text", "concept walking-bass -o walking.libretto", "walking.libretto")
    yield step("concept-plain", "concept walking-bass --plain -o plain.mid", "plain.mid")
    yield step("concept-roll", "concept tresillo --roll -o roll.svg", "roll.svg")
    yield step("detect", "detect walking.libretto")
    yield step("detect-family", "detect walking.libretto --base theory --family scales")


def contracts() -> Iterator[Step]:
    """Contracts and receipts."""
    long = (
        "Night Drive: a dark synthwave track in F# minor at 110 BPM, 4/4, verse - chorus - verse - chorus - bridge - "
        "chorus, chords F#m D A E, for synth lead, pads, bass and drums, no piano, ending softly, 64 bars, purple."
    )
    yield step("contract", ["contract", WALTZ])
    yield step("contract-json", ["contract", long, "--json"])
    yield step("contract-toml", ["contract", long, "--toml"])
    yield step("contract-write", ["contract", WALTZ, "-o", "waltz.toml"], "waltz.toml")
    yield step("contract-file", "contract @brief.txt -o brief.json", "brief.json", ready=writes("brief.txt", long))
    yield step("contract-stdin", "contract -", stdin=long)
    yield step("receipt", "receipt bus.libretto --contract waltz.toml", ready=BUS_READY)
    yield step("receipt-json", "receipt bus.libretto --contract brief.json --json")


def workspace() -> Iterator[Step]:
    """Versions of a piece."""
    louder = swaps("bus.libretto", "louder.libretto", r"\^90", "^110")
    yield step("save", "save bus.libretto -m first --author ann", ready=BUS_READY)
    yield step("save-json", "save louder.libretto --as bus -m louder --author bob --json --force", ready=louder)
    yield step("save-same", "save louder.libretto --as bus -m again --author bob")
    yield step("save-midi", f"save {CORPUS}/classical/classical_032.mid --as old --author ann")
    yield step("pieces", "pieces")
    yield step("pieces-json", "pieces --json")
    yield step("log", "log bus")
    yield step("open", "open bus@1 -o first.libretto", "first.libretto")
    yield step("open-json", "open bus -o newest.mid --json", "newest.mid")
    changed = swaps("first.libretto", "first.libretto", r"G4@1>16", "D5@1>16")
    yield step("save-late", "save first.libretto --as bus --author cat", ready=changed)
    yield step("open-changed", "open bus@2 -o first.libretto")
    yield step("save-forced", "save first.libretto --as bus --author cat --force -m mine")
    yield step("diff-versions", "diff bus@1 bus@3")
    yield step("diff-versions-json", "diff bus@2 bus@3 --json")
    yield step("blame", "blame bus")
    yield step("blame-json", "blame bus@3 --json")
    yield step("undo", "undo bus --author ann")
    yield step("undo-redo", "undo bus --redo --author ann --json")
    yield step("undo-to", "undo bus --to 1 --author ann")
    yield step("log-json", "log bus --json")
    yield step("log-none", "log nobody")
    yield step("open-none", "open bus@99 -o x.libretto")


def tasks() -> Iterator[Step]:
    """Tasks as pages and runs, and drafts handed in."""
    song = f"{CORPUS}/jazz/jazz_024.mid"
    yield step("task-compose", ["task", "compose", WALTZ, "--show"])
    yield step("task-fill", f"task fill {song} --bars 33-36 --voices Bass --show")
    yield step("task-accompany", f"task accompany {song} --voice Bass --role bass --show")
    yield step("task-extend", f"task extend {song} --bars 4 --at end --show")
    yield step("task-morph", "task morph jazz metal --bars 24 --show")
    yield step("task-drill", ["task", "drill", "harmonic minor", "--set", "key=E", "--set", "bars=8", "--show"])
    yield step("task-run", ["task", "compose", WALTZ, "-o", "runs/waltz", "--json"], "runs/waltz/*")
    yield step("submit-nothing", "submit runs/waltz -", stdin="not yet music")
    yield step("submit-wrong", "submit runs/waltz bus.libretto", ready=BUS_READY)
    yield step("task-house", ["compose", WALTZ, "--seed", "2", *QUIET, "-o", "house"], "house/best.libretto")
    yield step("submit", "submit runs/waltz house/best.libretto --json", "runs/waltz/*")
    yield step("task-gap", f"task fill {song} --bars 33-34 -o runs/gap", "runs/gap/*")
    yield step("submit-gap", "submit runs/gap bus.libretto --json")
    yield step("task-unknown", "task nothing at all --show")


def models() -> Iterator[Step]:
    """Pretend models, replays, teams, budgets."""
    march = "A march in F major over 24 bars for trumpet, piano, bass and drums"
    base = ["compose", WALTZ, *QUIET]
    words: str | list[str]
    yield step("scripted", [*base, "--composer", "scripted", "-o", "one"], "one/**/*")
    yield step("scripted-json", [*base, "--composer", "scripted", "--json", "-o", "json"], "json/best.libretto")
    words = ["compose", march, *QUIET, "--composer", "scripted:house+faults", "--seed", "1", "-o", "two"]
    yield step("scripted-faults", words, "two/**/*")
    yield step("replay", ["compose", "--replay", "two", "-o", "again", *QUIET], "again/best.libretto")
    words = ["compose", "A song in G minor", *QUIET, "--composer", "scripted:reply.txt", "--rounds", "2", "-o", "three"]
    yield step("scripted-file", words, "three/**/*", ready=writes("reply.txt", SCRIPT_REPLY))
    words = [*base, "--composer", "scripted", "--budget-tokens", "300", "-o", "four"]
    yield step("scripted-budget", words, "four/**/*")
    words = [*base, "--composer", "scripted", "--team", "composerx", "--beside", "single", "-o", "five"]
    yield step("team-composerx", words, "five/**/*")
    words = [*base, "--composer", "scripted", "--team", "cocomposer", "--abc", "-o", "six"]
    yield step("team-cocomposer", words, "six/**/*")
    for team in ("single-cot", "single-icl", "single-role"):
        yield step(f"team-{team}", [*base, "--composer", "scripted", "--team", team, "-o", team], f"{team}/**/*")
    yield step("dry-run", [*base, "--composer", "anthropic:claude-sonnet-4-5", "--dry-run"])
    yield step("dry-run-team", [*base, "--composer", "openai:gpt-5", "--team", "composerx", "--dry-run"])
    yield step("model-without-key", [*base, "--composer", "anthropic:claude-sonnet-4-5", "-o", "seven"])
    song = f"{CORPUS}/jazz/jazz_024.mid"
    words = f"fill {song} --bars 33-36 --voices Bass --composer scripted --run gap -o gap.libretto"
    yield step("fill-scripted", words, "gap.libretto", "gap/**/*")
    words = f"fill {song} --bars 33-36 --composer house --roll gap.svg -o roll.libretto"
    yield step("fill-roll", words, "roll.libretto", "gap.svg")
    words = "morph jazz latin --bars 24 --rounds 1 --composer scripted -o way.libretto"
    yield step("morph-scripted", words, "way.libretto")
    words = ["drill", "dorian-mode", "--composer", "scripted", "-o", "drill.abc"]
    yield step("drill-scripted", words, "drill.abc")
    yield step("bench-teams", "bench teams --limit 1 --team cocomposer --rounds 1 -o bench", "bench/teams.md")
    words = "bench teams --composer anthropic:claude-sonnet-4-5 --team composerx --limit 2 --dry-run"
    yield step("bench-teams-dry", words)


def composing() -> Iterator[Step]:
    """Options of composing, and taste."""
    words = ["compose", WALTZ, "--key", "E minor", "--tempo", "80", "--meter", "3/4", "--bars", "12", *QUIET]
    yield step("compose-options", [*words, "--genre", "classical", "-o", "one"], "one/*.libretto", "one/contract.toml")
    yield step("compose-again", [*words, "--genre", "classical", "-o", "one"])
    text = 'title = "By Hand"\nkey = "A minor"\nmeter = "6/8"\nbars = 16\n'
    words = ["compose", "--contract", "hand.toml", *QUIET, "--rounds", "1", "-o", "two"]
    yield step("compose-contract", words, "two/*.libretto", ready=writes("hand.toml", text))
    words = ["compose", "@brief.txt", "--seed", "4", "--no-sound", "--no-notation", "-o", "three"]
    yield step("compose-page", words, "three/**/*", ready=writes("brief.txt", WALTZ))
    yield step("taste-none", "taste")
    for at, wish in enumerate(("busier", "busier", "a darker ending", "darker")):
        words = ["revise", "two", wish, "--rounds", "1"]
        yield step(f"taste-{at}", words, f"two/revision-{at + 1}/*.libretto")
    yield step("taste", "taste")
    yield step("taste-json", "taste --json")
    words = ["compose", "--genre", "pop_rock", "--bars", "16", *QUIET, "-o", "four"]
    yield step("compose-taste", words, "four/best.libretto", "four/run.json")
    yield step("revise-show", ["revise", "two", "the ending is too loud and smells of roses", "--show"])
    words = ["revise", f"{CORPUS}/metal/song_1542.mid", "softer guitar in bars 9-12", "--genre", "metal", "--json"]
    yield step("revise-midi", [*words, "-o", "softer.mid"], "softer.mid")
