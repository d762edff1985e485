"""What goes wrong with a vendor, as one of a few kinds and a line without keys; and where keys are kept."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from http import HTTPStatus

from libretto.errors import ModelError

__all__ = ["KEYS", "Failure", "failure", "keys_set", "scrub", "without_key"]

_NO_KEY = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_PASSING = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT)  # it may well work the next time
_BROKEN_OFF = ("RemoteProtocolError", "ReadError", "ConnectError", "NetworkError", "APIConnection")


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
    if trouble:
        return Failure("garbled", f"{name} {trouble}")
    return _before_sending(error, name) or _of_the_vendor(error, name) or _below(error, name)


def _before_sending(error: BaseException, name: str) -> Failure | None:
    """What the library says of keys and misuse; None where it is something else."""
    from pydantic_ai import exceptions as known

    if isinstance(error, known.ModelAuthenticationError):
        return _no_key(name)
    if isinstance(error, known.UserError):
        return _misuse(error, name)
    return None


def _of_the_vendor(error: BaseException, name: str) -> Failure | None:
    """What the library has a class of its own for; None where it is something else."""
    from pydantic_ai import exceptions as known

    if isinstance(error, known.ModelTimeoutError | known.ModelRequestTimeout | TimeoutError):
        return Failure("timeout", f"{name} did not answer in time", again=True)
    if isinstance(error, known.ModelQuotaExceededError):
        return Failure("rate", f"{name} answers no more: the quota or the credit of the account is used up")
    if isinstance(error, known.ModelRateLimitError):
        return _too_many(name, error.retry_after)
    if isinstance(error, known.ModelUnavailableError | known.ModelServerError):
        status = getattr(error, "status_code", "")
        return Failure("server", f"{name} failed{f' (HTTP {status})' if status else ''}", True, error.retry_after)
    if isinstance(error, known.ModelConnectionError):
        return _broken_off(name)
    if isinstance(error, known.ModelNotFoundError):
        return Failure("refused", f"{name} is not there: no such model, or the base URL is wrong (HTTP 404)")
    if isinstance(error, known.ModelContextWindowExceededError):
        return Failure("refused", f"{name} cannot take a request that long")
    if isinstance(error, known.ModelHTTPError):
        return _by_status(error.status_code, _said(error.body), name, error.retry_after)
    if isinstance(error, known.ContentFilterError):
        return Failure("refused", f"{name} refused to answer")
    return None


def _below(error: BaseException, name: str) -> Failure:
    """What the layers below the library raise."""
    from pydantic_ai import exceptions as known

    if isinstance(error, RuntimeError) and not isinstance(error, known.AgentRunError):
        return Failure("refused", f"{name} cannot be asked: {scrub(str(error))}")  # sound, say, where it hears none
    if isinstance(error, OSError):
        return Failure("network", f"{name} cannot be reached ({type(error).__name__})", again=True)
    return _by_class(error, name)


def _no_key(name: str) -> Failure:
    variables = _variables(name)
    where = f" in {variables}" if variables else ""
    return Failure("key", f"{name} does not accept the key{where}, or it may not use this model")


def _too_many(name: str, wait: float | None) -> Failure:
    return Failure("rate", f"{name} takes no more requests for now (rate limit)", True, wait)


def _broken_off(name: str) -> Failure:
    return Failure("network", f"{name} cannot be reached, or the connection broke", again=True)


def _by_status(status: int, said: str, name: str, wait: float | None) -> Failure:
    if status in _NO_KEY:
        return _no_key(name)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return _too_many(name, wait)
    if status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Failure("server", f"{name} failed (HTTP {status})", True, wait)
    return Failure("refused", f"{name} rejects the request (HTTP {status}){f': {said}' if said else ''}")


def _by_class(error: BaseException, name: str) -> Failure:
    """Exceptions of the layers below: by what their classes are called, since each vendor brings its own."""
    names = " ".join(kind.__name__ for kind in type(error).__mro__)
    if "Timeout" in names:
        return Failure("timeout", f"{name} did not answer in time", again=True)
    if any(word in names for word in _BROKEN_OFF):
        return _broken_off(name)
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


#: The variables that may hold a vendor's key, the first that is set counts; a server of one's own needs none.
KEYS: dict[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "ollama": ("OLLAMA_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
}
_LONGEST = 160  # characters of a line from outside
_LEAST_SECRET = 8  # characters; what is shorter is no key, and may be a word
_STARS, _DOTS = "***", "..."
_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)S?$")
_SECRET = re.compile(r"\b(?:(?:sk|pk|gsk|xai|key)[-_]|AIza|Bearer )[A-Za-z0-9*._-]{8,}")
_CREDENTIALS = re.compile(r"//[^/@\s]+@")


def keys_set(kind: str) -> tuple[str, ...]:
    """The names of the variables that are set for a vendor; one we do not list has its own name in its variable."""
    names = KEYS.get(kind, (f"{kind.upper().replace('-', '_')}_API_KEY",))
    return tuple(name for name in names if os.environ.get(name))


def scrub(text: str) -> str:
    """A text from outside as one short line without anything that is, or looks like, a key."""
    for variable, value in os.environ.items():
        if _SECRET_NAME.search(variable):
            text = _hidden(text, value)
    text = _SECRET.sub(_STARS, _CREDENTIALS.sub(f"//{_STARS}@", text))
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - len(_DOTS)] + _DOTS


def without_key(text: str, kind: str) -> str:
    """A text without a vendor's key, should it have come back in it."""
    for variable in keys_set(kind):
        text = _hidden(text, os.environ[variable])
    return text


def _hidden(text: str, secret: str) -> str:
    return text.replace(secret, _STARS) if len(secret) >= _LEAST_SECRET else text
