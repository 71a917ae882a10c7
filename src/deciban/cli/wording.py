"""Messages of the library in the words of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from deciban.errors import DecibanError

_BOTH: Final = re.compile(r"\w+=(?:'[^']*'|[^\s,;()]*) \((--[^()]*)\)")
"""An option in both notations, ``missing='drop' (--missing drop)``, as the library's messages give it."""

_OPTIONS: Final = {
    "at": "--at",
    "allow_leak": "--allow-leak",
    "auc_low": "--auc-low",
    "bandwidth": "--bandwidth",
    "bound": "--bound",
    "folds": "--folds",
    "model": "--model",
    "penalty": "--penalty",
    "score": "--score",
    "suffix": "--suffix",
    "apcer": "--apcer",
    "asv": "--asv-threshold",
    "auc": "--auc",
    "auc_interval": "--auc-interval",
    "bins": "--bins",
    "bootstrap": "--bootstrap",
    "by": "--by",
    "cllr": "--cllr",
    "cm_threshold": "--cm-threshold",
    "cost": "--cost",
    "criteria": "--criteria",
    "draws": "--draws",
    "equalise": "--equalise",
    "fta": "--fta",
    "fte": "--fte",
    "higher": "--higher",
    "hull": "--hull",
    "key": "--key",
    "reader": "--reader",
    "interval": "--interval",
    "level": "--level",
    "metric": "--metric",
    "metrics": "--ratio",
    "missing": "--missing",
    "n_nontarget": "--nontargets",
    "n_target": "--targets",
    "n_bins": "--n-bins",
    "normalise": "--normalise",
    "p_target": "--p-target",
    "pairing": "--pairing",
    "prior": "--prior",
    "profile": "--profile",
    "proportion": "--proportion",
    "rate": "--rate",
    "ratio": "--ratio",
    "replicates": "--replicates",
    "require": "--require",
    "sasv_threshold": "--threshold",
    "scale": "--scale",
    "seed": "--seed",
    "sources": "--source",
    "threshold": "--threshold",
    "thresholds": "--threshold",
    "type": "--type",
    "unmatched": "--unmatched",
    "vocabulary": "--vocabulary",
    "weight": "--weight",
    "width": "--width",
    "x": "--x",
}


def on_the_command_line(message: str) -> str:
    """Name options as the command line does: ``--missing drop`` alone, and ``--p-target:`` for ``p_target:``."""
    message = _BOTH.sub(r"\1", message)
    name, colon, rest = message.partition(":")
    return f"{_OPTIONS[name]}:{rest}" if colon and name in _OPTIONS else message


_NOT_OF_A_FIT: Final = (
    " or count them as never accepted with --missing reject",
    "; the one at which they become posteriors is --p-target",
)
"""What messages about scores advise, and commands that fit cannot do."""

_PRIOR: Final = re.compile(r"(?<![\w-])--prior\b")


@contextmanager
def words_of_a_fit() -> Iterator[None]:
    """Errors about development trials in the words of the commands that fit, whose --prior is that of the fit."""
    try:
        yield
    except DecibanError as error:
        message = on_the_command_line(str(error))
        for advice in _NOT_OF_A_FIT:
            message = message.replace(advice, "")
        raise DecibanError(_PRIOR.sub("--score-prior", message)) from None
