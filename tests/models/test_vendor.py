"""The client for vendors' models, against a vendor of our own that behaves as badly as any, in both protocols."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from vendors import KEY, TEXT, WORDS, VendorServer

import libretto.models.vendor as vendor_module
from libretto.errors import LibrettoError, ModelError
from libretto.models.client import Message, Reply, Request, clients
from libretto.models.failures import scrub
from libretto.models.ledger import Budget, Ledger
from libretto.models.price import expected, money_of
from libretto.models.reach import media_type
from libretto.models.vendor import Patience, Vendor

PROTOCOLS = ("openai", "anthropic")
REQUEST = Request((Message("system", "You compose."), Message("user", "One bar, please.")), limit=400)
#: What each misbehaviour comes to: how the reply ends, or the kind of error; and how often the vendor is asked.
OUTCOMES = {
    **dict.fromkeys(WORDS, ("stop", 1)),
    "slow": ("stop", 1), "unstreamed": ("stop", 2), "length": ("length", 1), "endless": ("length", 1),
    "cut": ("cut", 1), "cut-in-a-token": ("cut", 1), "cut-quietly": ("cut", 1), "hanging-midway": ("cut", 1),
    "refusal": ("refused", 1), "empty": ("empty", 1), "malformed": ("garbled", 1), "wrong-type": ("garbled", 1),
    "huge": ("garbled", 1), "packed": ("garbled", 1), "elsewhere": ("garbled", 1), "key": ("key", 1),
    "bad-request": ("refused", 1), "no-such-model": ("refused", 1), "hanging": ("timeout", 3), "error": ("server", 3),
    "rate": ("rate", 3), "rate-soon": ("rate", 3), "rate-late": ("rate", 1),
}  # fmt: skip


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def vendor(server: VendorServer, protocol: str, *, between: float = 20.0) -> Vendor:
    patience = Patience(between=between, total=60.0, tries=3, backoff=0.001)
    return Vendor(protocol, "test", 7, server.base_url(protocol), patience=patience)


def outcome(client: Vendor, heard: Callable[[str], None] = lambda text: None) -> Reply | ModelError:
    try:
        return client.ask(REQUEST, heard=heard)
    except ModelError as error:
        return error


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("behaviour", sorted(OUTCOMES))
def test_every_behaviour_ends_in_a_reply_or_an_error_of_its_kind(
    behaviour: str, protocol: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    pieces: list[str] = []
    with VendorServer([behaviour]) as server:
        made = vendor(server, protocol, between=1.5 if "hanging" in behaviour else 20.0)
        came = outcome(made, pieces.append)
        ended, times = OUTCOMES[behaviour]
        assert len(server.requests) == times
        assert set(server.keys) == {KEY}
        assert not any("stolen" in path for path in server.paths)
    if isinstance(came, ModelError):
        assert came.kind == ended
        assert "\n" not in str(came)
        assert len(str(came)) < 300
    else:
        assert came.finish == ended
        assert came.tokens_out > 0
        assert came.tokens_in > 0
        assert came.money is None
        if behaviour in WORDS or behaviour in ("slow", "unstreamed"):
            assert came.text == WORDS.get(behaviour, WORDS["fine"])(TEXT)
        if ended in ("cut", "length") and behaviour != "endless":
            assert TEXT.startswith(came.text)
        if ended != "refused":
            assert "".join(pieces) == came.text
        assert len(came.text) <= 8 * REQUEST.limit
    assert KEY not in f"{came!r} {came} {made!r} {vars(made)} {caplog.text}"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_half_a_sign_ends_no_run(protocol: str, tmp_path: Path) -> None:
    with VendorServer(["fine"], lambda asked: TEXT + "% \ud800 and no more\n") as server:
        ledger = Ledger(vendor(server, protocol))
        ledger.keep_in(tmp_path)
        ledger.begin(1)
        came = ledger.ask([Message("user", "Two bars, please.")])
    assert came.text == TEXT + "% \N{REPLACEMENT CHARACTER} and no more\n"
    assert [path.name for path in sorted((tmp_path / "calls").iterdir())] == ["r1-001.json"]


@pytest.mark.parametrize("behaviour", ["key", "error", "rate-late", "no-such-model", "wrong-type", "huge", "hanging"])
def test_a_third_protocol_fails_in_the_same_ways(behaviour: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with VendorServer([behaviour]) as server:
        came = outcome(vendor(server, "google", between=1.5 if behaviour == "hanging" else 20.0))
        assert set(server.keys) == {KEY}
        assert len(server.requests) == OUTCOMES[behaviour][1]
    assert isinstance(came, ModelError)
    assert came.kind == OUTCOMES[behaviour][0]
    assert KEY not in f"{came!r} {caplog.text}"


def test_a_key_that_comes_back_is_not_kept() -> None:
    with VendorServer(["echo"]) as server:
        came = vendor(server, "openai").ask(REQUEST)
    assert came.text == f"{TEXT}% ***\n"
    assert came.model == "model of ***"


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("first", ["error", "rate-soon", "hanging"])
def test_what_passes_is_tried_again(first: str, protocol: str) -> None:
    with VendorServer([first, "fine"]) as server:
        came = vendor(server, protocol, between=1.5 if first == "hanging" else 20.0).ask(REQUEST)
        assert came.text == TEXT
        assert len(server.requests) == 2


def test_waits_are_what_is_asked_or_double_and_bounded() -> None:
    patience = Patience()
    assert [patience.wait(tried, None) for tried in (1, 2, 3)] == [1.0, 2.0, 4.0]
    assert patience.wait(3, 0.25) == 0.25
    assert (patience.tries, patience.waiting) == (4, 60.0)


def test_the_time_that_is_left_bounds_the_whole_of_it() -> None:
    with VendorServer(["hanging"]) as server, pytest.raises(ModelError) as raised:
        vendor(server, "openai").ask(REQUEST, timeout_seconds=1.0)
    assert raised.value.kind == "timeout"


def test_nobody_there_is_a_matter_of_the_network() -> None:
    with VendorServer() as server:
        url = server.base_url("openai")
    with pytest.raises(ModelError) as raised:
        Vendor("openai", "test", base_url=url, patience=Patience(tries=2, backoff=0.001)).ask(REQUEST)
    assert raised.value.kind == "network"


@pytest.mark.parametrize("kind", ["anthropic", "openai", "google"])
def test_no_key_is_said_before_anything_is_sent(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelError, match=f"{kind.upper()}_API_KEY") as raised:
        Vendor(kind, "some-model").ask(REQUEST)
    assert raised.value.kind == "key"


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name)
    for kind, protocol in (("openai", "openai"), ("anthropic", "anthropic"), ("ollama", "openai")):
        with VendorServer() as server:
            assert clients[kind]("qwen3", 0, server.base_url(protocol)).ask(REQUEST).text == TEXT
            assert KEY not in server.keys


def test_what_is_sent_is_what_was_asked() -> None:
    told = (Message("system", "S"), Message("user", "U"), Message("assistant", "A"), Message("user", "V"))
    with VendorServer() as server:
        vendor(server, "openai").ask(Request(told, limit=99, temperature=0.5, top_p=0.9))
        sent = server.requests[0]
    assert [(each["role"], each["content"]) for each in sent["messages"]] == [
        ("system", "S"), ("user", "U"), ("assistant", "A"), ("user", "V"),
    ]  # fmt: skip
    assert (sent["max_completion_tokens"], sent["temperature"], sent["seed"]) == (99, 0.5, 7)
    assert sent["top_p"] == 0.9
    with VendorServer() as server:
        vendor(server, "anthropic").ask(Request(told, limit=99))
        sent = server.requests[0]
    assert [each["role"] for each in sent["messages"]] == ["user", "assistant", "user"]
    assert sent["system"] == "S"
    assert sent["max_tokens"] == 99
    assert "seed" not in sent


def test_sound_goes_along() -> None:
    wav = b"RIFF\x24\0\0\0WAVEfmt " + bytes(32)
    request = Request((Message("user", "What is this?", (wav,)),))
    with VendorServer() as server:
        assert clients["openai"]("gpt-audio", 0, server.base_url("openai")).ask(request).text == TEXT
        parts = server.requests[0]["messages"][0]["content"]
        assert [each["type"] for each in parts] == ["text", "input_audio"]
        assert parts[1]["input_audio"]["format"] == "wav"
    with VendorServer() as server, pytest.raises(ModelError) as raised:
        vendor(server, "anthropic").ask(request)
    assert raised.value.kind == "refused"
    assert media_type(b"fLaC....") == "audio/flac"
    assert media_type(b"\xff\xfb\x90") == "audio/mpeg"
    with pytest.raises(LibrettoError):
        media_type(b"MThd")


def test_it_can_be_asked_from_inside_a_running_loop() -> None:
    async def inside(server: VendorServer) -> Reply:
        return vendor(server, "openai").ask(REQUEST)

    with VendorServer() as server:
        assert asyncio.run(inside(server)).text == TEXT


def test_what_a_listener_raises_is_its_own() -> None:
    def interrupted(text: str) -> None:
        raise KeyboardInterrupt

    with VendorServer() as server, pytest.raises(KeyboardInterrupt):
        vendor(server, "openai").ask(REQUEST, heard=interrupted)


def test_names_that_make_no_client() -> None:
    for kind, model in (("openai", ""), ("vendor", "openrouter")):
        with pytest.raises(LibrettoError):
            clients[kind](model, 0, "")
    for url in ("file:///etc/passwd", "localhost:8000", "https://me:secret@example.org/v1"):
        with pytest.raises(LibrettoError) as raised:
            clients["openai"]("x", 0, url)
        assert "secret" not in str(raised.value)
    with pytest.raises(LibrettoError, match="no vendor"):
        clients["vendor"]("nobody:x", 0, "").ask(REQUEST)


def test_other_vendors_that_the_library_knows_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with VendorServer() as server:
        made = clients["vendor"]("litellm:some/model", 0, server.base_url("openai").removesuffix("/v1"))
        assert made.name == "litellm:some/model"
    with pytest.raises(LibrettoError, match="pip install 'pydantic-ai-slim"):
        clients["vendor"]("groq:x", 0, "").ask(REQUEST)


def test_no_file_holds_the_key(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for protocol in PROTOCOLS:
        for behaviour in ("fine", "key", "bad-request", "cut", "error"):
            with VendorServer([behaviour]) as server:
                ledger = Ledger(vendor(server, protocol))
                folder = tmp_path / protocol / behaviour
                ledger.keep_in(folder)
                try:
                    ledger.ask(REQUEST.messages)
                except ModelError:
                    assert (folder / "calls" / "r1-001.failed.json").is_file()
                else:
                    assert (folder / "calls" / "r1-001.json").is_file()
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) == 10
    assert all(KEY.encode() not in path.read_bytes() for path in written)
    assert KEY not in caplog.text


def test_a_budget_of_seconds_reaches_the_vendor(tmp_path: Path) -> None:
    with VendorServer(["hanging"]) as server, pytest.raises(ModelError) as raised:
        Ledger(vendor(server, "openai"), budget=Budget(seconds=1.0)).ask(REQUEST.messages)
    assert raised.value.kind == "timeout"


def test_words_from_outside_are_scrubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_VENDOR_TOKEN", "plain-looking-value")
    said = scrub(
        f"no\n{KEY} \x1b[31m plain-looking-value Bearer abcdefghijkl https://me:pass@host/ sk-ab***************yz"
    )
    assert not any(each in said for each in (KEY, "plain-looking", "abcdefgh", "me:pass", "sk-ab", "\n", "\x1b"))
    assert len(scrub("x" * 10_000)) <= 160


def test_prices_are_known_or_unknown_never_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    one = money_of("openai", "gpt-4o", 1_000_000, 0)
    assert one is not None
    assert one > 0
    assert money_of("openai", "no-such-model-at-all", 1, 1) is None
    both = expected([REQUEST, (4_000, 1_000)], "openai:gpt-4o")
    assert both.calls == 2
    assert both.most_tokens_out == 1_400
    assert both.money is not None
    assert "up to $" in str(both)
    assert (both + expected([(4, 4)], "openai:no-such-model-at-all")).money is None
    assert expected([REQUEST], "openai:gpt-4o", "http://localhost:1/v1").money is None
    assert "price unknown" in str(expected([REQUEST], "ollama:qwen3"))
    assert json.loads(json.dumps(both.to_dict()))["calls"] == 2


@pytest.mark.parametrize(("protocol", "model"), [("openai", "gpt-4o"), ("anthropic", "claude-sonnet-4-6")])
@pytest.mark.parametrize("behaviour", ["fine", "cut"])
def test_a_vendors_own_model_has_its_price(
    protocol: str, model: str, behaviour: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vendor_module, "elsewhere", lambda kind, base_url: False)
    with VendorServer([behaviour]) as server:
        came = clients[protocol](model, 0, server.base_url(protocol)).ask(REQUEST)
    assert came.money
    assert came.money == money_of(protocol, model, came.tokens_in, came.tokens_out)


def test_without_the_extra_there_is_a_line_that_says_so() -> None:
    code = (
        "import sys; sys.modules['pydantic_ai'] = None\n"
        "import importlib.util as u; found = u.find_spec\n"
        "import libretto.models.vendor as v\n"
        "v.find_spec = lambda name: None\n"
        "try: v.Vendor('openai', 'x')\n"
        "except v.MissingExtra as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'libretto[llm]'" in done.stdout
