"""What a contract asks for beyond its plain fields, done to a composed piece: one function a kind of ask."""

from libretto.house.asks.doing import Job, doers, done
from libretto.registry import load_all

__all__ = ["Job", "doers", "done"]

load_all(__name__)
