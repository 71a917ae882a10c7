"""The ways in: files, formats, dataframes, engines and databases become trials or a tally of them."""
