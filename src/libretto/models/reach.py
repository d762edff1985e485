"""How a vendor is reached: the library's model for a name, over a connection that is timed and bounded; and what goes
over it, our messages as the library holds them one way, the pieces of a reply the other.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from libretto.errors import LibrettoError, MissingExtra
from libretto.models.client import Message
from libretto.models.failures import Failure, keys_set

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model

__all__ = ["BASES", "Take", "Traffic", "check_base", "elsewhere", "library_messages", "library_model", "media_type"]

#: Where a vendor's requests go instead of to the vendor, by environment variable.
BASES = {
    "anthropic": "ANTHROPIC_BASE_URL",
    "google": "GOOGLE_GEMINI_BASE_URL",
    "ollama": "OLLAMA_BASE_URL",
    "openai": "OPENAI_BASE_URL",
}
_OLLAMA = "http://localhost:11434/v1"
_CONNECT = 10.0  # seconds to be connected in
#: What the library calls what we call openai: chat completions, which servers of one's own speak too.
_CHAT = "openai-chat"
_WAVE = re.compile(rb"RIFF.{4}WAVE", re.DOTALL)
_MPEG_FRAME = re.compile(rb"\xff[\xe0-\xff]", re.DOTALL)  # eleven bits that are set


class _Unfit(Exception):
    """What comes is not fit to be read on."""


@dataclass
class Traffic:
    """The watch over one try's connection: seconds between bytes, the most bytes of a reply, what was the matter."""

    between: float
    most: int
    trouble: str = ""
    unstreamed: bool = False

    def connection(self) -> httpx2.AsyncClient:
        """A connection under this watch; hooks and not a transport, so that the environment's proxies still count."""
        import httpx2

        timeout = httpx2.Timeout(self.between, connect=min(_CONNECT, self.between))
        return httpx2.AsyncClient(
            timeout=timeout,
            headers={"Accept-Encoding": "identity"},
            follow_redirects=False,
            event_hooks={"request": [self._sent], "response": [self._answered]},
        )

    async def _sent(self, request: httpx2.Request) -> None:
        seconds = {"connect": min(_CONNECT, self.between), "pool": self.between}
        request.extensions = {
            **request.extensions,
            "timeout": {"read": self.between, "write": self.between, **seconds},
        }
        request.headers["Accept-Encoding"] = "identity"

    async def _answered(self, response: httpx2.Response) -> None:
        packed = response.headers.get("content-encoding", "identity").strip().lower()
        if packed not in ("", "identity"):
            self.trouble = "sent a compressed reply though none was asked for"
            raise _Unfit
        kind = response.headers.get("content-type", "").lower()
        self.unstreamed = response.status_code == HTTPStatus.OK and kind.startswith("application/json")
        response.stream = _bounded(response.stream, self)


def _bounded(stream: Any, traffic: Traffic) -> Any:
    import httpx2

    class Bounded(httpx2.AsyncByteStream):  # type: ignore[misc]
        """A body that ends with an error where it is too long."""

        async def __aiter__(self) -> AsyncIterator[bytes]:
            came = 0
            async for chunk in stream:
                came += len(chunk)
                if came > traffic.most:
                    traffic.trouble = f"sent more than {traffic.most:,} bytes; the rest was not read"
                    raise _Unfit
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()


