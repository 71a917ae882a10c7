a x 0.5
b y 0.25
c z 1
d d 3
a x 0.6
