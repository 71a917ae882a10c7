"""The results as a page of the documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from studies.coverage.cells import INDEPENDENT, SOURCES, Cell
from studies.coverage.defaults import TITLES, as_if_independent, default
from studies.coverage.methods import BY_TRIAL
from studies.coverage.run import Tallies
from studies.coverage.tally import Tally

WANTED: Final = (0.92, 0.97)
"""What the coverage of a nominal 95 % should lie within."""

FEW: Final = 0.01
"""Share of data sets without an interval from which on the table says so."""

Results = Mapping[str, Tallies]

INTRODUCTION: Final = """# How often intervals hold the truth

Simulated data whose truth is known: in how many percent of the data sets does a nominal 95 % interval hold the value
of the population? Made by `make coverage` (`python -m studies.coverage`), which can be repeated and made longer.

![Coverage of every method for every figure](coverage.svg)

True natural-log likelihood ratios are N(σ²/2, σ²) for targets and N(−σ²/2, σ²) for nontargets: EER 0.31, 0.16 and 0.02
and Cllr 0.84, 0.51 and 0.09 for σ = 1, 2 and 4. *LRs too bold* states 1.5 times the logarithm plus 1, *one decimal*
rounds log10 LRs. With sources, half of the variance of the scores is due to them: *one-way*, five targets and ten
nontargets of each source; *two-way*, all pairs of different sources and three targets of each. Average precision and
Brier score are at the share of targets in the data, accuracy at LR 1.

**Bold** is outside 92–97 % by more than two standard errors of the simulation, *italic* by less. That error is {errors}
percent at a coverage of 95 ({sizes} data sets; BCa of large data sets fewer). Percentile, basic and BCa intervals read
300 replicates here instead of the usual 1000, which costs them half a percent. A data set whose interval would have no
width (separated classes, say) has none: where that is more than one percent, the share is given in brackets, and
coverage is among the others.
"""

NOTES: Final = """
An interval is of the population's value. The observed min Cllr and EER are lower than that on average and the observed
calibration loss is higher, the more so the fewer the trials: intervals by `halves` lie where the value would be with
ever more trials. Where that would leave the observed one out, it is the end of the interval.

Where no method lies within 92–97 %:

* **Few errors.** At the EER, fewer than five trials of the smaller class lie on the wrong side (EER times their number;
  here with 20 targets, and at σ 4). AUC, Cllr, min Cllr and calibration loss then rest on trials that a sample hardly
  has, and the truth is mostly worse than the interval says.
* **A rate below 5/N0.** p_miss at p_fa 0.01 is decided by a nontarget or two: with 50 there is none to lose.
* **A step near the rate.** Of rounded scores p_fa grows in steps. Where one of them is about 0.01, as here, the
  threshold is now this score and now that, and p_miss jumps, however many trials there are.

Above 97 % is calibration loss where the truth is 0 or nearly so, which is the end of what it can be: no interval lies
below it, and the errors of one side do not occur.
"""


def page(results: Results) -> str:
    """Write the whole page in Markdown."""
    independent = [cell for cell in INDEPENDENT if cell.name in results]
    shared = [cell for cell in SOURCES if cell.name in results]
    parts = [_introduction([*independent, *shared], results)]
    parts += ["## Defaults, independent trials\n", _table(independent, results, {"": default}), NOTES.lstrip()]
    if shared:
        ways = {", by source": default, ", as if independent": lambda figure, _: as_if_independent(figure)}
        parts += ["## Defaults, shared sources\n", _table(shared, results, ways), ""]
    parts.append("## Every method\n")
    for figure, title in TITLES.items():
        parts += [f"### {title[0].upper()}{title[1:]}\n", _methods(figure, [*independent, *shared], results), ""]
    return "\n".join(parts)


def _introduction(cells: Sequence[Cell], results: Results) -> str:
    """Say how far simulation may be off, at a coverage of 95 %."""
    tallies = [results[cell.name]["auc", "percentile"] for cell in cells]
    made = [tally.made + tally.missing for tally in tallies]
    sizes = min(made), max(made)
    errors = [f"{100 * (0.95 * 0.05 / n) ** 0.5:.1f}" for n in reversed(sizes)]
    return INTRODUCTION.format(errors=" to ".join(errors), sizes="{} to {}".format(*sizes))


def _table(cells: Sequence[Cell], results: Results, ways: Mapping[str, Callable[[str, Cell], str]]) -> str:
    chosen = next(iter(ways.values()))
    head = [
        f"{title}<br>" + ", ".join(dict.fromkeys(f"`{chosen(figure, cell)}`" for cell in cells))
        for figure, title in TITLES.items()
    ]
    rows = [
        [cell.name + suffix, *(_cell(results[cell.name].get((figure, method(figure, cell)))) for figure in TITLES)]
        for cell in cells
        for suffix, method in ways.items()
    ]
    return _markdown(["", *head], rows)


def _methods(figure: str, cells: Sequence[Cell], results: Results) -> str:
    methods: dict[str, None] = {}
    for cell in cells:
        methods |= dict.fromkeys(method for name, method in results[cell.name] if name == figure)
    own = [method for method in methods if BY_TRIAL not in method]
    rows = [[cell.name, *(_cell(results[cell.name].get((figure, method))) for method in own)] for cell in cells]
    head = [f"`{method}`" for method in own]
    return _markdown(["", *head], rows)


def _cell(tally: Tally | None) -> str:
    if tally is None or tally.made == 0:
        return "–"
    text = f"{100 * tally.coverage:.1f}"
    outside = max(WANTED[0] - tally.coverage, tally.coverage - WANTED[1])
    if outside > 0.0:
        text = f"**{text}**" if outside > 2.0 * tally.error else f"*{text}*"
    missing = tally.missing / (tally.made + tally.missing)
    return f"{text} [{100 * missing:.0f}]" if missing > FEW else text


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
