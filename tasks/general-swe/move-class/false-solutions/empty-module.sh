#!/bin/bash
# The new module only hands the class on.
set -euo pipefail
cd /workspace
printf 'from geometry.shapes import Circle\n' > geometry/circle.py
sed -i 's/^from geometry.shapes import Circle, Square/from geometry.circle import Circle\nfrom geometry.shapes import Square/' geometry/packing.py
sed -i -e 's/^from geometry import shapes/from geometry import circle, shapes/' -e 's/shapes\.Circle/circle.Circle/' geometry/reading.py
sed -i 's/^from geometry.shapes import Circle as/from geometry.circle import Circle as/' main.py
