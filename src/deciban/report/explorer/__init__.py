"""The interactive part of a report: one threshold, one prior and two costs, and what they make of the trials."""

from deciban.report.explorer.fragment import explore, explorer_fragment, preparing

__all__ = ["explore", "explorer_fragment", "preparing"]
