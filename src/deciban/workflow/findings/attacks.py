"""What a reader must know beside the error rates of presentation-attack detection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from deciban.errors import listing
from deciban.records.attacks import AttackEvaluation, AttackPoint
from deciban.records.display import exact_digits, number, several
from deciban.records.finding import Finding
from deciban.trials.trials import Trials
from deciban.uncertainty.planning.rules_of_thumb import zero_error_bound

LEVEL: Final = 0.95


def remarks(result: AttackEvaluation, trials: Trials) -> Iterator[Finding]:
    """Non-responses, species without an error or with too few attacks, thresholds chosen here, averages."""
    for point in result.points:
        yield from _unresolved(point) if point.limit is not None else _without_errors(point)
    if any(point.limit is not None for point in result.points):
        yield Finding(
            code="POST-HOC",
            severity="note",
            message="BPCER at an APCER is read at a threshold that these very presentations chose: it is optimistic",
            advice="choose the threshold on other presentations and pass it with thresholds= (--threshold)",
        )
    yield from _nonresponse(result, trials)
    yield from _without_rate(result)
    if any(point.asked for point in result.points):
        yield Finding(
            code="AVERAGED",
            severity="note",
            message="ACER and pooled APCER are averages: an attacker uses the worst species",
            advice="report APCER of the worst species and BPCER; use averages to compare with old reports only",
        )
    responded = [name for name, share in result.points[0].species.items() if share.n]
    if len(responded) > 1:
        yield Finding(
            code="WORST",
            severity="note",
            message=f"the worst of {len(responded)} species was picked by these data; its interval is that of one "
            "species, as if named beforehand",
            advice="show every species beside it",
            data={"species": len(responded)},
        )
    yield Finding(
        code="DEP-UNKNOWN",
        severity="note",
        message="presentations count as independent",
        advice="where subjects, instruments or sessions recur, take the intervals as too narrow",
    )


def _without_errors(point: AttackPoint) -> Iterator[Finding]:
    """Species none of which was accepted at a threshold given beforehand, and likewise bona fide presentations."""
    kinds = [(f"no attack of {name}", "APCER", one) for name, one in point.species.items()]
    kinds = [kind for kind in kinds if kind[2].n]
    kinds.append(("no bona fide presentation", "BPCER", point.bpcer))
    for what, rate, share in kinds:
        if share.errors == 0:
            bound = zero_error_bound(share.n, LEVEL)
            done = "accepted" if rate == "APCER" else "rejected"
            yield Finding(
                code="ZERO-ERR",
                severity="warn",
                metric=rate.lower(),
                message=f"{what} among {share.n} {done} at threshold {exact_digits(point.shown)}: {rate} may be as "
                f"high as {number(bound)} (one-sided 95 % bound)",
                advice="do not report the rate as 0",
                data={"threshold": point.threshold, "presentations": share.n, "upper_bound": bound, "level": LEVEL},
            )


def _unresolved(point: AttackPoint) -> Iterator[Finding]:
    """Species with so few attacks that the rate asked for is below the share of one."""
    limit = point.limit or 0.0
    for name, share in point.species.items():
        if share.n and limit < 1.0 / share.n:
            yield Finding(
                code="RES-APCER",
                severity="warn",
                metric="apcer",
                message=f"APCER <= {exact_digits(limit)} cannot be resolved with {several(share.n, 'attack')} of "
                f"{name} (one step is {number(1 / share.n)}): the threshold is one that none of them passes",
                advice=f"ask for an APCER of at least {1 / share.n:.2g}, or collect more attacks of this species",
                data={"limit": limit, "attacks": share.n},
            )


def _without_rate(result: AttackEvaluation) -> Iterator[Finding]:
    """Species of which no presentation got a response."""
    without = [name for name, share in result.points[0].species.items() if not share.n]
    if without:
        yield Finding(
            code="NO-APCER",
            severity="warn",
            metric="apcer",
            message=f"no presentation of {listing(without)} got a response, so there is no APCER; the worst species is "
            "that of the others",
            advice="find out why, and report it beside the worst species",
            data={"species": without},
        )


def _nonresponse(result: AttackEvaluation, trials: Trials) -> Iterator[Finding]:
    without = {"bona fide": result.bona_fide.without_response}
    without |= {name: one.without_response for name, one in result.species.items()}
    if any(without.values()):
        said = ", ".join(f"{n} of {name}" for name, n in without.items() if n)
        used = {
            "apart": "left out of APCER and BPCER",
            "rejected": "counted in APCER and BPCER as not taken for bona fide",
        }[result.nonresponse]
        yield Finding(
            code="NO-RESPONSE",
            severity="note",
            message=f"presentations without a response, {used}: {said}",
            advice="report APNRR and BPNRR beside the rates",
            data=without,
        )
    if trials.dropped:
        yield Finding(
            code="MISSING",
            severity="warn",
            message=f"{several(trials.dropped, 'presentation')} without a score left out before kinds were counted: "
            "non-response rates are not known",
            advice="read them with missing='reject' (--missing reject), or use nonresponse='apart'",
            data={"dropped": trials.dropped},
        )
