"""Jobs that walk the other commands: teaching, pictures, listening, benches, agents, errors and help."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from lab.proof.everyday import (
    BUS,
    BUS_READY,
    WALTZ,
    composing,
    contracts,
    knowledge,
    models,
    reading,
    songs,
    tasks,
    workspace,
)
from lab.proof.jobs import CORPUS, SPEEDS, VERSIONS, Job, Step, step, swaps, writes

__all__ = ["BELOW", "HELP", "commands", "helps"]


def _teaching() -> Iterator[Step]:
    """Lessons and grades."""
    words = ["lesson", "harmonic minor", "scotch-snap", "--keys", "E,A", "--count", "3", "-o", "lesson"]
    yield step("lesson", words, "lesson/*")
    words = ["lesson", "eighth-notes", "--count", "2", "--level", "1", "--json", "-o", "other"]
    yield step("lesson-json", words, "other/*")
    yield step("drill-abc", ["drill", "major-scale", "--key", "G", "-o", "drill.abc"], "drill.abc")
    words = ["drill", "major-scale", "--key", "G", "--bars", "6", "-o", "drill.libretto"]
    yield step("drill-text", words, "drill.libretto")
    yield step("drill-print", ["drill", "major-scale", "--key", "G"])
    yield step("grade-perfect", "grade drill.libretto --drill drill.libretto")
    first = _once("drill.libretto", "wrong.libretto", ((r"B4@", "C5@"), (r"F#4@", "F4@")))
    yield step("grade-wrong", "grade wrong.libretto --drill drill.libretto", ready=first)
    yield step(
        "grade-json", ["grade", "wrong.libretto", "--drill", "drill.libretto", "--concept", "major-scale", "--json"]
    )
    yield step("grade-other", "grade bus.libretto --drill drill.libretto --json", ready=BUS_READY)


def _once(source: str, target: str, changes: tuple[tuple[str, str], ...]) -> Callable[[Path], None]:
    """What copies a text with the first place of each pattern written otherwise."""

    def ready(folder: Path) -> None:
        text = (folder / source).read_text(encoding="utf-8")
        for pattern, instead in changes:
            text = re.sub(pattern, instead, text, count=1)
        (folder / target).write_text(text, encoding="utf-8")

    return ready


def _pictures() -> Iterator[Step]:
    """Staves, rolls, pages, sound, and what is heard in sound."""
    yield step("render-svg", "render bus.libretto -o bus.svg", "bus*.svg", ready=BUS_READY)
    yield step("render-written", "render bus.libretto -o written.svg --written --bars 1-4", "written*.svg")
    yield step("render-roll", "render bus.libretto --roll -o roll.svg", "roll.svg")
    yield step("render-roll-bars", f"render {CORPUS}/jazz/jazz_024.mid --roll --bars 9-16 -o song.svg", "song.svg")
    yield step("render-wav", "render bus.libretto -o bus.wav --bars 1-4", "bus.wav")
    yield step("render-exact", "render bus.libretto -o exact.wav --exact --bars 1-2", "exact.wav")
    yield step("convert-musicxml", "convert bus.libretto bus.musicxml", "bus.musicxml")
    words = "report bus.libretto -o bus.html --no-sound --genre funk_soul_rnb"
    yield step("report", words, "bus.html")
    yield step("report-plain", "report bus.libretto -o plain.html --no-sound --no-notation", "plain.html")
    tune = swaps("bus.libretto", "tune.libretto", r"(?m)^  (KEYS|BASS|DRUMS): .*\n", "")
    yield step("render-tune", "render tune.libretto -o tune.wav --exact", "tune.wav", ready=tune)
    yield step("transcribe", "transcribe tune.wav")
    yield step("transcribe-json", "transcribe tune.wav -o heard.mid --json", "heard.mid")
    yield step("transcribe-clip", "transcribe music/muse/audio/BbMaj_Scale_Arch_Bass.flac")
    yield step("transcribe-drums", "transcribe music/muse/audio/Beat_10_140.flac --json")


def _listening() -> Iterator[Step]:
    """A small suite and what ears make of it."""
    words = "listen make -o suite --trials 2 --tasks contour,chord_quality_4,syncopation_pair --seed 5 --json"
    yield step("listen-make", words, "suite/**/*", quiet=True)
    suite = "listen run --manifest suite/manifest.csv --audio suite/audio"
    for ear in ("oracle", "local", "constant"):
        yield step(f"listen-{ear}", f"{suite} --ear {ear} --json -o {ear}", f"{ear}/*", quiet=True)
    yield step("listen-text", f"{suite} --ear oracle --tasks contour", quiet=True)
    reply = writes("replies.txt", '"melody(t1, [60, 62, 64])"\n"chord(t1, [60, 64, 67, 70])"\n"no idea"\n')
    words = f"{suite} --ear scripted:replies.txt --few-shot 0 --tasks chord_quality_4 --json -o scripted"
    yield step("listen-scripted", words, "scripted/*", ready=reply, quiet=True)
    words = (
        "listen run --manifest music/muse/manifest.csv --audio music/muse/audio --ear local --limit 2 --json -o muse"
    )
    yield step("listen-muse", words, "muse/*", quiet=True)
    yield step("listen-report", "listen report oracle local -o report.md", "report.md")
    yield step("listen-report-html", "listen report oracle muse -o report.html", "report.html")
    yield step("listen-report-json", "listen report oracle local --json")
    yield step("listen-report-none", "listen report nowhere")


def _benches() -> Iterator[Step]:
    """Benches that are cheap, and a cloud of one's own."""
    yield step("bench-representation", "bench representation --cloud paper314 --json", quiet=True)
    yield step("bench-representation-text", "bench representation --cloud default", quiet=True)
    yield step("bench-compose", "bench compose --seeds 1 --genre jazz --genre latin --jobs 1", quiet=True, wash=SPEEDS)
    words = "bench applications --row drill,compose,morph --limit 1 --jobs 1 --json"
    yield step("bench-applications", words, quiet=True, wash=SPEEDS)
    words = "bench applications --composer anthropic:claude-sonnet-4-5 --row compose,drill --limit 1 --dry-run"
    yield step("bench-applications-dry", words)
    words = "bench fill songs --songs 1 --others 1 --jobs 1 --json"
    yield step("bench-fill", words, ready=songs(4), quiet=True, wash=SPEEDS)
    yield step("bench-spot", "bench spot songs --limit 2 --jobs 1 --json", quiet=True, wash=SPEEDS)
    yield step("corpus-list", "corpus list")
    yield step("corpus-list-json", "corpus list --json")
    yield step("corpus-info", "corpus info paper314")
    yield step("corpus-info-json", "corpus info default --json")
    words = "corpus build songs -o mine --jobs 1 --about eight --json"
    yield step("corpus-build", words, "home/**/*.json", quiet=True, wash=SPEEDS)
    yield step("corpus-info-mine", "corpus info mine", wash=SPEEDS)
    yield step("measure-mine", "measure bus.libretto --cloud mine --jobs 1", ready=BUS_READY)
    yield step("original-mine", "original bus.libretto --cloud mine --json")


