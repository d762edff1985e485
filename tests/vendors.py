"""A vendor on this machine: chat completions and messages, streamed or not, well behaved or as bad as they come."""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

__all__ = ["KEY", "TEXT", "WORDS", "VendorServer"]

#: A key that no file, log or message may hold.
KEY = "sk-test-0123456789-NOBODY-MAY-SEE-THIS"
TEXT = """KEY: C major | METER: 4/4 | TEMPO: 96 | GRID: 16th | BARS: 1
VOICES: LEAD[prog=73]
@1 [C]
  LEAD: E4@1>4 G4@5>4 C5@9>8
"""
#: Misbehaviours of the words alone: the reply arrives whole.
WORDS: dict[str, Callable[[str], str]] = {
    "fine": lambda text: text,
    "wrong-language": lambda text: "Voici une petite chanson en do majeur, douce et lente. Bonne écoute !",
    "prose": lambda text: f"Certainly! Here is your piece:\n\n{text}\n\nI hope you like it. Shall I change anything?",
    "fences": lambda text: f"```libretto\n{text}\n```",
    "zero-based": lambda text: re.sub(r"@(\d+)>", lambda found: f"@{int(found[1]) - 1}>", text),
}
_PIECE, _ENDLESS = 9, 40_000_000


class VendorServer:
    """Answers with ``answer`` of what it was sent; ``behaviours`` are taken one a request, the last one for ever."""

    def __init__(
        self, behaviours: Sequence[str] = ("fine",), answer: Callable[[dict[str, Any]], str] = lambda asked: TEXT
    ) -> None:
        self.behaviours, self.answer = list(behaviours), answer
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.paths: list[str] = []
        self.over, self._changed = threading.Event(), threading.Condition()

    def __enter__(self) -> VendorServer:
        vendor = self

        class Handler(_Handler):
            server_of = vendor

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.over.set()
        self._http.shutdown()
        self._http.server_close()

    def base_url(self, protocol: str) -> str:
        """Where a client of this protocol is sent."""
        root = f"http://127.0.0.1:{self._http.server_address[1]}"
        return root if protocol in ("anthropic", "google") else f"{root}/v1"

    def asked(self, times: int, *, seconds: float) -> bool:
        """Wait until it was asked so often."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.requests) >= times, seconds)

    def turn(self, asked: dict[str, Any], key: str, path: str) -> str:
        """Take a request down; how to behave."""
        with self._changed:
            self.requests.append(asked)
            self.keys.append(key)
            self.paths.append(path)
            self._changed.notify_all()
            return self.behaviours[min(len(self.requests), len(self.behaviours)) - 1]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: VendorServer

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        key = self._key()
        behaviour = self.server_of.turn(asked, key, self.path)
        try:
            self._behave(behaviour, asked)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _key(self) -> str:
        names = ("x-api-key", "x-goog-api-key", "authorization")
        return next((self.headers[name] for name in names if self.headers[name]), "").removeprefix("Bearer ")

    def _behave(self, behaviour: str, asked: dict[str, Any]) -> None:
        speak = _Anthropic(asked) if self.path.endswith("/messages") else _OpenAI(asked)
        text = WORDS.get(behaviour, WORDS["fine"])(self.server_of.answer(asked))
        echo = self._key()
        if behaviour == "echo":
            return self._send(200, _OpenAI({"model": f"model of {echo}"}).whole(f"{text}% {echo}\n"))
        if behaviour in WORDS or behaviour in ("slow", "cut", "cut-in-a-token", "cut-quietly", "hanging-midway"):
            if not asked.get("stream"):
                return self._send(200, speak.whole(text))
            return self._stream(behaviour, speak, text)
        if behaviour == "unstreamed":
            return self._send(200, speak.whole(text))
        if behaviour == "endless":
            return self._chunks(speak.events(("E4@1>4 " * 8 for _ in range(_ENDLESS // 56)), "stop"))
        if behaviour == "refusal":
            return self._chunks(speak.refusal())
        if behaviour == "empty":
            return self._chunks(speak.events((), "stop")) if asked.get("stream") else self._send(200, speak.whole(""))
        if behaviour == "length":
            return self._chunks(speak.events((text[: len(text) // 2],), "length"))
        if behaviour == "hanging":
            self.server_of.over.wait(30)
            self.close_connection = True
            return None
        if behaviour == "malformed":
            return self._chunks([b'data: {"choices": [{"delta": {"content": "E4@1\n\n', b"data: ]]]{\n\n"])
        if behaviour == "wrong-type":
            return self._send(200, b"<html><body>Welcome to the proxy</body></html>", "text/html")
        if behaviour == "huge":
            return self._chunks(b"data: " + b"x" * 65_536 if not at else b"x" * 65_536 for at in range(1_000))
        if behaviour == "packed":
            return self._send(200, b"\x1f\x8b" + b"\0" * 50, **{"Content-Encoding": "gzip"})
        if behaviour == "elsewhere":
            return self._send(302, b"", Location=f"{self.server_of.base_url('openai')}/stolen")
        status, more = {
            "rate": (429, {}), "rate-soon": (429, {"Retry-After": "0"}), "rate-late": (429, {"Retry-After": "3600"}),
            "error": (500, {}), "key": (401, {}), "bad-request": (400, {}), "no-such-model": (404, {}),
        }[behaviour]  # fmt: skip
        said = f"something is wrong with {echo}"
        return self._send(
            status, json.dumps({"type": "error", "error": {"type": "x", "message": said}}).encode(), **more
        )

    def _stream(self, behaviour: str, speak: _OpenAI | _Anthropic, text: str) -> None:
        pieces = [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
        events = list(speak.events(pieces, "stop"))
        half = len(events) // 2
        if behaviour == "slow":
            return self._chunks(events, pause=0.002)
        if behaviour == "cut-quietly":
            return self._chunks(events[:half])
        if behaviour == "cut":
            return self._chunks(events[:half], then="cut")
        if behaviour == "cut-in-a-token":
            return self._chunks([*events[:half], events[half][:-20]], then="cut")
        if behaviour == "hanging-midway":
            return self._chunks(events[:half], then="hang")
        return self._chunks(events)

    def _send(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _chunks(self, chunks: Any, *, pause: float = 0.0, then: str = "") -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for chunk in chunks:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            if pause:
                self.server_of.over.wait(pause)
        if then:
            self.wfile.flush()
            self.server_of.over.wait(30 if then == "hang" else 0.05)
            self.close_connection = True
            # Closed at once, without the end that was promised.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        self.wfile.write(b"0\r\n\r\n")


def _letters(asked: dict[str, Any]) -> int:
    return len(json.dumps(asked.get("messages", [])))


class _OpenAI:
    """The chat completions protocol."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.asked = asked

    def events(self, pieces: Any, finish: str) -> Iterator[bytes]:
        sent = 0
        for piece in pieces:
            sent += len(piece)
            yield self._event({"content": piece, "role": "assistant"})
        yield self._event({}, finish)
        yield self._data({"choices": [], "usage": self._usage(sent)})
        yield b"data: [DONE]\n\n"

    def refusal(self) -> Iterator[bytes]:
        yield self._event({"refusal": "I cannot help with that.", "role": "assistant"})
        yield self._event({}, "stop")
        yield b"data: [DONE]\n\n"

    def whole(self, text: str) -> bytes:
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        data = {"id": "1", "object": "chat.completion", "created": 1, "model": self.asked.get("model", "")}
        return json.dumps(data | {"choices": [choice], "usage": self._usage(len(text))}).encode()

    def _usage(self, letters: int) -> dict[str, int]:
        into, out = _letters(self.asked) // 4, letters // 4
        return {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out}

    def _event(self, delta: dict[str, Any], finish: str | None = None) -> bytes:
        return self._data({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    def _data(self, data: dict[str, Any]) -> bytes:
        known = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": self.asked.get("model", "")}
        return f"data: {json.dumps(known | data)}\n\n".encode()


class _Anthropic:
    """The messages protocol."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.asked = asked

    def events(self, pieces: Any, finish: str) -> Iterator[bytes]:
        yield self._event("message_start", message=self._message([], None, 1))
        yield self._event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        sent = 0
        for piece in pieces:
            sent += len(piece)
            yield self._event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
        yield self._event("content_block_stop", index=0)
        reason = {"stop": "end_turn", "length": "max_tokens"}.get(finish, finish)
        yield self._event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": sent // 4})
        yield self._event("message_stop")

    def refusal(self) -> Iterator[bytes]:
        return self.events(("I cannot help with that.",), "refusal")

    def whole(self, text: str) -> bytes:
        return json.dumps(self._message([{"type": "text", "text": text}], "end_turn", len(text) // 4)).encode()

    def _message(self, content: list[dict[str, str]], reason: str | None, out: int) -> dict[str, Any]:
        usage = {"input_tokens": _letters(self.asked) // 4, "output_tokens": out}
        known = {"id": "m", "type": "message", "role": "assistant", "model": self.asked.get("model", "")}
        return known | {"content": content, "stop_reason": reason, "stop_sequence": None, "usage": usage}

    def _event(self, kind: str, **data: Any) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()
