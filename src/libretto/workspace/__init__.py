"""A workspace: pieces by name with every version, who wrote what, and writes of some bars that leave the rest alone."""

from libretto.workspace.beginning import begin_piece
from libretto.workspace.blame import Stretch, blame
from libretto.workspace.disk import inside
from libretto.workspace.excerpt import Written, bars_text, in_force_line, range_of, voices_of, write_bars
from libretto.workspace.files import open_version, put_file, save_file, source_of, version_bytes
from libretto.workspace.takes import Take, add_take, drop_take, find_take, keep_take, take_score, take_text
from libretto.workspace.versions import History, Version, check_name, handle, is_handle, is_name, name_for, split_handle
from libretto.workspace.workspace import FOLDER, Workspace

__all__ = [
    "FOLDER",
    "History",
    "Stretch",
    "Take",
    "Version",
    "Workspace",
    "Written",
    "add_take",
    "bars_text",
    "begin_piece",
    "blame",
    "check_name",
    "drop_take",
    "find_take",
    "handle",
    "in_force_line",
    "inside",
    "is_handle",
    "is_name",
    "keep_take",
    "name_for",
    "open_version",
    "put_file",
    "range_of",
    "save_file",
    "source_of",
    "split_handle",
    "take_score",
    "take_text",
    "version_bytes",
    "voices_of",
    "write_bars",
]
