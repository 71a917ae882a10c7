"""Data and criteria files that tests of validation share."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import deciban as db
from deciban.passes.simulate import calibrated_ln_lrs

N1, N0 = 300, 600


def ln_lrs(sigma: float = 2.0, seed: int = 5):
    """LRs of a perfectly calibrated system, targets then nontargets."""
    return calibrated_ln_lrs(N1, N0, sigma=sigma, generator=np.random.default_rng(seed))


def system(factor: float = 1.0, sigma: float = 2.0, **columns) -> db.Trials:
    """Calibrated LRs, or with a factor above 1 overstated ones."""
    target, nontarget = ln_lrs(sigma)
    labels = [1] * N1 + [0] * N0
    return db.Trials.from_arrays(np.concatenate([target, nontarget]) * factor, labels, scale="ln_lr", **columns)


def sources(n: int) -> list[str]:
    """A source for each trial, n of them in turn."""
    return [f"s{i % n}" for i in range(N1 + N0)]


def write_criteria(folder: Path, text: str, *, dated: bool = True) -> Path:
    """A criteria file with a date."""
    path = folder / "criteria.toml"
    decision = "" if "[decision]" in text or not dated else "\n[decision]\nfixed_on = 2026-03-01\n"
    path.write_text(text + decision, encoding="utf-8")
    return path


def criterion(id: str, **settings: object) -> str:  # noqa: A002 - the key of the file
    """One table ``[[criterion]]``."""
    lines = [f"{key} = {'true' if v is True else 'false' if v is False else repr(v)}" for key, v in settings.items()]
    return "\n".join(["[[criterion]]", f"id = {id!r}", *lines, ""])