def _tool(name: str, **arguments: object) -> tuple[str, dict[str, object]]:
    """A call of a tool of the server for agents."""
    return "tools/call", {"name": name, "arguments": arguments}


def _agents() -> Iterator[Step]:
    """The server for agents: what it offers, and a session."""
    yield step("mcp-footprint", "mcp --footprint")
    bars = "@1 [Dm]\n  Flute: D5@1>8 A5@9>4\n  Cello: D3@1>12\n@2 [Gm]\n  Flute: Bb5@1>8 G5@9>4\n  Cello: G2@1>12\n"
    brief = "A slow waltz in D minor over 8 bars for flute and cello"
    lists: tuple[tuple[str, dict[str, object]], ...]
    lists = (("tools/list", {}), ("prompts/list", {}), ("resources/list", {}), ("resources/templates/list", {}))
    topics = ("loop", "grammar", "notes", "gates", "genres", "tasks", "nothing")
    guides = tuple(_tool("guide", topic=topic) for topic in topics)
    yield step("mcp-lists", "mcp --author ann", talk=(*lists, *guides), quiet=True, wash=VERSIONS)
    session = (
        _tool("open", piece="duo", brief=brief),
        _tool("write", piece="duo@1", patches=[{"text": bars}], message="two bars"),
        _tool("write", piece="duo@2", patches=[{"text": "@3 [A7]\n  Flut: A5@1>12"}]),
        _tool("write", piece="duo@1", patches=[{"text": "@1\n  Cello: -"}]),
        _tool("write", piece="duo@2", patches=[{"text": "@3 [A7]\n  Flute: A5@1>12"}], check=True),
        _tool("read", piece="duo@2", bars="1-3"),
        _tool("read", piece="duo", voices=["Cello"]),
        _tool("undo", piece="duo@2"),
        _tool("undo", piece="duo@3", redo=True),
        _tool("history"),
        _tool("history", piece="duo", since=1),
        _tool("history", piece="duo", authors=True),
        _tool("findings", piece="duo@4"),
        _tool("open", piece="bus", text=BUS, genre="funk_soul_rnb"),
        _tool("findings", piece="bus@1", genre="funk_soul_rnb"),
        _tool("measure", piece="bus@1"),
        _tool("measure", piece="bus@1", what="originality"),
        _tool("measure", piece="bus@1", what="faults"),
        _tool("measure", piece="bus@1", what="concepts"),
        _tool("ideas", query="make the bass less boring", genre="funk_soul_rnb"),
        _tool("ideas", concept="walking-bass"),
        _tool("ideas", genre="jazz", exemplars=2),
        _tool("render", piece="bus@1", format="mid"),
        _tool("render", piece="bus@1", format="svg", roll=True, bars="1-4"),
        _tool("render", piece="bus@1", format="abc"),
        _tool("open", piece="house", brief=brief, compose=True, seed=1),
        _tool("task", kind="compose", arguments=[brief], run="one"),
        _tool("submit", run="one", piece="house@1"),
        _tool("submit", run="one", text="nothing"),
        _tool("task", kind="fill", arguments=["bus@1"], options={"bars": "3-4"}, run="gap"),
        _tool("task", kind="nothing", arguments=[]),
        _tool("read", piece="nobody"),
        _tool("nothing"),
        ("resources/read", {"uri": "libretto://pieces"}),
        ("resources/read", {"uri": "libretto://pieces/bus@1"}),
        ("resources/read", {"uri": "libretto://concepts/composing/walking-bass"}),
        ("prompts/get", {"name": "compose", "arguments": {"words": brief}}),
    )
    yield step("mcp-session", "mcp --author ann", "renders/*", talk=session, quiet=True, wash=VERSIONS)


