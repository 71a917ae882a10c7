"""Tables of cases to likelihood ratios, with calibrators and fusions fitted on other tables."""