def check_base(url: str) -> str:
    """The base URL as it is, where it is one: http or https, with a host."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise LibrettoError(f"the base URL must begin with http:// or https:// and name a host, not {parts.scheme!r}")
    if parts.username or parts.password:
        raise LibrettoError("a base URL holds no name and no password: a key belongs into the environment")
    return url


def elsewhere(kind: str, base_url: str) -> bool:
    """Whether requests of this kind go somewhere else than to the vendor itself."""
    return kind == "ollama" or bool(base_url or os.environ.get(BASES.get(kind, ""), ""))


def library_model(kind: str, model: str, base_url: str, connection: httpx2.AsyncClient) -> Model[Any]:
    """The library's model for a vendor's kind and a model's name; keys come from the environment alone."""
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import infer_provider_class

    name = _CHAT if kind == "openai" else kind

    def provider(provider_name: str) -> Any:
        try:
            made = infer_provider_class(provider_name)
        except ImportError as error:
            raise _missing(kind, error) from None
        except ValueError:
            raise LibrettoError(f"there is no vendor {kind!r}") from None
        taken = inspect.signature(made).parameters
        settings: dict[str, Any] = {}
        if "http_client" in taken:
            settings["http_client"] = connection
        url = base_url or (os.environ.get(BASES["ollama"], "") or _OLLAMA if kind == "ollama" else "")
        if url:
            if "base_url" not in taken:
                raise LibrettoError(f"{kind} takes no base URL; use openai:{model} with it")
            settings["base_url"] = url
        if elsewhere(kind, base_url) and "api_key" in taken and not keys_set(kind):
            settings["api_key"] = "none"
        return made(**settings)

    try:
        return infer_model(f"{name}:{model}", provider)
    except ImportError as error:
        raise _missing(kind, error) from None


def _missing(kind: str, error: ImportError) -> LibrettoError:
    if kind in BASES:
        return MissingExtra(f"{kind} models", "llm")
    return LibrettoError(f"{kind} needs an optional dependency: pip install 'pydantic-ai-slim[{kind}]'")


@dataclass
class Take:
    """What has arrived of a streamed reply, and why it went no further."""

    most: int
    pieces: list[str] = field(default_factory=list)
    written: int = 0
    thought: int = 0
    full: bool = False
    broken: Failure | None = None

    def add(self, event: object) -> str:
        """Take an event in; the text it brought, if any."""
        from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

        said, thought = "", 0
        if isinstance(event, PartStartEvent):
            content = getattr(event.part, "content", "")
            said, thought = (content, 0) if isinstance(event.part, TextPart) else ("", len(str(content or "")))
        elif isinstance(event, PartDeltaEvent):
            delta = getattr(event.delta, "content_delta", "") or ""
            said, thought = (delta, 0) if isinstance(event.delta, TextPartDelta) else ("", len(str(delta)))
        said = said[: self.most - self.written - self.thought]
        self.written, self.thought = self.written + len(said), self.thought + thought
        self.full = self.written + self.thought >= self.most
        if said:
            self.pieces.append(said)
        return said


def library_messages(messages: Sequence[Message]) -> list[ModelMessage]:
    """A conversation as the library holds it; sound goes along as it is."""
    from pydantic_ai.messages import (
        BinaryContent,
        ModelRequest,
        ModelResponse,
        SystemPromptPart,
        TextPart,
        UserContent,
        UserPromptPart,
    )  # fmt: skip

    conversation: list[ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            conversation.append(ModelResponse(parts=[TextPart(message.text)]))
            continue
        part: SystemPromptPart | UserPromptPart
        if message.role == "system":
            part = SystemPromptPart(message.text)
        else:
            content: list[UserContent] = [message.text] if message.text else []
            content += [BinaryContent(sound, media_type=media_type(sound)) for sound in message.audio]
            part = UserPromptPart(content if message.audio else message.text)
        if conversation and isinstance(conversation[-1], ModelRequest):
            conversation[-1] = ModelRequest(parts=[*conversation[-1].parts, part])
        else:
            conversation.append(ModelRequest(parts=[part]))
    return conversation


def media_type(sound: bytes) -> str:
    """The media type of a sound file, by its first bytes: WAV, FLAC, Ogg or MP3.

    >>> media_type(b"RIFF....WAVE")
    'audio/wav'
    """
    if _WAVE.match(sound):
        return "audio/wav"
    if sound.startswith(b"fLaC"):
        return "audio/flac"
    if sound.startswith(b"OggS"):
        return "audio/ogg"
    if sound.startswith(b"ID3") or _MPEG_FRAME.match(sound):
        return "audio/mpeg"
    raise LibrettoError("this sound is none of WAV, FLAC, Ogg and MP3")
