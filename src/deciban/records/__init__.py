"""Results as frozen records that JSON, tables and pages are made from."""
