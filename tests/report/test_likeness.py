"""What is said of a comparison with other songs."""

from __future__ import annotations

from libretto.corpus import Overlap
from libretto.gates import Comparison
from libretto.report.likeness import comparison_lines


def test_the_error_rate_is_that_of_the_pieces_kind_and_of_whole_songs() -> None:
    song = Overlap(0.1, 0.2, 0.1, 3, "", 0, 0.0, (), None, 10, 50)
    alarms = {"trio": (2, 53), "band": (1, 43), "whole songs": (0, 114)}
    said = comparison_lines(Comparison("x", 740, (song,), 0.4, {}, alarms, "trio"))
    assert said[1].strip() == (
        "2 of 53 real excerpts for a trio and 0 of 114 real whole songs were called too like a song of another artist"
    )
    assert "real" not in comparison_lines(Comparison("x", 740, (song,), 0.4))[1]
