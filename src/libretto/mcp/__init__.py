"""Libretto for agents: a server of the Model Context Protocol over a workspace. A thin face, like the command line."""

from libretto.mcp.server import footprint_lines, make_server, serve

__all__ = ["footprint_lines", "make_server", "serve"]
