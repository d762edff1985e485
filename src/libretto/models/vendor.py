"""Vendors' models and servers of one's own behind the one client: anthropic, openai, google, ollama, and any other
vendor that pydantic-ai knows, as ``vendor:PROVIDER:NAME``.

A call is streamed, timed (so many seconds between two bytes, so many in all), tried again where that makes sense, and
bounded: what goes on for ever is not read for ever. A stream that breaks off after some text gives that text, marked
``cut``. Keys come from the environment and are in nothing that we write, say or hold.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from libretto.errors import LibrettoError, MissingExtra, ModelError
from libretto.models.client import Client, Reply, Request, clients
from libretto.models.cost import tokens_of
from libretto.models.failures import KEYS, Failure, failure, scrub, without_key
from libretto.models.price import money_of, price_told
from libretto.models.reach import Take, Traffic, check_base, elsewhere, library_messages, library_model

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.settings import ModelSettings

__all__ = ["Patience", "Vendor"]

T = TypeVar("T")
_FINISHES = {"stop": "stop", "tool_call": "stop", "length": "length", "content_filter": "refused", "error": "cut"}
#: A reply may have so many characters for each token it was allowed, and so many in all.
_CHARACTERS_A_TOKEN, _MOST_CHARACTERS = 8, 2_000_000
_SIGNS_A_TOKEN = 4  # thoughts are not counted by the rule: so many characters are taken for a token
#: Bytes on the wire for each token: a streamed token comes in an envelope of some hundred bytes.
_BYTES_A_TOKEN, _MORE_BYTES, _MOST_BYTES = 2_000, 1_000_000, 64_000_000


@dataclass(frozen=True)
class Patience:
    """How long to wait: seconds between two bytes, seconds in all, tries, and seconds of waiting between tries."""

    between: float = 180.0
    total: float = 900.0
    tries: int = 4
    waiting: float = 60.0
    backoff: float = 1.0

    def wait(self, tried: int, asked: float | None) -> float:
        """How long to wait after so many tries: what the vendor asks, or 1, 2, 4 ... seconds."""
        return max(0.0, asked) if asked is not None else self.backoff * 2 ** (tried - 1)


class _Broken(Exception):
    """A try that failed."""

    def __init__(self, why: Failure) -> None:
        self.why = why


class Vendor:
    """A client for one model of one vendor."""

    def __init__(
        self, kind: str, model: str, seed: int = 0, base_url: str = "", *, patience: Patience | None = None
    ) -> None:
        if not model:
            raise LibrettoError(f"{kind} needs the name of a model: {kind}:NAME")
        if find_spec("pydantic_ai") is None:
            raise MissingExtra(f"{kind}:{model}", "llm")
        self.kind, self.model, self.seed = kind, model, seed
        self.name = f"{kind}:{model}"
        self.patience = patience or Patience()
        self._base_url = check_base(base_url)
        self._streams = True

    def __repr__(self) -> str:
        return f"Vendor({self.name!r})"

    def ask(
        self,
        request: Request,
        *,
        timeout_seconds: float | None = None,
        heard: Callable[[str], None] = lambda text: None,
    ) -> Reply:
        """Answer a request; ``timeout_seconds`` bounds the whole of it, with every try and every wait."""
        import pydantic_ai.direct  # noqa: F401 (it takes a while, which is nobody's waiting)

        patience, began = self.patience, time.monotonic()
        end = began + min(patience.total, timeout_seconds if timeout_seconds is not None else patience.total)
        waited, tried = 0.0, 0
        while True:
            tried += 1
            try:
                reply = _run(lambda: self._try(request, end, heard))
            except _Broken as broken:
                why = broken.why
            else:
                return replace(reply, seconds=round(time.monotonic() - began, 3))
            wait = patience.wait(tried, why.wait)
            often = f"; tried {tried} times" if tried > 1 else ""
            if not why.again or tried >= patience.tries:
                raise ModelError(why.kind, why.message + often)
            if waited + wait > patience.waiting or time.monotonic() + wait >= end:
                asked = f" and asks to wait {why.wait:.0f} s" if why.wait is not None else ""
                raise ModelError(why.kind, why.message + asked + often)
            time.sleep(wait)
            waited += wait

    async def _try(self, request: Request, end: float, heard: Callable[[str], None]) -> Reply:
        """One try: a reply, or what went wrong; a server that does not stream is asked again without streaming."""
        if self._streams:
            reply = await self._listen(request, end, heard)
            if reply is not None:
                return reply
            self._streams = False
        reply = await self._fetch(request, end)
        heard(reply.text)
        return reply

    async def _listen(self, request: Request, end: float, heard: Callable[[str], None]) -> Reply | None:
        """A streamed reply; None where the server sent one in a piece instead."""
        from pydantic_ai.direct import model_request_stream

        traffic, take = self._watch(request), Take(_most_characters(request))
        async with AsyncExitStack() as stack:
            with self._failing(traffic):
                connection = await stack.enter_async_context(traffic.connection())
                model = library_model(self.kind, self.model, self._base_url, connection)
            try:
                async with asyncio.timeout_at(_on_loop(end)):
                    opened = model_request_stream(
                        model, library_messages(request.messages), model_settings=self._settings(request)
                    )
                    stream = await stack.enter_async_context(opened)
            except Exception as error:
                if traffic.unstreamed and not traffic.trouble:
                    return None
                raise _Broken(failure(error, self.name, trouble=traffic.trouble)) from None
            events = aiter(stream)
            while not take.full:
                try:
                    async with asyncio.timeout_at(_on_loop(end)):
                        event = await anext(events)
                except StopAsyncIteration:
                    break
                except Exception as error:
                    take.broken = failure(error, self.name, trouble=traffic.trouble)
                    break
                said = take.add(event)
                if said:
                    heard(said)
            stack.push_async_exit(_no_error)
            response = stream.get()
        return self._reply(request, response, take)

    async def _fetch(self, request: Request, end: float) -> Reply:
        """A reply in one piece."""
        from pydantic_ai.direct import model_request

        traffic, take = self._watch(request), Take(_most_characters(request))
        with self._failing(traffic):
            async with traffic.connection() as connection, asyncio.timeout_at(_on_loop(end)):
                model = library_model(self.kind, self.model, self._base_url, connection)
                response = await model_request(
                    model, library_messages(request.messages), model_settings=self._settings(request)
                )
        text = response.text or ""
        take.pieces.append(text[: take.most])
        take.full = len(text) > take.most
        return self._reply(request, response, take)

    def _reply(self, request: Request, response: ModelResponse, take: Take) -> Reply:
        """What has arrived as a reply; a try that brought nothing is broken."""
        text, finish = _ended("".join(take.pieces), response, take)
        if not text.strip():
            raise _Broken(take.broken or self._nothing(request, finish))
        usage, cut = response.usage, finish == "cut" or take.full
        tokens_in = usage.input_tokens or sum(tokens_of(message.text) for message in request.messages)
        tokens_out, seen = usage.output_tokens, tokens_of(text) + take.thought // _SIGNS_A_TOKEN
        tokens_out = max(tokens_out, seen) if cut or not tokens_out else tokens_out
        money = None
        if not elsewhere(self.kind, self._base_url):
            money = None if cut else price_told(response)
            money = money_of(self.kind, self.model, tokens_in, tokens_out) if money is None else money
        model = scrub(response.model_name or self.model)
        return Reply(without_key(text, self.kind), model, finish, tokens_in, tokens_out, money)

    def _nothing(self, request: Request, finish: str) -> Failure:
        """Why a reply has no text."""
        if finish == "refused":
            return Failure("refused", f"{self.name} refused to answer")
        if finish == "length":
            return Failure("empty", f"{self.name} wrote nothing of use within {request.limit:,} tokens")
        return Failure("empty", f"{self.name} answered with nothing")

    def _watch(self, request: Request) -> Traffic:
        return Traffic(self.patience.between, min(_MOST_BYTES, _MORE_BYTES + _BYTES_A_TOKEN * request.limit))

    def _settings(self, request: Request) -> ModelSettings:
        """What the library sends along; a vendor that takes no seed is sent none."""
        from pydantic_ai.settings import ModelSettings

        settings = ModelSettings(max_tokens=request.limit, max_retries=0, seed=self.seed)
        if request.temperature is not None:
            settings["temperature"] = request.temperature
        if request.top_p is not None:
            settings["top_p"] = request.top_p
        if request.top_k is not None:
            settings["top_k"] = request.top_k
        return settings

    @contextmanager
    def _failing(self, traffic: Traffic) -> Iterator[None]:
        try:
            yield
        except LibrettoError:
            raise
        except Exception as error:
            raise _Broken(failure(error, self.name, trouble=traffic.trouble)) from None


def _ended(text: str, response: ModelResponse, take: Take) -> tuple[str, str]:
    """The text of a reply, or the words of a refusal, and why it ended."""
    details = response.provider_details or {}
    finish = _FINISHES.get(response.finish_reason or "", "stop")
    untold = not details.get("finish_reason") and not response.usage.output_tokens
    if (untold or not response.finish_reason) and finish != "refused":
        finish = "cut"  # it ended, but nobody said so
    finish = "length" if take.full else "cut" if take.broken else finish
    refusal = str(details.get("refusal") or "")
    return (text or refusal, "refused") if finish == "refused" or refusal else (text, finish)


def _most_characters(request: Request) -> int:
    return min(_MOST_CHARACTERS, _CHARACTERS_A_TOKEN * request.limit)


def _on_loop(end: float) -> float:
    """A moment of the monotonic clock on the running loop's own."""
    return asyncio.get_running_loop().time() + end - time.monotonic()


async def _no_error(_kind: object, error: object, _trace: object) -> bool:
    """What goes wrong while a stream is closed changes nothing any more."""
    return isinstance(error, Exception)


def _run(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run to the end, from wherever it is called: inside a running loop, in a thread of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(make())).result()


def _maker(kind: str) -> None:
    @clients.register(kind)
    def make(model: str, seed: int, base_url: str) -> Client:
        return Vendor(kind, model, seed, base_url)


for _kind in KEYS:
    _maker(_kind)


@clients.register("vendor")
def _other(model: str, seed: int, base_url: str) -> Client:
    """Any other vendor that the library knows: ``vendor:PROVIDER:NAME``."""
    kind, _, name = model.partition(":")
    if not kind or not name:
        raise LibrettoError("another vendor is named vendor:PROVIDER:NAME, such as vendor:openrouter:NAME")
    return Vendor(kind, name, seed, base_url)
