"""What others ask of us while we run: tools that agents call, requests to the studio, edits as data."""

from __future__ import annotations

import inspect
import json
import random
import shutil
from functools import cache
from typing import Any

from fuzzing.corpora import Call, broken, broken_text, corpus, room, soup
from fuzzing.words import _TOKENS, BRIEFS

__all__: list[str] = []

_TUNE = "KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 2\nVOICES: LEAD\n@1 [C]\n  LEAD: C4@1>4\n@2 [C]\n"
#: Tools that take seconds by their nature are asked what they refuse, and once in a while more.
_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("open", {"piece": "new", "text": _TUNE}),
    ("open", {"piece": "new", "brief": BRIEFS[0], "compose": False}),
    ("open", {"piece": "small", "file": "x.libretto", "grid": "paper"}),
    ("read", {"piece": "small@1", "bars": "1-2", "voices": ["Lead"]}),
    ("write", {"piece": "small@1", "patches": [{"text": "@1\n  Lead: D4@1>4", "bars": "1", "voices": ["Lead"]}]}),
    ("undo", {"piece": "small@1", "to": 1}),
    ("history", {"piece": "small", "voices": ["Lead"]}),
    ("guide", {"topic": "grammar"}),
    ("ideas", {"query": "a bridge", "genre": "jazz"}),
    ("ideas", {"concept": "theory/dorian-mode"}),
    ("render", {"piece": "small", "format": "mid"}),
    ("task", {"kind": "fill", "arguments": ["small"], "options": {"bars": "1-2"}}),
    ("submit", {"run": "x", "text": _TUNE}),
)


@cache
def _desk() -> Any:
    from studio_room import TIME, small_piece

    from libretto.mcp.desk import Desk
    from libretto.workspace import Workspace

    place = room() / "desk"
    home = Workspace(place)
    place.mkdir(exist_ok=True)
    home.save("small", small_piece(), author="test", time=TIME, base=0)
    return Desk(home)


@corpus("tool calls")
def _tool_calls(chance: random.Random) -> Call:
    from libretto.errors import LibrettoError
    from libretto.mcp.answers import answer
    from libretto.mcp.desk import tools

    desk = _desk()
    name, good = chance.choice(_CALLS)
    data = broken(good, chance)
    arguments = data if isinstance(data, dict) else {}
    shutil.rmtree(desk.workspace.folder / "pieces" / "new.jsonl", ignore_errors=True)
    known = list(inspect.signature(tools[name]).parameters.values())[1:]
    fits = _fitting(known, arguments)

    def call() -> object:
        if not fits:
            raise LibrettoError("the schema refuses it")  # the SDK does so before a tool is called
        told = answer(tools[name], desk, arguments)
        text = json.dumps(told, ensure_ascii=True)
        json.dumps(told, ensure_ascii=False).encode()
        if not told["ok"]:
            raise LibrettoError(str(told["error"]))
        return text

    return call


def _fitting(known: list[inspect.Parameter], arguments: dict[str, Any]) -> bool:
    """Whether a schema would let these arguments through."""
    names = {parameter.name for parameter in known}
    needed = {parameter.name for parameter in known if parameter.default is inspect.Parameter.empty}
    if not needed <= set(arguments) <= names:
        return False
    return all(_fits(str(p.annotation), arguments[p.name]) for p in known if p.name in arguments)


def _fits(kind: str, value: Any) -> bool:
    if value is None:
        return "None" in kind
    if kind.startswith("str"):
        return isinstance(value, str)
    if kind.startswith("bool"):
        return isinstance(value, bool)
    if kind.startswith("int"):
        return isinstance(value, int) and not isinstance(value, bool)
    if "list[str]" in kind:
        return isinstance(value, list) and all(isinstance(one, str) for one in value)
    if "list[dict" in kind:
        return isinstance(value, list) and all(isinstance(one, dict) for one in value)
    if "dict[str, str]" in kind:
        return isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
    return isinstance(value, dict) if "dict" in kind else True


