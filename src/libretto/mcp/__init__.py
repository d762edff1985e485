"""Libretto for agents: a server of the Model Context Protocol over a workspace. A thin face, like the command line."""

from libretto.mcp.server import footprint_lines, make_server, serve
from libretto.registry import load_all

__all__ = ["footprint_lines", "make_server", "serve"]

load_all(__name__)  # every module that holds tools registers them