def _errors() -> Iterator[Step]:
    """What goes wrong, and how it is said."""
    song = f"{CORPUS}/jazz/jazz_024.mid"
    cases: dict[str, str | list[str]] = {
        "no-words": [],
        "no-command": "nothing",
        "no-option": "show bus.libretto --nothing",
        "no-file": "show nofile.mid",
        "no-midi": "show music/midi/edge/test-not-a-midi-file.mid",
        "empty-midi": "show music/midi/edge/test-empty.mid",
        "no-suffix": "convert bus.libretto bus.xyz",
        "folder": "show music",
        "show-bars": "show bus.libretto --bars 90-99",
        "show-bars-words": "show bus.libretto --bars nine",
        "show-voice": "show bus.libretto --voice TUBA",
        "fill-bars": f"fill {song} --bars 900-901 -o x.libretto",
        "fill-backwards": f"fill {song} --bars 9-5 -o x.libretto",
        "fill-voices": f"fill {song} --bars 9-12 --voices TUBA -o x.libretto",
        "fill-genre": f"fill {song} --bars 9-12 --genre nothing -o x.libretto",
        "fill-exists": f"fill {song} --bars 9-12 -o bus.libretto",
        "accompany-role": f"accompany {song} --voice Xyz -o x.libretto",
        "accompany-role-unknown": f"accompany {song} --voice Xyz --role tuba -o x.libretto",
        "extend-at": f"extend {song} --at 9999 -o x.libretto",
        "extend-bars": f"extend {song} --bars 0 -o x.libretto",
        "compose-nothing": "compose",
        "compose-genre": "compose --genre nothing",
        "compose-key": ["compose", WALTZ, "--key", "H minor"],
        "compose-meter": ["compose", WALTZ, "--meter", "7/9"],
        "compose-composer": ["compose", WALTZ, "--composer", "nobody"],
        "compose-team": ["compose", WALTZ, "--composer", "scripted", "--team", "nobody"],
        "compose-contract": "compose --contract nofile.toml",
        "compose-seed": ["compose", WALTZ, "--seed", "-1"],
        "compose-replay": "compose --replay nowhere",
        "morph-unknown": "morph nothing jazz",
        "morph-bars": "morph jazz metal --bars 5",
        "drill-concept": "drill nothing",
        "drill-close": "drill harmonc-minor",
        "drill-key": ["drill", "harmonic minor", "--key", "H"],
        "drill-range": ["drill", "harmonic minor", "--range", "C9-C1"],
        "drill-clef": ["drill", "harmonic minor", "--clef", "soprano"],
        "concept-unknown": "concept nothing",
        "concepts-genre": "concepts bass --genre nothing",
        "concepts-family": "concepts --family nothing",
        "detect-base": "detect bus.libretto --base nothing",
        "contract-file": "contract @nofile.txt",
        "receipt-contract": "receipt bus.libretto --contract bus.libretto",
        "measure-genre": "measure bus.libretto --genre nothing --jobs 1",
        "measure-cloud": "measure bus.libretto --cloud nothing --jobs 1",
        "measure-file": "measure bus.libretto nofile.mid --jobs 1 --json",
        "original-file": "original nofile.mid",
        "spot-kind": "spot bus.libretto --kind nothing",
        "spot-plant": "spot bus.libretto --plant nothing -o x.mid",
        "revise-words": "revise bus.libretto purple -o x.libretto",
        "revise-run": "revise nowhere louder",
        "submit-run": "submit nowhere bus.libretto",
        "render-suffix": "render bus.libretto -o bus.xyz",
        "render-bars": "render bus.libretto -o bus.svg --bars 99",
        "render-font": "render bus.libretto -o bus.wav --soundfont nofile.sf2",
        "report-suffix": "report bus.libretto -o bus.txt",
        "play": "play bus.libretto --bars 1",
        "transcribe": "transcribe nofile.wav",
        "transcribe-text": "transcribe bus.libretto",
        "grade": "grade nofile.mid --drill bus.libretto",
        "lesson": "lesson nothing -o lesson",
        "corpus-info": "corpus info nothing",
        "corpus-build": "corpus build nowhere -o mine",
        "listen-ear": "listen run --manifest music/muse/manifest.csv --audio music/muse/audio --ear nobody",
        "listen-manifest": "listen run --manifest nofile.csv --audio .",
        "listen-task": "listen make -o suite --tasks nothing",
        "bench-row": "bench applications --row nothing",
        "blame": "blame nobody",
        "save": "save nofile.libretto",
        "undo": "undo nobody",
        "mcp-workspace": "mcp --workspace nowhere/at/all --footprint",
    }
    for name, words in cases.items():
        yield step(f"error-{name}", words, ready=BUS_READY)


def commands(music: Path) -> Iterator[Job]:
    """Every command on small things, and what goes wrong."""
    parts = (
        reading,
        knowledge,
        contracts,
        workspace,
        tasks,
        models,
        composing,
        _teaching,
        _pictures,
        _listening,
        _benches,
        _agents,
        _errors,
    )
    for part in parts:
        yield Job("commands", part.__name__.strip("_"), tuple(part()))


HELP = """
    render play report concepts concept detect contract receipt compose morph task submit revise taste spot fill
    accompany extend drill lesson grade transcribe save open pieces log undo blame mcp convert check show diff audit
    measure original axes primer doctor bench corpus listen
"""
BELOW = {
    "bench": "teams representation compose applications fill drill spot",
    "corpus": "build list info",
    "listen": "make run report",
}


def helps(music: Path) -> Iterator[Job]:
    """The help of every command."""
    steps = [step("libretto", "--help")]
    for name in HELP.split():
        steps.append(step(name, [name, "--help"]))
        steps += [step(f"{name}-{below}", [name, below, "--help"]) for below in BELOW.get(name, "").split()]
    half = len(steps) // 2
    yield Job("help", "first", tuple(steps[:half]))
    yield Job("help", "second", tuple(steps[half:]))
