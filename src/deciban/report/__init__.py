"""One page that can be read and filed: a record becomes sections, sections become HTML.

Data flow one way: :mod:`~deciban.report.subject` says what a page is about, each module of
:mod:`~deciban.report.sections` makes of it one section of blocks (:mod:`~deciban.report.section`),
:mod:`~deciban.report.page` puts them into the templates. Nothing is computed here that a record does not hold.
"""