#: Requests that the page makes: the method, the path, and the body.
_REQUESTS: tuple[tuple[str, str, Any], ...] = (
    (
        "POST",
        "/api/pieces/small/edit",
        {"base": 1, "do": [{"op": "transpose", "voices": ["Lead"], "semitones": 2, "first": 1, "last": 2}]},
    ),
    (
        "POST",
        "/api/pieces/small/edit",
        {
            "base": 1,
            "do": [
                {"op": "add", "voice": 0, "onset": 0, "duration": 40320, "pitch": 60},
                {"op": "set", "note": 1, "pitch": 62},
                {"op": "delete", "note": 0},
            ],
        },
    ),
    (
        "POST",
        "/api/pieces/small/edit",
        {"base": 1, "do": [{"op": "title", "title": "x"}, {"op": "tempo", "bpm": 90, "first": 1}]},
    ),
    (
        "POST",
        "/api/pieces/small/edit",
        {
            "base": 1,
            "do": [{"op": "chords", "bar": 1, "chords": ["C", "G7"]}, {"op": "section", "bar": 2, "name": "B"}],
        },
    ),
    ("POST", "/api/pieces/small/text", {"base": 1, "text": _TUNE}),
    ("POST", "/api/check", {"text": _TUNE}),
    ("POST", "/api/contract", {"brief": BRIEFS[1], "corrections": [{"say": "slower"}]}),
    ("POST", "/api/pieces/small/undo", {"base": 1, "to": 1, "redo": False}),
    ("GET", "/api/diff?a=small@1&b=small@1", None),
    ("GET", "/api/pieces/small@1", None),
    ("GET", "/api/pieces/small/performance.mid", None),
    ("GET", "/api/concepts?query=dorian&genre=jazz", None),
    ("GET", "/api/takes/0123456789abcdef", None),
    ("POST", "/api/takes/0123456789abcdef/keep", {"base": 1}),
    ("GET", "/api/files/0123456789abcdef", None),
    ("POST", "/api/pieces?name=song.mid", b"MThd"),
    ("POST", "/api/jobs", {"kind": "nothing", "arguments": {"piece": "small", "bars": "1-2"}}),
    ("GET", "/api/jobs/0123456789abcdef/events", None),
)


@cache
def _room() -> Any:
    from studio_room import Room

    place = room() / "studio"
    place.mkdir(exist_ok=True)
    made = Room(place)

    def never(kind: str, arguments: dict[str, Any]) -> Any:
        from libretto.errors import LibrettoError

        raise LibrettoError("no work is begun here")

    made.workers.start = never
    made.workers.at_once = never
    return made


@corpus("studio requests")
def _requests(chance: random.Random) -> Call:
    from libretto.errors import LibrettoError

    studio = _room()
    method, path, good = chance.choice(_REQUESTS)
    if chance.random() < 0.3:
        path = broken_text(path, chance, ("%00", "%ff", "..", "//", "@", "?", "&")).replace("\ud800", "x")
        path = path if path.startswith("/") else f"/{path}"
    body = good if isinstance(good, bytes) else b"" if good is None else json.dumps(broken(good, chance)).encode()
    body = body if chance.random() < 0.9 else chance.randbytes(20)

    def call() -> object:
        try:
            answer = studio.client.request(method, path.replace("\n", "%0A").replace("\x00", "%00"), content=body)
        except (ValueError, UnicodeError) as error:  # what no client can send
            if "httpx" in type(error).__module__:
                raise LibrettoError("no client sends this") from None
            raise
        except Exception as error:
            if type(error).__name__ in ("InvalidURL", "LocalProtocolError", "UnsupportedProtocol"):
                raise LibrettoError("no client sends this") from None
            raise
        if answer.status_code >= 500:
            raise RuntimeError(f"{answer.status_code}: {answer.text[:200]}")
        if answer.status_code >= 400:
            raise LibrettoError(" ".join(answer.text.split())[:200] or "refused")
        return answer.status_code

    return call


@corpus("edits")
def _edits(chance: random.Random) -> Call:
    from studio_room import small_piece

    from libretto.edits.doing import do_edits, edit_kinds

    good = [request[2]["do"] for request in _REQUESTS if request[1].endswith("/edit")]
    step = {
        "op": chance.choice(list(edit_kinds)),
        "voice": "Lead",
        "voices": ["Lead"],
        "first": 1,
        "last": 2,
        "bar": 2,
        "semitones": 2,
        "onset": 40320,
        "to": 3,
        "bars": 1,
        "name": soup(_TOKENS, chance)[:20],
        "program": 3,
        "bpm": 90,
        "factor": 1.5,
        "division": 16,
        "key": "D major",
        "chords": ["C"],
        "title": "x",
        "by": 1,
        "drums": False,
    }
    steps = broken(chance.choice([*good, [step]]), chance)
    return lambda: do_edits(small_piece(), steps if isinstance(steps, list) else [steps])
