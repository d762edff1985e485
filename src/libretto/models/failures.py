"""What goes wrong between us and a vendor, as one of a few kinds and one line that holds no key and no header."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass

from libretto.errors import ModelError
from libretto.models.keys import KEYS, keys_set

__all__ = ["Failure", "failure", "scrub", "without_key"]

_LONGEST = 160
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)S?$")
_SECRET = re.compile(r"\b(?:(?:sk|pk|gsk|xai|key)[-_]|AIza|Bearer )[A-Za-z0-9*._-]{8,}")
_CREDENTIALS = re.compile(r"//[^/@\s]+@")


@dataclass(frozen=True)
class Failure:
    """One failed try: its kind, one line about it, whether to try again, and after how many seconds if it was said."""

    kind: str
    message: str
    again: bool = False
    wait: float | None = None

    def error(self) -> ModelError:
        """The failure as what is raised."""
        return ModelError(self.kind, self.message)


def failure(error: BaseException, name: str, *, trouble: str = "") -> Failure:
    """What an exception of a vendor's library means; ``trouble`` is what we saw ourselves."""
    from pydantic_ai import exceptions as known

    if trouble:
        return Failure("garbled", f"{name} {trouble}")
    if isinstance(error, known.ModelAuthenticationError):
        return Failure("key", f"{name} does not accept the key{_of(name)}, or it may not use this model")
    if isinstance(error, known.UserError):
        return _misuse(error, name)
    if isinstance(error, known.ModelTimeoutError | known.ModelRequestTimeout | TimeoutError):
        return Failure("timeout", f"{name} did not answer in time", again=True)
    if isinstance(error, known.ModelQuotaExceededError):
        return Failure("rate", f"{name} answers no more: the quota or the credit of the account is used up")
    if isinstance(error, known.ModelRateLimitError):
        return Failure("rate", f"{name} takes no more requests for now (rate limit)", True, error.retry_after)
    if isinstance(error, known.ModelUnavailableError | known.ModelServerError):
        status = getattr(error, "status_code", "")
        return Failure("server", f"{name} failed{f' (HTTP {status})' if status else ''}", True, error.retry_after)
    if isinstance(error, known.ModelConnectionError):
        return Failure("network", f"{name} cannot be reached, or the connection broke", again=True)
    if isinstance(error, known.ModelNotFoundError):
        return Failure("refused", f"{name} is not there: no such model, or the base URL is wrong (HTTP 404)")
    if isinstance(error, known.ModelContextWindowExceededError):
        return Failure("refused", f"{name} cannot take a request that long")
    if isinstance(error, known.ModelHTTPError):
        return _by_status(error.status_code, _said(error.body), name, error.retry_after)
    if isinstance(error, known.ContentFilterError):
        return Failure("refused", f"{name} refused to answer")
    if isinstance(error, RuntimeError) and not isinstance(error, known.AgentRunError):
        return Failure("refused", f"{name} cannot be asked: {scrub(str(error))}")  # sound, say, where it hears none
    if isinstance(error, OSError):
        return Failure("network", f"{name} cannot be reached ({type(error).__name__})", again=True)
    return _by_class(error, name)


def scrub(text: str) -> str:
    """A text from outside as one short line without anything that is, or looks like, a key."""
    for variable, value in os.environ.items():
        if len(value) >= 8 and _SECRET_NAME.search(variable):
            text = text.replace(value, "***")
    text = _SECRET.sub("***", _CREDENTIALS.sub("//***@", text))
    text = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def without_key(text: str, kind: str) -> str:
    """A text without a vendor's key, should it have come back in it."""
    for variable in keys_set(kind):
        value = os.environ[variable]
        text = text.replace(value, "***") if len(value) >= 8 else text
    return text


def _by_status(status: int, said: str, name: str, wait: float | None) -> Failure:
    told = f": {said}" if said else ""
    if status in (401, 403):
        return Failure("key", f"{name} does not accept the key{_of(name)}, or it may not use this model")
    if status == 429:
        return Failure("rate", f"{name} takes no more requests for now (rate limit)", True, wait)
    if status in (408, 409) or status >= 500:
        return Failure("server", f"{name} failed (HTTP {status})", True, wait)
    return Failure("refused", f"{name} rejects the request (HTTP {status}){told}")


def _by_class(error: BaseException, name: str) -> Failure:
    """Exceptions of the layers below: by what their classes are called, since each vendor brings its own."""
    names = " ".join(each.__name__ for each in type(error).__mro__)
    if "Timeout" in names:
        return Failure("timeout", f"{name} did not answer in time", again=True)
    if any(
        word in names for word in ("RemoteProtocolError", "ReadError", "ConnectError", "NetworkError", "APIConnection")
    ):
        return Failure("network", f"{name} cannot be reached, or the connection broke", again=True)
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return _by_status(status, "", name, None)
    return Failure("garbled", f"{name} sent what is no reply ({type(error).__name__})")


def _misuse(error: Exception, name: str) -> Failure:
    """What the library refuses before anything is sent: mostly that there is no key."""
    text = str(error)
    if "API_KEY" in text or "api_key" in text or "environment variable" in text:
        return Failure(
            "key", f"{name} needs a key: set {_variables(name) or 'the key of its vendor'} in the environment"
        )
    return Failure("refused", f"{name} cannot be asked: {scrub(text)}")


def _said(body: object) -> str:
    """The vendor's own words out of an error's body."""
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except ValueError:
            return scrub(str(body))
    if isinstance(body, dict):
        inner = body.get("error", body)
        told = inner.get("message", "") if isinstance(inner, dict) else inner
        return scrub(str(told))
    return ""


def _variables(name: str) -> str:
    return " or ".join(KEYS.get(name.partition(":")[0], ()))


def _of(name: str) -> str:
    variables = _variables(name)
    return f" in {variables}" if variables else ""
