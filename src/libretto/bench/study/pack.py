"""A blinded pack: a page for every listener, sounds under names that tell nothing, and the key beside the pack.

::

    PACK/listener-01.html ...   the questions of one listener; works without a network and saves a file of answers
    PACK/sound/4f1c....mp3      every piece, cut to one length and made equally loud
    PACK.key.json               which sound is whose: not for listeners
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from libretto.bench.study.design import TESTS, Shown, deal, trials_of
from libretto.bench.study.pieces import equal_sound, pieces_in, sound_of
from libretto.errors import FileExists, LibrettoError
from libretto.formats import write_bytes
from libretto.sound import KINDS

__all__ = ["KEY_KIND", "StudyPack", "make_study", "wanted_tests"]

#: What the key of a study calls itself.
KEY_KIND = "libretto study key 1"
_MOST_LISTENERS, _MOST_SECONDS = 500, 600.0
_DIGITS = 12  # of a name that tells nothing
_QUESTIONS = {
    "ab": "Which of the two do you prefer?",
    "turing": "Was each of these composed by a human or by a machine?",
    "match": "Which sample fits this description best, in structure and content?",
    "rating": "Is this a good piece: one that you find musically interesting?",
}


@dataclass(frozen=True)
class StudyPack:
    """What was made: where, its key, how many listeners and sounds, and a listener's questions by kind."""

    folder: Path
    key: Path
    listeners: int
    sounds: int
    questions: Mapping[str, int]


def wanted_tests(said: Sequence[str]) -> dict[str, int]:
    """Tests as asked for, ``ab`` or ``ab=50``, each with how many a listener gets."""
    tests = {}
    for words in said or ["ab"]:
        name, _, count = words.partition("=")
        if name not in TESTS or (count and not (count.isascii() and count.isdigit() and int(count))):
            raise LibrettoError(f"{words!r} is no test such as ab or ab=50; there are {', '.join(TESTS)}")
        tests[name] = int(count) if count else TESTS[name]
    return tests


def make_study(
    source: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    tests: Mapping[str, int],
    briefs: Sequence[str] = (),
    listeners: int = 10,
    human: str = "",
    target: str = "",
    common: int = 5,
    seconds: float = 30.0,
    sound: str = "mp3",
    soundfont: str | None = None,
    seed: int = 0,
    force: bool = False,
    step: Callable[[int, int], None] = lambda done, total: None,
) -> StudyPack:
    """Write a blinded listening pack of the pieces in a folder of systems, and its key beside it."""
    _check(listeners, seconds, sound)
    place = Path(folder)
    key_file = _free(place, force)
    systems = pieces_in(source)
    trials = trials_of(
        {name: tuple(pieces) for name, pieces in systems.items()},
        _prompts(systems, human, briefs), list(tests), human=human, target=target,
    )  # fmt: skip
    dealt = deal(trials, tests, listeners, common, seed)
    used = sorted({sample for mine in dealt for shown in mine for sample in shown.trial.samples})
    suffix = sound.rpartition(" ")[2]
    names, digest = {}, hashlib.sha256(f"{seed} {listeners} {json.dumps(tests)}".encode())
    (place / "sound").mkdir(parents=True, exist_ok=True)
    for number, (system, item) in enumerate(used, start=1):
        data = equal_sound(sound_of(systems[system][item], soundfont), seconds, sound)
        digest.update(hashlib.sha256(data).digest())
        name = hashlib.sha256(f"{seed}\0{system}\0{item}\0".encode() + data).hexdigest()[:_DIGITS]
        names[system, item] = f"sound/{name}.{suffix}"
        write_bytes(data, place / names[system, item], force=True)
        step(number, len(used))
    study = digest.hexdigest()[:_DIGITS]
    width = max(2, len(str(listeners)))
    for number, mine in enumerate(dealt, start=1):
        page = _page(study, number, mine, names)
        write_bytes(page.encode(), place / f"listener-{number:0{width}d}.html", force=True)
    write_bytes(_key(study, seed, human, target, dealt), key_file, force=True)
    counts = {test: sum(shown.trial.test == test for shown in dealt[0]) for test in tests}
    return StudyPack(place, key_file, listeners, len(used), counts)


def _check(listeners: int, seconds: float, sound: str) -> None:
    if not 1 <= listeners <= _MOST_LISTENERS or not 1 <= seconds <= _MOST_SECONDS or sound not in KINDS:
        raise LibrettoError(
            f"a study has 1 to {_MOST_LISTENERS} listeners, sounds of 1 to {_MOST_SECONDS:.0f} seconds, "
            f"and sound as {', '.join(KINDS)}"
        )


def _free(place: Path, force: bool) -> Path:
    """Where the key goes; refused where a pack is there already, unless it may be replaced."""
    key_file = place.with_name(f"{place.name}.key.json")
    taken = place.exists() and (not place.is_dir() or any(place.iterdir()))
    if (taken or key_file.exists()) and not force:
        raise FileExists(f"{place} or {key_file.name} exists; use --force to write into it")
    return key_file


def _prompts(systems: Mapping[str, Mapping[str, Path]], human: str, briefs: Sequence[str]) -> dict[str, str]:
    """The prompt of every piece: by its number where its name is one, else by its place among the names."""
    names = sorted({item for name, pieces in systems.items() if name != human for item in pieces})
    prompts = {}
    for place, name in enumerate(names):
        index = int(name) - 1 if name.isascii() and name.isdigit() else place
        if 0 <= index < len(briefs):
            prompts[name] = briefs[index]
    return prompts


def _page(study: str, listener: int, mine: Sequence[Shown], names: Mapping[tuple[str, str], str]) -> str:
    """The page of one listener; trials are called by their place in it."""
    trials = [
        {
            "name": f"q{place:04d}",
            "test": shown.trial.test,
            "prompt": shown.trial.prompt,
            "sounds": [names[shown.trial.samples[index]] for index in shown.order],
        }
        for place, shown in enumerate(mine, start=1)
    ]
    data = {"study": study, "listener": listener, "questions": _QUESTIONS, "trials": trials}
    text = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c").replace("&", "\\u0026")
    return files("libretto.bench.study").joinpath("page.html").read_text(encoding="utf-8").replace("{study}", text)


def _key(study: str, seed: int, human: str, target: str, dealt: Sequence[Sequence[Shown]]) -> bytes:
    """Who heard what in which order, as JSON."""
    listeners = {
        str(number): {
            f"q{place:04d}": {
                "trial": shown.trial.name,
                "test": shown.trial.test,
                "order": list(shown.order),
                "samples": [list(sample) for sample in shown.trial.samples],
            }
            for place, shown in enumerate(mine, start=1)
        }
        for number, mine in enumerate(dealt, start=1)
    }
    data = {"kind": KEY_KIND, "study": study, "seed": seed, "human": human, "target": target, "listeners": listeners}
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
