"""docs/metrics.md is what the metrics say of themselves."""

from docs import metrics as page


def test_the_page_is_up_to_date():
    assert page.PAGE.read_text(encoding="utf-8") == page.written(), "python docs/metrics.py writes it anew"


def test_every_row_leads_to_a_section():
    text = page.PAGE.read_text(encoding="utf-8")
    headings = {line.removeprefix("## ").replace(".", "") for line in text.splitlines() if line.startswith("## ")}
    assert headings == {row.split("](#")[1].split(")")[0] for row in text.splitlines() if row.startswith("| [`")}
