"""What was understood of a brief, as chips that can be put right; and the concepts of the lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from libretto.errors import LibrettoError
from libretto.studio.asking import asked_text
from libretto.studio.desk import Call, StudioDesk, json_of, route

if TYPE_CHECKING:
    from starlette.responses import Response

__all__: list[str] = []


@route("POST", "/api/contract")
def _contract(desk: StudioDesk, call: Call) -> Response:
    """What a brief asks for: understood, assumed, not understood; with corrections, as they put it right."""
    from libretto.contract import MAX_BRIEF, contract_to_toml
    from libretto.contract.amending import amended, fields_of

    data = call.data
    brief, corrections = asked_text(data, "brief", MAX_BRIEF), data.get("corrections") or []
    if not isinstance(corrections, list):
        raise LibrettoError("corrections: a list is needed here")
    contract, heard = amended(brief, corrections)
    understood = [
        {"words": one.words, "clause": one.kind, "text": one.value, "start": one.start, "end": one.end} for one in heard
    ]
    fields = fields_of(contract)
    set_here = {one["key"] for one in corrections if isinstance(one, dict) and isinstance(one.get("key"), str)}
    understood += [
        {"words": "", "clause": field["key"], "text": _told(field["value"]), "start": 0, "end": 0}
        for field in fields
        if field["key"] in set_here
    ]
    assumed = [
        {"text": f"{field['key']}: {_told(field['value'])}", "key": field["key"], "value": field["value"]}
        for field in fields
        if not field["asked"] and field["key"] not in set_here
    ]
    assumed += [{"text": sentence, "key": "", "value": None} for sentence in contract.assumed]
    return json_of(
        {
            "understood": understood,
            "assumed": assumed,
            "not_understood": list(contract.unread),
            "fields": fields,
            "asks": [ask.text for ask in contract.asks],
            "contract": contract_to_toml(contract),
        }
    )


def _told(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and len(value) == 2 and all(isinstance(one, int | float) for one in value):
        low, high = value
        return f"{low:g}" if low == high else f"{low:g}-{high:g}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@route("GET", "/api/concepts")
def _concepts(desk: StudioDesk, call: Call) -> Response:
    """The concepts of theory that can be drilled."""
    from libretto.knowledge import all_concepts

    concepts = [one for one in all_concepts().values() if one.key.startswith("theory/")]
    return json_of([{"name": one.key.partition("/")[2], "title": one.title, "level": one.level} for one in concepts])
