a x 0.5
b y 0.25
c z -1
