"""The reader's words: what each field calls the classes and their error rates, for labels only.

Keys of records, options and columns never change with the vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deciban.errors import OptionError, did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Words of one field, in lower case as they stand within a sentence.

    Attributes
    ----------
    name
        What the vocabulary is asked for by.
    target, nontarget
        One class and the other, as in "prior probability of …".
    targets, nontargets
        Trials of the class, as in "share of …".
    p_miss, p_fa
        Rates of the two errors.
    recall, specificity
        Shares of the two classes decided rightly.
    precision
        Share of targets among accepted trials.
    system
        What makes the scores.
    """

    name: str
    target: str
    nontarget: str
    targets: str
    nontargets: str
    p_miss: str
    p_fa: str
    recall: str
    specificity: str
    precision: str = "precision"
    system: str = "system"

    def ratio(self, name: str) -> str:
        """The word for a ratio of the confusion matrix: its own where the field has one, else its plain name.

        Examples
        --------
        >>> VOCABULARIES["biometric"].ratio("p_fa"), VOCABULARIES["biometric"].ratio("balanced_accuracy")
        ('false match rate', 'balanced accuracy')
        """
        own = ("p_miss", "p_fa", "recall", "specificity", "precision")
        return str(getattr(self, name)) if name in own else _PLAIN.get(name, name.replace("_", " "))


_PLAIN: Final = {
    "f1": "F1",
    "mcc": "Matthews correlation",
    "npv": "negative predictive value",
    "kappa": "Cohen's κ",
    "lr_positive": "LR+",
    "lr_negative": "LR−",
}

VOCABULARIES: Final = {
    words.name: words
    for words in (
        Vocabulary(
            name="neutral",
            target="target",
            nontarget="nontarget",
            targets="targets",
            nontargets="nontargets",
            p_miss="miss rate",
            p_fa="false-alarm rate",
            recall="recall",
            specificity="specificity",
        ),
        Vocabulary(
            name="forensic",
            target="same source",
            nontarget="different sources",
            targets="same-source trials",
            nontargets="different-source trials",
            p_miss="miss rate",
            p_fa="false-alarm rate",
            recall="hit rate",
            specificity="correct rejection rate",
            system="method",
        ),
        Vocabulary(
            name="biometric",
            target="mated",
            nontarget="non-mated",
            targets="mated trials",
            nontargets="non-mated trials",
            p_miss="false non-match rate",
            p_fa="false match rate",
            recall="true match rate",
            specificity="true non-match rate",
        ),
        Vocabulary(
            name="spoofing",
            target="bona fide speech",
            nontarget="a spoof",
            targets="bona fide trials",
            nontargets="spoofs",
            p_miss="miss rate",
            p_fa="false acceptance rate",
            recall="bona fide acceptance rate",
            specificity="spoof rejection rate",
            system="countermeasure",
        ),
        Vocabulary(
            name="pad",
            target="bona fide",
            nontarget="attack",
            targets="bona fide presentations",
            nontargets="attack presentations",
            p_miss="BPCER",
            p_fa="APCER, all species pooled",
            recall="share of bona fide presentations accepted",
            specificity="share of attack presentations detected",
            system="PAD subsystem",
        ),
        Vocabulary(
            name="authorship",
            target="same author",
            nontarget="different authors",
            targets="same-author pairs",
            nontargets="different-author pairs",
            p_miss="miss rate",
            p_fa="false-alarm rate",
            recall="recall",
            specificity="specificity",
            system="verifier",
        ),
        Vocabulary(
            name="ml",
            target="positive",
            nontarget="negative",
            targets="positives",
            nontargets="negatives",
            p_miss="false negative rate",
            p_fa="false positive rate",
            recall="recall",
            specificity="true negative rate",
            system="classifier",
        ),
    )
}
"""Every vocabulary by name; the first is the default."""


def find_vocabulary(name: str) -> Vocabulary:
    """Return the vocabulary of a name.

    Parameters
    ----------
    name
        "neutral", "forensic", "biometric", "spoofing", "pad", "authorship" or "ml".

    Returns
    -------
    Vocabulary
        Its words.

    Raises
    ------
    OptionError
        When there is none of this name; the message has the known ones.

    Examples
    --------
    >>> find_vocabulary("ml").p_miss
    'false negative rate'
    """
    if name not in VOCABULARIES:
        near = did_you_mean(str(name), VOCABULARIES)
        known = f"known: {', '.join(VOCABULARIES)}"
        raise OptionError(f"vocabulary: {name!r} is unknown; {near if near == known else f'{near} ({known})'}")
    return VOCABULARIES[name]
