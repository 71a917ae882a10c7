"""The interactive part of a report: one threshold, one prior and two costs, and what they make of the trials."""

from deciban.report.explorer.fragment import Fragment, explorer_fragment
from deciban.report.explorer.payload import Explored

__all__ = ["Explored", "Fragment", "explorer_fragment"]
