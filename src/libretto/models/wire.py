"""Between our messages and the library's: what is told to a model, and what has arrived of its reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from libretto.errors import LibrettoError
from libretto.models.client import Message
from libretto.models.failures import Failure

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

__all__ = ["Take", "media_type", "told"]


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


def told(messages: Sequence[Message]) -> list[ModelMessage]:
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
            heard: list[UserContent] = [message.text] if message.text else []
            heard += [BinaryContent(each, media_type=media_type(each)) for each in message.audio]
            part = UserPromptPart(heard if message.audio else message.text)
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
    if sound[:4] == b"RIFF" and sound[8:12] == b"WAVE":
        return "audio/wav"
    if sound[:4] == b"fLaC":
        return "audio/flac"
    if sound[:4] == b"OggS":
        return "audio/ogg"
    if sound[:3] == b"ID3" or (len(sound) > 1 and sound[0] == 0xFF and sound[1] & 0xE0 == 0xE0):
        return "audio/mpeg"
    raise LibrettoError("this sound is none of WAV, FLAC, Ogg and MP3")
