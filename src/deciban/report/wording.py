"""Numbers as a page writes them: digits that their intervals support, thousands apart, a reason where there is none."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from deciban.records.display import amount, enclosing, limits, number, readable_fraction, shortened, within
from deciban.records.figures import MetricValue
from deciban.uncertainty.interval import Interval
from deciban.uncertainty.null_band import NullBand
from deciban.vocabulary import Vocabulary
from deciban.workflow.findings.evidence import lr_text

DIGITS: Final = 2
"""Digits of an interval's width that a page writes; the record and the files behind figures hold all."""

THIN: Final = "\u202f"
"""A narrow space that no line breaks at."""

NO_BREAK: Final = "\u00a0"
"""A space that no line breaks at."""

REASONS: Final = {
    "single_class": "one class only",
    "undefined_ratio": "nothing to divide by",
    "scale": "not for scores of this scale",
    "weighted": "not for weighted trials",
    "too_few": "too few trials",
    "separated": "classes are separated",
    "resolution": "too few trials for such a rate",
    "degenerate": "all replicates are alike",
    "not_computed": "not computed",
    "not_converged": "did not converge",
    "single_trial_bin": "a bin holds one trial",
    "zero_variance": "no variance",
    "infinite_end": "an end is infinite",
    "bucketed": "scores in buckets",
}
"""Reason codes in words; others are written as they are."""

METHODS: Final = {
    "wilson": "Wilson",
    "clopper-pearson": "Clopper–Pearson",
    "jeffreys": "Jeffreys",
    "delong": "DeLong",
    "delong-logit": "DeLong, on the logit scale",
    "newcombe": "Newcombe",
    "hanley-mcneil": "Hanley–McNeil",
    "percentile": "bootstrap percentiles",
    "basic": "basic bootstrap",
    "bca": "bootstrap, bias-corrected and accelerated",
    "halves": "halves of the data",
    "halves-log": "halves of the data, on the log scale",
    "class-means": "normal, of means by class",
    "class-means-hall": "normal, of means by class, with Hall's transformation",
    "log": "normal, on the log scale",
    "linear": "normal",
}
"""Methods of intervals as readers know them; others are written as they are."""


def count_text(value: float) -> str:
    """Write how many trials, with thousands apart.

    >>> count_text(1234567), count_text(2.5)
    ('1\u202f234\u202f567', '2.5')
    """
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value):,}".replace(",", THIN)
    return amount(value)


def both_classes(n_target: float, n_nontarget: float, words: Vocabulary) -> str:
    """Write how many trials of each class, in the reader's words.

    >>> from deciban.vocabulary import find_vocabulary
    >>> both_classes(2, 1, find_vocabulary("ml"))
    '2 positives and 1 negative'
    """
    of_class = ((n_target, words.targets), (n_nontarget, words.nontargets))
    return " and ".join(f"{count_text(n)} {said.removesuffix('s') if n == 1 else said}" for n, said in of_class)


def reason_text(code: str | None) -> str:
    """Say why there is no value."""
    return "" if code is None else REASONS.get(code, code)


def value_text(figure: MetricValue, *, rate: bool = False) -> str:
    """Write a value with the digits that its interval supports, else four; a ``rate`` in per cent; or a bracket."""
    if figure.value is None and figure.bracket is not None:
        return signed(enclosing(figure.bracket.low, figure.bracket.high))
    if figure.value is None:
        return "–"
    value, interval = figure.value, figure.interval
    if rate:
        scaled = None if interval is None else (100 * interval.low, 100 * interval.high)
        return signed(f"{within(100 * value, *scaled, DIGITS) if scaled else four(100 * value)}{THIN}%")
    return signed(within(value, interval.low, interval.high, DIGITS) if interval else four(value))


def interval_text(interval: Interval | None, *, rate: bool = False) -> str:
    """Write both ends of an interval; nothing for none."""
    if interval is None:
        return ""
    factor, sign = (100, f"{THIN}%") if rate else (1, "")
    low, _, high = limits(factor * interval.low, factor * interval.high, DIGITS).strip("[]").partition(", ")
    return signed(f"[{low}{sign},{NO_BREAK}{high}{sign}]")


def four(value: float) -> str:
    """Write a number that has no interval with four significant digits, whole numbers as they are.

    >>> four(0.0359281437), four(2.0), four(123456.7)
    ('0.03593', '2', '123457')
    """
    if not math.isfinite(value) or float(value).is_integer():
        return number(value)
    return f"{value:.0f}" if 1e4 <= abs(value) < 1e7 else f"{value:.4g}"


def signed(text: str) -> str:
    """Write minus signs and infinities as print does.

    >>> signed("[-0.5, inf]"), signed("1e-05")
    ('[−0.5, ∞]', '1e−05')
    """
    return re.sub(r"(?<![\w.])-(?=[\d.∞])|(?<=e)-(?=\d)", "−", text.replace("inf", "∞"))


def compared(text: str) -> str:
    """Write comparisons as print does.

    >>> compared("cllr <= -0.5, errors >= 30")
    'cllr ≤ −0.5, errors ≥ 30'
    """
    return signed(text.replace("<=", "≤").replace(">=", "≥"))


def exact_or_reason(figure: MetricValue) -> str:
    """Words after a value: its fraction where that can be read, or why there is none."""
    if figure.value is None:
        return "between these" if figure.bracket is not None else reason_text(figure.reason)
    fraction = readable_fraction(figure.exact)
    return f"= {fraction}" if fraction else ""


def method_text(interval: Interval) -> str:
    """How an interval was made."""
    said = METHODS.get(interval.method, interval.method)
    return f"{said}, by source" if interval.resampled == "sources" else said


def lr_words(lr: float) -> str:
    """Write a likelihood ratio: plain where that is short, else as a power of ten.

    >>> lr_words(35.72), lr_words(0.0), lr_words(3.98e76)
    ('35.7', '0', '10^76.6')
    """
    return signed(lr_text(math.log10(lr) if lr > 0.0 else -math.inf))


def null_text(band: NullBand) -> str:
    """What perfectly calibrated LRs would give beside a figure."""
    level = f"{100 * band.level:g}{THIN}%"
    return f"median {band.median:.2g}, {level} up to {band.high:.3g} (p = {band.p_value:.2g})"


def distinct(names: Iterable[str], width: int = 40) -> dict[str, str]:
    """Names for a table, long ones short; those that would look alike are numbered.

    >>> list(distinct(["a" * 20 + "x" + "a" * 20, "a" * 20 + "y" + "a" * 20, "b"], 12).values())
    ['aaaaaaa…aaaa (1)', 'aaaaaaa…aaaa (2)', 'b']
    """
    short = {name: shortened(name, width) for name in names}
    times = Counter(short.values())
    return {
        name: text if times[text] == 1 else f"{text} ({place})" for place, (name, text) in enumerate(short.items(), 1)
    }


def capital(text: str) -> str:
    """Write words as they begin a line: with a capital, the rest as it is."""
    return text[:1].upper() + text[1:]
