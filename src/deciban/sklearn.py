"""For scikit-learn: calibration as an estimator, and every figure of merit as a scorer; extra ``sklearn``.

>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.model_selection import cross_val_score
>>> from deciban.sklearn import scorer
>>> X, y = [[0.0], [1.0], [2.0], [3.0], [1.5], [2.5], [0.5], [3.5]], [0, 0, 1, 1, 0, 1, 0, 1]
>>> cross_val_score(LogisticRegression(), X, y, cv=2, scoring=scorer("auc")).tolist()
[1.0, 1.0]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from deciban.calibration.calibration import Calibration, refuse_undefined
from deciban.calibration.line import LogisticCalibrator
from deciban.calibration.settings import Calibrator, check_calibrator
from deciban.errors import MissingExtraError, OptionError, ScaleError
from deciban.metrics.catalogue import BY_NAME
from deciban.metrics.expression import Expression, parse
from deciban.trials.trials import Trials
from deciban.values.arrays import Floats
from deciban.values.log_domain import expit_pair
from deciban.values.scale import check_prior

if TYPE_CHECKING:
    # scikit-learn brings no types; to a checker its bases are plain classes.
    BaseEstimator: Any = object
    ClassifierMixin: Any = object
    Pipeline: Any = object
    check_classification_targets: Any
    type_of_target: Any
    _check_sample_weight: Any
    check_is_fitted: Any
    validate_data: Any
else:
    try:
        from sklearn.base import BaseEstimator, ClassifierMixin
        from sklearn.pipeline import Pipeline
        from sklearn.utils.multiclass import check_classification_targets, type_of_target
        from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
    except ImportError as error:
        raise MissingExtraError("deciban.sklearn needs scikit-learn: pip install 'deciban[sklearn]'") from error

CLASSES: Final = 2


class CalibratedScorer(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Calibrate one column of scores: the estimator that any calibrator becomes.

    ``X`` is one column of scores, shape (n, 1); of the two labels the one sorted last is the target.

    Parameters
    ----------
    calibrator
        The settings; None (default) is ``LogisticCalibrator()``.
    scale
        Unit of the scores: ``"score"`` (default), ``"probability"`` or an LR scale.
    p_target
        Prior of the target for ``predict_proba``, ``predict`` and ``decision_function``; None (default) is the share of
        targets in ``fit``.

    Attributes
    ----------
    calibration_
        The fitted calibration: ``calibration_.save(path)`` keeps it.
    classes_
        The labels: nontarget, target.
    p_target_
        The prior used.

    Notes
    -----
    NaN is refused, and infinite scores too, as everywhere in scikit-learn. What ``fit`` raises is what the calibrator
    raises: separated classes have no logistic line without a penalty.

    References
    ----------
    Brümmer and du Preez (2006), Application-independent evaluation of speaker detection, CSL 20.

    Examples
    --------
    >>> scores, same = [[-1.0], [0.5], [0.0], [2.0]], [0, 0, 1, 1]
    >>> estimator = CalibratedScorer().fit(scores, same)
    >>> estimator.predict([[3.0], [-3.0]]).tolist()
    [1, 0]
    >>> estimator.ln_lr([[1.0]]).round(3).tolist()
    [1.0]
    """

    def __init__(
        self, calibrator: Calibrator | None = None, *, scale: str = "score", p_target: float | None = None
    ) -> None:
        self.calibrator = calibrator
        self.scale = scale
        self.p_target = p_target

    def fit(self, X: object, y: object, sample_weight: object = None) -> CalibratedScorer:  # noqa: N803
        """Fit the calibrator to scores and labels; weights are numbers of trials."""
        scores, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_ = np.unique(labels)
        if type_of_target(labels) != "binary" or self.classes_.size != CLASSES:
            found = f"{self.classes_.size} class" + ("es" if self.classes_.size > 1 else "")
            raise ValueError(f"Only binary classification is supported: expected two classes, found {found}")
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, scores)
        self._one_column(scores)
        is_target = labels == self.classes_[1]
        trials = Trials.from_arrays(scores[:, 0], is_target, scale=self.scale, weight=weight, name="scores")
        calibrator = LogisticCalibrator() if self.calibrator is None else check_calibrator(self.calibrator)
        self.calibration_: Calibration = calibrator.fit(trials)
        training = self.calibration_.training
        share = training.n_target / (training.n_target + training.n_nontarget)
        self.p_target_ = float(share if self.p_target is None else check_prior(self.p_target, "p_target") or share)
        return self

    def ln_lr(self, X: object) -> Floats:  # noqa: N803
        """Natural-log likelihood ratios, shape (n,)."""
        check_is_fitted(self)
        scores = validate_data(self, X, reset=False, dtype=np.float64)
        return refuse_undefined(self.calibration_.transform(scores[:, 0]))

    def decision_function(self, X: object) -> Floats:  # noqa: N803
        """Posterior log-odds of the target at ``p_target_``, shape (n,)."""
        return self.ln_lr(X) + (math.log(self.p_target_) - math.log1p(-self.p_target_))

    def predict_proba(self, X: object) -> Floats:  # noqa: N803
        """Posterior probabilities of nontarget and target at ``p_target_``, shape (n, 2)."""
        target, nontarget = expit_pair(self.decision_function(X))
        return np.column_stack([nontarget, target])

    def predict(self, X: object) -> np.ndarray[Any, Any]:  # noqa: N803
        """The label whose posterior probability is larger."""
        above = self.decision_function(X) > 0.0
        return np.asarray(self.classes_[above.astype(np.intp)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    @staticmethod
    def _one_column(scores: Floats) -> None:
        if scores.shape[1] != 1:
            raise ValueError(
                f"expected one column of scores, found {scores.shape[1]} features: fuse several systems with "
                "deciban.LogisticFusion, or put a scorer before this step"
            )


_SIGNS: Final = {"higher": 1, "lower": -1}


@dataclass(frozen=True, slots=True, repr=False)
class _Scorer:
    """A figure of merit as scikit-learn calls it: ``scorer(estimator, X, y)``; larger is better.

    What it holds is text and a number, so that it goes to other processes and into files with the search it is part of.
    """

    expression: str
    prior: float | None

    def __repr__(self) -> str:
        prior = "" if self.prior is None else f", prior={self.prior!r}"
        return f"scorer({self.expression!r}{prior})"

    def __call__(self, estimator: Any, X: object, y: object, sample_weight: object = None) -> float:  # noqa: N803
        """Return the figure of an estimator's scores, negated where lower is better."""
        from deciban.counts.of_trials import count_trials

        target = estimator.classes_[-1]
        if len(estimator.classes_) != CLASSES:
            raise OptionError(f"scorer: expected an estimator of two classes, found {len(estimator.classes_)}")
        figure = _figure(self.expression)
        scores, scale, prior = self._scores(figure, estimator, X)
        trials = Trials.from_arrays(
            scores, np.asarray(y) == target, scale=scale, prior=prior, weight=sample_weight, name="scores"
        )
        found: Any = BY_NAME[figure.spec.name](count_trials(trials), **figure.options)
        value = float(found if figure.part is None else getattr(found, figure.part))
        return _SIGNS[figure.spec.direction] * value

    def _scores(self, figure: Expression, estimator: Any, X: object) -> tuple[Any, str, float | None]:  # noqa: N803
        """What the figure needs: LRs, probabilities, or any scores there are."""
        needs = figure.spec.needs
        if needs == "lr":
            if _gives_lrs(estimator):
                return _ln_lr(estimator, X), "ln_lr", None
            if self.prior is None:
                raise ScaleError(
                    f"{figure.key} needs likelihood ratios: use it with CalibratedScorer, or say prior= that the "
                    "probabilities of the estimator are made under"
                )
        if needs == "any" and hasattr(estimator, "decision_function"):
            return estimator.decision_function(X), "score", None
        return estimator.predict_proba(X)[:, 1], "probability", self.prior


def _gives_lrs(estimator: Any) -> bool:
    """Whether an estimator gives log LRs: itself, by its last step, or by the best one that a search found."""
    if hasattr(estimator, "ln_lr"):
        return True
    if isinstance(estimator, Pipeline):
        return _gives_lrs(estimator.steps[-1][1])
    return hasattr(estimator, "best_estimator_") and _gives_lrs(estimator.best_estimator_)


def _ln_lr(estimator: Any, X: object) -> Any:  # noqa: N803
    """Log LRs of an estimator that gives them; a pipeline and a search hide the method of what is in them."""
    if hasattr(estimator, "ln_lr"):
        return estimator.ln_lr(X)
    if isinstance(estimator, Pipeline):
        before = X if len(estimator.steps) == 1 else estimator[:-1].transform(X)
        return _ln_lr(estimator.steps[-1][1], before)
    return _ln_lr(estimator.best_estimator_, X)


def scorer(expression: str, *, prior: float | None = None) -> Callable[..., float]:
    """Make a scorer of a figure of merit, for ``cross_val_score``, searches and ``scoring=``.

    Parameters
    ----------
    expression
        A metric with its options, such as ``"cllr"``, ``"auc"``, ``"eer:method=interpolated"``.
    prior
        Prior that the probabilities of an estimator are made under, for figures of LRs; an estimator with ``ln_lr``,
        such as :class:`CalibratedScorer`, needs none, nor does a pipeline that ends in one, or a search over such.

    Returns
    -------
    callable
        ``scorer(estimator, X, y, sample_weight=None)``: the figure, negated where lower is better, so that the best is
        the largest. The last of ``classes_`` is the target. Figures of ranks take ``decision_function`` where there is
        one; others take probabilities or LRs. It can be pickled, and is equal to one of the same figure and prior.

    Raises
    ------
    OptionError
        When there is no such metric, it has several parts and none is named, or neither end of it is better.

    References
    ----------
    Pedregosa et al. (2011), Scikit-learn: machine learning in Python, JMLR 12.

    Examples
    --------
    >>> estimator = CalibratedScorer().fit([[-1.0], [0.5], [0.0], [2.0]], [0, 0, 1, 1])
    >>> round(scorer("cllr")(estimator, [[1.0], [-1.0]], [1, 0]), 3)
    -0.324
    """
    return _Scorer(_figure(expression).key, check_prior(prior))


def _figure(expression: str) -> Expression:
    """The one figure that an expression names, of which larger or smaller values are better."""
    found = parse(expression)
    if len(found) > 1:
        raise OptionError(f"{expression}: a scorer is one figure, found {len(found)}")
    (one,) = found
    if one.spec.parts and one.part is None:
        parts = ", ".join(f"{one.spec.name}.{part}" for part in one.spec.parts)
        raise OptionError(f"{expression}: a scorer is one figure; name a part: {parts}")
    if one.spec.direction not in _SIGNS:
        raise OptionError(f"{expression}: neither larger nor smaller values are better, so that it ranks nothing")
    return one
