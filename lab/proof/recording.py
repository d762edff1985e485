"""Recording: run the steps, make alike what may differ, and keep the rest with its digest."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from lab.proof.further import commands, helps
from lab.proof.jobs import LIMIT_SECONDS, MARKUP, WHOLE, Job, Step
from lab.proof.pieces import briefs, drills, fills, formats, gallery, genres, measures, morphs, revisions, spots

__all__ = ["ALIKE", "GROUPS", "Recorder"]

GROUPS: dict[str, Callable[[Path], Iterable[Job]]] = {
    "commands": commands,
    "revisions": revisions,
    "gallery": gallery,
    "genres": genres,
    "briefs": briefs,
    "fills": fills,
    "drills": drills,
    "morphs": morphs,
    "measures": measures,
    "spots": spots,
    "formats": formats,
    "help": helps,
}

ALIKE = (
    (r"\$PACKAGE(/[\w.-]+)*/", "$PACKAGE/"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?", "<time>"),
    (r'("seconds": )[\d.e-]+', r"\1<seconds>"),
    (r"\b\d+\.\d+ s\b", "<seconds> s"),
    (r"\b\d+(\.\d+)? ms\b", "<seconds> ms"),
)


@dataclass
class Recorder:
    """Runs jobs and writes what they gave."""

    python: Path
    music: Path
    out: Path
    work: Path
    keep: bool = False
    digests: dict[str, str] = field(default_factory=dict)
    times: dict[str, float] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    places: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        for name, table in (("digests.json", self.digests), ("times.json", self.times)):
            if (self.out / name).exists():
                table.update(json.loads((self.out / name).read_text(encoding="utf-8")))
        code = "import sys, libretto; print(sys.prefix); print(libretto.__file__)"
        ask = [str(self.python), "-c", code]
        prefix, package = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.splitlines()
        source = Path(package).resolve().parent
        checkout = source.parent.parent if source.parent.name == "src" else source.parent
        known = {prefix: "$VENV", str(source): "$PACKAGE", str(checkout): "$CHECKOUT", str(self.music): "$MUSIC"}
        known[str(Path(prefix).resolve())] = "$VENV"
        self.places = sorted(known.items(), key=lambda place: -len(place[0]))

    def environment(self, folder: Path) -> dict[str, str]:
        """A bare environment."""
        return {
            "PATH": f"{self.python.parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(folder / "home"),
            "LIBRETTO_HOME": str(folder / "home"),
            "PYTHONPYCACHEPREFIX": str(self.work / "pycache"),
            "PYTHONHASHSEED": "0",
            "PYTHONSAFEPATH": "1",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "LANG": "C.UTF-8",
            "COLUMNS": "100",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "TZ": "UTC",
            "USER": "proof",
            "LOGNAME": "proof",
        }

    def play(self, job: Job) -> float:
        """Run a job and record its items; the seconds of processor time it took."""
        folder = self.work / f"{job.group}-{job.name}"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "home").mkdir(parents=True)
        (folder / "music").symlink_to(self.music)
        spent = 0.0
        for step in job.steps:
            if step.ready:
                try:
                    step.ready(folder)
                except OSError as error:
                    (folder / "ready.txt").write_text(f"{type(error).__name__}\n", encoding="utf-8")
            seconds = self.step(job, step, folder)
            spent += seconds
        self._save()
        shutil.rmtree(folder, ignore_errors=True)
        return spent

    def step(self, job: Job, step: Step, folder: Path) -> float:
        """Run one step and keep what came of it; the seconds it took."""
        command = [str(self.python), "-m", "libretto", *step.words]
        env = self.environment(folder)
        code, output, errors, seconds = (_talk if step.talk else _run)(command, folder, env, step)
        head = f"$ libretto {' '.join(step.words)}\nexit {code}\n"
        tail = "" if step.quiet else f"--- stderr\n{errors}"
        files = "".join(self._file(file, folder, f"{job.group}/{step.name}") for file in _found(folder, step.files))
        if step.split:
            lines = output.splitlines()
            lines += ["(nothing)"] * (len(step.split) - len(lines))
            texts = [f"exit {code}\n{line}\n" for line in lines]
        else:
            texts = [f"{head}--- stdout\n{output}\n{tail}\n{files}"]
        for item, text in zip(step.items, texts, strict=False):
            self._keep(f"{job.group}/{item}", self._alike(text, folder, step.wash), seconds / len(step.items))
        return seconds

    def _alike(self, text: str, folder: Path, wash: tuple[tuple[str, str], ...]) -> str:
        """The text without what another machine, place or hour would change."""
        for place, name in ((str(folder / "home"), "$HOME"), (str(folder), "$WORK"), *self.places):
            text = text.replace(place, name)
        for pattern, instead in (*wash, *ALIKE):
            text = re.sub(pattern, instead, text)
        return text

    def _file(self, file: Path, folder: Path, item: str) -> str:
        name, data = str(file.relative_to(folder)), file.read_bytes()
        if file.suffix in WHOLE:
            return f"--- file {name}\n{data.decode('utf-8', 'replace')}\n"
        if file.suffix in MARKUP:
            data = self._alike(data.decode("utf-8", "replace"), folder, ()).encode()
        if self.keep:
            target = self.out / "files" / item / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        return f"--- file {name}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}\n"

    def _keep(self, item: str, text: str, seconds: float) -> None:
        target = self.out / "items" / f"{item}.txt"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        with self.lock:
            self.digests[item] = hashlib.sha256(text.encode()).hexdigest()
            self.times[item] = round(seconds, 3)

    def _save(self) -> None:
        with self.lock:
            for name, table in (("digests.json", self.digests), ("times.json", self.times)):
                text = json.dumps(dict(sorted(table.items())), indent=1, ensure_ascii=False)
                (self.out / f"{name}.new").write_text(text + "\n", encoding="utf-8")
                (self.out / f"{name}.new").replace(self.out / name)


def _found(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    """The files that patterns name, each once, by name."""
    return sorted({file for pattern in patterns for file in folder.glob(pattern) if file.is_file()})


def _run(command: list[str], folder: Path, env: dict[str, str], step: Step) -> tuple[str, str, str, float]:
    """Exit code, both streams, and processor time of a command."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(step.stdin.encode())
        given.seek(0)
        child = subprocess.Popen(command, cwd=folder, env=env, stdin=given, stdout=out, stderr=err)
        timer = threading.Timer(LIMIT_SECONDS, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        texts = [stream.read().decode("utf-8", "replace") for stream in (out, err)]
    return str(child.returncode), texts[0], texts[1], usage.ru_utime + usage.ru_stime


def _talk(command: list[str], folder: Path, env: dict[str, str], step: Step) -> tuple[str, str, str, float]:
    """The same for a server on standard streams: each message is sent when the one before is answered."""
    asked: list[tuple[str, dict[str, object]]] = [
        (
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "proof", "version": "1"},
            },
        ),
        *step.talk,
    ]
    lines: list[str] = []
    with tempfile.TemporaryFile() as err:
        child = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, text=True
        )
        assert child.stdin is not None
        assert child.stdout is not None
        timer = threading.Timer(LIMIT_SECONDS, child.kill)
        timer.start()
        try:
            for number, (method, params) in enumerate(asked):
                _send(child, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
                lines.append(f"> {method} {json.dumps(params)}")
                for line in child.stdout:
                    message = json.loads(line)
                    if message.get("id") == number:
                        lines.append(line.rstrip())
                        break
                if number == 0:
                    _send(child, {"jsonrpc": "2.0", "method": "notifications/initialized"})
            child.stdin.close()
        except BrokenPipeError:
            lines.append("(the server is gone)")
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        child.stdout.close()
        err.seek(0)
        errors = err.read().decode("utf-8", "replace")
    return str(child.returncode), "\n".join(lines), errors, usage.ru_utime + usage.ru_stime


def _send(child: subprocess.Popen[str], message: dict[str, object]) -> None:
    assert child.stdin is not None
    child.stdin.write(json.dumps(message) + "\n")
    child.stdin.flush()
