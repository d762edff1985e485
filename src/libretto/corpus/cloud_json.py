"""A cloud as text and back: numbers and genre names only, the same bytes for the same cloud, with a checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from libretto.corpus.classifier import Classifier
from libretto.corpus.cloud import Cloud
from libretto.corpus.gauges import Gauges
from libretto.errors import FormatError
from libretto.score.arrays import Floats

__all__ = ["cloud_from_json", "cloud_to_json", "rounded"]

_DIGITS, _WEIGHT_DIGITS = 10, 5


def cloud_to_json(cloud: Cloud) -> str:
    """The cloud as text."""
    body: dict[str, Any] = {
        "name": cloud.name,
        "version": cloud.version,
        "about": cloud.about,
        "rule": cloud.rule,
        "axes": list(cloud.axes),
        "genres": list(cloud.genres),
        "groups": list(cloud.groups),
        "values": _rows(cloud.values, _DIGITS),
    }
    if cloud.classifier is not None:
        body["classifier"] = {
            "genres": list(cloud.classifier.genres),
            "weights": _rows(cloud.classifier.weights, _WEIGHT_DIGITS),
            "offsets": _rows(cloud.classifier.offsets[None, :], _WEIGHT_DIGITS)[0],
        }
    if cloud.gauges is not None:
        body["gauges"] = cloud.gauges.to_dict()
    return json.dumps({"checksum": _checksum(body), **body}, separators=(",", ":")).replace("],[", "],\n[") + "\n"


def cloud_from_json(text: str) -> Cloud:
    """Read a cloud back; a FormatError where it is damaged."""
    try:
        body = json.loads(text)
        checksum = body.pop("checksum")
        if checksum != _checksum(body):
            raise FormatError(f"the cloud {body.get('name')} is damaged: its checksum does not match")
        values = np.array([[np.nan if v is None else v for v in row] for row in body["values"]], dtype=np.float64)
        axes, genres = tuple(body["axes"]), tuple(body["genres"])
        return Cloud(
            body["name"],
            int(body["version"]),
            axes,
            genres,
            values.reshape(len(genres), len(axes)),
            body["rule"],
            body["about"],
            tuple(body.get("groups", ())),
            Gauges.from_dict(body["gauges"]) if "gauges" in body else None,
            _classifier(body["classifier"]) if "classifier" in body else None,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"this is not a cloud: {' '.join(str(error).split())}") from None


def rounded(value: float, digits: int = _DIGITS) -> float:
    """A number to so many digits: what survives different machines' arithmetic."""
    return float(f"{value:.{digits}g}")


def _rows(values: Floats, digits: int) -> list[list[float | None]]:
    return [[None if np.isnan(v) else rounded(v, digits) for v in row] for row in values.tolist()]


def _classifier(data: Mapping[str, Any]) -> Classifier:
    weights = np.array(data["weights"], dtype=np.float64)
    return Classifier(tuple(data["genres"]), weights, np.array(data["offsets"], dtype=np.float64))


def _checksum(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
