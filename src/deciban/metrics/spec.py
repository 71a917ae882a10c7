"""What a metric is: a function of counts with its specification attached.

A metric's body takes the results of one or more *passes* over the counts (pair counts, cumulative counts, pooled
blocks, …) and its own options. The decorator turns it into the public function, which takes the counts and runs the
passes itself; ``evaluate`` reads the same specification, runs every pass once and calls the bodies.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, update_wrapper
from numbers import Integral, Real
from typing import Any, Final, Literal, Protocol, TypeVar, cast, overload

from deciban.counts.argument import only_counts
from deciban.counts.counts import Counts
from deciban.errors import OptionError, UndefinedMetricError, did_you_mean
from deciban.values.option_checks import check_flag, check_number

Pass = Callable[..., Any]
Needs = Literal["any", "probability", "lr"]
Bootstrap = Literal["percentile", "basic", "bca", "halves", "halves-log"]
Narrower = Callable[[str | None, Mapping[str, object]], tuple[float, float]]
Direction = Literal["higher", "lower", "target value"]

R_co = TypeVar("R_co", covariant=True)

REQUIRED: Final = inspect.Parameter.empty


KINDS: Final[dict[type, tuple[type, str]]] = {
    float: (Real, "a number"),
    int: (Integral, "a whole number"),
    bool: (bool, "true or false"),
    str: (str, "text"),
}
"""What a value of each kind of option is, and what it is called."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a metric: its name, the type its text is read as, its default and what it may be."""

    name: str
    kind: type
    default: object
    choices: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether the option has no default."""
        return self.default is REQUIRED


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """Everything that command line, record, report, documentation and tests need to know of a metric.

    Attributes
    ----------
    name, title, unit
        Key in records and expressions; words for people; unit ("" for a pure number).
    range
        Smallest and largest value it can take, whatever the options.
    narrower
        The range of a part, or at given options, where it is narrower; None where it is not.
    direction
        Whether higher or lower is better, or a target value is (named by the perfect anchor).
    needs
        What the scale of the scores must carry.
    anchors
        Values of a perfect and of an uninformative system; None where it depends on the data.
    passes
        What the body takes, in order.
    options
        Options of the body and of its passes.
    shown
        The option sets with which ``evaluate`` shows it unasked; empty: only when asked for.
    parts
        Names of the fields when the value is a record.
    exact
        Whether ``exact=True`` gives a fraction.
    rank_only
        Whether it depends on the order of the scores alone (unchanged by any increasing map of them).
    swapped
        What the metric of the other class (labels swapped, scores reversed) is: "same", "complement" (1 − value) or
        None for no such relation.
    of_these_shares
        Whether the value holds for the share of targets in the data only.
    optimistic
        Whether it rests on the best map or threshold for the very trials it is computed from; of a record the parts
        that do.
    bootstrap
        How its interval is read from bootstrap replicates, "percentile", "basic" or "bca", or from halves of the data,
        "halves" or "halves-log" (which see that a figure is better the fewer trials it is fitted to); None where there
        is none, since the figure describes the data rather than the system, or is a test.
    bias_rate
        How fast its bias shrinks with the number n of trials, as n to the power −bias_rate; for methods with halves.
    use_when, avoid_when, reference
        Advice and source.
    body
        The undecorated function.
    """

    name: str
    title: str
    unit: str
    range: tuple[float, float]
    narrower: Narrower | None
    direction: Direction
    needs: Needs
    anchors: tuple[float | None, float | None]
    passes: tuple[Pass, ...]
    options: tuple[Option, ...]
    shown: tuple[Mapping[str, object], ...]
    parts: tuple[str, ...]
    exact: bool
    rank_only: bool
    swapped: Literal["same", "complement"] | None
    of_these_shares: bool
    optimistic: bool | tuple[str, ...]
    bootstrap: Bootstrap | None
    bias_rate: float
    use_when: str
    avoid_when: str
    reference: str
    body: Callable[..., Any]

    def option(self, name: str) -> Option:
        """Return the option of that name, or raise :class:`OptionError` with the nearest ones."""
        for option in self.options:
            if option.name == name:
                return option
        if not self.options:
            raise OptionError(f"{self.name} has no options, found {name!r}")
        raise OptionError(f"{self.name} has no option {name!r}; {did_you_mean(name, [o.name for o in self.options])}")

    def complete(self, options: Mapping[str, object]) -> dict[str, object]:
        """Return all options with defaults filled in; unknown, missing or illegal ones raise :class:`OptionError`."""
        for name, value in options.items():
            option = self.option(name)
            if value is None and option.default is None:
                continue
            if option.choices and value not in option.choices:
                raise OptionError(f"{self.name}: {name} must be one of {', '.join(option.choices)}, found {value!r}")
            allowed, words = KINDS[option.kind]
            if not isinstance(value, allowed) or isinstance(value, bool) != (option.kind is bool):
                raise OptionError(f"{self.name}: {name} must be {words}, found {value!r}")
            if option.kind is float and value == value:  # noqa: PLR0124 - what NaN means is each metric's own matter
                check_number(f"{self.name}: {name}", value)
        missing = [option.name for option in self.options if option.required and option.name not in options]
        if missing:
            raise OptionError(f"{self.name} needs {', '.join(missing)}: e.g. {self.name}:{missing[0]}=…")
        return {option.name: options.get(option.name, option.default) for option in self.options}


class Metric(Protocol[R_co]):
    """A public metric function: counts (and options) in, a float or a record of floats out."""

    spec: Spec
    __name__: str

    @overload
    def __call__(self, counts: Counts, *, exact: Literal[True], **options: Any) -> Fraction: ...
    @overload
    def __call__(self, counts: Counts, **options: Any) -> R_co: ...


def whole(counts: Counts) -> Counts:
    """Give a body the counts themselves: the pass of metrics that need no other."""
    return counts


def run_pass(function: Pass, counts: Counts, options: Mapping[str, object], exact: bool) -> Any:
    """Run one pass with those of the options that it takes."""
    return function(counts, **_taken(function, options, exact))


def run_body(spec: Spec, results: list[Any], options: Mapping[str, object], exact: bool) -> Any:
    """Compute the value from the results of the passes: float or record of floats, Fraction when ``exact``."""
    value = spec.body(*results, **_taken(spec.body, options, exact))
    if exact:
        return value
    if spec.parts:
        return replace(value, **{part: float(getattr(value, part)) for part in spec.parts})
    return float(value)


def takes(function: Callable[..., Any], option: str) -> bool:
    """Whether a pass or body takes an option by keyword."""
    return option in _keywords(function)


def _taken(function: Callable[..., Any], options: Mapping[str, object], exact: bool) -> dict[str, object]:
    """The options that a function takes by keyword."""
    given = {"exact": exact, **options}
    return {name: given[name] for name in _keywords(function) if name in given}


@cache  # an evaluation asks hundreds of times, of a few dozen functions
def _keywords(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(function).parameters
    return {name: p for name, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}


def metric(
    *,
    of: Pass | tuple[Pass, ...],
    title: str,
    unit: str = "",
    range: tuple[float, float],  # noqa: A002 - the word a reader of a specification looks for
    direction: Direction,
    needs: Needs = "any",
    anchors: tuple[float | None, float | None],
    use_when: str,
    avoid_when: str,
    reference: str,
    name: str | None = None,
    shown: tuple[Mapping[str, object], ...] = ({},),
    choices: Mapping[str, tuple[str, ...]] | None = None,
    parts: tuple[str, ...] = (),
    exact: bool = False,
    rank_only: bool = False,
    swapped: Literal["same", "complement"] | None = None,
    of_these_shares: bool = False,
    optimistic: bool | tuple[str, ...] = False,
    bootstrap: Bootstrap | None = "percentile",
    bias_rate: float = 1.0,
    narrower: Narrower | None = None,
) -> Callable[[Callable[..., R_co]], Metric[R_co]]:
    """Turn a body into a metric; the attributes of :class:`Spec` say what each argument means."""
    passes = of if isinstance(of, tuple) else (of,)

    def decorate(body: Callable[..., R_co]) -> Metric[R_co]:
        options = {
            key: Option(key, _kind(parameter), parameter.default, (choices or {}).get(key, ()))
            for function in (*passes, body)
            for key, parameter in _keywords(function).items()
            if key != "exact"
        }
        spec = Spec(
            name=name or body.__name__,
            title=title,
            unit=unit,
            range=range,
            narrower=narrower,
            direction=direction,
            needs=needs,
            anchors=anchors,
            passes=passes,
            options=tuple(options.values()),
            shown=shown,
            parts=parts,
            exact=exact,
            rank_only=rank_only,
            swapped=swapped,
            of_these_shares=of_these_shares,
            optimistic=optimistic,
            bootstrap=bootstrap,
            bias_rate=bias_rate,
            use_when=use_when,
            avoid_when=avoid_when,
            reference=reference,
            body=body,
        )

        def public(*counts_alone: Any, exact: bool = False, **given: Any) -> Any:
            counts = only_counts(spec.name, counts_alone, given)
            check_exact(spec, counts, exact)
            complete = spec.complete(given)
            if counts.resolution is not None:
                from deciban.metrics.brackets.bracket import of_buckets

                return of_buckets(spec, counts, complete, exact)
            results = [run_pass(function, counts, complete, exact) for function in passes]
            return run_body(spec, results, complete, exact)

        update_wrapper(public, body)
        # What a caller sees: counts first, then the options; not the passes that the body takes.
        public.__signature__ = _signature(spec)  # type: ignore[attr-defined]
        public.spec = spec  # type: ignore[attr-defined]
        return cast(Metric[R_co], public)

    return decorate


def check_exact(spec: Spec, counts: Counts, exact: bool) -> None:
    """Raise when a fraction is asked of a metric or of counts that have none."""
    check_flag("exact", exact)
    if exact and not spec.exact:
        raise OptionError(f"{spec.name} has no exact fraction: it is not a ratio of counts")
    if exact and counts.weighted:
        raise UndefinedMetricError(f"{spec.name}: exact fractions need unweighted trials", "weighted")


def _kind(parameter: inspect.Parameter) -> type:
    """The type an option's text is read as, from its annotation (postponed, so a string)."""
    annotation = str(parameter.annotation).removesuffix(" | None")
    kinds: dict[str, type] = {"float": float, "int": int, "str": str, "bool": bool}
    if annotation not in kinds:
        raise TypeError(f"option {parameter.name}: expected float, int, str or bool, found {annotation}")
    return kinds[annotation]


def _signature(spec: Spec) -> inspect.Signature:
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("counts", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation="Counts")]
    parameters += [
        inspect.Parameter(option.name, keyword, default=option.default, annotation=option.kind.__name__)
        for option in spec.options
    ]
    if spec.exact:
        parameters.append(inspect.Parameter("exact", keyword, default=False, annotation="bool"))
    return inspect.Signature(parameters, return_annotation=inspect.signature(spec.body).return_annotation)
