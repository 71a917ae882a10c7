"""The waist: distinct scores in increasing order, and how many targets and nontargets have each."""
