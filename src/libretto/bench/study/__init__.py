"""Listening studies with people: blinded packs that are made here, answered offline, and counted here again."""

from libretto.bench.study.pack import StudyPack, make_study
from libretto.bench.study.report import StudyReport, report_study, study_lines

__all__ = ["StudyPack", "StudyReport", "make_study", "report_study", "study_lines"]
