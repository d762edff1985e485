"""The guard before the studio: this machine alone, who knows the token, from the studio's own page, within bounds."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["POLICY", "Guard", "cookie_name"]

#: What the page may load: its own files, and sound and pictures that it makes itself. WebAssembly is for the
#: synthesiser, whose worklet does not answer without the reader of packed samples that it brings.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; worker-src 'self' blob:; font-src 'self'; "
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-embedder-policy", b"require-corp"),
)


def cookie_name(port: int) -> str:
    """The cookie that holds the token: one a port, since browsers share cookies between ports."""
    return f"libretto_{port}"


class Guard:
    """Refuses a request that is not for this machine, not from the studio's page, without the token, or too large."""

    def __init__(self, app: ASGIApp, token: str, port: int, most: int) -> None:
        self.app, self.token, self.port, self.most = app, token, port, most
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or say in a line why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal:
            await _refuse(send, *refusal)
            return
        read, started = 0, False

        async def bounded() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.most:
                raise _TooMuch
            return message

        async def dressed(message: Message) -> None:
            nonlocal started
            if read > self.most and not started:
                return  # what the application says of it is not the answer
            if message["type"] == "http.response.start":
                started = True
                cookie = f"{cookie_name(self.port)}={self.token}; Path=/; HttpOnly; SameSite=Strict"
                extra = [(b"set-cookie", cookie.encode())] if self._told(scope) else []
                message["headers"] = [*message.get("headers", []), *_HEADERS, *extra]
            await send(message)

        with suppress(_TooMuch):
            await self.app(scope, bounded, dressed)
        if read > self.most and not started:
            await _refuse(send, 413, f"the request is larger than {self.most:,} bytes")

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        if headers.get("host", "") not in self.hosts:
            return 421, "the studio answers on this machine alone"
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self.hosts}:
            return 403, "the studio answers to its own page alone"
        if scope["method"] not in ("GET", "HEAD") and origin is None:
            return 403, "the studio answers to its own page alone"
        if not self._told(scope) and not self._kept(headers):
            return 403, "this address needs the token that the studio printed when it started"
        try:
            length = int(headers.get("content-length", "0") or 0)
        except ValueError:
            return 400, "the length of the request is no number"
        return (413, f"the request is larger than {self.most:,} bytes") if length > self.most else None

    def _told(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return secrets.compare_digest(given.encode(), self.token.encode())

    def _kept(self, headers: dict[str, str]) -> bool:
        pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
        given = next((value for name, _, value in pairs if name == cookie_name(self.port)), "")
        return secrets.compare_digest(given.encode(), self.token.encode())


class _TooMuch(Exception):
    """A request went on for longer than is read."""


async def _refuse(send: Send, status: int, line: str) -> None:
    headers = [(b"content-type", b"application/json"), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps({"error": line}).encode()})
