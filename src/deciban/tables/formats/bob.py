"""Bob: ``-1|1 score``, four or five columns whose identities are compared, and CSV with subjects or attack types."""

from __future__ import annotations

from deciban.tables.formats.layout import Layout
from deciban.tables.formats.reader import Reader

BOB = Reader(
    name="bob",
    title="-1|1 score; claimed [model] real file score (a target where claimed is real); CSV of bob.bio",
    alone=(
        Layout(
            columns=("label", "score"),
            scores=("score",),
            label="label",
            words={"label": ("-1", "1", "+1")},
            varied=True,
        ),
        Layout(
            columns=("claimed_id", "real_id", "test_label", "score"),
            scores=("score",),
            ids=("claimed_id", "test_label"),
            sources=("claimed_id", "real_id"),
            same=("claimed_id", "real_id"),
            recognised=False,
        ),
        Layout(
            columns=("claimed_id", "model_label", "real_id", "test_label", "score"),
            scores=("score",),
            ids=("model_label", "test_label"),
            sources=("claimed_id", "real_id"),
            same=("claimed_id", "real_id"),
            recognised=False,
        ),
        Layout(
            columns=("bio_ref_reference_id", "probe_reference_id", "probe_attack_type", "score"),
            header=True,
            scores=("score",),
            ids=("bio_ref_reference_id", "probe_reference_id", "probe_key"),
            conditions=("probe_attack_type",),
            optional=("probe_key",),
            same=("bio_ref_reference_id", "probe_reference_id"),
            attack="probe_attack_type",
        ),
        Layout(
            columns=("bio_ref_subject_id", "probe_subject_id", "score"),
            header=True,
            scores=("score",),
            ids=("bio_ref_reference_id", "probe_reference_id", "probe_key"),
            sources=("bio_ref_subject_id", "probe_subject_id"),
            optional=("bio_ref_reference_id", "probe_reference_id", "probe_key"),
            same=("bio_ref_subject_id", "probe_subject_id"),
        ),
    ),
)
