"""How Hypothesis runs: the same examples each time, unless ``HYPOTHESIS_PROFILE=hunt`` asks for many new ones."""

import os

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("hunt", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
