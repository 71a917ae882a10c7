"""The rows of the table: what was measured, what it is held against, and whether the bar is met."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

import deciban as db
import format_files
from csv_parsing import bare_parsers, command, write
from data import Arrays, all_scales, ln_lr_arrays, probability_arrays
from memory import peak_of_evaluate
from peers import auc_bootstrap, delong, lir_three, sklearn_seven
from timing import interleaved, new_interpreter
from work import CALIBRATORS, FIVE, bootstrap_intervals, calibrate, evaluate, our_delong, our_seven, our_three

MIB = 2**20


@dataclass(frozen=True)
class Row:
    """Ours and theirs in one unit; the bar is for ours / theirs, None where the figure is only for information.

    ``theirs`` is None where what it is held against is not installed.
    """

    work: str
    against: str
    unit: str
    ours: float
    theirs: float | None
    bar: float | None

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None else self.ours / self.theirs

    @property
    def met(self) -> bool | None:
        return None if self.bar is None or self.ratio is None else self.ratio <= self.bar


@dataclass(frozen=True)
class Sizes:
    """Numbers of trials and repeats."""

    large: int = 10**7
    small: int = 10**6
    csv: int = 10**7
    repeats_large: int = 3
    repeats_small: int = 9
    repeats_import: int = 15
    bootstrapped: int = 10**5
    replicates: int = 1000


QUICK = Sizes(
    large=50_000,
    small=20_000,
    csv=20_000,
    repeats_large=1,
    repeats_small=1,
    repeats_import=1,
    bootstrapped=5_000,
    replicates=50,
)


def seven(sizes: Sizes) -> Iterator[Row]:
    """The same seven as scikit-learn from the same arrays."""
    arrays = probability_arrays(ln_lr_arrays(sizes.small))
    seconds = interleaved(
        {"ours": lambda: our_seven(arrays), "theirs": lambda: sklearn_seven(arrays)}, sizes.repeats_small
    )
    work = f"auc, roc, det, pr, ap, brier, confusion; N = {sizes.small:,}"
    yield Row(work, "scikit-learn's", "s", seconds["ours"], seconds["theirs"], 1 / 15)


def everything(n: int, repeats: int) -> Iterator[Row]:
    """Every point metric in one evaluation, on every kind of scale, beside scikit-learn's seven and a bare sort."""
    by_scale = {arrays.title: arrays for arrays in all_scales(ln_lr_arrays(n))}
    probability = by_scale["probability"]
    theirs = interleaved({"seven": lambda: sklearn_seven(probability)}, max(1, repeats // 3))["seven"]
    for title, arrays in by_scale.items():
        ours, sort = _beside_sort(arrays, repeats)
        work = f"evaluate, {title}; N = {n:,}"
        yield Row(work, "scikit-learn's seven", "s", ours, theirs, 1 / 6)
        yield Row(work, "np.sort", "s", ours, sort, 25)


def delongs(sizes: Sizes) -> Iterator[Row]:
    """DeLong's interval of the AUC."""
    arrays = ln_lr_arrays(sizes.small)
    seconds = interleaved({"ours": lambda: our_delong(arrays), "theirs": lambda: delong(arrays)}, sizes.repeats_small)
    theirs = seconds["theirs"] if delong(ln_lr_arrays(1000)) is not None else None
    work = f"AUC with DeLong's interval; N = {sizes.small:,}"
    yield Row(work, "confidenceinterval", "s", seconds["ours"], theirs, 1 / 20)


def cross_entropy(sizes: Sizes) -> Iterator[Row]:
    """Cllr, min Cllr and the cross-entropy curve beside lir's, where that is installed."""
    arrays = ln_lr_arrays(sizes.small)
    work = f"cllr, cllr_min, cross-entropy curve; N = {sizes.small:,}"
    # lir takes its time: three rounds tell enough.
    repeats = max(1, sizes.repeats_small // 3)
    if lir_three(ln_lr_arrays(100)) is None:
        ours = interleaved({"ours": lambda: our_three(arrays)}, repeats)["ours"]
        yield Row(work, "lir's", "s", ours, None, 1 / 5)
        return
    seconds = interleaved({"ours": lambda: our_three(arrays), "theirs": lambda: lir_three(arrays)}, repeats)
    yield Row(work, "lir's", "s", seconds["ours"], seconds["theirs"], 1 / 5)


def csv(sizes: Sizes) -> Iterator[Row]:
    """The whole command on a CSV file, beside merely parsing it with the fastest of three libraries."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "trials.csv")
        write(ln_lr_arrays(sizes.csv), path)
        seconds = interleaved({"ours": command(path), **bare_parsers(path)}, sizes.repeats_large)
    ours = seconds.pop("ours")
    fastest = min(seconds, key=lambda name: seconds[name])
    yield Row(f"deciban evaluate, CSV; N = {sizes.csv:,}", f"parsing ({fastest})", "s", ours, seconds[fastest], 5)


def formats(sizes: Sizes) -> Iterator[Row]:
    """Scores of every text format joined to their key, without and with ids, beside the slower of two bare parsers."""
    with tempfile.TemporaryDirectory() as folder:
        for name, files in format_files.write_all(sizes.small, Path(folder)).items():
            scan = partial(db.scan, list(files.scores), key=files.key, reader=name.partition(",")[0])
            work = {"": lambda: scan().trials(), ", with ids": lambda: scan(ids=None).trials()}  # noqa: B023
            seconds = interleaved({**work, **format_files.bare_parsers(files)}, sizes.repeats_large)
            slower = max(("Polars", "PyArrow"), key=lambda one: seconds[one])
            for kept in work:
                what = f"read {name}{kept}; N = {sizes.small:,}"
                yield Row(what, f"parsing ({slower})", "s", seconds[kept], seconds[slower], 3)


def tied(sizes: Sizes) -> Iterator[Row]:
    """Scores of 3 decimals."""
    ln_lr = ln_lr_arrays(sizes.large)
    for arrays in (ln_lr.rounded(), probability_arrays(ln_lr).rounded()):
        ours, sort = _beside_sort(arrays, sizes.repeats_large + 2)
        yield Row(f"evaluate, {arrays.title}, 3 decimals; N = {sizes.large:,}", "np.sort", "s", ours, sort, 5)


def _beside_sort(arrays: Arrays, repeats: int) -> tuple[float, float]:
    seconds = interleaved({"ours": lambda: evaluate(arrays), "sort": lambda: np.sort(arrays.scores)}, repeats)
    return seconds["ours"], seconds["sort"]


def bootstraps(sizes: Sizes) -> Iterator[Row]:
    """Intervals of five figures, and of all shown unasked, beside a bootstrap of AUC alone (a tenth, times ten)."""
    distinct = ln_lr_arrays(sizes.bootstrapped)
    rounded = ln_lr_arrays(sizes.small).rounded()
    for arrays, names, bar in ((distinct, FIVE, 1 / 25), (rounded, (), None)):
        peer, theirs = auc_bootstrap(arrays, sizes.replicates // 10)
        run = partial(bootstrap_intervals, arrays, names, sizes.replicates)
        seconds = interleaved({"ours": run, "theirs": theirs}, 3 if bar else 1)
        figures = ", ".join(names) if names else "all figures shown, 3 decimals"
        work = f"{sizes.replicates:,} replicates: {figures}; N = {arrays.scores.size:,}"
        yield Row(work, f"{peer}, AUC", "s", seconds["ours"], 10 * seconds["theirs"], bar)


def calibrated(sizes: Sizes) -> Iterator[Row]:
    """Calibrators fitted to trials and applied to as many others, beside a bare sort of one set."""
    both = [ln_lr_arrays(sizes.large, seed) for seed in (20, 21)]
    development, cases = (db.Trials.from_arrays(one.scores, one.labels, scale=one.scale) for one in both)
    for calibrator in CALIBRATORS:
        run = partial(calibrate, calibrator, development, cases)
        seconds = interleaved({"ours": run, "sort": lambda: np.sort(both[0].scores)}, sizes.repeats_large)
        work = f"fit and apply, {calibrator.kind}; N = {sizes.large:,}"
        yield Row(work, "np.sort", "s", seconds["ours"], seconds["sort"], 10)


def memory(sizes: Sizes) -> Iterator[Row]:
    """Peak memory of one evaluation, above Python with NumPy; the input arrays themselves are part of it."""
    for arrays in all_scales(ln_lr_arrays(sizes.large)):
        for kind in (np.bool_, np.int64):
            given = replace(arrays, labels=arrays.labels.astype(kind))
            work = f"peak memory, {arrays.title}, labels {kind.__name__}; N = {sizes.large:,}"
            yield Row(work, "the arrays", "MiB", peak_of_evaluate(given) / MIB, given.nbytes / MIB, 9)


def importing(sizes: Sizes) -> Iterator[Row]:
    """Start of the interpreter included on both sides; names load on first use, so their import is shown too."""
    seconds = interleaved(
        {
            "numpy": new_interpreter("import numpy"),
            "deciban": new_interpreter("import deciban"),
            "names": new_interpreter("from deciban import Counts, auc, evaluate"),
        },
        sizes.repeats_import,
    )
    yield Row("import deciban", "import numpy", "s", seconds["deciban"], seconds["numpy"], 1.5)
    yield Row(
        "from deciban import Counts, auc, evaluate", "import numpy", "s", seconds["names"], seconds["numpy"], None
    )


def all_rows(sizes: Sizes) -> Iterator[Row]:
    """Every row, as soon as it is measured; memory and imports first, before this process has grown."""
    steps: tuple[Callable[[Sizes], Iterator[Row]], ...] = (
        importing,
        memory,
        seven,
        bootstraps,
        delongs,
        lambda s: everything(s.small, s.repeats_small),
        lambda s: everything(s.large, s.repeats_large),
        tied,
        cross_entropy,
        calibrated,
        csv,
        formats,
    )
    for step in steps:
        yield from step(sizes)
