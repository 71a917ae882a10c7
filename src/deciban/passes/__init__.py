"""One pass over the counts each: what families of figures and curves share."""
